//! x86-64 with AVX-512 F, BW, DQ and VL, which all CPUs with AVX-512 since Skylake-X have: 16 lanes.
//!
//! `shuffle_f32x4` takes a number that selects two of the four quarters of each of two vectors: the lower
//! ones (0x44), the upper ones (0xee), those with even indices (0x88) or with odd indices (0xdd).
//! `permute_ps` with 0x0e moves the upper two lanes of every quarter down, and the mask 0x1111 is the first
//! lane of every quarter.

use std::arch::x86_64::*;

use super::{Op, Simd};

/// The token: proof that this machine has AVX-512 F, BW, DQ and VL, AVX2, FMA and POPCNT.
#[derive(Clone, Copy)]
pub struct Avx512(());

impl Avx512 {
    /// The token, if the machine has the instructions.
    pub fn new() -> Option<Self> {
        (is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("fma")
            && is_x86_feature_detected!("popcnt"))
        .then_some(Self(()))
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

/// A mask of the first `n` lanes.
#[inline(always)]
fn first(n: usize) -> __mmask16 {
    (1u32 << n).wrapping_sub(1) as __mmask16
}

impl super::sealed::Sealed for Avx512 {}

impl Simd for Avx512 {
    const LANES: usize = 16;
    // Of 32 registers, 24 hold the sums of a tile, 3 a row of the right matrix and 1 a value of the left
    // matrix.
    const TILE_ROWS: usize = 8;
    const TILE_VECTORS: usize = 3;
    const PACK_LEFT: bool = false;
    type F = __m512;
    type U = __m512i;
    type M = __mmask16;

    fn name(self) -> &'static str {
        "avx512"
    }

    #[inline]
    fn vectorize<O: Op>(self, op: O) -> O::Output {
        #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,fma,popcnt")]
        fn inner<O: Op>(simd: Avx512, op: O) -> O::Output {
            super::align_frame();
            op.run(simd)
        }
        on!(inner(self, op))
    }

    #[inline(always)]
    fn splat(self, x: f32) -> Self::F {
        on!(_mm512_set1_ps(x))
    }
    #[inline(always)]
    unsafe fn load_ptr(self, p: *const f32) -> Self::F {
        on!(_mm512_loadu_ps(p))
    }
    #[inline(always)]
    unsafe fn store_ptr(self, p: *mut f32, x: Self::F) {
        on!(_mm512_storeu_ps(p, x));
    }
    #[inline(always)]
    unsafe fn load_partial_ptr(self, p: *const f32, n: usize, pad: f32) -> Self::F {
        on!(_mm512_mask_loadu_ps(_mm512_set1_ps(pad), first(n), p))
    }
    #[inline(always)]
    unsafe fn store_partial_ptr(self, p: *mut f32, x: Self::F, n: usize) {
        on!(_mm512_mask_storeu_ps(p, first(n), x));
    }
    #[inline(always)]
    fn add(self, a: Self::F, b: Self::F) -> Self::F {
        on!(_mm512_add_ps(a, b))
    }
    #[inline(always)]
    fn sub(self, a: Self::F, b: Self::F) -> Self::F {
        on!(_mm512_sub_ps(a, b))
    }
    #[inline(always)]
    fn mul(self, a: Self::F, b: Self::F) -> Self::F {
        on!(_mm512_mul_ps(a, b))
    }
    #[inline(always)]
    fn div(self, a: Self::F, b: Self::F) -> Self::F {
        on!(_mm512_div_ps(a, b))
    }
    #[inline(always)]
    fn sqrt(self, a: Self::F) -> Self::F {
        on!(_mm512_sqrt_ps(a))
    }
    #[inline(always)]
    fn mul_add(self, a: Self::F, b: Self::F, c: Self::F) -> Self::F {
        on!(_mm512_fmadd_ps(a, b, c))
    }
    #[inline(always)]
    fn neg_mul_add(self, a: Self::F, b: Self::F, c: Self::F) -> Self::F {
        on!(_mm512_fnmadd_ps(a, b, c))
    }
    #[inline(always)]
    fn min(self, a: Self::F, b: Self::F) -> Self::F {
        on!(_mm512_min_ps(a, b))
    }
    #[inline(always)]
    fn max(self, a: Self::F, b: Self::F) -> Self::F {
        on!(_mm512_max_ps(a, b))
    }
    #[inline(always)]
    fn lt(self, a: Self::F, b: Self::F) -> Self::M {
        on!(_mm512_cmp_ps_mask::<_CMP_LT_OQ>(a, b))
    }
    #[inline(always)]
    fn eq(self, a: Self::F, b: Self::F) -> Self::M {
        on!(_mm512_cmp_ps_mask::<_CMP_EQ_OQ>(a, b))
    }
    #[inline(always)]
    fn select(self, m: Self::M, a: Self::F, b: Self::F) -> Self::F {
        on!(_mm512_mask_blend_ps(m, b, a))
    }
    #[inline(always)]
    fn sum(self, x: Self::F) -> f32 {
        on!({
            let eight = _mm256_add_ps(_mm512_castps512_ps256(x), _mm512_extractf32x8_ps::<1>(x));
            let four = _mm_add_ps(_mm256_castps256_ps128(eight), _mm256_extractf128_ps::<1>(eight));
            let two = _mm_add_ps(four, _mm_movehl_ps(four, four));
            _mm_cvtss_f32(_mm_add_ss(two, _mm_movehdup_ps(two)))
        })
    }
    #[inline(always)]
    fn sum4(self, [a, b, c, d]: [Self::F; 4]) -> [f32; 4] {
        let mut sums = [0.0; 4];
        on!({
            // All four sums at once; each adds upper halves to lower halves, as in `sum`.
            let ab = _mm512_add_ps(_mm512_shuffle_f32x4::<0x44>(a, b), _mm512_shuffle_f32x4::<0xee>(a, b));
            let cd = _mm512_add_ps(_mm512_shuffle_f32x4::<0x44>(c, d), _mm512_shuffle_f32x4::<0xee>(c, d));
            let four =
                _mm512_add_ps(_mm512_shuffle_f32x4::<0x88>(ab, cd), _mm512_shuffle_f32x4::<0xdd>(ab, cd));
            let two = _mm512_add_ps(four, _mm512_permute_ps::<0x0e>(four));
            let one = _mm512_add_ps(two, _mm512_movehdup_ps(two));
            let sum = _mm512_castps512_ps128(_mm512_maskz_compress_ps(0x1111, one));
            _mm_storeu_ps(sums.as_mut_ptr(), sum);
        });
        sums
    }
    #[inline(always)]
    fn any(self, m: Self::M) -> bool {
        m != 0
    }
    #[inline(always)]
    fn mask_bits(self, m: Self::M) -> u32 {
        u32::from(m)
    }
    #[inline(always)]
    fn count_from(self, start: u32) -> Self::U {
        let count = on!(_mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
        self.add_u(self.splat_u(start), count)
    }
    #[inline(always)]
    fn mul_wide(self, a: Self::U, b: Self::U) -> (Self::U, Self::U) {
        // Lanes with odd indices.
        const ODD: __mmask16 = 0b1010_1010_1010_1010;
        on!({
            let even = _mm512_mul_epu32(a, b);
            let odd = _mm512_mul_epu32(_mm512_srli_epi64::<32>(a), _mm512_srli_epi64::<32>(b));
            (
                _mm512_mask_blend_epi32(ODD, _mm512_srli_epi64::<32>(even), odd),
                _mm512_mask_blend_epi32(ODD, even, _mm512_slli_epi64::<32>(odd)),
            )
        })
    }
    #[inline(always)]
    unsafe fn load_bytes_ptr(self, p: *const u8) -> Self::U {
        on!(_mm512_cvtepu8_epi32(_mm_loadu_si128(p.cast())))
    }
    #[inline(always)]
    unsafe fn compress_ptr(self, p: *mut u32, bits: u32, x: Self::U) -> usize {
        // Compressed in a register and then stored: on some CPUs, compressing directly to memory is ten times
        // slower.
        on!(_mm512_storeu_epi32(p.cast(), _mm512_maskz_compress_epi32(bits as __mmask16, x)));
        (bits & 0xffff).count_ones() as usize
    }
    #[inline(always)]
    fn nonzero(self, bytes: &[u8; 64]) -> u64 {
        on!({
            let bytes = _mm512_loadu_si512(bytes.as_ptr().cast());
            _mm512_test_epi8_mask(bytes, bytes)
        })
    }
    #[inline(always)]
    fn splat_u(self, x: u32) -> Self::U {
        on!(_mm512_set1_epi32(x as i32))
    }
    #[inline(always)]
    fn to_bits(self, x: Self::F) -> Self::U {
        on!(_mm512_castps_si512(x))
    }
    #[inline(always)]
    fn bits_to_f(self, x: Self::U) -> Self::F {
        on!(_mm512_castsi512_ps(x))
    }
    #[inline(always)]
    fn to_f(self, x: Self::U) -> Self::F {
        on!(_mm512_cvtepi32_ps(x))
    }
    #[inline(always)]
    fn add_u(self, a: Self::U, b: Self::U) -> Self::U {
        on!(_mm512_add_epi32(a, b))
    }
    #[inline(always)]
    fn sub_u(self, a: Self::U, b: Self::U) -> Self::U {
        on!(_mm512_sub_epi32(a, b))
    }
    #[inline(always)]
    fn and(self, a: Self::U, b: Self::U) -> Self::U {
        on!(_mm512_and_si512(a, b))
    }
    #[inline(always)]
    fn or(self, a: Self::U, b: Self::U) -> Self::U {
        on!(_mm512_or_si512(a, b))
    }
    #[inline(always)]
    fn xor(self, a: Self::U, b: Self::U) -> Self::U {
        on!(_mm512_xor_si512(a, b))
    }
    #[inline(always)]
    fn shl(self, a: Self::U, n: u32) -> Self::U {
        on!(_mm512_sllv_epi32(a, _mm512_set1_epi32(n as i32)))
    }
    #[inline(always)]
    fn shr(self, a: Self::U, n: u32) -> Self::U {
        on!(_mm512_srlv_epi32(a, _mm512_set1_epi32(n as i32)))
    }
    #[inline(always)]
    fn sar(self, a: Self::U, n: u32) -> Self::U {
        on!(_mm512_srav_epi32(a, _mm512_set1_epi32(n as i32)))
    }
    #[inline(always)]
    fn eq_u(self, a: Self::U, b: Self::U) -> Self::M {
        on!(_mm512_cmpeq_epi32_mask(a, b))
    }
    #[inline(always)]
    fn scale(self, x: Self::F, n: Self::F, _n_word: Self::U) -> Self::F {
        on!(_mm512_scalef_ps(x, n))
    }

    #[inline(always)]
    unsafe fn transpose_ptr(self, src: *const f32, src_stride: usize, dst: *mut f32, dst_stride: usize) {
        on!({
            let r: [__m512; 16] = std::array::from_fn(|i| _mm512_loadu_ps(src.add(i * src_stride)));
            // Interleave pairs of rows, then pairs of pairs: `quads[4 g + c]` holds columns c, 4 + c, 8 + c,
            // 12 + c of rows 4 g..4 g + 4.
            let pairs: [__m512; 16] = std::array::from_fn(|i| match i % 2 {
                0 => _mm512_unpacklo_ps(r[i], r[i + 1]),
                _ => _mm512_unpackhi_ps(r[i - 1], r[i]),
            });
            let quads: [__m512; 16] = std::array::from_fn(|i| {
                let low = i / 4 * 4 + i % 4 / 2;
                let (a, b) = (_mm512_castps_pd(pairs[low]), _mm512_castps_pd(pairs[low + 2]));
                _mm512_castpd_ps(if i % 2 == 0 { _mm512_unpacklo_pd(a, b) } else { _mm512_unpackhi_pd(a, b) })
            });
            for c in 0..4 {
                let (a, b, d, e) = (quads[c], quads[4 + c], quads[8 + c], quads[12 + c]);
                let (ab_even, ab_odd) =
                    (_mm512_shuffle_f32x4::<0x88>(a, b), _mm512_shuffle_f32x4::<0xdd>(a, b));
                let (de_even, de_odd) =
                    (_mm512_shuffle_f32x4::<0x88>(d, e), _mm512_shuffle_f32x4::<0xdd>(d, e));
                let columns = [
                    _mm512_shuffle_f32x4::<0x88>(ab_even, de_even),
                    _mm512_shuffle_f32x4::<0x88>(ab_odd, de_odd),
                    _mm512_shuffle_f32x4::<0xdd>(ab_even, de_even),
                    _mm512_shuffle_f32x4::<0xdd>(ab_odd, de_odd),
                ];
                for (group, column) in columns.into_iter().enumerate() {
                    _mm512_storeu_ps(dst.add((4 * group + c) * dst_stride), column);
                }
            }
        });
    }

    #[inline(always)]
    unsafe fn store_interleaved_ptr(self, p: *mut f32, words: [Self::F; 4]) {
        on!({
            let [a, b, c, d] = words;
            let (ab, cd) = (_mm512_unpacklo_ps(a, b), _mm512_unpacklo_ps(c, d));
            let (ab_high, cd_high) = (_mm512_unpackhi_ps(a, b), _mm512_unpackhi_ps(c, d));
            // The quarters of `blocks[i]` hold the four words of lanes i, 4 + i, 8 + i and 12 + i.
            let blocks = [
                _mm512_unpacklo_pd(_mm512_castps_pd(ab), _mm512_castps_pd(cd)),
                _mm512_unpackhi_pd(_mm512_castps_pd(ab), _mm512_castps_pd(cd)),
                _mm512_unpacklo_pd(_mm512_castps_pd(ab_high), _mm512_castps_pd(cd_high)),
                _mm512_unpackhi_pd(_mm512_castps_pd(ab_high), _mm512_castps_pd(cd_high)),
            ];
            let [a, b, c, d] = blocks.map(|block| _mm512_castpd_ps(block));
            let (ab_even, ab_odd) = (_mm512_shuffle_f32x4::<0x88>(a, b), _mm512_shuffle_f32x4::<0xdd>(a, b));
            let (cd_even, cd_odd) = (_mm512_shuffle_f32x4::<0x88>(c, d), _mm512_shuffle_f32x4::<0xdd>(c, d));
            let quarters = [
                _mm512_shuffle_f32x4::<0x88>(ab_even, cd_even),
                _mm512_shuffle_f32x4::<0x88>(ab_odd, cd_odd),
                _mm512_shuffle_f32x4::<0xdd>(ab_even, cd_even),
                _mm512_shuffle_f32x4::<0xdd>(ab_odd, cd_odd),
            ];
            for (i, quarter) in quarters.into_iter().enumerate() {
                _mm512_storeu_ps(p.add(16 * i), quarter);
            }
        });
    }
}
