//! `learnery export --format onnx|safetensors|c`: networks for other programs. What they compute is tested
//! where they are made, in `crates/labs/tests/main/graphs.rs`, and in `python/tests/test_onnx.py`.

use std::path::Path;

use crate::common::{Sandbox, contents};

/// The names of the files of a folder in the sandbox.
fn names(sandbox: &Sandbox, folder: &str) -> Vec<String> {
    let name = |(path, _): (std::path::PathBuf, Vec<u8>)| {
        path.file_name().unwrap_or_default().to_string_lossy().into_owned()
    };
    contents(&sandbox.path(folder)).into_iter().map(name).collect()
}

/// A golden run or a shipped model.
fn repository(path: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path).display().to_string()
}

#[test]
fn networks_are_written_in_every_format() {
    let sandbox = Sandbox::new();
    sandbox.train_small("--units 2 --seed 4 --out a");
    // The default is a folder beside the run.
    let message = sandbox.succeed("export a --format onnx").out;
    assert!(message.starts_with("actor.onnx and critic.onnx are in ") && message.ends_with("a-onnx\n"));
    assert_eq!(names(&sandbox, "a-onnx"), ["actor.onnx", "critic.onnx"]);

    sandbox.succeed("export a --format safetensors --out card");
    assert_eq!(names(&sandbox, "card"), ["README.md", "model.safetensors"]);
    let card = String::from_utf8(sandbox.read("card/README.md")).unwrap();
    for expected in [
        "| seed | 4 |",
        "The run trained for 2 iterations (128 world steps).",
        "learnery train control --seed 4 --units 2 --set worlds=8 --set horizon=8",
        "| `worlds` | 8 |",
        "| `network/actor/0/weight` | F32 | [4, 64] |",
        "exported by | Learnery ",
    ] {
        assert!(card.contains(expected), "{expected}: {card}");
    }
    sandbox.succeed("export a --out network.safetensors");
    assert_eq!(sandbox.read("card/model.safetensors"), sandbox.read("network.safetensors"));
    // A network alone has no figures.
    sandbox.succeed("export network.safetensors --format safetensors");
    let card = String::from_utf8(sandbox.read("network-safetensors/README.md")).unwrap();
    assert!(card.contains("without the figures of their run"), "{card}");

    let header = sandbox.succeed("export a --format c").out;
    assert!(
        header.contains("static inline void control_actor(const float observations[4], float logits[2])")
    );
    sandbox.succeed("export a --format c --out cart-pole.h");
    let header = String::from_utf8(sandbox.read("cart-pole.h")).unwrap();
    assert!(header.contains("#ifndef CART_POLE_H") && header.contains("cart_pole_critic("), "{header}");
}

#[test]
fn changes_during_a_run_are_on_its_card() {
    let sandbox = Sandbox::new();
    let model = repository("models/backgammon.safetensors");
    sandbox.succeed(&format!("export {model} --format safetensors --out card"));
    let card = String::from_utf8(sandbox.read("card/README.md")).unwrap();
    assert!(card.contains("--units 3035 --set") && card.contains("--set lambda=0.4"), "{card}");
    assert!(card.contains("- After 3035 rounds: ") && card.contains("`lambda` became 0.7"), "{card}");
}
