//! States packed into 16 bytes, five bits for each place, and their hashes.

use learnery_worlds::puzzle::{MAX_PLACES, State};

/// Bits of a place. Values are below 32.
const BITS: usize = 5;

/// A packed state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Packed(u128);

impl Packed {
    pub fn new(state: &State) -> Self {
        // In two halves, because shifts of 64 bits are faster than those of 128.
        let half =
            |values: &[u8]| values.iter().rev().fold(0u64, |all, value| all << BITS | u64::from(*value));
        let (low, high) = state.split_at(MAX_PLACES / 2);
        Self(u128::from(half(low)) | u128::from(half(high)) << 64)
    }

    pub fn state(self) -> State {
        let mut state = State::default();
        let (low, high) = state.split_at_mut(MAX_PLACES / 2);
        for (values, mut bits) in [(low, self.0 as u64), (high, (self.0 >> 64) as u64)] {
            for value in values {
                *value = (bits % (1 << BITS)) as u8;
                bits >>= BITS;
            }
        }
        state
    }

    /// A hash whose upper bits are well mixed.
    pub fn hash(self) -> u64 {
        // Multiplication by odd constants (fractions of the golden ratio), as in Fibonacci hashing.
        let mixed = (self.0 as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)
            ^ ((self.0 >> 64) as u64).wrapping_mul(0xc2b2_ae3d_27d4_eb4f).rotate_left(32);
        (mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9)
    }
}
