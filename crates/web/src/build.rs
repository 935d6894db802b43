//! What this build is.

use crate::protocol::Build;

/// Asked once, before any run.
pub fn build() -> Build {
    Build {
        version: env!("CARGO_PKG_VERSION").into(),
        simd: simd().into(),
        threads: rayon::current_num_threads(),
    }
}

/// Vector instructions compiled into this build.
fn simd() -> &'static str {
    if cfg!(target_feature = "relaxed-simd") {
        "simd128 + relaxed"
    } else if cfg!(target_feature = "simd128") {
        "simd128"
    } else {
        "native"
    }
}
