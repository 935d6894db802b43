//! Checkpoints of earlier versions continue to the same bits.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;
use serde_json::Value;

use super::advance;
use crate::{Checkpoint, Entry, Session};

/// A saved run of an earlier version, with the checksums that its continuation must have. `scripts/make_run_golden.py` writes
/// them.
#[derive(Deserialize)]
struct GoldenRun {
    name: String,
    lab: String,
    seed: u32,
    units: u64,
    settings: Value,
    /// The number of units by which the saved run is continued.
    more: u64,
    /// CRC-32 of every tensor of the continued run, by the tensor's name.
    after: BTreeMap<String, String>,
}

/// Checkpoints of earlier versions continue to the same bits, and settings of earlier versions start the same runs. `folder`
/// contains one saved run per lab and learner.
///
/// The recorded checksums are those of instruction sets with a fused multiply-add (AVX-512, AVX2, NEON), which rounds once
/// instead of twice. If `fused` is false, the runs are continued, but their bits are not compared.
pub fn golden_runs_give_the_same_bits(entry: Entry, folder: &Path, fused: bool) {
    let list = std::fs::read(folder.join("runs.json")).expect("the list of golden runs");
    let runs: Vec<GoldenRun> = serde_json::from_slice(&list).expect("a list of runs");
    let runs: Vec<GoldenRun> = runs.into_iter().filter(|run| run.lab == entry.about.id).collect();
    assert!(!runs.is_empty(), "{} has no golden run", entry.about.id);
    for run in runs {
        let bytes = std::fs::read(folder.join(format!("{}.safetensors", run.name))).expect("a golden run");
        let golden = Checkpoint::from_bytes(&bytes).expect("an old checkpoint is read");

        let mut fresh = Session::start(entry, &run.settings, run.seed).expect("old settings are read");
        advance(&mut fresh, run.units);
        let mut continued = Session::resume(entry, &golden).expect("an old checkpoint is resumed");
        advance(&mut continued, run.more);
        let after = continued.save();
        assert_eq!(after.header.units, run.units + run.more, "{}", run.name);
        if fused {
            assert_eq!(checksums(&fresh.save()), checksums(&golden), "{} from the start", run.name);
            assert_eq!(checksums(&after), run.after, "{} continued", run.name);
        }
    }
}

/// CRC-32 of every tensor, by the tensor's name.
fn checksums(checkpoint: &Checkpoint) -> BTreeMap<String, String> {
    let checksum = |bytes| format!("{:08x}", crc32fast::hash(bytes));
    checkpoint.tensors.iter().map(|(name, tensor)| (name.to_owned(), checksum(tensor.bytes()))).collect()
}
