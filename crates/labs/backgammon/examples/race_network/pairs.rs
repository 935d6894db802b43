//! Races as pairs of sides, with the chances that the teacher gives them.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use learnery_backgammon_play::outcomes::{OUTCOMES, Outcomes};
use learnery_kernels::rng::Stream;
use learnery_nn::Tensors;
use learnery_worlds::backgammon::{Board, Dice, POINTS, Plays};
use rayon::prelude::*;

use crate::sides::{Side, highest, pips_beyond};
use crate::turns::{Turns, outcomes};
use crate::{PAIRS, SEED};

/// Sides that are tried as the other side of a race.
const TRIES: u64 = 64;
const PLACES: usize = 26;
/// A race and its chances.
pub struct Race {
    pub board: Board,
    pub chances: Outcomes,
}

/// Races that must not be learned from, nor any within two rolls of them: the sides of each, and those that a
/// turn leads to.
pub struct Excluded {
    /// Even numbers are the sides on roll; each is followed by the other side of its race.
    sides: Vec<Side>,
    /// The numbers of the sides from which a turn leads to this one, or to which no turn is needed.
    after: HashMap<Side, Vec<u32>>,
}

impl Excluded {
    /// The races of a file whose lines begin with a position ID.
    pub fn read(path: &Path) -> Result<Self, Box<dyn std::error::Error>> {
        let (mut sides, mut after) = (Vec::new(), HashMap::<Side, Vec<u32>>::new());
        for line in std::fs::read_to_string(path)?.lines() {
            let board = Board::from_position_id(line.split('\t').next().unwrap_or_default())?;
            if board.is_race() {
                sides.extend([board.own_places(), board.other_places()]);
            }
        }
        for (number, side) in (0..).zip(&sides) {
            for next in within_a_turn(side) {
                after.entry(next).or_default().push(number);
            }
        }
        Ok(Self { sides, after })
    }

    /// For each side, the numbers of the excluded sides from which it is a turn or less away, in any direction.
    pub fn near(&self, sides: &[Side]) -> Vec<Vec<u32>> {
        let numbers: HashMap<&Side, Vec<u32>> =
            (0..).zip(&self.sides).fold(HashMap::new(), |mut numbers, (number, side)| {
                numbers.entry(side).or_insert_with(Vec::new).push(number);
                numbers
            });
        let near = |side: &Side| {
            let mut near = self.after.get(side).cloned().unwrap_or_default();
            within_a_turn(side)
                .iter()
                .filter_map(|next| numbers.get(next))
                .for_each(|list| near.extend(list));
            near.sort_unstable();
            near.dedup();
            near
        };
        sides.par_iter().map(near).collect()
    }
}

/// The side, and all to which a turn leads.
fn within_a_turn(side: &Side) -> HashSet<Side> {
    let (mut plays, mut found) = (Plays::new(), HashSet::from([*side]));
    // Nothing is rolled once all checkers are off.
    if let Ok(board) = Board::new(side, &[0; 26]) {
        for dice in Dice::ALL {
            plays.find(&board, dice);
            found.extend(plays.iter().map(|after| after.other_places()));
        }
    }
    found
}

/// Whether these may be the two sides of a race that is within two rolls of an excluded one.
fn are_near(own: &[u32], other: &[u32]) -> bool {
    // The number of the other side of a race differs in the lowest bit.
    own.iter().any(|number| other.contains(&(number ^ 1)))
}

/// Draws `count` races of sides of the pool: three quarters of them close, the others any. Returns also how
/// many were left out because they are near an excluded one.
pub fn draw(pool: &[Side], turns: &[Turns], count: u64, excluded: &Excluded) -> (Vec<Race>, usize) {
    let stream = Stream::new(SEED, PAIRS);
    let n = pool.len() as u32;
    let pips: Vec<u32> = pool.iter().map(|side| pips_beyond(side, 0)).collect();
    let near = excluded.near(pool);
    let draw = |number: u64| {
        let own = stream.below(number, 0, n) as usize;
        let is_close = stream.below(number, 1, 4) > 0;
        let margin = 8 + (pips[own] + 5) / 10;
        let other = (2..TRIES).map(|i| stream.below(number, i, n) as usize).find(|other| {
            highest(&pool[own]) + highest(&pool[*other]) <= POINTS
                && (!is_close || pips[own].abs_diff(pips[*other]) <= margin)
        })?;
        let board = Board::new(&pool[own], &pool[other]).ok()?;
        if Outcomes::exact(&board).is_some() {
            return None;
        }
        if are_near(&near[own], &near[other]) {
            return Some(None);
        }
        Some(Some(Race { board, chances: outcomes(&board, &turns[own], &turns[other]) }))
    };
    let drawn: Vec<Option<Race>> = (0..count).into_par_iter().filter_map(draw).collect();
    let left_out = drawn.iter().filter(|race| race.is_none()).count();
    (drawn.into_iter().flatten().collect(), left_out)
}

/// The races as tensors, for a file.
pub fn to_tensors(races: &[Race]) -> Tensors {
    let sides = |race: &Race| [race.board.own_places(), race.board.other_places()].concat();
    let boards: Vec<u8> = races.iter().flat_map(sides).collect();
    let chances: Vec<f32> = races.iter().flat_map(|race| race.chances.0).collect();
    let mut tensors = Tensors::new();
    tensors.insert("boards", &[races.len() * 2 * PLACES], &boards);
    tensors.insert("chances", &[races.len() * OUTCOMES], &chances);
    tensors
}

/// What [`to_tensors`] gave.
pub fn from_tensors(tensors: &Tensors) -> Result<Vec<Race>, Box<dyn std::error::Error>> {
    let (boards, chances) = (tensors.get_vec::<u8>("boards")?, tensors.get_vec::<f32>("chances")?);
    let (sides, chances) = (boards.as_chunks::<PLACES>().0, chances.as_chunks().0);
    let race = |(sides, chances): (&[Side], &[f32; OUTCOMES])| {
        Ok(Race { board: Board::new(&sides[0], &sides[1])?, chances: Outcomes(*chances) })
    };
    sides.chunks_exact(2).zip(chances).map(race).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sides::side;

    #[test]
    fn races_are_written_and_read() {
        let board = Board::new(&side(&[(9, 2), (3, 4)]), &side(&[(11, 5), (1, 9)])).expect("a good board");
        let race = |chances| Race { board, chances: Outcomes(chances) };
        let races = [race([0.5, 0.1, 0.0, 0.2, 0.1]), race([0.25; 5])];
        let read = from_tensors(&to_tensors(&races)).expect("our own tensors");
        assert!(read.iter().zip(&races).all(|(a, b)| a.board == b.board && a.chances == b.chances));
        assert_eq!(read.len(), 2);
        let mut damaged = to_tensors(&races);
        damaged.insert("boards", &[2 * 2 * PLACES], &[9u8; 2 * 2 * PLACES]);
        assert!(from_tensors(&damaged).is_err());
    }

    #[test]
    fn races_within_two_rolls_of_an_excluded_one_are_near() {
        let golden = [side(&[(9, 2), (6, 5), (3, 4)]), side(&[(11, 3), (5, 6), (1, 3)])];
        let sides = golden.to_vec();
        let after = HashMap::from_iter(within_a_turn(&golden[0]).into_iter().map(|side| (side, vec![0])));
        let excluded = Excluded { sides, after };
        // A 6 and a 1 from the first side; the second side has come from point 12 and 13 with a 1 and a 2.
        let moved = side(&[(9, 1), (6, 5), (3, 5)]);
        let moved = [moved, side(&[(9, 1), (6, 4), (5, 1), (3, 5)])];
        let before = side(&[(13, 1), (12, 1), (11, 1), (5, 6), (1, 3)]);
        let far = side(&[(20, 1), (5, 6), (1, 3)]);
        let near = excluded.near(&[golden[0], moved[1], golden[1], before, far]);
        for own in [0, 1] {
            for other in [2, 3] {
                assert!(are_near(&near[own], &near[other]) && are_near(&near[other], &near[own]));
            }
            assert!(!are_near(&near[own], &near[4]));
        }
        assert!(!are_near(&near[0], &near[1]));
    }
}
