//! GNU Backgammon's match IDs: twelve characters for everything about a match except the checkers.
//!
//! 72 bits, least significant bit of each byte first, in base 64: log2 of the cube (4), its owner (2), the
//! player on roll (1), whether it is the Crawford game (1), state of the game (3), whose decision it is (1),
//! whether a double awaits an answer (1), resignation (2), both dice (3 each), match length (15), both scores
//! (15 each), one bit that is set if the Jacoby rule is not in use, and five zeros.

use super::dice::Dice;
use super::matches::{CubeOwner, Stakes};
use super::position_id::{IdError, decode, encode};

/// The name of the format in error messages.
const ID_NAME: &str = "a match ID";
/// Characters of an ID.
const ID_CHARACTERS: usize = 12;
/// Bytes of an ID: 72 bits.
const ID_BYTES: usize = 9;
/// Code of the owner of a centred cube.
const NOBODY: u8 = 3;

/// The content of a match ID. Players are 0 and 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatchId {
    /// log2 of the cube's value.
    pub cube_log: u8,
    /// The player who owns the cube; `None` while it is centred.
    pub cube_owner: Option<u8>,
    /// The player on roll, or who has rolled.
    pub on_roll: u8,
    /// Whether this is the Crawford game: the first game in which a player needs one more point, played
    /// without doubles.
    pub crawford: bool,
    /// 0 no game, 1 playing, 2 finished, 3 resigned, 4 ended by a dropped double.
    pub state: u8,
    /// The player who must decide now; differs from `on_roll` while a double or a resignation awaits an
    /// answer.
    pub turn: u8,
    /// Whether a double awaits an answer.
    pub doubled: bool,
    /// Points offered by a resignation; 0 if there is none.
    pub resigned: u8,
    /// The roll, in the order written in the ID; `None` before the roll.
    pub dice: Option<[u8; 2]>,
    /// Points to play to; 0 for money play.
    pub length: u16,
    /// The points of players 0 and 1.
    pub score: [u16; 2],
    /// Whether the Jacoby rule is in use: gammons count only once the cube was turned.
    pub jacoby: bool,
}

impl MatchId {
    pub fn dice(&self) -> Option<Dice> {
        self.dice.and_then(|[a, b]| Dice::new(a, b))
    }

    /// What the game is played for, seen from the player on roll. A match ID says nothing about beavers.
    pub fn stakes(&self) -> Result<Stakes, IdError> {
        let stakes = match self.length {
            0 => Stakes::money(self.jacoby, false),
            length => {
                let away = |player: usize| u32::from(length.saturating_sub(self.score[player]));
                let own = usize::from(self.on_roll);
                Stakes::match_play(away(own), away(1 - own), self.crawford)?
            }
        };
        let owner = match self.cube_owner {
            None => CubeOwner::Centred,
            Some(owner) if owner == self.on_roll => CubeOwner::Own,
            Some(_) => CubeOwner::Other,
        };
        Ok(stakes.with_cube(self.cube_log, owner)?)
    }

    pub fn parse(id: &str) -> Result<Self, IdError> {
        let bytes: [u8; ID_BYTES] = decode(id, ID_NAME, ID_CHARACTERS)?;
        let mut padded = [0; 16];
        padded[..ID_BYTES].copy_from_slice(&bytes);
        let mut bits = u128::from_le_bytes(padded);
        // Takes the next `n` bits. The fields below are in the order of the description above.
        let mut take = |n: u32| {
            let value = bits & ((1 << n) - 1);
            bits >>= n;
            value as u16
        };
        let error = |problem| IdError::Part { what: ID_NAME, problem };
        let cube_log = take(4) as u8;
        let cube_owner = match take(2) as u8 {
            NOBODY => None,
            2 => return Err(error("the code of the cube's owner is not 0, 1 or 3")),
            player => Some(player),
        };
        let (on_roll, crawford, state) = (take(1) as u8, take(1) == 1, take(3) as u8);
        if state > 4 {
            return Err(error("the state of the game is not 0 to 4"));
        }
        let (turn, doubled, resigned) = (take(1) as u8, take(1) == 1, take(2) as u8);
        let dice = match [take(3) as u8, take(3) as u8] {
            [0, 0] => None,
            [a, b] if Dice::new(a, b).is_some() => Some([a, b]),
            _ => return Err(error("a die must be 1 to 6")),
        };
        let (length, score, jacoby) = (take(15), [take(15), take(15)], take(1) == 0);
        if bits != 0 {
            return Err(error("the five bits at its end are not zero"));
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

    /// Encodes the ID. Numbers are truncated to the width of their field.
    pub fn id(&self) -> String {
        let (mut bits, mut offset) = (0u128, 0);
        let mut put = |value: u16, n: u32| {
            bits |= (u128::from(value) & ((1 << n) - 1)) << offset;
            offset += n;
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
        encode(&bits.to_le_bytes()[..ID_BYTES])
    }
}

#[cfg(test)]
mod tests {
    use super::super::matches::Scoring;
    use super::*;

    #[test]
    fn stakes_are_those_of_the_player_on_roll() {
        let id = MatchId {
            cube_log: 1,
            cube_owner: Some(0),
            on_roll: 0,
            crawford: false,
            state: 1,
            turn: 0,
            doubled: false,
            resigned: 0,
            dice: None,
            length: 9,
            score: [2, 4],
            jacoby: false,
        };
        let expected = Scoring::Match { own_away: 7, other_away: 5, crawford: false };
        let stakes = id.stakes().expect("possible");
        assert_eq!((stakes.scoring, stakes.cube(), stakes.owner), (expected, 2, CubeOwner::Own));
        assert_eq!(MatchId { on_roll: 1, ..id }.stakes(), Ok(stakes.flipped()));
        let money = MatchId { length: 0, jacoby: true, cube_log: 0, cube_owner: None, ..id };
        assert_eq!(money.stakes(), Ok(Stakes::money(true, false)));
        // Every match ID can be read; not every one has possible stakes.
        for bad in [
            MatchId { length: 32_767, ..id },
            MatchId { score: [9, 4], ..id },
            MatchId { cube_log: 15, ..id },
            MatchId { crawford: true, ..id },
            MatchId { cube_owner: None, ..id },
        ] {
            assert_eq!(MatchId::parse(&bad.id()), Ok(bad));
            assert!(bad.stakes().is_err(), "{bad:?}");
        }
    }
}
