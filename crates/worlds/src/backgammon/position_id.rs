//! GNU Backgammon's position IDs: fourteen characters for the checkers of both sides.
//!
//! Eighty bits: for the side that is not on roll and then for the one that is, for each of its points from the ace
//! point on and for its bar at the end, as many ones as it has checkers there, and a zero. The bits fill bytes from the
//! lowest up, and the ten bytes are written in base 64.

use std::fmt;

use super::board::{BAR, Board, BoardError};

/// Characters of an ID.
const LENGTH: usize = 14;

/// Why a text is no position or match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IdError {
    /// It has another length.
    Length {
        /// What was read.
        what: &'static str,
        /// How many characters it should have.
        expected: usize,
        /// How many it has.
        found: usize,
    },
    /// A character cannot be there.
    Character(char),
    /// A part says something impossible.
    Part {
        /// What was read.
        what: &'static str,
        /// What is wrong.
        problem: &'static str,
    },
    /// Its checkers cannot stand like that.
    Board(BoardError),
}

impl fmt::Display for IdError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Length { what, expected, found } => {
                write!(f, "{what} has {expected} characters; this has {found}")
            }
            Self::Character(c) => write!(f, "{c:?} cannot be in it"),
            Self::Part { what, problem } => write!(f, "{what}: {problem}"),
            Self::Board(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for IdError {}

impl From<BoardError> for IdError {
    fn from(error: BoardError) -> Self {
        Self::Board(error)
    }
}

impl Board {
    /// The fourteen characters.
    pub fn position_id(&self) -> String {
        let (mut bits, mut at) = (0u128, 0);
        for places in [self.other_places(), self.own_places()] {
            for n in &places[1..=BAR] {
                bits |= ((1 << n) - 1) << at;
                at += u32::from(*n) + 1;
            }
        }
        encode(&bits.to_le_bytes()[..10])
    }

    /// The board of an ID.
    pub fn from_position_id(id: &str) -> Result<Self, IdError> {
        let bytes: [u8; 10] = decode(id, "a position ID", LENGTH)?;
        let mut wide = [0; 16];
        wide[..10].copy_from_slice(&bytes);
        let mut bits = u128::from_le_bytes(wide);
        let mut sides = [[0u8; 26]; 2];
        for n in sides.iter_mut().flat_map(|side| &mut side[1..]) {
            *n = bits.trailing_ones() as u8;
            bits = bits.checked_shr(u32::from(*n) + 1).unwrap_or(0);
        }
        let [other, own] = sides;
        if bits != 0 {
            return Err(IdError::Part {
                what: "a position ID",
                problem: "it has bits behind the last place",
            });
        }
        Ok(Self::new(&own, &other)?)
    }
}

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Bytes in base 64, without padding.
pub(super) fn encode(bytes: &[u8]) -> String {
    let sextets = (bytes.len() * 8).div_ceil(6);
    let bit = |i: usize| bytes.get(i / 8).map_or(0, |byte| byte >> (7 - i % 8) & 1);
    let value = |s: usize| (0..6).fold(0, |value, i| value << 1 | bit(6 * s + i));
    (0..sextets).map(|s| char::from(ALPHABET[usize::from(value(s))])).collect()
}

/// The bytes of a text in base 64 of exactly `length` characters.
pub(super) fn decode<const N: usize>(
    text: &str,
    what: &'static str,
    length: usize,
) -> Result<[u8; N], IdError> {
    let found = text.chars().count();
    if found != length {
        return Err(IdError::Length { what, expected: length, found });
    }
    let mut bytes = [0; N];
    for (s, c) in text.chars().enumerate() {
        let value = ALPHABET.iter().position(|a| char::from(*a) == c).ok_or(IdError::Character(c))?;
        for i in 0..6 {
            let (at, bit) = (6 * s + i, (value >> (5 - i) & 1) as u8);
            match bytes.get_mut(at / 8) {
                Some(byte) => *byte |= bit << (7 - at % 8),
                None if bit == 0 => {}
                None => return Err(IdError::Part { what, problem: "it has bits behind its end" }),
            }
        }
    }
    Ok(bytes)
}
