//! Fallback without intrinsics: arrays of 4 lanes, which the compiler vectorises with the instructions that
//! every machine of the target has. The multiply-add rounds twice, because without a hardware instruction, a
//! fused multiply-add is a slow library function.

use super::{Op, Simd};

const LANES: usize = 4;

/// The token (a proof that the machine has the instructions, see [`super`]). This one needs no special
/// hardware.
#[derive(Clone, Copy)]
pub struct Portable;

#[inline(always)]
fn zip_lanes<T: Copy, U, const N: usize>(a: [T; N], b: [T; N], f: impl Fn(T, T) -> U) -> [U; N] {
    std::array::from_fn(|i| f(a[i], b[i]))
}

impl super::sealed::Sealed for Portable {}

impl Simd for Portable {
    const LANES: usize = LANES;
    // The sums of a tile take 8 registers of 4 floats.
    const TILE_ROWS: usize = 4;
    const TILE_VECTORS: usize = 2;
    const PACK_LEFT: bool = true;
    type F = [f32; LANES];
    type U = [u32; LANES];
    type M = [bool; LANES];

    fn name(self) -> &'static str {
        "portable"
    }

    #[inline]
    fn vectorize<O: Op>(self, op: O) -> O::Output {
        op.run(self)
    }

    #[inline(always)]
    fn splat(self, x: f32) -> Self::F {
        [x; LANES]
    }
    #[inline(always)]
    unsafe fn load_ptr(self, p: *const f32) -> Self::F {
        // SAFETY: the caller guarantees `LANES` values.
        unsafe { p.cast::<Self::F>().read_unaligned() }
    }
    #[inline(always)]
    unsafe fn store_ptr(self, p: *mut f32, x: Self::F) {
        // SAFETY: the caller guarantees `LANES` values.
        unsafe { p.cast::<Self::F>().write_unaligned(x) }
    }
    #[inline(always)]
    fn add(self, a: Self::F, b: Self::F) -> Self::F {
        zip_lanes(a, b, |a, b| a + b)
    }
    #[inline(always)]
    fn sub(self, a: Self::F, b: Self::F) -> Self::F {
        zip_lanes(a, b, |a, b| a - b)
    }
    #[inline(always)]
    fn mul(self, a: Self::F, b: Self::F) -> Self::F {
        zip_lanes(a, b, |a, b| a * b)
    }
    #[inline(always)]
    fn div(self, a: Self::F, b: Self::F) -> Self::F {
        zip_lanes(a, b, |a, b| a / b)
    }
    #[inline(always)]
    fn sqrt(self, a: Self::F) -> Self::F {
        a.map(f32::sqrt)
    }
    #[inline(always)]
    fn mul_add(self, a: Self::F, b: Self::F, c: Self::F) -> Self::F {
        self.add(self.mul(a, b), c)
    }
    #[inline(always)]
    fn neg_mul_add(self, a: Self::F, b: Self::F, c: Self::F) -> Self::F {
        self.sub(c, self.mul(a, b))
    }
    #[inline(always)]
    fn min(self, a: Self::F, b: Self::F) -> Self::F {
        zip_lanes(a, b, |a, b| if a < b { a } else { b })
    }
    #[inline(always)]
    fn max(self, a: Self::F, b: Self::F) -> Self::F {
        zip_lanes(a, b, |a, b| if a > b { a } else { b })
    }
    #[inline(always)]
    fn lt(self, a: Self::F, b: Self::F) -> Self::M {
        zip_lanes(a, b, |a, b| a < b)
    }
    #[inline(always)]
    fn eq(self, a: Self::F, b: Self::F) -> Self::M {
        zip_lanes(a, b, |a, b| a == b)
    }
    #[inline(always)]
    fn select(self, m: Self::M, a: Self::F, b: Self::F) -> Self::F {
        std::array::from_fn(|i| if m[i] { a[i] } else { b[i] })
    }
    #[inline(always)]
    fn any(self, m: Self::M) -> bool {
        m.contains(&true)
    }
    #[inline(always)]
    fn mask_bits(self, m: Self::M) -> u32 {
        m.iter().rev().fold(0, |bits, lane| bits << 1 | u32::from(*lane))
    }
    #[inline(always)]
    unsafe fn load_bytes_ptr(self, p: *const u8) -> Self::U {
        // SAFETY: the caller guarantees `LANES` bytes.
        unsafe { p.cast::<[u8; LANES]>().read() }.map(u32::from)
    }
    #[inline(always)]
    fn splat_u(self, x: u32) -> Self::U {
        [x; LANES]
    }
    #[inline(always)]
    fn count_from(self, start: u32) -> Self::U {
        std::array::from_fn(|i| start.wrapping_add(i as u32))
    }
    #[inline(always)]
    fn to_bits(self, x: Self::F) -> Self::U {
        x.map(f32::to_bits)
    }
    #[inline(always)]
    fn bits_to_f(self, x: Self::U) -> Self::F {
        x.map(f32::from_bits)
    }
    #[inline(always)]
    fn to_f(self, x: Self::U) -> Self::F {
        x.map(|x| x as i32 as f32)
    }
    #[inline(always)]
    fn add_u(self, a: Self::U, b: Self::U) -> Self::U {
        zip_lanes(a, b, u32::wrapping_add)
    }
    #[inline(always)]
    fn sub_u(self, a: Self::U, b: Self::U) -> Self::U {
        zip_lanes(a, b, u32::wrapping_sub)
    }
    #[inline(always)]
    fn mul_wide(self, a: Self::U, b: Self::U) -> (Self::U, Self::U) {
        let wide = zip_lanes(a, b, |a, b| u64::from(a) * u64::from(b));
        (wide.map(|w| (w >> 32) as u32), wide.map(|w| w as u32))
    }
    #[inline(always)]
    fn and(self, a: Self::U, b: Self::U) -> Self::U {
        zip_lanes(a, b, |a, b| a & b)
    }
    #[inline(always)]
    fn or(self, a: Self::U, b: Self::U) -> Self::U {
        zip_lanes(a, b, |a, b| a | b)
    }
    #[inline(always)]
    fn xor(self, a: Self::U, b: Self::U) -> Self::U {
        zip_lanes(a, b, |a, b| a ^ b)
    }
    #[inline(always)]
    fn shl(self, a: Self::U, n: u32) -> Self::U {
        a.map(|a| a << n)
    }
    #[inline(always)]
    fn shr(self, a: Self::U, n: u32) -> Self::U {
        a.map(|a| a >> n)
    }
    #[inline(always)]
    fn sar(self, a: Self::U, n: u32) -> Self::U {
        a.map(|a| (a as i32 >> n) as u32)
    }
    #[inline(always)]
    fn eq_u(self, a: Self::U, b: Self::U) -> Self::M {
        zip_lanes(a, b, |a, b| a == b)
    }
}
