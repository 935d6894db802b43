//! States of a puzzle packed into 128 bits, and their hashes.

use learnery_worlds::puzzle::{MAX_PLACES, State};

/// Bits for the value of each place (the piece there and its orientation), which is below 32.
const BITS_PER_PLACE: usize = 5;

/// A packed state. Each 64-bit half holds ten places, the first of them in the lowest bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Packed(u128);

impl Packed {
    pub fn new(state: &State) -> Self {
        // In two halves, because shifting a 64-bit integer is faster than shifting a 128-bit one.
        let half = |values: &[u8]| {
            values.iter().rev().fold(0u64, |all, value| all << BITS_PER_PLACE | u64::from(*value))
        };
        let (low, high) = state.split_at(MAX_PLACES / 2);
        Self(u128::from(half(low)) | u128::from(half(high)) << 64)
    }

    pub fn state(self) -> State {
        let mut state = State::default();
        let (low, high) = state.split_at_mut(MAX_PLACES / 2);
        for (values, mut bits) in [(low, self.0 as u64), (high, (self.0 >> 64) as u64)] {
            for value in values {
                *value = (bits % (1 << BITS_PER_PLACE)) as u8;
                bits >>= BITS_PER_PLACE;
            }
        }
        state
    }

    /// A 64-bit hash. A table takes the upper bits as the index, and they depend on all bits of the state.
    pub fn hash(self) -> u64 {
        // Each half is multiplied by an odd constant (2^64 over the golden ratio, and a prime of xxHash);
        // then a round of xorshift and multiplication, with the first multiplier of SplitMix64.
        let mixed = (self.0 as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)
            ^ ((self.0 >> 64) as u64).wrapping_mul(0xc2b2_ae3d_27d4_eb4f).rotate_left(32);
        (mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9)
    }
}
