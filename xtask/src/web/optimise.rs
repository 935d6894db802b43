//! The later stages of a build: wasm-bindgen generates the glue of a raw module, wasm-opt optimises it, and
//! its functions are put into an order that compresses better.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};

use super::variant::Variant;
use crate::bindgen::Bindgen;
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

/// Runs wasm-bindgen and wasm-opt on a raw module, unless the stamp shows that the bundle in `folder` is up
/// to date.
pub fn update_bundle(bindgen: &Bindgen, variant: &Variant, module: &Path, folder: &Path) -> Result<()> {
    let stamp = new_stamp(variant, module)?;
    if fs::read_to_string(folder.join("stamp")).is_ok_and(|present| present == stamp) {
        return Ok(());
    }
    bind_and_optimise(bindgen, variant, module, folder)?;
    fs::write(folder.join("stamp"), stamp).with_context(|| format!("cannot write to {}", folder.display()))
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
    Ok(format!("{hash:016x} {} ordered\n", wasm_opt_flags(variant).join(" ")))
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
    bindgen.order_functions(&file)?;

    // The page shows how much of the module has been loaded, in percent. With compression, the Content-Length
    // of the response counts the compressed bytes, so the glue exports the size of the module.
    let glue = folder.join("learnery_web.js");
    let mut code = fs::read_to_string(&glue)?;
    code.push_str(&format!("\nexport const moduleBytes = {};\n", fs::metadata(&file)?.len()));
    fs::write(glue, code).context("cannot write learnery_web.js")
}
