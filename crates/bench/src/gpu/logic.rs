//! Benchmarks of the logic lab on a GPU: epochs of training, and steps of hard circuits, 32 cells in a word.

use learnery_kernels::product;
use std::time::Instant;

use learnery_gpu::{Gpu, GpuError, Precision};
use learnery_kernels::rng::Stream;
use learnery_lab::{Entry, Session, Status};
use learnery_logic::gpu::{Circuit, PackedAutomaton};
use learnery_logic::{Logic, Netlist};
use serde_json::json;

use super::Line;
use crate::learned_life;

/// Cells in a row of the grids that are stepped.
const SIZES: [usize; 2] = [1024, 4096];

/// Repetitions of a measurement; the fastest counts, because other load only makes it slower.
const REPEATS: usize = 5;

/// Measures epochs of training, then hard circuits.
pub fn run(gpu: &Gpu, line: &mut Line) -> Result<(), GpuError> {
    for preset in ["checkerboard", "life"] {
        epochs(gpu, preset, line)?;
    }
    let life = learned_life::netlist();
    let sizes = if gpu.info().software { &SIZES[..1] } else { &SIZES };
    for size in sizes {
        hard_steps(gpu, "life", &life, *size, line)?;
    }
    // As many gates as the checkerboard has before pruning, to see what compiling them costs.
    compile(gpu, &random(8, 4096), line)
}

/// Seconds of an epoch: forward and backward pass, optimiser, and the CPU's run with hard gates beside them.
/// Local search and evaluation are off, because their time depends on the progress of learning.
fn epochs(gpu: &Gpu, preset: &str, line: &mut Line) -> Result<(), GpuError> {
    let epochs = if gpu.info().software { 2 } else { 100 };
    let lab = Entry::of::<Logic>();
    let mut settings = lab.preset(preset).expect("a preset of the lab");
    let off = json!({"prove_every": 0, "mend": 0, "epochs": epochs});
    let fields = settings.as_object_mut().expect("settings are an object");
    fields.extend(off.as_object().expect("settings are an object").clone());
    let failed = |problem: String| GpuError::Failed(problem);
    let mut session = Session::start(lab, &settings, 1).map_err(|e| failed(e.to_string()))?;
    session.use_gpu(gpu, Precision::F32).map_err(|e| failed(e.to_string()))?;
    let mut unit = || {
        let begin = Instant::now();
        match session.advance_unit().status {
            Status::Failed => Err(failed(session.failure().unwrap_or_default())),
            _ => Ok(begin.elapsed().as_secs_f64() / f64::from(epochs)),
        }
    };
    // The first launches of all kernels.
    unit()?;
    let mut best = f64::INFINITY;
    for _ in 0..if gpu.info().software { 1 } else { REPEATS } {
        best = best.min(unit()?);
    }
    line(format!("gpu/logic/{preset}/epoch"), best, "s", None);
    Ok(())
}

fn circuit(netlist: &Netlist) -> Circuit {
    Circuit {
        channels: netlist.channels,
        gates: netlist.gates.iter().map(|gate| (gate.kind.number(), gate.inputs)).collect(),
        outputs: netlist.outputs.clone(),
        periodic: true,
    }
}

/// A circuit of random gates of all kinds, each of which reads some of the last 64 wires.
fn random(channels: usize, gates: usize) -> Circuit {
    let stream = Stream::new(1, 3);
    let inputs = 9 * channels as u32;
    let gate = |i: u32| {
        let wire = |place: u64| {
            let back = 1 + stream.below(u64::from(i), place, 64.min(inputs + i));
            inputs + i - back
        };
        ((i % 16) as u8, [wire(0), wire(1)])
    };
    let last = inputs + gates as u32;
    let outputs = (last - channels as u32..last).collect();
    Circuit { channels, gates: (0..gates as u32).map(gate).collect(), outputs, periodic: true }
}

/// Steps of cells a second, on a square grid whose edges wrap around.
fn hard_steps(
    gpu: &Gpu,
    name: &str,
    netlist: &Netlist,
    size: usize,
    line: &mut Line,
) -> Result<(), GpuError> {
    let mut automaton = PackedAutomaton::new(gpu, &circuit(netlist), [size; 2])?;
    let stream = Stream::new(1, 2);
    let cells = size as u64 * size as u64;
    automaton.set((0..netlist.channels as u64 * cells).map(|cell| stream.uniform(cell, 0) < 0.5));
    let steps = if gpu.info().software { 4 } else { 1000 };
    automaton.step(2);
    gpu.wait();
    let mut best = f64::INFINITY;
    for _ in 0..REPEATS {
        let begin = Instant::now();
        automaton.step(steps);
        gpu.wait();
        best = best.min(begin.elapsed().as_secs_f64());
    }
    let rate = product([size, size, steps]) / best;
    line(format!("gpu/logic/hard-{name}/{size}"), rate, "cell steps/s", None);
    Ok(())
}

/// Seconds until the first step of a circuit is done, most of which compile its code.
fn compile(gpu: &Gpu, circuit: &Circuit, line: &mut Line) -> Result<(), GpuError> {
    let begin = Instant::now();
    let mut automaton = PackedAutomaton::new(gpu, circuit, [32; 2])?;
    automaton.step(1);
    gpu.wait();
    line(format!("gpu/logic/compile/{}", circuit.gates.len()), begin.elapsed().as_secs_f64(), "s", None);
    Ok(())
}
