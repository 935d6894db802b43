//! AlphaZero with its network on the GPU, beside the same runs on the CPU. Without an adapter the tests are skipped, with a
//! visible line, except where the environment variable `CI` is set.
#![cfg(feature = "gpu")]
#![allow(clippy::print_stdout)] // They say which adapter they use.

use std::sync::OnceLock;

use learnery_backgammon::Backgammon;
use learnery_gpu::{Gpu, Precision, block_on};
use learnery_lab::contract::{self, Case};
use learnery_lab::{Budget, Entry, Session, Status};
use serde_json::{Value, json};

const LAB: Entry = Entry::of::<Backgammon>();

fn device() -> Option<&'static Gpu> {
    static DEVICE: OnceLock<Option<Gpu>> = OnceLock::new();
    let device = DEVICE.get_or_init(|| {
        let software = true;
        match block_on(Gpu::open(software)) {
            Ok(gpu) => {
                println!("tests run on {} ({})", gpu.info().name, gpu.info().driver);
                Some(gpu)
            }
            Err(error) if std::env::var_os("CI").is_none() => {
                println!("SKIPPED: {error}");
                None
            }
            Err(error) => panic!("{error}"),
        }
    });
    device.as_ref()
}

/// Runs with a policy head and without, so short that games end in the first units.
fn cases() -> [Value; 2] {
    [
        json!({
            "learner": "alphazero", "games": 70, "horizon": 30, "simulations": 3, "lambda": 0.8, "batch": 48, "reuse": 1.0,
            "replay": 3000, "eval_every": 0
        }),
        json!({
            "learner": "alphazero", "policy": "values", "games": 66, "horizon": 30, "simulations": 4,
            "full_search_every": 3, "quick_simulations": 1, "lambda": 0.7, "dirichlet_alpha": 0.0, "temperature": 0.0,
            "search_values": true, "batch": 48, "reuse": 0.5, "replay": 3000, "eval_every": 0
        }),
    ]
}

fn start(settings: &Value, gpu: Option<&Gpu>) -> Session {
    let mut session = Session::start(LAB, settings, 3).expect("the settings are valid");
    if let Some(gpu) = gpu {
        session.use_gpu(gpu, Precision::F32).expect("the device can be used");
    }
    session
}

fn run(session: &mut Session, units: u64) {
    while session.units() < units {
        assert_eq!(session.advance_unit().status, Status::UnitFinished, "{:?}", session.failure());
    }
}

/// The values of a metric of all units.
fn metric(session: &Session, name: &str) -> Vec<f64> {
    let index = LAB.about.metrics.iter().position(|spec| spec.name == name).expect("a metric of the lab");
    session.history().columns()[index].clone()
}

/// Games and minibatches are those of the CPU as long as rounding decides no play.
#[test]
fn units_are_those_of_the_cpu() {
    let Some(gpu) = device() else { return };
    for settings in cases() {
        let [mut on_processor, mut on_device] = [start(&settings, None), start(&settings, Some(gpu))];
        run(&mut on_processor, 4);
        run(&mut on_device, 4);
        for name in ["games", "length", "loss", "policyLoss", "entropy", "gradNorm"] {
            let both = metric(&on_processor, name).into_iter().zip(metric(&on_device, name));
            for (unit, (a, b)) in both.enumerate() {
                let is_close = (a - b).abs() <= 0.03 * a.abs().max(0.1);
                assert!(
                    (a.is_nan() && b.is_nan()) || is_close,
                    "{settings}: {name} of unit {unit} is {b}, not {a}"
                );
            }
        }
        assert!(metric(&on_device, "loss")[3].is_finite(), "{settings}: nothing was learned");
    }
}

/// The contract that all labs keep, with every run on the GPU: slices, threads, views, saves and recipes change no bit, bad
/// files are refused. The runs are tiny, because a software adapter computes hundreds of them.
#[test]
fn runs_on_the_device_keep_the_contract() {
    let Some(gpu) = device() else { return };
    let settings = json!({
        "learner": "alphazero", "policy": "values", "games": 3, "horizon": 40, "simulations": 2, "lambda": 0.7,
        "batch": 8, "reuse": 0.1, "replay": 300, "eval_every": 0
    });
    contract::check(&Case::new(LAB, settings, json!({"games": 2})).on_gpu(gpu));
}

#[test]
fn saves_change_no_bit() {
    let Some(gpu) = device() else { return };
    for settings in cases() {
        let mut whole = start(&settings, Some(gpu));
        run(&mut whole, 4);
        let mut saved = start(&settings, Some(gpu));
        run(&mut saved, 3);
        let mut continued = Session::resume(LAB, &saved.save()).expect("our own checkpoint");
        continued.use_gpu(gpu, Precision::F32).expect("the device can be used");
        run(&mut continued, 4);
        assert_eq!(continued.fingerprint(), whole.fingerprint(), "{settings}");
    }
}

/// The way from the CPU to the device and back: network, optimiser, replay buffer and games go along.
#[test]
fn run_goes_from_the_cpu_to_the_device_and_back() {
    let Some(gpu) = device() else { return };
    for settings in cases() {
        let mut session = start(&settings, None);
        run(&mut session, 2);
        session.use_gpu(gpu, Precision::F32).expect("the device can be used");
        run(&mut session, 4);
        let checkpoint = session.save();
        let mut back = Session::resume(LAB, &checkpoint).expect("the checkpoint is that of a run on the CPU");
        run(&mut back, 5);
        let devices: Vec<(u64, &str)> =
            back.devices().iter().map(|device| (device.unit, device.device.as_str())).collect();
        assert_eq!(devices, [(0, "cpu"), (2, "gpu"), (4, "cpu")]);
        let mut whole = start(&settings, None);
        run(&mut whole, 5);
        let (a, b) = (metric(&back, "loss")[4], metric(&whole, "loss")[4]);
        assert!((a - b).abs() <= 0.03 * b, "{settings}: the loss there and back is {a}, not {b}");
    }
}

#[test]
fn what_the_device_cannot_compute_is_refused_with_the_reason() {
    let Some(gpu) = device() else { return };
    let mut session = Session::start(LAB, &json!({"games": 2}), 0).expect("the settings are valid");
    let error = session.use_gpu(gpu, Precision::F32).expect_err("the network is too small").to_string();
    assert!(error.contains("too small for a GPU"), "{error}");
    // The run goes on where it was.
    assert_ne!(session.advance(&mut Budget::steps(1)).status, Status::Failed);
    assert!(session.devices().is_empty());
    let mut session = Session::start(LAB, &cases()[0], 0).expect("the settings are valid");
    let error = session.use_gpu(gpu, Precision::F16).expect_err("products are in f32").to_string();
    assert!(error.contains("computes in f32"), "{error}");
}
