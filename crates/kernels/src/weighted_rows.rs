//! The incremental first layer of NNUE (Nasu, "Efficiently updatable neural-network-based evaluation
//! functions for computer shogi", 2018).
//!
//! The first layer multiplies the inputs with a table of weights. Its result for one position, the
//! accumulator, is stored. A similar position differs in few inputs, so its result is the accumulator plus a
//! few weighted rows of the table. If the inputs are mostly zeros, the bias takes the place of the
//! accumulator.

// `dispatch` runs an `Op`, a computation generic over the instruction set `S`, with the best set of this
// machine.
use crate::simd::{MAX_LANES, Op, Simd, dispatch, load_padded, store_partial};

/// The index of a table row, and its factor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WeightedRow {
    pub row: u32,
    pub weight: f32,
}

/// Computes one row of `out` per list of weighted rows: `out[l] = max(floor, base + sum of weight *
/// table[row])`, summed in the order of the list. List l is `rows[ends[l - 1]..ends[l]]`, and list 0 begins
/// at 0. A `floor` of zero is a ReLU, minus infinity is no activation.
/// Shapes: `base [width], table [_, width] -> out [lists, width]`.
pub fn add_weighted_rows(
    out: &mut [f32],
    base: &[f32],
    table: &[f32],
    ends: &[usize],
    rows: &[WeightedRow],
    floor: f32,
) {
    let width = base.len();
    assert_eq!(out.len(), ends.len() * width, "not {} rows of {width}", ends.len());
    if width > 0 {
        dispatch(AddRows { out, base, table, ends, rows, floor });
    }
}

/// The arguments of [`add_weighted_rows`].
struct AddRows<'a> {
    out: &'a mut [f32],
    base: &'a [f32],
    table: &'a [f32],
    ends: &'a [usize],
    rows: &'a [WeightedRow],
    floor: f32,
}

/// The number of vectors of columns that are summed at the same time, enough to hide the latency of an
/// addition.
const SIDE_BY_SIDE: usize = 8;

impl Op for AddRows<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let Self { out, base, table, ends, rows, floor } = self;
        let floor = s.splat(floor);
        let width = base.len();
        let block = SIDE_BY_SIDE * S::LANES;
        let mut begin = 0;
        for (out, end) in out.chunks_exact_mut(width).zip(ends) {
            let rows = &rows[begin..*end];
            begin = *end;
            let mut at = 0;
            while at + block <= width {
                let mut sums = [s.splat(0.0); SIDE_BY_SIDE];
                let start = &base[at..at + block];
                for (i, sum) in sums.iter_mut().enumerate() {
                    *sum = load_padded(s, &start[i * S::LANES..(i + 1) * S::LANES], 0.0);
                }
                for weighted in rows {
                    let row = &table[weighted.row as usize * width + at..][..block];
                    let weight = s.splat(weighted.weight);
                    for (i, sum) in sums.iter_mut().enumerate() {
                        let value = load_padded(s, &row[i * S::LANES..(i + 1) * S::LANES], 0.0);
                        *sum = s.mul_add(weight, value, *sum);
                    }
                }
                let columns = &mut out[at..at + block];
                for (i, sum) in sums.iter().enumerate() {
                    store_partial(s, &mut columns[i * S::LANES..(i + 1) * S::LANES], s.max(*sum, floor));
                }
                at += block;
            }
            while at < width {
                let n = (width - at).min(S::LANES).min(MAX_LANES);
                let mut sum = load_padded(s, &base[at..at + n], 0.0);
                for weighted in rows {
                    let row = &table[weighted.row as usize * width + at..][..n];
                    sum = s.mul_add(s.splat(weighted.weight), load_padded(s, row, 0.0), sum);
                }
                store_partial(s, &mut out[at..at + n], s.max(sum, floor));
                at += n;
            }
        }
    }
}
