//! The stage: one cube apart from training that a visitor can turn and the learner can solve. None of this is saved and
//! none of it touches what is learned.

use learnery_kernels::rng::Stream;
use learnery_lab::{Floats, LabError};
use learnery_worlds::cube::{
    SOLVED, STATES, State, Turn, distances, from_stickers, parse_turns, to_text, turn_name, turns,
};

use super::brain::{Brain, Lane, ROWS};
use super::judge::best_of;
use super::scramble::scramble;
use super::space::Space;
use super::view::{Attempt, CubeCommand, Stage};

/// Seconds in which the learner makes a turn.
const TURN: f64 = 0.4;
/// Seconds until it begins.
const PAUSE: f64 = 0.6;
/// The most turns of a scramble that is asked for.
const LONGEST: u32 = 100;
/// The most turns that are remembered for the page.
const REMEMBERED: usize = 200;
/// Turns of the scramble that is shown first.
const FIRST: u32 = 4;

/// What is only there to be looked at.
pub struct Show {
    scrambles: Stream,
    scrambled: u64,
    state: State,
    attempt: Attempt,
    made: Vec<Turn>,
    count: u32,
    /// Where the learner was in this attempt, and by which turn it came there.
    been: Vec<(State, Option<Turn>)>,
    last: Option<Turn>,
    /// Seconds that have passed and are not yet used.
    owed: f64,
    lane: Lane,
    worths: Vec<f32>,
    /// State and update that these are of.
    worths_of: Option<(State, u64)>,
}

impl Show {
    /// The stage of a network.
    pub fn new(brain: &Brain, space: &Space, scrambles: Stream) -> Self {
        let mut show = Self {
            scrambles,
            scrambled: 0,
            state: SOLVED,
            attempt: Attempt::Idle,
            made: Vec::new(),
            count: 0,
            been: Vec::new(),
            last: None,
            owed: 0.0,
            lane: brain.lane(),
            worths: vec![0.0; space.metric().turns()],
            worths_of: None,
        };
        show.scramble(space, FIRST);
        show.look(brain, space, 0);
        show
    }

    fn settle(&mut self, attempt: Attempt) {
        self.attempt = attempt;
        self.been.clear();
        self.last = None;
        self.owed = 0.0;
    }

    fn scramble(&mut self, space: &Space, length: u32) {
        (self.state, _) = scramble(turns(), self.scrambles, self.scrambled, length, space.metric());
        self.scrambled += 1;
        self.made.clear();
        self.settle(Attempt::Idle);
    }

    fn away(&mut self, space: &Space, distance: u32) -> Result<(), LabError> {
        let known = distances(space.metric());
        let Some(count) = known.counts().get(distance as usize) else {
            let farthest = space.metric().diameter();
            return Err(LabError::Command(format!(
                "{distance} turns away; the farthest states are {farthest}"
            )));
        };
        let which = self.scrambles.below(self.scrambled, 0, *count) as usize;
        self.scrambled += 1;
        let mut there = (0..STATES as State).filter(|state| known.of(*state) == distance as usize);
        self.state = there.nth(which).unwrap_or(SOLVED);
        self.made.clear();
        self.settle(Attempt::Idle);
        Ok(())
    }

    fn turn(&mut self, turn: Turn) {
        self.state = turns().after(self.state, turn);
        self.count = self.count.wrapping_add(1);
        self.made.push(turn);
        if self.made.len() > REMEMBERED {
            self.made.remove(0);
        }
    }

    /// Carries out what a visitor asked for.
    pub fn apply(&mut self, space: &Space, command: &CubeCommand) -> Result<(), LabError> {
        match command {
            CubeCommand::Turn { turns } => {
                let turns = parse_turns(turns).map_err(LabError::Command)?;
                self.settle(Attempt::Idle);
                turns.into_iter().for_each(|turn| self.turn(turn));
            }
            CubeCommand::Scramble { turns } if (1..=LONGEST).contains(turns) => self.scramble(space, *turns),
            CubeCommand::Scramble { turns } => {
                return Err(LabError::Command(format!("{turns} turns; a scramble has 1 to {LONGEST}")));
            }
            CubeCommand::Away { turns } => self.away(space, *turns)?,
            CubeCommand::Place { stickers } => {
                self.state = from_stickers(stickers).map_err(LabError::Command)?;
                self.made.clear();
                self.settle(Attempt::Idle);
            }
            CubeCommand::Solve => {
                self.made.clear();
                self.settle(if self.state == SOLVED { Attempt::Solved } else { Attempt::Solving });
                self.owed = TURN - PAUSE;
            }
            CubeCommand::Stop => self.settle(Attempt::Idle),
        }
        Ok(())
    }

    /// Lets time pass: the learner makes its next turn when it is due.
    pub fn animate(&mut self, brain: &Brain, space: &Space, seconds: f64, updates: u64) {
        if self.attempt == Attempt::Solving {
            // However long the page slept, there is nothing to catch up with.
            self.owed = (self.owed + seconds).min(2.0 * TURN);
            while self.owed >= TURN && self.attempt == Attempt::Solving {
                self.owed -= TURN;
                self.look(brain, space, updates);
                self.go_on(space);
            }
        }
        self.look(brain, space, updates);
    }

    fn go_on(&mut self, space: &Space) {
        let (last, metric) = (self.last, space.metric());
        if self.been.contains(&(self.state, last)) {
            self.attempt = Attempt::Stuck;
            return;
        }
        self.been.push((self.state, last));
        let turn = best_of(&self.worths, |turn| last.is_none_or(|last| !metric.is_redundant(last, turn)));
        self.turn(turn);
        self.last = Some(turn);
        if self.state == SOLVED {
            self.attempt = Attempt::Solved;
        }
    }

    /// Asks what each turn is worth, unless that is known.
    fn look(&mut self, brain: &Brain, space: &Space, updates: u64) {
        if self.worths_of == Some((self.state, updates)) {
            return;
        }
        self.worths_of = Some((self.state, updates));
        if brain.guesses_distances() {
            let count = self.worths.len();
            let after = (0..count.min(ROWS) as Turn).map(|turn| turns().after(self.state, turn));
            let like = after.clone().map(|state| space.state(space.node(state)));
            brain.guess(like, &mut self.lane, &mut self.worths);
            for (worth, state) in self.worths.iter_mut().zip(after) {
                *worth = if state == SOLVED { 0.0 } else { -*worth };
            }
        } else {
            self.worths.copy_from_slice(brain.say(std::iter::once(self.state), &mut self.lane));
        }
    }

    /// What can be drawn.
    pub fn view(&self, space: &Space) -> Stage {
        let distance = |state: State| distances(space.metric()).of(state) as u32;
        let all = 0..self.worths.len() as Turn;
        Stage {
            stickers: to_text(self.state),
            distance: distance(self.state),
            worths: Floats(self.worths.clone()),
            turns: all.clone().map(turn_name).collect(),
            after: all.map(|turn| distance(turns().after(self.state, turn))).collect(),
            attempt: self.attempt,
            made: self.made.iter().map(|turn| turn_name(*turn)).collect(),
            count: self.count,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::CubeConfig;
    use super::*;

    fn stage() -> (Brain, Space, Show) {
        let config = CubeConfig { hidden_1: 8, hidden_2: 0, ..CubeConfig::default() };
        let brain = Brain::new(&config, Stream::new(2, 2));
        let space = Space::new(config.metric.rules(), config.by_class());
        let show = Show::new(&brain, &space, Stream::new(2, 3));
        (brain, space, show)
    }

    #[test]
    fn a_visitor_turns_and_the_learner_solves() {
        let (brain, space, mut show) = stage();
        let ask = |show: &mut Show, command| show.apply(&space, &command);
        ask(&mut show, CubeCommand::Place { stickers: to_text(SOLVED) }).expect("it is a cube");
        ask(&mut show, CubeCommand::Turn { turns: "R L' D2".into() }).expect("they are turns");
        let view = show.view(&space);
        assert_eq!((view.made.join(" "), view.count), ("R R' U2".into(), 3));
        assert_eq!(view.distance, 2);

        // Any network solves what is one turn away, or gets stuck in the end.
        ask(&mut show, CubeCommand::Scramble { turns: 3 }).expect("it is short enough");
        ask(&mut show, CubeCommand::Solve).expect("it can be tried");
        for _ in 0..100_000 {
            show.animate(&brain, &space, 0.5, 1);
        }
        assert!(matches!(show.attempt, Attempt::Solved | Attempt::Stuck));
        assert!(show.made.len() <= REMEMBERED);
    }

    /// A state at each distance, another one each time; after each turn it is a turn nearer or farther.
    #[test]
    fn a_visitor_asks_for_a_state_so_far_away() {
        let (_, space, mut show) = stage();
        let mut seen = std::collections::BTreeSet::new();
        for distance in (0..=14).chain([11; 10]) {
            show.apply(&space, &CubeCommand::Away { turns: distance }).expect("there are such states");
            let view = show.view(&space);
            assert_eq!((view.distance, view.made.len()), (distance, 0));
            assert!(view.after.iter().all(|after| after.abs_diff(distance) == 1));
            assert_eq!(view.after.iter().any(|after| *after < distance), distance > 0);
            seen.insert(view.stickers);
        }
        assert_eq!(seen.len(), 25, "hardly ever the same one twice");
    }

    #[test]
    fn what_cannot_be_is_refused_and_changes_nothing() {
        let (_, space, mut show) = stage();
        let before = show.view(&space).stickers;
        for command in [
            CubeCommand::Turn { turns: "R Q".into() },
            CubeCommand::Scramble { turns: 0 },
            CubeCommand::Scramble { turns: 101 },
            CubeCommand::Away { turns: 15 },
            CubeCommand::Place { stickers: "UUU".into() },
        ] {
            assert!(show.apply(&space, &command).is_err());
            assert_eq!(show.view(&space).stickers, before);
        }
    }
}
