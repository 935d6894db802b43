//! The values of races: each side's distributions come from the bear-off table or from the network, and are
//! kept for the next boards, because lookahead pairs the same sides again and again.

use std::sync::atomic::{AtomicU64, Ordering};

use learnery_backgammon_play::Evaluator;
use learnery_backgammon_play::outcomes::Outcomes;
use learnery_nn::{TensorError, Tensors};
use learnery_worlds::backgammon::{Board, Plays};

use super::network::{Network, Scratch};
use super::turns::{BINS, Prepared, Turns, known};
use super::{LAST_HOME, Side, highest};

/// Boards that are valued together.
const BOARDS_PER_PASS: usize = 64;
/// Sides whose distributions are remembered, a power of two.
const REMEMBERED_SIDES: usize = 1 << 11;

/// Buffers for [`Races::values`].
#[derive(Clone, Debug)]
pub struct RaceScratch {
    /// The number of the `Races` whose values are remembered.
    of: u64,
    network: Scratch,
    /// The keys of the sides that are remembered, by [`slot`]; 0 is no side.
    keys: Vec<u128>,
    /// The distributions of these sides.
    remembered: Vec<Prepared>,
    /// The keys of the different sides of a pass.
    sides: Vec<u128>,
    /// The distributions of these sides.
    turns: Vec<Prepared>,
    /// The indices in `sides` of those that the network must value, and their checkers.
    missing: Vec<usize>,
    missing_sides: Vec<Side>,
    /// What the network says of them.
    found: Vec<Turns>,
    /// For each board the indices in `sides` of its sides, that on roll first.
    pairs: Vec<[usize; 2]>,
}

/// Values races with the network of one side, which does not change any more.
#[derive(Debug)]
pub struct Races {
    network: Network,
    /// Differs from that of all other `Races`, so that none reads values that another has remembered.
    number: u64,
}

/// The index at which a side is remembered. A side replaces another with the same index.
fn slot(key: u128) -> usize {
    // Fibonacci hashing of both halves.
    let folded = (key as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ ((key >> 64) as u64);
    (folded.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as usize & (REMEMBERED_SIDES - 1)
}

impl Races {
    pub fn new(network: Network) -> Self {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        Self { network, number: NUMBER.fetch_add(1, Ordering::Relaxed) }
    }

    /// Reads the network of one side, if the tensors have one.
    pub fn from_tensors(tensors: &Tensors) -> Result<Option<Self>, TensorError> {
        Ok(Network::find(tensors)?.map(Self::new))
    }

    pub fn to_tensors(&self) -> Tensors {
        self.network.weights().to_tensors()
    }

    pub fn scratch(&self) -> RaceScratch {
        RaceScratch {
            of: self.number,
            network: self.network.scratch(),
            keys: vec![0; REMEMBERED_SIDES],
            remembered: vec![Prepared::NONE; REMEMBERED_SIDES],
            sides: Vec::new(),
            turns: Vec::new(),
            missing: Vec::new(),
            missing_sides: Vec::new(),
            found: Vec::new(),
            pairs: Vec::new(),
        }
    }

    /// Computes the values of the races `board(i)`, for each `i` in `races`, and writes them to `out[i]`.
    pub fn values(
        &self,
        races: &[u32],
        board: &dyn Fn(usize) -> Board,
        scratch: &mut RaceScratch,
        out: &mut [Outcomes],
    ) {
        if scratch.of != self.number {
            *scratch = self.scratch();
        }
        let RaceScratch {
            of: _,
            network,
            keys,
            remembered,
            sides,
            turns,
            missing,
            missing_sides,
            found,
            pairs,
        } = scratch;
        for races in races.chunks(BOARDS_PER_PASS) {
            sides.clear();
            turns.clear();
            missing.clear();
            missing_sides.clear();
            pairs.clear();
            for race in races {
                let board = board(*race as usize);
                let (own, other) = board.key();
                let places = [Board::own_places, Board::other_places];
                pairs.push(std::array::from_fn(|i| {
                    let key = [own, other][i];
                    if let Some(number) = sides.iter().position(|known| *known == key) {
                        return number;
                    }
                    sides.push(key);
                    let slot = slot(key);
                    if keys[slot] == key {
                        turns.push(remembered[slot].clone());
                        return sides.len() - 1;
                    }
                    let side = places[i](&board);
                    if highest(&side) > LAST_HOME {
                        turns.push(Prepared::NONE);
                        missing.push(sides.len() - 1);
                        missing_sides.push(side);
                    } else {
                        let prepared = Prepared::new(&known(&side).map(|bins| bins.unwrap_or([0.0; BINS])));
                        (keys[slot], remembered[slot]) = (key, prepared.clone());
                        turns.push(prepared);
                    }
                    sides.len() - 1
                }));
            }
            self.network.turns(missing_sides, network, found);
            for (number, found) in missing.iter().zip(&*found) {
                let prepared = Prepared::new(found);
                let slot = slot(sides[*number]);
                (keys[slot], remembered[slot]) = (sides[*number], prepared.clone());
                turns[*number] = prepared;
            }
            for (race, [own, other]) in races.iter().zip(&*pairs) {
                let race = *race as usize;
                out[race] = turns[*own].against(&turns[*other], &board(race));
            }
        }
    }
}

/// For races and finished games only.
impl Evaluator for Races {
    type Scratch = RaceScratch;

    fn scratch(&self) -> RaceScratch {
        self.scratch()
    }

    fn value(&self, board: &Board, scratch: &mut RaceScratch) -> Outcomes {
        let mut out = Vec::new();
        self.values_of_boards(board, &[*board], scratch, &mut out);
        out[0]
    }

    fn values_of_boards(
        &self,
        _near: &Board,
        boards: &[Board],
        scratch: &mut RaceScratch,
        out: &mut Vec<Outcomes>,
    ) {
        out.clear();
        out.extend(boards.iter().map(|board| Outcomes::exact(board).unwrap_or_default()));
        let is_open = |i: &u32| Outcomes::exact(&boards[*i as usize]).is_none();
        let races: Vec<u32> = (0..boards.len() as u32).filter(is_open).collect();
        self.values(&races, &|i| boards[i], scratch, out);
    }

    fn values_of_plays(
        &self,
        before: &Board,
        plays: &Plays,
        scratch: &mut RaceScratch,
        out: &mut Vec<Outcomes>,
    ) {
        let boards: Vec<Board> = plays.iter().collect();
        self.values_of_boards(before, &boards, scratch, out);
    }
}

#[cfg(test)]
mod tests {
    use learnery_kernels::rng::Stream;
    use learnery_worlds::backgammon::Dice;

    use super::super::side;
    use super::*;

    fn random_races(seed: u32) -> Races {
        let mut network = Network::new([16, 8]);
        network.update(|params| {
            Stream::new(seed, 4).fill_normal(0, params);
            params.iter_mut().for_each(|p| *p *= 0.1);
        });
        Races::new(network)
    }

    /// What is remembered, and what else is valued, changes no bit; another evaluator's values are not read.
    #[test]
    fn values_depend_on_the_position_alone() {
        let (races, other) = (random_races(1), random_races(2));
        let (mut scratch, mut values, mut plays) = (races.scratch(), Vec::new(), Plays::new());
        let mut board =
            Board::new(&side(&[(12, 4), (8, 5), (5, 6)]), &side(&[(11, 5), (7, 3), (3, 7)])).expect("good");
        let mut compared = 0;
        for turn in 0..12 {
            plays.find(&board, Dice::for_turn(Stream::new(5, 0), 0, turn));
            races.values_of_plays(&board, &plays, &mut scratch, &mut values);
            for (after, value) in plays.iter().zip(&values) {
                assert_eq!(races.value(&after, &mut races.scratch()), *value);
                assert_eq!(races.value(&after, &mut scratch), *value);
                if let Some(exact) = Outcomes::exact(&after) {
                    assert_eq!(*value, exact);
                    continue;
                }
                let others = other.value(&after, &mut other.scratch());
                assert_ne!(others, *value);
                assert_eq!(other.value(&after, &mut scratch), others);
                assert_eq!(races.value(&after, &mut scratch), *value);
                compared += 1;
            }
            board = plays.get(plays.len() / 2);
            if board.other_won().is_some() {
                break;
            }
        }
        assert!(compared > 30, "{compared}");
    }
}
