//! GNU Backgammon's position IDs: fourteen characters for the checkers of both sides.
//!
//! An ID is 80 bits: first the side not on roll, then the side on roll. Each side has 25 numbers in unary (as
//! many ones, then a zero): its checkers on each point from the ace point on, then on the bar. Bits fill
//! bytes from the least significant on, and the ten bytes are written in base 64.

use std::fmt;

use super::board::{BAR, Board, BoardError};
use super::matches::StakesError;

/// Characters of an ID.
const ID_CHARACTERS: usize = 14;
/// Bytes of an ID: 80 bits.
const ID_BYTES: usize = 10;

/// Why a text is not a valid ID.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IdError {
    /// `what` is the name of the kind of ID, in all variants.
    Length { what: &'static str, expected: usize, found: usize },
    /// A character that does not occur in such an ID.
    Character(char),
    /// A field has an impossible value.
    Part { what: &'static str, problem: &'static str },
    /// The checkers are impossible.
    Board(BoardError),
    /// The score or the cube is impossible.
    Stakes(StakesError),
}

impl fmt::Display for IdError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Length { what, expected, found } => {
                write!(f, "{what} has {expected} characters; this has {found}")
            }
            Self::Character(c) => write!(f, "{c:?} is not allowed here"),
            Self::Part { what, problem } => write!(f, "{what}: {problem}"),
            Self::Board(error) => error.fmt(f),
            Self::Stakes(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for IdError {}

impl From<BoardError> for IdError {
    fn from(error: BoardError) -> Self {
        Self::Board(error)
    }
}

impl From<StakesError> for IdError {
    fn from(error: StakesError) -> Self {
        Self::Stakes(error)
    }
}

impl Board {
    /// The ID of this position.
    pub fn position_id(&self) -> String {
        let (mut bits, mut offset) = (0u128, 0);
        for places in [self.other_places(), self.own_places()] {
            for n in &places[1..=BAR] {
                bits |= ((1 << n) - 1) << offset;
                offset += u32::from(*n) + 1;
            }
        }
        encode(&bits.to_le_bytes()[..ID_BYTES])
    }

    /// Reads an ID.
    pub fn from_position_id(id: &str) -> Result<Self, IdError> {
        let bytes: [u8; ID_BYTES] = decode(id, "a position ID", ID_CHARACTERS)?;
        let mut padded = [0; 16];
        padded[..ID_BYTES].copy_from_slice(&bytes);
        let mut bits = u128::from_le_bytes(padded);
        let mut sides = [[0u8; 26]; 2];
        for n in sides.iter_mut().flat_map(|side| &mut side[1..]) {
            *n = bits.trailing_ones() as u8;
            // The ones, and the zero behind them.
            bits = bits.checked_shr(u32::from(*n) + 1).unwrap_or(0);
        }
        let [other, own] = sides;
        if bits != 0 {
            return Err(IdError::Part {
                what: "a position ID",
                problem: "bits are set behind the last number of checkers",
            });
        }
        Ok(Self::new(&own, &other)?)
    }
}

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Encodes bytes in base 64 without padding.
pub(super) fn encode(bytes: &[u8]) -> String {
    let sextets = (bytes.len() * 8).div_ceil(6);
    let bit = |i: usize| bytes.get(i / 8).map_or(0, |byte| byte >> (7 - i % 8) & 1);
    let value = |s: usize| (0..6).fold(0, |value, i| value << 1 | bit(6 * s + i));
    (0..sextets).map(|s| char::from(ALPHABET[usize::from(value(s))])).collect()
}

/// Decodes a base-64 text of exactly `length` characters without padding. `what` names the ID in errors.
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
            let (offset, bit) = (6 * s + i, (value >> (5 - i) & 1) as u8);
            match bytes.get_mut(offset / 8) {
                Some(byte) => *byte |= bit << (7 - offset % 8),
                None if bit == 0 => {}
                None => {
                    return Err(IdError::Part { what, problem: "unused bits of its last character are set" });
                }
            }
        }
    }
    Ok(bytes)
}
