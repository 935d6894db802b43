//! The control lab on the GPU, beside the same runs on the CPU. Without an adapter the tests are skipped,
//! with a visible line, except where the environment variable `CI` is set.
#![allow(clippy::print_stdout)] // One test says how long it learned.

mod kernels;
#[cfg(feature = "own-worlds")]
mod own;

use learnery_control::Control;
use learnery_gpu::testing::{assume_peak, device};
use learnery_gpu::{Gpu, Precision, block_on};
use learnery_lab::contract::{
    self, Case, check_metric, check_refusal, check_saves, metric_history, run_on_both, run_there_and_back,
    run_until, run_until_solved, start_on,
};
use learnery_lab::{Budget, Entry, Session, Status};
use serde_json::{Value, json};

const LAB: Entry = Entry::of::<Control>();

/// Every world, with sizes that fill no tile and no minibatch, and with the optional techniques in one.
fn cases() -> [Value; 5] {
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
            "world": "pendulum", "worlds": 33, "horizon": 70, "hidden": 24, "epochs": 2, "minibatches": 2,
            "reward_scale": 0.1, "action_bounds": "squashed", "eval_every": 3, "eval_episodes": 4
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
        let [on_device, on_processor] = run_on_both(gpu, LAB, &settings, 5);
        assert_eq!(
            metric_history(&on_processor, "episodes"),
            metric_history(&on_device, "episodes"),
            "{settings}"
        );
        for name in
            ["return", "explained", "entropy", "policyLoss", "valueLoss", "kl", "gradNorm", "examReturn"]
        {
            check_metric(&settings, name, [&on_device, &on_processor], |found, expected| {
                (found.is_nan() && expected.is_nan())
                    || (found - expected).abs() <= 2e-3 * expected.abs().max(0.01)
            });
        }
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
fn modest_gpu_is_enough_or_refused() {
    contract::check_on_modest_gpu(LAB, &cases(), &["crowd"]);
}

#[test]
fn saves_change_no_bit_in_any_world() {
    let Some(gpu) = device() else { return };
    for settings in cases() {
        check_saves(gpu, LAB, &settings, &[2], 4);
    }
}

/// The speed by which submissions are sized may turn out to be another in the middle of a run, where a peak was
/// measured as almost nothing. Plans are then cut anew, which changes no bit.
#[test]
fn another_speed_in_the_middle_of_a_run_changes_no_bit() {
    if device().is_none() {
        return;
    }
    // Not the device of the tests beside this one.
    let gpu = block_on(Gpu::open(true)).expect("the adapter opens a second device");
    for settings in [&cases()[0], &cases()[3]] {
        let run = |peaks: [f64; 3]| {
            let mut session = start_on(Some(&gpu), LAB, settings);
            for (done, peak) in (1..).zip(peaks) {
                assume_peak(&gpu, peak);
                run_until(&mut session, done);
            }
            session.fingerprint()
        };
        let expected = run([1e12; 3]);
        assert_eq!(run([1.0, 1e12, 1e12]), expected, "{settings}: a peak measured as almost nothing");
        assert_eq!(run([1e12, 1e9, 1e12]), expected, "{settings}: a device that slows down");
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
        let [back, whole] = run_there_and_back(gpu, LAB, &settings, [2, 4, 6]);
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
    // One unit of 2 epochs with 4 minibatches, then two units of 3 epochs with 7.
    assert_eq!(session.save().header.scalars["updates"], 2 * 4 + 2 * 3 * 7);
}

#[test]
fn what_the_device_cannot_compute_is_refused_with_the_reason() {
    let Some(gpu) = device() else { return };
    let settings = json!({"hidden": 256, "worlds": 4, "horizon": 4});
    let mut session = Session::start(LAB, &settings, 0).expect("the settings are valid");
    check_refusal(gpu, &mut session, Precision::F32, "hidden layers of 256 neurons");
    // The run goes on where it was.
    assert_eq!(session.advance(&mut Budget::steps(1)).status, Status::Ready);
    let mut session = Session::start(LAB, &json!({}), 0).expect("the settings are valid");
    check_refusal(gpu, &mut session, Precision::F16, "computes on a GPU in f32 only");
}

/// CartPole from new weights, in a small run.
#[test]
fn cartpole_is_learned() {
    let Some(gpu) = device() else { return };
    let settings =
        json!({"worlds": 64, "horizon": 32, "hidden": 32, "epochs": 6, "minibatches": 8, "eval_every": 2});
    let mut session = start_on(Some(gpu), LAB, &settings);
    run_until_solved(&mut session, 60);
    println!("learned in {} units", session.units());
}
