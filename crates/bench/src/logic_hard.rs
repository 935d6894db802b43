//! Execution of hard circuits of the logic lab: each gate is one of the sixteen logic functions of two
//! inputs, and computes many cells at once, one bit for each. One circuit has learned the game of life and is
//! pruned; the other has the size of the checkerboard experiment and is not.

use learnery_kernels::product;
use learnery_kernels::rng::Stream;

use super::learned_life;
use super::machine::PeakTask;
use super::measure::{Task, measure};
use super::{Bench, BenchContext, Measurement};
use learnery_logic::{
    CellCircuits, Experiment, GateKind, HardAutomaton, InitialKernels, Netlist, Parameters,
};

pub const LIFE: Bench = Bench {
    name: "logic/hard-life",
    unit: "cell-steps/s",
    about: "the learned game of life, a hard circuit pruned to 93 gates, on 1024x1024 cells",
    run: |context| {
        let grids = Grids { size: 1024, periodic: true, count: 1 };
        measure_steps(context, &learned_life::netlist(), grids)
    },
};

pub const CHECKERBOARD: Bench = Bench {
    name: "logic/hard-checkerboard",
    unit: "cell-steps/s",
    about: "a hard circuit of the checkerboard's size, 3,040 gates of random kinds, on 16 grids of 64x64 cells with 8 channels",
    run: |context| {
        let grids = Grids { size: 64, periodic: false, count: 16 };
        measure_steps(context, &random_checkerboard(), grids)
    },
};

/// The grids of one thread.
#[derive(Clone, Copy)]
struct Grids {
    /// Width and height in cells.
    size: usize,
    /// Whether opposite edges are neighbours. Otherwise cells beyond the edges count as zero.
    periodic: bool,
    /// The number of grids.
    count: usize,
}

/// A circuit with the wiring of seed 0 and random gate kinds, not pruned.
fn random_checkerboard() -> Netlist {
    let (parameters, initial) = (Parameters::Kinds, InitialKernels::Identical);
    let cell = CellCircuits::new(Experiment::Checkerboard, parameters, initial, Stream::new(0, 0));
    // The netlist has the wiring; its gate kinds are not yet chosen by training.
    let mut netlist = cell.netlist_without_kinds();
    let kinds = Stream::new(0, 1);
    for (i, gate) in netlist.gates.iter_mut().enumerate() {
        gate.kind = GateKind::from_number(kinds.below(i as u64, 0, 16) as u8);
    }
    netlist
}

/// Measures steps of grids. Each thread steps grids of its own, and the rate counts the cells of all threads.
///
/// The upper bound assumes that one instruction computes a gate for as many cells as a vector register has
/// bits. The lane of a float holds the bits of 32 cells, so the bound is 32 times the multiply-adds in a
/// second.
fn measure_steps(
    context: &BenchContext,
    netlist: &Netlist,
    Grids { size, periodic, count }: Grids,
) -> Measurement {
    let cells = size * size * count;
    let initial_cells = Stream::new(1, 0);
    let new_grids = || {
        let mut grids = HardAutomaton::new(netlist.clone(), [size; 2], periodic, count);
        for channel in 0..netlist.channels {
            let is_set = |cell: usize| initial_cells.uniform(cell as u64, channel as u64) < 0.5;
            grids.set_channel(channel, (0..cells).map(is_set));
        }
        grids
    };
    let mut states: Vec<HardAutomaton> = (0..context.threads).map(|_| new_grids()).collect();
    let mut ours = |iterations: u64| {
        // All cells are updated in every step (synchronously).
        let active = None;
        context.pool.for_each_state(&mut states, |grids| (0..iterations).for_each(|_| grids.step(active)));
    };
    let mut peak = PeakTask::new(context);
    let gflop_per_iteration = peak.gflop_per_iteration;
    let mut upper_bound = |iterations| peak.run(context, iterations);
    let tasks: &mut [Task] = &mut [&mut ours, &mut upper_bound];
    let samples = measure(context.clock, tasks);
    // A multiply-add counts as two operations.
    let multiply_adds_per_second = samples[1].rate * gflop_per_iteration * 1e9 / 2.0;
    /// The bits of a float.
    const CELLS_PER_FLOAT: f64 = 32.0;
    let cell_gates_per_second = CELLS_PER_FLOAT * multiply_adds_per_second;
    Measurement {
        sample: samples[0].scaled(product([cells, context.threads])),
        upper_bound: Some(cell_gates_per_second / netlist.gates.len() as f64),
        peer: None,
    }
}
