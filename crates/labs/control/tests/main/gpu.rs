//! The control lab on the GPU, beside the same runs on the CPU. Without an adapter the tests are skipped,
//! with a visible line, except where the environment variable `CI` is set.
#![allow(clippy::print_stdout)] // One says how long it learned.

mod kernels;

use learnery_control::Control;
use learnery_gpu::Precision;
use learnery_gpu::testing::device;
use learnery_lab::contract::{self, Case, metric_history, run_until, start_on};
use learnery_lab::{Budget, Entry, Session, Status};
use serde_json::{Value, json};

const LAB: Entry = Entry::of::<Control>();

/// Every world, with sizes that fill no tile and no minibatch, and with the optional techniques in one.
fn cases() -> [Value; 4] {
    [
        json!({
            "worlds": 37, "horizon": 33, "hidden": 20, "epochs": 2, "minibatches": 4, "anneal": 5, "eval_every": 2,
            "eval_episodes": 4
        }),
        json!({
            "world": "mountaincar", "worlds": 40, "horizon": 110, "hidden": 12, "epochs": 2, "minibatches": 3,
            "normalise_observations": true, "shaping": 5.0, "target_kl": 0.001, "eval_every": 3, "eval_episodes": 4
        }),
        json!({
            "world": "pendulum", "worlds": 33, "horizon": 70, "hidden": 24, "epochs": 2, "minibatches": 2,
            "reward_scale": 0.1, "initial_spread": 0.7, "value_clip": 0.2, "normalise_observations": true,
            "eval_every": 3, "eval_episodes": 4
        }),
        json!({
            "world": "acrobot", "worlds": 35, "horizon": 40, "hidden": 20, "epochs": 2, "minibatches": 2,
            "entropy_weight": 0.01, "eval_every": 0, "eval_episodes": 4
        }),
    ]
}

/// With one minibatch the order of the samples hardly matters, so the first units are those of the CPU.
#[test]
fn units_are_those_of_the_cpu() {
    let Some(gpu) = device() else { return };
    for mut settings in cases() {
        settings["minibatches"] = json!(1);
        settings["target_kl"] = json!(0.0);
        let [mut on_processor, mut on_device] =
            [start_on(None, LAB, &settings), start_on(Some(gpu), LAB, &settings)];
        run_until(&mut on_processor, 5);
        run_until(&mut on_device, 5);
        assert_eq!(
            metric_history(&on_processor, "episodes"),
            metric_history(&on_device, "episodes"),
            "{settings}"
        );
        for name in
            ["return", "explained", "entropy", "policyLoss", "valueLoss", "kl", "gradNorm", "examReturn"]
        {
            let both = metric_history(&on_processor, name).into_iter().zip(metric_history(&on_device, name));
            for (unit, (a, b)) in both.enumerate() {
                assert!(
                    (a.is_nan() && b.is_nan()) || (a - b).abs() <= 2e-3 * a.abs().max(0.01),
                    "{settings}: {name} of unit {unit} is {b}, not {a}"
                );
            }
        }
        assert_eq!(on_processor.work(), on_device.work());
    }
}

/// The part of the contract that a device can change. The runs are tiny, because a software adapter computes
/// a hundred of them.
#[test]
fn runs_on_the_device_keep_the_contract() {
    let Some(gpu) = device() else { return };
    let settings = json!({
        "world": "pendulum", "worlds": 33, "horizon": 5, "hidden": 12, "epochs": 2, "minibatches": 3,
        "normalise_observations": true, "reward_scale": 0.1, "anneal": 4, "target_kl": 0.02, "eval_episodes": 4
    });
    contract::check_on_device(&Case::new(LAB, settings, json!({"games": 2})).on_gpu(gpu));
}

#[test]
fn saves_change_no_bit_in_any_world() {
    let Some(gpu) = device() else { return };
    for settings in cases() {
        let mut whole = start_on(Some(gpu), LAB, &settings);
        run_until(&mut whole, 4);
        let expected = whole.fingerprint();
        let mut saved = start_on(Some(gpu), LAB, &settings);
        run_until(&mut saved, 2);
        let checkpoint = saved.save();
        let mut continued = Session::resume(LAB, &checkpoint).expect("our own checkpoint");
        continued.use_gpu(gpu, Precision::F32).expect("the device can be used");
        run_until(&mut continued, 4);
        assert_eq!(continued.fingerprint(), expected, "{settings}: the continued run has other bits");
    }
}

/// The way from the CPU to the device and back: worlds, counters, optimiser and normaliser go along, so the
/// run stays that of the CPU as far as one minibatch lets it.
#[test]
fn run_goes_from_the_cpu_to_the_device_and_back() {
    let Some(gpu) = device() else { return };
    for mut settings in cases() {
        settings["minibatches"] = json!(1);
        settings["target_kl"] = json!(0.0);
        let mut session = start_on(None, LAB, &settings);
        run_until(&mut session, 2);
        session.use_gpu(gpu, Precision::F32).expect("the device can be used");
        run_until(&mut session, 4);
        let checkpoint = session.save();
        let mut back = Session::resume(LAB, &checkpoint).expect("the checkpoint is that of a run on the CPU");
        run_until(&mut back, 6);
        assert_eq!(back.units(), 6);
        let devices: Vec<(u64, &str)> =
            back.devices().iter().map(|device| (device.unit, device.device.as_str())).collect();
        assert_eq!(devices, [(0, "cpu"), (2, "gpu"), (4, "cpu")]);
        let mut whole = start_on(None, LAB, &settings);
        run_until(&mut whole, 6);
        assert_eq!(metric_history(&back, "episodes"), metric_history(&whole, "episodes"), "{settings}");
        for name in ["entropy", "valueLoss"] {
            let (a, b) = (metric_history(&back, name)[5], metric_history(&whole, name)[5]);
            assert!((a - b).abs() <= 0.01 * b.abs(), "{settings}: {name} there and back is {a}, not {b}");
        }
    }
}

/// Live settings take effect with the next unit, also those that change the plans.
#[test]
fn live_settings_change_between_units() {
    let Some(gpu) = device() else { return };
    let mut session = start_on(Some(gpu), LAB, &cases()[0]);
    run_until(&mut session, 1);
    session.configure(&json!({"minibatches": 7, "epochs": 3})).expect("live settings");
    run_until(&mut session, 3);
    assert_eq!(session.save().header.scalars["updates"], 2 * 4 + 2 * 3 * 7);
}

#[test]
fn what_the_device_cannot_compute_is_refused_with_the_reason() {
    let Some(gpu) = device() else { return };
    let settings = json!({"hidden": 256, "worlds": 4, "horizon": 4});
    let mut session = Session::start(LAB, &settings, 0).expect("the settings are valid");
    let error = session.use_gpu(gpu, Precision::F32).expect_err("the layers are too wide").to_string();
    assert!(error.contains("hidden layers of 256 neurons"), "{error}");
    // The run goes on where it was.
    assert_eq!(session.advance(&mut Budget::steps(1)).status, Status::Ready);
    assert!(session.devices().is_empty());
    let mut session = Session::start(LAB, &json!({}), 0).expect("the settings are valid");
    let error = session.use_gpu(gpu, Precision::F16).expect_err("products are in f32").to_string();
    assert!(error.contains("computes in f32"), "{error}");
}

/// CartPole from new weights, in a small run.
#[test]
fn cartpole_is_learned() {
    let Some(gpu) = device() else { return };
    let settings =
        json!({"worlds": 64, "horizon": 32, "hidden": 32, "epochs": 6, "minibatches": 8, "eval_every": 2});
    let mut session = start_on(Some(gpu), LAB, &settings);
    while session.solved_at().is_none() {
        assert!(session.units() < 60, "{:?}", metric_history(&session, "examReturn"));
        assert_eq!(session.advance_unit().status, Status::UnitFinished, "{:?}", session.failure());
    }
    println!("learned in {} units", session.units());
}
