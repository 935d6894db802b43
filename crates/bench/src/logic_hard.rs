//! Execution of discretised circuits of the logic lab: a pruned one that learned the game of life, and an unpruned one
//! of the checkerboard's size.

use learnery_kernels::rng::Stream;

use super::learned_life;
use super::machine::Peak;
use super::measure::{Task, measure};
use super::{Bench, BenchContext, Measurement};
use learnery_logic::{
    CellCircuits, Experiment, GateKind, HardAutomaton, InitialKernels, Netlist, Parameters,
};

pub const LIFE: Bench = Bench {
    name: "logic/hard-life",
    unit: "cell-steps/s",
    about: "the learned game of life, pruned to 93 gates, on 1024x1024 cells",
    run: |context| steps(context, &learned_life::netlist(), 1024, true, 1),
};

pub const CHECKERBOARD: Bench = Bench {
    name: "logic/hard-checkerboard",
    unit: "cell-steps/s",
    about: "all 3,040 gates of a checkerboard's circuit, of random kinds, on 16 grids of 64x64; its kernels see 8 channels",
    run: |context| steps(context, &random_checkerboard(), 64, false, 16),
};

/// The wiring of seed 0 with random gate kinds; nothing is pruned.
fn random_checkerboard() -> Netlist {
    let (parameters, initial) = (Parameters::Kinds, InitialKernels::Identical);
    let cell = CellCircuits::new(Experiment::Checkerboard, parameters, initial, Stream::new(0, 0));
    let mut netlist = cell.netlist_without_kinds();
    let kinds = Stream::new(0, 1);
    let each = netlist.gates.iter_mut().enumerate();
    each.for_each(|(i, gate)| gate.kind = GateKind::from_number(kinds.below(i as u64, 0, 16) as u8));
    netlist
}

/// Each thread has its own grids. The limit assumes one gate on 32 cells (the bits of a float) for each multiply-add at
/// peak.
fn steps(
    context: &BenchContext,
    netlist: &Netlist,
    size: usize,
    periodic: bool,
    count: usize,
) -> Measurement {
    let cells = size * size * count;
    let coins = Stream::new(1, 0);
    let grids = || {
        let mut grids = HardAutomaton::new(netlist.clone(), [size; 2], periodic, count);
        for channel in 0..netlist.channels {
            let coin = |cell: usize| coins.uniform(cell as u64, channel as u64) < 0.5;
            grids.set_channel(channel, (0..cells).map(coin));
        }
        grids
    };
    let mut states: Vec<HardAutomaton> = (0..context.threads).map(|_| grids()).collect();
    let mut ours = |iterations: u64| {
        context.pool.for_each_state(&mut states, |grids| (0..iterations).for_each(|_| grids.step(None)));
    };
    let mut peak = Peak::new(context);
    let gflop = peak.gflop;
    let mut limit = |iterations| peak.run(context, iterations);
    let tasks: &mut [Task] = &mut [&mut ours, &mut limit];
    let samples = measure(context.clock, tasks);
    let gates = 32.0 * samples[1].rate * gflop * 1e9 / 2.0;
    Measurement {
        sample: samples[0].scaled((cells * context.threads) as f64),
        limit: Some(gates / netlist.gates.len() as f64),
        peer: None,
    }
}
