//! Which instruction set the kernels run on: found once, at run time natively, at compile time in wasm.

/// The name of the instruction set in use, as shown to people ("avx512", "avx2+fma", "neon", "simd128",
/// "relaxed-simd", "portable").
pub fn name() -> &'static str {
    crate::simd::Isa::best().name()
}
