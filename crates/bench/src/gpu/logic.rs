//! Benchmarks of the logic lab on a GPU: epochs of training, and steps of hard circuits, 32 cells in a word.
//! `Stream::new(seed, id)` is a stream of random numbers; which one is arbitrary here.

use learnery_kernels::product;
use std::time::Instant;

use learnery_gpu::{Gpu, GpuError, Precision};
use learnery_kernels::rng::Stream;
use learnery_lab::{Entry, Session, Status};
use learnery_logic::gpu::{Circuit, PackedAutomaton};
use learnery_logic::{Logic, Netlist};
use serde_json::json;

use super::Report;
use crate::learned_life;

/// Widths and heights of the grids that are stepped, in cells.
const GRID_SIZES: [usize; 2] = [1024, 4096];

/// Repetitions of a measurement; the fastest counts, because other load only makes it slower.
const REPEATS: usize = 5;

/// Measures epochs of training, then hard circuits.
pub fn run(gpu: &Gpu, report: &mut Report) -> Result<(), GpuError> {
    for preset in ["checkerboard", "life"] {
        measure_epoch(gpu, preset, report)?;
    }
    let life = learned_life::netlist();
    let sizes = if gpu.info().software { &GRID_SIZES[..1] } else { &GRID_SIZES };
    for size in sizes {
        hard_steps(gpu, "life", &life, *size, report)?;
    }
    // The channels of the checkerboard's circuit, and some more gates than it has before pruning.
    measure_compilation(gpu, &random_circuit(8, 4096), report)
}

/// Measures an epoch in seconds: forward and backward pass, optimiser, and meanwhile the run of the hard
/// circuit on the CPU. Evaluation (`prove_every`) and local search (`mend`) are off, because their time
/// depends on the progress of learning.
fn measure_epoch(gpu: &Gpu, preset: &str, report: &mut Report) -> Result<(), GpuError> {
    let epochs = if gpu.info().software { 2 } else { 100 };
    let lab = Entry::of::<Logic>();
    let mut settings = lab.preset(preset).expect("a preset of the lab");
    let changed_settings = json!({"prove_every": 0, "mend": 0, "epochs": epochs});
    let fields = settings.as_object_mut().expect("settings are an object");
    fields.extend(changed_settings.as_object().expect("settings are an object").clone());
    let gpu_error = |problem: String| GpuError::Failed(problem);
    let mut session = Session::start(lab, &settings, 1).map_err(|e| gpu_error(e.to_string()))?;
    session.use_gpu(gpu, Precision::F32).map_err(|e| gpu_error(e.to_string()))?;
    let mut seconds_per_epoch = || {
        let begin = Instant::now();
        match session.advance_unit().status {
            Status::Failed => Err(gpu_error(session.failure().unwrap_or_default())),
            _ => Ok(begin.elapsed().as_secs_f64() / f64::from(epochs)),
        }
    };
    // The first launches of all kernels.
    seconds_per_epoch()?;
    let mut best = f64::INFINITY;
    for _ in 0..if gpu.info().software { 1 } else { REPEATS } {
        best = best.min(seconds_per_epoch()?);
    }
    report(format!("gpu/logic/{preset}/epoch"), best, "s", None);
    Ok(())
}

/// The circuit of a netlist, on a grid whose edges wrap around.
fn to_circuit(netlist: &Netlist) -> Circuit {
    Circuit {
        channels: netlist.channels,
        gates: netlist.gates.iter().map(|gate| (gate.kind.number(), gate.inputs)).collect(),
        outputs: netlist.outputs.clone(),
        periodic: true,
    }
}

/// A gate of the random circuit reads two of this many wires before its own.
const REACH: u32 = 64;

/// A circuit of random gates of all kinds.
fn random_circuit(channels: usize, gates: usize) -> Circuit {
    let stream = Stream::new(1, 3);
    // The cells of a 3x3 neighbourhood.
    let inputs = 9 * channels as u32;
    let gate = |i: u32| {
        let random_wire = |input: u64| {
            let distance = 1 + stream.below(u64::from(i), input, REACH.min(inputs + i));
            inputs + i - distance
        };
        ((i % 16) as u8, [random_wire(0), random_wire(1)])
    };
    let wires = inputs + gates as u32;
    // The last gates are the outputs.
    let outputs = (wires - channels as u32..wires).collect();
    Circuit { channels, gates: (0..gates as u32).map(gate).collect(), outputs, periodic: true }
}

/// Measures cell steps per second on a square grid whose edges wrap around.
fn hard_steps(
    gpu: &Gpu,
    name: &str,
    netlist: &Netlist,
    size: usize,
    report: &mut Report,
) -> Result<(), GpuError> {
    let mut automaton = PackedAutomaton::new(gpu, &to_circuit(netlist), [size; 2])?;
    let stream = Stream::new(1, 2);
    let cells = size as u64 * size as u64;
    automaton.set((0..netlist.channels as u64 * cells).map(|cell| stream.uniform(cell, 0) < 0.5));
    let steps = if gpu.info().software { 4 } else { 1000 };
    // The warm-up compiles the code, and touches the grids of even and of odd steps.
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
    report(format!("gpu/logic/hard-{name}/{size}"), rate, "cell steps/s", None);
    Ok(())
}

/// Measures the seconds until the first step of a circuit is done. Most of that time goes into compiling its
/// code.
fn measure_compilation(gpu: &Gpu, circuit: &Circuit, report: &mut Report) -> Result<(), GpuError> {
    let begin = Instant::now();
    let mut automaton = PackedAutomaton::new(gpu, circuit, [32; 2])?;
    automaton.step(1);
    gpu.wait();
    report(format!("gpu/logic/compile/{}", circuit.gates.len()), begin.elapsed().as_secs_f64(), "s", None);
    Ok(())
}
