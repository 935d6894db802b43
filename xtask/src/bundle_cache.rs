//! A cache of finished bundles for all checkouts of a user on this machine. An entry is a folder whose name
//! is the hash of everything that the bundle is made from (`bundle_keys.rs`). An unchanged bundle is copied
//! from the cache and not built.
//!
//! The folder is `learnery/bundles` in the user's cache folder, such as `~/.cache`. `LEARNERY_BUNDLE_CACHE`
//! names another one; `off` switches the cache off.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::{Context, Result};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

/// The environment variable with the folder of the cache.
const FOLDER_VARIABLE: &str = "LEARNERY_BUNDLE_CACHE";
/// Above this size of all entries, the ones that were used least recently are removed.
const MAX_BYTES: u64 = 1 << 30;
/// The file of an entry with the hash of each other file. It is written last.
const CHECKSUMS_FILE: &str = "checksums.json";
/// The file in a bundle's folder with its key.
pub const KEY_FILE: &str = "key";

/// The cache. Every method does nothing if it is switched off.
pub struct BundleCache {
    folder: Option<PathBuf>,
    max_bytes: u64,
}

impl BundleCache {
    pub fn open() -> Self {
        let folder = match std::env::var_os(FOLDER_VARIABLE) {
            Some(value) if value.is_empty() || value == "off" => None,
            Some(folder) => Some(folder.into()),
            None => users_cache().map(|folder| folder.join("learnery/bundles")),
        };
        Self { folder, max_bytes: MAX_BYTES }
    }

    pub fn off() -> Self {
        Self { folder: None, max_bytes: 0 }
    }

    pub fn is_on(&self) -> bool {
        self.folder.is_some()
    }

    /// Returns whether `folder` now holds the bundle with this key: because it already did, or because it was
    /// copied from the cache.
    pub fn restore(&self, key: &str, folder: &Path) -> Result<bool> {
        let Some(cache) = &self.folder else { return Ok(false) };
        let entry = cache.join(key);
        if fs::read_to_string(folder.join(KEY_FILE)).is_ok_and(|present| present == key) {
            note_use(&entry);
            return Ok(true);
        }
        let Some(files) = files_of(&entry) else { return Ok(false) };
        replace(folder, &files).with_context(|| format!("cannot write {}", folder.display()))?;
        fs::write(folder.join(KEY_FILE), key)
            .with_context(|| format!("cannot write {}", folder.display()))?;
        note_use(&entry);
        Ok(true)
    }

    /// Adds the bundle that `folder` holds to the cache. If the cache cannot be written, this prints a
    /// warning and succeeds.
    pub fn store(&self, key: &str, folder: &Path) -> Result<()> {
        let Some(cache) = &self.folder else { return Ok(()) };
        fs::write(folder.join(KEY_FILE), key)
            .with_context(|| format!("cannot write {}", folder.display()))?;
        if let Err(error) = self.add_entry(cache, key, folder) {
            eprintln!("the bundle is not kept in {}: {error:#}", cache.display());
        }
        Ok(())
    }

    fn add_entry(&self, cache: &Path, key: &str, folder: &Path) -> Result<()> {
        let mut files = Vec::new();
        read_files(folder, "", &mut files)?;
        files.retain(|(name, _)| name != KEY_FILE);
        let checksums: Map<String, Value> =
            files.iter().map(|(name, bytes)| (name.clone(), sha256(bytes).into())).collect();
        files.push((CHECKSUMS_FILE.into(), serde_json::to_vec(&checksums)?));
        // Another process may write the same entry.
        let unfinished = cache.join(format!("{key}.{}", std::process::id()));
        replace(&unfinished, &files)?;
        let entry = cache.join(key);
        // There may be a damaged entry with this key. If there is none, the error means nothing.
        let _ = fs::remove_dir_all(&entry);
        if let Err(error) = fs::rename(&unfinished, &entry) {
            // What is left here goes when the cache shrinks.
            let _ = fs::remove_dir_all(&unfinished);
            // Another process may have been first.
            if !entry.is_dir() {
                return Err(error.into());
            }
        }
        self.shrink(cache)
    }

    /// Removes the entries that were used least recently, until the rest fits.
    fn shrink(&self, cache: &Path) -> Result<()> {
        let mut entries = Vec::new();
        for entry in fs::read_dir(cache)? {
            let path = entry?.path();
            let used_at = fs::metadata(path.join(CHECKSUMS_FILE)).and_then(|file| file.modified());
            // An entry without checksums is unfinished: that of a process that ended early, or of one that
            // writes it now.
            let used_at = used_at.or_else(|_| fs::metadata(&path).and_then(|folder| folder.modified()));
            // One that vanished was renamed or removed by another thread or process.
            if let (Ok(used_at), Ok(bytes)) = (used_at, bytes_in(&path)) {
                entries.push((used_at, bytes, path));
            }
        }
        // By the time of their last use, which is the first element.
        entries.sort();
        let mut total: u64 = entries.iter().map(|(_, bytes, _)| bytes).sum();
        for (_, bytes, path) in entries {
            if total <= self.max_bytes {
                break;
            }
            // Another process may remove it at this moment.
            let _ = fs::remove_dir_all(path);
            total -= bytes;
        }
        Ok(())
    }
}

/// Notes that an entry is used now. The times of use decide which entries are removed first.
fn note_use(entry: &Path) {
    if let Ok(file) = fs::File::options().append(true).open(entry.join(CHECKSUMS_FILE)) {
        // If this fails, the entry only looks as if it had been used less recently.
        let _ = file.set_modified(SystemTime::now());
    }
}

/// The user's folder for caches, or none if it is unknown.
fn users_cache() -> Option<PathBuf> {
    let absolute = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let home = std::env::home_dir().filter(|home| home.is_absolute());
    if cfg!(windows) {
        absolute("LOCALAPPDATA")
    } else if cfg!(target_os = "macos") {
        home.map(|home| home.join("Library/Caches"))
    } else {
        absolute("XDG_CACHE_HOME").or_else(|| home.map(|home| home.join(".cache")))
    }
}

/// The path of a file in a bundle, with slashes, and its content.
pub type BundleFile = (String, Vec<u8>);

/// Adds the files in a folder and its subfolders.
pub fn read_files(folder: &Path, prefix: &str, files: &mut Vec<BundleFile>) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            read_files(&entry.path(), &format!("{name}/"), files)?;
        } else {
            files.push((name, fs::read(entry.path())?));
        }
    }
    Ok(())
}

/// The files of an entry, or none if it is missing or damaged.
fn files_of(entry: &Path) -> Option<Vec<BundleFile>> {
    let checksums: Map<String, Value> =
        serde_json::from_slice(&fs::read(entry.join(CHECKSUMS_FILE)).ok()?).ok()?;
    let file = |(name, checksum): (&String, &Value)| {
        let bytes = fs::read(entry.join(name)).ok()?;
        (checksum == &sha256(&bytes)).then(|| (name.clone(), bytes))
    };
    checksums.iter().map(file).collect()
}

/// Makes a folder contain these files and nothing else.
pub fn replace(folder: &Path, files: &[BundleFile]) -> Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    fs::create_dir_all(folder)?;
    for (name, bytes) in files {
        let file = folder.join(name);
        fs::create_dir_all(file.with_file_name(""))?;
        fs::write(file, bytes)?;
    }
    Ok(())
}

/// The size of the files in a folder and its subfolders.
fn bytes_in(folder: &Path) -> Result<u64> {
    let mut total = 0;
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        total += if path.is_dir() { bytes_in(&path)? } else { fs::metadata(&path)?.len() };
    }
    Ok(total)
}

/// The SHA-256 hash in hexadecimal digits.
fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paths::root;

    /// An empty cache, and a bundle beside it.
    fn new_cache(name: &str, max_bytes: u64) -> (BundleCache, PathBuf, PathBuf) {
        let folder = root().join("target/bundle-cache-test").join(name);
        let _ = fs::remove_dir_all(&folder);
        let (cache, bundle) = (folder.join("cache"), folder.join("bundle"));
        fs::create_dir_all(&bundle).unwrap();
        fs::write(bundle.join("a.wasm"), [7; 100]).unwrap();
        fs::write(bundle.join("a.js"), "glue").unwrap();
        fs::create_dir_all(bundle.join("snippets")).unwrap();
        fs::write(bundle.join("snippets/b.js"), "more").unwrap();
        (BundleCache { folder: Some(cache.clone()), max_bytes }, cache, bundle)
    }

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn bundle_is_restored_with_its_bytes_and_nothing_else() {
        let (cache, _, bundle) = new_cache("restored", 1000);
        cache.store("k1", &bundle).unwrap();
        let other = bundle.with_file_name("other");
        fs::create_dir_all(&other).unwrap();
        fs::write(other.join("old.js"), "old").unwrap();
        assert!(cache.restore("k1", &other).unwrap());
        assert_eq!(names(&other), ["a.js", "a.wasm", "key", "snippets"]);
        assert_eq!(fs::read(other.join("snippets/b.js")).unwrap(), b"more");
        assert_eq!(fs::read(other.join("a.wasm")).unwrap(), [7; 100]);
        assert!(!cache.restore("k2", &other).unwrap());
        // What a folder holds already is not written again.
        fs::write(other.join("a.js"), "changed").unwrap();
        assert!(cache.restore("k1", &other).unwrap());
        assert_eq!(fs::read(other.join("a.js")).unwrap(), b"changed");
    }

    #[test]
    fn damaged_entries_are_ignored_and_replaced() {
        type Damage = fn(&Path);
        let damages: [Damage; 4] = [
            |entry| fs::write(entry.join("a.wasm"), [7; 99]).unwrap(),
            |entry| fs::remove_file(entry.join("a.js")).unwrap(),
            |entry| fs::remove_file(entry.join(CHECKSUMS_FILE)).unwrap(),
            |entry| fs::write(entry.join(CHECKSUMS_FILE), "{").unwrap(),
        ];
        for damage in damages {
            let (cache, folder, bundle) = new_cache("damaged", 1000);
            cache.store("k1", &bundle).unwrap();
            damage(&folder.join("k1"));
            let other = bundle.with_file_name("other");
            assert!(!cache.restore("k1", &other).unwrap());
            assert!(!other.exists());
            cache.store("k1", &bundle).unwrap();
            assert!(cache.restore("k1", &other).unwrap());
            assert_eq!(names(&folder), ["k1"]);
        }
    }

    #[test]
    fn entries_used_least_recently_are_removed() {
        let (cache, folder, bundle) = new_cache("size", 900);
        let age = |key: &str, seconds: u64| {
            let file = fs::File::options().append(true).open(folder.join(key).join(CHECKSUMS_FILE)).unwrap();
            file.set_modified(SystemTime::now() - std::time::Duration::from_secs(seconds)).unwrap();
        };
        // An entry has 108 bytes and some 240 of checksums, so two fit and three do not.
        for (key, seconds) in [("k1", 30), ("k2", 20)] {
            cache.store(key, &bundle).unwrap();
            age(key, seconds);
        }
        assert!(cache.restore("k1", &bundle.with_file_name("other")).unwrap());
        cache.store("k3", &bundle).unwrap();
        assert_eq!(names(&folder), ["k1", "k3"]);
    }

    #[test]
    fn cache_that_is_off_has_nothing() {
        let (on, _, bundle) = new_cache("off", 1000);
        on.store("k1", &bundle).unwrap();
        let off = BundleCache::off();
        assert!(!off.restore("k1", &bundle).unwrap());
        off.store("k2", &bundle).unwrap();
        assert_eq!(fs::read_to_string(bundle.join(KEY_FILE)).unwrap(), "k1");
    }
}
