//! Lists the kernels' texts in `src/wgsl/`, without comments and indentation: they are a part of the page's bundle.
//! Those in `src/wgsl/native/`, for generating text, benchmarks and tests, are left out there.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    let folder = Path::new("src/wgsl");
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut paths = kernels(folder);
    if env::var("CARGO_CFG_TARGET_FAMILY").expect("cargo sets the family") != "wasm" {
        paths.extend(kernels(&folder.join("native")));
    }
    paths.sort_by_key(|path| name(path));
    let mut list = String::from("[\n");
    for path in paths {
        let text = fs::read_to_string(&path).expect("a readable kernel");
        let lines = text.lines().map(|line| line.split("//").next().unwrap_or_default().trim());
        let lines: Vec<&str> = lines.filter(|line| !line.is_empty()).collect();
        writeln!(list, "    ({:?}, {:?}),", name(&path), lines.join("\n"))
            .expect("a string takes everything");
    }
    list.push(']');
    let out = env::var("OUT_DIR").expect("cargo sets the folder");
    fs::write(Path::new(&out).join("sources.rs"), list).expect("the folder can be written to");
}

/// The kernels in a folder, without those in folders inside it.
fn kernels(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder of kernels");
    let paths = entries.map(|entry| entry.expect("a readable folder").path());
    paths.filter(|path| path.extension().is_some_and(|extension| extension == "wgsl")).collect()
}

fn name(path: &Path) -> String {
    path.file_stem().expect("a file").to_string_lossy().into_owned()
}
