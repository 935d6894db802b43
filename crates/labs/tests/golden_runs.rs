//! Old checkpoints continue to the same bits: one saved run per lab and learner, in `tests/golden/runs`.
//!
//! `scripts/make_run_golden.py` made them. The recorded checksums are those of instruction sets with a fused
//! multiply-add (AVX-512, AVX2, NEON); on a machine without one the runs are continued but not compared.

use std::collections::BTreeMap;
use std::path::PathBuf;

use learnery_lab::{Checkpoint, Session};
use serde::Deserialize;
use serde_json::Value;

#[derive(Deserialize)]
struct GoldenRun {
    name: String,
    lab: String,
    seed: u32,
    units: u64,
    settings: Value,
    /// Units by which the saved run is continued.
    more: u64,
    /// CRC-32 of every tensor after that.
    after: BTreeMap<String, String>,
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden/runs")
}

fn runs() -> Vec<GoldenRun> {
    let text = std::fs::read_to_string(folder().join("runs.json")).expect("the list of golden runs");
    serde_json::from_str(&text).expect("a list of runs")
}

fn checkpoint(run: &GoldenRun) -> Checkpoint {
    let bytes = std::fs::read(folder().join(format!("{}.safetensors", run.name))).expect("a golden run");
    Checkpoint::from_bytes(&bytes).expect("an old checkpoint is read")
}

/// CRC-32 of every tensor.
fn checksums(checkpoint: &Checkpoint) -> BTreeMap<String, String> {
    let checksum = |bytes| format!("{:08x}", crc32fast::hash(bytes));
    checkpoint.tensors.iter().map(|(name, tensor)| (name.to_owned(), checksum(tensor.bytes()))).collect()
}

fn advance(session: &mut Session, units: u64) {
    for _ in 0..units {
        session.advance_unit();
    }
}

fn fused() -> bool {
    !["portable", "simd128"].contains(&learnery_kernels::isa::name())
}

#[test]
fn old_checkpoints_continue_to_the_same_bits() {
    for run in runs() {
        let entry = learnery_labs::find(&run.lab).expect("it is in the list");
        let mut session = Session::resume(*entry, &checkpoint(&run)).expect("an old checkpoint is resumed");
        advance(&mut session, run.more);
        let after = session.save();
        assert_eq!(after.header.units, run.units + run.more, "{}", run.name);
        if fused() {
            assert_eq!(checksums(&after), run.after, "{}", run.name);
        }
    }
}

#[test]
fn old_settings_give_the_same_run_from_the_start() {
    for run in runs() {
        let entry = learnery_labs::find(&run.lab).expect("it is in the list");
        let mut session = Session::start(*entry, &run.settings, run.seed).expect("old settings are read");
        advance(&mut session, run.units);
        if fused() {
            assert_eq!(checksums(&session.save()), checksums(&checkpoint(&run)), "{}", run.name);
        }
    }
}
