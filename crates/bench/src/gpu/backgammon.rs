//! Measures AlphaZero: first the evaluation of positions alone, then self-play with learning, on the GPU and,
//! for comparison, on the CPU of the same machine. `Stream::new(seed, id)` is a stream of random numbers;
//! which one is arbitrary here.

use std::time::Instant;

use learnery_backgammon::Backgammon;
use learnery_backgammon::alphazero::resnet::{Evaluator, POSITION_WORDS, Position};
use learnery_gpu::bench::Peaks;
use learnery_gpu::{Gpu, GpuError, Precision};
use learnery_kernels::rng::Stream;
use learnery_lab::{Entry, Session, Status};
use learnery_nn::{Layout, ResNet, ResNetShape, Weights};
use serde_json::json;

use super::Report;

/// Sizes of the batches that are evaluated. A software adapter, which computes on the CPU, gets a small one.
const BATCHES: &[usize] = &[128, 1024, 4096, 8192, 32_768];
const SOFTWARE_BATCHES: &[usize] = &[32];

/// Positions in the batch whose kernels are timed one by one, and their number on a software adapter.
const PROFILED_POSITIONS: usize = 4096;
const SOFTWARE_PROFILED_POSITIONS: usize = 32;

/// Repetitions of an evaluation; the fastest counts, because other load only makes it slower.
const REPEATS: usize = 10;

/// Units of self-play before those that are measured.
const WARM_UP_UNITS: usize = 3;

/// Units of self-play that are measured; the fastest counts.
const MEASURED_UNITS: usize = 2;

/// Measures evaluations, then self-play.
pub fn run(gpu: &Gpu, peaks: Peaks, report: &mut Report) -> Result<(), GpuError> {
    evaluations(gpu, peaks, report)?;
    self_play(gpu, report)
}

/// Measures the evaluation of positions, from the submission of a request until its results are back, and the
/// times of its kernels.
fn evaluations(gpu: &Gpu, peaks: Peaks, report: &mut Report) -> Result<(), GpuError> {
    // The fully connected residual network of the preset `gpu`, which has no policy head.
    let mut shape = ResNetShape::fcresnet();
    shape.heads.retain(|head| head.name == "value");
    let mut layout = Layout::default();
    let net = ResNet::new(&mut layout, "net", &shape);
    let mut weights = Weights::new(layout);
    weights.update(|params| net.init(params, Stream::new(0, 0)));
    let evaluator = Evaluator::new(gpu, &net, weights.len())?;
    evaluator.set_weights(weights.flat());
    // Layers are fully connected, so there is one multiply-add with each weight.
    let operations_per_position = 2.0 * weights.len() as f64;
    let (sizes, profiled) = if gpu.info().software {
        (SOFTWARE_BATCHES, SOFTWARE_PROFILED_POSITIONS)
    } else {
        (BATCHES, PROFILED_POSITIONS)
    };
    for size in sizes {
        // The time does not depend on the numbers, so these need not be real positions.
        let positions: Vec<Position> = (0..*size as u32).map(|i| [i; POSITION_WORDS]).collect();
        let mut seconds = f64::INFINITY;
        for _ in 0..REPEATS {
            let begin = Instant::now();
            let [mut outcomes, _] = evaluator.submit_values(&positions);
            while outcomes.poll()?.is_none() {
                gpu.wait();
            }
            seconds = seconds.min(begin.elapsed().as_secs_f64());
        }
        let rate = *size as f64 / seconds;
        let share = rate * operations_per_position / peaks.flops_per_second;
        report(format!("gpu/backgammon/evaluate/{size}"), rate, "positions/s", Some(share));
    }
    for time in evaluator.profile(profiled)? {
        let name = format!("gpu/backgammon/evaluate/{profiled}/{} ({})", time.name, time.launches);
        report(name, time.seconds, "s", None);
    }
    Ok(())
}

/// Measures turns of self-play with the preset `gpu`, alternately on the GPU and on the CPU.
fn self_play(gpu: &Gpu, report: &mut Report) -> Result<(), GpuError> {
    let lab = Entry::of::<Backgammon>();
    let mut settings = lab.preset("gpu").expect("a preset of the lab");
    settings["eval_every"] = json!(0);
    if gpu.info().software {
        settings["games"] = json!(64);
        settings["horizon"] = json!(2);
    }
    let setting = |name: &str| settings[name].as_f64().expect("a number");
    let turns = setting("games") * setting("horizon");
    let gpu_error = |problem: String| GpuError::Failed(problem);
    let start = || Session::start(lab, &settings, 1).map_err(|e| gpu_error(e.to_string()));
    let mut on_device = start()?;
    on_device.use_gpu(gpu, Precision::F32).map_err(|e| gpu_error(e.to_string()))?;
    let mut sessions = [on_device, start()?];
    let mut fastest_seconds = [f64::INFINITY; 2];
    // The first unit compiles kernels. A game takes about 94 turns, which are three units of the preset, so
    // games end at their usual rate from then on. A unit learns from the games that ended in the one before.
    // On a software adapter no game ends, so learning is not measured.
    for unit in 0..WARM_UP_UNITS + MEASURED_UNITS {
        for (session, fastest) in sessions.iter_mut().zip(&mut fastest_seconds) {
            let begin = Instant::now();
            if session.advance_unit().status == Status::Failed {
                return Err(gpu_error(session.failure().unwrap_or_default()));
            }
            if unit >= WARM_UP_UNITS {
                *fastest = fastest.min(begin.elapsed().as_secs_f64());
            }
        }
    }
    let [device, processor] = fastest_seconds.map(|seconds| turns / seconds);
    report("gpu/backgammon/selfplay".into(), device, "turns/s", None);
    report("gpu/backgammon/selfplay/cpu-beside".into(), processor, "turns/s", None);
    report("gpu/backgammon/selfplay/gain".into(), device / processor, "times", None);
    Ok(())
}
