//! Bytes of jobs and results.
//!
//! A job is the number of games, then for each its number, its turns so far, and both sides' checkers: four
//! bits for each of 26 places. A result has for each game the length of its turns and the turns (`turns.rs`),
//! and ends with the first bytes of a hash of the games after the unit.

use learnery_lab::fleet::{Reader, Refusal, digest, write_varint};
use learnery_worlds::backgammon::Board;

use crate::alphazero::self_play::GAMES_PER_GROUP;
use crate::alphazero::turns::GameState;
use crate::counters::MAX_COUNTER;

/// Bytes of one side's checkers.
const SIDE_BYTES: usize = 13;
/// Bytes of the hash of the games after a unit.
pub const HASH_BYTES: usize = 8;
/// The most turns of a game in a job, half of those for which the index of a search has room (2^20).
const MAX_TURNS: u32 = 1 << 19;

pub fn write_games(games: impl ExactSizeIterator<Item = GameState>) -> Vec<u8> {
    let mut out = Vec::new();
    write_varint(&mut out, games.len() as u64);
    for game in games {
        write_varint(&mut out, game.number);
        write_varint(&mut out, game.turns.into());
        let (own, other) = game.board.key();
        out.extend_from_slice(&own.to_le_bytes()[..SIDE_BYTES]);
        out.extend_from_slice(&other.to_le_bytes()[..SIDE_BYTES]);
    }
    out
}

/// Reads the games of a job, at least one and at most a group.
pub fn read_games(bytes: &[u8]) -> Result<Vec<GameState>, Refusal> {
    let mut reader = Reader::new(bytes);
    let games = reader.varint()?;
    if !(1..=GAMES_PER_GROUP as u64).contains(&games) {
        return Err(Refusal::Damaged(format!("a job has 1 to {GAMES_PER_GROUP} games, not {games}")));
    }
    let games = (0..games).map(|_| read_game(&mut reader)).collect::<Result<_, _>>()?;
    reader.end()?;
    Ok(games)
}

fn read_game(reader: &mut Reader) -> Result<GameState, Refusal> {
    let (number, turns) = (reader.varint()?, reader.varint_u32()?);
    let key = (read_side(reader)?, read_side(reader)?);
    // `from_key` computes the checkers borne off; a key that claims other numbers is not the key of its
    // board.
    let board = Board::from_key(key).ok().filter(|board| board.key() == key && board.result().is_none());
    match board {
        Some(board) if number <= MAX_COUNTER && turns <= MAX_TURNS => Ok(GameState { number, board, turns }),
        _ => Err(Refusal::Damaged(format!("game {number} cannot be in such a position"))),
    }
}

fn read_side(reader: &mut Reader) -> Result<u128, Refusal> {
    let mut bytes = [0; 16];
    bytes[..SIDE_BYTES].copy_from_slice(reader.bytes(SIDE_BYTES)?);
    Ok(u128::from_le_bytes(bytes))
}

/// A hash of games.
pub fn hash_of(games: impl ExactSizeIterator<Item = GameState>) -> [u8; HASH_BYTES] {
    let mut hash = [0; HASH_BYTES];
    hash.copy_from_slice(&digest(&write_games(games))[..HASH_BYTES]);
    hash
}

pub fn write_result<'a>(
    turns: impl Iterator<Item = &'a [u8]>,
    games: impl ExactSizeIterator<Item = GameState>,
) -> Vec<u8> {
    let mut out = Vec::new();
    for turns in turns {
        write_varint(&mut out, turns.len() as u64);
        out.extend_from_slice(turns);
    }
    out.extend(hash_of(games));
    out
}

/// Reads the turns of each of `games` games, and the hash of the games after the unit.
#[cfg(not(target_family = "wasm"))]
pub fn read_result(bytes: &[u8], games: usize) -> Result<(Vec<&[u8]>, [u8; HASH_BYTES]), Refusal> {
    let mut reader = Reader::new(bytes);
    let turns = (0..games)
        .map(|_| {
            let length = reader.varint_u32()? as usize;
            reader.bytes(length)
        })
        .collect::<Result<_, _>>()?;
    let hash = reader.array()?;
    reader.end()?;
    Ok((turns, hash))
}
