//! Lists the texts of the kernels in `src/wgsl/`, without comments and indentation: they are a part of the page's bundle.
//! A folder inside it belongs to the feature of the same name. The kernels in folders called `native`, for generating
//! text, benchmarks and tests, are left out of the page's bundle.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    let root = Path::new("src/wgsl");
    println!("cargo::rerun-if-changed={}", root.display());
    let has_feature = |name: &str| env::var_os(format!("CARGO_FEATURE_{}", name.to_uppercase())).is_some();
    let mut folders = vec![root.to_owned()];
    folders.extend(entries(root).filter(|path| path.is_dir() && has_feature(&name(path))));
    if env::var("CARGO_CFG_TARGET_FAMILY").expect("cargo sets the family") != "wasm" {
        let native: Vec<PathBuf> = folders.iter().map(|folder| folder.join("native")).collect();
        folders.extend(native.into_iter().filter(|folder| folder.is_dir()));
    }
    let mut paths: Vec<PathBuf> = folders.iter().flat_map(|folder| kernels(folder)).collect();
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
fn kernels(folder: &Path) -> impl Iterator<Item = PathBuf> {
    entries(folder).filter(|path| path.extension().is_some_and(|extension| extension == "wgsl"))
}

fn entries(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder of kernels");
    entries.map(|entry| entry.expect("a readable folder").path())
}

fn name(path: &Path) -> String {
    path.file_stem().expect("a file").to_string_lossy().into_owned()
}
