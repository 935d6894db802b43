//! How far apart two rows are, and what stood before: what attention is told of places before queries and keys meet.
//!
//! The first half of a head's numbers is turned, one pair after the other, by angles that grow with the row, so that the
//! products depend on how far apart two rows are (Su et al., "RoFormer: enhanced transformer with rotary position embedding",
//! 2021). The second half is not turned, so that what is far away is found as well as what is near; and there a row has
//! the key of the row before it. A query that resembles what stood before something therefore finds that something: one
//! head alone goes on as it went on before, where otherwise two have to learn to work together (Olsson et al., "In-context
//! learning and induction heads", 2022).

use std::ops::Range;

use super::{Heads, KvCache};
use crate::buffer::Buffer;
use crate::simd::{Op, Simd, dispatch};

/// How much more slowly the last pair turns than the first, nearly.
const SLOWEST: f64 = 1_000.0;

/// The angles of every row: in a head, number `i` of those that are turned makes a pair with number `pairs + i`.
#[derive(Clone, Debug)]
pub struct Rotary {
    heads: Heads,
    rows: usize,
    /// // each [rows, pairs]
    cosines: Buffer,
    sines: Buffer,
}

impl Heads {
    /// Pairs of numbers of a head that are turned.
    pub fn pairs(self) -> usize {
        (self.size / 4).max(1).min(self.size / 2)
    }
}

impl Rotary {
    /// For sequences of up to `rows` rows.
    pub fn new(heads: Heads, rows: usize) -> Self {
        let pairs = heads.pairs();
        let (mut cosines, mut sines) = (Buffer::new(rows * pairs), Buffer::new(rows * pairs));
        for (i, (cosine, sine)) in cosines.iter_mut().zip(sines.iter_mut()).enumerate() {
            let (row, pair) = (i / pairs, i % pairs);
            let angle = row as f64 * SLOWEST.powf(-(pair as f64) / pairs as f64);
            (*cosine, *sine) = (angle.cos() as f32, angle.sin() as f32);
        }
        Self { heads, rows, cosines, sines }
    }

    /// Makes queries and keys of a whole sequence ready to meet; values stay as they are. // qkv [rows, 3 width]
    pub fn turn(&self, qkv: &mut [f32]) {
        self.rotate(qkv, 0, 1.0);
        let row = 3 * self.heads.width();
        for first in (row..qkv.len()).step_by(row).rev() {
            let (before, after) = qkv[first - row..].split_at_mut(row);
            for held in self.held() {
                after[held.clone()].copy_from_slice(&before[held]);
            }
        }
    }

    /// The same for rows behind those that `cache` holds, which is then to take them in. // qkv [rows, 3 width]
    pub fn turn_behind(&self, qkv: &mut [f32], cache: &mut KvCache) {
        self.rotate(qkv, cache.len(), 1.0);
        for (i, qkv) in qkv.chunks_exact_mut(3 * self.heads.width()).enumerate() {
            for held in self.held() {
                let (own, before) = (&mut qkv[held.clone()], &mut cache.before[held]);
                if i + cache.rows == 0 {
                    before.copy_from_slice(own);
                } else {
                    before.swap_with_slice(own);
                }
            }
        }
    }

    /// From the gradient at what [`Rotary::turn`] made of a sequence, the one at what it was before.
    /// // dqkv [rows, 3 width]
    pub fn turn_back(&self, dqkv: &mut [f32]) {
        let row = 3 * self.heads.width();
        for first in (0..dqkv.len()).step_by(row) {
            let (own, after) = dqkv[first..].split_at_mut(row);
            for held in self.held() {
                let own = &mut own[held.clone()];
                if first > 0 {
                    own.fill(0.0);
                }
                if let Some(after) = after.get(held) {
                    own.iter_mut().zip(after).for_each(|(own, after)| *own += after);
                }
            }
        }
        self.rotate(dqkv, 0, -1.0);
    }

    /// Where in a row of queries, keys and values the keys' halves stand that are not turned, head by head.
    fn held(&self) -> impl Iterator<Item = Range<usize>> + use<> {
        let (width, size, turned) = (self.heads.width(), self.heads.size, 2 * self.heads.pairs());
        (width..2 * width).step_by(size).map(move |head| head + turned..head + size)
    }

    /// Turns pairs of queries and keys one way or, with a `sign` of -1, back; `first` is the place of the first row.
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
