//! Decided circuits of the logic lab at work: one that learned the game of life, pruned, and one of the checkerboard's size
//! with all its gates.

use learnery_kernels::rng::Stream;

use super::learned_life;
use super::machine::Peak;
use super::measure::{Task, measure};
use super::{Bench, Machine, Outcome};
use learnery_logic::{
    CellCircuits, Experiment, GateKind, HardAutomaton, InitialKernels, Netlist, Parameters,
};

/// The game of life.
pub const LIFE: Bench = Bench {
    name: "logic/hard-life",
    unit: "cell-steps/s",
    about: "the game of life as it was learned, pruned to 93 gates, on 1024x1024 cells; all cells take a step",
    run: |machine| steps(machine, &learned_life::netlist(), 1024, true, 1),
};

/// All gates of a checkerboard's circuit.
pub const CHECKERBOARD: Bench = Bench {
    name: "logic/hard-checkerboard",
    unit: "cell-steps/s",
    about: "all 3,040 gates of a checkerboard's circuit, of random kinds, on 16 grids of 64x64; its kernels see 8 channels",
    run: |machine| steps(machine, &random_checkerboard(), 64, false, 16),
};

/// As it is wired for seed 0, every gate of any kind: nothing is left out, though much of it does nothing.
fn random_checkerboard() -> Netlist {
    let (parameters, initial) = (Parameters::Kinds, InitialKernels::Identical);
    let cell = CellCircuits::new(Experiment::Checkerboard, parameters, initial, Stream::new(0, 0));
    let mut netlist = cell.undecided_netlist();
    let kinds = Stream::new(0, 1);
    let each = netlist.gates.iter_mut().enumerate();
    each.for_each(|(i, gate)| gate.kind = GateKind::from_number(kinds.below(i as u64, 0, 16) as u8));
    netlist
}

/// Each thread has grids of its own. The limit is as many gates as there can be multiply-adds, each on as many cells as a
/// float has bits.
fn steps(machine: &Machine, netlist: &Netlist, size: usize, periodic: bool, count: usize) -> Outcome {
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
    let mut states: Vec<HardAutomaton> = (0..machine.threads).map(|_| grids()).collect();
    let mut ours = |turns: u64| {
        machine.pool.on_each(&mut states, |grids| (0..turns).for_each(|_| grids.step(None)));
    };
    let mut peak = Peak::of(machine);
    let gflop = peak.gflop;
    let mut limit = |turns| peak.work(machine, turns);
    let tasks: &mut [Task] = &mut [&mut ours, &mut limit];
    let samples = measure(machine.clock, tasks);
    let gates = 32.0 * samples[1].rate * gflop * 1e9 / 2.0;
    Outcome {
        sample: samples[0].scaled((cells * machine.threads) as f64),
        limit: Some(gates / netlist.gates.len() as f64),
        peer: None,
    }
}
