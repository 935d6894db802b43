//! WebAssembly with SIMD128: 4 lanes. If the module is compiled for relaxed SIMD too, multiply-add is fused
//! on processors with such an instruction.
//!
//! `cargo xtask web` makes modules without relaxed SIMD from compiled ones that have it
//! (`xtask/bindgen/src/relaxed.rs`). So the target feature does not tell whether multiply-add is fused;
//! [`super::fuses`] does.

use std::arch::wasm32::*;

use super::{Op, Simd};

/// The token. Always available: a module with these instructions loads only where they exist.
#[derive(Clone, Copy)]
pub struct Wasm(());

impl Wasm {
    #[allow(clippy::new_without_default)] // All tokens are made by `new`.
    pub fn new() -> Self {
        Self(())
    }
}

impl super::sealed::Sealed for Wasm {}

/// Rows of the register tile, each of two vectors. Engines can use 15 of the 16 vector registers of x86-64.
/// With a fused multiply-add, 12 hold sums, 2 a row of the right matrix and 1 a broadcast value. Without it,
/// one more holds a product, and 11 are left, which is enough for 5 rows.
const FUSED_ROWS: usize = 6;
const PLAIN_ROWS: usize = 5;

impl Simd for Wasm {
    const LANES: usize = 4;
    const TILE_ROWS: usize = if cfg!(target_feature = "relaxed-simd") { FUSED_ROWS } else { PLAIN_ROWS };
    const TILE_VECTORS: usize = 2;
    const PACK_LEFT: bool = true;
    type F = v128;
    type U = v128;
    type M = v128;

    fn name(self) -> &'static str {
        if super::fuses(self) { "relaxed-simd" } else { "simd128" }
    }

    // It is asked once for each product, so a call costs nothing, and each module has the test only once.
    #[cfg(target_feature = "relaxed-simd")]
    #[inline(never)]
    fn tile_rows(self) -> usize {
        if super::fuses(self) { FUSED_ROWS } else { PLAIN_ROWS }
    }

    #[inline(never)]
    fn vectorize<O: Op>(self, op: O) -> O::Output {
        op.run(self)
    }

    #[cfg(target_feature = "relaxed-simd")]
    #[inline(always)]
    fn mul_add(self, a: Self::F, b: Self::F, c: Self::F) -> Self::F {
        f32x4_relaxed_madd(a, b, c)
    }
    #[cfg(target_feature = "relaxed-simd")]
    #[inline(always)]
    fn neg_mul_add(self, a: Self::F, b: Self::F, c: Self::F) -> Self::F {
        f32x4_relaxed_nmadd(a, b, c)
    }
    #[cfg(not(target_feature = "relaxed-simd"))]
    #[inline(always)]
    fn mul_add(self, a: Self::F, b: Self::F, c: Self::F) -> Self::F {
        f32x4_add(f32x4_mul(a, b), c)
    }
    #[cfg(not(target_feature = "relaxed-simd"))]
    #[inline(always)]
    fn neg_mul_add(self, a: Self::F, b: Self::F, c: Self::F) -> Self::F {
        f32x4_sub(c, f32x4_mul(a, b))
    }
    #[inline(always)]
    fn splat(self, x: f32) -> Self::F {
        f32x4_splat(x)
    }
    // Engines materialise a constant with three instructions at each use; loading it takes one. The load is
    // volatile so that the compiler does not turn it into a constant.
    #[inline(always)]
    fn constant(self, x: &'static f32) -> Self::F {
        // SAFETY: `x` is a valid reference.
        f32x4_splat(unsafe { std::ptr::read_volatile(x) })
    }
    #[inline(always)]
    unsafe fn load_ptr(self, p: *const f32) -> Self::F {
        // SAFETY: the caller guarantees four values; any alignment will do.
        unsafe { v128_load(p.cast()) }
    }
    #[inline(always)]
    unsafe fn store_ptr(self, p: *mut f32, x: Self::F) {
        // SAFETY: the caller guarantees four values; any alignment will do.
        unsafe { v128_store(p.cast(), x) }
    }
    #[inline(always)]
    fn add(self, a: Self::F, b: Self::F) -> Self::F {
        f32x4_add(a, b)
    }
    #[inline(always)]
    fn sub(self, a: Self::F, b: Self::F) -> Self::F {
        f32x4_sub(a, b)
    }
    #[inline(always)]
    fn mul(self, a: Self::F, b: Self::F) -> Self::F {
        f32x4_mul(a, b)
    }
    #[inline(always)]
    fn div(self, a: Self::F, b: Self::F) -> Self::F {
        f32x4_div(a, b)
    }
    #[inline(always)]
    fn sqrt(self, a: Self::F) -> Self::F {
        f32x4_sqrt(a)
    }
    // With relaxed SIMD, LLVM replaces pseudo-minimum and pseudo-maximum by the relaxed ones, which may
    // return either operand if one is NaN or both are zero. `cargo xtask web` reverses that.
    #[inline(always)]
    fn min(self, a: Self::F, b: Self::F) -> Self::F {
        f32x4_pmin(b, a)
    }
    #[inline(always)]
    fn max(self, a: Self::F, b: Self::F) -> Self::F {
        f32x4_pmax(b, a)
    }
    #[inline(always)]
    fn lt(self, a: Self::F, b: Self::F) -> Self::M {
        f32x4_lt(a, b)
    }
    #[inline(always)]
    fn eq(self, a: Self::F, b: Self::F) -> Self::M {
        f32x4_eq(a, b)
    }
    // Masks are all ones or all zeros in a lane, so any bit may select the lane. The relaxed lane select is
    // one instruction, the bitwise select three.
    #[cfg(target_feature = "relaxed-simd")]
    #[inline(always)]
    fn select(self, m: Self::M, a: Self::F, b: Self::F) -> Self::F {
        i32x4_relaxed_laneselect(a, b, m)
    }
    #[cfg(not(target_feature = "relaxed-simd"))]
    #[inline(always)]
    fn select(self, m: Self::M, a: Self::F, b: Self::F) -> Self::F {
        v128_bitselect(a, b, m)
    }
    #[inline(always)]
    fn sum(self, x: Self::F) -> f32 {
        let two = f32x4_add(x, u32x4_shuffle::<2, 3, 0, 1>(x, x));
        f32x4_extract_lane::<0>(two) + f32x4_extract_lane::<1>(two)
    }
    #[inline(always)]
    fn sum4(self, [a, b, c, d]: [Self::F; 4]) -> [f32; 4] {
        let halves = |a, b| f32x4_add(u32x4_shuffle::<0, 1, 4, 5>(a, b), u32x4_shuffle::<2, 3, 6, 7>(a, b));
        let (ab, cd) = (halves(a, b), halves(c, d));
        let sum = f32x4_add(u32x4_shuffle::<0, 2, 4, 6>(ab, cd), u32x4_shuffle::<1, 3, 5, 7>(ab, cd));
        let mut sums = [0.0; 4];
        // SAFETY: there is room for four floats; any alignment will do.
        unsafe { v128_store(sums.as_mut_ptr().cast(), sum) };
        sums
    }
    #[inline(always)]
    fn any(self, m: Self::M) -> bool {
        v128_any_true(m)
    }
    #[inline(always)]
    fn mask_bits(self, m: Self::M) -> u32 {
        u32::from(u32x4_bitmask(m))
    }
    #[inline(always)]
    unsafe fn load_bytes_ptr(self, p: *const u8) -> Self::U {
        // SAFETY: the caller guarantees four bytes; any alignment will do.
        u32x4_extend_low_u16x8(u16x8_extend_low_u8x16(unsafe { v128_load32_zero(p.cast()) }))
    }
    #[inline(always)]
    fn splat_u(self, x: u32) -> Self::U {
        u32x4_splat(x)
    }
    #[inline(always)]
    fn count_from(self, start: u32) -> Self::U {
        u32x4_add(u32x4_splat(start), u32x4(0, 1, 2, 3))
    }
    #[inline(always)]
    fn to_bits(self, x: Self::F) -> Self::U {
        x
    }
    #[inline(always)]
    fn bits_to_f(self, x: Self::U) -> Self::F {
        x
    }
    #[inline(always)]
    fn to_f(self, x: Self::U) -> Self::F {
        f32x4_convert_i32x4(x)
    }
    #[inline(always)]
    fn add_u(self, a: Self::U, b: Self::U) -> Self::U {
        u32x4_add(a, b)
    }
    #[inline(always)]
    fn sub_u(self, a: Self::U, b: Self::U) -> Self::U {
        u32x4_sub(a, b)
    }
    #[inline(always)]
    fn mul_wide(self, a: Self::U, b: Self::U) -> (Self::U, Self::U) {
        let low = u64x2_extmul_low_u32x4(a, b);
        let high = u64x2_extmul_high_u32x4(a, b);
        (u32x4_shuffle::<1, 3, 5, 7>(low, high), u32x4_shuffle::<0, 2, 4, 6>(low, high))
    }
    #[inline(always)]
    fn and(self, a: Self::U, b: Self::U) -> Self::U {
        v128_and(a, b)
    }
    #[inline(always)]
    fn or(self, a: Self::U, b: Self::U) -> Self::U {
        v128_or(a, b)
    }
    #[inline(always)]
    fn xor(self, a: Self::U, b: Self::U) -> Self::U {
        v128_xor(a, b)
    }
    #[inline(always)]
    fn shl(self, a: Self::U, n: u32) -> Self::U {
        u32x4_shl(a, n)
    }
    #[inline(always)]
    fn shr(self, a: Self::U, n: u32) -> Self::U {
        u32x4_shr(a, n)
    }
    #[inline(always)]
    fn sar(self, a: Self::U, n: u32) -> Self::U {
        i32x4_shr(a, n)
    }
    #[inline(always)]
    fn eq_u(self, a: Self::U, b: Self::U) -> Self::M {
        u32x4_eq(a, b)
    }

    #[inline(always)]
    unsafe fn transpose_ptr(self, src: *const f32, src_stride: usize, dst: *mut f32, dst_stride: usize) {
        // SAFETY: the caller guarantees the four rows of both blocks.
        unsafe {
            let r: [v128; 4] = std::array::from_fn(|i| v128_load(src.add(i * src_stride).cast()));
            let (low01, high01) =
                (u32x4_shuffle::<0, 4, 1, 5>(r[0], r[1]), u32x4_shuffle::<2, 6, 3, 7>(r[0], r[1]));
            let (low23, high23) =
                (u32x4_shuffle::<0, 4, 1, 5>(r[2], r[3]), u32x4_shuffle::<2, 6, 3, 7>(r[2], r[3]));
            let columns = [
                u32x4_shuffle::<0, 1, 4, 5>(low01, low23),
                u32x4_shuffle::<2, 3, 6, 7>(low01, low23),
                u32x4_shuffle::<0, 1, 4, 5>(high01, high23),
                u32x4_shuffle::<2, 3, 6, 7>(high01, high23),
            ];
            for (c, column) in columns.into_iter().enumerate() {
                v128_store(dst.add(c * dst_stride).cast(), column);
            }
        }
    }
}
