//! x86-64 with AVX2 and FMA: 8 lanes.
//!
//! Shuffles of two vectors take a number that selects the parts: of `permute2f128`, 0x20 are both lower
//! halves and 0x31 both upper halves. Within each half, `shuffle_ps` takes the lower pairs (0x44), the upper
//! pairs (0xee) or the lanes with even indices (0x88).

use std::arch::x86_64::*;

use super::{Op, Simd};

/// Calls intrinsics. To be used only where a token is in scope.
macro_rules! on {
    ($e:expr) => {{
        // SAFETY: a token is in scope, so the machine has the instructions. For those that access memory, the
        // caller of the unsafe method guarantees the pointer.
        unsafe { $e }
    }};
}

/// The token: proof that this machine has AVX2, FMA and POPCNT.
#[derive(Clone, Copy)]
pub struct Avx2(());

impl Avx2 {
    /// The token, if the machine has the instructions.
    pub fn new() -> Option<Self> {
        (is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("fma")
            && is_x86_feature_detected!("popcnt"))
        .then_some(Self(()))
    }

    /// A mask of the first `n` lanes.
    #[inline(always)]
    fn first(self, n: usize) -> __m256i {
        on!(_mm256_cmpgt_epi32(_mm256_set1_epi32(n as i32), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7)))
    }
}

impl super::sealed::Sealed for Avx2 {}

impl Simd for Avx2 {
    const LANES: usize = 8;
    // Of 16 registers, 12 hold the sums of a tile, 2 a row of the right matrix and 1 a value of the left
    // matrix.
    const TILE_ROWS: usize = 6;
    const TILE_VECTORS: usize = 2;
    const PACK_LEFT: bool = false;
    type F = __m256;
    type U = __m256i;
    type M = __m256;

    fn name(self) -> &'static str {
        "avx2+fma"
    }

    #[inline]
    fn vectorize<O: Op>(self, op: O) -> O::Output {
        #[target_feature(enable = "avx2,fma,popcnt")]
        fn inner<O: Op>(simd: Avx2, op: O) -> O::Output {
            super::align_frame();
            op.run(simd)
        }
        on!(inner(self, op))
    }

    #[inline(always)]
    fn splat(self, x: f32) -> Self::F {
        on!(_mm256_set1_ps(x))
    }
    #[inline(always)]
    unsafe fn load_ptr(self, p: *const f32) -> Self::F {
        on!(_mm256_loadu_ps(p))
    }
    #[inline(always)]
    unsafe fn store_ptr(self, p: *mut f32, x: Self::F) {
        on!(_mm256_storeu_ps(p, x));
    }
    #[inline(always)]
    unsafe fn load_partial_ptr(self, p: *const f32, n: usize, pad: f32) -> Self::F {
        let mask = self.first(n);
        on!(_mm256_blendv_ps(_mm256_set1_ps(pad), _mm256_maskload_ps(p, mask), _mm256_castsi256_ps(mask)))
    }
    #[inline(always)]
    unsafe fn store_partial_ptr(self, p: *mut f32, x: Self::F, n: usize) {
        on!(_mm256_maskstore_ps(p, self.first(n), x));
    }
    #[inline(always)]
    fn add(self, a: Self::F, b: Self::F) -> Self::F {
        on!(_mm256_add_ps(a, b))
    }
    #[inline(always)]
    fn sub(self, a: Self::F, b: Self::F) -> Self::F {
        on!(_mm256_sub_ps(a, b))
    }
    #[inline(always)]
    fn mul(self, a: Self::F, b: Self::F) -> Self::F {
        on!(_mm256_mul_ps(a, b))
    }
    #[inline(always)]
    fn div(self, a: Self::F, b: Self::F) -> Self::F {
        on!(_mm256_div_ps(a, b))
    }
    #[inline(always)]
    fn sqrt(self, a: Self::F) -> Self::F {
        on!(_mm256_sqrt_ps(a))
    }
    #[inline(always)]
    fn mul_add(self, a: Self::F, b: Self::F, c: Self::F) -> Self::F {
        on!(_mm256_fmadd_ps(a, b, c))
    }
    #[inline(always)]
    fn neg_mul_add(self, a: Self::F, b: Self::F, c: Self::F) -> Self::F {
        on!(_mm256_fnmadd_ps(a, b, c))
    }
    #[inline(always)]
    fn min(self, a: Self::F, b: Self::F) -> Self::F {
        on!(_mm256_min_ps(a, b))
    }
    #[inline(always)]
    fn max(self, a: Self::F, b: Self::F) -> Self::F {
        on!(_mm256_max_ps(a, b))
    }
    #[inline(always)]
    fn lt(self, a: Self::F, b: Self::F) -> Self::M {
        on!(_mm256_cmp_ps::<_CMP_LT_OQ>(a, b))
    }
    #[inline(always)]
    fn eq(self, a: Self::F, b: Self::F) -> Self::M {
        on!(_mm256_cmp_ps::<_CMP_EQ_OQ>(a, b))
    }
    #[inline(always)]
    fn select(self, m: Self::M, a: Self::F, b: Self::F) -> Self::F {
        on!(_mm256_blendv_ps(b, a, m))
    }
    #[inline(always)]
    fn sum(self, x: Self::F) -> f32 {
        on!({
            let four = _mm_add_ps(_mm256_castps256_ps128(x), _mm256_extractf128_ps::<1>(x));
            let two = _mm_add_ps(four, _mm_movehl_ps(four, four));
            _mm_cvtss_f32(_mm_add_ss(two, _mm_movehdup_ps(two)))
        })
    }
    #[inline(always)]
    fn sum4(self, [a, b, c, d]: [Self::F; 4]) -> [f32; 4] {
        let mut sums = [0.0; 4];
        on!({
            // All four sums at once; each adds upper halves to lower halves, as in `sum`.
            let halves = |a, b| {
                _mm256_add_ps(_mm256_permute2f128_ps::<0x20>(a, b), _mm256_permute2f128_ps::<0x31>(a, b))
            };
            let (ab, cd) = (halves(a, b), halves(c, d));
            let two = _mm256_add_ps(_mm256_shuffle_ps::<0x44>(ab, cd), _mm256_shuffle_ps::<0xee>(ab, cd));
            let one = _mm256_add_ps(two, _mm256_movehdup_ps(two));
            let (ac, bd) = (_mm256_castps256_ps128(one), _mm256_extractf128_ps::<1>(one));
            let sum = _mm_unpacklo_ps(_mm_shuffle_ps::<0x88>(ac, ac), _mm_shuffle_ps::<0x88>(bd, bd));
            _mm_storeu_ps(sums.as_mut_ptr(), sum);
        });
        sums
    }
    #[inline(always)]
    fn any(self, m: Self::M) -> bool {
        on!(_mm256_movemask_ps(m)) != 0
    }
    #[inline(always)]
    fn mask_bits(self, m: Self::M) -> u32 {
        on!(_mm256_movemask_ps(m)) as u32
    }
    #[inline(always)]
    fn count_from(self, start: u32) -> Self::U {
        self.add_u(self.splat_u(start), on!(_mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7)))
    }
    #[inline(always)]
    fn mul_wide(self, a: Self::U, b: Self::U) -> (Self::U, Self::U) {
        // Lanes with odd indices.
        const ODD: i32 = 0b1010_1010;
        on!({
            let even = _mm256_mul_epu32(a, b);
            let odd = _mm256_mul_epu32(_mm256_srli_epi64::<32>(a), _mm256_srli_epi64::<32>(b));
            (
                _mm256_blend_epi32::<ODD>(_mm256_srli_epi64::<32>(even), odd),
                _mm256_blend_epi32::<ODD>(even, _mm256_slli_epi64::<32>(odd)),
            )
        })
    }
    #[inline(always)]
    unsafe fn load_bytes_ptr(self, p: *const u8) -> Self::U {
        on!(_mm256_cvtepu8_epi32(_mm_loadl_epi64(p.cast())))
    }
    #[inline(always)]
    fn nonzero(self, bytes: &[u8; 64]) -> u64 {
        on!({
            let zero = _mm256_setzero_si256();
            let [low, high] = [0, 32].map(|i| {
                let half = _mm256_loadu_si256(bytes.as_ptr().add(i).cast());
                u64::from(_mm256_movemask_epi8(_mm256_cmpeq_epi8(half, zero)) as u32)
            });
            !(low | high << 32)
        })
    }
    #[inline(always)]
    fn splat_u(self, x: u32) -> Self::U {
        on!(_mm256_set1_epi32(x as i32))
    }
    #[inline(always)]
    fn to_bits(self, x: Self::F) -> Self::U {
        on!(_mm256_castps_si256(x))
    }
    #[inline(always)]
    fn bits_to_f(self, x: Self::U) -> Self::F {
        on!(_mm256_castsi256_ps(x))
    }
    #[inline(always)]
    fn to_f(self, x: Self::U) -> Self::F {
        on!(_mm256_cvtepi32_ps(x))
    }
    #[inline(always)]
    fn add_u(self, a: Self::U, b: Self::U) -> Self::U {
        on!(_mm256_add_epi32(a, b))
    }
    #[inline(always)]
    fn sub_u(self, a: Self::U, b: Self::U) -> Self::U {
        on!(_mm256_sub_epi32(a, b))
    }
    #[inline(always)]
    fn and(self, a: Self::U, b: Self::U) -> Self::U {
        on!(_mm256_and_si256(a, b))
    }
    #[inline(always)]
    fn or(self, a: Self::U, b: Self::U) -> Self::U {
        on!(_mm256_or_si256(a, b))
    }
    #[inline(always)]
    fn xor(self, a: Self::U, b: Self::U) -> Self::U {
        on!(_mm256_xor_si256(a, b))
    }
    #[inline(always)]
    fn shl(self, a: Self::U, n: u32) -> Self::U {
        on!(_mm256_sllv_epi32(a, _mm256_set1_epi32(n as i32)))
    }
    #[inline(always)]
    fn shr(self, a: Self::U, n: u32) -> Self::U {
        on!(_mm256_srlv_epi32(a, _mm256_set1_epi32(n as i32)))
    }
    #[inline(always)]
    fn sar(self, a: Self::U, n: u32) -> Self::U {
        on!(_mm256_srav_epi32(a, _mm256_set1_epi32(n as i32)))
    }
    #[inline(always)]
    fn eq_u(self, a: Self::U, b: Self::U) -> Self::M {
        on!(_mm256_castsi256_ps(_mm256_cmpeq_epi32(a, b)))
    }

    #[inline(always)]
    unsafe fn transpose_ptr(self, src: *const f32, src_stride: usize, dst: *mut f32, dst_stride: usize) {
        on!({
            let r: [__m256; 8] = std::array::from_fn(|i| _mm256_loadu_ps(src.add(i * src_stride)));
            // Interleave pairs of rows, then pairs of pairs: `quads[4 g + c]` holds columns c and 4 + c of
            // rows 4 g..4 g + 4.
            let pairs: [__m256; 8] = std::array::from_fn(|i| match i % 2 {
                0 => _mm256_unpacklo_ps(r[i], r[i + 1]),
                _ => _mm256_unpackhi_ps(r[i - 1], r[i]),
            });
            let quads: [__m256; 8] = std::array::from_fn(|i| {
                let low = i / 4 * 4 + i % 4 / 2;
                let (a, b) = (_mm256_castps_pd(pairs[low]), _mm256_castps_pd(pairs[low + 2]));
                _mm256_castpd_ps(if i % 2 == 0 { _mm256_unpacklo_pd(a, b) } else { _mm256_unpackhi_pd(a, b) })
            });
            for c in 0..4 {
                let (left, right) = (quads[c], quads[4 + c]);
                _mm256_storeu_ps(dst.add(c * dst_stride), _mm256_permute2f128_ps::<0x20>(left, right));
                _mm256_storeu_ps(dst.add((4 + c) * dst_stride), _mm256_permute2f128_ps::<0x31>(left, right));
            }
        });
    }

    #[inline(always)]
    unsafe fn store_interleaved_ptr(self, p: *mut f32, words: [Self::F; 4]) {
        on!({
            let [a, b, c, d] = words;
            let (ab, cd) = (_mm256_unpacklo_ps(a, b), _mm256_unpacklo_ps(c, d));
            let (ab_high, cd_high) = (_mm256_unpackhi_ps(a, b), _mm256_unpackhi_ps(c, d));
            // The halves of `blocks[i]` hold the four words of lane i and of lane 4 + i.
            let blocks = [
                _mm256_unpacklo_pd(_mm256_castps_pd(ab), _mm256_castps_pd(cd)),
                _mm256_unpackhi_pd(_mm256_castps_pd(ab), _mm256_castps_pd(cd)),
                _mm256_unpacklo_pd(_mm256_castps_pd(ab_high), _mm256_castps_pd(cd_high)),
                _mm256_unpackhi_pd(_mm256_castps_pd(ab_high), _mm256_castps_pd(cd_high)),
            ];
            let [a, b, c, d] = blocks.map(|block| _mm256_castpd_ps(block));
            _mm256_storeu_ps(p, _mm256_permute2f128_ps::<0x20>(a, b));
            _mm256_storeu_ps(p.add(8), _mm256_permute2f128_ps::<0x20>(c, d));
            _mm256_storeu_ps(p.add(16), _mm256_permute2f128_ps::<0x31>(a, b));
            _mm256_storeu_ps(p.add(24), _mm256_permute2f128_ps::<0x31>(c, d));
        });
    }
}
