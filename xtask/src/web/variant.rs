//! The variants of a bundle: for threads, relaxed SIMD and WebGPU, and for browsers without them.

/// One of the variants in which every bundle is built.
pub struct Variant {
    /// Name on the command line, and of the folder that the bundles go to.
    pub name: &'static str,
    /// The WebAssembly features that rustc may use.
    pub target_features: &'static str,
    /// The features of `target_features` as options of wasm-opt, which rejects a module that uses a feature
    /// it was not told about.
    pub wasm_opt_features: &'static [&'static str],
    /// Whether the module shares its memory between threads.
    pub has_threads: bool,
    /// Whether the module can compute on a GPU. Only the labs that can are built.
    pub is_for_gpu: bool,
}

pub const THREADS: Variant = Variant {
    name: "threads",
    target_features: "+atomics,+bulk-memory,+mutable-globals,+simd128,+relaxed-simd",
    wasm_opt_features: &["--enable-threads", "--enable-simd", "--enable-relaxed-simd"],
    has_threads: true,
    is_for_gpu: false,
};

/// For browsers without relaxed SIMD, and for those whose relaxed multiply-add is not fused.
pub const THREADS_PLAIN: Variant = Variant {
    name: "threads-plain",
    target_features: "+atomics,+bulk-memory,+mutable-globals,+simd128",
    wasm_opt_features: &["--enable-threads", "--enable-simd"],
    has_threads: true,
    is_for_gpu: false,
};

pub const SIMPLE: Variant = Variant {
    name: "simple",
    target_features: "+simd128",
    wasm_opt_features: &["--enable-simd"],
    has_threads: false,
    is_for_gpu: false,
};

/// For GPUs, through WebGPU. It has one thread, because handles of WebGPU cannot leave theirs.
pub const GPU: Variant = Variant { name: "gpu", is_for_gpu: true, ..SIMPLE };
