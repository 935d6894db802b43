//! The stage: one cube on the page that the user turns and the agent solves. It is no part of training and is
//! not saved.

use learnery_kernels::rng::Stream;
use learnery_lab::{Floats, LabError};
use learnery_worlds::cube::{
    SOLVED, STATES, State, Turn, distances, from_stickers, parse_turns, to_text, turn_name, turns,
};

use crate::small::network::{Network, Scratch};
use crate::small::policy::greedy_turn;
use crate::small::scramble::scramble;
use crate::small::state_space::StateSpace;
use crate::view::{Attempt, CubeCommand, StageView};

/// Seconds between two turns of the agent.
const SECONDS_PER_TURN: f64 = 0.4;
/// Seconds before the agent's first turn.
const SECONDS_BEFORE_FIRST_TURN: f64 = 0.6;
/// Upper bound of the length of a scramble that the user requests.
const MAX_SCRAMBLE: u32 = 100;
/// Upper bound of the number of turns sent to the page. It gets all of them with each picture.
const MAX_SENT_TURNS: usize = 200;
/// The length of the scramble that the stage opens with: an agent that has learned little can solve it.
const OPENING_SCRAMBLE: u32 = 4;

pub struct Stage {
    scrambles: Stream,
    /// The next unused index of `scrambles`.
    next_index: u64,
    state: State,
    attempt: Attempt,
    /// The last [`MAX_SENT_TURNS`] turns since the cube was scrambled, placed or given to the agent.
    made: Vec<Turn>,
    /// Number of turns ever made on the stage.
    turn_count: u32,
    /// The states of the agent's attempt, each with the turn that led to it. The greedy turn depends on both,
    /// so an agent that comes to the same pair again goes in circles, unless training changes the network
    /// meanwhile.
    visited: Vec<(State, Option<Turn>)>,
    /// The last turn of the agent's attempt.
    last_turn: Option<Turn>,
    /// Seconds counted towards the agent's next turn. They begin below zero, because the first turn is due
    /// later than the others.
    time_to_turn: f64,
    scratch: Scratch,
    /// The agent's score of each turn in the current state; higher is better.
    /// Shape: `[turns]`.
    scores: Vec<f32>,
    /// The state and the number of updates that `scores` belong to.
    scores_of: Option<(State, u64)>,
}

impl Stage {
    pub fn new(network: &Network, space: &StateSpace, scrambles: Stream) -> Self {
        let mut stage = Self {
            scrambles,
            next_index: 0,
            state: SOLVED,
            attempt: Attempt::Idle,
            made: Vec::new(),
            turn_count: 0,
            visited: Vec::new(),
            last_turn: None,
            time_to_turn: 0.0,
            scratch: network.scratch(),
            scores: vec![0.0; space.metric().turns()],
            scores_of: None,
        };
        stage.scramble(space, OPENING_SCRAMBLE);
        stage.update_scores(network, space, 0);
        stage
    }

    /// Discards the agent's attempt and sets the state of the next one.
    fn set_attempt(&mut self, attempt: Attempt) {
        self.attempt = attempt;
        self.visited.clear();
        self.last_turn = None;
        self.time_to_turn = 0.0;
    }

    fn scramble(&mut self, space: &StateSpace, length: u32) {
        (self.state, _) = scramble(turns(), self.scrambles, self.next_index, length, space.metric());
        self.next_index += 1;
        self.made.clear();
        self.set_attempt(Attempt::Idle);
    }

    /// Puts the cube in a random state at a distance from solved.
    fn place_at_distance(&mut self, space: &StateSpace, distance: u32) -> Result<(), LabError> {
        let known = distances(space.metric());
        let Some(count) = known.counts().get(distance as usize) else {
            let farthest = space.metric().diameter();
            return Err(LabError::Command(format!(
                "no state is {distance} turns from solved; the farthest states are {farthest}"
            )));
        };
        let index = self.scrambles.below(self.next_index, 0, *count) as usize;
        self.next_index += 1;
        let mut states = (0..STATES as State).filter(|state| known.of(*state) == distance as usize);
        self.state = states.nth(index).unwrap_or(SOLVED);
        self.made.clear();
        self.set_attempt(Attempt::Idle);
        Ok(())
    }

    fn turn(&mut self, turn: Turn) {
        self.state = turns().after(self.state, turn);
        self.turn_count = self.turn_count.wrapping_add(1);
        self.made.push(turn);
        if self.made.len() > MAX_SENT_TURNS {
            self.made.remove(0);
        }
    }

    /// Executes a command of the user. A command that is rejected changes nothing.
    pub fn apply(&mut self, space: &StateSpace, command: &CubeCommand) -> Result<(), LabError> {
        match command {
            CubeCommand::Turn { turns } => {
                let turns = parse_turns(turns).map_err(LabError::Command)?;
                self.set_attempt(Attempt::Idle);
                turns.into_iter().for_each(|turn| self.turn(turn));
            }
            CubeCommand::Scramble { turns } if (1..=MAX_SCRAMBLE).contains(turns) => {
                self.scramble(space, *turns);
            }
            CubeCommand::Scramble { turns } => {
                return Err(LabError::Command(format!("{turns} turns; a scramble has 1 to {MAX_SCRAMBLE}")));
            }
            CubeCommand::Away { turns } => self.place_at_distance(space, *turns)?,
            CubeCommand::Place { stickers } => {
                self.state = from_stickers(stickers).map_err(LabError::Command)?;
                self.made.clear();
                self.set_attempt(Attempt::Idle);
            }
            CubeCommand::Solve => {
                self.made.clear();
                self.set_attempt(if self.state == SOLVED { Attempt::Solved } else { Attempt::Solving });
                // A negative time, because the first turn is due later than the others.
                self.time_to_turn = SECONDS_PER_TURN - SECONDS_BEFORE_FIRST_TURN;
            }
            CubeCommand::Stop => self.set_attempt(Attempt::Idle),
        }
        Ok(())
    }

    /// Advances time by `seconds`: makes the agent's next turn if it is due, and updates the scores.
    /// `updates` counts the updates of the network.
    pub fn animate(&mut self, network: &Network, space: &StateSpace, seconds: f64, updates: u64) {
        if self.attempt == Attempt::Solving {
            // After a long pause, as in a hidden tab, the agent makes at most two turns at once.
            self.time_to_turn = (self.time_to_turn + seconds).min(2.0 * SECONDS_PER_TURN);
            while self.time_to_turn >= SECONDS_PER_TURN && self.attempt == Attempt::Solving {
                self.time_to_turn -= SECONDS_PER_TURN;
                self.update_scores(network, space, updates);
                self.make_greedy_turn(space);
            }
        }
        self.update_scores(network, space, updates);
    }

    /// Makes the best turn, or gives up if the agent goes in circles.
    fn make_greedy_turn(&mut self, space: &StateSpace) {
        let last = self.last_turn;
        if self.visited.contains(&(self.state, last)) {
            self.attempt = Attempt::Stuck;
            return;
        }
        self.visited.push((self.state, last));
        let turn = greedy_turn(&self.scores, last, space.metric());
        self.turn(turn);
        self.last_turn = Some(turn);
        if self.state == SOLVED {
            self.attempt = Attempt::Solved;
        }
    }

    /// Scores the turns of the current state, unless the scores are up to date.
    fn update_scores(&mut self, network: &Network, space: &StateSpace, updates: u64) {
        if self.scores_of == Some((self.state, updates)) {
            return;
        }
        self.scores_of = Some((self.state, updates));
        if network.predicts_distance() {
            let after = (0..self.scores.len() as Turn).map(|turn| turns().after(self.state, turn));
            // The network knows one state of each symmetry class. The distance of the solved state is known.
            let representatives = after.clone().map(|state| space.state(space.node(state)));
            network.estimate_distances(representatives, &mut self.scratch, &mut self.scores);
            for (score, state) in self.scores.iter_mut().zip(after) {
                *score = if state == SOLVED { 0.0 } else { -*score };
            }
        } else {
            self.scores.copy_from_slice(network.infer(std::iter::once(self.state), &mut self.scratch));
        }
    }

    pub fn view(&self, space: &StateSpace) -> StageView {
        let distance = |state: State| distances(space.metric()).of(state) as u32;
        let all = 0..self.scores.len() as Turn;
        StageView {
            stickers: to_text(self.state),
            distance: distance(self.state),
            scores: Floats(self.scores.clone()),
            turns: all.clone().map(turn_name).collect(),
            after: all.map(|turn| distance(turns().after(self.state, turn))).collect(),
            attempt: self.attempt,
            made: self.made.iter().map(|turn| turn_name(*turn)).collect(),
            count: self.turn_count,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::CubeConfig;

    fn stage() -> (Network, StateSpace, Stage) {
        let config = CubeConfig { hidden_1: 8, hidden_2: 0, ..CubeConfig::default() };
        let network = Network::new(&config, Stream::new(2, 2));
        let space = StateSpace::new(config.metric.to_rules(), config.uses_symmetry());
        let stage = Stage::new(&network, &space, Stream::new(2, 3));
        (network, space, stage)
    }

    #[test]
    fn cube_is_turned_by_the_user_and_solved_by_the_agent() {
        let (network, space, mut stage) = stage();
        let apply = |stage: &mut Stage, command| stage.apply(&space, &command);
        apply(&mut stage, CubeCommand::Place { stickers: to_text(SOLVED) }).expect("it is a cube");
        apply(&mut stage, CubeCommand::Turn { turns: "R L' D2".into() }).expect("they are turns");
        let view = stage.view(&space);
        // The corner down, back and left never moves, so turns of L and D become turns of R and U.
        assert_eq!((view.made.join(" "), view.count), ("R R' U2".into(), 3));
        assert_eq!(view.distance, 2);

        // An untrained network also solves the cube or repeats a state in the end.
        apply(&mut stage, CubeCommand::Scramble { turns: 3 }).expect("it is short enough");
        apply(&mut stage, CubeCommand::Solve).expect("it can be tried");
        for _ in 0..100_000 {
            stage.animate(&network, &space, 0.5, 1);
        }
        assert!(matches!(stage.attempt, Attempt::Solved | Attempt::Stuck));
        assert!(stage.made.len() <= MAX_SENT_TURNS);
    }

    /// The stage also shows the distance after each turn. Requests draw states anew, with this seed 25
    /// different ones.
    #[test]
    fn away_places_the_cube_at_the_requested_distance() {
        let (_, space, mut stage) = stage();
        let mut seen = std::collections::BTreeSet::new();
        for distance in (0..=14).chain([11; 10]) {
            stage.apply(&space, &CubeCommand::Away { turns: distance }).expect("there are such states");
            let view = stage.view(&space);
            assert_eq!((view.distance, view.made.len()), (distance, 0));
            assert!(view.after.iter().all(|after| after.abs_diff(distance) == 1));
            assert_eq!(view.after.iter().any(|after| *after < distance), distance > 0);
            seen.insert(view.stickers);
        }
        // 15 distances, and distance 11 ten more times.
        assert_eq!(seen.len(), 25, "a state came up twice");
    }

    #[test]
    fn impossible_commands_are_refused_and_change_nothing() {
        let (_, space, mut stage) = stage();
        let before = stage.view(&space).stickers;
        for command in [
            CubeCommand::Turn { turns: "R Q".into() },
            CubeCommand::Scramble { turns: 0 },
            CubeCommand::Scramble { turns: 101 },
            CubeCommand::Away { turns: 15 },
            CubeCommand::Place { stickers: "UUU".into() },
        ] {
            assert!(stage.apply(&space, &command).is_err());
            assert_eq!(stage.view(&space).stickers, before);
        }
    }
}
