//! The stage is the interactive part of the page: a game apart from training that the user watches or plays,
//! with the network's value of every play. It is neither saved nor learned from.
//!
//! The sides of the board are *south*, whose checkers the user plays, and *north*. The *agent* is the
//! learner's network, or that of an invited player (a checkpoint that the page has sent). The user may also
//! play a match or for money, with the doubling cube: [`MatchPlay`].

// Modules that add methods to `Stage`: commands of a match and decisions about the cube, games from a
// position of the user, what the page draws, plays that are made and taken back, and values of plays.
mod match_commands;
mod set_up;
mod stage_view;
mod turns;
mod valuation;
// Modules with the types that are parts of it.
mod background_search;
mod invited_player;
mod judgement;
mod match_play;

use learnery_backgammon_play::game::Turn;
use learnery_backgammon_play::outcomes::Outcomes;
use learnery_kernels::rng::Stream;
use learnery_lab::{Floats, LabError};
use learnery_match_files::write_mat;
use learnery_worlds::backgammon::matches::Rules;
use learnery_worlds::backgammon::{Board, Dice, Plays, playable_moves, turn_graph};

use crate::match_view::CubeChoice;
use crate::networks::{NetworkRef, TrainedNetwork};
use crate::view::{BackgammonCommand, Candidate, PlayedTurn, Players, TurnReview};
use background_search::BackgroundSearch;
#[cfg(test)]
pub use invited_player::tests::checkpoint as player_checkpoint;
use match_play::MatchPlay;
use set_up::SetUp;
pub use stage_view::{checkers, flat_moves};
use valuation::RatedPlay;

/// Seconds for which a dice roll of the agent is shown before it is played, unless the user sets another
/// time.
const DEFAULT_TEMPO_SECONDS: f64 = 1.6;
/// The longest time that the user can set.
const MAX_TEMPO_SECONDS: f64 = 60.0;
/// A finished game of the agent against itself is shown for this many times the time of a turn.
const TURNS_AFTER_END: f64 = 2.5;
/// The agent thinks about the cube for this fraction of the time of a turn, and until it has decided.
const CUBE_TEMPO: f64 = 0.4;
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
    /// The roll to be played; `None` once the game is over, and before the roll while somebody thinks about
    /// the cube.
    dice: Option<Dice>,
    /// All plays of the roll, best first.
    plays: Vec<RatedPlay>,
    /// The match or the money session, if the user plays one.
    match_play: Option<MatchPlay>,
    /// The beginning of the game, if the user has set it up.
    set_up: Option<SetUp>,
    /// The first of `plays` in the form that the page shows.
    candidates: Vec<Candidate>,
    /// The graph of the user's legal moves, see `StageView::steps`.
    move_graph: Floats,
    /// South's value if the roll is played best, or the result of the finished game.
    outlook: Outcomes,
    /// The turns that were played in this game.
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
    tempo_seconds: f64,
    /// Seconds since the turn began.
    waited_seconds: f64,
    /// Version of the network that computed the current values.
    valued_version: u64,
    /// The tree search whose visits the page shows; `None` before the first frame, and after a change of the
    /// network.
    search: Option<BackgroundSearch>,
    // Buffers of `evaluate`: the plays of the roll, and their values for the opponent.
    list: Plays,
    values: Vec<Outcomes>,
}

/// What happens next on the stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NextEvent {
    /// A roll is played.
    Play,
    /// The side on roll doubles or rolls.
    CubeAction,
    /// A side answers a double.
    Answer { side: u8 },
    /// The next game begins, if the match is not over.
    GameOver,
}

/// A turn that was played, with the data to undo it.
struct PastTurn {
    board: Board,
    side: u8,
    /// Whether the user chose the play. A roll without a legal move is passed automatically.
    by_user: bool,
    /// Length of the record before this turn, in bytes.
    record_bytes_before: usize,
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
            match_play: None,
            set_up: None,
            candidates: Vec::new(),
            move_graph: Floats::default(),
            outlook: Outcomes::default(),
            past: Vec::new(),
            record: String::new(),
            last: None,
            review: None,
            score: [0; 2],
            tempo_seconds: DEFAULT_TEMPO_SECONDS,
            waited_seconds: 0.0,
            valued_version: 0,
            search: None,
            list: Plays::new(),
            values: Vec::new(),
        };
        stage.begin_game(learner);
        stage
    }

    /// Carries out a command of the user. Returns the file that the command asks for.
    pub fn apply(
        &mut self,
        learner: StageNetwork,
        command: BackgammonCommand,
    ) -> Result<Option<String>, LabError> {
        let reject = |reason: &str| Err(LabError::Command(reason.into()));
        match command {
            BackgammonCommand::NewGame { players: Players::Expert } if self.invited.is_none() => {
                return reject("no trained player has been invited yet");
            }
            BackgammonCommand::NewGame { players } => {
                if players != self.players {
                    self.score = [0; 2];
                }
                if self.match_play.take().is_some() {
                    self.score = [0; 2];
                }
                self.players = players;
                self.game += 1;
                // The network that searches may be another one now.
                self.search = None;
                self.begin_game(learner);
            }
            BackgammonCommand::Play { .. } if !self.awaits_play() => return reject("it is not your turn"),
            BackgammonCommand::Play { turn, .. } if turn as usize != self.past.len() => {
                return reject("that turn is already played");
            }
            BackgammonCommand::Play { steps, .. } => {
                let after = self.board_after(&steps);
                let play = after.and_then(|after| self.plays.iter().position(|play| play.after == after));
                let Some(play) = play else {
                    return reject("these moves are not a legal play of this roll");
                };
                self.play(learner, play)?;
            }
            BackgammonCommand::Undo if self.match_play.is_some() => {
                return reject("a turn of a match cannot be undone");
            }
            BackgammonCommand::Undo => {
                let Some(last) = self.past.iter().rposition(|past| past.by_user) else {
                    return reject("there is no turn of yours to undo");
                };
                self.undo(learner, last);
            }
            BackgammonCommand::Tempo { seconds } if (0.0..=MAX_TEMPO_SECONDS).contains(&seconds) => {
                self.tempo_seconds = seconds;
            }
            BackgammonCommand::Tempo { seconds } => {
                let sentence = format!("a turn of {seconds} seconds; expected 0 to {MAX_TEMPO_SECONDS}");
                return Err(LabError::Command(sentence));
            }
            BackgammonCommand::Next if self.awaits_user() => return reject("it is your turn"),
            BackgammonCommand::Next => {
                // An agent that is still thinking about the cube acts as soon as it has decided, see
                // `animate`.
                self.waited_seconds = f64::INFINITY;
                self.advance(learner)?;
            }
            BackgammonCommand::Invite { checkpoint } => {
                self.invited = Some(invited_player::read(&checkpoint)?);
                self.search = None;
                if let Some(match_play) = &mut self.match_play {
                    match_play.forget_network();
                }
                if self.players == Players::Expert {
                    self.evaluate(learner);
                }
            }
            BackgammonCommand::SetUp { players, position } => {
                self.set_up(learner, players, &position)?;
            }
            BackgammonCommand::NewMatch { players, length, beavers } => {
                let rules = match length {
                    // The page asks for a money session by the length 0.
                    0 => Rules::Money { jacoby: true, beavers },
                    length => Rules::Match { length },
                };
                self.begin_match(learner, players, rules)?;
            }
            BackgammonCommand::Roll => self.choose_cube(learner, CubeChoice::Roll)?,
            BackgammonCommand::Double => self.choose_cube(learner, CubeChoice::Double)?,
            BackgammonCommand::Take => self.choose_cube(learner, CubeChoice::Take)?,
            BackgammonCommand::Pass => self.choose_cube(learner, CubeChoice::Pass)?,
            BackgammonCommand::Beaver => self.choose_cube(learner, CubeChoice::Beaver)?,
            BackgammonCommand::Resign { loss } => self.resign(learner, loss)?,
            BackgammonCommand::Save => {
                let Some(match_play) = &self.match_play else {
                    return reject("only a match can be saved as a file");
                };
                return Ok(Some(write_mat(match_play.record(), None)));
            }
        }
        Ok(None)
    }

    /// Lets `seconds` pass.
    pub fn animate(&mut self, learner: StageNetwork, seconds: f64) {
        // New weights have new values. The weights of an invited player (`Expert`) never change; another
        // player is another command.
        if self.players != Players::Expert && learner.version != self.valued_version {
            self.evaluate(learner);
        }
        // A paused game goes on only if the user has asked for its next event and it waits for a decision.
        if self.tempo_seconds > 0.0 || self.waited_seconds.is_infinite() {
            self.waited_seconds += seconds;
            // How long the stage waits before what comes next, in times of a turn.
            let shown_turns = match self.next_event() {
                NextEvent::Play => 1.0,
                NextEvent::CubeAction | NextEvent::Answer { .. } => CUBE_TEMPO,
                NextEvent::GameOver => TURNS_AFTER_END,
            };
            // A finished game against the user stays until the user begins the next one.
            let stays = self.awaits_user() || (self.result() != 0 && self.players != Players::Watch);
            if self.waited_seconds >= shown_turns * self.tempo_seconds && !stays {
                // An error leaves the game as it is: it has too many turns to be recorded, or the match is
                // over.
                let _ = self.advance(learner);
            }
        }
        self.search_further(learner);
        self.judge_further(learner);
    }

    /// What happens next.
    fn next_event(&self) -> NextEvent {
        let doubler = self.match_play.as_ref().and_then(MatchPlay::doubler);
        match doubler {
            _ if self.result() != 0 => NextEvent::GameOver,
            Some(doubler) => NextEvent::Answer { side: 1 - doubler },
            None if self.dice.is_some() => NextEvent::Play,
            None => NextEvent::CubeAction,
        }
    }

    /// Whether the user is to move or to decide about the cube.
    fn awaits_user(&self) -> bool {
        match self.next_event() {
            NextEvent::Play => self.awaits_play(),
            // Nobody watches a match: `begin_match` refuses it.
            NextEvent::CubeAction => self.side == SOUTH,
            NextEvent::Answer { side } => side == SOUTH,
            NextEvent::GameOver => false,
        }
    }

    /// Runs a few simulations of the background search.
    fn search_further(&mut self, learner: StageNetwork) {
        let Some(dice) = self.dice else { return };
        let network = playing_network(self.players, &self.invited, learner);
        let search = self.search.get_or_insert_with(|| BackgroundSearch::new(network));
        search.step(network, Turn { board: self.board, dice });
    }

    /// Whether the user is to move. A roll without a legal move is passed automatically.
    fn awaits_play(&self) -> bool {
        let is_users_turn = self.players != Players::Watch && self.side == SOUTH;
        is_users_turn && self.dice.is_some_and(|dice| playable_moves(&self.board, dice) > 0)
    }

    /// Makes the best play, lets the agent decide about the cube, or begins the next game.
    fn advance(&mut self, learner: StageNetwork) -> Result<(), LabError> {
        match self.next_event() {
            // Plays are sorted from the best on.
            NextEvent::Play => self.play(learner, 0),
            NextEvent::CubeAction | NextEvent::Answer { .. } => self.decide_about_cube(learner),
            NextEvent::GameOver => {
                if let Some(match_play) = &mut self.match_play {
                    match_play.begin_game().map_err(|refusal| LabError::Command(refusal.to_string()))?;
                }
                self.game += 1;
                self.begin_game(learner);
                Ok(())
            }
        }
    }

    fn begin_game(&mut self, learner: StageNetwork) {
        self.set_up = None;
        self.board = Board::START;
        // Each side begins with probability one half. `u64::MAX` is not the number of any turn, so this
        // random word does not depend on the dice.
        self.side = (self.dice_stream.block(u64::from(self.game), u64::MAX)[0] & 1) as u8;
        self.begin_record(learner);
    }

    /// Begins the record of a game, and its first turn.
    fn begin_record(&mut self, learner: StageNetwork) {
        self.first = self.side;
        self.past.clear();
        self.record.clear();
        self.last = None;
        self.review = None;
        self.begin_turn(learner);
    }

    /// Rolls the dice and evaluates the plays, unless the game is over or the side on roll may double.
    fn begin_turn(&mut self, learner: StageNetwork) {
        self.waited_seconds = 0.0;
        self.dice = None;
        let is_opening = self.past.is_empty();
        let may_double = self.result() == 0
            && (self.match_play.as_mut())
                .is_some_and(|match_play| match_play.begin_turn(self.side, &self.board, is_opening));
        if self.result() == 0 && !may_double {
            self.roll(learner);
        } else {
            self.move_graph = Floats::default();
            self.evaluate(learner);
        }
    }

    /// Rolls the dice and evaluates the plays.
    fn roll(&mut self, learner: StageNetwork) {
        let (game, turn) = (u64::from(self.game), self.past.len() as u64);
        let dice = match &self.set_up {
            Some(SetUp { dice: Some(dice) }) if turn == 0 => *dice,
            // Turn 0 has an opening roll, which is no double, so a game that was set up has the dice from
            // turn 1 on.
            Some(_) => Dice::for_turn(self.dice_stream, game, turn + 1),
            None => Dice::for_turn(self.dice_stream, game, turn),
        };
        self.dice = Some(dice);
        self.waited_seconds = 0.0;
        let graph = if self.awaits_play() { turn_graph(&self.board, dice) } else { Vec::new() };
        let numbers = graph.iter().flat_map(|step| {
            [step.node, u16::from(step.from), u16::from(step.to), u16::from(step.hit), step.next]
                .map(f32::from)
        });
        self.move_graph = Floats(numbers.collect());
        self.evaluate(learner);
    }

    /// South's points of a finished game without the cube, else 0.
    fn result(&self) -> i8 {
        if let Some(result) = self.match_play.as_ref().and_then(MatchPlay::early_result) {
            return result;
        }
        // In a finished game, the side on roll has lost.
        let sign = if self.side == SOUTH { -1 } else { 1 };
        self.board.other_won().map_or(0, |win| sign * win.points() as i8)
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
mod match_tests;
#[cfg(test)]
mod set_up_tests;
#[cfg(test)]
mod tests;
