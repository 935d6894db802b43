//! The differentiable logic lab trains circuits of soft gates, each a mixture of the sixteen two-input logic
//! gates (its kinds). Measured are training epochs, including the evaluation of the hard circuit, in which
//! every gate is replaced by its most likely kind. `Stream::new(seed, id)` is a stream of random numbers;
//! which one is arbitrary here.

use learnery_kernels::product;
use learnery_kernels::rng::Stream;
use learnery_lab::{Budget, Context, Lab, Status};

use super::machine::PeakTask;
use super::measure::{Sample, Task, measure};
use super::{Bench, BenchContext, Measurement};
use learnery_logic::{CellCircuits, Experiment, Logic, LogicConfig};

pub const CHECKERBOARD: Bench = Bench {
    name: "logic/checkerboard",
    unit: "s/epoch",
    about: "an epoch of the preset `checkerboard`: 512 cells, 20 steps forward and backward through 3,040 gates, and evaluation of the hard circuit, without local search",
    run: |context| epochs(context, LogicConfig::default()),
};

pub const LIFE: Bench = Bench {
    name: "logic/life",
    unit: "s/epoch",
    about: "an epoch of the preset `life`: 180 cells, one step forward and backward through 2,543 gates, and evaluation of the hard circuit",
    run: |context| {
        epochs(
            context,
            LogicConfig { experiment: Experiment::Life, batch: 20, steps: 1, ..LogicConfig::default() },
        )
    },
};

/// Multiply-adds of a gate for one cell: three forward, three to recompute the gate in the backward pass, ten
/// backward.
const MULTIPLY_ADDS_PER_GATE: f64 = 16.0;

/// Seconds per epoch. The bound (here a lower bound) is the time of the gates' multiply-adds at the peak
/// rate.
fn epochs(context: &BenchContext, config: LogicConfig) -> Measurement {
    let epochs_per_unit = if cfg!(test) { 1 } else { 4 };
    // Local search (trying changes of single gates) is off, because its time depends on the progress of
    // learning. So are the lab's tests of the hard circuit on further grids (`eval_every`).
    let config = LogicConfig { epochs: epochs_per_unit, eval_every: 0, local_search_tries: 0, ..config };
    let setup = config.experiment.setup();
    let (parameters, initial) = (config.parameters, config.initial_kernels);
    let circuits = CellCircuits::new(config.experiment, parameters, initial, Stream::new(0, 0));
    // The gates of one cell. The perception circuit, which reads the neighbouring cells, runs once for each
    // channel.
    let gates = setup.channels * circuits.perception.gates() + circuits.update.gates();
    let cells = setup.size * setup.size * config.batch as usize * config.steps as usize;
    let mut cx = Context { config: &config, seed: 0, unit: 0 };
    let mut lab = context.pool.run(|| Logic::new(cx).expect("the settings are within their ranges"));
    let mut ours = |iterations: u64| {
        for _ in 0..iterations {
            context.pool.run(|| while Budget::unlimited().advance(&mut lab, cx) != Status::UnitFinished {});
            cx.unit += 1;
        }
    };
    let mut peak = PeakTask::new(context);
    let gflop_per_iteration = peak.gflop_per_iteration;
    let mut upper_bound = |iterations| peak.run(context, iterations);
    let tasks: &mut [Task] = &mut [&mut ours, &mut upper_bound];
    let samples = measure(context.clock, tasks);
    // Here a rate is epochs per second; the measurement is seconds per epoch.
    let Sample { rate, spread } = samples[0].scaled(f64::from(epochs_per_unit));
    let lower_bound = 2.0 * MULTIPLY_ADDS_PER_GATE * product([gates, cells])
        / (samples[1].rate * gflop_per_iteration * 1e9);
    Measurement { sample: Sample { rate: 1.0 / rate, spread }, upper_bound: Some(lower_bound), peer: None }
}
