//! `cargo xtask web`: builds the WebAssembly bundles of the page into `www/generated/wasm/`.
//!
//! A *bundle* is one lab, or the actors of a fleet, compiled to a WebAssembly module, with its JavaScript
//! glue. Each bundle is built in three variants: with threads and relaxed SIMD, which has a fused
//! multiply-add (`threads`), with threads but without relaxed SIMD (`threads-plain`), and without both
//! (`simple`). A lab that can compute on a GPU has a fourth, `gpu`. A build has three stages: cargo compiles
//! a raw module, wasm-bindgen generates the glue, and wasm-opt optimises the module.
//!
//! The variants need different compiler flags. Cargo stores the results of each set of flags separately, so
//! the variants can share a target directory, and with it the procedural macros. Cargo skips a raw module
//! that is up to date. A *stamp* file beside each bundle tells whether the later two stages can be skipped
//! too. A bundle that is in the cache of the machine (`bundle_cache.rs`) is not built at all.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::thread::ScopedJoinHandle;

use anyhow::{Context, Result, anyhow, ensure};
use serde_json::{Value, json};

use crate::bindgen::Bindgen;
use crate::bundle_cache::BundleCache;
use crate::bundle_keys::{AllSources, Sources};
use crate::paths::{cargo, root, run};
use crate::pool_workers;

/// One of the variants in which every bundle is built.
struct Variant {
    /// Name on the command line, and of the folder that the bundles go to.
    name: &'static str,
    /// The WebAssembly features that rustc may use.
    target_features: &'static str,
    /// The features of `target_features` as options of wasm-opt, which rejects a module that uses a feature
    /// it was not told about.
    wasm_opt_features: &'static [&'static str],
    /// Whether the module shares its memory between threads.
    has_threads: bool,
    /// Whether the module can compute on a GPU. Only the labs that can are built.
    is_for_gpu: bool,
}

const THREADS: Variant = Variant {
    name: "threads",
    target_features: "+atomics,+bulk-memory,+mutable-globals,+simd128,+relaxed-simd",
    wasm_opt_features: &["--enable-threads", "--enable-simd", "--enable-relaxed-simd"],
    has_threads: true,
    is_for_gpu: false,
};

/// For browsers without relaxed SIMD, and for those whose relaxed multiply-add is not fused.
const THREADS_PLAIN: Variant = Variant {
    name: "threads-plain",
    target_features: "+atomics,+bulk-memory,+mutable-globals,+simd128",
    wasm_opt_features: &["--enable-threads", "--enable-simd"],
    has_threads: true,
    is_for_gpu: false,
};

const SIMPLE: Variant = Variant {
    name: "simple",
    target_features: "+simd128",
    wasm_opt_features: &["--enable-simd"],
    has_threads: false,
    is_for_gpu: false,
};

/// For GPUs, through WebGPU. It has one thread, because handles of WebGPU cannot leave theirs.
const GPU: Variant = Variant { name: "gpu", is_for_gpu: true, ..SIMPLE };

/// Options of wasm-opt for the features that rustc enables by default, in all variants.
const WASM_OPT_BASE_FEATURES: [&str; 6] = [
    "--enable-bulk-memory",
    "--enable-mutable-globals",
    "--enable-sign-ext",
    "--enable-nontrapping-float-to-int",
    "--enable-reference-types",
    "--enable-multivalue",
];

/// The maximum size of a module's memory (1 GiB). A shared memory must declare its maximum when it
/// is created. Desktop browsers would allow more; phones refuse to create a larger one.
const MAX_MEMORY_BYTES: u32 = 1 << 30;

const TARGET: &str = "wasm32-unknown-unknown";

/// A program in `crates/web/bundles`.
#[derive(Clone)]
struct Bundle {
    name: String,
    /// The feature of `crates/web` with which it is built.
    feature: String,
    /// The bundle's key in the cache, if there is one.
    key: Option<String>,
}

/// The features with which the page's bundles are built: the labs, and the actors of a fleet.
const BUNDLE_FEATURES: [&str; 2] = ["bundles", "fleet"];
/// The feature of the bundle with the benchmarks.
const BENCH_FEATURE: &str = "bench";

/// The option that builds the bundle with the benchmarks (`npm run bench`) instead of the labs' bundles. The
/// page never loads it.
const BENCH_OPTION: &str = "--bench";

/// The option that only compiles. The later stages need wasm-opt, an npm package, which `npm start` installs
/// at the same time.
const COMPILE_OPTION: &str = "--compile";

/// Builds the bundles that are not up to date and prints their sizes. `arguments` are names of variants and
/// bundles, and the two options above; without a variant's name all are built, without a bundle's name all
/// bundles are.
pub fn build(arguments: &[&str]) -> Result<()> {
    let is_bench = arguments.contains(&BENCH_OPTION);
    let compile_only = arguments.contains(&COMPILE_OPTION);
    let mut names: Vec<&str> = arguments
        .iter()
        .copied()
        .filter(|argument| ![BENCH_OPTION, COMPILE_OPTION].contains(argument))
        .collect();
    let variants =
        take_named(vec![&THREADS, &THREADS_PLAIN, &SIMPLE, &GPU], |variant| variant.name, &mut names);
    let packages = workspace_packages()?;
    let all_bundles = bundles_with(&packages, if is_bench { &[BENCH_FEATURE] } else { &BUNDLE_FEATURES });
    let bundles = take_named(all_bundles, |bundle| &bundle.name, &mut names);
    ensure!(
        names.is_empty(),
        "there are no bundles `{}`; there are threads, threads-plain, simple, gpu, the labs and fleet",
        names.join(" ")
    );
    let out = root().join("www/generated").join(if is_bench { "wasm-bench" } else { "wasm" });
    let cache = if is_bench { BundleCache::off() } else { BundleCache::open() };
    let mut all_sources = AllSources::default();
    let mut files = Vec::new();
    // The variants with the bundles to build.
    let mut missing = Vec::new();
    for variant in variants {
        // The bundle with the benchmarks measures the CPU, and actors compute on it.
        let is_built = |bundle: &&Bundle| !variant.is_for_gpu || uses_gpu(&packages, &bundle.name);
        let bundles: Vec<Bundle> = bundles.iter().filter(is_built).cloned().collect();
        for bundle in &bundles {
            let folder = out.join(variant.name).join(&bundle.name);
            files.extend(["learnery_web_bg.wasm", "learnery_web.js"].map(|file| folder.join(file)));
        }
        let bundles = without_cached(&cache, &mut all_sources, variant, bundles, &out.join(variant.name))?;
        if !bundles.is_empty() {
            missing.push((variant, bundles));
        }
    }
    let bindgen = OnceLock::new();
    std::thread::scope(|scope| {
        // wasm-bindgen compiles beside the first modules.
        let mut compiling = (!missing.is_empty()).then(|| scope.spawn(Bindgen::compile));
        // The bundles of the variant before: wasm-opt works on them beside the compiler.
        let mut updating: Option<ScopedJoinHandle<Result<()>>> = None;
        for (variant, bundles) in missing {
            eprintln!("wasm bundles `{}`", variant.name);
            for group in bundles.chunk_by(|a, b| a.feature == b.feature) {
                compile(variant, group)?;
            }
            if let Some(compiling) = compiling.take() {
                bindgen.get_or_init(|| join(compiling)).as_ref().map_err(|error| anyhow!("{error:#}"))?;
            }
            // An error of the program was returned above.
            let Some(Ok(bindgen)) = bindgen.get().filter(|_| !compile_only) else { continue };
            updating.take().map_or(Ok(()), join)?;
            let bundles = with_valid_keys(&mut all_sources, variant, bundles)?;
            let jobs = keep_modules(variant, bundles, &out.join(variant.name))?;
            let cache = &cache;
            updating = Some(scope.spawn(move || {
                run_parallel(&jobs, |job| {
                    update_bundle(bindgen, variant, &job.module, &job.folder)?;
                    job.bundle.key.as_ref().map_or(Ok(()), |key| cache.store(key, &job.folder))
                })
            }));
        }
        updating.map_or(Ok(()), join)
    })?;
    if compile_only {
        return Ok(());
    }
    run(Command::new("node").current_dir(root()).arg("scripts/sizes.mjs").args(files))
}

/// Waits for a thread and returns its result.
fn join<T>(thread: ScopedJoinHandle<Result<T>>) -> Result<T> {
    thread.join().map_err(|_| anyhow!("a build panicked"))?
}

/// The bundles of a variant that have to be built, with their keys. Those in the cache are put into their
/// folders in `out`.
fn without_cached(
    cache: &BundleCache,
    all_sources: &mut AllSources,
    variant: &Variant,
    bundles: Vec<Bundle>,
    out: &Path,
) -> Result<Vec<Bundle>> {
    if !cache.is_on() {
        return Ok(bundles);
    }
    let mut missing = Vec::new();
    for group in bundles.chunk_by(|a, b| a.feature == b.feature) {
        let sources = sources_of(all_sources, variant, &group[0].feature)?;
        for bundle in group {
            let key = sources.key(variant.name, &bundle.name);
            if !cache.restore(&key, &out.join(&bundle.name))? {
                missing.push(Bundle { key: Some(key), ..bundle.clone() });
            }
        }
    }
    Ok(missing)
}

/// Checks that the keys of compiled bundles cover all their sources. If a source has changed since its key
/// was computed, the bundle loses its key: it is built, but does not go into the cache.
fn with_valid_keys(
    all_sources: &mut AllSources,
    variant: &Variant,
    mut bundles: Vec<Bundle>,
) -> Result<Vec<Bundle>> {
    for bundle in bundles.iter_mut().filter(|bundle| bundle.key.is_some()) {
        let sources = sources_of(all_sources, variant, &bundle.feature)?;
        sources.check(&raw_module(bundle))?;
        bundle.key = bundle.key.take().filter(|_| sources.are_unchanged());
    }
    Ok(bundles)
}

/// The sources of the bundles of a variant that are built with this feature.
fn sources_of<'a>(all: &'a mut AllSources, variant: &Variant, feature: &str) -> Result<&'a Sources> {
    let gpu = variant.is_for_gpu.then_some("gpu");
    all.find("learnery-web", &[feature].into_iter().chain(gpu).collect::<Vec<_>>(), TARGET)
}

/// The raw module of a bundle.
fn raw_module(bundle: &Bundle) -> PathBuf {
    target_dir().join(TARGET).join("wasm").join(&bundle.name).with_extension("wasm")
}

/// A compiled bundle.
struct Job {
    bundle: Bundle,
    /// The raw module of the bundle, where the next variant does not overwrite it.
    module: PathBuf,
    /// The folder that it goes to.
    folder: PathBuf,
}

/// Copies the raw modules of bundles to a folder of the variant. The bundles will go to folders in `out`.
fn keep_modules(variant: &Variant, bundles: Vec<Bundle>, out: &Path) -> Result<Vec<Job>> {
    let folder = target_dir().join("modules").join(variant.name);
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let copied = |bundle: Bundle| {
        let compiled = raw_module(&bundle);
        let module = folder.join(&bundle.name).with_extension("wasm");
        fs::copy(&compiled, &module).with_context(|| format!("cannot copy {}", compiled.display()))?;
        Ok(Job { folder: out.join(&bundle.name), module, bundle })
    };
    bundles.into_iter().map(copied).collect()
}

/// Returns the items of `all` whose names are in `names`, and removes those names from `names`. If no item is
/// named, returns all items.
fn take_named<T>(mut all: Vec<T>, name_of: impl Fn(&T) -> &str, names: &mut Vec<&str>) -> Vec<T> {
    if all.iter().any(|item| names.contains(&name_of(item))) {
        all.retain(|item| names.contains(&name_of(item)));
        names.retain(|name| !all.iter().any(|item| name_of(item) == *name));
    }
    all
}

/// What cargo says about each package of the workspace.
fn workspace_packages() -> Result<Vec<Value>> {
    let text = crate::paths::output(cargo().args(["metadata", "--no-deps", "--format-version=1"]))?;
    let metadata: Value = serde_json::from_str(&text)?;
    Ok(array_elements(&metadata["packages"]))
}

/// The elements of a JSON array.
fn array_elements(value: &Value) -> Vec<Value> {
    value.as_array().cloned().unwrap_or_default()
}

/// Whether a lab can compute on a GPU in a tab: whether the feature `gpu` of the list of labs turns on that
/// of its crate.
fn uses_gpu(packages: &[Value], lab: &str) -> bool {
    let feature = Value::from(format!("learnery-{lab}/gpu"));
    let labs = packages.iter().find(|package| package["name"] == "learnery-labs");
    labs.is_some_and(|labs| array_elements(&labs["features"]["gpu"]).contains(&feature))
}

/// The binaries of `crates/web` that require one of these features, in the order of the features.
fn bundles_with(packages: &[Value], features: &[&str]) -> Vec<Bundle> {
    let web = packages.iter().filter(|package| package["name"] == "learnery-web");
    let targets: Vec<Value> = web.flat_map(|package| array_elements(&package["targets"])).collect();
    let with = |feature: &str| -> Vec<Bundle> {
        let is_wanted = |target: &&Value| {
            target["kind"] == json!(["bin"]) && target["required-features"] == json!([feature])
        };
        let names = targets.iter().filter(is_wanted).filter_map(|target| target["name"].as_str());
        names.map(|name| Bundle { name: name.into(), feature: feature.into(), key: None }).collect()
    };
    features.iter().copied().flat_map(with).collect()
}

/// Runs all jobs, as many in parallel as the machine has threads. Most of a job's time is spent in wasm-opt,
/// which uses a single thread.
fn run_parallel<T: Sync>(jobs: &[T], run_job: impl Fn(&T) -> Result<()> + Sync) -> Result<()> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    for batch in jobs.chunks(threads) {
        std::thread::scope(|scope| {
            let handles: Vec<_> = batch.iter().map(|job| scope.spawn(|| run_job(job))).collect();
            handles.into_iter().try_for_each(join)
        })?;
    }
    Ok(())
}

/// Runs wasm-bindgen and wasm-opt on a raw module, unless the stamp shows that the bundle in `folder` is up
/// to date.
fn update_bundle(bindgen: &Bindgen, variant: &Variant, module: &Path, folder: &Path) -> Result<()> {
    let stamp = new_stamp(variant, module)?;
    if fs::read_to_string(folder.join("stamp")).is_ok_and(|present| present == stamp) {
        return Ok(());
    }
    bind_and_optimise(bindgen, variant, module, folder)?;
    fs::write(folder.join("stamp"), stamp).with_context(|| format!("cannot write to {}", folder.display()))
}

/// Compiles the raw modules of bundles that have the same feature. A later call for another variant
/// overwrites them, because the names are the same; see [`keep_modules`].
fn compile(variant: &Variant, bundles: &[Bundle]) -> Result<()> {
    let mut command = cargo_for(variant)?;
    command
        .args(["build", "--package=learnery-web", "--profile=wasm"])
        .args(bundles.iter().flat_map(|bundle| ["--bin", &bundle.name]))
        .args(bundles.first().map(|bundle| format!("--features={}", bundle.feature)));
    if variant.is_for_gpu {
        command.arg("--features=gpu");
    }
    if variant.has_threads {
        command.args([
            "--features=threads",
            // Threads need a standard library that is compiled with atomics, so it is rebuilt from source.
            "-Zbuild-std=std,panic_abort",
            // The standard library is optimised for size, because no hot loop calls it.
            "-Zbuild-std-features=optimize_for_size",
        ]);
    }
    run(&mut command)
}

/// Cargo with the flags and the target directory of a variant.
fn cargo_for(variant: &Variant) -> Result<Command> {
    let mut command = cargo();
    command.env("CARGO_BUILD_TARGET", TARGET);
    command.env("CARGO_TARGET_DIR", target_dir());
    command.env("CARGO_ENCODED_RUSTFLAGS", rustc_flags(variant)?);
    // `-Zshare-generics` and `-Zbuild-std` are unstable options. With this variable the pinned stable
    // compiler accepts them.
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
        // LLVM's loop strength reduction (LSR) slows WebAssembly down in two ways. It computes each address
        // in a loop with an extra addition, although a WebAssembly load has a constant offset for free. And
        // it reorders the accumulators of matrix products so that registers spill.
        "-Cllvm-args=-disable-lsr".to_owned(),
        // The default threshold of inlining (225) is meant for processors; without it the modules are a
        // twelfth smaller by gzip and as fast. Functions that are marked `#[inline]`, as the kernels' are,
        // keep a high threshold.
        "-Cllvm-args=-inline-threshold=40".to_owned(),
    ];
    if variant.has_threads {
        // rustc warns in every crate that `atomics` is unstable, and no option silences that warning alone.
        // The variants without threads, and the lints, still warn about our code.
        flags.push("-Awarnings".to_owned());
        // Without these linker options the build succeeds, but the thread pool cannot start in the browser.
        flags.extend(["--shared-memory", "--import-memory"].map(|arg| format!("-Clink-arg={arg}")));
        flags.extend(
            ["__wasm_init_tls", "__tls_size", "__tls_align", "__tls_base"]
                .map(|symbol| format!("-Clink-arg=--export={symbol}")),
        );
    }
    // Panic messages contain paths of source files. Remapping replaces the paths of the building machine by
    // neutral ones.
    for (from, to) in [(cargo_home(), "cargo"), (sysroot()?, "rust"), (root(), ".")] {
        flags.push(format!("--remap-path-prefix={}={to}", from.display()));
    }
    Ok(flags.join("\u{1f}").into())
}

fn cargo_home() -> PathBuf {
    let home = || std::env::home_dir().unwrap_or_default().join(".cargo");
    std::env::var_os("CARGO_HOME").map_or_else(home, PathBuf::from)
}

fn sysroot() -> Result<PathBuf> {
    let text = crate::paths::output(Command::new("rustc").current_dir(root()).args(["--print", "sysroot"]))?;
    Ok(text.trim().into())
}

/// The text of the stamp file: a hash of the raw module and of the file that is put into its glue, and the
/// flags of wasm-opt. If one of them changes, the bundle is out of date.
fn new_stamp(variant: &Variant, module: &Path) -> Result<String> {
    // The 64-bit FNV-1a hash. It need not be cryptographic to detect a change.
    const OFFSET_BASIS: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x0100_0000_01b3;
    let mut bytes = fs::read(module).with_context(|| format!("cannot read {}", module.display()))?;
    if variant.has_threads {
        bytes.extend(pool_workers::replacement()?.into_bytes());
    }
    let hash = bytes.iter().fold(OFFSET_BASIS, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(PRIME));
    Ok(format!("{hash:016x} {}\n", wasm_opt_flags(variant).join(" ")))
}

fn wasm_opt_flags(variant: &Variant) -> Vec<&'static str> {
    // `-O3` takes two and a half times as long, and the modules are neither faster nor smaller: LLVM has
    // optimised them.
    let mut flags = vec!["-O1", "--strip-debug", "--strip-producers"];
    flags.extend(WASM_OPT_BASE_FEATURES);
    flags.extend(variant.wasm_opt_features);
    flags
}

/// Replaces the content of `folder` by the bundle of a raw module: JavaScript glue, TypeScript types and the
/// optimised module.
fn bind_and_optimise(bindgen: &Bindgen, variant: &Variant, module: &Path, folder: &Path) -> Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder).with_context(|| format!("cannot clear {}", folder.display()))?;
    }
    bindgen.generate(module, folder, "learnery_web", &[])?;
    if variant.has_threads {
        pool_workers::replace_in(folder)?;
    }

    let file = folder.join("learnery_web_bg.wasm");
    let wasm_opt = root().join("node_modules/binaryen/bin/wasm-opt");
    ensure!(wasm_opt.exists(), "wasm-opt is missing: run `npm ci` first");
    run(Command::new("node").arg(wasm_opt).args(wasm_opt_flags(variant)).arg(&file).arg("-o").arg(&file))?;

    // The page shows how much of the module has been loaded, in percent. With compression, the Content-Length
    // of the response counts the compressed bytes, so the glue exports the size of the module.
    let glue = folder.join("learnery_web.js");
    let mut code = fs::read_to_string(&glue)?;
    code.push_str(&format!("\nexport const moduleBytes = {};\n", fs::metadata(&file)?.len()));
    fs::write(glue, code).context("cannot write learnery_web.js")
}
