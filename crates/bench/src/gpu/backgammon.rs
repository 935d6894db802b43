//! Self-play of AlphaZero with learning beside it: on the GPU, and on the CPU of the same machine.

use std::time::Instant;

use learnery_backgammon::Backgammon;
use learnery_gpu::{Gpu, GpuError, Precision};
use learnery_lab::{Entry, Session, Status};
use serde_json::json;

use super::Line;

/// Measures turns of the preset `gpu`, on both devices in turn.
pub fn run(gpu: &Gpu, line: &mut Line) -> Result<(), GpuError> {
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
    // The first units compile kernels and begin all games; the fastest of the others counts.
    for unit in 0..4 {
        for (session, best) in sessions.iter_mut().zip(&mut seconds) {
            let begin = Instant::now();
            if session.advance_unit().status == Status::Failed {
                return Err(failed(session.failure().unwrap_or_default()));
            }
            if unit > 0 {
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
