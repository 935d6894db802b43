//! Benchmarks of the control lab on a GPU: steps of the worlds alone, rollouts, and training.
//! `Stream::new(seed, id)` is a stream of random numbers; which one is arbitrary here.

use learnery_kernels::product;
use std::time::Instant;

use learnery_control::Control;
use learnery_control::ppo::{OwnRules, Shape, Trainer, Unit, World, step_rate};
use learnery_gpu::bench::Peaks;
use learnery_gpu::{Gpu, GpuError, Precision};
use learnery_kernels::rng::Stream;
use learnery_lab::{Entry, Session, Status};
use serde_json::json;

use super::Report;

/// The unit of all figures.
const STEPS_PER_SECOND: &str = "steps/s";

/// Units that are measured together, after one that warms up.
const UNITS: u64 = 8;

/// Measures the worlds alone, then rollouts and training in CartPole with two networks of two layers of 64
/// neurons, in the lab's own world and in a text.
pub fn run(gpu: &Gpu, peaks: Peaks, report: &mut Report) -> Result<(), GpuError> {
    // A software adapter computes on the few threads of the processor, so it gets fewer worlds.
    let software = gpu.info().software;
    let (worlds, steps) = if software { (1 << 12, 256) } else { (1 << 18, 1024) };
    for world in World::ALL {
        let rate = step_rate(gpu, world, worlds, steps)?;
        let name = format!("{world:?}").to_lowercase();
        report(format!("gpu/control/raw/{name}"), rate, STEPS_PER_SECOND, None);
    }
    let (worlds, horizon, minibatches) = if software { (128, 16, 4) } else { (16_384, 64, 16) };
    for world in CARTPOLES {
        rollout(gpu, world, [worlds, horizon], peaks, report)?;
    }
    for world in CARTPOLES {
        train(gpu, world, [worlds, horizon, minibatches], report)?;
    }
    Ok(())
}

/// CartPole in the lab's own WGSL, and the same world as a text, whose WGSL is generated. Each has a name for
/// reports, and the text if there is one.
const CARTPOLES: [(&str, Option<&str>); 2] = [
    ("cartpole", None),
    ("cartpole-text", Some(include_str!("../../../world-rules/examples/cartpole.world"))),
];

/// Measures rollouts: acting in all worlds, the critic's values and the advantages.
fn rollout(
    gpu: &Gpu,
    (name, text): (&str, Option<&str>),
    [worlds, horizon]: [usize; 2],
    peaks: Peaks,
    report: &mut Report,
) -> Result<(), GpuError> {
    let OwnRules { world, wgsl, parameters } = match text {
        None => OwnRules { world: World::CartPole, wgsl: String::new(), parameters: Vec::new() },
        Some(text) => OwnRules::of_text(text).map_err(GpuError::Failed)?,
    };
    let mut trainer =
        Trainer::new(gpu, Shape { world, worlds, horizon, hidden: 64, is_squashed: false }, &wgsl)?;
    trainer.set_parameters(&parameters);
    let mut weights = vec![0.0; trainer.parameters()];
    Stream::new(1, 1).fill_normal(0, &mut weights);
    // Random weights, small as at the beginning of a run.
    weights.iter_mut().for_each(|weight| *weight *= 0.1);
    trainer.set_weights(&weights);
    trainer.begin(&Unit { epochs: 1, minibatches: 1, gamma: 0.99, lambda: 0.95, ..Unit::default() })?;
    let rate = product([worlds, horizon]) / trainer.seconds_of_rollout();
    let share = rate * trainer.operations_of_step() / peaks.flops_per_second;
    report(format!("gpu/control/rollout/{name}"), rate, STEPS_PER_SECOND, Some(share));
    for (part, times) in ["rollout", "update"].into_iter().zip(trainer.profile()?) {
        for time in times {
            let kernel = format!("gpu/control/{part}/{name}/{} ({})", time.name, time.launches);
            report(kernel, time.seconds, "s", None);
        }
    }
    Ok(())
}

/// Measures training: world steps per second of whole units of four epochs, evaluations off.
fn train(
    gpu: &Gpu,
    (name, text): (&str, Option<&str>),
    [worlds, horizon, minibatches]: [usize; 3],
    report: &mut Report,
) -> Result<(), GpuError> {
    let settings = json!({
        "world": if text.is_some() { "own" } else { "cartpole" }, "worlds": worlds, "horizon": horizon,
        "minibatches": minibatches, "epochs": 4, "hidden": 64, "eval_every": 0
    });
    let gpu_error = |reason: String| GpuError::Failed(reason);
    let mut session =
        Session::start(Entry::of::<Control>(), &settings, 1).map_err(|e| gpu_error(e.to_string()))?;
    if let Some(text) = text {
        let command = json!({ "type": "world", "name": "cartpole.world", "text": text });
        session.apply(command).map_err(|e| gpu_error(e.to_string()))?;
    }
    session.use_gpu(gpu, Precision::F32).map_err(|e| gpu_error(e.to_string()))?;
    let mut seconds_per_unit = |units: u64| -> Result<f64, GpuError> {
        let begin = Instant::now();
        for _ in 0..units {
            if session.advance_unit().status != Status::UnitFinished {
                return Err(gpu_error(session.failure().unwrap_or_default()));
            }
        }
        Ok(begin.elapsed().as_secs_f64() / units as f64)
    };
    // The warm-up.
    seconds_per_unit(1)?;
    let seconds = seconds_per_unit(if gpu.info().software { 1 } else { UNITS })?;
    report(format!("gpu/control/ppo/{name}"), product([worlds, horizon]) / seconds, STEPS_PER_SECOND, None);
    Ok(())
}
