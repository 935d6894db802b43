//! The language lab on the GPU, beside the same runs on the CPU. Without an adapter the tests are
//! skipped, with a visible line, except where the environment variable `CI` is set.
#![allow(clippy::print_stdout)] // One says what is skipped.

use learnery_gpu::Precision;
use learnery_gpu::testing::device;
use learnery_lab::contract::{self, Case, metric_history, run_until, start_on};
use learnery_lab::{Budget, Checkpoint, Entry, Recipe, Session, Status};
use learnery_language::{
    GpuTextGenerator, Language, Network, SamplingOptions, TextGenerator, sampling_stream,
};
use serde_json::{Value, json};

const LAB: Entry = Entry::of::<Language>();

/// A task with rotary positions and Muon; stories with AdamW, without rotary positions, and with rows that
/// repeat.
fn cases() -> [Value; 2] {
    [
        json!({
            "source": "copy", "size": 5, "width": 16, "layers": 1, "heads": 2, "batch": 12, "updates": 3,
            "judge_every": 2, "judge_size": 40
        }),
        json!({
            "source": "stories", "width": 24, "layers": 2, "heads": 3, "rotary": false, "length": 24, "batch": 4,
            "updates": 2, "judge_every": 2, "judge_size": 300, "optimiser": "adamw", "echoes": 0.5, "echo_until": 9
        }),
    ]
}

#[test]
fn losses_are_within_a_percent_of_the_cpu() {
    let Some(gpu) = device() else { return };
    for settings in cases() {
        let [mut on_processor, mut on_device] =
            [start_on(None, LAB, &settings), start_on(Some(gpu), LAB, &settings)];
        run_until(&mut on_processor, 10);
        run_until(&mut on_device, 10);
        for name in ["loss", "gradient"] {
            for (unit, (a, b)) in
                metric_history(&on_processor, name).iter().zip(metric_history(&on_device, name)).enumerate()
            {
                assert!((b / a - 1.0).abs() < 0.01, "{settings}: {name} of unit {unit} is {b}, not {a}");
            }
        }
        for name in ["bits", "exact"] {
            let both = metric_history(&on_processor, name).into_iter().zip(metric_history(&on_device, name));
            for (unit, (a, b)) in both.enumerate().filter(|(_, (a, _))| !a.is_nan()) {
                // A single problem of forty may be answered otherwise where two tokens are nearly as likely.
                let bound = if name == "bits" { 0.01 * a } else { 2.5 };
                assert!((b - a).abs() <= bound, "{settings}: {name} of unit {unit} is {b}, not {a}");
            }
        }
        assert_eq!(on_processor.work(), on_device.work());
        let fingerprint = on_device.fingerprint();
        let again = Session::resume(LAB, &on_device.save()).expect("our own checkpoint").fingerprint();
        assert_eq!(fingerprint, again, "a checkpoint of the device is read back to the same bits");
    }
}

/// The part of the contract that a device can change. The networks are tiny, because a software adapter
/// computes a hundred runs.
#[test]
fn runs_on_the_device_keep_the_contract() {
    let Some(gpu) = device() else { return };
    let task = json!({
        "source": "copy", "size": 2, "width": 8, "layers": 1, "heads": 2, "batch": 6, "updates": 1, "judge_every": 2,
        "judge_size": 16
    });
    contract::check_on_device(&Case::new(LAB, task, json!({"games": 2})).on_gpu(gpu));
}

#[test]
fn run_goes_from_the_cpu_to_the_device_and_back() {
    let Some(gpu) = device() else { return };
    let settings = &cases()[0];
    let mut session = start_on(None, LAB, settings);
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
    let mut whole = start_on(None, LAB, settings);
    run_until(&mut whole, 6);
    let (a, b) = (metric_history(&back, "loss")[5], metric_history(&whole, "loss")[5]);
    assert!((a / b - 1.0).abs() < 0.01, "the loss after the way there and back is {a}, not {b}");
}

/// In f16, every loss and gradient norm stays close to that in f32. A saved run continues in f16 with the
/// same bits until another precision is asked for.
#[test]
fn run_in_f16_is_close_to_f32_and_continues_in_f16() {
    let Some(gpu) = device() else { return };
    if let Err(reason) = gpu.check_precision(Precision::F16) {
        println!("SKIPPED in f16: {reason}");
        return;
    }
    for settings in cases() {
        let mut single = start_on(Some(gpu), LAB, &settings);
        run_until(&mut single, 10);
        let mut half = start_on(None, LAB, &settings);
        half.use_gpu(gpu, Precision::F16).expect("the device can be used");
        run_until(&mut half, 10);
        for name in ["loss", "gradient"] {
            for (unit, (a, b)) in
                metric_history(&single, name).iter().zip(metric_history(&half, name)).enumerate()
            {
                assert!((b / a - 1.0).abs() < 0.02, "{settings}: {name} of unit {unit} is {b}, not {a}");
            }
        }
        assert_ne!(half.fingerprint(), single.fingerprint(), "products were in f32");
        let checkpoint = Checkpoint::from_bytes(&half.save().to_bytes()).expect("our own checkpoint");
        let recipe = Recipe::of_checkpoint(&LAB, &checkpoint, None).expect("every run has a recipe");
        assert_eq!((recipe.device.as_deref(), recipe.bits), (Some("gpu"), None), "it is repeated in f32");
        run_until(&mut half, 12);

        let mut continued = Session::resume(LAB, &checkpoint).expect("our own checkpoint");
        assert_eq!(continued.gpu_precision(), Precision::F16);
        continued.use_gpu(gpu, continued.gpu_precision()).expect("the device can be used");
        run_until(&mut continued, 12);
        assert_eq!(continued.fingerprint(), half.fingerprint(), "{settings}: other bits");
        assert_eq!(continued.devices(), half.devices());

        let mut changed = Session::resume(LAB, &checkpoint).expect("our own checkpoint");
        changed.use_gpu(gpu, Precision::F32).expect("the device can be used");
        assert_eq!(changed.gpu_precision(), Precision::F32);
        let devices: Vec<_> =
            changed.devices().iter().map(|device| (device.unit, device.precision)).collect();
        assert_eq!(devices, [(0, Precision::F16), (10, Precision::F32)]);
    }
}

#[test]
fn network_that_the_device_cannot_compute_is_refused_with_the_reason() {
    let Some(gpu) = device() else { return };
    let settings = json!({"width": 256, "heads": 1, "layers": 1, "batch": 2});
    let mut session = Session::start(LAB, &settings, 0).expect("the settings are valid");
    let error = session.use_gpu(gpu, Precision::F32).expect_err("the head is too large").to_string();
    assert!(error.contains("attention heads of 256 features"), "{error}");
    // The run goes on where it was.
    assert_eq!(session.advance(&mut Budget::steps(1)).status, Status::Ready);
    assert!(session.devices().is_empty());
}

/// Letters to repeat, from random weights: within 40 iterations nearly all held-out problems are answered
/// exactly.
#[test]
fn copying_is_learned() {
    let Some(gpu) = device() else { return };
    let settings = json!({
        "source": "copy", "size": 3, "width": 32, "layers": 1, "heads": 2, "batch": 32, "updates": 10, "anneal": 400,
        "judge_every": 10, "judge_size": 100, "goal": 95
    });
    let mut session = start_on(Some(gpu), LAB, &settings);
    while session.solved_at().is_none() {
        assert!(session.units() < 40, "{:?} exact answers", metric_history(&session, "exact"));
        assert_eq!(session.advance_unit().status, Status::UnitFinished, "{:?}", session.failure());
    }
}

/// Texts of a trained network, from no prompt and from one, all at once: those that the CPU generates one by
/// one.
#[test]
fn texts_are_those_of_the_cpu() {
    let Some(gpu) = device() else { return };
    for (settings, prompt) in cases().iter().zip(["", "a"]) {
        let mut session = start_on(None, LAB, settings);
        run_until(&mut session, 3);
        let network = Network::from_checkpoint(&session.save()).expect("our own checkpoint");
        let prompt = network.encode(prompt).expect("letters that the network knows");
        let options = SamplingOptions { temperature: 0.8, top_k: 20 };
        let stream = sampling_stream(7);
        let mut generator = GpuTextGenerator::new(gpu, &network, &prompt, options, stream, 3..6)
            .expect("the device can be used");
        let found: Vec<u16> =
            [1, 20, 19].into_iter().flat_map(|steps| generator.next_tokens(steps).expect("tokens")).collect();
        for (i, number) in (3..6).enumerate() {
            let mut cpu = TextGenerator::new(&network);
            cpu.start(&network, &prompt);
            (0..40).for_each(|_| {
                cpu.next_token(&network, options, stream, number);
            });
            let found: Vec<u16> = found.iter().skip(i).step_by(3).copied().collect();
            assert!(found == cpu.tokens()[cpu.prompt_length()..], "{settings}: text {number} differs");
        }
    }
}
