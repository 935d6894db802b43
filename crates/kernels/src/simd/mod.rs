//! The SIMD layer: the trait [`Simd`] with one implementation per instruction set, and [`dispatch`], which
//! runs a generic [`Op`] with the best instruction set of this machine.
//!
//! A value of a type that implements [`Simd`] is a token, that is, a proof that the machine has the
//! instructions: it exists only if the hardware has the instructions, so its methods are safe to call. They
//! compile to single instructions only inside [`Simd::vectorize`], which enables the instruction set for one
//! call. Therefore `Op::run`, and every function that it passes the token to, is marked `#[inline(always)]`.
//!
//! Routines follow one pattern: a public function checks its arguments and dispatches a local struct (often
//! named `Run`) that holds the arguments and implements [`Op`].
//!
//! Natively the instruction set is detected once, at run time. In WebAssembly, where a module with an unknown
//! instruction does not load, it is fixed when the module is made.
//!
//! All routines of this crate sum in an order that does not depend on the number of lanes. So all instruction
//! sets with a fused multiply-add (AVX-512, AVX2, NEON) give the same bits, and so do all without.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
pub mod math;
#[cfg(target_arch = "aarch64")]
mod neon;
mod partial_sums;
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
mod portable;
mod slices;
mod unfused;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod wasm;

#[cfg(target_arch = "x86_64")]
pub use avx2::Avx2;
#[cfg(target_arch = "x86_64")]
pub use avx512::Avx512;
#[cfg(target_arch = "aarch64")]
pub use neon::Neon;
pub use partial_sums::{PartialSums, fold, fold_zip, map_and_sum, sum_partials};
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
pub use portable::Portable;
pub use slices::{
    MAX_LANES, load_padded, load_words, map, store_compressed, store_partial, zip_map, zip2_map, zip3,
};
pub use unfused::Unfused;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub use wasm::Wasm;

use std::hint::black_box;
use std::sync::OnceLock;

use crate::isa::{Bits, plain_is_chosen};

mod sealed {
    pub trait Sealed {}
}

/// A computation that is generic over the instruction set.
pub trait Op {
    type Output;
    /// Runs the computation with the instructions of `S`. Implementations must be marked `#[inline(always)]`.
    fn run<S: Simd>(self, simd: S) -> Self::Output;
}

/// An instruction set of this machine: vectors of [`Simd::LANES`] floats or 32-bit words, and operations on
/// them. Arithmetic is IEEE 754 single precision, and comparisons with NaN are false. The trait is sealed,
/// because unsafe code relies on `LANES` being correct and at most [`MAX_LANES`].
pub trait Simd: sealed::Sealed + Copy + Send + Sync + 'static {
    /// Values per vector; a divisor of [`MAX_LANES`].
    const LANES: usize;
    /// The most rows that the register tile of matrix products has; see [`Simd::tile_rows`].
    const TILE_ROWS: usize;
    /// Vectors per row of the register tile.
    const TILE_VECTORS: usize;
    /// Whether matrix products pack the left matrix too, so that every address in the innermost loop is a
    /// pointer plus a constant.
    const PACK_LEFT: bool;
    /// A vector of `f32`.
    type F: Copy;
    /// A vector of `u32`.
    type U: Copy;
    /// A mask: one boolean per lane.
    type M: Copy;

    /// The name, as shown to people.
    fn name(self) -> &'static str;

    /// Rows of the register tile of matrix products. Fewer may fit the registers without a fused
    /// multiply-add.
    #[inline(always)]
    fn tile_rows(self) -> usize {
        Self::TILE_ROWS
    }

    /// Runs `op` in a function compiled for this instruction set.
    fn vectorize<O: Op>(self, op: O) -> O::Output;

    /// A vector with `x` in all lanes.
    fn splat(self, x: f32) -> Self::F;
    /// A vector with the constant `x` in all lanes, for functions that need more constants than there are
    /// registers.
    #[inline(always)]
    fn constant(self, x: &'static f32) -> Self::F {
        self.splat(*x)
    }
    /// Loads [`Simd::LANES`] values.
    ///
    /// # Safety
    /// `LANES` values from `p` on must be readable.
    unsafe fn load_ptr(self, p: *const f32) -> Self::F;
    /// Stores [`Simd::LANES`] values.
    ///
    /// # Safety
    /// `LANES` values from `p` on must be writable.
    unsafe fn store_ptr(self, p: *mut f32, x: Self::F);
    /// Loads the first `n < LANES` lanes and fills the rest with `pad`.
    ///
    /// # Safety
    /// `n` values from `p` on must be readable.
    #[inline(always)]
    unsafe fn load_partial_ptr(self, p: *const f32, n: usize, pad: f32) -> Self::F {
        let mut lanes = [pad; MAX_LANES];
        debug_assert!(n < Self::LANES);
        // SAFETY: the caller guarantees `n` values at `p`, and `n < LANES <= MAX_LANES`.
        unsafe {
            for i in 0..n {
                *lanes.get_unchecked_mut(i) = *p.add(i);
            }
            self.load_ptr(lanes.as_ptr())
        }
    }
    /// Stores the first `n < LANES` lanes.
    ///
    /// # Safety
    /// `n` values from `p` on must be writable.
    #[inline(always)]
    unsafe fn store_partial_ptr(self, p: *mut f32, x: Self::F, n: usize) {
        let mut lanes = [0.0; MAX_LANES];
        debug_assert!(n < Self::LANES);
        // SAFETY: the caller guarantees `n` values at `p`, and `n < LANES <= MAX_LANES`.
        unsafe {
            self.store_ptr(lanes.as_mut_ptr(), x);
            for i in 0..n {
                *p.add(i) = *lanes.get_unchecked(i);
            }
        }
    }
    /// Loads one byte per lane, zero-extended to a word.
    ///
    /// # Safety
    /// `LANES` bytes from `p` on must be readable.
    unsafe fn load_bytes_ptr(self, p: *const u8) -> Self::U;
    /// A bit mask of the bytes that are not zero: bit i is set if byte i is not zero.
    #[inline(always)]
    fn nonzero(self, bytes: &[u8; 64]) -> u64 {
        // Lowest seven bits of every byte.
        const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;
        let mut ones = 0;
        for (i, eight) in bytes.as_chunks().0.iter().enumerate() {
            let word = u64::from_le_bytes(*eight);
            // `lowest` has the lowest bit of every non-zero byte set; the product gathers these bits in its
            // highest byte.
            let lowest = ((((word & LOW) + LOW) | word) & !LOW) >> 7;
            ones |= (lowest.wrapping_mul(0x0102_0408_1020_4080) >> 56) << (8 * i);
        }
        ones
    }
    /// Transposes a square block: `dst[c * dst_stride + r] = src[r * src_stride + c]` for `r`, `c` in
    /// `0..LANES`.
    ///
    /// # Safety
    /// The rows of `src` must be readable, and the rows of `dst` writable.
    #[inline(always)]
    unsafe fn transpose_ptr(self, src: *const f32, src_stride: usize, dst: *mut f32, dst_stride: usize) {
        for r in 0..Self::LANES {
            for c in 0..Self::LANES {
                // SAFETY: inside the blocks that the caller guarantees.
                unsafe { *dst.add(c * dst_stride + r) = *src.add(r * src_stride + c) };
            }
        }
    }
    /// Interleaves four vectors: `p[4 * i + word] = words[word][i]` for every lane `i`.
    ///
    /// # Safety
    /// `4 * LANES` values from `p` on must be writable.
    #[inline(always)]
    unsafe fn store_interleaved_ptr(self, p: *mut f32, words: [Self::F; 4]) {
        const { assert!(Self::LANES == 4, "a square of four lanes") };
        let mut rows = [0.0; 16];
        // SAFETY: both have room for four rows of four values.
        unsafe {
            for (i, word) in words.into_iter().enumerate() {
                self.store_ptr(rows.as_mut_ptr().add(4 * i), word);
            }
            self.transpose_ptr(rows.as_ptr(), 4, p, 4);
        }
    }

    /// `a + b`
    fn add(self, a: Self::F, b: Self::F) -> Self::F;
    /// `a - b`
    fn sub(self, a: Self::F, b: Self::F) -> Self::F;
    /// `a * b`
    fn mul(self, a: Self::F, b: Self::F) -> Self::F;
    /// `a / b`
    fn div(self, a: Self::F, b: Self::F) -> Self::F;
    /// `sqrt(a)`, correctly rounded
    fn sqrt(self, a: Self::F) -> Self::F;
    /// `a * b + c`, rounded once if the instruction set [`fuses`], else twice.
    fn mul_add(self, a: Self::F, b: Self::F, c: Self::F) -> Self::F;
    /// `c - a * b`, rounded as [`Simd::mul_add`] is.
    fn neg_mul_add(self, a: Self::F, b: Self::F, c: Self::F) -> Self::F;
    /// `if a < b { a } else { b }`: `b` where either is NaN.
    fn min(self, a: Self::F, b: Self::F) -> Self::F;
    /// `if a > b { a } else { b }`: `b` where either is NaN.
    fn max(self, a: Self::F, b: Self::F) -> Self::F;
    /// `a < b`
    fn lt(self, a: Self::F, b: Self::F) -> Self::M;
    /// `a == b`
    fn eq(self, a: Self::F, b: Self::F) -> Self::M;
    /// `if m { a } else { b }`
    fn select(self, m: Self::M, a: Self::F, b: Self::F) -> Self::F;
    /// The sum of the lanes: the upper half is added to the lower half until one lane is left.
    #[inline(always)]
    fn sum(self, x: Self::F) -> f32 {
        let mut lanes = [0.0; MAX_LANES];
        // SAFETY: no vector has more than `MAX_LANES` lanes.
        unsafe { self.store_ptr(lanes.as_mut_ptr(), x) };
        let mut half = Self::LANES / 2;
        while half > 0 {
            for i in 0..half {
                lanes[i] += lanes[i + half];
            }
            half /= 2;
        }
        lanes[0]
    }
    /// [`Simd::sum`] of four vectors at once.
    #[inline(always)]
    fn sum4(self, x: [Self::F; 4]) -> [f32; 4] {
        x.map(
            #[inline(always)]
            |x| self.sum(x),
        )
    }
    /// Whether any lane is true.
    fn any(self, m: Self::M) -> bool;
    /// One bit per lane, the first lane lowest.
    fn mask_bits(self, m: Self::M) -> u32;

    /// A vector with the word `x` in all lanes.
    fn splat_u(self, x: u32) -> Self::U;
    /// The lanes `start`, `start + 1`, ...
    fn count_from(self, start: u32) -> Self::U;
    /// Reinterprets floats as words.
    fn to_bits(self, x: Self::F) -> Self::U;
    /// Reinterprets words as floats.
    fn bits_to_f(self, x: Self::U) -> Self::F;
    /// Converts signed words to the nearest floats.
    fn to_f(self, x: Self::U) -> Self::F;
    /// Compress-store: writes the lanes of `x` whose bit in `bits` is set to `p`, without gaps, and returns
    /// their number. The rest of the `LANES` words is unspecified.
    ///
    /// # Safety
    /// `LANES` words from `p` on must be writable.
    #[inline(always)]
    unsafe fn compress_ptr(self, p: *mut u32, bits: u32, x: Self::U) -> usize {
        let mut lanes = [0u32; MAX_LANES];
        // SAFETY: no vector has more than `MAX_LANES` lanes, and words are as large as floats.
        unsafe { self.store_ptr(lanes.as_mut_ptr().cast(), self.bits_to_f(x)) };
        let mut n = 0;
        for (i, lane) in lanes[..Self::LANES].iter().enumerate() {
            // Written unconditionally, because a branch would be unpredictable.
            // SAFETY: `n <= i < LANES`.
            unsafe { *p.add(n) = *lane };
            n += (bits >> i & 1) as usize;
        }
        n
    }
    /// `a + b`, wrapping
    fn add_u(self, a: Self::U, b: Self::U) -> Self::U;
    /// `a - b`, wrapping
    fn sub_u(self, a: Self::U, b: Self::U) -> Self::U;
    /// The high and low words of `a * b`.
    fn mul_wide(self, a: Self::U, b: Self::U) -> (Self::U, Self::U);
    /// `a & b`
    fn and(self, a: Self::U, b: Self::U) -> Self::U;
    /// `a | b`
    fn or(self, a: Self::U, b: Self::U) -> Self::U;
    /// `a ^ b`
    fn xor(self, a: Self::U, b: Self::U) -> Self::U;
    /// `a << n`
    fn shl(self, a: Self::U, n: u32) -> Self::U;
    /// `a >> n`
    fn shr(self, a: Self::U, n: u32) -> Self::U;
    /// `a >> n` of signed words
    fn sar(self, a: Self::U, n: u32) -> Self::U;
    /// `a == b`
    fn eq_u(self, a: Self::U, b: Self::U) -> Self::M;

    /// `x * 2^n`, correctly rounded, for `x` near one or NaN and an integer `n` in -200..=200. The caller
    /// passes `n` both as a float and as a word, because instruction sets need one or the other.
    #[inline(always)]
    fn scale(self, x: Self::F, _n: Self::F, n_word: Self::U) -> Self::F {
        // The product of two powers of two, because 2^n itself may be denormal or infinite although the
        // result is not. 127 is the exponent bias of `f32`, here as the bits of a constant, and 23 is the
        // number of its mantissa bits.
        let bias = self.to_bits(self.constant(const { &f32::from_bits(127) }));
        let half = self.sar(n_word, 1);
        let rest = self.sub_u(n_word, half);
        let first = self.bits_to_f(self.shl(self.add_u(half, bias), 23));
        let second = self.bits_to_f(self.shl(self.add_u(rest, bias), 23));
        self.mul(self.mul(x, first), second)
    }
}

/// Whether the multiply-add of an instruction set is fused: one instruction that rounds once. This is
/// computed at run time, because `cargo xtask web` makes a module without fused multiply-add from one that
/// has it.
#[inline(always)]
pub fn fuses<S: Simd>(s: S) -> bool {
    // The square of 1 + 2^-12 is 1 + 2^-11 + 2^-24. Its last term is lost if the product is rounded before
    // the subtraction. `black_box` prevents constant folding, because the instruction may be replaced later.
    const STEP: f32 = 1.0 / 4096.0;
    let factor = s.splat(black_box(1.0 + STEP));
    let rounded_square = s.splat(black_box(1.0 + 2.0 * STEP));
    s.any(s.lt(s.neg_mul_add(factor, factor, rounded_square), s.splat(0.0)))
}

/// The instruction set architectures (ISAs) that this build supports, each with its token.
#[derive(Clone, Copy)]
pub enum Isa {
    /// x86-64 with AVX-512.
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512),
    /// x86-64 with AVX2 and FMA.
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    /// 64-bit Arm.
    #[cfg(target_arch = "aarch64")]
    Neon(Neon),
    /// WebAssembly with 128-bit vectors.
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    Wasm(Wasm),
    /// Fixed arrays without intrinsics. Not in WebAssembly builds with SIMD: a browser without SIMD cannot
    /// load them, so they need no fallback.
    #[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
    Portable(Portable),
}

impl Isa {
    /// All instruction sets of this machine, best first; never empty.
    pub fn available() -> impl Iterator<Item = Self> {
        [
            #[cfg(target_arch = "x86_64")]
            Avx512::new().map(Self::Avx512),
            #[cfg(target_arch = "x86_64")]
            Avx2::new().map(Self::Avx2),
            #[cfg(target_arch = "aarch64")]
            Neon::new().map(Self::Neon),
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Some(Self::Wasm(Wasm::new())),
            #[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
            Some(Self::Portable(Portable)),
        ]
        .into_iter()
        .flatten()
    }

    /// The instruction set that [`dispatch`] uses: the best of the chosen class of bits, see
    /// [`crate::isa::choose`].
    #[inline]
    pub fn best() -> Self {
        static BEST: OnceLock<Isa> = OnceLock::new();
        static BEST_PLAIN: OnceLock<Isa> = OnceLock::new();
        #[cfg(feature = "force-isa")]
        if let Some(forced) = FORCED.get() {
            return forced;
        }
        if plain_is_chosen() {
            let plain = || Self::available().find(|isa| isa.bits() == Bits::Plain);
            return *BEST_PLAIN.get_or_init(|| plain().expect("`isa::choose` has found one"));
        }
        *BEST
            .get_or_init(|| Self::available().next().expect("every target has a set that needs no detection"))
    }

    /// The class of bits that this instruction set computes.
    pub fn bits(self) -> Bits {
        struct Class;
        impl Op for Class {
            type Output = Bits;
            #[inline(always)]
            fn run<S: Simd>(self, s: S) -> Bits {
                if fuses(s) { Bits::Fused } else { Bits::Plain }
            }
        }
        self.run(Class)
    }

    pub fn name(self) -> &'static str {
        struct Name;
        impl Op for Name {
            type Output = &'static str;
            #[inline(always)]
            fn run<S: Simd>(self, s: S) -> &'static str {
                s.name()
            }
        }
        self.run(Name)
    }

    /// Runs `op` with this instruction set.
    #[inline]
    pub fn run<O: Op>(self, op: O) -> O::Output {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(s) => s.vectorize(op),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(s) => s.vectorize(op),
            #[cfg(target_arch = "aarch64")]
            Self::Neon(s) => s.vectorize(op),
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Self::Wasm(s) => s.vectorize(op),
            #[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
            Self::Portable(s) => s.vectorize(op),
        }
    }
}

/// Makes the compiler align the stack frame of the calling function to cache lines. Otherwise spilled vectors
/// may lie across two lines, and then a load must wait until the preceding store has left for the cache (no
/// store-to-load forwarding).
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn align_frame() {
    #[repr(align(64))]
    struct Line(#[expect(dead_code, reason = "present for its alignment")] [u8; 64]);
    black_box(&std::mem::MaybeUninit::<Line>::uninit());
}

/// Runs `op` with the best instruction set of this machine.
#[inline]
pub fn dispatch<O: Op>(op: O) -> O::Output {
    Isa::best().run(op)
}

#[cfg(feature = "force-isa")]
thread_local! {
    static FORCED: std::cell::Cell<Option<Isa>> = const { std::cell::Cell::new(None) };
}

/// Overrides the instruction set that [`dispatch`] uses on this thread, so that tests run the public
/// functions on every instruction set. `None` lifts the override.
#[cfg(feature = "force-isa")]
pub fn force_isa(isa: Option<Isa>) {
    FORCED.set(isa);
}
