//! Benchmarks of the cube lab on a GPU: learning of both puzzles, the scores of a beam search alone, and a
//! whole search. `Stream::new(seed, id)` is a stream of random numbers; which one is arbitrary here.

use learnery_kernels::product;
use std::time::Instant;

use learnery_cube::beam::{Beam, Limits, Outcome, Packed, RemoteGuide as _};
use learnery_cube::large::{DeviceGuide, puzzle};
use learnery_cube::{Cube, CubeConfig, PuzzleName};
use learnery_gpu::bench::Peaks;
use learnery_gpu::{Gpu, GpuError, Precision};
use learnery_kernels::rng::Stream;
use learnery_lab::{Entry, Session, Status};
use serde_json::json;

use super::Report;
use crate::cube_large::{MULTIPLY_ADDS, TURNS, new_network};

/// Repetitions of a measurement; the fastest counts, because other load only makes it slower.
const REPEATS: usize = 5;

/// Depth of the search that is measured; random states need about that many quarter turns.
const DEPTH: usize = 24;

/// Measures the presets `cube3` and `large`, which is a large network for the 2x2x2, then searches of the
/// 3x3x3.
pub fn run(gpu: &Gpu, peaks: Peaks, report: &mut Report) -> Result<(), GpuError> {
    for (preset, name) in [("cube3", PuzzleName::Three), ("large", PuzzleName::Two)] {
        learn(gpu, preset, name, report)?;
    }
    let mut guide = DeviceGuide::new(gpu, &new_network())?;
    score(gpu, &mut guide, peaks, report)?;
    search(gpu, &mut guide, report)
}

/// Measures learning: samples per second in whole units, with evaluations off.
fn learn(gpu: &Gpu, preset: &str, name: PuzzleName, report: &mut Report) -> Result<(), GpuError> {
    let lab = Entry::of::<Cube>();
    let updates = if gpu.info().software { 2 } else { 500 };
    let mut settings = lab.preset(preset).expect("a preset of the lab");
    settings["judge_every"] = json!(0);
    settings["updates"] = json!(updates);
    let batch = settings["batch"].as_f64().unwrap_or_else(|| f64::from(CubeConfig::default().batch));
    let gpu_error = |reason: String| GpuError::Failed(reason);
    let mut session = Session::start(lab, &settings, 1).map_err(|e| gpu_error(e.to_string()))?;
    session.use_gpu(gpu, Precision::F32).map_err(|e| gpu_error(e.to_string()))?;
    let mut seconds = f64::INFINITY;
    // Unit 0 launches all kernels for the first time and is not counted.
    for unit in 0..=if gpu.info().software { 1 } else { REPEATS } {
        let begin = Instant::now();
        if session.advance_unit().status != Status::UnitFinished {
            return Err(gpu_error(session.failure().unwrap_or_default()));
        }
        if unit > 0 {
            seconds = seconds.min(begin.elapsed().as_secs_f64());
        }
    }
    let puzzle = if name == PuzzleName::Three { "3x3x3" } else { "2x2x2" };
    report(format!("gpu/cube/learn/{puzzle}"), f64::from(updates) * batch / seconds, "samples/s", None);
    Ok(())
}

/// Submits states and blocks until their scores are there.
fn wait_for_scores(guide: &mut DeviceGuide, states: &[Packed]) -> Result<Vec<f32>, GpuError> {
    guide.submit(states);
    loop {
        guide.wait();
        if let Some(scores) = guide.poll()? {
            return Ok(scores);
        }
    }
}

/// Measures the scores of a beam search: children per second, in requests as large as a layer of a wide beam.
fn score(gpu: &Gpu, guide: &mut DeviceGuide, peaks: Peaks, report: &mut Report) -> Result<(), GpuError> {
    let count = if gpu.info().software { 1 << 10 } else { 1 << 16 };
    let states: Vec<Packed> =
        (0..count).map(|i| Packed::new(&puzzle().random_state(Stream::new(0, 1), i))).collect();
    let mut seconds = f64::INFINITY;
    for _ in 0..REPEATS {
        let begin = Instant::now();
        wait_for_scores(guide, &states)?;
        seconds = seconds.min(begin.elapsed().as_secs_f64());
    }
    // One evaluation of a state scores all its children, one for each turn.
    let states_per_second = count as f64 / seconds;
    let share = states_per_second * product([2, MULTIPLY_ADDS]) / peaks.flops_per_second;
    report("gpu/cube/score".into(), states_per_second * TURNS as f64, "children/s", Some(share));
    Ok(())
}

/// Measures a search from a random state, in seconds, and the part of it in which the CPU ranks children.
fn search(gpu: &Gpu, guide: &mut DeviceGuide, report: &mut Report) -> Result<(), GpuError> {
    let width = if gpu.info().software { 1 << 10 } else { 1 << 18 };
    let start = puzzle().random_state(Stream::new(0, 2), 1);
    let limits = Limits { turns: TURNS, width, max_depth: DEPTH };
    // `()`: the guide is on the device and needs no buffers of the search.
    let mut beam: Beam<()> = Beam::new(puzzle(), &start, limits);
    let begin = Instant::now();
    let mut ranking_seconds = 0.0;
    while *beam.outcome() == Outcome::Searching {
        let (depth, step_begin) = (beam.depth(), Instant::now());
        if !beam.step_remotely(guide)? {
            guide.wait();
        }
        if beam.depth() > depth {
            // A step that adds a layer has ranked the children and chosen the best.
            ranking_seconds += step_begin.elapsed().as_secs_f64();
        }
    }
    report(format!("gpu/cube/beam/{width}"), begin.elapsed().as_secs_f64(), "s", None);
    report(format!("gpu/cube/beam/{width}/ranking on the CPU"), ranking_seconds, "s", None);
    Ok(())
}
