//! What this bundle is and which labs it holds.

use crate::protocol::{Catalogue, LabInfo};

/// Everything a page needs to know before any run.
pub fn catalogue() -> Catalogue {
    let labs = learnery_labs::LABS
        .iter()
        .map(|entry| LabInfo { about: *entry.about, fields: (entry.schema)().fields().to_vec() })
        .collect();
    Catalogue {
        version: env!("CARGO_PKG_VERSION").into(),
        simd: simd().into(),
        threads: rayon::current_num_threads(),
        labs,
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
