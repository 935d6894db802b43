//! The stage is the interactive part of the page: a game apart from training that the user watches or plays, with the
//! network's value of every play. It is neither saved nor learned from.
//!
//! The sides of the board are *south*, whose checkers the user plays, and *north*. The *agent* is the learner's
//! network, or that of an invited player (a checkpoint that the page has sent).

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

/// Seconds for which a dice roll of the agent is shown before it is played, unless the user sets another time.
const DEFAULT_TEMPO: f64 = 1.6;
/// The longest time that the user can set.
const MAX_TEMPO: f64 = 60.0;
/// A finished game is shown for this many times the time of a turn.
const TURNS_AFTER_END: f64 = 2.5;
/// The maximum number of plays that the page lists.
const MAX_CANDIDATES: usize = 8;
/// South's number as a side. North is 1.
const SOUTH: u8 = 0;

/// The game on the stage.
pub struct Stage {
    dice_stream: Stream,
    players: Players,
    /// The network of the invited player.
    invited: Option<TrainedNetwork>,
    /// Number of the game; it selects the dice.
    game: u32,
    /// The side that began.
    first: u8,
    /// The board at the start of the turn, seen from the side whose turn it is.
    board: Board,
    /// The side whose turn it is.
    side: u8,
    /// The roll to be played; `None` once the game is over.
    dice: Option<Dice>,
    /// The afterstates of all plays of the roll, with the values of the plays for the side that makes them, best first.
    plays: Vec<(Board, Outcomes)>,
    /// The first of `plays` in the form that the page shows.
    candidates: Vec<Candidate>,
    /// The graph of the user's legal moves, see `StageView::steps`.
    steps: Floats,
    /// South's value if the roll is played best, or the result of the finished game.
    outlook: Outcomes,
    past: Vec<PastTurn>,
    /// A line for each past turn: dice and play.
    record: String,
    /// The last turn, which the page animates.
    last: Option<PlayedTurn>,
    /// The user's last turn compared with the best play.
    review: Option<TurnReview>,
    /// Points won so far: south's, then north's.
    score: [u32; 2],
    /// Seconds for which a turn is shown; 0 pauses the game.
    tempo: f64,
    /// Seconds since the turn began.
    waited: f64,
    /// Version of the network that computed the current values.
    version: u64,
    /// `None` before the first frame, and after a change of the network.
    search: Option<BackgroundSearch>,
    // Buffers.
    list: Plays,
    values: Vec<Outcomes>,
}

/// A turn that was played, with the data to undo it.
struct PastTurn {
    board: Board,
    side: u8,
    /// Byte index at which the line of this turn begins in the record.
    line: usize,
    /// South's equity before the turn, in points.
    equity: f32,
    /// How much worse the play was than the best one, in points.
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

    /// Carries out a command of the user.
    pub fn apply(&mut self, learner: StageNetwork, command: BackgammonCommand) -> Result<(), LabError> {
        let reject = |reason: &str| Err(LabError::Command(reason.into()));
        match command {
            BackgammonCommand::NewGame { players: Players::Expert } if self.invited.is_none() => {
                return reject("no trained player has been invited yet");
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
            BackgammonCommand::Play { .. } if !self.awaits() => return reject("it is not your turn"),
            BackgammonCommand::Play { turn, .. } if turn as usize != self.past.len() => {
                return reject("that turn is already played");
            }
            BackgammonCommand::Play { steps, .. } => {
                let after = self.board_after(&steps);
                let play = after.and_then(|after| self.plays.iter().position(|play| play.0 == after));
                let Some(play) = play else {
                    return reject("these moves are not a legal play of this roll");
                };
                self.play(learner, play);
            }
            BackgammonCommand::Undo => {
                let is_users = |past: &PastTurn| past.side == SOUTH && self.players != Players::Watch;
                let Some(last) = self.past.iter().rposition(is_users) else {
                    return reject("there is no turn of yours to undo");
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
            BackgammonCommand::Next if self.awaits() => return reject("it is your turn"),
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
        // New weights have new values. The weights of an invited player (`Expert`) never change.
        if self.players != Players::Expert && learner.version != self.version {
            self.evaluate(learner);
        }
        if self.tempo > 0.0 {
            self.waited += seconds;
            let game_is_over = self.dice.is_none();
            let shown = if game_is_over { TURNS_AFTER_END * self.tempo } else { self.tempo };
            if self.waited >= shown && !self.awaits() && (!game_is_over || self.players == Players::Watch) {
                self.advance(learner);
            }
        }
        self.search_further(learner);
    }

    /// Runs a few simulations of the background search.
    fn search_further(&mut self, learner: StageNetwork) {
        let Some(dice) = self.dice else { return };
        let network = playing_network(self.players, &self.invited, learner);
        let search = self.search.get_or_insert_with(|| BackgroundSearch::new(network));
        search.step(network, Turn { board: self.board, dice });
    }

    /// Whether the user is to move. A roll without a legal move is passed automatically.
    fn awaits(&self) -> bool {
        let is_users_turn = self.players != Players::Watch && self.side == SOUTH;
        is_users_turn && self.dice.is_some_and(|dice| playable_moves(&self.board, dice) > 0)
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
        // Each side begins with probability one half. `u64::MAX` is not the number of any turn, so this random word
        // does not depend on the dice.
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

    /// Returns the board after the user's moves, legal or not; `None` if a move has no checker or no such place.
    fn board_after(&self, steps: &[[u8; 2]]) -> Option<Board> {
        let (mut own, mut other) = (self.board.own_places(), self.board.other_places());
        for [from, to] in steps.iter().map(|step| step.map(usize::from)) {
            // A side's own checkers move to lower places.
            let is_possible = own.get(from).is_some_and(|n| *n > 0) && to < from;
            if !is_possible {
                return None;
            }
            own[from] -= 1;
            own[to] += 1;
            // The opponent counts points from the other end. Off (place 0) cannot be hit.
            let hit = if to == 0 { 0 } else { std::mem::take(&mut other[BAR - to]) };
            other[BAR] += hit;
        }
        // Seen from the opponent, who rolls next.
        Board::new(&other, &own).ok()
    }

    /// Makes play `i` of `plays`.
    fn play(&mut self, learner: StageNetwork, i: usize) {
        let (Some(dice), Some((afterstate, value))) = (self.dice, self.plays.get(i).copied()) else { return };
        let best_equity = self.plays[0].1.equity();
        let played_moves = moves(&self.board, dice, &afterstate).unwrap_or_default();
        let played_notation = notation(&played_moves);
        let cost = best_equity - value.equity();
        if self.awaits() {
            let Candidate { notation, moves, .. } = self.candidates[0].clone();
            self.review = Some(TurnReview {
                turn: self.past.len() as u32,
                played: played_notation.clone(),
                equity: value.equity(),
                best: notation,
                best_equity,
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
        self.record.push_str(&played_notation);
        let dice = [dice.high(), dice.low()];
        self.last = Some(PlayedTurn { side: self.side, dice, moves: flat_moves(&played_moves) });
        self.board = afterstate;
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
        // Takes turn `i` out and drops all turns after it. `swap_remove` puts the last turn in its place, which
        // `truncate` drops too.
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
        // In a finished game, the side on roll has lost.
        let sign = if self.side == SOUTH { -1 } else { 1 };
        self.board.other_won().map_or(0, |win| sign * win.points() as i8)
    }

    /// Computes the value of every play of the roll, and the outlook. If the game is over, the outlook is its result.
    fn evaluate(&mut self, learner: StageNetwork) {
        let StageNetwork { network, version } = playing_network(self.players, &self.invited, learner);
        self.version = version;
        let side_is_south = self.side == SOUTH;
        let for_south = |value: Outcomes| if side_is_south { value } else { value.flipped() };
        self.plays.clear();
        self.candidates.clear();
        let Some(dice) = self.dice else {
            self.outlook = self.board.other_won().map_or(self.outlook, |win| for_south(Outcomes::lost(win)));
            return;
        };
        self.list.find(&self.board, dice);
        let (mut evaluator, weights) = (network.evaluator(), network.weights());
        evaluator.values_of_plays(weights, &self.board, &self.list, &mut self.values);
        self.plays.extend(self.list.iter().zip(self.values.iter().map(Outcomes::flipped)));
        // A stable sort: plays of equal value keep their order, as in `best_play`.
        self.plays.sort_by(|a, b| b.1.equity().total_cmp(&a.1.equity()));
        self.outlook = for_south(self.plays[0].1);
        if playable_moves(&self.board, dice) > 0 {
            let best = self.plays.iter().take(MAX_CANDIDATES);
            let best = best.map(|(after, value)| candidate(&self.board, dice, after, value));
            self.candidates.extend(best);
        }
    }
}

/// The network of the agent: that of the invited player in its games, otherwise the learner's.
fn playing_network<'a>(
    players: Players,
    invited: &'a Option<TrainedNetwork>,
    learner: StageNetwork<'a>,
) -> StageNetwork<'a> {
    match (invited, players) {
        // A version that the learner never has.
        (Some(invited), Players::Expert) => StageNetwork { network: invited.as_network(), version: u64::MAX },
        _ => learner,
    }
}

#[cfg(test)]
mod tests;
