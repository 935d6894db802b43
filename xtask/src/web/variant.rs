//! The build variants of a bundle: with and without threads, relaxed SIMD and WebGPU.

/// One of the variants in which every bundle is built.
pub struct Variant {
    /// Name on the command line, and of the folder that the bundles go to.
    pub name: &'static str,
    /// The value of rustc's option `-C target-feature`.
    pub target_features: &'static str,
    /// Options of wasm-opt for the features that not every variant has. It rejects a module that uses a
    /// feature that is not enabled.
    pub wasm_opt_features: &'static [&'static str],
    /// Whether the module shares its memory between threads.
    pub has_threads: bool,
    /// Whether the module can compute on a GPU. If so, only labs with support for GPUs are built.
    pub is_for_gpu: bool,
    /// The variant whose finished bundles this one's are derived from. If there is one, nothing is compiled.
    pub derived_from: Option<&'static Variant>,
}

/// With threads and relaxed SIMD.
pub const THREADS: Variant = Variant {
    name: "threads",
    target_features: "+atomics,+bulk-memory,+mutable-globals,+simd128,+relaxed-simd",
    wasm_opt_features: &["--enable-threads", "--enable-simd", "--enable-relaxed-simd"],
    has_threads: true,
    is_for_gpu: false,
    derived_from: None,
};

/// For browsers without relaxed SIMD, and for those whose relaxed multiply-add is not fused. Compiling it
/// would take as long as `threads`, from which it differs by the relaxed instructions alone.
pub const THREADS_PLAIN: Variant = Variant { name: "threads-plain", derived_from: Some(&THREADS), ..THREADS };

/// With one thread, for pages that are not cross-origin isolated and so cannot share memory.
pub const SIMPLE: Variant = Variant {
    name: "simple",
    target_features: "+simd128",
    wasm_opt_features: &["--enable-simd"],
    has_threads: false,
    is_for_gpu: false,
    derived_from: None,
};

/// For GPUs, through WebGPU. It has one thread, because objects of WebGPU stay on the thread that made them.
pub const GPU: Variant = Variant { name: "gpu", is_for_gpu: true, ..SIMPLE };
