//! `learnery train control --world FILE`: worlds that are written as a text.

use crate::common::{Sandbox, json_lines};

/// Settings with which a unit (training iteration) takes milliseconds.
const SMALL: &str =
    "--set worlds=8 --set horizon=8 --set epochs=1 --set minibatches=2 --set hidden=8 --set eval_episodes=4";

const TARGET: &str = "world \"Target\"\nparam pull = 0.1 from 0 to 1\nstate x = uniform(-1, 1)\nstate y = 0\n\
                      action right from -1 to 1\naction up from -1 to 1\n\
                      x' = (1 - pull) * x + 0.1 * right\ny' = (1 - pull) * y + 0.1 * up\n\
                      reward -abs(x') - abs(y')\nlimit 20 steps\nsolved at -3\n";

fn sandbox_with_world() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("target.world", TARGET);
    sandbox
}

/// The fingerprint of the last line of a run.
fn fingerprint(out: &str) -> String {
    let line = json_lines(out).pop().expect("a line");
    line["fingerprint"].as_str().unwrap_or_else(|| panic!("{line}")).to_owned()
}

#[test]
fn world_is_trained_continued_evaluated_and_repeated() {
    let sandbox = sandbox_with_world();
    let train = |args: &str| {
        sandbox.succeed(&format!("train control --world target.world {SMALL} --json {args}")).out
    };
    let whole = train("--units 4 --seed 3 --out whole");
    let start = &json_lines(&whole)[0];
    assert_eq!((&start["config"]["world"], &start["goal"]["target"]), (&"own".into(), &(-3.0).into()));
    // The checkpoint contains the text.
    train("--units 2 --seed 3 --out half");
    let resumed = sandbox.succeed("train --resume half --units 2 --json").out;
    assert_eq!(fingerprint(&resumed), fingerprint(&whole));
    let report = sandbox.succeed("eval half").out;
    assert!(report.contains("mean return"), "{report}");
    sandbox.succeed("export half --out alone.safetensors");
    sandbox.succeed("eval alone.safetensors");
    // So does the recipe.
    sandbox.succeed("export whole --format recipe --out again.json");
    let repeated = sandbox.succeed("train --recipe again.json --json --out again").out;
    assert_eq!(fingerprint(&repeated), fingerprint(&whole));
    // Other rules in a run that goes on, and the settings of another preset.
    sandbox.write("gentle.world", TARGET.replace("-abs(x')", "-x'^2"));
    sandbox.succeed("train --resume half --world gentle.world --units 1");
    let start = &json_lines(&train("--preset fast --units 1 --out fast"))[0];
    assert_eq!((&start["config"]["world"], &start["config"]["epochs"]), (&"own".into(), &1.into()));
    assert_eq!(start["config"]["learning_rate"], 0.003);
}

/// Parameters that are not the usual ones are a part of the run, as sliders of the page make them.
#[test]
fn parameters_of_a_world_are_set_and_kept() {
    let sandbox = sandbox_with_world();
    let train = |args: &str| {
        let command = format!("train control --world target.world {SMALL} --units 2 --json {args}");
        fingerprint(&sandbox.succeed(&command).out)
    };
    let usual = train("--out usual");
    let changed = train("--param pull=0.5 --out changed");
    assert_ne!(changed, usual);
    sandbox.succeed("export changed --format recipe --out again.json");
    assert!(String::from_utf8(sandbox.read("again.json")).is_ok_and(|text| text.contains("\"pull\": 0.5")));
    let repeated = sandbox.succeed("train --recipe again.json --json --out again").out;
    assert_eq!(fingerprint(&repeated), changed);
    sandbox.succeed(&format!(
        "fleet sweep control --local --world target.world --param pull=0.5 {SMALL} --seeds 0 --units 2 --out s"
    ));
    assert!(
        sandbox.read("s/all/seed-0/last.safetensors") == sandbox.read("changed/last.safetensors"),
        "a sweep learns the world with these parameters"
    );
    for (args, sentence) in [
        ("--world target.world --param push=1", "the world has no parameter `push`; it has pull"),
        ("--world target.world --param pull=2", "the parameter `pull` is 2; expected 0 to 1"),
        ("--world target.world --param pull=NaN", "the parameter `pull` is NaN; expected 0 to 1"),
        ("--world target.world --param pull", "--param pull: expected a name and a number"),
        ("--world target.world --param pull=1 --param pull=0", "--param: `pull` is given twice"),
        ("--param pull=1", "--world"),
    ] {
        let refused = sandbox.rejected(&format!("train control {args}"), 2);
        assert!(refused.contains(sentence), "{args}: {refused}");
    }
}

/// Every run of a sweep learns the world, with the bytes of the run alone, and its recipe has the text.
#[test]
fn sweep_learns_a_world_and_goes_on_with_the_same_one_only() {
    let sandbox = sandbox_with_world();
    let sweep = |args: &str| format!("fleet sweep control --local {SMALL} --seeds 0,3 --units 3 {args}");
    let read = |run: &str| sandbox.read(&format!("{run}/last.safetensors"));
    sandbox.succeed(&sweep("--world target.world --out s"));
    sandbox.succeed(&format!("train control --world target.world {SMALL} --units 3 --seed 3 --out alone"));
    assert!(read("s/all/seed-3") == read("alone"));
    sandbox.succeed("export s/all/seed-3 --format recipe --out again.json");
    sandbox.succeed("train --recipe again.json --out again");
    assert!(read("again") == read("alone"));
    // It can be continued, and takes no other world, and none.
    sandbox.succeed(&sweep("--world target.world --units 4 --out s").replace("--units 3", ""));
    sandbox.write("gentle.world", TARGET.replace("-abs(x')", "-x'^2"));
    let before = read("s/all/seed-0");
    for other in ["--world gentle.world", "--preset own"] {
        let refused = sandbox.run(&sweep(&format!("{other} --out s")));
        let sentence = "the folder holds a run with another world or other data; choose another --out";
        assert_eq!(refused.code, Some(1), "{other}: {}", refused.err);
        assert!(refused.err.contains(sentence), "{other}: {}", refused.err);
    }
    assert!(read("s/all/seed-0") == before);
}

#[test]
fn bad_worlds_are_refused_in_one_sentence() {
    let sandbox = sandbox_with_world();
    sandbox.write("typo.world", TARGET.replace("0.1 * up", "0.1 * upp"));
    sandbox.write("latin.world", [b'#', 0xe9, b'\n']);
    sandbox.write("endless.world", TARGET.replace("solved at -3\n", ""));
    sandbox.write("other.world", TARGET.replace("action up from -1 to 1\n", "let up = 0\n"));
    sandbox.write("wrong.world", TARGET.to_owned() + &"fail when z\n".repeat(50));
    sandbox.succeed(&format!("train control --world target.world {SMALL} --units 1 --out a"));
    for (args, code, sentence) in [
        ("train control --world wrong.world", 1, "; there are more than 39 more errors"),
        (
            "train control --world typo.world",
            1,
            "typo.world: line 8, column 29: there is nothing called `upp`",
        ),
        ("train control --world latin.world", 1, "latin.world: a world is a text, and this is not UTF-8"),
        (
            "train control --world missing.world",
            1,
            "missing.world cannot be read: there is no such file or folder",
        ),
        ("train control --world target.world --set world=cartpole", 2, "to learn a world of your own"),
        (
            "fleet sweep cube --world target.world",
            2,
            "the lab `cube` has no worlds; --world is for `control`",
        ),
        (
            "fleet sweep control --world typo.world --units 1",
            1,
            "typo.world: line 8, column 29: there is nothing called `upp`",
        ),
        ("train cube --world target.world", 2, "the lab `cube` has no worlds; --world is for `control`"),
        (
            "train control --world endless.world --until-goal --units 2",
            2,
            "--until-goal: the lab `control` has no goal with these settings; the text of a world sets one with \
             `solved at`",
        ),
        (
            "train --resume a --world endless.world --until-goal",
            2,
            "--until-goal: the lab `control` has no goal with these settings",
        ),
        (
            "train --resume a --world other.world",
            2,
            "this run cannot go on in the new world: the agent has other actions",
        ),
    ] {
        let refused = sandbox.rejected(args, code);
        assert!(refused.contains(sentence), "{args}: {refused}");
    }
    let checked = sandbox.run("world check wrong.world");
    assert_eq!(checked.code, Some(1));
    assert!(checked.err.contains("warning: there are more mistakes, one of them here"), "{}", checked.err);
    assert!(
        checked.err.ends_with("error: wrong.world is no world: more than 40 errors\n"),
        "{}",
        checked.err
    );
}

/// Told once, after the first unit that shows it.
#[test]
fn faults_in_training_are_told() {
    let sandbox = sandbox_with_world();
    sandbox.write("trap.world", TARGET.replace("reward -abs(x')", "reward 1 / (x - x) - abs(x')"));
    let err = sandbox.succeed(&format!("train control --world trap.world {SMALL} --units 3")).err;
    let told: Vec<&str> = err.lines().filter(|line| line.contains("a fault of the rules")).collect();
    let [line] = told[..] else { panic!("{err}") };
    assert!(
        line.starts_with("After iteration 1: ") && line.ends_with("line 9: a division by zero."),
        "{line}"
    );
}
