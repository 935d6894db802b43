//! Parser of eXtreme Gammon's position IDs: `XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10`.
//!
//! Fields are separated by colons. eXtreme Gammon draws one player at the bottom of the board ("lower") and
//! one at the top ("upper").
//!
//! ```text
//! 1  26 characters in the lower player's numbering: the upper player's bar, points 1 to 24, the lower player's
//!    bar; A to O are 1 to 15 checkers of the lower player, a to o of the upper player, - is an empty place
//! 2  log2 of the cube
//! 3  its owner: 1 for the lower player, -1 for the upper player, 0 for nobody
//! 4  the player on roll: 1 for the lower player, -1 for the upper player
//! 5  the dice: 00 before the roll, D, B or R while a double, beaver or raccoon awaits an answer
//! 6  the lower player's score        7  the upper player's score
//! 8  in a match 1 in the Crawford game; for money 1 with the Jacoby rule, 2 with beavers, 3 with both
//! 9  points to play to, 0 for money
//! ```
//!
//! The fields after the fifth may be missing, and mean 0. A tenth, the highest cube, is ignored.

use super::board::{BAR, Board};
use super::dice::Dice;
use super::matches::{CubeOwner, Stakes};
use super::position_id::IdError;

/// The name of the format in error messages.
const ID_NAME: &str = "an XGID";
/// Characters of the first field: 24 points and two bars.
const PLACES: usize = 26;

/// The content of an XGID.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Xgid {
    /// The position, seen from the side on roll.
    pub board: Board,
    /// Whether the lower player is on roll.
    pub lower_rolls: bool,
    /// `None` before the roll.
    pub dice: Option<Dice>,
    /// What the game is played for, seen from the side on roll; or why the fields about it are impossible,
    /// which does not matter to whoever needs the checkers only.
    pub stakes: Result<Stakes, IdError>,
}

impl Xgid {
    /// Parses an XGID, with or without the prefix `XGID=`.
    pub fn parse(text: &str) -> Result<Self, IdError> {
        let error = |problem| IdError::Part { what: ID_NAME, problem };
        let parts: Vec<&str> = text.strip_prefix("XGID=").unwrap_or(text).split(':').collect();
        let [places, cube, owner, turn, dice, ..] = parts[..] else {
            return Err(error("it needs places, cube, cube owner, turn and dice, separated by colons"));
        };
        let found = places.chars().count();
        if found != PLACES {
            return Err(IdError::Length { what: "the first field of an XGID", expected: PLACES, found });
        }
        let (mut lower, mut upper) = ([0; PLACES], [0; PLACES]);
        for (place, c) in places.chars().enumerate() {
            // `A` and `a` stand for one checker.
            let count = |one_checker: char| (c as u32 - one_checker as u32 + 1) as u8;
            // The upper player's bar holds no checker of the lower player, and vice versa.
            match c {
                '-' => {}
                'A'..='O' if place > 0 => lower[place] = count('A'),
                'a'..='o' if place < BAR => upper[BAR - place] = count('a'),
                _ => return Err(IdError::Character(c)),
            }
        }
        let board = match turn {
            "1" => Board::new(&lower, &upper)?,
            "-1" => Board::new(&upper, &lower)?,
            _ => return Err(error("the turn must be 1 or -1")),
        };
        let dice = match dice.as_bytes() {
            b"00" | b"D" | b"B" | b"R" => None,
            [a @ b'0'..=b'9', b @ b'0'..=b'9'] => {
                Some(Dice::new(a - b'0', b - b'0').ok_or(error("a die must be 1 to 6"))?)
            }
            _ => return Err(error("there must be two dice")),
        };
        let field = |i: usize| parts.get(i).copied().unwrap_or("0");
        let stakes = stakes(cube, owner, [5, 6, 7, 8].map(field));
        let stakes = stakes.map(|lower| if turn == "1" { lower } else { lower.flipped() });
        Ok(Self { board, lower_rolls: turn == "1", dice, stakes })
    }
}

/// The stakes, seen from the lower player. `rest` are the fields 6 to 9.
fn stakes(cube: &str, owner: &str, rest: [&str; 4]) -> Result<Stakes, IdError> {
    let error = |problem| IdError::Part { what: ID_NAME, problem };
    let number = |text: &str, problem| text.parse::<u16>().map(u32::from).map_err(|_| error(problem));
    let cube_log = cube.parse::<u8>().map_err(|_| error("the cube must be a number"))?;
    let owner = match owner {
        "0" => CubeOwner::Centred,
        "1" => CubeOwner::Own,
        "-1" => CubeOwner::Other,
        _ => return Err(error("the cube's owner must be 1, 0 or -1")),
    };
    let [lower, upper, rules, length] = rest;
    let (lower, upper) =
        (number(lower, "a score must be a number")?, number(upper, "a score must be a number")?);
    let length = number(length, "the match length must be a number")?;
    let stakes = match (length, rules) {
        (0, "0" | "1" | "2" | "3") => Stakes::money(matches!(rules, "1" | "3"), matches!(rules, "2" | "3")),
        (_, "0" | "1") => {
            let away = |score| length.saturating_sub(score);
            Stakes::match_play(away(lower), away(upper), rules == "1")?
        }
        _ => {
            return Err(error(
                "the field of the Crawford and Jacoby rules must be 0 to 3, in a match 0 or 1",
            ));
        }
    };
    Ok(stakes.with_cube(cube_log, owner)?)
}

#[cfg(test)]
mod tests {
    use super::super::matches::Scoring;
    use super::*;

    /// The stakes of the start position with these fields from the cube on.
    fn stakes_of(cube: &str, turn: &str, rest: &str) -> Result<Stakes, String> {
        let text = format!("XGID=-b----E-C---eE---c-e----B-:{cube}:{turn}:00{rest}");
        Xgid::parse(&text).map_err(|e| e.to_string())?.stakes.map_err(|e| e.to_string())
    }

    #[test]
    fn stakes_are_read_from_the_side_on_roll() {
        assert_eq!(stakes_of("0:0", "1", ""), Ok(Stakes::money(false, false)));
        assert_eq!(stakes_of("0:0", "1", ":3:5:3:0:10"), Ok(Stakes::money(true, true)));
        let score = |own_away, other_away, crawford| Scoring::Match { own_away, other_away, crawford };
        // The lower player has 2 points of 7 and owns a cube of 4.
        let lower = stakes_of("2:1", "1", ":2:5:0:7:10").expect("possible");
        assert_eq!((lower.scoring, lower.cube(), lower.owner), (score(5, 2, false), 4, CubeOwner::Own));
        let upper = stakes_of("2:1", "-1", ":2:5:0:7:10").expect("possible");
        assert_eq!((upper.scoring, upper.cube(), upper.owner), (score(2, 5, false), 4, CubeOwner::Other));
        let crawford = stakes_of("0:0", "1", ":0:4:1:5:10").expect("possible");
        assert_eq!(crawford.scoring, score(5, 1, true));
    }

    #[test]
    fn impossible_stakes_are_refused_in_a_sentence() {
        for (cube, rest, words) in [
            ("x:0", "", "cube must be a number"),
            ("99:1", "", "higher than 4096"),
            ("1:0", "", "belongs to nobody"),
            ("0:2", "", "1, 0 or -1"),
            ("0:0", ":-1:0:0:5", "score must be a number"),
            ("0:0", ":5:0:0:5", "match is over"),
            ("0:0", ":65535:0:0:5", "match is over"),
            ("0:0", ":0:0:0:99", "99 points"),
            ("0:0", ":0:0:1:5", "no side needs exactly one point"),
            ("0:0", ":0:0:4:5", "0 to 3"),
            ("0:0", ":0:0:0:99999", "match length"),
        ] {
            let error = stakes_of(cube, "1", rest);
            assert!(error.as_ref().is_err_and(|e| e.contains(words)), "{cube} {rest}: {error:?}");
        }
    }
}
