//! Counter-based random numbers: Philox4x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3",
//! 2011).
//!
//! A number is a pure function of the seed, a stream id, and two 64-bit indices (`index` and `sub`). Seed and
//! stream id are the 64-bit key of Philox, the indices its 128-bit counter. Each counter gives a block of
//! four random 32-bit words.
//!
//! So numbers do not depend on the order of calls, on the number of threads, or on whether a run was
//! interrupted. They have the same bits on every target.

mod dirichlet;
mod fill;

use fill::Distribution;

use crate::simd::Simd;

/// An independent stream of random numbers. It has no state: all methods are pure functions of their
/// arguments. `index` and `sub` select a block of the stream, for example `index` a world and `sub` a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stream {
    key: [u32; 2],
}

impl Stream {
    /// The stream `stream_id` of `seed`. Callers use a constant stream id for each use of random numbers.
    pub const fn new(seed: u32, stream_id: u32) -> Self {
        Self { key: [seed, stream_id] }
    }

    /// Seed and stream id, the key of Philox, for kernels outside this crate that compute the same words.
    pub const fn key(&self) -> [u32; 2] {
        self.key
    }

    /// The four random words of block (`index`, `sub`). The counter has the low word of each index first.
    pub fn block(&self, index: u64, sub: u64) -> [u32; 4] {
        philox([index as u32, (index >> 32) as u32, sub as u32, (sub >> 32) as u32], self.key)
    }

    /// Four uniform numbers in [0, 1), each a multiple of 2^-24.
    pub fn uniform4(&self, index: u64, sub: u64) -> [f32; 4] {
        self.block(index, sub).map(to_unit)
    }

    /// [`Stream::uniform4`] for one block per lane. `index` and `sub` are two words each, the low word first.
    #[inline(always)]
    pub fn uniform4_lanes<S: Simd>(&self, s: S, index: [S::U; 2], sub: [S::U; 2]) -> [S::F; 4] {
        fill::uniform_lanes(s, *self, index, sub)
    }

    /// [`Stream::normal4`] for one block per lane; see [`Stream::uniform4_lanes`].
    #[inline(always)]
    pub fn normal4_lanes<S: Simd>(&self, s: S, index: [S::U; 2], sub: [S::U; 2]) -> [S::F; 4] {
        fill::normal_lanes(s, *self, index, sub)
    }

    /// One uniform number in [0, 1).
    pub fn uniform(&self, index: u64, sub: u64) -> f32 {
        to_unit(self.block(index, sub)[0])
    }

    /// Fills `out` with uniform numbers in [0, 1): value i is number i mod 4 of `uniform4(index, i / 4)`.
    pub fn fill_uniform(&self, index: u64, out: &mut [f32]) {
        fill::fill(*self, Distribution::Uniform, index, 0, out);
    }

    /// [`Stream::fill_uniform`] from block (`index`, `sub`) on.
    pub fn fill_uniform_from(&self, index: u64, sub: u64, out: &mut [f32]) {
        fill::fill(*self, Distribution::Uniform, index, sub, out);
    }

    /// Fills `out` with standard normal numbers, four from each block, from block (`index`, `sub`) on.
    pub fn fill_normal_from(&self, index: u64, sub: u64, out: &mut [f32]) {
        fill::fill(*self, Distribution::Normal, index, sub, out);
    }

    /// Fills `out` with standard normal numbers: value i is number i mod 4 of `normal4(index, i / 4)`.
    pub fn fill_normal(&self, index: u64, out: &mut [f32]) {
        fill::fill(*self, Distribution::Normal, index, 0, out);
    }

    /// Fills `out` with standard Gumbel numbers, four from each block. The argmax of logits plus Gumbel noise
    /// is a sample from the softmax of the logits (the Gumbel-max trick).
    pub fn fill_gumbel(&self, index: u64, out: &mut [f32]) {
        fill::fill(*self, Distribution::Gumbel, index, 0, out);
    }

    /// Fills `out` with one sample of the symmetric Dirichlet distribution with concentration `alpha`:
    /// non-negative numbers that sum to one, up to rounding.
    pub fn fill_dirichlet(&self, index: u64, alpha: f32, out: &mut [f32]) {
        dirichlet::fill(*self, index, alpha, out);
    }

    /// One uniform integer in `0..n`. The probabilities deviate from `1 / n` by at most `2^-32`.
    pub fn below(&self, index: u64, sub: u64, n: u32) -> u32 {
        // The high half of the product: a number in [0, 1) of 32 bits, times n, rounded down.
        ((u64::from(self.block(index, sub)[0]) * u64::from(n)) >> 32) as u32
    }

    /// Four independent standard normal numbers.
    pub fn normal4(&self, index: u64, sub: u64) -> [f32; 4] {
        let mut out = [0.0; 4];
        fill::fill(*self, Distribution::Normal, index, sub, &mut out);
        out
    }

    /// The first two numbers of [`Stream::normal4`].
    pub fn normal2(&self, index: u64, sub: u64) -> [f32; 2] {
        let [a, b, ..] = self.normal4(index, sub);
        [a, b]
    }

    /// Shuffles `order` (Fisher-Yates) by the first words of the blocks (`index`, 1), (`index`, 2), ...
    pub fn shuffle(&self, index: u64, order: &mut [u32]) {
        /// Words that are computed at once.
        const WORDS: usize = 256;
        let mut words = [0; WORDS];
        let mut end = order.len();
        while end > 1 {
            // Computes the words of the positions `begin..end` at once.
            let begin = end.saturating_sub(words.len()).max(1);
            let words = &mut words[..end - begin];
            fill::first_words(*self, index, begin as u64, words);
            for (i, word) in (begin..end).zip(words).rev() {
                // A position up to i, as in `below`.
                order.swap(i, ((u64::from(*word) * (i as u64 + 1)) >> 32) as usize);
            }
            end = begin;
        }
    }
}

/// The top 24 bits of a word as a float in [0, 1). 16777216 is 2^24.
pub fn to_unit(word: u32) -> f32 {
    (word >> 8) as f32 * (1.0 / 16_777_216.0)
}

/// The number of rounds, and the multipliers and key increments of Philox4x32.
const ROUNDS: usize = 10;
const MULTIPLIERS: [u32; 2] = [0xD251_1F53, 0xCD9E_8D57];
const KEY_STEPS: [u32; 2] = [0x9E37_79B9, 0xBB67_AE85];

/// The Philox4x32-10 function: four random words from a 128-bit counter and a 64-bit key.
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
