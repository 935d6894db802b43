//! The first stage of a build: cargo compiles a raw module of each bundle, the WebAssembly file before
//! wasm-bindgen and wasm-opt.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use super::bundles::Bundle;
use super::variant::Variant;
use crate::paths::{cargo, root, run};

pub const TARGET: &str = "wasm32-unknown-unknown";

/// The maximum size of a module's memory (1 GiB). A shared memory must declare its maximum when it
/// is created. Desktop browsers would allow more; phones refuse to create a larger one.
const MAX_MEMORY_BYTES: u32 = 1 << 30;

/// Compiles the raw modules of bundles that have the same feature. A later call for another variant
/// overwrites them, because the names are the same; [`copy_modules`] keeps them.
pub fn compile(variant: &Variant, bundles: &[Bundle]) -> Result<()> {
    let mut command = cargo_for(variant)?;
    command
        .args(["build", "--package=learnery-web", "--profile=wasm"])
        .args(bundles.iter().flat_map(|bundle| ["--bin", &bundle.name]))
        .args(bundles.first().map(|bundle| format!("--features={}", bundle.feature)));
    if variant.is_for_gpu {
        command.arg("--features=gpu");
    }
    if variant.has_threads {
        command.arg("--features=threads");
    }
    command.args([
        // Threads need a standard library that is compiled with atomics, so it is rebuilt from source. The
        // variants without threads become smaller by it.
        "-Zbuild-std=std,panic_abort",
        // The standard library is optimised for size, because no hot loop calls it.
        "-Zbuild-std-features=optimize_for_size",
        // Panic messages contain paths of source files. This makes them independent of where the project and the
        // compiler lie. (With rustc's own `--remap-path-prefix` among its flags, cargo would keep the compiled crates
        // of one set of flags only, and each variant would throw away those of the one before.)
        "-Ztrim-paths",
        "--config=profile.wasm.trim-paths='all'",
    ]);
    run(&mut command)
}

/// Cargo with the flags of a variant. All variants share a target directory.
fn cargo_for(variant: &Variant) -> Result<Command> {
    let mut command = cargo();
    command.env("CARGO_BUILD_TARGET", TARGET);
    command.env("CARGO_TARGET_DIR", target_dir());
    command.env("CARGO_ENCODED_RUSTFLAGS", rustc_flags(variant)?);
    // Options that begin with `-Z` are unstable. With this variable the pinned stable compiler accepts them.
    command.env("RUSTC_BOOTSTRAP", "1");
    Ok(command)
}

fn target_dir() -> PathBuf {
    root().join("target/wasm")
}

/// The compiler flags in the encoding of `CARGO_ENCODED_RUSTFLAGS`: separated by U+001F, so that paths may
/// contain spaces.
fn rustc_flags(variant: &Variant) -> Result<OsString> {
    let mut flags = vec![
        format!("-Ctarget-feature={}", variant.target_features),
        format!("-Clink-arg=--max-memory={MAX_MEMORY_BYTES}"),
        // Crates that instantiate the same generic function share one copy of it. This makes the module a
        // tenth smaller, mainly through serde's functions.
        "-Zshare-generics=y".into(),
        // Panic messages name file and line. Without the column, all places in a line share one constant.
        "-Zlocation-detail=file,line".into(),
        // LLVM's loop strength reduction (LSR) slows WebAssembly down in two ways. It computes each address
        // in a loop with an extra addition, although a WebAssembly load has a constant offset for free. And
        // it reorders the accumulators of matrix products so that registers spill.
        "-Cllvm-args=-disable-lsr".to_owned(),
        // LLVM's default threshold of inlining (225) is meant for processors. With 40 the modules are a
        // twelfth smaller by gzip and as fast. Functions that are marked `#[inline]`, as the kernels' are,
        // keep a higher threshold.
        "-Cllvm-args=-inline-threshold=40".to_owned(),
    ];
    if variant.has_threads {
        // rustc warns in every crate that `atomics` is unstable, and no option silences that warning alone.
        // The variants without threads, and the lints, still warn about our code.
        flags.push("-Awarnings".to_owned());
        // Threads share a memory that is created outside of the module, and each has variables of its own in
        // it. Without these options the module is linked too, but its thread pool cannot start.
        flags.extend(["--shared-memory", "--import-memory"].map(|arg| format!("-Clink-arg={arg}")));
        flags.extend(
            ["__wasm_init_tls", "__tls_size", "__tls_align", "__tls_base"]
                .map(|symbol| format!("-Clink-arg=--export={symbol}")),
        );
    }
    Ok(flags.join("\u{1f}").into())
}

/// The raw module of a bundle.
pub fn raw_module(bundle: &Bundle) -> PathBuf {
    target_dir().join(TARGET).join("wasm").join(&bundle.name).with_extension("wasm")
}

/// What a bundle is made of.
pub enum Source {
    /// A copy of its raw module, which the next variant does not overwrite.
    RawModule(PathBuf),
    /// The folder of a finished bundle of another variant, from which it is made without a compiler.
    FinishedBundle(PathBuf),
}

/// A bundle to finish.
pub struct Job {
    pub bundle: Bundle,
    pub source: Source,
    /// The folder that it goes to.
    pub folder: PathBuf,
}

/// Copies the raw modules of bundles to a folder of the variant. The bundles will go to folders in `out`.
pub fn copy_modules(variant: &Variant, bundles: Vec<Bundle>, out: &Path) -> Result<Vec<Job>> {
    let folder = target_dir().join("modules").join(variant.name);
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let copied = |bundle: Bundle| {
        let compiled = raw_module(&bundle);
        let module = folder.join(&bundle.name).with_extension("wasm");
        fs::copy(&compiled, &module).with_context(|| format!("cannot copy {}", compiled.display()))?;
        Ok(Job { folder: out.join(&bundle.name), source: Source::RawModule(module), bundle })
    };
    bundles.into_iter().map(copied).collect()
}
