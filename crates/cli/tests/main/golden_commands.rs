//! Commands of earlier versions still start the same runs. `tests/golden/runs` contains a command and its
//! checkpoint for each lab and learner.

use std::path::PathBuf;

use crate::common::Sandbox;
use learnery_lab::Checkpoint;
use serde_json::Value;

#[test]
fn commands_of_earlier_versions_start_the_same_runs() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden/runs");
    let runs: Vec<Value> =
        serde_json::from_slice(&std::fs::read(folder.join("runs.json")).unwrap()).expect("a list of runs");
    let sandbox = Sandbox::new();
    for run in runs {
        let text = |key: &str| run[key].as_str().expect("a text").to_owned();
        let name = text("name");
        sandbox.succeed(&format!("{} --out {name}", text("command")));
        let read = |bytes: &[u8]| Checkpoint::from_bytes(bytes).expect("a checkpoint").header;
        let made = read(&sandbox.read(&format!("{name}/last.safetensors")));
        let golden = read(&std::fs::read(folder.join(format!("{name}.safetensors"))).unwrap());
        assert_eq!((made.units, made.seed, made.work), (golden.units, golden.seed, golden.work), "{name}");
        for (key, value) in &golden.config {
            assert_eq!(made.config.get(key), Some(value), "{name}: {key}");
        }
    }
}
