//! Counter-based random numbers: Philox4x32-10 (Salmon et al., "Parallel random numbers: as easy as
//! 1, 2, 3", 2011). A number is a pure function of (seed, purpose, index), so it does not matter which
//! thread asks, in what order, or whether a run was stopped in between. Every number has the same bits on every
//! target.

mod dirichlet;
mod fill;

use fill::Kind;

use crate::simd::Simd;

/// A stream of random numbers for one purpose of one run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stream {
    key: [u32; 2],
}

impl Stream {
    /// The stream for `purpose` (a constant of the caller's choice) under `seed`.
    pub const fn new(seed: u32, purpose: u32) -> Self {
        Self { key: [seed, purpose] }
    }

    /// Four random words for a two-part index, such as (world, step).
    pub fn block(&self, index: u64, sub: u64) -> [u32; 4] {
        philox([index as u32, (index >> 32) as u32, sub as u32, (sub >> 32) as u32], self.key)
    }

    /// Four uniform numbers in [0, 1), each a multiple of 2^-24.
    pub fn uniform4(&self, index: u64, sub: u64) -> [f32; 4] {
        self.block(index, sub).map(to_unit)
    }

    /// The same of an index in every lane, each in two words, the lower first.
    #[inline(always)]
    pub fn uniform4_lanes<S: Simd>(&self, s: S, index: [S::U; 2], sub: [S::U; 2]) -> [S::F; 4] {
        fill::uniform_lanes(s, *self, index, sub)
    }

    /// One uniform number in [0, 1).
    pub fn uniform(&self, index: u64, sub: u64) -> f32 {
        to_unit(self.block(index, sub)[0])
    }

    /// Fills `out` with uniform numbers in [0, 1): value i is word i mod 4 of `block(index, i / 4)`, as
    /// [`Stream::uniform4`] gives it. Blocks are computed side by side in vectors.
    pub fn fill_uniform(&self, index: u64, out: &mut [f32]) {
        fill::fill(*self, Kind::Uniform, index, 0, out);
    }

    /// The same from block (`index`, `sub`) on.
    pub fn fill_uniform_from(&self, index: u64, sub: u64, out: &mut [f32]) {
        fill::fill(*self, Kind::Uniform, index, sub, out);
    }

    /// Fills `out` with standard normal numbers from block (`index`, `sub`) on.
    pub fn fill_normal_from(&self, index: u64, sub: u64, out: &mut [f32]) {
        fill::fill(*self, Kind::Normal, index, sub, out);
    }

    /// Fills `out` with standard normal numbers, four from each of the blocks (`index`, 0), (`index`, 1), ...; as
    /// [`Stream::normal4`] gives them.
    pub fn fill_normal(&self, index: u64, out: &mut [f32]) {
        fill::fill(*self, Kind::Normal, index, 0, out);
    }

    /// Fills `out` with numbers of the standard Gumbel distribution, four from each block. The index of the largest
    /// sum of a logit and such a number is a draw from the softmax of the logits.
    pub fn fill_gumbel(&self, index: u64, out: &mut [f32]) {
        fill::fill(*self, Kind::Gumbel, index, 0, out);
    }

    /// Fills `out` with one draw from the symmetric Dirichlet distribution of concentration `alpha`: numbers that are
    /// not negative and sum to one, up to rounding.
    pub fn fill_dirichlet(&self, index: u64, alpha: f32, out: &mut [f32]) {
        dirichlet::fill(*self, index, alpha, out);
    }

    /// One uniform integer in `0..n`, without bias worth the name (2^-32 n).
    pub fn below(&self, index: u64, sub: u64, n: u32) -> u32 {
        ((u64::from(self.block(index, sub)[0]) * u64::from(n)) >> 32) as u32
    }

    /// Four independent standard normal numbers.
    pub fn normal4(&self, index: u64, sub: u64) -> [f32; 4] {
        let mut out = [0.0; 4];
        fill::fill(*self, Kind::Normal, index, sub, &mut out);
        out
    }

    /// The first two of them.
    pub fn normal2(&self, index: u64, sub: u64) -> [f32; 2] {
        let [a, b, ..] = self.normal4(index, sub);
        [a, b]
    }

    /// Puts `order` into a random order that depends only on (stream, index): Fisher and Yates.
    pub fn shuffle(&self, index: u64, order: &mut [u32]) {
        let mut words = [0; 256];
        let mut end = order.len();
        while end > 1 {
            // `end - 1` down to `begin` are drawn for at once: the first word of block (index, i) each.
            let begin = end.saturating_sub(words.len()).max(1);
            let words = &mut words[..end - begin];
            fill::first_words(*self, index, begin as u64, words);
            for (i, word) in (begin..end).zip(words).rev() {
                order.swap(i, ((u64::from(*word) * (i as u64 + 1)) >> 32) as usize);
            }
            end = begin;
        }
    }
}

/// The top 24 bits of a word as a float in [0, 1).
pub fn to_unit(word: u32) -> f32 {
    (word >> 8) as f32 * (1.0 / 16_777_216.0)
}

const ROUNDS: usize = 10;
const MULTIPLIERS: [u32; 2] = [0xD251_1F53, 0xCD9E_8D57];
const KEY_STEPS: [u32; 2] = [0x9E37_79B9, 0xBB67_AE85];

/// Philox4x32-10 itself.
pub fn philox(mut counter: [u32; 4], mut key: [u32; 2]) -> [u32; 4] {
    for _ in 0..ROUNDS {
        let p0 = u64::from(MULTIPLIERS[0]) * u64::from(counter[0]);
        let p1 = u64::from(MULTIPLIERS[1]) * u64::from(counter[2]);
        counter = [
            (p1 >> 32) as u32 ^ counter[1] ^ key[0],
            p1 as u32,
            (p0 >> 32) as u32 ^ counter[3] ^ key[1],
            p0 as u32,
        ];
        key = [key[0].wrapping_add(KEY_STEPS[0]), key[1].wrapping_add(KEY_STEPS[1])];
    }
    counter
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Known answers published with Random123.
    #[test]
    fn philox_known_answers() {
        assert_eq!(philox([0; 4], [0; 2]), [0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8]);
        assert_eq!(philox([!0; 4], [!0; 2]), [0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd]);
        assert_eq!(
            philox([0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344], [0xa4093822, 0x299f31d0]),
            [0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1]
        );
    }
}
