//! Distributions of a side's number of turns, and the chances of a race from those of both sides.

use learnery_backgammon_play::outcomes::Outcomes;
use learnery_worlds::backgammon::{BearOff, Board, TurnDistribution};

use super::{FIRST_FAR, Side, highest};

/// The number of distributions of a side: of the turns until all checkers are off, until the first is off,
/// until none is left in the opponent's home board.
pub const HEADS: usize = 3;
/// Numbers of turns that are told apart: 0 to 39, where 39 also stands for more.
pub const BINS: usize = 40;

/// For each head the probability of each number of turns.
pub type Turns = [[f32; BINS]; HEADS];
/// What is known of a side without a network: a head that is `None` is for the network.
pub type Known = [Option<[f32; BINS]>; HEADS];

/// The distribution of what has already happened: zero turns for sure.
const NONE: [f32; BINS] = {
    let mut bins = [0.0; BINS];
    bins[0] = 1.0;
    bins
};

fn from_table(turns: TurnDistribution) -> [f32; BINS] {
    std::array::from_fn(|i| turns.probability(i))
}

/// The distributions of a side that follow from the rules or the bear-off table.
pub fn known(side: &Side) -> Known {
    let table = BearOff::table();
    let first = if side[0] > 0 { Some(NONE) } else { table.first_off(side).map(from_table) };
    [table.all_off(side).map(from_table), first, (highest(side) < FIRST_FAR).then_some(NONE)]
}

/// Bins of a block. A sum over bins has a partial sum for each place in a block, and these are added at the
/// end in their order: several additions at a time, and the same bits on every machine.
const BLOCK_SIZE: usize = 8;
/// Probabilities below this are left out.
const NEGLIGIBLE: f32 = 1e-7;

/// A side's distributions, prepared to be paired with those of another side.
#[derive(Clone, Debug)]
pub struct Prepared {
    /// The probability of each number of turns until all checkers are off.
    all: [f32; BINS],
    /// The index of the first block in which `all` has more than [`NEGLIGIBLE`], and the one after the last.
    blocks: [usize; 2],
    /// For each head the probability that the side needs at least this many turns; zeros at the end.
    remaining: [[f32; BINS + BLOCK_SIZE]; HEADS],
}

impl Prepared {
    /// For buffers that are filled later.
    pub const NONE: Self =
        Self { all: [0.0; BINS], blocks: [0; 2], remaining: [[0.0; BINS + BLOCK_SIZE]; HEADS] };

    pub fn new(turns: &Turns) -> Self {
        let mut prepared = Self { all: turns[0], ..Self::NONE };
        for (remaining, turns) in prepared.remaining.iter_mut().zip(turns) {
            for i in (0..BINS).rev() {
                remaining[i] = remaining[i + 1] + turns[i];
            }
        }
        let is_something = |block: &[f32]| block.iter().any(|p| *p > NEGLIGIBLE);
        let blocks = || prepared.all.chunks_exact(BLOCK_SIZE);
        let first = blocks().position(is_something).unwrap_or(0);
        prepared.blocks = [first, blocks().rposition(is_something).map_or(first, |last| last + 1)];
        prepared
    }

    /// The probability that this side has all checkers off before the other side reaches `head`: that its
    /// number of turns plus `lag` is at most the other's. `lag` is 1 if the other side rolls first.
    fn is_before(&self, other: &Self, head: usize, lag: usize) -> f32 {
        let [first, end] = self.blocks.map(|block| block * BLOCK_SIZE);
        let remaining = &other.remaining[head][lag..];
        // The elements of `remaining` fall, so all later ones are below this too.
        if remaining[first] < NEGLIGIBLE {
            return 0.0;
        }
        let mut sums = [0.0f32; BLOCK_SIZE];
        let blocks =
            self.all[first..end].chunks_exact(BLOCK_SIZE).zip(remaining[first..].chunks_exact(BLOCK_SIZE));
        for (all, remaining) in blocks {
            for ((sum, p), q) in sums.iter_mut().zip(all).zip(remaining) {
                *sum += p * q;
            }
        }
        sums.iter().sum::<f32>().min(1.0)
    }

    /// The chances of this side, which is on roll, against another. A side wins if all its checkers are off
    /// before those of the other; a gammon or a backgammon, if they are off before the other side has its
    /// first checker off, or has left this side's home board.
    pub fn against(&self, other: &Self, board: &Board) -> Outcomes {
        Outcomes([
            self.is_before(other, 0, 0),
            self.is_before(other, 1, 0),
            self.is_before(other, 2, 0),
            other.is_before(self, 1, 1),
            other.is_before(self, 2, 1),
        ])
        .clamped_to_possible(board)
    }
}

#[cfg(test)]
mod tests {
    use learnery_kernels::rng::Stream;

    use super::super::LAST_HOME;
    use super::*;

    /// A side with `count` checkers at random points of its home board; the others of fifteen are off.
    fn home(stream: Stream, draw: u64, count: u8) -> Side {
        let mut side = [0; 26];
        (0..u64::from(count)).for_each(|i| side[1 + stream.below(draw, i, LAST_HOME as u32) as usize] += 1);
        side[0] = 15 - count;
        side
    }

    /// The probability of [`Prepared::is_before`], pair by pair.
    fn slow_before(side: &[f32; BINS], other: &[f32; BINS], lag: usize) -> f32 {
        let pairs = (0..BINS).flat_map(|own| (0..BINS).map(move |other| (own, other)));
        pairs.filter(|(own, other)| own + lag <= *other).map(|(i, j)| side[i] * other[j]).sum()
    }

    #[test]
    fn chances_of_two_sides_at_home_are_those_of_the_table() {
        let stream = Stream::new(1, 2);
        for draw in 0..200 {
            let sides = [home(stream, 2 * draw, 15), home(stream, 2 * draw + 1, 8 + (draw % 8) as u8)];
            let board = Board::new(&sides[0], &sides[1]).expect("a good board");
            let turns: [Turns; 2] =
                sides.map(|side| known(&side).map(|bins| bins.expect("both are at home")));
            let table = Outcomes::exact(&board).expect("both are at home");
            let [own, other] = turns.each_ref().map(Prepared::new);
            let pairs = own.against(&other, &board).0.into_iter().zip(table.0);
            assert!(pairs.clone().all(|(a, b)| (a - b).abs() < 1e-5), "{:?}", pairs.collect::<Vec<_>>());
            for lag in [0, 1] {
                let expected = slow_before(&turns[0][0], &turns[1][0], lag);
                assert!((own.is_before(&other, 0, lag) - expected).abs() < 1e-5);
            }
        }
    }
}
