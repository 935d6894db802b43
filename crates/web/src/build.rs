//! Describes this build of the program: version, vector instructions and number of threads.

use learnery_kernels::isa;

use crate::protocol::Build;

pub fn build() -> Build {
    Build {
        version: env!("CARGO_PKG_VERSION").into(),
        simd: simd().into(),
        threads: rayon::current_num_threads(),
    }
}

/// The vector instructions of this build.
fn simd() -> &'static str {
    match isa::name() {
        "relaxed-simd" => "simd128 + relaxed",
        "simd128" => "simd128",
        _ => "native",
    }
}
