//! `cargo xtask web`: builds the WebAssembly bundles of the page into `www/generated/wasm/`.
//!
//! A *bundle* is one lab, the lab `control` with worlds of one's own, the tools of a lab, the actors of a
//! fleet, or the editor for worlds, compiled to a WebAssembly module, with its JavaScript glue. Each bundle
//! is built in three variants: with threads and relaxed SIMD, which has a fused multiply-add (`threads`),
//! with threads but without relaxed SIMD (`threads-plain`), and without both (`simple`). A lab that can
//! compute on a GPU has a fourth, `gpu`; the editor has `simple` alone. A build has three stages: cargo
//! compiles a raw module, wasm-bindgen generates the glue, and wasm-opt optimises the module. `threads-plain`
//! is not compiled: other instructions take the place of the relaxed ones in the finished bundle `threads`.
//!
//! The variants need different compiler flags. Cargo stores the results of each set of flags separately, so
//! the variants can share a target directory, and with it the procedural macros. Cargo skips a raw module
//! that is up to date. A *stamp* file beside each bundle tells whether the later two stages can be skipped
//! too. A bundle that is in the cache of the machine (`bundle_cache.rs`) is not built at all.

mod bundles;
mod compile;
mod optimise;
mod parts;
mod variant;

use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;
use std::thread::ScopedJoinHandle;

use anyhow::{Result, anyhow, ensure};

use crate::bindgen::Bindgen;
use crate::bundle_cache::BundleCache;
use crate::bundle_keys::{AllSources, Sources};
use crate::paths::{root, run};
use bundles::{BENCH_FEATURE, BUNDLE_FEATURES, Bundle, bundles_with, has_variant, workspace_packages};
use compile::{Job, Source, TARGET, compile, copy_modules, raw_module};
use optimise::update_bundle;
use variant::{GPU, SIMPLE, THREADS, THREADS_PLAIN, Variant};

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
    // A variant that is derived from another comes last, when the other one is finished.
    let variants =
        take_named(vec![&THREADS, &SIMPLE, &GPU, &THREADS_PLAIN], |variant| variant.name, &mut names);
    let packages = workspace_packages()?;
    let all_bundles = bundles_with(&packages, if is_bench { &[BENCH_FEATURE] } else { &BUNDLE_FEATURES });
    let bundles = take_named(all_bundles, |bundle| &bundle.name, &mut names);
    ensure!(
        names.is_empty(),
        "there are no bundles `{}`; there are threads, threads-plain, simple, gpu, the labs, \
         backgammon-tools, control-own-worlds, fleet and world",
        names.join(" ")
    );
    let out = root().join("www/generated").join(if is_bench { "wasm-bench" } else { "wasm" });
    let cache = if is_bench { BundleCache::off() } else { BundleCache::open() };
    let mut all_sources = AllSources::default();
    let mut files = Vec::new();
    // The variants with the bundles to build.
    let mut missing = Vec::new();
    for &variant in &variants {
        // Not every bundle has every variant: the benchmarks and the actors of a fleet use the CPU alone.
        let is_built = |bundle: &&Bundle| has_variant(&packages, bundle, variant);
        let bundles: Vec<Bundle> = bundles.iter().filter(is_built).cloned().collect();
        for bundle in &bundles {
            let folder = out.join(variant.name).join(&bundle.name);
            files.extend(["learnery_web_bg.wasm", "learnery_web.js"].map(|file| folder.join(file)));
        }
        let mut find_missing =
            |variant, bundles| without_cached(&cache, &mut all_sources, variant, bundles, &out);
        let bundles = find_missing(variant, bundles)?;
        // Also without being named, the variant that this one is derived from is built.
        if let Some(origin) = variant.derived_from
            && !variants.iter().any(|other| other.name == origin.name)
        {
            missing.push((origin, find_missing(origin, bundles.clone())?));
        }
        missing.push((variant, bundles));
    }
    missing.retain(|(_, bundles)| !bundles.is_empty());
    let bindgen = OnceLock::new();
    std::thread::scope(|scope| {
        // wasm-bindgen compiles beside the first modules.
        let mut compiling = (!missing.is_empty()).then(|| scope.spawn(Bindgen::compile));
        // The bundles of the variant before: wasm-opt works on them beside the compiler.
        let mut updating: Option<ScopedJoinHandle<Result<()>>> = None;
        for (variant, bundles) in missing {
            eprintln!("wasm bundles `{}`", variant.name);
            if variant.derived_from.is_none() {
                for group in bundles.chunk_by(|a, b| a.feature == b.feature) {
                    compile(variant, group)?;
                }
            }
            if let Some(compiling) = compiling.take() {
                bindgen.get_or_init(|| join(compiling)).as_ref().map_err(|error| anyhow!("{error:#}"))?;
            }
            // An error of the program was returned above.
            let Some(Ok(bindgen)) = bindgen.get().filter(|_| !compile_only) else { continue };
            updating.take().map_or(Ok(()), join)?;
            let bundles = with_valid_keys(&mut all_sources, variant, bundles)?;
            let jobs = match variant.derived_from {
                None => copy_modules(variant, bundles, &out.join(variant.name))?,
                Some(origin) => derivations(&out, origin, variant, bundles),
            };
            let cache = &cache;
            updating = Some(scope.spawn(move || {
                run_parallel(&jobs, |job| {
                    update_bundle(bindgen, variant, job)?;
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

/// The jobs that derive bundles of a variant from those of another, which are finished.
fn derivations(out: &Path, origin: &Variant, variant: &Variant, bundles: Vec<Bundle>) -> Vec<Job> {
    let job = |bundle: Bundle| Job {
        source: Source::FinishedBundle(out.join(origin.name).join(&bundle.name)),
        folder: out.join(variant.name).join(&bundle.name),
        bundle,
    };
    bundles.into_iter().map(job).collect()
}

/// The bundles of a variant that have to be built, with their keys. Those in the cache are put into the
/// folder of the variant in `out`.
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
            if !cache.restore(&key, &out.join(variant.name).join(&bundle.name))? {
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
        // What is derived has no raw module of its own.
        if variant.derived_from.is_none() {
            sources.check(&raw_module(bundle))?;
        }
        bundle.key = bundle.key.take().filter(|_| sources.are_unchanged());
    }
    Ok(bundles)
}

/// The sources of the bundles of a variant that are built with this feature.
fn sources_of<'a>(all: &'a mut AllSources, variant: &Variant, feature: &str) -> Result<&'a Sources> {
    let gpu = variant.is_for_gpu.then_some("gpu");
    all.find("learnery-web", &[feature].into_iter().chain(gpu).collect::<Vec<_>>(), TARGET)
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
