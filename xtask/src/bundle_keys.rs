//! The keys of [`crate::bundle_cache`]: a hash of everything that a bundle is made from, as far as it can
//! change. These are the sources of the workspace's crates in it, the versions and features of its other
//! crates, the compiler, wasm-opt, the workspace's profiles, this program, which holds the flags and
//! makes the bundle, and `xtask-bindgen`, which finishes its module, with the versions of its libraries.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

use anyhow::{Context, Result, ensure};
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::paths::{cargo, output, root};

/// The files and folders, relative to the repository's root, that the keys of all bundles depend on beside
/// the crates.
const COMMON_PATHS: [&str; 5] =
    ["Cargo.toml", "rust-toolchain.toml", ".cargo/config.toml", "xtask/src", "xtask/bindgen"];
/// The program that writes the glue of every bundle and finishes its module.
const FINISHER: &str = "xtask-bindgen";
/// Folders of a package that no bundle is made from.
const LEFT_OUT_FOLDERS: [&str; 2] = ["tests", "target"];
/// The beginnings of the names of environment variables that change how a bundle is compiled.
const VARIABLE_PREFIXES: [&str; 2] = ["CARGO_PROFILE_WASM", "CARGO_PROFILE_RELEASE"];

/// The sources of all bundles with the same features.
#[cfg_attr(test, derive(Clone))]
pub struct Sources {
    /// The hash of all files, and of what comes from outside of the repository.
    hash: Sha256,
    /// The crates of the bundle and of the program that finishes it, with their versions and features.
    crates: BTreeSet<String>,
    files: BTreeSet<PathBuf>,
    /// When the files began to be read.
    read_at: SystemTime,
}

/// The sources of bundles by package, features and target, each read once.
#[derive(Default)]
pub struct AllSources(BTreeMap<[String; 3], Sources>);

impl AllSources {
    /// The sources of programs of `package` with these features, compiled for `target`.
    pub fn find(&mut self, package: &str, features: &[&str], target: &str) -> Result<&Sources> {
        match self.0.entry([package.to_owned(), features.join(","), target.to_owned()]) {
            Entry::Occupied(entry) => Ok(entry.into_mut()),
            Entry::Vacant(entry) => Ok(entry.insert(Sources::find(package, features, target)?)),
        }
    }
}

impl Sources {
    fn find(package: &str, features: &[&str], target: &str) -> Result<Self> {
        let read_at = SystemTime::now();
        let repository = root();
        let mut crates =
            crates_of(&["--package", package, "--features", &features.join(","), "--target", target])?;
        let mut files = BTreeSet::new();
        for path in crates.iter().filter_map(|line| local_folder(line)) {
            add_files(Path::new(path), &mut files)?;
        }
        for path in COMMON_PATHS {
            add_files(&repository.join(path), &mut files)?;
        }
        // The finisher's libraries; its own sources are among the common files.
        crates.extend(crates_of(&["--package", FINISHER])?);
        let mut hash = Sha256::new();
        for (name, value) in environment()? {
            hash_text(&mut hash, format!("{name}={value}").as_bytes());
        }
        for file in &files {
            let name = file.strip_prefix(&repository).unwrap_or(file);
            hash_text(&mut hash, name.display().to_string().replace('\\', "/").as_bytes());
            hash_text(&mut hash, &fs::read(file).with_context(|| format!("cannot read {}", file.display()))?);
        }
        let here = repository.display().to_string();
        let crates = crates.iter().map(|line| line.replace(&here, ".")).collect();
        Ok(Self { hash, crates, files, read_at })
    }

    /// The key of a bundle in one of the variants.
    pub fn key(&self, variant: &str, bundle: &str) -> String {
        let mut hash = self.hash.clone();
        for text in self.crates.iter().map(String::as_str).chain([variant, bundle]) {
            hash_text(&mut hash, text.as_bytes());
        }
        hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// Whether no file has changed and none has been added since they were read.
    pub fn are_unchanged(&self) -> bool {
        let folders = self.files.iter().filter_map(|file| file.parent());
        let paths: BTreeSet<&Path> = self.files.iter().map(PathBuf::as_path).chain(folders).collect();
        let is_older = |path: &&Path| {
            fs::metadata(path).and_then(|file| file.modified()).is_ok_and(|modified| modified < self.read_at)
        };
        // Cargo writes Cargo.lock in the root, which changes the time of that folder.
        let repository = root();
        paths.iter().filter(|path| ***path != *repository).all(is_older)
    }

    /// Checks that the keys cover the files from which a module is compiled. Cargo lists those of the
    /// workspace in `MODULE.d`. If one were missing, an old bundle would be kept after a change of that file.
    pub fn check(&self, module: &Path) -> Result<()> {
        let list = module.with_extension("d");
        let text = fs::read_to_string(&list).with_context(|| format!("cannot read {}", list.display()))?;
        let repository = root();
        for file in dependencies(&text).filter(|file| file.starts_with(&repository)) {
            // The list has a folder where a build script watches one.
            let is_covered =
                self.files.contains(&file) || self.files.iter().any(|known| known.starts_with(&file));
            ensure!(
                is_covered || file.starts_with(repository.join("target")),
                "bundles are made from {}, which xtask/src/bundle_keys.rs does not know",
                file.display()
            );
        }
        Ok(())
    }
}

/// The lines of `cargo tree` for a package: each crate that it is compiled from, with its version, its folder
/// if it belongs to the workspace, and its features.
fn crates_of(selection: &[&str]) -> Result<BTreeSet<String>> {
    let format = ["--edges=normal,build", "--prefix=none", "--format={p} {f}"];
    let tree = output(cargo().arg("tree").args(selection).args(format))?;
    // A crate is listed again, with this mark, wherever another depends on it.
    Ok(tree.lines().map(|line| line.trim_end_matches(" (*)").trim_end().to_owned()).collect())
}

/// Adds a text to the hash, after its length. So the hash also says where one text ends and the next begins.
fn hash_text(hash: &mut Sha256, bytes: &[u8]) {
    hash.update((bytes.len() as u64).to_le_bytes());
    hash.update(bytes);
}

/// The folder of a crate of the workspace in a line of `cargo tree`: `NAME VERSION (FOLDER) FEATURES`, with
/// `(proc-macro)` before the folder of a macro.
fn local_folder(line: &str) -> Option<&str> {
    let (_, rest) = line.split_once(" (")?;
    let rest = rest.strip_prefix("proc-macro) (").unwrap_or(rest);
    let (folder, _) = rest.split_once(')')?;
    Path::new(folder).is_absolute().then_some(folder)
}

/// Adds a file, or the files of a folder and its subfolders.
fn add_files(path: &Path, files: &mut BTreeSet<PathBuf>) -> Result<()> {
    if path.is_file() {
        files.insert(path.to_owned());
        return Ok(());
    }
    for entry in fs::read_dir(path).with_context(|| format!("cannot list {}", path.display()))? {
        let path = entry?.path();
        let is_text = path.extension().is_some_and(|extension| extension == "md");
        let is_package = path.is_dir() && path.join("Cargo.toml").is_file();
        if !is_text && !is_package && !LEFT_OUT_FOLDERS.iter().any(|name| path.ends_with(name)) {
            add_files(&path, files)?;
        }
    }
    Ok(())
}

/// The inputs of a bundle outside of the repository: the versions of programs, and variables of the
/// environment.
fn environment() -> Result<BTreeMap<String, String>> {
    let mut inputs = BTreeMap::new();
    inputs.insert("rustc".to_owned(), output(Command::new("rustc").current_dir(root()).arg("-vV"))?);
    inputs.insert("wasm-opt".to_owned(), binaryen()?);
    for (name, value) in std::env::vars_os() {
        let name = name.to_string_lossy().into_owned();
        if VARIABLE_PREFIXES.iter().any(|prefix| name.starts_with(prefix)) {
            inputs.insert(name, value.to_string_lossy().into_owned());
        }
    }
    Ok(inputs)
}

/// The version of binaryen that is installed, or that will be.
fn binaryen() -> Result<String> {
    let read = |path: &str| -> Result<Value> {
        let bytes = fs::read(root().join(path)).with_context(|| format!("cannot read {path}"))?;
        Ok(serde_json::from_slice(&bytes)?)
    };
    let installed = read("node_modules/binaryen/package.json").map(|package| package["version"].clone());
    let version = match installed {
        Ok(version) => version,
        Err(_) => read("package-lock.json")?["packages"]["node_modules/binaryen"]["version"].clone(),
    };
    Ok(version.as_str().context("no version of binaryen")?.to_owned())
}

/// The files in a list of dependencies as rustc and cargo write it: `FILE: FILE FILE`, with blanks in a name
/// escaped.
fn dependencies(text: &str) -> impl Iterator<Item = PathBuf> {
    let files = text.lines().filter_map(|line| line.split_once(": ")).flat_map(|(_, files)| {
        let files = files.replace("\\ ", "\0");
        files.split_whitespace().map(|file| file.replace('\0', " ")).collect::<Vec<_>>()
    });
    files.map(PathBuf::from)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn find_sources() -> Sources {
        Sources::find("learnery-web", &["bundles"], "wasm32-unknown-unknown").unwrap()
    }

    #[test]
    fn sources_are_those_of_the_crates_in_the_bundle() {
        let files = find_sources().files;
        let has = |file: &str| files.contains(&root().join(file));
        assert!(has("crates/web/bundles/cube.rs") && has("crates/nn/src/lib.rs") && has("Cargo.toml"));
        assert!(has("crates/labs/src/lib.rs") && has("crates/labs/cube/src/lib.rs"));
        // Neither tests, nor what only other bundles have.
        assert!(!has("crates/web/tests/main/host.rs") && !has("crates/fleet/src/lib.rs"));
        assert!(!has("crates/web/README.md") && !has("crates/cli/src/main.rs"));
    }

    #[test]
    fn libraries_of_the_bundle_and_of_the_program_that_finishes_it_are_in_the_keys() {
        let sources = find_sources();
        for name in ["wasm-bindgen", "rayon", "walrus", "wasm-encoder", "wasmparser"] {
            let mut others = sources.clone();
            others.crates.retain(|line| !line.starts_with(&format!("{name} v")));
            assert!(others.key("simple", "cube") != sources.key("simple", "cube"), "{name}");
        }
    }

    #[test]
    fn keys_differ_by_variant_bundle_and_content() {
        let sources = find_sources();
        let key = sources.key("simple", "cube");
        assert_eq!(key, find_sources().key("simple", "cube"));
        assert!(key != sources.key("threads", "cube") && key != sources.key("simple", "logic"));
        // Where one text ends and the next begins matters.
        assert!(sources.key("simplec", "ube") != key);
        let with_gpu = Sources::find("learnery-web", &["bundles", "gpu"], "wasm32-unknown-unknown").unwrap();
        assert!(with_gpu.key("simple", "cube") != key);
        assert!(with_gpu.files.contains(&root().join("crates/gpu/src/lib.rs")));
    }

    #[test]
    fn changes_of_sources_are_noticed() {
        let folder = root().join("target/bundle-keys-change");
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(folder.join("src")).unwrap();
        let file = folder.join("src/lib.rs");
        fs::write(&file, "").unwrap();
        let sources = |read_at| Sources {
            hash: Sha256::new(),
            crates: BTreeSet::new(),
            files: [file.clone()].into(),
            read_at,
        };
        let second = Duration::from_secs(1);
        let now = SystemTime::now();
        assert!(sources(now + second).are_unchanged());
        assert!(!sources(now - second).are_unchanged());
        let set = |path: &Path, time| fs::File::open(path).unwrap().set_modified(time).unwrap();
        set(&file, now - 2 * second);
        // The folder of the file has changed: another file in it may be new.
        assert!(!sources(now - second).are_unchanged());
        set(&folder.join("src"), now - 2 * second);
        assert!(sources(now - second).are_unchanged());
        fs::remove_file(&file).unwrap();
        assert!(!sources(now + second).are_unchanged());
    }

    #[test]
    fn files_outside_of_the_keys_are_found() {
        let folder = root().join("target/bundle-keys-test");
        fs::create_dir_all(&folder).unwrap();
        let check = |file: &str| {
            let known = root().join("crates/nn/src/lib.rs");
            let watched = root().join("crates/web/bundles");
            let list =
                ["/elsewhere/a.rs", &known.display().to_string(), &watched.display().to_string(), file]
                    .join(" ");
            fs::write(folder.join("cube.d"), format!("cube.wasm: {list}\n")).unwrap();
            find_sources().check(&folder.join("cube.wasm"))
        };
        assert!(check("").is_ok());
        let missing = root().join("models/cube.safetensors").display().to_string();
        assert!(check(&missing).unwrap_err().to_string().contains("models/cube.safetensors"));
    }

    #[test]
    fn names_in_lists_of_dependencies_may_contain_blanks() {
        let files: Vec<PathBuf> = dependencies("a.wasm: /b\\ c/d.rs /e.rs\n").collect();
        assert_eq!(files, ["/b c/d.rs", "/e.rs"].map(PathBuf::from));
        assert_eq!(local_folder("a v1.0 (/b c/d) x,y"), Some("/b c/d"));
        assert_eq!(local_folder("a v1.0 (proc-macro) x"), None);
        assert_eq!(local_folder("a v1.0 (proc-macro) (/b) x"), Some("/b"));
    }
}
