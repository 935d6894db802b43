//! Turns of self-play as bytes, and their replay. What plays games writes the bytes; what learns from them
//! replays them, on one machine as in a fleet. Boards and rolls are not written, because they follow from the
//! rules and the seed: a turn takes some forty bytes.
//!
//! A turn is the roll (for checking), the number of plays, the play that was made, the search's value where
//! the settings want it, the policy where the turn has one, and, if the turn ends its game, the round of the
//! searches in which it did.

use learnery_backgammon_play::game::{Backgammon, MAX_POINTS, Turn};
use learnery_lab::fleet::{Reader, Refusal, write_varint};
use learnery_search::Game as _;
use learnery_worlds::backgammon::{Board, Plays};

use super::sample::{KEPT_PLAYS, Sample};
use super::self_play::Streams;
use super::settings::AlphaZeroSettings;
use crate::config::PolicyKind;

/// A game of self-play between two turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameState {
    /// The number of the game in the run.
    pub number: u64,
    /// Seen from the side about to roll.
    pub board: Board,
    /// Turns played.
    pub turns: u32,
}

impl GameState {
    /// Game `number` before its first turn.
    pub fn new(number: u64) -> Self {
        Self { number, board: Board::START, turns: 0 }
    }

    /// The game that takes the place of this one when it has ended: each of the `games` side by side has its
    /// own numbers.
    pub fn next(&self, games: usize) -> Self {
        Self::new(self.number + games as u64)
    }
}

/// What turns are read and written by: the settings, and the random numbers of rolls and full searches.
#[derive(Clone, Copy)]
pub struct Rules<'a> {
    pub settings: &'a AlphaZeroSettings,
    pub streams: &'a Streams,
}

impl Rules<'_> {
    /// Whether a turn teaches a policy: it has a full search, and the network has a policy head.
    pub fn has_policy_target(&self, game: u64, turn: u64) -> bool {
        self.settings.policy == PolicyKind::Moves && self.streams.has_full_search(self.settings, game, turn)
    }
}

/// A turn of self-play and what it led to.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(target_family = "wasm", expect(dead_code, reason = "only a fleet's learner refuses turns"))]
pub struct PlayedTurn {
    /// Before the turn.
    pub game: GameState,
    /// Without a target.
    pub sample: Sample,
    /// The number of plays of the roll.
    pub plays: usize,
    /// How the game ended, if it did.
    pub end: Option<GameEnd>,
}

/// The end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameEnd {
    /// The result for the side that made the last play: 1 to 3 points.
    pub points: i8,
    /// The round of the searches in which the last turn was played, counted from the beginning of the unit.
    pub round: u32,
}

/// Why a turn is refused. Only a fleet's learner makes a sentence of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Impossible {
    pub game: u64,
    pub turn: u32,
    /// What is wrong with the turn, such as "makes a play that does not exist".
    pub problem: &'static str,
}

impl Impossible {
    pub fn new(game: &GameState, problem: &'static str) -> Self {
        Self { game: game.number, turn: game.turns, problem }
    }
}

/// The result of a game that a play ends, for the side that made it.
pub fn points_after(afterstate: &Board) -> Option<i8> {
    Backgammon.terminal_value(afterstate).map(|value| (value * MAX_POINTS).round() as i8)
}

/// Appends a turn: its sample, the number of plays of its roll, and the index of the play that was made.
pub fn write_turn(
    rules: &Rules,
    game: &GameState,
    sample: &Sample,
    plays: usize,
    play: usize,
    out: &mut Vec<u8>,
) {
    out.push(sample.turn.dice.index() as u8);
    write_varint(out, plays as u64);
    write_varint(out, play as u64);
    if rules.settings.search_values {
        // Until the game ends, this is where a sample has the search's value.
        out.extend(sample.target[0].to_le_bytes());
    }
    if rules.has_policy_target(game.number, game.turns.into()) {
        out.push(sample.count);
        let kept = usize::from(sample.count);
        let mut before = 0;
        for (play, share) in sample.plays[..kept].iter().zip(&sample.probabilities) {
            // Mostly the next play or the one after it. Of very many plays the most probable come first, in
            // any order.
            let step = i64::from(*play) - before;
            // Zigzag coding: 0, -1, 1, -2, ... become 0, 1, 2, 3, ..., so a small step of either sign takes
            // one byte.
            write_varint(out, (step << 1 ^ step >> 63) as u64);
            out.extend(share.to_le_bytes());
            before = i64::from(*play);
        }
    }
}

/// Appends the round in which a game ended, after its last turn. `before` is the round of the last end in the
/// same bytes.
pub fn write_end(round: u32, before: u32, out: &mut Vec<u8>) {
    write_varint(out, u64::from(round - before));
}

/// Replays the turns of a unit of one game, and of those that take its place, and calls `visit` for each,
/// which can refuse it. Refuses what the rules and the seed do not allow. Returns the game after the unit.
pub fn replay(
    rules: &Rules,
    mut game: GameState,
    bytes: &[u8],
    plays: &mut Plays,
    mut visit: impl FnMut(&PlayedTurn) -> Result<(), Impossible>,
) -> Result<GameState, Impossible> {
    let mut reader = Reader::new(bytes);
    let mut round = 0;
    for _ in 0..rules.settings.turns {
        let (sample, afterstate) = read_turn(rules, &game, &mut reader, plays)?;
        let end = match points_after(&afterstate) {
            Some(points) => {
                let rounds_later = reader.varint_u32().map_err(|_| Impossible::new(&game, UNREADABLE))?;
                round = rounds_later
                    .checked_add(round)
                    .filter(|round| *round <= max_round(rules.settings))
                    .ok_or(Impossible::new(&game, "ends in a round that no search reaches"))?;
                Some(GameEnd { points, round })
            }
            None => None,
        };
        visit(&PlayedTurn { game, sample, plays: plays.len(), end })?;
        game = match end {
            Some(_) => game.next(rules.settings.games),
            None => GameState { board: afterstate, turns: game.turns + 1, ..game },
        };
    }
    reader.end().map_err(|_| Impossible::new(&game, "follows the last one of the unit"))?;
    Ok(game)
}

/// An upper bound of the rounds of a unit: a simulation takes at most three, one to find its node and two for
/// policies. Each search counts two simulations more, which is enough for the evaluation of its root.
fn max_round(settings: &AlphaZeroSettings) -> u32 {
    settings
        .turns
        .saturating_mul(settings.simulations.max(settings.quick_simulations).saturating_add(2))
        .saturating_mul(3)
}

/// What is wrong with a turn whose bytes end early, or have a number in no proper form.
const UNREADABLE: &str = "cannot be read";

/// Reads a turn, and returns it with the board that its play leads to.
fn read_turn(
    rules: &Rules,
    game: &GameState,
    reader: &mut Reader,
    plays: &mut Plays,
) -> Result<(Sample, Board), Impossible> {
    let refuse = |problem| Err(Impossible::new(game, problem));
    let unreadable = |_: Refusal| Impossible::new(game, UNREADABLE);
    let dice = rules.streams.roll(game.number, game.turns.into());
    if usize::from(reader.byte().map_err(unreadable)?) != dice.index() {
        return refuse("has another roll than the seed gives");
    }
    plays.find(&game.board, dice);
    if reader.varint().map_err(unreadable)? != plays.len() as u64 {
        return refuse("has another number of plays than the rules give");
    }
    let play = reader.varint().map_err(unreadable)? as usize;
    if play >= plays.len() {
        return refuse("makes a play that does not exist");
    }
    let mut sample = Sample {
        turn: Turn { board: game.board, dice },
        target: Default::default(),
        count: 0,
        plays: [0; KEPT_PLAYS],
        probabilities: [0; KEPT_PLAYS],
    };
    if rules.settings.search_values {
        sample.target[0] = u16::from_le_bytes(reader.array().map_err(unreadable)?);
    }
    if rules.has_policy_target(game.number, game.turns.into()) {
        read_policy(reader, &mut sample).map_err(unreadable)?;
    }
    Ok((sample, plays.get(play)))
}

fn read_policy(reader: &mut Reader, sample: &mut Sample) -> Result<(), Refusal> {
    // A count above `KEPT_PLAYS` becomes the least such count, which `check_policy` refuses.
    sample.count = reader.byte()?.min(KEPT_PLAYS as u8 + 1);
    let kept = usize::from(sample.count);
    let mut before = 0i64;
    for (play, share) in sample.plays.iter_mut().zip(&mut sample.probabilities).take(kept) {
        // A step in zigzag coding, see `write_turn`.
        let step = reader.varint_u32()?;
        before += i64::from(step >> 1) ^ -i64::from(step & 1);
        // A number that does not fit is no play either.
        *play = u16::try_from(before).unwrap_or(u16::MAX);
        *share = u16::from_le_bytes(reader.array()?);
    }
    Ok(())
}
