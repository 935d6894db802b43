//! Every lab and learner computes the recorded bits, in both classes of bits (`learnery_kernels::isa::Bits`)
//! and on any number of threads. The browser tests compare the page's bundles with the same fingerprints.
//!
//! `tests/golden/runs` has a run for each lab and learner: its settings, and a checkpoint that the first
//! version of the format wrote. Each run is started anew and continued from the checkpoint.
//! `LEARNERY_WRITE_GOLDEN=1` records the fingerprints instead of comparing them, after an intended change of
//! bits.
//!
//! There is a single test, because the class of bits is chosen for the whole process.

use std::collections::BTreeMap;
use std::path::Path;

use learnery_kernels::isa::{self, Bits};
use learnery_lab::{Checkpoint, Session};
use learnery_labs::find;
use serde::{Deserialize, Serialize};
use serde_json::Value;

#[derive(Deserialize)]
struct GoldenRun {
    name: String,
    lab: String,
    seed: u32,
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

fn advanced(mut session: Session, units: u64) -> String {
    for _ in 0..units {
        session.advance_unit();
    }
    session.fingerprint()
}

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
    let mut computed: BTreeMap<String, BTreeMap<&str, Fingerprints>> = BTreeMap::new();
    for bits in [Bits::Plain, Bits::Fused] {
        if isa::choose(bits).is_err() {
            assert_eq!(bits, Bits::Fused, "every machine can compute plain bits");
            continue;
        }
        for threads in [1, 3] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            for run in &runs {
                let fingerprints = pool.install(|| compute(run, &folder));
                let first = computed.entry(run.name.clone()).or_default().entry(bits.name());
                assert_eq!(
                    first.or_insert(fingerprints.clone()),
                    &fingerprints,
                    "{}: {threads} threads",
                    run.name
                );
            }
        }
    }
    if std::env::var_os("LEARNERY_WRITE_GOLDEN").is_some() {
        let text = serde_json::to_string_pretty(&computed).expect("fingerprints are plain data");
        std::fs::write(folder.join("fingerprints.json"), text + "\n").expect("the folder can be written to");
        return;
    }
    let recorded: BTreeMap<String, BTreeMap<String, Fingerprints>> =
        serde_json::from_slice(&read("fingerprints.json")).expect("fingerprints");
    for (name, classes) in computed {
        for (class, fingerprints) in classes {
            let expected = recorded.get(&name).and_then(|classes| classes.get(class));
            assert_eq!(Some(&fingerprints), expected, "{name}: {class} bits have changed");
        }
    }
}
