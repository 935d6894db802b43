//! Slices of uniform, normal and Gumbel random numbers, with one Philox block per lane. A block is four
//! random 32-bit words; two 64-bit numbers, `index` and `sub`, select it in a stream.
//!
//! The numbers have the same bits on every target: all conversions are exact or correctly rounded, and
//! elementary functions are computed without fused multiply-adds ([`Unfused`]).
//!
//! Normally distributed numbers: Box and Muller, "A note on the generation of random normal deviates", 1958.

use super::{KEY_STEPS, MULTIPLIERS, ROUNDS, Stream};
// `dispatch` runs an `Op`, a computation generic over the instruction set `S`, with the best set of this
// machine.
use crate::simd::{MAX_LANES, Op, Simd, Unfused, dispatch, math, store_partial};

/// The distribution of the numbers.
#[derive(Clone, Copy)]
pub(super) enum Distribution {
    Uniform,
    Normal,
    Gumbel,
}

/// Fills `out` from block (`index`, `sub`) of `stream` on, four numbers per block.
pub(super) fn fill(stream: Stream, distribution: Distribution, index: u64, sub: u64, out: &mut [f32]) {
    struct Fill<'a>(Stream, Distribution, u64, u64, &'a mut [f32]);
    impl Op for Fill<'_> {
        type Output = ();
        #[inline(always)]
        fn run<S: Simd>(self, s: S) {
            let Self(stream, distribution, index, sub, out) = self;
            fill_blocks(Unfused(s), stream, distribution, [index, sub], out);
        }
    }
    dispatch(Fill(stream, distribution, index, sub, out));
}

/// [`fill`] on one instruction set.
#[inline(always)]
fn fill_blocks<S: Simd>(
    s: S,
    stream: Stream,
    distribution: Distribution,
    [index, sub]: [u64; 2],
    out: &mut [f32],
) {
    // Receives the last numbers if the length of `out` is no multiple of four vectors.
    let mut tail = [0.0; 4 * MAX_LANES];
    for (i, chunk) in out.chunks_mut(4 * S::LANES).enumerate() {
        let sub = sub.wrapping_add(i as u64 * S::LANES as u64);
        let words = words_of_blocks(s, stream, index, sub as u32, (sub >> 32) as u32);
        let values = match distribution {
            Distribution::Uniform => uniform(s, words),
            Distribution::Normal => normal(s, words),
            Distribution::Gumbel => gumbel(s, words),
        };
        let is_whole = chunk.len() == 4 * S::LANES;
        let target = if is_whole { chunk.as_mut_ptr() } else { tail.as_mut_ptr() };
        // SAFETY: both have room for four values per lane.
        unsafe { s.store_interleaved_ptr(target, values) };
        if !is_whole {
            chunk.copy_from_slice(&tail[..chunk.len()]);
        }
    }
}

/// The first words of the blocks (`index`, `sub`), (`index`, `sub + 1`), ...
pub(super) fn first_words(stream: Stream, index: u64, sub: u64, out: &mut [u32]) {
    struct First<'a>(Stream, u64, u64, &'a mut [u32]);
    impl Op for First<'_> {
        type Output = ();
        #[inline(always)]
        fn run<S: Simd>(self, s: S) {
            let Self(stream, index, sub, out) = self;
            for (i, chunk) in out.chunks_mut(S::LANES).enumerate() {
                let sub = sub.wrapping_add(i as u64 * S::LANES as u64);
                let [first, ..] = words_of_blocks(s, stream, index, sub as u32, (sub >> 32) as u32);
                // A vector is stored as floats; their bits are the words.
                let mut lanes = [0.0; MAX_LANES];
                store_partial(s, &mut lanes, s.bits_to_f(first));
                for (out, lane) in chunk.iter_mut().zip(lanes) {
                    *out = lane.to_bits();
                }
            }
        }
    }
    dispatch(First(stream, index, sub, out));
}

/// The four words of the blocks with index `index` and sub-indices `high * 2^32 + low + lane`.
#[inline(always)]
pub(super) fn words_of_blocks<S: Simd>(s: S, stream: Stream, index: u64, low: u32, high: u32) -> [S::U; 4] {
    let [first, second] = [index as u32, (index >> 32) as u32].map(|word| s.splat_u(word));
    let lows = s.count_from(low);
    let mut highs = s.splat_u(high);
    if low.checked_add(S::LANES as u32 - 1).is_none() {
        // Some lanes wrap to small words. `low` has the top bit, which these lanes lack.
        let wrapped = s.shr(s.xor(lows, s.splat_u(u32::MAX)), 31);
        highs = s.add_u(highs, wrapped);
    }
    philox(s, [first, second, lows, highs], stream.key)
}

/// [`super::philox`] with one counter per lane.
#[inline(always)]
fn philox<S: Simd>(s: S, mut counter: [S::U; 4], mut key: [u32; 2]) -> [S::U; 4] {
    let multipliers = MULTIPLIERS.map(|m| s.splat_u(m));
    for _ in 0..ROUNDS {
        let (high0, low0) = s.mul_wide(multipliers[0], counter[0]);
        let (high1, low1) = s.mul_wide(multipliers[1], counter[2]);
        counter = [
            s.xor(s.xor(high1, counter[1]), s.splat_u(key[0])),
            low1,
            s.xor(s.xor(high0, counter[3]), s.splat_u(key[1])),
            low0,
        ];
        key = [key[0].wrapping_add(KEY_STEPS[0]), key[1].wrapping_add(KEY_STEPS[1])];
    }
    counter
}

/// The top 24 bits of a word as a number in [0, 1). 16777216 is 2^24.
#[inline(always)]
fn unit<S: Simd>(s: S, word: S::U) -> S::F {
    s.mul(s.to_f(s.shr(word, 8)), s.splat(1.0 / 16_777_216.0))
}

/// The top 31 bits of a word as a number in (0, 1]: never zero, so that its logarithm is finite. 2147483648
/// is 2^31.
#[inline(always)]
pub(super) fn open_unit<S: Simd>(s: S, word: S::U) -> S::F {
    s.mul(s.add(s.to_f(s.shr(word, 1)), s.splat(0.5)), s.splat(1.0 / 2_147_483_648.0))
}

/// Four uniform numbers from the block of each lane. `index` and `sub` have the low word first.
#[inline(always)]
pub(super) fn uniform_lanes<S: Simd>(s: S, stream: Stream, index: [S::U; 2], sub: [S::U; 2]) -> [S::F; 4] {
    uniform(s, philox(s, [index[0], index[1], sub[0], sub[1]], stream.key))
}

/// Four standard normal numbers from the block of each lane. `index` and `sub` have the low word first.
#[inline(always)]
pub(super) fn normal_lanes<S: Simd>(s: S, stream: Stream, index: [S::U; 2], sub: [S::U; 2]) -> [S::F; 4] {
    let words = philox(s, [index[0], index[1], sub[0], sub[1]], stream.key);
    normal(Unfused(s), words)
}

/// Four uniform numbers per lane from the four words of its block.
#[inline(always)]
fn uniform<S: Simd>(s: S, words: [S::U; 4]) -> [S::F; 4] {
    let [a, b, c, d] = words;
    [unit(s, a), unit(s, b), unit(s, c), unit(s, d)]
}

/// Four standard normal numbers per lane from the four words of its block.
#[inline(always)]
fn normal<S: Simd>(s: S, words: [S::U; 4]) -> [S::F; 4] {
    let [a, b, c, d] = words;
    let ([first, second], [third, fourth]) = (normal_pair(s, a, b), normal_pair(s, c, d));
    [first, second, third, fourth]
}

/// Two independent standard normal numbers: radius and angle of a random point in the plane (Box-Muller).
/// For the same bits everywhere, `s` has to be [`Unfused`].
#[inline(always)]
pub(super) fn normal_pair<S: Simd>(s: S, a: S::U, b: S::U) -> [S::F; 2] {
    let radius = s.sqrt(s.mul(s.splat(-2.0), math::log(s, open_unit(s, a))));
    let (sin, cos) = math::sin_cos_of_turns(s, unit(s, b));
    [s.mul(radius, cos), s.mul(radius, sin)]
}

/// Four standard Gumbel numbers per lane from the four words of its block.
#[inline(always)]
fn gumbel<S: Simd>(s: S, words: [S::U; 4]) -> [S::F; 4] {
    let [a, b, c, d] = words;
    [one_gumbel(s, a), one_gumbel(s, b), one_gumbel(s, c), one_gumbel(s, d)]
}

/// A standard Gumbel number, `-log(-log(1 - v))` with `v` in (0, 1). The smallest `v` give the largest
/// results, and the inner logarithm is accurate for them.
#[inline(always)]
fn one_gumbel<S: Simd>(s: S, word: S::U) -> S::F {
    let one = s.splat(1.0);
    // The largest words are rounded to 1, which has no result.
    let v = s.min(open_unit(s, word), s.splat(1.0 - f32::EPSILON / 2.0));
    // Kahan's log1p trick: -log(1 - v) = log(w) v / (w - 1), where w is 1 - v rounded.
    let w = s.sub(one, v);
    let minus_log = s.div(s.mul(math::log(s, w), v), s.sub(w, one));
    let exponential = s.select(s.eq(w, one), v, minus_log);
    s.sub(s.splat(0.0), math::log(s, exponential))
}
