//! An adapter that makes the multiply-add of any instruction set round twice. Computations with it are
//! bit-identical on every target, because all other operations of [`Simd`] are exact or correctly rounded.
//! Random numbers use it.

use super::{Op, Simd};

/// The instruction set `S` without its fused multiply-add.
#[derive(Clone, Copy)]
pub struct Unfused<S>(pub S);

impl<S: Simd> super::sealed::Sealed for Unfused<S> {}

/// Forwards safe methods to `S`.
macro_rules! forward {
    ($(fn $name:ident($($arg:ident: $t:ty),*) $(-> $r:ty)?;)*) => {$(
        #[inline(always)]
        fn $name(self, $($arg: $t),*) $(-> $r)? {
            self.0.$name($($arg),*)
        }
    )*};
}

/// Forwards unsafe methods, which take pointers, to `S`.
macro_rules! forward_unsafe {
    ($(fn $name:ident($($arg:ident: $t:ty),*) $(-> $r:ty)?;)*) => {$(
        #[inline(always)]
        unsafe fn $name(self, $($arg: $t),*) $(-> $r)? {
            // SAFETY: the conditions are the same, and the caller guarantees them.
            unsafe { self.0.$name($($arg),*) }
        }
    )*};
}

impl<S: Simd> Simd for Unfused<S> {
    const LANES: usize = S::LANES;
    const TILE_ROWS: usize = S::TILE_ROWS;
    const TILE_VECTORS: usize = S::TILE_VECTORS;
    const PACK_LEFT: bool = S::PACK_LEFT;
    type F = S::F;
    type U = S::U;
    type M = S::M;

    #[inline(always)]
    fn vectorize<O: Op>(self, op: O) -> O::Output {
        struct Inside<O>(O);
        impl<O: Op> Op for Inside<O> {
            type Output = O::Output;
            #[inline(always)]
            fn run<S: Simd>(self, s: S) -> O::Output {
                self.0.run(Unfused(s))
            }
        }
        self.0.vectorize(Inside(op))
    }

    #[inline(always)]
    fn mul_add(self, a: S::F, b: S::F, c: S::F) -> S::F {
        self.0.add(self.0.mul(a, b), c)
    }
    #[inline(always)]
    fn neg_mul_add(self, a: S::F, b: S::F, c: S::F) -> S::F {
        self.0.sub(c, self.0.mul(a, b))
    }

    forward_unsafe! {
        fn load_ptr(p: *const f32) -> S::F;
        fn store_ptr(p: *mut f32, x: S::F);
        fn load_partial_ptr(p: *const f32, n: usize, pad: f32) -> S::F;
        fn store_partial_ptr(p: *mut f32, x: S::F, n: usize);
        fn load_bytes_ptr(p: *const u8) -> S::U;
        fn transpose_ptr(src: *const f32, src_stride: usize, dst: *mut f32, dst_stride: usize);
        fn store_interleaved_ptr(p: *mut f32, words: [S::F; 4]);
    }

    forward! {
        fn name() -> &'static str;
        fn tile_rows() -> usize;
        fn nonzero(bytes: &[u8; 64]) -> u64;
        fn splat(x: f32) -> S::F;
        fn constant(x: &'static f32) -> S::F;
        fn add(a: S::F, b: S::F) -> S::F;
        fn sub(a: S::F, b: S::F) -> S::F;
        fn mul(a: S::F, b: S::F) -> S::F;
        fn div(a: S::F, b: S::F) -> S::F;
        fn sqrt(a: S::F) -> S::F;
        fn min(a: S::F, b: S::F) -> S::F;
        fn max(a: S::F, b: S::F) -> S::F;
        fn lt(a: S::F, b: S::F) -> S::M;
        fn eq(a: S::F, b: S::F) -> S::M;
        fn select(m: S::M, a: S::F, b: S::F) -> S::F;
        fn sum(x: S::F) -> f32;
        fn sum4(x: [S::F; 4]) -> [f32; 4];
        fn any(m: S::M) -> bool;
        fn mask_bits(m: S::M) -> u32;
        fn splat_u(x: u32) -> S::U;
        fn count_from(start: u32) -> S::U;
        fn to_bits(x: S::F) -> S::U;
        fn bits_to_f(x: S::U) -> S::F;
        fn to_f(x: S::U) -> S::F;
        fn add_u(a: S::U, b: S::U) -> S::U;
        fn sub_u(a: S::U, b: S::U) -> S::U;
        fn mul_wide(a: S::U, b: S::U) -> (S::U, S::U);
        fn and(a: S::U, b: S::U) -> S::U;
        fn or(a: S::U, b: S::U) -> S::U;
        fn xor(a: S::U, b: S::U) -> S::U;
        fn shl(a: S::U, n: u32) -> S::U;
        fn shr(a: S::U, n: u32) -> S::U;
        fn sar(a: S::U, n: u32) -> S::U;
        fn eq_u(a: S::U, b: S::U) -> S::M;
        fn scale(x: S::F, n: S::F, n_word: S::U) -> S::F;
    }
}
