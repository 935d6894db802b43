//! AlphaZero with its network on the GPU, beside the same runs on the CPU. Without an adapter the tests are
//! skipped, with a visible line, except where the environment variable `CI` is set.

mod kernels;
mod resnet;

use learnery_backgammon::Backgammon;
use learnery_gpu::Precision;
use learnery_gpu::testing::{device, relative_distance};
use learnery_lab::contract::{
    self, Case, check_refusal, device_history, metric_history, resume_on, run_until, start_on,
};
use learnery_lab::{Budget, Checkpoint, Entry, Session, Status};
use learnery_nn::tensors::Tensor;
use serde_json::{Value, json};

const LAB: Entry = Entry::of::<Backgammon>();

/// Runs with a policy head, in two groups of games, and without, in one. In some units games end. A software
/// adapter takes a tenth of a second for each request and a second for each update, so there are few of them.
fn cases() -> [Value; 2] {
    [
        json!({
            "learner": "alphazero", "games": 66, "horizon": 2, "simulations": 2, "lambda": 0.8, "batch": 120, "reuse": 0.1,
            "replay": 3000, "eval_every": 0
        }),
        json!({
            "learner": "alphazero", "policy": "values", "games": 4, "horizon": 8, "simulations": 2,
            "full_search_every": 3, "quick_simulations": 1, "lambda": 0.7, "dirichlet_alpha": 0.0, "temperature": 0.0,
            "search_values": true, "batch": 40, "reuse": 0.1, "replay": 3000, "eval_every": 0
        }),
    ]
}

/// Continues a run of the CPU for a unit on the device: the games go on with other rounding, but learning
/// takes the minibatches that the CPU takes, so its metrics and the network are those of the CPU. Saved and
/// continued, the run has the same bits; the CPU continues it too.
#[test]
fn updates_are_those_of_the_cpu_and_saves_change_no_bit() {
    let Some(gpu) = device() else { return };
    for settings in cases() {
        let mut on_processor = start_on(None, LAB, &settings);
        // The network learns in a unit only if games ended in the unit before, and if there are positions for
        // a minibatch.
        let games_of_last_unit = |run: &Session| metric_history(run, "games").pop().unwrap_or(0.0);
        while on_processor.work() < 200 || games_of_last_unit(&on_processor) < 1.0 {
            on_processor.advance_unit();
        }
        let units = on_processor.units();
        let begin = on_processor.save();
        let on_device = |checkpoint: &Checkpoint, units: u64| {
            let mut session = resume_on(gpu, LAB, checkpoint);
            run_until(&mut session, units);
            session
        };
        run_until(&mut on_processor, units + 1);
        let mut moved = on_device(&begin, units + 1);
        for name in ["loss", "policyLoss", "entropy", "gradNorm"] {
            let [a, b] = [&on_processor, &moved].map(|run| metric_history(run, name)[units as usize]);
            let is_close = (a - b).abs() <= 2e-3 * a.abs();
            assert!((a.is_nan() && b.is_nan()) || is_close, "{settings}: {name} is {b}, not {a}");
        }
        assert!(
            metric_history(&moved, "loss").last().is_some_and(|loss| loss.is_finite()),
            "{settings}: nothing was learned"
        );
        let after = moved.save();
        let distance = relative_distance(&parameters(&after), &parameters(&on_processor.save()));
        assert!(distance < 1e-3, "{settings}: the networks are {distance} apart");

        let (mut whole, mut continued) = (on_device(&begin, units + 2), on_device(&after, units + 2));
        assert_eq!(whole.fingerprint(), continued.fingerprint(), "{settings}");
        let mut back = Session::resume(LAB, &after).expect("our own checkpoint");
        run_until(&mut back, units + 2);
        assert_eq!(device_history(&back), [(0, "cpu"), (units, "gpu"), (units + 1, "cpu")]);
    }
}

/// The parameters of the network in a checkpoint.
fn parameters(checkpoint: &Checkpoint) -> Vec<f32> {
    let network = checkpoint.network();
    let values = |(name, tensor): (&str, &Tensor)| network.get::<f32>(name, tensor.shape());
    network.iter().flat_map(|named| values(named).expect("a tensor of floats")).collect()
}

/// The part of the contract that a device can change. The runs are tiny, because a software adapter takes a
/// tenth of a second for each request of a search.
#[test]
fn runs_on_the_device_keep_the_contract() {
    let Some(gpu) = device() else { return };
    let settings = json!({
        "learner": "alphazero", "policy": "values", "games": 1, "horizon": 1, "simulations": 1, "lambda": 0.7,
        "batch": 8, "reuse": 0.1, "replay": 300, "eval_every": 0
    });
    contract::check_on_device(&Case::new(LAB, settings, json!({"games": 2})).on_gpu(gpu));
}

#[test]
fn modest_gpu_is_enough_or_refused() {
    contract::check_on_modest_gpu(
        LAB,
        &[json!({
            "learner": "alphazero", "policy": "values", "games": 1, "horizon": 1, "simulations": 1, "batch": 8,
            "reuse": 0.1, "replay": 300, "eval_every": 0
        })],
        &["alphazero"],
    );
}

#[test]
fn what_the_device_cannot_compute_is_refused_with_the_reason() {
    let Some(gpu) = device() else { return };
    let mut session = Session::start(LAB, &json!({"games": 2}), 0).expect("the settings are valid");
    check_refusal(gpu, &mut session, Precision::F32, "too small for a GPU");
    // The run goes on where it was.
    assert_ne!(session.advance(&mut Budget::steps(1)).status, Status::Failed);
    let mut session = Session::start(LAB, &cases()[0], 0).expect("the settings are valid");
    check_refusal(gpu, &mut session, Precision::F16, "computes on a GPU in f32 only");
}
