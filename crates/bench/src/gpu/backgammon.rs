//! AlphaZero: evaluation of positions alone, then self-play with learning beside it on the GPU, and on the CPU of the same
//! machine.

use std::time::Instant;

use learnery_backgammon::Backgammon;
use learnery_gpu::bench::Peaks;
use learnery_gpu::resnet::{Evaluator, POSITION_WORDS, Position};
use learnery_gpu::{Gpu, GpuError, Precision};
use learnery_lab::{Entry, Session, Status};
use serde_json::json;

use super::Line;
use crate::networks::Network;

/// Units that are not measured.
const IDLE_UNITS: usize = 3;

/// Repetitions of a measurement; the fastest counts, because other load only makes it slower.
const REPEATS: usize = 10;

/// Measures evaluations, then self-play.
pub fn run(gpu: &Gpu, peaks: Peaks, line: &mut Line) -> Result<(), GpuError> {
    evaluations(gpu, peaks, line)?;
    self_play(gpu, line)
}

/// Positions a second of one request, there and back, and the times of its kernels.
fn evaluations(gpu: &Gpu, peaks: Peaks, line: &mut Line) -> Result<(), GpuError> {
    let Network { net, weights } = Network::new();
    let evaluator = Evaluator::new(gpu, &net, weights.len())?;
    evaluator.set_weights(weights.flat());
    let operations = 2.0 * weights.len() as f64;
    let sizes: &[usize] = if gpu.info().software { &[32] } else { &[128, 1024, 4096, 8192, 32_768] };
    for size in sizes {
        // Any numbers of checkers take as long as those of real positions.
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
        let share = rate * operations / peaks.flops_per_second;
        line(format!("gpu/backgammon/evaluate/{size}"), rate, "positions/s", Some(share));
    }
    for time in evaluator.profile(sizes[0].max(4096))? {
        line(
            format!("gpu/backgammon/evaluate/4096/{} ({})", time.name, time.launches),
            time.seconds,
            "s",
            None,
        );
    }
    Ok(())
}

/// Measures turns of the preset `gpu`, on both devices in turn.
fn self_play(gpu: &Gpu, line: &mut Line) -> Result<(), GpuError> {
    let lab = Entry::of::<Backgammon>();
    let mut settings = lab.preset("gpu").expect("a preset of the lab");
    settings["eval_every"] = json!(0);
    if gpu.info().software {
        settings["games"] = json!(64);
        settings["horizon"] = json!(2);
    }
    let number = |name: &str| settings[name].as_f64().expect("a number");
    let turns = number("games") * number("horizon");
    let failed = |problem: String| GpuError::Failed(problem);
    let start = || Session::start(lab, &settings, 1).map_err(|e| failed(e.to_string()));
    let mut on_device = start()?;
    on_device.use_gpu(gpu, Precision::F32).map_err(|e| failed(e.to_string()))?;
    let mut sessions = [on_device, start()?];
    let mut seconds = [f64::INFINITY; 2];
    // The first unit compiles kernels, and games of untrained players are long: only after `IDLE_UNITS` have enough of them
    // ended for a unit to learn as well. The fastest of the others counts.
    for unit in 0..IDLE_UNITS + 2 {
        for (session, best) in sessions.iter_mut().zip(&mut seconds) {
            let begin = Instant::now();
            if session.advance_unit().status == Status::Failed {
                return Err(failed(session.failure().unwrap_or_default()));
            }
            if unit >= IDLE_UNITS {
                *best = best.min(begin.elapsed().as_secs_f64());
            }
        }
    }
    let [device, processor] = seconds.map(|seconds| turns / seconds);
    line("gpu/backgammon/selfplay".into(), device, "turns/s", None);
    line("gpu/backgammon/selfplay/cpu-beside".into(), processor, "turns/s", None);
    line("gpu/backgammon/selfplay/gain".into(), device / processor, "times", None);
    Ok(())
}
