//! The stage: a game apart from training that a visitor watches or plays, with the network's value of every play. It is
//! neither saved nor learned from.

mod background_search;
mod invited_player;
mod stage_view;

use learnery_kernels::rng::Stream;
use learnery_lab::{Floats, LabError};
use learnery_search::Turn;
use learnery_worlds::backgammon::{BAR, Board, Dice, Plays, moves, notation, playable_moves, turn_graph};

use crate::outcomes::Outcomes;
use crate::players::{NetworkRef, TrainedNetwork};
use crate::view::{BackgammonCommand, Candidate, PlayedTurn, Players, TurnReview};
use background_search::BackgroundSearch;
use stage_view::{candidate, flat_moves};

/// Seconds for which a turn of the agent is shown before it is played, unless the visitor sets it otherwise.
const DEFAULT_TEMPO: f64 = 1.6;
const MAX_TEMPO: f64 = 60.0;
/// A finished game is shown for the time of so many turns.
const TURNS_AFTER_END: f64 = 2.5;
const MAX_CANDIDATES: usize = 8;
const SOUTH: u8 = 0;

/// The game that is shown.
pub struct Stage {
    dice_stream: Stream,
    players: Players,
    invited: Option<TrainedNetwork>,
    /// Number of the game; it selects the dice.
    game: u32,
    /// The side that began.
    first: u8,
    /// The board at the start of the turn, seen from the side whose turn it is.
    board: Board,
    side: u8,
    /// The roll to be played; none once the game is over.
    dice: Option<Dice>,
    /// All plays of the roll with their values for the side that makes them, best first.
    plays: Vec<(Board, Outcomes)>,
    candidates: Vec<Candidate>,
    /// The graph of the visitor's legal moves, see `StageView::steps`.
    steps: Floats,
    /// South's value of the roll, played best; or the result of the game.
    outlook: Outcomes,
    past: Vec<PastTurn>,
    /// A line for each past turn: dice and play.
    record: String,
    last: Option<PlayedTurn>,
    review: Option<TurnReview>,
    score: [u32; 2],
    tempo: f64,
    /// Seconds since the turn began.
    waited: f64,
    /// Version of the network that gave the present values.
    version: u64,
    /// None before time passes for the first time.
    search: Option<BackgroundSearch>,
    // Buffers.
    list: Plays,
    values: Vec<Outcomes>,
}

/// A turn that was played, with all that is needed to undo it.
struct PastTurn {
    board: Board,
    side: u8,
    /// Where its line begins in the record.
    line: usize,
    equity: f32,
    cost: f32,
}

/// A network, its weights and their version.
#[derive(Clone, Copy)]
pub struct StageNetwork<'a> {
    pub network: NetworkRef<'a>,
    /// Changes with the weights.
    pub version: u64,
}

impl Stage {
    /// The learner's first game against itself.
    pub fn new(learner: StageNetwork, dice_stream: Stream) -> Self {
        let mut stage = Self {
            dice_stream,
            players: Players::Watch,
            invited: None,
            game: 0,
            first: SOUTH,
            board: Board::START,
            side: SOUTH,
            dice: None,
            plays: Vec::new(),
            candidates: Vec::new(),
            steps: Floats::default(),
            outlook: Outcomes::default(),
            past: Vec::new(),
            record: String::new(),
            last: None,
            review: None,
            score: [0; 2],
            tempo: DEFAULT_TEMPO,
            waited: 0.0,
            version: 0,
            search: None,
            list: Plays::new(),
            values: Vec::new(),
        };
        stage.begin_game(learner);
        stage
    }

    /// Carries out a visitor's command.
    pub fn apply(&mut self, learner: StageNetwork, command: BackgammonCommand) -> Result<(), LabError> {
        let refused = |why: &str| Err(LabError::Command(why.into()));
        match command {
            BackgammonCommand::NewGame { players: Players::Expert } if self.invited.is_none() => {
                return refused("no trained player has been invited yet");
            }
            BackgammonCommand::NewGame { players } => {
                if players != self.players {
                    self.score = [0; 2];
                }
                self.players = players;
                self.game += 1;
                // The network that searches may be another one now.
                self.search = None;
                self.begin_game(learner);
            }
            BackgammonCommand::Play { .. } if !self.awaits() => return refused("it is not your turn"),
            BackgammonCommand::Play { turn, .. } if turn as usize != self.past.len() => {
                return refused("that turn is already played");
            }
            BackgammonCommand::Play { steps, .. } => {
                let after = self.board_after(&steps);
                let play = after.and_then(|after| self.plays.iter().position(|play| play.0 == after));
                let Some(play) = play else {
                    return refused("these moves are not a legal play of this roll");
                };
                self.play(learner, play);
            }
            BackgammonCommand::Undo => {
                let own = |past: &PastTurn| past.side == SOUTH && self.players != Players::Watch;
                let Some(last) = self.past.iter().rposition(own) else {
                    return refused("there is no turn of yours to undo");
                };
                self.undo(learner, last);
            }
            BackgammonCommand::Tempo { seconds } if (0.0..=MAX_TEMPO).contains(&seconds) => {
                self.tempo = seconds;
            }
            BackgammonCommand::Tempo { seconds } => {
                let sentence = format!("a turn of {seconds} seconds; expected 0 to {MAX_TEMPO}");
                return Err(LabError::Command(sentence));
            }
            BackgammonCommand::Next if self.awaits() => return refused("it is your turn"),
            BackgammonCommand::Next => self.advance(learner),
            BackgammonCommand::Invite { checkpoint } => {
                self.invited = Some(invited_player::read(&checkpoint)?);
                self.search = None;
            }
        }
        Ok(())
    }

    /// Lets `seconds` pass.
    pub fn animate(&mut self, learner: StageNetwork, seconds: f64) {
        if self.players != Players::Expert && learner.version != self.version {
            self.evaluate(learner);
        }
        if self.tempo > 0.0 {
            self.waited += seconds;
            let over = self.dice.is_none();
            let shown = if over { TURNS_AFTER_END * self.tempo } else { self.tempo };
            if self.waited >= shown && !self.awaits() && (!over || self.players == Players::Watch) {
                self.advance(learner);
            }
        }
        self.search_further(learner);
    }

    fn search_further(&mut self, learner: StageNetwork) {
        let Some(dice) = self.dice else { return };
        let network = playing_network(self.players, &self.invited, learner);
        let search = self.search.get_or_insert_with(|| BackgroundSearch::new(network));
        search.step(network, Turn { board: self.board, dice });
    }

    /// Whether the visitor is to move.
    fn awaits(&self) -> bool {
        let own = self.players != Players::Watch && self.side == SOUTH;
        own && self.dice.is_some_and(|dice| playable_moves(&self.board, dice) > 0)
    }

    /// Makes the best play, or begins the next game.
    fn advance(&mut self, learner: StageNetwork) {
        if self.dice.is_some() {
            self.play(learner, 0);
        } else {
            self.game += 1;
            self.begin_game(learner);
        }
    }

    fn begin_game(&mut self, learner: StageNetwork) {
        self.board = Board::START;
        // The side with the higher opening die begins, which is either with probability one half.
        self.side = (self.dice_stream.block(u64::from(self.game), u64::MAX)[0] & 1) as u8;
        self.first = self.side;
        self.past.clear();
        self.record.clear();
        self.last = None;
        self.review = None;
        self.begin_turn(learner);
    }

    /// Rolls the dice, unless the game is over, and evaluates the plays.
    fn begin_turn(&mut self, learner: StageNetwork) {
        let dice = Dice::for_turn(self.dice_stream, u64::from(self.game), self.past.len() as u64);
        self.dice = (self.board.other_won().is_none()).then_some(dice);
        self.waited = 0.0;
        let graph = if self.awaits() { turn_graph(&self.board, dice) } else { Vec::new() };
        let numbers = graph.iter().flat_map(|step| {
            [step.node, u16::from(step.from), u16::from(step.to), u16::from(step.hit), step.next]
                .map(f32::from)
        });
        self.steps = Floats(numbers.collect());
        self.evaluate(learner);
    }

    /// The board after moves on the visitor's places, whether they are legal or not.
    fn board_after(&self, steps: &[[u8; 2]]) -> Option<Board> {
        let (mut own, mut other) = (self.board.own_places(), self.board.other_places());
        for [from, to] in steps.iter().map(|step| step.map(usize::from)) {
            let leaves = own.get(from).is_some_and(|n| *n > 0) && to < from;
            if !leaves {
                return None;
            }
            own[from] -= 1;
            own[to] += 1;
            let hit = if to == 0 { 0 } else { std::mem::take(&mut other[BAR - to]) };
            other[BAR] += hit;
        }
        Board::new(&other, &own).ok()
    }

    /// Makes play `i` of the list.
    fn play(&mut self, learner: StageNetwork, i: usize) {
        let (Some(dice), Some((after, value))) = (self.dice, self.plays.get(i).copied()) else { return };
        let best = self.plays[0].1.equity();
        let own_moves = moves(&self.board, dice, &after).unwrap_or_default();
        let own_notation = notation(&own_moves);
        let cost = best - value.equity();
        if self.awaits() {
            let Candidate { notation, moves, .. } = self.candidates[0].clone();
            self.review = Some(TurnReview {
                turn: self.past.len() as u32,
                played: own_notation.clone(),
                equity: value.equity(),
                best: notation,
                best_equity: best,
                best_moves: moves,
                cost,
                rank: i as u32 + 1,
                of: self.plays.len() as u32,
            });
        }
        let line = self.record.len();
        let equity = self.outlook.equity();
        self.past.push(PastTurn { board: self.board, side: self.side, line, equity, cost });
        if line > 0 {
            self.record.push('\n');
        }
        self.record.extend([dice.high(), dice.low()].map(|number| char::from(b'0' + number)));
        self.record.push(' ');
        self.record.push_str(&own_notation);
        let dice = [dice.high(), dice.low()];
        self.last = Some(PlayedTurn { side: self.side, dice, moves: flat_moves(&own_moves) });
        self.board = after;
        self.side = 1 - self.side;
        self.begin_turn(learner);
        let result = self.result();
        if result != 0 {
            self.score[usize::from(result < 0)] += u32::from(result.unsigned_abs());
        }
    }

    /// Goes back to the start of turn `i`, with its roll.
    fn undo(&mut self, learner: StageNetwork, i: usize) {
        let result = self.result();
        if result != 0 {
            self.score[usize::from(result < 0)] -= u32::from(result.unsigned_abs());
        }
        let past = self.past.swap_remove(i);
        self.past.truncate(i);
        self.record.truncate(past.line);
        (self.board, self.side) = (past.board, past.side);
        self.last = None;
        self.review = None;
        self.begin_turn(learner);
    }

    /// South's points of a finished game, else 0.
    fn result(&self) -> i8 {
        // The side on roll has lost.
        let sign = if self.side == SOUTH { -1 } else { 1 };
        self.board.other_won().map_or(0, |win| sign * win.points() as i8)
    }

    /// Values the roll and every play of it; if the game is over, its result.
    fn evaluate(&mut self, learner: StageNetwork) {
        let StageNetwork { network, version } = playing_network(self.players, &self.invited, learner);
        self.version = version;
        let own = self.side == SOUTH;
        let south = |value: Outcomes| if own { value } else { value.flipped() };
        self.plays.clear();
        self.candidates.clear();
        let Some(dice) = self.dice else {
            self.outlook = self.board.other_won().map_or(self.outlook, |win| south(Outcomes::lost(win)));
            return;
        };
        self.list.find(&self.board, dice);
        let (mut evaluator, weights) = (network.evaluator(), network.weights());
        evaluator.values_of_plays(weights, &self.board, &self.list, &mut self.values);
        self.plays.extend(self.list.iter().zip(self.values.iter().map(Outcomes::flipped)));
        // A stable sort: plays of equal value keep their order, as in `best_play`.
        self.plays.sort_by(|a, b| b.1.equity().total_cmp(&a.1.equity()));
        self.outlook = south(self.plays[0].1);
        if playable_moves(&self.board, dice) > 0 {
            let best = self.plays.iter().take(MAX_CANDIDATES);
            let best = best.map(|(after, value)| candidate(&self.board, dice, after, value));
            self.candidates.extend(best);
        }
    }
}

/// The network that plays and values: the invited player's in its games, else the learner's.
fn playing_network<'a>(
    players: Players,
    invited: &'a Option<TrainedNetwork>,
    learner: StageNetwork<'a>,
) -> StageNetwork<'a> {
    match (invited, players) {
        (Some(invited), Players::Expert) => StageNetwork { network: invited.as_network(), version: u64::MAX },
        _ => learner,
    }
}

#[cfg(test)]
mod tests;
