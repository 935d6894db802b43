//! The cube lab on the GPU, beside the same runs on the CPU. Without an adapter the tests are skipped, with a
//! visible line, except where the environment variable `CI` is set.

mod kernels;

use learnery_cube::Cube;
use learnery_gpu::Precision;
use learnery_gpu::testing::device;
use learnery_lab::contract::{
    self, Case, check_metric, check_refusal, check_saves, run_there_and_back, run_until, start_on,
};
use learnery_lab::{Budget, Entry, Session, Status};
use serde_json::{Value, json};

const LAB: Entry = Entry::of::<Cube>();

/// The 3x3x3 with each method; minibatches cut walks, and the distillation begins in the second unit.
fn large(learner: &str) -> Value {
    json!({
        "puzzle": "3x3x3", "learner": learner, "hidden_1": 12, "hidden_2": 8, "batch": 70, "updates": 2, "scramble": 7,
        "renew_every": 8, "anneal": 3, "distil": 5, "judge_every": 2, "evaluate_states": 1, "evaluate_beam": 3,
        "evaluate_scramble": 1
    })
}

/// The 2x2x2 with each method; target values are refreshed in the third unit.
fn small(learner: &str) -> Value {
    json!({
        "learner": learner, "hidden_1": 12, "hidden_2": 8, "batch": 70, "updates": 3, "renew_every": 8, "focus": 0.4,
        "judge_every": 2, "judge_within": 2
    })
}

/// All methods with both puzzles.
fn all() -> Vec<Value> {
    let of = |learner: &str| [large(learner), small(learner)];
    ["cayleypy", "davi", "efficientcube"].into_iter().flat_map(of).collect()
}

/// The part of the contract that a device can change. Value iteration with distillation has the most state.
#[test]
fn runs_on_the_device_keep_the_contract() {
    let Some(gpu) = device() else { return };
    contract::check_on_device(&Case::new(LAB, large("davi"), json!({"games": 1, "beam": 2})).on_gpu(gpu));
}

#[test]
fn modest_gpu_is_enough_or_refused() {
    // An evaluation in the first unit: searches have their states scored on the device.
    let evaluated = |learner| {
        let mut settings = large(learner);
        settings["judge_every"] = json!(1);
        settings
    };
    contract::check_on_modest_gpu(
        LAB,
        &[evaluated("davi"), evaluated("cayleypy"), small("davi")],
        &["large", "cube3", "cayleypy"],
    );
}

/// The contract is checked with the 3x3x3 alone, because starting a run of the 2x2x2 takes longer.
#[test]
fn slices_change_no_bit_with_any_method() {
    let Some(gpu) = device() else { return };
    for settings in all() {
        let mut whole = start_on(Some(gpu), LAB, &settings);
        run_until(&mut whole, 3);
        let expected = whole.fingerprint();
        let mut sliced = start_on(Some(gpu), LAB, &settings);
        for steps in (0u64..).map(|call| 1 + call % 4) {
            let done = sliced.advance(&mut Budget::steps(steps));
            assert!(done.steps > 0 || done.status == Status::Waiting, "{settings}: {:?}", done.status);
            if sliced.units() == 3 {
                break;
            }
        }
        assert_eq!(sliced.fingerprint(), expected, "{settings}: slices changed the bits");
    }
}

#[test]
fn saves_change_no_bit_with_any_method() {
    let Some(gpu) = device() else { return };
    for settings in all() {
        // Before and after the distillation begins.
        check_saves(gpu, LAB, &settings, &[1, 3], 4);
    }
}

/// The way from the CPU to the device and back: counters, optimiser, target network and kept states go along,
/// so the run stays that of the CPU up to rounding.
#[test]
fn run_goes_from_the_cpu_to_the_device_and_back() {
    let Some(gpu) = device() else { return };
    for settings in all() {
        let [back, whole] = run_there_and_back(gpu, LAB, &settings, [1, 3, 4]);
        for name in ["loss", "gradNorm"] {
            check_metric(&settings, name, [&back, &whole], |found, expected| {
                (found / expected - 1.0).abs() < 0.01
            });
        }
    }
}

#[test]
fn what_the_device_cannot_learn_is_refused_with_the_reason() {
    let Some(gpu) = device() else { return };
    let mut session = Session::start(LAB, &json!({"learner": "dqn"}), 0).expect("the settings are valid");
    check_refusal(gpu, &mut session, Precision::F32, "too few for a GPU");
    let settings = json!({"encoding": "stickers"});
    let mut session = Session::start(LAB, &settings, 0).expect("the settings are valid");
    check_refusal(gpu, &mut session, Precision::F32, "encoding by corners");
    let mut session = start_on(None, LAB, &large("cayleypy"));
    check_refusal(gpu, &mut session, Precision::F16, "computes on a GPU in f32 only");
    // The run goes on where it was.
    run_until(&mut session, 1);
}
