//! Worlds of the user's own as data of a run.

use std::fs;
use std::path::Path;

use learnery_control::Control;
use learnery_lab::contract::{self, Case, run_until, run_until_solved};
use learnery_lab::{Entry, EvalRequest, Recipe, Session};
use serde_json::{Map, Value, json};

const LAB: Entry = Entry::of::<Control>();
const LABS: &[Entry] = &[LAB];

/// An example of the crate `learnery-world-rules`.
fn example(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../world-rules/examples");
    fs::read_to_string(folder.join(name).with_extension("world")).expect("an example")
}

fn command(name: &str, parameters: Value) -> Value {
    json!({ "type": "world", "name": format!("{name}.world"), "text": example(name), "parameters": parameters })
}

/// Settings of short units.
fn settings() -> Value {
    json!({
        "world": "own", "worlds": 70, "horizon": 9, "hidden": 12, "epochs": 2, "minibatches": 4, "eval_episodes": 30,
        "normalise_observations": true, "eval_every": 2
    })
}

/// A run that learns this world.
fn start(name: &str, seed: u32) -> Session {
    start_with(&settings(), name, seed)
}

fn start_with(settings: &Value, name: &str, seed: u32) -> Session {
    let mut session = Session::start(LAB, settings, seed).expect("good settings");
    session.apply(command(name, json!({}))).expect("a good world");
    session
}

/// The world that a run has before it is given another one.
#[test]
fn first_world_keeps_the_contract() {
    let case = Case::new(LAB, settings(), json!({"games": 2}));
    let traced = json!({"world": "pendulum", "state": [0, 1], "actions": [0.5, -2], "steps": 197});
    contract::check(&case.with_tool("trace", traced));
}

/// Every kind of action: choices, one number, two numbers, two squashed numbers.
#[test]
fn examples_are_saved_continued_and_repeated_with_the_same_bits() {
    for (name, action_bounds) in [
        ("bird", "clipped"),
        ("swing_up", "clipped"),
        ("reacher", "clipped"),
        ("reacher", "squashed"),
        ("epidemic", "clipped"),
    ] {
        let mut settings = settings();
        settings["action_bounds"] = json!(action_bounds);
        let mut whole = start_with(&settings, name, 4);
        run_until(&mut whole, 2);
        let checkpoint = whole.save();
        let mut resumed = Session::resume(LAB, &checkpoint).expect("its own checkpoint");
        // In both runs a parameter gets its lower bound, the word number 5 (from 0) of `param NAME = VALUE
        // from LOW to HIGH`. The episodes go on.
        let text = example(name);
        let line = text.lines().find(|line| line.starts_with("param")).expect("a parameter");
        let words: Vec<&str> = line.split(' ').collect();
        let change = command(name, json!({ words[1]: words[5].parse::<f32>().expect("its lower bound") }));
        for session in [&mut whole, &mut resumed] {
            session.apply(change.clone()).expect("a good value");
            run_until(session, 5);
        }
        assert_eq!(whole.fingerprint(), resumed.fingerprint(), "{name}");
        assert_eq!(
            Session::resume(LAB, &whole.save()).expect("its own checkpoint").fingerprint(),
            whole.fingerprint()
        );
        // The text is in the recipe, and determines the fingerprint.
        let recipe = Recipe::of_checkpoint(&LAB, &whole.save(), None).expect("a recipe");
        assert_eq!(recipe.changes.iter().map(|change| change.unit).collect::<Vec<_>>(), [0, 2]);
        assert_eq!(recipe.changes[0].data.as_ref().expect("a world")["text"], text);
        let recipe = Recipe::from_json(&recipe.to_json(), LABS).expect("our own file");
        let mut repeated = recipe.start(&LAB).expect("good settings");
        for _ in 0..5 {
            recipe.apply_changes(&mut repeated).expect("good changes");
            repeated.advance_unit();
        }
        assert_eq!(repeated.fingerprint(), whole.fingerprint(), "{name}");
        // A network alone knows its world.
        let request =
            EvalRequest { options: Map::from_iter([("games".into(), json!(3))]), ..Default::default() };
        LAB.evaluate(&whole.save().network_only(), &request).expect("it can be evaluated");
    }
}

/// A new reward, or another state: the network goes on, and so do the bits after a save.
#[test]
fn text_changes_during_a_run() {
    let mut session = start("swing_up", 1);
    run_until(&mut session, 2);
    let text = example("swing_up");
    let reward = text.lines().find(|line| line.starts_with("reward")).expect("a reward");
    let changed = text.replace(reward, "reward 1").replacen("param", "state extra = 3\nparam", 1);
    session.apply(json!({"type": "world", "name": "changed", "text": changed})).expect("the same actions");
    let mut resumed = Session::resume(LAB, &session.save()).expect("its own checkpoint");
    for session in [&mut session, &mut resumed] {
        run_until(session, 4);
    }
    assert_eq!(session.fingerprint(), resumed.fingerprint());
    let error = session.apply(command("bird", json!({}))).expect_err("other actions").to_string();
    assert!(error.contains("start a new run"), "{error}");
}

#[test]
fn what_is_no_world_is_refused_in_one_sentence() {
    let mut session = Session::start(LAB, &settings(), 0).expect("good settings");
    let before = session.fingerprint();
    for (change, expected) in [
        (json!({"type": "world", "name": "w", "text": "world"}), "line 1, column"),
        (json!({"type": "world", "name": "w"}), "missing field `text`"),
        (command("bird", json!({"gravity": 1e9})), "expected"),
        (json!({"type": "act", "numbers": [1, 2, 3]}), "an action of this world has 1"),
        (json!({"type": "map", "x": 0, "y": 99}), "the agent sees"),
        (json!({"type": "push", "strength": 1}), "cannot be pushed"),
    ] {
        let sentence = session.apply(change).expect_err("it is refused").to_string();
        assert!(sentence.contains(expected) && !sentence.contains('\n'), "{sentence}");
    }
    assert_eq!(session.fingerprint(), before);
    let mut cartpole = Session::start(LAB, &json!({}), 0).expect("good settings");
    let sentence = cartpole.apply(command("bird", json!({}))).expect_err("another world").to_string();
    assert!(sentence.contains("learns CartPole-v1") && sentence.contains("preset `own`"), "{sentence}");
    assert!(cartpole.apply(json!({"type": "release"})).is_err());
}

/// The user's actions and what is drawn change no bit of the training.
#[test]
fn stage_is_played_and_drawn() {
    let view = |session: &Session| serde_json::to_value(session.view()).expect("plain data");
    let mut session = start("bird", 2);
    run_until(&mut session, 1);
    let before = session.fingerprint();
    session.apply(json!({"type": "act", "numbers": [0]})).expect("a choice");
    session.apply(json!({"type": "map", "x": 1, "y": 0})).expect("two observations");
    session.animate(0.2);
    let own = view(&session)["own"].clone();
    assert!(own["isPlayed"] == true && own["title"] == "Bird", "{}", own["title"]);
    assert!(own["shapes"].as_array().is_some_and(|bytes| bytes.len() > 100));
    assert_eq!(own["actions"][0]["choices"], json!(["glide", "flap"]));
    session.apply(json!({"type": "release"})).expect("the agent acts");
    let value = |session: &Session| view(session)["stage"]["value"].clone();
    let before_reset = value(&session);
    session.apply(json!({"type": "resetStage"})).expect("it begins anew");
    assert_ne!(value(&session), before_reset, "it is the value of the new state");
    session.animate(20.0);
    assert_eq!(view(&session)["own"]["isPlayed"], false);
    assert_eq!(session.fingerprint(), before);
    assert_eq!(session.goal().map(|goal| goal.target), Some(60.0));
}

/// Rewards are normalised before they are learned from, so both runs have the same networks. Each shows what
/// its own text pays.
#[test]
fn values_have_the_unit_of_the_rewards() {
    let values = |reward: f64| {
        let text = format!(
            "world \"Walk\"\nstate x = 0\naction go: left, right\nx' = x + go - 0.5\nreward {reward} * x'\n\
             limit 20 steps\nobserve x, 0.5 * x as half\n"
        );
        let mut session = Session::start(LAB, &settings(), 3).expect("good settings");
        session.apply(json!({"type": "world", "name": "walk", "text": text})).expect("a good world");
        run_until(&mut session, 3);
        session.animate(0.5);
        let view = serde_json::to_value(session.view()).expect("plain data");
        let numbers = |bytes: &Value| -> Vec<f64> {
            let bytes: Vec<u8> = serde_json::from_value(bytes.clone()).expect("bytes of floats");
            bytes.as_chunks().0.iter().map(|four| f64::from(f32::from_le_bytes(*four))).collect()
        };
        let mut values = numbers(&view["valueMap"]["values"]);
        values.push(view["stage"]["value"].as_f64().expect("a number"));
        values
    };
    let (small, large) = (values(1.0), values(64.0));
    assert!(small.iter().any(|value| value.abs() > 0.01), "the critic has learned something");
    for (small, large) in small.iter().zip(&large) {
        assert!((large - 64.0 * small).abs() < 0.02 * large.abs().max(1.0), "{large} and {small}");
    }
}

/// Three steps to the right lead to a division by zero in line 5. Where the action is ignored, every episode
/// ends there, in its fourth step.
#[test]
fn faults_in_training_are_counted_and_change_no_bit() {
    let text = |rule: &str| {
        format!(
            "world \"Trap\"\nstate x = 0\naction go: left, right\nx' = {rule}\nreward 1 / (3 - x)\nlimit 50 steps\n"
        )
    };
    let world = |rule: &str| json!({"type": "world", "name": "trap", "text": text(rule)});
    let mut session = Session::start(LAB, &settings(), 3).expect("good settings");
    session.apply(world("x + 1")).expect("a good world");
    assert_eq!(session.remark(), None);
    run_until(&mut session, 1);
    // Each of 70 worlds takes nine steps, and an episode has four, so two end in each world.
    let all = "140 of the 140 episodes that ended in the last iteration failed by a fault of the rules; \
               one of them in line 5: a division by zero";
    assert_eq!(session.remark().as_deref(), Some(all));
    let view = serde_json::to_value(session.view()).expect("plain data");
    assert_eq!(view["own"]["trainingFault"], all);
    // The sentence is not saved, so a run that is continued has the same bits, and has a sentence again after
    // the next unit.
    let mut resumed = Session::resume(LAB, &session.save()).expect("its own checkpoint");
    assert_eq!((resumed.remark(), resumed.fingerprint()), (None, session.fingerprint()));
    for session in [&mut session, &mut resumed] {
        session.apply(world("x + 0.5 * go")).expect("the same actions");
        assert_eq!(session.remark(), None, "the new rules have not shown anything");
        run_until(session, 4);
    }
    let some = session.remark().expect("a few worlds get there");
    let count: u64 = some.split(' ').next().and_then(|n| n.parse().ok()).expect("a number");
    assert!(count > 0 && count < 140 && some.contains("line 5: a division by zero"), "{some}");
    assert_eq!((resumed.remark(), resumed.fingerprint()), (Some(some), session.fingerprint()));
    let mut healthy = start("bird", 2);
    run_until(&mut healthy, 1);
    assert_eq!(healthy.remark(), None);
}

/// The preset reaches the goal of a text with one seed.
fn assert_learned(name: &str, max_units: u64) {
    let preset = LAB.preset("own").expect("the preset exists");
    let mut session = Session::start(LAB, &preset, 100).expect("presets are valid");
    session.apply(command(name, json!({}))).expect("a good world");
    run_until_solved(&mut session, max_units);
}

#[test]
fn lander_is_learned() {
    assert_learned("lander", 100);
}

#[test]
fn swing_up_is_learned() {
    assert_learned("swing_up", 300);
}
