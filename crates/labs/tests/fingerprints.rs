//! Every lab and learner computes the recorded bits, in both classes of bits (`learnery_kernels::isa::Bits`)
//! and on any number of threads. The browser tests compare the page's bundles with the same fingerprints.
//!
//! `tests/golden/runs` has a run for each lab and learner: its settings, and a checkpoint of an earlier
//! version of Learnery. Each run is started anew and continued from the checkpoint. `own-worlds.json` has one
//! more run for each example of a world of the user's own; it learns that world, and is saved and continued.
//! With the environment variable `LEARNERY_WRITE_GOLDEN=1` the test records the fingerprints instead of
//! comparing them, after an intended change of bits.
//!
//! There is a single test, because the class of bits is chosen for the whole process.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use learnery_kernels::isa::{self, Bits};
use learnery_lab::{Checkpoint, Session};
use learnery_labs::find;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// A run of `runs.json`.
#[derive(Deserialize)]
struct GoldenRun {
    /// Also the name of its checkpoint, without the extension.
    name: String,
    lab: String,
    seed: u32,
    /// The number of units from the settings.
    units: u64,
    settings: Value,
    /// The number of units by which the checkpoint is continued.
    more: u64,
}

/// The fingerprints of a golden run in one class of bits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Fingerprints {
    /// After `units` units from the settings.
    started: String,
    /// After `more` units from the checkpoint.
    continued: String,
}

/// Fingerprints by the name of the run, then by the class of bits (`plain` or `fused`).
type ByRun = BTreeMap<String, BTreeMap<String, Fingerprints>>;

/// The runs that learn the example worlds of `crates/world-rules/examples`, with the same settings.
#[derive(Serialize, Deserialize)]
struct OwnWorlds {
    seed: u32,
    settings: Value,
    units: u64,
    /// The number of units by which the saved run is continued.
    more: u64,
    fingerprints: ByRun,
}

impl OwnWorlds {
    /// Learns the world of this file, then saves the run and continues it.
    fn compute(&self, file: &Path) -> Fingerprints {
        let control = *find("control").expect("a lab");
        let name = file.file_name().and_then(|name| name.to_str()).expect("a name");
        let text = std::fs::read_to_string(file).expect("a text");
        let mut session = Session::start(control, &self.settings, self.seed).expect("good settings");
        session.apply(json!({"type": "world", "name": name, "text": text})).expect("a good world");
        (0..self.units).for_each(|_| _ = session.advance_unit());
        let saved = Checkpoint::from_bytes(&session.save().to_bytes()).expect("our own file");
        let resumed = Session::resume(control, &saved).expect("our own run");
        Fingerprints { started: session.fingerprint(), continued: advanced(resumed, self.more) }
    }
}

/// The example worlds, in the order of their names.
fn example_worlds() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../world-rules/examples");
    let files = std::fs::read_dir(folder).expect("a folder").map(|file| file.expect("a file").path());
    let mut worlds: Vec<PathBuf> =
        files.filter(|path| path.extension().is_some_and(|ext| ext == "world")).collect();
    worlds.sort();
    worlds
}

/// The fingerprint of a run after so many further units.
fn advanced(mut session: Session, units: u64) -> String {
    for _ in 0..units {
        session.advance_unit();
    }
    session.fingerprint()
}

/// Starts a golden run anew, and continues its checkpoint.
fn compute(run: &GoldenRun, folder: &Path) -> Fingerprints {
    let entry = *find(&run.lab).expect("a lab");
    let bytes = std::fs::read(folder.join(format!("{}.safetensors", run.name))).expect("a checkpoint");
    let checkpoint = Checkpoint::from_bytes(&bytes).expect("checkpoints of earlier versions can be read");
    let start =
        Session::start(entry, &run.settings, run.seed).expect("settings of earlier versions are valid");
    let resume =
        Session::resume(entry, &checkpoint).expect("checkpoints of earlier versions can be continued");
    Fingerprints { started: advanced(start, run.units), continued: advanced(resume, run.more) }
}

#[test]
fn every_learner_computes_the_recorded_bits_in_both_classes_on_any_number_of_threads() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden/runs");
    let read = |name: &str| std::fs::read(folder.join(name)).expect("a golden file");
    let runs: Vec<GoldenRun> = serde_json::from_slice(&read("runs.json")).expect("a list of runs");
    let mut own_worlds: OwnWorlds =
        serde_json::from_slice(&read("own-worlds.json")).expect("settings and fingerprints");
    let mut computed: ByRun = BTreeMap::new();
    let mut computed_own = computed.clone();
    for bits in [Bits::Plain, Bits::Fused] {
        if isa::choose(bits).is_err() {
            assert_eq!(bits, Bits::Fused, "every machine can compute plain bits");
            continue;
        }
        for threads in [1, 3] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            for run in &runs {
                let fingerprints = pool.install(|| compute(run, &folder));
                note(&mut computed, &run.name, bits, threads, fingerprints);
            }
            for file in example_worlds() {
                let fingerprints = pool.install(|| own_worlds.compute(&file));
                let name = file.file_stem().and_then(|name| name.to_str()).expect("a name");
                note(&mut computed_own, name, bits, threads, fingerprints);
            }
        }
    }
    if std::env::var_os("LEARNERY_WRITE_GOLDEN").is_some() {
        let write = |file: &str, text: String| {
            std::fs::write(folder.join(file), text + "\n").expect("the folder can be written to");
        };
        let text = serde_json::to_string_pretty(&computed);
        write("fingerprints.json", text.expect("fingerprints are plain data"));
        own_worlds.fingerprints = computed_own;
        let text = serde_json::to_string_pretty(&own_worlds);
        write("own-worlds.json", text.expect("settings and fingerprints are plain data"));
        return;
    }
    let recorded: ByRun = serde_json::from_slice(&read("fingerprints.json")).expect("fingerprints");
    assert_recorded(computed, &recorded);
    assert!(computed_own.keys().eq(own_worlds.fingerprints.keys()), "each example is recorded");
    assert_recorded(computed_own, &own_worlds.fingerprints);
}

/// Notes the fingerprints of a run, which are the same for any number of threads.
fn note(computed: &mut ByRun, name: &str, bits: Bits, threads: usize, fingerprints: Fingerprints) {
    let first = computed.entry(name.into()).or_default().entry(bits.name().into());
    assert_eq!(first.or_insert(fingerprints.clone()), &fingerprints, "{name}: {threads} threads");
}

fn assert_recorded(computed: ByRun, recorded: &ByRun) {
    for (name, classes) in computed {
        for (class, fingerprints) in classes {
            let expected = recorded.get(&name).and_then(|classes| classes.get(&class));
            assert_eq!(Some(&fingerprints), expected, "{name}: {class} bits have changed");
        }
    }
}
