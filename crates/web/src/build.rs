//! Describes this build of the program: version, vector instructions and number of threads.

use crate::protocol::Build;

pub fn build() -> Build {
    Build {
        version: env!("CARGO_PKG_VERSION").into(),
        simd: simd().into(),
        threads: rayon::current_num_threads(),
    }
}

/// The vector instructions compiled into this build.
fn simd() -> &'static str {
    if cfg!(target_feature = "relaxed-simd") {
        "simd128 + relaxed"
    } else if cfg!(target_feature = "simd128") {
        "simd128"
    } else {
        "native"
    }
}
