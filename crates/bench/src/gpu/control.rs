//! Benchmarks of the control lab on a GPU: steps of the worlds alone, rollouts, and training.

use learnery_kernels::product;
use std::time::Instant;

use learnery_control::Control;
use learnery_control::ppo::{Shape, Trainer, Unit, World, step_rate};
use learnery_gpu::bench::Peaks;
use learnery_gpu::{Gpu, GpuError, Precision};
use learnery_kernels::rng::Stream;
use learnery_lab::{Entry, Session, Status};
use serde_json::json;

use super::Line;

const STEPS: &str = "steps/s";

/// Units that are measured together, after one that warms up.
const UNITS: u64 = 8;

/// Measures the worlds alone, then rollouts and training in CartPole with two networks of two layers of 64
/// neurons.
pub fn run(gpu: &Gpu, peaks: Peaks, line: &mut Line) -> Result<(), GpuError> {
    // A software adapter has as few threads as the processor.
    let software = gpu.info().software;
    let (worlds, steps) = if software { (1 << 12, 256) } else { (1 << 18, 1024) };
    for world in World::ALL {
        let rate = step_rate(gpu, world, worlds, steps)?;
        line(format!("gpu/control/raw/{}", format!("{world:?}").to_lowercase()), rate, STEPS, None);
    }
    let (worlds, horizon, minibatches) = if software { (128, 16, 4) } else { (16_384, 64, 16) };
    rollout(gpu, [worlds, horizon], peaks, line)?;
    train(gpu, [worlds, horizon, minibatches], line)
}

/// Measures rollouts: acting in all worlds, the critic's values and the advantages.
fn rollout(gpu: &Gpu, [worlds, horizon]: [usize; 2], peaks: Peaks, line: &mut Line) -> Result<(), GpuError> {
    let shape = Shape { world: World::CartPole, worlds, horizon, hidden: 64 };
    let mut trainer = Trainer::new(gpu, shape)?;
    let mut weights = vec![0.0; trainer.parameters()];
    Stream::new(1, 1).fill_normal(0, &mut weights);
    weights.iter_mut().for_each(|weight| *weight *= 0.1);
    trainer.set_weights(&weights);
    trainer.begin(&Unit { epochs: 1, minibatches: 1, gamma: 0.99, lambda: 0.95, ..Unit::default() })?;
    let rate = product([worlds, horizon]) / trainer.seconds_of_rollout();
    let share = rate * trainer.operations_of_step() / peaks.flops_per_second;
    line("gpu/control/rollout/cartpole".into(), rate, STEPS, Some(share));
    for (part, times) in ["rollout", "update"].into_iter().zip(trainer.profile()?) {
        for time in times {
            line(format!("gpu/control/{part}/{} ({})", time.name, time.launches), time.seconds, "s", None);
        }
    }
    Ok(())
}

/// Measures training: world steps per second of whole units of four epochs, evaluations off.
fn train(gpu: &Gpu, [worlds, horizon, minibatches]: [usize; 3], line: &mut Line) -> Result<(), GpuError> {
    let settings = json!({
        "worlds": worlds, "horizon": horizon, "minibatches": minibatches, "epochs": 4, "hidden": 64, "eval_every": 0
    });
    let failed = |reason: String| GpuError::Failed(reason);
    let mut session =
        Session::start(Entry::of::<Control>(), &settings, 1).map_err(|e| failed(e.to_string()))?;
    session.use_gpu(gpu, Precision::F32).map_err(|e| failed(e.to_string()))?;
    let mut run = |units: u64| -> Result<f64, GpuError> {
        let begin = Instant::now();
        for _ in 0..units {
            if session.advance_unit().status != Status::UnitFinished {
                return Err(failed(session.failure().unwrap_or_default()));
            }
        }
        Ok(begin.elapsed().as_secs_f64() / units as f64)
    };
    run(1)?;
    let seconds = run(if gpu.info().software { 1 } else { UNITS })?;
    line("gpu/control/ppo/cartpole".into(), product([worlds, horizon]) / seconds, STEPS, None);
    Ok(())
}
