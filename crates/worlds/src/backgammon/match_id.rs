//! GNU Backgammon's match IDs: twelve characters for everything about a match but the checkers.
//!
//! Seventy-two bits, from the lowest of each byte up, in base 64: cube (4, as a power of two), its owner (2), who rolls
//! (1), Crawford (1), state of the game (3), whose decision it is (1), doubled (1), resignation (2), both dice (3 each),
//! length (15), both scores (15 each), and one bit that is set where the Jacoby rule is not in use.

use super::dice::Dice;
use super::position_id::{IdError, decode, encode};

const WHAT: &str = "a match ID";
const LENGTH: usize = 12;
/// The owner of a cube in the middle.
const NOBODY: u8 = 3;

/// A match as its ID tells it. Players are 0 and 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatchId {
    /// What the cube shows, as a power of two: 0 for one.
    pub cube_log: u8,
    /// Who has the cube; nobody while it is in the middle.
    pub cube_owner: Option<u8>,
    /// Who is on roll, or did roll.
    pub on_roll: u8,
    /// Whether this is the Crawford game.
    pub crawford: bool,
    /// 0 no game, 1 playing, 2 over, 3 resigned, 4 ended by a drop.
    pub state: u8,
    /// Who must decide now: it differs from `on_roll` while a double or a resignation waits for its answer.
    pub turn: u8,
    /// Whether a double was offered.
    pub doubled: bool,
    /// What a resignation offers: 0 none, else its points.
    pub resigned: u8,
    /// What was rolled, in the order in which it was.
    pub dice: Option<[u8; 2]>,
    /// Points to play to; 0 for money.
    pub length: u16,
    /// Points of both players.
    pub score: [u16; 2],
    /// Whether gammons count only once the cube was turned.
    pub jacoby: bool,
}

impl MatchId {
    /// What was rolled.
    pub fn dice(&self) -> Option<Dice> {
        self.dice.and_then(|[a, b]| Dice::new(a, b))
    }

    /// The match of an ID.
    pub fn parse(id: &str) -> Result<Self, IdError> {
        let bytes: [u8; 9] = decode(id, WHAT, LENGTH)?;
        let mut wide = [0; 16];
        wide[..9].copy_from_slice(&bytes);
        let mut bits = u128::from_le_bytes(wide);
        let mut take = |n: u32| {
            let value = bits & ((1 << n) - 1);
            bits >>= n;
            value as u16
        };
        let wrong = |problem| IdError::Part { what: WHAT, problem };
        let cube_log = take(4) as u8;
        let cube_owner = match take(2) as u8 {
            NOBODY => None,
            2 => return Err(wrong("the cube belongs to a third player")),
            player => Some(player),
        };
        let (on_roll, crawford, state) = (take(1) as u8, take(1) == 1, take(3) as u8);
        if state > 4 {
            return Err(wrong("there is no such state of a game"));
        }
        let (turn, doubled, resigned) = (take(1) as u8, take(1) == 1, take(2) as u8);
        let dice = match [take(3) as u8, take(3) as u8] {
            [0, 0] => None,
            [a, b] if Dice::new(a, b).is_some() => Some([a, b]),
            _ => return Err(wrong("a die shows 1 to 6")),
        };
        let (length, score, jacoby) = (take(15), [take(15), take(15)], take(1) == 0);
        if bits != 0 {
            return Err(wrong("it has bits behind its last part"));
        }
        Ok(Self {
            cube_log,
            cube_owner,
            on_roll,
            crawford,
            state,
            turn,
            doubled,
            resigned,
            dice,
            length,
            score,
            jacoby,
        })
    }

    /// The twelve characters. Of a number, only as many bits as there is room for are written.
    pub fn id(&self) -> String {
        let (mut bits, mut at) = (0u128, 0);
        let mut put = |value: u16, n: u32| {
            bits |= (u128::from(value) & ((1 << n) - 1)) << at;
            at += n;
        };
        put(self.cube_log.into(), 4);
        put(self.cube_owner.unwrap_or(NOBODY).into(), 2);
        put(self.on_roll.into(), 1);
        put(self.crawford.into(), 1);
        put(self.state.into(), 3);
        put(self.turn.into(), 1);
        put(self.doubled.into(), 1);
        put(self.resigned.into(), 2);
        self.dice.unwrap_or_default().into_iter().for_each(|die| put(die.into(), 3));
        put(self.length, 15);
        self.score.into_iter().for_each(|score| put(score, 15));
        put((!self.jacoby).into(), 1);
        encode(&bits.to_le_bytes()[..9])
    }
}
