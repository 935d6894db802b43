//! The later stages of a build: wasm-bindgen generates the glue of a raw module, wasm-opt optimises it, and
//! its functions are put into an order that compresses better. A bundle without relaxed SIMD is derived from
//! the finished bundle with it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use super::compile::{Job, Source};
use super::parts;
use super::variant::Variant;
use crate::bindgen::Bindgen;
use crate::bundle_cache::{KEY_FILE, read_files, replace};
use crate::paths::{root, run};
use crate::pool_workers;

/// Options of wasm-opt for the features that rustc enables by default, in all variants.
const WASM_OPT_BASE_FEATURES: [&str; 6] = [
    "--enable-bulk-memory",
    "--enable-mutable-globals",
    "--enable-sign-ext",
    "--enable-nontrapping-float-to-int",
    "--enable-reference-types",
    "--enable-multivalue",
];

/// The files of a bundle, beside those that the crates add and [`KEY_FILE`]: the module, its JavaScript glue,
/// and the stamp, which says what they were made from.
const MODULE_FILE: &str = "learnery_web_bg.wasm";
const GLUE_FILE: &str = "learnery_web.js";
const STAMP_FILE: &str = "stamp";

/// How the last line of the glue begins.
const MODULE_BYTES: &str = "\nexport const moduleBytes = ";

/// Finishes a bundle, unless the stamp shows that the one in its folder is up to date.
pub fn update_bundle(bindgen: &Bindgen, variant: &Variant, job: &Job) -> Result<()> {
    let Job { source, folder, bundle } = job;
    let lists = parts::lists(variant, &bundle.name);
    let stamp = match source {
        Source::RawModule(module) => new_stamp(variant, module, &lists)?,
        Source::FinishedBundle(origin) => stamp_of_derived(origin)?,
    };
    if fs::read_to_string(folder.join(STAMP_FILE)).is_ok_and(|present| present == stamp) {
        return Ok(());
    }
    match source {
        Source::RawModule(module) => bind_and_optimise(bindgen, variant, module, folder, &lists)?,
        Source::FinishedBundle(origin) => make_plain(bindgen, origin, folder)?,
    }
    fs::write(folder.join(STAMP_FILE), stamp).with_context(|| format!("cannot write to {}", folder.display()))
}

/// The text of the stamp file of a bundle that is derived from the one in `origin`.
fn stamp_of_derived(origin: &Path) -> Result<String> {
    let stamp = fs::read_to_string(origin.join(STAMP_FILE))
        .with_context(|| format!("cannot read the stamp in {}", origin.display()))?;
    Ok(format!("{} plain\n", stamp.trim_end()))
}

/// The text of the stamp file: a hash of the raw module, of the file that is put into its glue, of the lists
/// of what is loaded later and of the program that changes the module, and the flags of wasm-opt. If one of
/// them changes, the bundle is out of date.
fn new_stamp(variant: &Variant, module: &Path, lists: &[PathBuf]) -> Result<String> {
    // The 64-bit FNV-1a hash. It need not be cryptographic to detect a change.
    const OFFSET_BASIS: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x0100_0000_01b3;
    let mut bytes = fs::read(module).with_context(|| format!("cannot read {}", module.display()))?;
    if variant.has_threads {
        bytes.extend(pool_workers::replacement()?.into_bytes());
    }
    let mut sources = Vec::new();
    let finisher = root().join("xtask/bindgen/src");
    read_files(&finisher, "", &mut sources).with_context(|| format!("cannot read {}", finisher.display()))?;
    sources.into_iter().for_each(|(_, source)| bytes.extend(source));
    for list in lists {
        bytes.extend(fs::read(list).with_context(|| format!("cannot read {}", list.display()))?);
    }
    let hash = bytes.iter().fold(OFFSET_BASIS, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(PRIME));
    Ok(format!("{hash:016x} {} ordered\n", wasm_opt_flags(variant, !lists.is_empty()).join(" ")))
}

/// `keeps_names` for a module that is split by the names of its functions.
fn wasm_opt_flags(variant: &Variant, keeps_names: bool) -> Vec<&'static str> {
    // `-O3` takes two and a half times as long, and the modules are neither faster nor smaller: LLVM has
    // optimised them.
    let mut flags = vec!["-O1", if keeps_names { "-g" } else { "--strip-debug" }, "--strip-producers"];
    flags.extend(WASM_OPT_BASE_FEATURES);
    flags.extend(variant.wasm_opt_features);
    flags
}

/// Replaces the content of `folder` by the bundle of a raw module: JavaScript glue, TypeScript types and the
/// optimised module, in two parts if there are lists of what is loaded later.
fn bind_and_optimise(
    bindgen: &Bindgen,
    variant: &Variant,
    module: &Path,
    folder: &Path,
    lists: &[PathBuf],
) -> Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder).with_context(|| format!("cannot clear {}", folder.display()))?;
    }
    let options: &[&str] = if lists.is_empty() { &[] } else { &["--names"] };
    bindgen.generate(module, folder, "learnery_web", options)?;
    if variant.has_threads {
        pool_workers::replace_in(folder)?;
    }

    let file = folder.join(MODULE_FILE);
    let wasm_opt = root().join("node_modules/binaryen/bin/wasm-opt");
    ensure!(wasm_opt.exists(), "wasm-opt is missing: run `npm ci` first");
    let flags = wasm_opt_flags(variant, !lists.is_empty());
    run(Command::new("node").arg(wasm_opt).args(flags).arg(&file).arg("-o").arg(&file))?;
    if !lists.is_empty() {
        parts::split(bindgen, lists, folder, MODULE_FILE, GLUE_FILE)?;
    }
    bindgen.order_functions(&file)?;
    export_size(folder)
}

/// Replaces the content of `folder` by the bundle in `origin` with a module without relaxed SIMD.
fn make_plain(bindgen: &Bindgen, origin: &Path, folder: &Path) -> Result<()> {
    let mut files = Vec::new();
    read_files(origin, "", &mut files).with_context(|| format!("cannot read {}", origin.display()))?;
    files
        .retain(|(name, _)| ![MODULE_FILE, parts::LATER_FILE, STAMP_FILE, KEY_FILE].contains(&name.as_str()));
    replace(folder, &files).with_context(|| format!("cannot write {}", folder.display()))?;
    for name in [MODULE_FILE, parts::LATER_FILE].into_iter().filter(|name| origin.join(name).exists()) {
        bindgen.make_plain(&origin.join(name), &folder.join(name))?;
    }
    export_size(folder)
}

/// Makes the glue export the size of the module, and of its later part. The page shows how much of the module
/// has been loaded, in percent. With compression, the Content-Length of the response counts the compressed
/// bytes.
fn export_size(folder: &Path) -> Result<()> {
    let glue = folder.join(GLUE_FILE);
    let mut code = fs::read_to_string(&glue).with_context(|| format!("cannot read {}", glue.display()))?;
    // The glue of a derived bundle has the size of the other module.
    code.truncate(code.rfind(MODULE_BYTES).unwrap_or(code.len()));
    code.push_str(&format!("{MODULE_BYTES}{};\n", fs::metadata(folder.join(MODULE_FILE))?.len()));
    let later = folder.join(parts::LATER_FILE);
    if later.exists() {
        code.push_str(&format!("export const laterBytes = {};\n", fs::metadata(later)?.len()));
    }
    fs::write(&glue, code).with_context(|| format!("cannot write {}", glue.display()))
}
