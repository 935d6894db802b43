//! Element-wise operations on slices (BLAS level 1).

// `dispatch` runs an `Op`, a computation generic over the instruction set `S`, with the best set of this
// machine.
use crate::simd::{Op, Simd, dispatch, fold_zip, map, sum_partials, zip_map};

/// `x *= a`
pub fn scale(x: &mut [f32], a: f32) {
    struct Run<'a>(&'a mut [f32], f32);
    impl Op for Run<'_> {
        type Output = ();
        #[inline(always)]
        fn run<S: Simd>(self, s: S) {
            let Self(x, a) = self;
            let a = s.splat(a);
            map(
                s,
                x,
                #[inline(always)]
                |x| s.mul(x, a),
            );
        }
    }
    dispatch(Run(x, a));
}

/// `y += a x`
pub fn axpy(y: &mut [f32], a: f32, x: &[f32]) {
    struct Run<'a>(&'a mut [f32], f32, &'a [f32]);
    impl Op for Run<'_> {
        type Output = ();
        #[inline(always)]
        fn run<S: Simd>(self, s: S) {
            let Self(y, a, x) = self;
            let a = s.splat(a);
            zip_map(
                s,
                y,
                x,
                #[inline(always)]
                |y, x| s.mul_add(a, x, y),
            );
        }
    }
    assert_eq!(y.len(), x.len(), "lengths differ");
    dispatch(Run(y, a, x));
}

/// `y += t (x - y)`: linear interpolation, as in exponential moving averages and soft updates of target
/// networks.
pub fn lerp(y: &mut [f32], t: f32, x: &[f32]) {
    struct Run<'a>(&'a mut [f32], f32, &'a [f32]);
    impl Op for Run<'_> {
        type Output = ();
        #[inline(always)]
        fn run<S: Simd>(self, s: S) {
            let Self(y, t, x) = self;
            let t = s.splat(t);
            zip_map(
                s,
                y,
                x,
                #[inline(always)]
                |y, x| s.mul_add(t, s.sub(x, y), y),
            );
        }
    }
    assert_eq!(y.len(), x.len(), "lengths differ");
    dispatch(Run(y, t, x));
}

/// The dot product, summed in 16 partial sums ([`crate::simd::fold_zip`]).
pub fn dot(x: &[f32], y: &[f32]) -> f32 {
    struct Run<'a>(&'a [f32], &'a [f32]);
    impl Op for Run<'_> {
        type Output = f32;
        #[inline(always)]
        fn run<S: Simd>(self, s: S) -> f32 {
            let Self(x, y) = self;
            let parts = fold_zip(
                s,
                x,
                y,
                #[inline(always)]
                |sum, x, y| s.mul_add(x, y, sum),
            );
            sum_partials(s, parts)
        }
    }
    assert_eq!(x.len(), y.len(), "lengths differ");
    dispatch(Run(x, y))
}
