//! The board apart from training: the learner against itself or against a visitor, with what it thinks of every play.
//! None of this is saved and none of it touches what is learned.

use learnery_kernels::rng::Stream;
use learnery_lab::{Floats, LabError};
use learnery_nn::Weights;
use learnery_worlds::backgammon::{Board, Dice, Move, Plays, moves, notation};

use super::network::{Network, Work};
use super::outcomes::Outcomes;
use super::view::{BackgammonCommand, Candidate, Table, Turn};

/// Seconds before a throw, before a play, and after the end of a game.
const BEFORE_THROW: f64 = 0.4;
const BEFORE_PLAY: f64 = 0.9;
const AFTER_END: f64 = 2.5;

/// The game that is shown.
pub struct Show {
    dice: Stream,
    visitor: bool,
    game: u32,
    version: u32,
    /// Where the present turn began, seen from the side whose turn it is.
    board: Board,
    /// Whether that is the lower player.
    lower_turn: bool,
    thrown: Option<Dice>,
    plays: Vec<Candidate>,
    /// What the present position is worth to the lower player.
    chances: Outcomes,
    past: Vec<Past>,
    /// Seconds since something happened.
    waited: f64,
    /// The network that the chances are from.
    seen: u64,
    list: Plays,
    work: Work,
    values: Vec<Outcomes>,
}

/// A turn and how to take it back.
struct Past {
    turn: Turn,
    board: Board,
    /// What the lower player had before it.
    chances: Outcomes,
}

/// Who looks at the board, and how often it has changed its mind.
#[derive(Clone, Copy)]
pub struct Mind<'a> {
    /// The plan of its network.
    pub network: &'a Network,
    /// What it knows.
    pub weights: &'a Weights,
    /// Rounds of learning behind it.
    pub rounds: u64,
}

impl Show {
    /// A first game against itself.
    pub fn new(mind: Mind, dice: Stream) -> Self {
        let mut show = Self {
            dice,
            visitor: false,
            game: 0,
            version: 0,
            board: Board::START,
            lower_turn: true,
            thrown: None,
            plays: Vec::new(),
            chances: Outcomes::default(),
            past: Vec::new(),
            waited: 0.0,
            seen: mind.rounds,
            list: Plays::new(),
            work: mind.network.work(),
            values: Vec::new(),
        };
        show.begin(mind, false);
        show
    }

    /// Carries out a visitor's command.
    pub fn apply(&mut self, mind: Mind, command: BackgammonCommand) -> Result<(), LabError> {
        let refused = |why: &str| Err(LabError::Command(why.into()));
        match command {
            BackgammonCommand::NewGame { play } => {
                self.game += 1;
                self.begin(mind, play);
                Ok(())
            }
            BackgammonCommand::Undo => {
                let Some(last) = self.past.iter().rposition(|past| past.turn.lower && self.visitor) else {
                    return refused("there is no play of yours to take back");
                };
                self.take_back(mind, last);
                Ok(())
            }
            BackgammonCommand::Roll | BackgammonCommand::Play { .. } if self.over() => {
                refused("the game is over")
            }
            BackgammonCommand::Roll | BackgammonCommand::Play { .. } if !self.visitors_turn() => {
                refused("it is not your turn")
            }
            BackgammonCommand::Roll if self.thrown.is_some() => refused("the dice are thrown already"),
            BackgammonCommand::Roll => {
                self.throw(mind);
                Ok(())
            }
            BackgammonCommand::Play { .. } if self.thrown.is_none() => refused("the dice come first"),
            BackgammonCommand::Play { to } => {
                let Some(play) = self.plays.iter().position(|play| play.to == to) else {
                    let words = format!("no play of this throw leads to `{to}`");
                    return Err(LabError::Command(words));
                };
                self.play(mind, play);
                Ok(())
            }
        }
    }

    /// Lets `seconds` pass.
    pub fn animate(&mut self, mind: Mind, seconds: f64) {
        self.waited += seconds;
        if mind.rounds != self.seen {
            self.think(mind);
        }
        if self.over() {
            if !self.visitor && self.waited >= AFTER_END {
                self.game += 1;
                self.begin(mind, false);
            }
        } else if self.thrown.is_none() {
            if !self.visitors_turn() && self.waited >= BEFORE_THROW {
                self.throw(mind);
            }
        } else if self.waited >= BEFORE_PLAY && (!self.visitors_turn() || self.must_pass()) {
            self.play(mind, 0);
        }
    }

    /// Whether it waits for the visitor.
    fn visitors_turn(&self) -> bool {
        self.visitor && self.lower_turn
    }

    /// Whether nothing can be moved.
    fn must_pass(&self) -> bool {
        matches!(&self.plays[..], [only] if only.moves.is_empty())
    }

    fn over(&self) -> bool {
        self.board.lost().is_some()
    }

    fn begin(&mut self, mind: Mind, visitor: bool) {
        self.visitor = visitor;
        self.board = Board::START;
        // Whoever threw the higher die begins, with both.
        self.lower_turn = self.dice.block(u64::from(self.game), u64::MAX)[0] & 1 == 0;
        self.past.clear();
        self.next_turn(mind);
        if self.visitors_turn() {
            self.throw(mind);
        }
    }

    /// What follows a play, a game's begin, or a play that was taken back.
    fn next_turn(&mut self, mind: Mind) {
        self.thrown = None;
        self.plays.clear();
        self.waited = 0.0;
        self.version += 1;
        self.think(mind);
    }

    fn throw(&mut self, mind: Mind) {
        self.thrown = Some(Dice::of_turn(self.dice, u64::from(self.game), self.past.len() as u64));
        self.waited = 0.0;
        self.version += 1;
        self.think(mind);
    }

    /// Makes play `i` of the list.
    fn play(&mut self, mind: Mind, i: usize) {
        let (Some(dice), Some(play)) = (self.thrown, self.plays.get(i)) else { return };
        let Ok(after) = Board::from_position_id(&play.to) else { return };
        let best = &self.plays[0];
        let turn = Turn {
            lower: self.lower_turn,
            dice: [dice.high(), dice.low()],
            notation: play.notation.clone(),
            best: (i > 0).then(|| best.notation.clone()),
            cost: best.equity - play.equity,
        };
        self.past.push(Past { turn, board: self.board, chances: self.chances });
        self.board = after;
        self.lower_turn = !self.lower_turn;
        self.next_turn(mind);
    }

    /// Goes back to where turn `i` was to be played, with its throw.
    fn take_back(&mut self, mind: Mind, i: usize) {
        let past = self.past.swap_remove(i);
        self.past.truncate(i);
        self.board = past.board;
        self.lower_turn = past.turn.lower;
        self.next_turn(mind);
        self.throw(mind);
    }

    /// What the learner makes of the present position and of every play.
    fn think(&mut self, mind: Mind) {
        let Mind { network, weights, rounds } = mind;
        self.seen = rounds;
        let lower = |value: Outcomes, theirs: bool| if theirs { value } else { value.flipped() };
        self.chances = lower(network.value(weights, &self.board, &mut self.work), self.lower_turn);
        let Some(dice) = self.thrown else { return };
        self.list.find(&self.board, dice);
        network.plays(weights, &self.board, &self.list, &mut self.work, &mut self.values);
        if self.plays.len() == self.list.len() {
            // The same throw as before, seen with other eyes.
            for (after, value) in self.list.iter().zip(&self.values) {
                let id = after.position_id();
                if let Some(play) = self.plays.iter_mut().find(|play| play.to == id) {
                    (play.equity, play.chances) = (value.flipped().equity(), value.flipped().0);
                }
            }
        } else {
            let told =
                |(after, value): (Board, &Outcomes)| candidate(&self.board, dice, &after, value.flipped());
            self.plays = self.list.iter().zip(&self.values).map(told).collect();
        }
        // Equal ones in the order in which they are found.
        self.plays.sort_by(|a, b| b.equity.total_cmp(&a.equity));
    }

    /// The board as it stands.
    pub fn table(&self) -> Table {
        let (own, other) = (self.board.own_places(), self.board.other_places());
        let (own_pips, other_pips) = (self.board.own_pips(), self.board.other_pips());
        let (lower, upper) = if self.lower_turn { (own, other) } else { (other, own) };
        let pips = if self.lower_turn { [own_pips, other_pips] } else { [other_pips, own_pips] };
        let points = |win: learnery_worlds::backgammon::Win| {
            // Who is on roll has lost.
            if self.lower_turn { -win.points() } else { win.points() }
        };
        let cost = |lower| self.past.iter().filter(|p| p.turn.lower == lower).map(|p| p.turn.cost).sum();
        let mut equities: Vec<f32> = self.past.iter().map(|past| past.chances.equity()).collect();
        equities.push(self.chances.equity());
        Table {
            visitor: self.visitor,
            game: self.game,
            version: self.version,
            lower,
            upper,
            pips,
            lower_turn: self.lower_turn,
            dice: self.thrown.map(|dice| [dice.high(), dice.low()]),
            position: self.board.position_id(),
            won: self.board.lost().map(points),
            chances: self.chances.0,
            equity: self.chances.equity(),
            plays: self.plays.clone(),
            turns: self.past.iter().map(|past| past.turn.clone()).collect(),
            equities: Floats(equities),
            lower_cost: cost(true),
            upper_cost: cost(false),
        }
    }
}

fn candidate(board: &Board, dice: Dice, after: &Board, value: Outcomes) -> Candidate {
    let moves = moves(board, dice, after).unwrap_or_default();
    let told = |m: &Move| [m.from, m.to, u8::from(m.hit)];
    Candidate {
        to: after.position_id(),
        notation: notation(&moves),
        moves: moves.iter().map(told).collect(),
        equity: value.equity(),
        chances: value.0,
    }
}

#[cfg(test)]
mod tests {
    use super::super::network::Shape;
    use super::*;

    fn mind() -> (Network, Weights) {
        let (network, layout) = Network::new(Shape { contact: [8, 4], race: [8, 4] });
        let mut weights = Weights::new(layout);
        weights.update(|params| network.init(params, Stream::new(1, 0)));
        (network, weights)
    }

    #[test]
    fn it_plays_game_after_game_against_itself() {
        let (network, weights) = mind();
        let mind = Mind { network: &network, weights: &weights, rounds: 0 };
        let mut show = Show::new(mind, Stream::new(1, 0));
        let mut ended = 0;
        for _ in 0..4000 {
            show.animate(mind, 0.5);
            let table = show.table();
            assert_eq!(table.equities.0.len(), table.turns.len() + 1);
            if let Some(points) = table.won {
                assert!((1..=3).contains(&points.abs()), "{points}");
                assert!((table.equity - points as f32).abs() < 1e-5, "{} {points}", table.equity);
                ended += 1;
            }
        }
        assert!(ended > 5 && show.table().game > 2, "{ended} {}", show.table().game);
    }

    #[test]
    fn a_visitor_rolls_plays_and_takes_back() {
        let (network, weights) = mind();
        let mind = Mind { network: &network, weights: &weights, rounds: 0 };
        let mut show = Show::new(mind, Stream::new(2, 0));
        let mut act = |show: &mut Show, command| show.apply(mind, command).map_err(|e| e.to_string());
        let refusal = |result: Result<(), String>, words: &str| {
            assert!(result.as_ref().is_err_and(|e| e.contains(words)), "{result:?}");
        };
        refusal(act(&mut show, BackgammonCommand::Roll), "not your turn");
        refusal(act(&mut show, BackgammonCommand::Undo), "no play of yours");
        act(&mut show, BackgammonCommand::NewGame { play: true }).expect("a game can begin");
        let mut played = 0;
        for _ in 0..600 {
            show.animate(mind, 1.0);
            let table = show.table();
            if table.won.is_some() {
                break;
            }
            if !table.lower_turn {
                continue;
            }
            if table.dice.is_none() {
                refusal(act(&mut show, BackgammonCommand::Play { to: String::new() }), "dice come first");
                act(&mut show, BackgammonCommand::Roll).expect("it may roll");
            }
            refusal(act(&mut show, BackgammonCommand::Roll), "thrown already");
            refusal(act(&mut show, BackgammonCommand::Play { to: "x".into() }), "no play of this throw");
            let (before, worst) = (show.table(), show.table().plays.len() - 1);
            let to = before.plays[worst].to.clone();
            act(&mut show, BackgammonCommand::Play { to: to.clone() }).expect("it is legal");
            let turn = show.table().turns.last().cloned().expect("a turn");
            let cost = before.plays[0].equity - before.plays[worst].equity;
            assert!(turn.lower && (turn.cost - cost).abs() < 1e-6 && turn.cost >= 0.0);
            if played < 20 {
                // Taken back, the same throw can be played once more.
                show.animate(mind, 1.0);
                act(&mut show, BackgammonCommand::Undo).expect("a play of its own");
                let again = show.table();
                assert_eq!((again.position.as_str(), again.dice), (before.position.as_str(), before.dice));
                assert_eq!(again.turns.len(), before.turns.len());
                act(&mut show, BackgammonCommand::Play { to }).expect("it is legal still");
            }
            played += 1;
        }
        assert!(played > 8 && show.table().won.is_some(), "{played} turns");
        refusal(act(&mut show, BackgammonCommand::Roll), "over");
    }
}
