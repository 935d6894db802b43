//! Position encoding of queries and keys: rotary embedding in one half of each head's features, token shift
//! of the keys in the other half.
//!
//! **Rotary**: pairs of features in the first half of each head are rotated by angles proportional to the
//! row, so that scores depend on the distance of two rows (Su et al., "RoFormer: enhanced transformer with
//! rotary position embedding", 2021).
//!
//! **Token shift**: in the second half, each row takes the key features of the row before it, and nothing is
//! rotated, so that near and far rows score alike. A query that matches the token *before* some row then
//! attends to that row. So a single head can be an induction head, which finds what followed an earlier
//! occurrence of the current token; without the shift, that takes two heads in two layers. Olsson et al.,
//! "In-context learning and induction heads", 2022, test a similar change as "smeared keys".

use std::ops::Range;

use super::{Heads, KvCache};
use crate::buffer::Buffer;
use crate::math::double;
// `dispatch` runs an `Op`, a computation generic over the instruction set `S`, with the best set of this
// machine.
use crate::simd::{Op, Simd, dispatch};

/// The base of the angles: pair p of `pairs` is rotated by `row * BASE^(-p / pairs)` radians. With
/// 10,000, as in Su et al., the slowest pair would hardly turn within contexts of a few hundred rows.
const BASE: f64 = 1_000.0;

/// Signs of a rotation.
const FORWARD: f32 = 1.0;
const BACK: f32 = -1.0;

/// Sines and cosines of all rotation angles. In each head, features `i` and `pairs + i` are pair `i`.
#[derive(Clone, Debug)]
pub struct Rotary {
    heads: Heads,
    rows: usize,
    /// Cosine and sine of the angle of each pair in each row.
    /// Shape of both: `[rows, pairs]`.
    cosines: Buffer,
    sines: Buffer,
}

impl Heads {
    /// The number of rotated pairs of features per head: a quarter of the features, so that half of them are
    /// rotated. A head of two or three features has one pair all the same.
    pub fn pairs(self) -> usize {
        (self.size / 4).max(1).min(self.size / 2)
    }
}

impl Rotary {
    /// Angles for sequences of up to `rows` rows.
    pub fn new(heads: Heads, rows: usize) -> Self {
        let pairs = heads.pairs();
        let (mut cosines, mut sines) = (Buffer::new(rows * pairs), Buffer::new(rows * pairs));
        for (i, (cosine, sine)) in cosines.iter_mut().zip(sines.iter_mut()).enumerate() {
            let (row, pair) = (i / pairs, i % pairs);
            let angle = row as f64 * double::pow(BASE, -(pair as f64) / pairs as f64);
            (*cosine, *sine) = (double::cos(angle) as f32, double::sin(angle) as f32);
        }
        Self { heads, rows, cosines, sines }
    }

    /// Cosine and sine of the angles by which each pair of features is rotated in each row.
    /// Shape: `[rows, pairs]`.
    pub fn angles(&self) -> impl Iterator<Item = [f32; 2]> {
        self.cosines.iter().zip(self.sines.iter()).map(|(cosine, sine)| [*cosine, *sine])
    }

    /// Encodes positions in the queries and keys of a whole sequence, in place; values stay unchanged.
    /// Shapes: `qkv [rows, 3 width]`.
    pub fn apply(&self, qkv: &mut [f32]) {
        self.rotate(qkv, 0, FORWARD);
        let row = 3 * self.heads.width();
        // Token shift, from the last row to the first, so that each row reads the original of the row before
        // it.
        for first in (row..qkv.len()).step_by(row).rev() {
            let (before, after) = qkv[first - row..].split_at_mut(row);
            for shifted in self.shifted_ranges() {
                after[shifted.clone()].copy_from_slice(&before[shifted]);
            }
        }
    }

    /// [`Rotary::apply`] for new rows that follow the rows in `cache`. The caller then passes them to
    /// [`KvCache::forward`].
    /// Shapes: `qkv [rows, 3 width]`.
    pub fn apply_behind(&self, qkv: &mut [f32], cache: &mut KvCache) {
        self.rotate(qkv, cache.rows, FORWARD);
        for (i, qkv) in qkv.chunks_exact_mut(3 * self.heads.width()).enumerate() {
            for shifted in self.shifted_ranges() {
                // `last_keys` has the layout of the queries and keys of a row, so `before` is the unshifted
                // key of the row before. The first row of a sequence keeps its own.
                let (own, before) = (&mut qkv[shifted.clone()], &mut cache.last_keys[shifted]);
                if i + cache.rows == 0 {
                    before.copy_from_slice(own);
                } else {
                    before.swap_with_slice(own);
                }
            }
        }
    }

    /// Backward pass of [`Rotary::apply`], in place: the transpose of its linear map.
    /// Shapes: `dqkv [rows, 3 width]`.
    pub fn backward(&self, dqkv: &mut [f32]) {
        let row = 3 * self.heads.width();
        for first in (0..dqkv.len()).step_by(row) {
            let (own, after) = dqkv[first..].split_at_mut(row);
            for shifted in self.shifted_ranges() {
                // Row 0 keeps its own key; every other row's key is used by the row after it only.
                let own = &mut own[shifted.clone()];
                if first > 0 {
                    own.fill(0.0);
                }
                if let Some(after) = after.get(shifted) {
                    own.iter_mut().zip(after).for_each(|(own, after)| *own += after);
                }
            }
        }
        self.rotate(dqkv, 0, BACK);
    }

    /// The ranges of the shifted key features of each head in a row of `qkv`.
    fn shifted_ranges(&self) -> impl Iterator<Item = Range<usize>> + use<> {
        let (width, size, rotated) = (self.heads.width(), self.heads.size, 2 * self.heads.pairs());
        (width..2 * width).step_by(size).map(move |head| head + rotated..head + size)
    }

    /// Rotates the pairs of queries and keys, forward with `sign` 1 and back with -1. `first` is the position
    /// of the first row.
    fn rotate(&self, qkv: &mut [f32], first: usize, sign: f32) {
        struct Run<'a>(&'a Rotary, &'a mut [f32], usize, f32);
        impl Op for Run<'_> {
            type Output = ();
            #[inline(always)]
            fn run<S: Simd>(self, _: S) {
                let Self(rotary, qkv, first, sign) = self;
                let (width, size, pairs) = (rotary.heads.width(), rotary.heads.size, rotary.heads.pairs());
                for (row, qkv) in (first..).zip(qkv.chunks_exact_mut(3 * width)) {
                    let cosines = &rotary.cosines[row * pairs..][..pairs];
                    let sines = &rotary.sines[row * pairs..][..pairs];
                    for head in qkv[..2 * width].chunks_exact_mut(size) {
                        let (x, y) = head[..2 * pairs].split_at_mut(pairs);
                        for (((x, y), cosine), sine) in x.iter_mut().zip(y).zip(cosines).zip(sines) {
                            let sine = sign * sine;
                            (*x, *y) = (*x * cosine - *y * sine, *y * cosine + *x * sine);
                        }
                    }
                }
            }
        }
        let last = first + self.heads.rows(qkv);
        assert!(last <= self.rows, "angles for fewer than {last} rows");
        dispatch(Run(self, qkv, first, sign));
    }
}
