//! Finds the runs that the arguments name: folders of runs, folders that hold some, links of fleets.

use std::cmp::Ordering;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow, bail};

use super::run::WatchedRun;
use crate::args::WatchArgs;
use crate::failure::io_reason;
use crate::run::folder::holds_run;

/// The most runs that are watched at the same time.
pub const MAX_RUNS: usize = 100;
/// How deep below a folder its runs may be: those of a sweep are in SETTINGS/seed-N.
const MAX_DEPTH: usize = 3;

/// All runs that are watched.
pub struct Runs {
    pub runs: Vec<WatchedRun>,
    /// Folders that hold runs. New ones may appear in them.
    folders: Vec<PathBuf>,
    /// Whether names begin with the folder, because there are several.
    needs_folder_in_names: bool,
    /// Runs that were found and are not watched, because there are too many.
    pub left_out: usize,
}

impl Runs {
    /// Finds all runs. Paths without one are refused.
    pub fn find(args: &WatchArgs) -> Result<Self> {
        let needs_folder_in_names = args.runs.len() > 1;
        let mut found = Self { runs: Vec::new(), folders: Vec::new(), needs_folder_in_names, left_out: 0 };
        for argument in &args.runs {
            if argument.contains("://") {
                found.runs.push(open_fleet(argument, args)?);
                continue;
            }
            let path = Path::new(argument);
            let metadata = fs::metadata(path).map_err(|e| anyhow!("{argument}: {}", io_reason(&e)))?;
            if !metadata.is_dir() {
                bail!("{argument} is a file; give the folder of a run, or one that holds runs");
            }
            if holds_run(path) {
                found.add(path.to_owned(), argument.clone());
            } else if runs_below(path).is_empty() {
                bail!("{argument} holds no run, nor do its subfolders");
            } else {
                found.folders.push(path.to_owned());
            }
        }
        found.search();
        Ok(found)
    }

    /// Looks for runs that have appeared. Returns whether there are some.
    pub fn search(&mut self) -> bool {
        let before = (self.runs.len(), self.left_out);
        self.left_out = 0;
        for folder in self.folders.clone() {
            for path in runs_below(&folder) {
                let name = path.strip_prefix(&folder).unwrap_or(&path);
                let name = if self.needs_folder_in_names { &path } else { name }.display().to_string();
                self.add(path, name);
            }
        }
        (self.runs.len(), self.left_out) != before
    }

    /// Watches the run in a folder, unless it is watched already.
    fn add(&mut self, path: PathBuf, name: String) {
        if self.runs.iter().any(|run| run.path() == Some(&path)) {
            return;
        }
        if self.runs.len() == MAX_RUNS {
            self.left_out += 1;
            return;
        }
        self.runs.push(WatchedRun::in_folder(name, path));
    }
}

/// The part of a link before its password.
fn public_part(link: &str) -> &str {
    link.split('#').next().unwrap_or_default()
}

#[cfg(feature = "fleet")]
fn open_fleet(link: &str, args: &WatchArgs) -> Result<WatchedRun> {
    Ok(WatchedRun::of_fleet(public_part(link).into(), super::feed::Feed::open(link, args.ca.clone())?))
}

#[cfg(not(feature = "fleet"))]
fn open_fleet(link: &str, _: &WatchArgs) -> Result<WatchedRun> {
    let link = public_part(link);
    bail!(
        "{link}: this program was built without the network of a fleet; build it with the feature `fleet`, or watch the \
         folder of the fleet's run"
    )
}

/// The folders of runs below a folder, in the order of their names.
fn runs_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    collect_runs(folder, MAX_DEPTH, &mut found);
    found
}

/// Adds the runs in the folders below a folder, at most `depth` levels down.
fn collect_runs(folder: &Path, depth: usize, found: &mut Vec<PathBuf>) {
    // A folder that cannot be read is skipped, and so is an entry.
    let Ok(entries) = fs::read_dir(folder) else { return };
    let is_folder = |entry: &fs::DirEntry| entry.file_type().is_ok_and(|kind| kind.is_dir());
    let mut folders: Vec<PathBuf> = entries.flatten().filter(is_folder).map(|entry| entry.path()).collect();
    folders.sort_by(|a, b| by_name(&a.to_string_lossy(), &b.to_string_lossy()));
    for folder in folders {
        if holds_run(&folder) {
            found.push(folder);
        } else if depth > 1 {
            collect_runs(&folder, depth - 1, found);
        }
    }
}

/// Natural sort order, which compares numbers by value: seed-2 is before seed-10.
fn by_name(a: &str, b: &str) -> Ordering {
    let (mut a, mut b) = (a, b);
    loop {
        let (first, second) = (number_at_start(a), number_at_start(b));
        let order = match (first, second) {
            (Some((n, _)), Some((m, _))) if n != m => return n.cmp(&m),
            (Some((_, rest)), Some((_, other))) => {
                (a, b) = (rest, other);
                continue;
            }
            _ => a.chars().next().cmp(&b.chars().next()),
        };
        if order != Ordering::Equal || a.is_empty() {
            return order;
        }
        let width = a.chars().next().map_or(0, char::len_utf8);
        (a, b) = (&a[width..], &b[width..]);
    }
}

/// The number with which a text begins, and the rest.
fn number_at_start(text: &str) -> Option<(u64, &str)> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let number = text[..digits]
        .bytes()
        .fold(0_u64, |n, digit| n.saturating_mul(10).saturating_add(u64::from(digit - b'0')));
    (digits > 0).then_some((number, &text[digits..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args(runs: &[&Path]) -> WatchArgs {
        let runs = runs.iter().map(|path| path.display().to_string()).collect();
        WatchArgs { runs, metric: None, once: true, json: false, ca: None }
    }

    #[test]
    fn runs_of_a_sweep_are_found_in_order_also_later() {
        let root = tempfile::tempdir().unwrap();
        let add = |name: &str| {
            fs::create_dir_all(root.path().join(name)).unwrap();
            fs::write(root.path().join(name).join(metrics()), "").unwrap();
        };
        let names = ["lr=1/seed-10", "lr=1/seed-2", "lr=10/seed-0", "lr=2/seed-0", "too/deep/for/us"];
        names.into_iter().for_each(add);
        let mut runs = Runs::find(&args(&[root.path()])).unwrap();
        let names = |runs: &Runs| runs.runs.iter().map(|run| run.name.clone()).collect::<Vec<_>>();
        assert_eq!(names(&runs), ["lr=1/seed-2", "lr=1/seed-10", "lr=2/seed-0", "lr=10/seed-0"]);
        assert!(!runs.search());
        add("lr=1/seed-3");
        assert!(runs.search());
        assert_eq!(names(&runs)[4], "lr=1/seed-3", "the others keep their places");
        (0..MAX_RUNS).for_each(|seed| add(&format!("more/seed-{seed}")));
        assert!(runs.search());
        assert_eq!((runs.runs.len(), runs.left_out), (MAX_RUNS, 5));
    }

    fn metrics() -> &'static str {
        crate::run::metrics_file::NAME
    }

    #[test]
    fn names_are_ordered_by_their_numbers() {
        let huge = "1".repeat(40);
        let mut names = ["b", "a10", "a9", "a9b", &huge, "a", "", "a09", "2", "ä"];
        names.sort_by(|a, b| by_name(a, b));
        assert_eq!(names, ["", "2", &huge, "a", "a9", "a09", "a9b", "a10", "b", "ä"]);
    }
}
