//! The logic lab: an epoch of learning, with what the same batch comes to with every gate decided.

use learnery_kernels::rng::Stream;
use learnery_lab::{Budget, Context, Lab, Status};

use super::machine::Peak;
use super::measure::{Sample, Task, measure};
use super::{Bench, Machine, Outcome};
use learnery_logic::{CellCircuits, Experiment, Logic, LogicConfig};

/// Two grids of 16x16 cells, 20 steps.
pub const CHECKERBOARD: Bench = Bench {
    name: "logic/checkerboard",
    unit: "s/epoch",
    about: "an epoch of the preset `checkerboard`: 512 cells, 20 steps there and back through 3,040 gates, and decided, unmended",
    run: |machine| epochs(machine, LogicConfig::default()),
};

/// Twenty neighbourhoods, one step.
pub const LIFE: Bench = Bench {
    name: "logic/life",
    unit: "s/epoch",
    about: "an epoch of the preset `life`: 180 cells, one step there and back through 2,543 gates, and decided",
    run: |machine| {
        epochs(
            machine,
            LogicConfig { experiment: Experiment::Life, batch: 20, steps: 1, ..LogicConfig::default() },
        )
    },
};

/// Multiply-adds of a gate: three to work it out, as many to do so again on the way back, and ten for that way.
const OF_A_GATE: f64 = 16.0;

/// The limit is what the gates' multiply-adds take, each counted as one operation of a fused unit.
fn epochs(machine: &Machine, config: LogicConfig) -> Outcome {
    let each = if cfg!(test) { 1 } else { 4 };
    // Local search begins only after some learning, so it would make later epochs slower than the first.
    let config = LogicConfig { epochs: each, prove_every: 0, local_search_tries: 0, ..config };
    let setup = config.experiment.setup();
    let (parameters, initial) = (config.parameters, config.initial_kernels);
    let circuits = CellCircuits::new(config.experiment, parameters, initial, Stream::new(0, 0));
    let gates = setup.channels * circuits.perception.gates() + circuits.update.gates();
    let cells = setup.size * setup.size * config.batch as usize * config.steps as usize;
    let mut cx = Context { config: &config, seed: 0, unit: 0 };
    let mut lab = machine.pool.run(|| Logic::new(cx).expect("the settings are within their ranges"));
    let mut ours = |turns: u64| {
        for _ in 0..turns {
            machine.pool.run(|| while lab.advance(cx, &mut Budget::unlimited()) != Status::Unit {});
            cx.unit += 1;
        }
    };
    let mut peak = Peak::of(machine);
    let gflop = peak.gflop;
    let mut limit = |turns| peak.work(machine, turns);
    let tasks: &mut [Task] = &mut [&mut ours, &mut limit];
    let samples = measure(machine.clock, tasks);
    let Sample { rate, spread } = samples[0].scaled(f64::from(each));
    let least = 2.0 * OF_A_GATE * (gates * cells) as f64 / (samples[1].rate * gflop * 1e9);
    Outcome { sample: Sample { rate: 1.0 / rate, spread }, limit: Some(least), peer: None }
}
