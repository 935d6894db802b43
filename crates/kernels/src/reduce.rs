//! Sums in a fixed order, which depends neither on the instruction set nor on the number of threads: sums of
//! squares, sums of vectors, column sums.

// `dispatch` runs an `Op`, a computation generic over the instruction set `S`, with the best set of this
// machine.
use crate::simd::{MAX_LANES, Op, Simd, dispatch, load_padded, store_partial, zip_map};

/// Sum of squares in `f64`, in 16 partial sums: value i is added to partial sum i mod 16, and at the end the
/// upper half of the partial sums is added to the lower half until one is left. The bits are the same on
/// every target, because the square of an `f32` is exact in `f64`.
pub fn sum_squares(x: &[f32]) -> f64 {
    struct Run<'a>(&'a [f32]);
    impl Op for Run<'_> {
        type Output = f64;
        // Plain loops, which the compiler vectorises for the instruction set.
        #[inline(always)]
        fn run<S: Simd>(self, _: S) -> f64 {
            let mut parts = [0.0f64; MAX_LANES];
            let Self(x) = self;
            let chunks = x.chunks_exact(MAX_LANES);
            let tail = chunks.remainder();
            for chunk in chunks {
                for (part, v) in parts.iter_mut().zip(chunk) {
                    *part += f64::from(*v) * f64::from(*v);
                }
            }
            for (part, v) in parts.iter_mut().zip(tail) {
                *part += f64::from(*v) * f64::from(*v);
            }
            for half in [8, 4, 2, 1] {
                for i in 0..half {
                    parts[i] += parts[i + half];
                }
            }
            parts[0]
        }
    }
    dispatch(Run(x))
}

/// The Euclidean norm of all `parts` together. Gradients are clipped by it.
pub fn global_norm<'a>(parts: impl IntoIterator<Item = &'a [f32]>) -> f64 {
    parts.into_iter().map(sum_squares).sum::<f64>().sqrt()
}

/// `out += x`, element by element.
pub fn add_assign(out: &mut [f32], x: &[f32]) {
    struct Run<'a>(&'a mut [f32], &'a [f32]);
    impl Op for Run<'_> {
        type Output = ();
        #[inline(always)]
        fn run<S: Simd>(self, s: S) {
            let Self(out, x) = self;
            zip_map(
                s,
                out,
                x,
                #[inline(always)]
                |o, x| s.add(o, x),
            );
        }
    }
    dispatch(Run(out, x));
}

/// Adds the column sums of `x` `[rows, out.len()]` to `out`, row by row.
pub fn add_column_sums(out: &mut [f32], x: &[f32]) {
    struct Run<'a>(&'a mut [f32], &'a [f32]);
    impl Op for Run<'_> {
        type Output = ();
        #[inline(always)]
        fn run<S: Simd>(self, s: S) {
            let Self(out, x) = self;
            let cols = out.len();
            // The sums of four vectors of columns stay in registers for all rows.
            let mut first = 0;
            while first + 4 * S::LANES <= cols {
                add_column_vectors::<S, 4>(s, out, x, first);
                first += 4 * S::LANES;
            }
            while first < cols {
                add_column_vectors::<S, 1>(s, out, x, first);
                first += S::LANES;
            }
        }
    }
    if !out.is_empty() {
        dispatch(Run(out, x));
    }
}

/// [`add_column_sums`] for `VECTORS` vectors of columns, from column `first` on.
#[inline(always)]
fn add_column_vectors<S: Simd, const VECTORS: usize>(s: S, out: &mut [f32], x: &[f32], first: usize) {
    let cols = out.len();
    let end = cols.min(first + VECTORS * S::LANES);
    let mut sums = [s.splat(0.0); VECTORS];
    for (j, sum) in sums.iter_mut().enumerate() {
        *sum = load_padded(s, &out[first + j * S::LANES..end], 0.0);
    }
    for row in x.chunks_exact(cols) {
        let row = &row[first..end];
        for (j, sum) in sums.iter_mut().enumerate() {
            *sum = s.add(*sum, load_padded(s, &row[j * S::LANES..], 0.0));
        }
    }
    for (j, sum) in sums.into_iter().enumerate() {
        store_partial(s, &mut out[first + j * S::LANES..end], sum);
    }
}
