//! Worlds of the user's own on the GPU, beside the same runs on the CPU.

use std::cell::Cell;

use std::fs;
use std::path::Path;

use learnery_gpu::testing::{device, modest_device};
use learnery_gpu::{Gpu, Precision};
use learnery_lab::contract::{self, Case, check_metric, check_refusal, metric_history, run_until};
use learnery_lab::{Checkpoint, Session};
use serde_json::{Value, json};

use super::LAB;

// The worlds' second lines say what each is about.
const THREE_NUMBERS: &str = include_str!("worlds/three_numbers.world");
const FAULTS: &str = include_str!("worlds/faults.world");
const HOSTILE: &str = include_str!("worlds/hostile.world");

fn example(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../world-rules/examples");
    fs::read_to_string(folder.join(name).with_extension("world")).expect("an example")
}

fn world(text: &str, parameters: &Value) -> Value {
    json!({ "type": "world", "name": "test.world", "text": text, "parameters": parameters })
}

/// Sizes that are no multiples of the kernels' tiles. With one minibatch, the order of the samples hardly
/// matters.
fn settings() -> Value {
    json!({
        "world": "own", "worlds": 37, "horizon": 33, "hidden": 20, "epochs": 2, "minibatches": 1,
        "normalise_observations": true, "entropy_weight": 0.01, "eval_every": 2, "eval_episodes": 5
    })
}

/// A run that trains on the world of this text.
fn start(gpu: Option<&Gpu>, settings: &Value, text: &str) -> Session {
    let mut session = Session::start(LAB, settings, 3).expect("the settings are valid");
    session.apply(world(text, &json!({}))).expect("a good world");
    if let Some(gpu) = gpu {
        session.use_gpu(gpu, Precision::F32).expect("the device can be used");
    }
    session
}

fn resume(gpu: &Gpu, checkpoint: &Checkpoint) -> Session {
    let mut session = Session::resume(LAB, checkpoint).expect("our own checkpoint");
    session.use_gpu(gpu, Precision::F32).expect("the device can be used");
    session
}

/// The rules of a world become a part of kernels, which must fit into the limits of phones and older cards too.
#[test]
fn own_world_trains_on_a_modest_gpu() {
    let Some(gpu) = modest_device() else { return };
    for (text, has_faults) in [(THREE_NUMBERS, false), (FAULTS, true)] {
        let mut session = start(Some(&gpu), &settings(), text);
        run_until(&mut session, 2);
        let returns = metric_history(&session, "examReturn");
        assert!(returns.last().is_some_and(|found| found.is_finite()), "no evaluation: {returns:?}");
        assert_eq!(session.remark().is_some(), has_faults, "{:?}", session.remark());
    }
}

/// A run in a text whose rule for x is `rule`; at x = 3, line 8 divides by zero. 70 worlds take nine steps in a
/// unit. Learning changes nothing.
fn start_trap(gpu: Option<&Gpu>, action_bounds: &str, [beginning, rule]: [&str; 2]) -> Session {
    let text = format!(
        "world \"Trap\"\nstate x = {beginning}\nstate v = [1, 2, 3]\naction push from -2 to 2\n\
         action lift from 0 to 1\nx' = {rule}\nv' = 0.9 * v\nreward 1 / (3 - x)\nlimit 50 steps\nobserve x\n"
    );
    let mut settings = settings();
    (settings["worlds"], settings["horizon"], settings["eval_every"]) = (json!(70), json!(9), json!(0));
    (settings["learning_rate"], settings["action_bounds"]) = (json!(0.0), json!(action_bounds));
    start(gpu, &settings, &text)
}

/// After each unit a run on the device says the same sentence about faults as one on the CPU: how many episodes
/// they ended, and the line of the first one.
#[test]
fn faults_on_the_device_are_counted_and_the_cpu_names_the_line() {
    let Some(gpu) = device() else { return };
    let all = |episodes: u32, fault: &str| {
        format!(
            "{episodes} of the {episodes} episodes that ended in the last iteration failed by a fault of the \
             rules; one of them in {fault}"
        )
    };
    for (rules, first) in [
        // Each episode ends in its fourth step, so two end in the first nine steps of each world.
        (["0", "x + 1"], Some(all(140, "line 8: a division by zero"))),
        // Each episode begins with a fault, so each step ends one.
        (["sqrt(-1)", "x + 1"], Some(all(630, "line 2: the square root of a negative number"))),
        // Both numbers of the action decide, so the CPU needs those of the device to find a line.
        (["0", "if push > 0.9 and lift > 0.6 then sqrt(-push - lift) else x + 0.5"], None),
        // The whole state decides.
        (["uniform(0, 0.4)", "if x * v[0] > 0.7 then ln(v[2] - 2.5 * v[1]) else x + 0.2"], None),
        // Random numbers of the step decide.
        (["0", "if chance(0.1) then sqrt(x - 9) else x + 0.5"], None),
    ] {
        for action_bounds in ["clipped", "squashed"] {
            let [mut found, mut expected] =
                [Some(gpu), None].map(|gpu| start_trap(gpu, action_bounds, rules));
            assert_eq!(found.remark(), None);
            for unit in 1..=3 {
                run_until(&mut found, unit);
                run_until(&mut expected, unit);
                let sentence = found.remark().expect("every unit has faults");
                assert_eq!(Some(&sentence), expected.remark().as_ref(), "{rules:?}, unit {unit}");
                assert!(sentence.contains(" in line "), "{rules:?}: {sentence}");
                assert!(unit > 1 || first.as_ref().is_none_or(|first| *first == sentence), "{sentence}");
            }
            let view = serde_json::to_value(found.view()).expect("plain data");
            assert_eq!(view["own"]["trainingFault"].as_str(), found.remark().as_deref());
        }
    }
}

/// The sentence ends with the faults: at once with other rules, and by the next unit without any.
#[test]
fn faults_on_the_device_are_over_when_the_rules_are_mended() {
    let Some(gpu) = device() else { return };
    let mut session = start_trap(Some(gpu), "clipped", ["0", "x + 1"]);
    run_until(&mut session, 1);
    assert!(session.remark().is_some());
    let text = "world \"Mended\"\nstate x = 0\naction push from -2 to 2\naction lift from 0 to 1\n\
                x' = x + 0.1\nreward 1\nlimit 5 steps\n";
    session.apply(world(text, &json!({}))).expect("the same actions");
    assert_eq!(session.remark(), None, "the new rules have not shown anything");
    run_until(&mut session, 2);
    assert_eq!(session.remark(), None);
}

/// What the CPU does not repeat, because it rounds in another way, is counted and has no line. Here that is an
/// episode that the device takes as one that began with a fault.
#[test]
fn faults_that_the_cpu_does_not_find_are_counted_without_a_line() {
    let Some(gpu) = device() else { return };
    let mut healthy = start_trap(None, "clipped", ["0", "x + 0.1"]);
    run_until(&mut healthy, 1);
    let mut checkpoint = healthy.save();
    // No number stands for such an episode, see `OwnWorlds`.
    let name = "worlds/states";
    let mut states: Vec<f32> = checkpoint.tensors.get(name, &[70, 4]).expect("the states");
    let mut steps: Vec<u32> = checkpoint.tensors.get("worlds/steps", &[70]).expect("the steps");
    states[4 * 41..][..4].fill(f32::NAN);
    steps[41] = 0;
    checkpoint.tensors.insert(name, &[70, 4], &states);
    checkpoint.tensors.insert("worlds/steps", &[70], &steps);
    let mut session = resume(gpu, &checkpoint);
    let mut on_cpu = Session::resume(LAB, &checkpoint).expect("a world may fail in its first step");
    assert_eq!(session.remark(), None);
    run_until(&mut session, 2);
    run_until(&mut on_cpu, 2);
    let sentence = "1 of the 1 episodes that ended in the last iteration failed by a fault of the rules; \
                    computed again on the CPU, the fault does not occur, so its line is not known";
    assert_eq!(session.remark().as_deref(), Some(sentence));
    assert_eq!(on_cpu.remark().as_deref(), Some(sentence));
    run_until(&mut session, 3);
    assert_eq!(session.remark(), None);
}

/// With every kind of action, random numbers, faults (such as a division by zero) and changed parameters:
/// units, episodes and evaluations are those of the CPU, within tolerances for rounding.
#[test]
fn units_of_own_worlds_are_those_of_the_cpu() {
    let Some(gpu) = device() else { return };
    let texts = [
        ("cartpole", "clipped", example("cartpole")),
        ("stock", "clipped", example("stock")),
        ("pendulum", "clipped", example("pendulum")),
        ("rocket", "clipped", example("rocket")),
        ("rocket", "squashed", example("rocket")),
        ("three numbers", "clipped", THREE_NUMBERS.into()),
        ("faults", "clipped", FAULTS.into()),
    ];
    let metrics =
        ["return", "explained", "entropy", "policyLoss", "valueLoss", "kl", "gradNorm", "examReturn"];
    // How often each was measured: a metric that is always NaN would agree.
    let measured = metrics.map(|_| Cell::new(0));
    for (name, action_bounds, text) in texts {
        let mut settings = settings();
        settings["action_bounds"] = json!(action_bounds);
        let [mut found, mut expected] = [Some(gpu), None].map(|gpu| start(gpu, &settings, &text));
        for session in [&mut found, &mut expected] {
            run_until(session, 2);
            if name == "three numbers" {
                session.apply(world(&text, &json!({"drift": 0.5, "reach": 3.5}))).expect("good values");
            }
            run_until(session, 3);
        }
        let label = json!([name, action_bounds]);
        assert_eq!(found.remark(), expected.remark(), "{label}");
        assert_eq!(found.remark().is_some(), name == "faults", "{label}: {:?}", found.remark());
        for metric in ["episodes", "successes"] {
            check_metric(&label, metric, [&found, &expected], |a, b| a == b || (a.is_nan() && b.is_nan()));
        }
        for (metric, count) in metrics.iter().zip(&measured) {
            // In a long episode of an evaluation rounding grows until it changes an action.
            let tolerance = if *metric == "examReturn" { 0.02 } else { 2e-3 };
            check_metric(&label, metric, [&found, &expected], |found, expected| {
                count.set(count.get() + usize::from(expected.is_finite()));
                (found.is_nan() && expected.is_nan())
                    || (found - expected).abs() <= tolerance * expected.abs().max(0.01)
            });
        }
    }
    assert!(measured.iter().all(|count| count.get() >= 3), "{metrics:?}: {measured:?}");
}

/// Saving, resuming and changing the world keep all bits, also if episodes began with a fault.
#[test]
fn own_worlds_are_saved_and_continued_with_the_same_bits() {
    let Some(gpu) = device() else { return };
    for (text, values) in [(FAULTS, json!({})), (THREE_NUMBERS, json!({"reach": 1.5}))] {
        let mut whole = start(Some(gpu), &settings(), text);
        run_until(&mut whole, 2);
        let mut resumed = resume(gpu, &whole.save());
        for session in [&mut whole, &mut resumed] {
            run_until(session, 3);
            session.apply(world(text, &values)).expect("good values");
            run_until(session, 4);
        }
        assert_eq!(whole.fingerprint(), resumed.fingerprint(), "{text}");
        assert!(whole.devices().iter().all(|device| device.device == "gpu"), "{:?}", whole.devices());
        contract::check_read_back(&mut whole);
        // The CPU continues it too.
        let mut back = Session::resume(LAB, &whole.save()).expect("our own checkpoint");
        run_until(&mut back, 5);
    }
}

/// The contract: any slicing, saved and resumed runs, changes of live settings, recipes.
#[test]
fn own_worlds_on_the_device_keep_the_contract() {
    let Some(gpu) = device() else { return };
    let settings = json!({
        "world": "own", "worlds": 33, "horizon": 5, "hidden": 12, "epochs": 2, "minibatches": 3,
        "normalise_observations": true, "anneal": 4, "target_kl": 0.02, "eval_every": 0, "eval_episodes": 4
    });
    contract::check_on_device(&Case::new(LAB, settings, json!({"games": 2})).on_gpu(gpu));
}

/// Infinite numbers and NaN end episodes and nothing else: the run goes on, and can be saved.
#[test]
fn hostile_world_is_run_on_the_device() {
    let Some(gpu) = device() else { return };
    let mut settings = settings();
    settings["eval_every"] = json!(0);
    let mut session = start(Some(gpu), &settings, HOSTILE);
    run_until(&mut session, 3);
    assert!(metric_history(&session, "episodes").iter().all(|episodes| *episodes > 0.0));
    assert_eq!(session.failure(), None);
    let checkpoint = session.save();
    let mut resumed = resume(gpu, &checkpoint);
    for session in [&mut session, &mut resumed] {
        run_until(session, 4);
    }
    assert_eq!(session.fingerprint(), resumed.fingerprint());
}

#[test]
fn own_worlds_that_the_device_cannot_compute_are_refused_with_the_reason() {
    let Some(gpu) = device() else { return };
    let text = example("cartpole").replace("limit 500 steps", "limit 500000 steps");
    let mut session = start(None, &settings(), &text);
    check_refusal(gpu, &mut session, Precision::F32, "episodes of 500000 steps");
    run_until(&mut session, 1);
    // A run on the device keeps its world if another one is refused.
    let mut session = start(Some(gpu), &settings(), &example("cartpole"));
    for units in [1, 2] {
        let error = session.apply(world(&text, &json!({}))).expect_err("it is refused").to_string();
        assert!(error.contains("episodes of 500000 steps"), "{error}");
        run_until(&mut session, units);
    }
    assert!(!session.save().header.changes.iter().any(|change| change.unit > 0));
}
