//! Splits the finished module of a bundle, so that a first visit of its lab loads less before the run learns.
//! `crates/web/later/LAB.txt` and `every-lab.txt` have the beginnings of the names of the functions that are
//! loaded later. Bundles without a list of their own stay whole. The split changes no result, whatever the
//! lists say (`xtask/bindgen/src/split.rs`); www/core/later-part.ts loads the later part.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

use super::variant::Variant;
use crate::bindgen::Bindgen;
use crate::paths::root;

/// The file of the later part.
pub const LATER_FILE: &str = "learnery_web_later.wasm";

/// The entry of the glue's import object after which that of the later part is added.
const IMPORTS: &str = "        \"./learnery_web_bg.js\": import0,\n";
/// The import that instantiates the later part.
const LATER_IMPORT: &str = "        later: { load: (slot) => loadLaterPart(wasm, slot) },\n";
/// What the glue exports for it.
const LATER_EXPORT: &str = "
let loadLaterPart;
export const onLaterPart = (load) => {
    loadLaterPart = load;
};
";

/// The lists of a bundle's functions that are loaded later; none if the bundle stays whole. A first visit
/// computes on the processor, so bundles for GPUs stay whole.
pub fn lists(variant: &Variant, bundle: &str) -> Vec<PathBuf> {
    let folder = root().join("crates/web/later");
    let own = folder.join(bundle).with_extension("txt");
    if variant.is_for_gpu || !own.exists() {
        return Vec::new();
    }
    vec![folder.join("every-lab.txt"), own]
}

/// Splits the module of the bundle in `folder`, which has the names of its functions.
pub fn split(bindgen: &Bindgen, lists: &[PathBuf], folder: &Path, module: &str, glue: &str) -> Result<()> {
    let later = folder.join(LATER_FILE);
    bindgen.split(&folder.join(module), &later, lists)?;
    bindgen.order_functions(&later)?;
    let glue = folder.join(glue);
    let code = fs::read_to_string(&glue).with_context(|| format!("cannot read {}", glue.display()))?;
    ensure!(code.contains(IMPORTS), "wasm-bindgen has changed: {} lacks the imports", glue.display());
    let code = code.replacen(IMPORTS, &format!("{IMPORTS}{LATER_IMPORT}"), 1) + LATER_EXPORT;
    fs::write(&glue, code).with_context(|| format!("cannot write {}", glue.display()))
}
