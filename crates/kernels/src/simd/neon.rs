//! 64-bit Arm with NEON: 4 lanes and a fused multiply-add, both part of the baseline.

use std::arch::aarch64::*;

use super::{Op, Simd};

/// The token: proof that this machine has NEON.
#[derive(Clone, Copy)]
pub struct Neon(());

impl Neon {
    /// The token, if the machine has the instructions.
    pub fn new() -> Option<Self> {
        std::arch::is_aarch64_feature_detected!("neon").then_some(Self(()))
    }
}

/// Calls intrinsics. To be used only where a token is in scope.
macro_rules! on {
    ($e:expr) => {{
        // SAFETY: a token is in scope, so the machine has the instructions. For those that access memory, the
        // caller of the unsafe method guarantees the pointer.
        unsafe { $e }
    }};
}

impl super::sealed::Sealed for Neon {}

impl Simd for Neon {
    const LANES: usize = 4;
    // Of 32 registers, 24 hold the sums of a tile, 3 a row of the right matrix and 1 a value of the left
    // matrix.
    const TILE_ROWS: usize = 8;
    const TILE_VECTORS: usize = 3;
    const PACK_LEFT: bool = false;
    type F = float32x4_t;
    type U = uint32x4_t;
    type M = uint32x4_t;

    fn name(self) -> &'static str {
        "neon"
    }

    #[inline]
    fn vectorize<O: Op>(self, op: O) -> O::Output {
        #[target_feature(enable = "neon")]
        fn inner<O: Op>(simd: Neon, op: O) -> O::Output {
            op.run(simd)
        }
        on!(inner(self, op))
    }

    #[inline(always)]
    fn splat(self, x: f32) -> Self::F {
        on!(vdupq_n_f32(x))
    }
    #[inline(always)]
    unsafe fn load_ptr(self, p: *const f32) -> Self::F {
        on!(vld1q_f32(p))
    }
    #[inline(always)]
    unsafe fn store_ptr(self, p: *mut f32, x: Self::F) {
        on!(vst1q_f32(p, x));
    }
    #[inline(always)]
    fn add(self, a: Self::F, b: Self::F) -> Self::F {
        on!(vaddq_f32(a, b))
    }
    #[inline(always)]
    fn sub(self, a: Self::F, b: Self::F) -> Self::F {
        on!(vsubq_f32(a, b))
    }
    #[inline(always)]
    fn mul(self, a: Self::F, b: Self::F) -> Self::F {
        on!(vmulq_f32(a, b))
    }
    #[inline(always)]
    fn div(self, a: Self::F, b: Self::F) -> Self::F {
        on!(vdivq_f32(a, b))
    }
    #[inline(always)]
    fn sqrt(self, a: Self::F) -> Self::F {
        on!(vsqrtq_f32(a))
    }
    #[inline(always)]
    fn mul_add(self, a: Self::F, b: Self::F, c: Self::F) -> Self::F {
        on!(vfmaq_f32(c, a, b))
    }
    #[inline(always)]
    fn neg_mul_add(self, a: Self::F, b: Self::F, c: Self::F) -> Self::F {
        on!(vfmsq_f32(c, a, b))
    }
    #[inline(always)]
    fn min(self, a: Self::F, b: Self::F) -> Self::F {
        // Arm's minimum instruction returns NaN if either operand is NaN, but `Simd::min` then returns `b`.
        self.select(self.lt(a, b), a, b)
    }
    #[inline(always)]
    fn max(self, a: Self::F, b: Self::F) -> Self::F {
        self.select(self.lt(b, a), a, b)
    }
    #[inline(always)]
    fn lt(self, a: Self::F, b: Self::F) -> Self::M {
        on!(vcltq_f32(a, b))
    }
    #[inline(always)]
    fn eq(self, a: Self::F, b: Self::F) -> Self::M {
        on!(vceqq_f32(a, b))
    }
    #[inline(always)]
    fn select(self, m: Self::M, a: Self::F, b: Self::F) -> Self::F {
        on!(vbslq_f32(m, a, b))
    }
    #[inline(always)]
    fn sum(self, x: Self::F) -> f32 {
        on!({
            let two = vadd_f32(vget_low_f32(x), vget_high_f32(x));
            vget_lane_f32::<0>(two) + vget_lane_f32::<1>(two)
        })
    }
    #[inline(always)]
    fn any(self, m: Self::M) -> bool {
        on!(vmaxvq_u32(m)) != 0
    }
    #[inline(always)]
    fn mask_bits(self, m: Self::M) -> u32 {
        // The sum of 1, 2, 4 and 8 over the lanes that are true.
        on!(vaddvq_u32(vandq_u32(m, vcombine_u32(vcreate_u32(1 | 2 << 32), vcreate_u32(4 | 8 << 32)))))
    }
    #[inline(always)]
    unsafe fn load_bytes_ptr(self, p: *const u8) -> Self::U {
        on!({
            let bytes = vcreate_u8(u64::from(p.cast::<u32>().read_unaligned()));
            vmovl_u16(vget_low_u16(vmovl_u8(bytes)))
        })
    }
    #[inline(always)]
    fn splat_u(self, x: u32) -> Self::U {
        on!(vdupq_n_u32(x))
    }
    #[inline(always)]
    fn count_from(self, start: u32) -> Self::U {
        self.add_u(self.splat_u(start), on!(vld1q_u32([0, 1, 2, 3].as_ptr())))
    }
    #[inline(always)]
    fn to_bits(self, x: Self::F) -> Self::U {
        on!(vreinterpretq_u32_f32(x))
    }
    #[inline(always)]
    fn bits_to_f(self, x: Self::U) -> Self::F {
        on!(vreinterpretq_f32_u32(x))
    }
    #[inline(always)]
    fn to_f(self, x: Self::U) -> Self::F {
        on!(vcvtq_f32_s32(vreinterpretq_s32_u32(x)))
    }
    #[inline(always)]
    fn add_u(self, a: Self::U, b: Self::U) -> Self::U {
        on!(vaddq_u32(a, b))
    }
    #[inline(always)]
    fn sub_u(self, a: Self::U, b: Self::U) -> Self::U {
        on!(vsubq_u32(a, b))
    }
    #[inline(always)]
    fn mul_wide(self, a: Self::U, b: Self::U) -> (Self::U, Self::U) {
        on!({
            let low = vreinterpretq_u32_u64(vmull_u32(vget_low_u32(a), vget_low_u32(b)));
            let high = vreinterpretq_u32_u64(vmull_high_u32(a, b));
            (vuzp2q_u32(low, high), vuzp1q_u32(low, high))
        })
    }
    #[inline(always)]
    fn and(self, a: Self::U, b: Self::U) -> Self::U {
        on!(vandq_u32(a, b))
    }
    #[inline(always)]
    fn or(self, a: Self::U, b: Self::U) -> Self::U {
        on!(vorrq_u32(a, b))
    }
    #[inline(always)]
    fn xor(self, a: Self::U, b: Self::U) -> Self::U {
        on!(veorq_u32(a, b))
    }
    #[inline(always)]
    fn shl(self, a: Self::U, n: u32) -> Self::U {
        on!(vshlq_u32(a, vdupq_n_s32(n as i32)))
    }
    #[inline(always)]
    fn shr(self, a: Self::U, n: u32) -> Self::U {
        on!(vshlq_u32(a, vdupq_n_s32(-(n as i32))))
    }
    #[inline(always)]
    fn sar(self, a: Self::U, n: u32) -> Self::U {
        on!(vreinterpretq_u32_s32(vshlq_s32(vreinterpretq_s32_u32(a), vdupq_n_s32(-(n as i32)))))
    }
    #[inline(always)]
    fn eq_u(self, a: Self::U, b: Self::U) -> Self::M {
        on!(vceqq_u32(a, b))
    }

    #[inline(always)]
    unsafe fn transpose_ptr(self, src: *const f32, src_stride: usize, dst: *mut f32, dst_stride: usize) {
        on!({
            let r: [float32x4_t; 4] = std::array::from_fn(|i| vld1q_f32(src.add(i * src_stride)));
            let pairs = [
                vtrn1q_f32(r[0], r[1]),
                vtrn2q_f32(r[0], r[1]),
                vtrn1q_f32(r[2], r[3]),
                vtrn2q_f32(r[2], r[3]),
            ];
            let pairs = pairs.map(|p| vreinterpretq_f64_f32(p));
            let columns = [
                vtrn1q_f64(pairs[0], pairs[2]),
                vtrn1q_f64(pairs[1], pairs[3]),
                vtrn2q_f64(pairs[0], pairs[2]),
                vtrn2q_f64(pairs[1], pairs[3]),
            ];
            for (c, column) in columns.into_iter().enumerate() {
                vst1q_f32(dst.add(c * dst_stride), vreinterpretq_f32_f64(column));
            }
        });
    }
}
