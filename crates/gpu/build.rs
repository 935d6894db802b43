//! Lists the kernels' texts in `src/wgsl/`, without comments and indentation: they are a part of the page's bundle.

use std::fmt::Write;
use std::path::Path;
use std::{env, fs};

fn main() {
    let folder = Path::new("src/wgsl");
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut paths: Vec<_> = fs::read_dir(folder)
        .expect("the folder of the kernels")
        .map(|entry| entry.expect("a readable folder").path())
        .collect();
    paths.sort();
    let mut list = String::from("[\n");
    for path in paths {
        let text = fs::read_to_string(&path).expect("a readable kernel");
        let lines = text.lines().map(|line| line.split("//").next().unwrap_or_default().trim());
        let lines: Vec<&str> = lines.filter(|line| !line.is_empty()).collect();
        let name = path.file_stem().expect("a file").to_string_lossy().into_owned();
        writeln!(list, "    ({name:?}, {:?}),", lines.join("\n")).expect("a string takes everything");
    }
    list.push(']');
    let out = env::var("OUT_DIR").expect("cargo sets the folder");
    fs::write(Path::new(&out).join("sources.rs"), list).expect("the folder can be written to");
}
