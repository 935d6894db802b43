//! The name of the instruction set that the kernels use, for reports. The instruction set is detected once at run time;
//! in WebAssembly it is fixed at compile time.

/// The name of the instruction set in use: "avx512", "avx2+fma", "neon", "simd128", "relaxed-simd" or "portable".
pub fn name() -> &'static str {
    crate::simd::Isa::best().name()
}
