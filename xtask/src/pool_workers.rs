//! Lets the page create the workers of a bundle's thread pool, by replacing a file in the glue of a bundle.
//!
//! wasm-bindgen-rayon creates the workers of its pool by a JavaScript file, which wasm-bindgen copies beside
//! the glue (a *snippet*). There the module's own worker would create them, which some browsers do badly.
//! `start-workers.js` replaces the snippet, asks the page to create the workers, and says more of the
//! reasons.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};

use crate::paths::root;

/// The function that the pool calls, as the snippet declares it. If a version of the crate declares it
/// differently, it needs another replacement.
const SIGNATURE: &str = "export async function startWorkers(module, memory, builder)";

/// The content of the file that replaces the snippet.
pub fn replacement() -> Result<String> {
    let path = root().join("crates/web/src/wasm/start-workers.js");
    let code = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    ensure!(code.contains(SIGNATURE), "{} lacks `{SIGNATURE}`", path.display());
    Ok(code)
}

/// Replaces the snippet in the folder of a bundle.
pub fn replace_in(folder: &Path) -> Result<()> {
    let snippet = find_snippet(&folder.join("snippets"))?;
    let code = fs::read_to_string(&snippet).with_context(|| format!("cannot read {}", snippet.display()))?;
    ensure!(
        code.contains(SIGNATURE),
        "wasm-bindgen-rayon has changed: {} lacks `{SIGNATURE}`",
        snippet.display()
    );
    fs::write(&snippet, replacement()?).with_context(|| format!("cannot write {}", snippet.display()))
}

/// The path of the snippet, in a folder whose name ends with a hash.
fn find_snippet(snippets: &Path) -> Result<PathBuf> {
    for entry in fs::read_dir(snippets).with_context(|| format!("cannot list {}", snippets.display()))? {
        let entry = entry?;
        if entry.file_name().to_string_lossy().starts_with("wasm-bindgen-rayon-") {
            return Ok(entry.path().join("src/workerHelpers.js"));
        }
    }
    bail!("{} has no snippet of wasm-bindgen-rayon", snippets.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The path of the snippet in a bundle.
    const SNIPPET: &str = "snippets/wasm-bindgen-rayon-38edf6e439f6d70d/src/workerHelpers.js";

    /// Replaces a snippet with this content at this path. Returns what the file contains afterwards.
    fn replaced(name: &str, path: &str, code: &str) -> Result<String> {
        let folder = std::env::temp_dir().join(format!("learnery-pool-{name}-{}", std::process::id()));
        let file = folder.join(path);
        fs::create_dir_all(file.parent().unwrap_or(&folder))?;
        fs::write(&file, code)?;
        let result = replace_in(&folder).and_then(|()| Ok(fs::read_to_string(&file)?));
        fs::remove_dir_all(&folder)?;
        result
    }

    #[test]
    fn snippet_is_replaced_if_it_is_the_known_one() {
        let code = replaced("known", SNIPPET, &format!("{SIGNATURE} {{ new Worker(); }}"));
        assert_eq!(code.expect("the known snippet"), replacement().expect("our file"));
        let changed = replaced("changed", SNIPPET, "export function startWorkers(pool) {}");
        assert!(changed.expect_err("another snippet").to_string().contains("has changed"));
        let missing = replaced("missing", "snippets/learnery-web-0123/src/report.js", "");
        assert!(missing.expect_err("no snippet").to_string().contains("has no snippet"));
    }
}
