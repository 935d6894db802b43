//! The best candidates in order, and the set of states that were seen.

use super::Packed;

/// A candidate: its score as an integer with the same order, then its index among all scores. The smallest
/// key is the best candidate; of equal scores the one with the smaller index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key {
    score: u32,
    pub index: u32,
}

impl Key {
    fn new(score: f32, index: usize) -> Self {
        // Read as integers, the bits of positive floats have the order of the floats, and those of negative
        // ones the reverse order. So negative floats (with the upper bit set) are inverted, and positive ones
        // get the upper bit to come after them. A NaN takes the largest positive bits and comes last.
        let bits = if score.is_nan() { u32::MAX >> 1 } else { score.to_bits() };
        let ordered = if bits >> 31 == 1 { !bits } else { bits | 1 << 31 };
        Self { score: ordered, index: index as u32 }
    }
}

/// Gives out candidates in order, the best first. It sorts about as many as are asked for, not all.
#[derive(Debug, Default)]
pub struct Selection {
    /// The other candidates, in no order. None of them is better than one in `sorted`.
    keys: Vec<Key>,
    /// The best candidates that were not given out, sorted, the best last.
    sorted: Vec<Key>,
}

impl Selection {
    /// Begins with all candidates but those of infinite score, which are redundant.
    pub fn begin(&mut self, scores: &[f32]) {
        self.sorted.clear();
        self.keys.clear();
        let finite = scores.iter().enumerate().filter(|(_, score)| **score < f32::INFINITY || score.is_nan());
        self.keys.extend(finite.map(|(index, score)| Key::new(*score, index)));
    }

    /// How many candidates are sorted next, if `batch` are asked for.
    fn next_batch(&self, batch: usize) -> usize {
        // A quarter more than asked for and a few, because the search drops candidates whose states it has
        // seen.
        self.keys.len().min(batch + batch / 4 + 16)
    }

    /// About how long [`Selection::next`] takes, in candidates that are read once.
    pub fn work_of_next(&self, batch: usize) -> usize {
        /// Sorting a candidate takes as long as reading so many.
        const WORK_OF_SORTING: usize = 16;
        if self.sorted.is_empty() { self.keys.len() + WORK_OF_SORTING * self.next_batch(batch) } else { 1 }
    }

    /// The best candidate that was not given out. About `batch` are sorted at a time.
    pub fn next(&mut self, batch: usize) -> Option<Key> {
        if self.sorted.is_empty() {
            let count = self.next_batch(batch);
            if count < self.keys.len() {
                self.keys.select_nth_unstable(count);
            }
            self.sorted.extend(self.keys.drain(..count));
            self.sorted.sort_unstable_by(|a, b| b.cmp(a));
        }
        self.sorted.pop()
    }
}

/// A set of states: a hash table with linear probing.
#[derive(Debug, Default)]
pub struct Seen {
    /// An empty slot holds zero, which is no state: no puzzle has the same piece at two places.
    slots: Vec<Packed>,
    /// Bits of an index.
    bits: u32,
}

impl Seen {
    /// The most bytes of a table for each state: `begin` makes two slots or more, but fewer than four.
    pub const BYTES_PER_STATE: usize = 4 * size_of::<Packed>();

    /// Empties the set and makes room for this many states: at most half of the slots are taken, so that
    /// probes are short.
    pub fn begin(&mut self, states: usize) {
        self.bits = (2 * states.max(8)).next_power_of_two().trailing_zeros();
        self.slots.clear();
        self.slots.resize(1 << self.bits, Packed::default());
    }

    /// The slot of a state, or the empty one where it would be.
    fn slot(&self, state: Packed) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = (state.hash() >> (64 - self.bits)) as usize;
        while self.slots[slot] != Packed::default() && self.slots[slot] != state {
            slot = (slot + 1) & mask;
        }
        slot
    }

    pub fn contains(&self, state: Packed) -> bool {
        !self.slots.is_empty() && self.slots[self.slot(state)] == state
    }

    /// Inserts a state. Returns whether it is new.
    pub fn insert(&mut self, state: Packed) -> bool {
        let slot = self.slot(state);
        let is_new = self.slots[slot] != state;
        self.slots[slot] = state;
        is_new
    }
}
