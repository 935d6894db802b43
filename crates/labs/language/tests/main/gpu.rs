//! The language lab on the GPU, beside the same runs on the CPU. Without an adapter the tests are
//! skipped, with a visible line, except where the environment variable `CI` is set.

use learnery_gpu::Precision;
use learnery_gpu::testing::{device, half_device};
use learnery_lab::contract::{
    self, Case, check_metric, check_read_back, check_refusal, metric_history, resume_on, run_on_both,
    run_there_and_back, run_until, run_until_solved, start_on,
};
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
        let [mut on_device, on_processor] = run_on_both(gpu, LAB, &settings, 10);
        for name in ["loss", "gradient"] {
            check_metric(&settings, name, [&on_device, &on_processor], |found, expected| {
                (found / expected - 1.0).abs() < 0.01
            });
        }
        for name in ["bits", "exact"] {
            check_metric(&settings, name, [&on_device, &on_processor], |found, expected| {
                // A single problem of forty may be answered otherwise where two tokens are nearly as likely.
                let bound = if name == "bits" { 0.01 * expected } else { 2.5 };
                // Not every unit is evaluated.
                expected.is_nan() || (found - expected).abs() <= bound
            });
        }
        check_read_back(&mut on_device);
    }
}

/// Checks the part of the contract of all labs that a device can break. The networks are tiny, because a
/// software adapter (a GPU that is computed on the CPU) has to compute a hundred runs.
#[test]
fn runs_on_the_device_keep_the_contract() {
    let Some(gpu) = device() else { return };
    let task = json!({
        "source": "copy", "size": 2, "width": 8, "layers": 1, "heads": 2, "batch": 6, "updates": 1, "judge_every": 2,
        "judge_size": 16
    });
    contract::check_on_device(&Case::new(LAB, task, json!({"games": 2})).on_gpu(gpu));
}

/// The first sample, after one iteration: the networks differ by rounding only, which decides between two
/// tokens so rarely that it does not here.
#[test]
fn sample_is_that_of_the_cpu() {
    let Some(gpu) = device() else { return };
    let task = json!({
        "source": "text", "width": 16, "layers": 1, "heads": 2, "batch": 4, "length": 32, "updates": 1, "judge_size": 256
    });
    let [on_device, on_processor] = run_on_both(gpu, LAB, &task, 1).map(|mut run| {
        let tensors = run.save().tensors;
        let read = |name: &str| tensors.get_vec::<u32>(name).expect("runs are saved with their samples");
        let pages: Vec<u64> = tensors.get("diary/pages", &[4, 1]).expect("runs are saved with their samples");
        (pages, read("diary/tokens"))
    });
    assert!(on_processor.1.len() > 20, "{on_processor:?}");
    assert_eq!(on_device, on_processor);
}

#[test]
fn modest_gpu_is_enough_or_refused() {
    let task = json!({
        "source": "copy", "size": 2, "width": 8, "layers": 1, "heads": 2, "batch": 6, "updates": 1, "judge_every": 1,
        "judge_size": 16
    });
    contract::check_on_modest_gpu(LAB, &[task], &["addition"]);
}

#[test]
fn run_goes_from_the_cpu_to_the_device_and_back() {
    let Some(gpu) = device() else { return };
    let settings = &cases()[0];
    let [back, whole] = run_there_and_back(gpu, LAB, settings, [2, 4, 6]);
    let (a, b) = (metric_history(&back, "loss")[5], metric_history(&whole, "loss")[5]);
    assert!((a / b - 1.0).abs() < 0.01, "the loss after the way there and back is {a}, not {b}");
}

/// In f16, every loss and gradient norm stays close to that in f32. A saved run continues in f16 with the
/// same bits until another precision is asked for.
#[test]
fn run_in_f16_is_close_to_f32_and_continues_in_f16() {
    let Some(gpu) = half_device() else { return };
    for settings in cases() {
        let mut single = start_on(Some(gpu), LAB, &settings);
        run_until(&mut single, 10);
        let mut half = start_on(None, LAB, &settings);
        half.use_gpu(gpu, Precision::F16).expect("the device can be used");
        run_until(&mut half, 10);
        for name in ["loss", "gradient"] {
            check_metric(&settings, name, [&half, &single], |found, expected| {
                (found / expected - 1.0).abs() < 0.02
            });
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

        let changed = resume_on(gpu, LAB, &checkpoint);
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
    check_refusal(gpu, &mut session, Precision::F32, "attention heads of 256 features");
    // The run goes on where it was.
    assert_eq!(session.advance(&mut Budget::steps(1)).status, Status::Ready);
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
    run_until_solved(&mut session, 40);
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
        let mut generator = GpuTextGenerator::new(gpu, &network, &prompt, options, stream, &[3, 4, 5])
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
