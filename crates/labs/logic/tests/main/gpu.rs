//! The logic lab on the GPU, beside the same runs on the CPU. Without an adapter the tests are skipped, with
//! a visible line, except where the environment variable `CI` is set.

mod kernels;
mod packed;

use std::sync::LazyLock;

use learnery_gpu::Precision;
use learnery_gpu::testing::device;
use learnery_lab::contract::{
    self, Case, check_metric, check_read_back, check_refusal, metric_history, resume_on, run_on_both,
    run_there_and_back, run_until, run_until_solved, start_on,
};
use learnery_lab::{Budget, Checkpoint, Entry, Session, Status};
use learnery_logic::Logic;
use serde_json::{Value, json};

const LAB: Entry = Entry::of::<Logic>();

/// Life with evaluations; asynchronous cells whose gates have truth tables, hardening from the first update,
/// and a restart after four updates without progress; a checkerboard with an evaluation in every iteration.
fn cases() -> [Value; 3] {
    [
        json!({"experiment": "life", "batch": 20, "steps": 1, "epochs": 3, "prove_every": 2, "scatter": 0.5}),
        json!({
            "experiment": "async", "parameters": "table", "batch": 1, "steps": 2, "fire_rate": 0.6, "epochs": 2,
            "prove_every": 2, "decided": 0.3, "settle_below": 1.0, "anew_after": 4, "scatter": 0.5, "mend": 0
        }),
        json!({
            "experiment": "checkerboard", "batch": 1, "steps": 2, "epochs": 2, "prove_every": 1, "mend": 0,
            "scatter": 3.0
        }),
    ]
}

/// Metrics, and by how much a device's may differ from those of the CPU. The soft error differs by the order
/// in which a device adds. A gate whose two likeliest kinds are nearly equal may then become another hard
/// gate, which changes the hard error by a few cells. Restarts come in the same iterations.
const BOUNDS: [(&str, f64); 3] = [("softError", 1e-4), ("hardError", 2e-3), ("attempt", 0.0)];

#[test]
fn errors_are_those_of_the_cpu() {
    let Some(gpu) = device() else { return };
    for settings in cases() {
        let [mut on_device, on_processor] = run_on_both(gpu, LAB, &settings, 3);
        for (name, bound) in BOUNDS {
            check_metric(&settings, name, [&on_device, &on_processor], |found, expected| {
                (found - expected).abs() <= bound
            });
        }
        check_read_back(&mut on_device);
    }
}

/// A run of life, computed on the CPU until few cells are wrong, from where on local search follows every
/// update. It goes on with few updates in an iteration, and tries this many changes of gates after each.
fn with_local_search(tries: u32) -> Checkpoint {
    static TRAINED: LazyLock<Checkpoint> = LazyLock::new(|| {
        let mut settings = LAB.preset("life").expect("the preset exists");
        settings["mend"] = 0.into();
        let mut session = start_on(None, LAB, &settings);
        let is_nearly_solved = |session: &Session| {
            let errors = metric_history(session, "hardError");
            errors.iter().rev().take(3).filter(|error| **error < 0.1).count() == 3
        };
        while !is_nearly_solved(&session) {
            assert!(
                session.units() < 200,
                "life is not learned: {:?}",
                metric_history(&session, "hardError")
            );
            let next = session.units() + 1;
            run_until(&mut session, next);
        }
        session.save()
    });
    let mut checkpoint = TRAINED.clone();
    checkpoint.header.config.extend([("epochs".into(), 3.into()), ("mend".into(), tries.into())]);
    checkpoint
}

#[test]
fn local_search_is_that_of_the_cpu() {
    let Some(gpu) = device() else { return };
    let [without, with] = [0, 20].map(|tries| {
        let mut session = Session::resume(LAB, &with_local_search(tries)).expect("our own checkpoint");
        let last = session.units() + 3;
        run_until(&mut session, last);
        session
    });
    let errors = |session: &Session| metric_history(session, "hardError");
    assert_ne!(errors(&without), errors(&with), "local search changes gates");
    let mut on_device = resume_on(gpu, LAB, &with_local_search(20));
    run_until(&mut on_device, with.units());
    for (name, bound) in BOUNDS {
        check_metric(&json!("local search"), name, [&on_device, &with], |found, expected| {
            (found - expected).abs() <= bound
        });
    }
}

/// Checks the part of the contract of all labs that a device can break.
#[test]
fn life_keeps_the_contract_on_the_device() {
    let Some(gpu) = device() else { return };
    let settings = json!({"experiment": "life", "batch": 20, "steps": 1, "epochs": 2, "prove_every": 2});
    contract::check_on_device(&Case::new(LAB, settings, json!({"games": 2})).on_gpu(gpu));
}

#[test]
fn modest_gpu_is_enough_or_refused() {
    contract::check_on_modest_gpu(
        LAB,
        &[json!({"experiment": "life", "batch": 20, "steps": 1, "epochs": 2, "prove_every": 2})],
        &["checkerboard", "life", "async", "figure", "letter"],
    );
}

/// A run in slices of one step, drawn, saved and resumed after two units, has the bits of an uninterrupted
/// one: with restarts, asynchronous cells, and local search after every update.
#[test]
fn slices_and_saves_change_no_bit() {
    let Some(gpu) = device() else { return };
    let started = cases().into_iter().skip(1).map(|settings| start_on(None, LAB, &settings).save());
    for begun in started.chain([with_local_search(20)]) {
        let settings = &begun.header.config;
        let [mut whole, mut sliced] = [(), ()].map(|()| resume_on(gpu, LAB, &begun));
        let [saved_after, units] = [2, 4].map(|more| begun.header.units + more);
        run_until(&mut whole, units);
        let expected = whole.fingerprint();
        while sliced.units() < units {
            let done = sliced.advance(&mut Budget::steps(1));
            assert_ne!(done.status, Status::Failed, "{:?}", sliced.failure());
            if sliced.units() == saved_after && done.status == Status::UnitFinished {
                sliced.animate(0.2);
                let _view = sliced.view();
                let checkpoint =
                    Checkpoint::from_bytes(&sliced.save().to_bytes()).expect("our own checkpoint");
                sliced = resume_on(gpu, LAB, &checkpoint);
            }
        }
        assert_eq!(sliced.fingerprint(), expected, "{settings:?}");
    }
}

#[test]
fn run_goes_from_the_cpu_to_the_device_and_back() {
    let Some(gpu) = device() else { return };
    let settings = &cases()[0];
    let [back, whole] = run_there_and_back(gpu, LAB, settings, [2, 4, 6]);
    let (a, b) = (metric_history(&back, "softError")[5], metric_history(&whole, "softError")[5]);
    assert!((a - b).abs() < 1e-3, "the error after the way there and back is {a}, not {b}");
}

/// A target drawn between two units is learned from on the device too.
#[test]
fn drawn_target_is_that_of_the_cpu() {
    let Some(gpu) = device() else { return };
    let settings = &cases()[2];
    let planes: String = (0..256).map(|cell| if cell % 5 == 0 { '1' } else { '0' }).collect();
    let errors = [None, Some(gpu)].map(|gpu| {
        let mut session = start_on(gpu, LAB, settings);
        run_until(&mut session, 1);
        session.apply(json!({"type": "target", "planes": planes})).expect("a target of 16x16 cells");
        run_until(&mut session, 2);
        metric_history(&session, "softError")
    });
    for (a, b) in errors[0].iter().zip(&errors[1]) {
        assert!((a - b).abs() < 1e-4, "{errors:?}");
    }
}

#[test]
fn f16_is_refused_with_the_reason() {
    let Some(gpu) = device() else { return };
    let mut session = start_on(None, LAB, &cases()[0]);
    check_refusal(gpu, &mut session, Precision::F16, "computed in f32");
    // The run goes on where it was.
    assert_eq!(session.advance(&mut Budget::steps(1)).status, Status::Ready);
}

/// Trains with these settings on the device until the goal is reached.
fn learn(settings: &Value, seed: u32, max_units: u64) {
    let Some(gpu) = device() else { return };
    let mut session = Session::start(LAB, settings, seed).expect("the settings are good");
    session.use_gpu(gpu, Precision::F32).expect("the device can be used");
    run_until_solved(&mut session, max_units);
}

/// 200 units of 20 epochs are 4,000 epochs; most seeds need 600 to 1,000. docs/gpu.md has such a run as a
/// command of the program, with another seed.
#[test]
#[ignore = "minutes on a software adapter"]
fn life_is_learned() {
    learn(&LAB.preset("life").expect("the preset exists"), 1234, 200);
}

/// One grid of 16 steps instead of the usual two of 20 steps, which takes less time on a software adapter. On
/// the CPU and on two software adapters, it takes 26 units of 5 epochs.
#[test]
#[ignore = "minutes on a software adapter"]
fn checkerboard_is_learned() {
    learn(&json!({ "batch": 1, "steps": 16 }), 7, 100);
}
