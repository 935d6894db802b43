//! The cube lab: its network alone, and deep Q-learning as a whole.

use std::hint::black_box;

use learnery_kernels::rng::Stream;
use learnery_lab::{Budget, Context, Entry, Lab, Status};
use learnery_nn::{Dueling, Hidden, Layout, OneHotMlp, OneHotScratch, Scratch, Weights};
use learnery_worlds::cube::{STATES, STICKER_INPUTS, active_sticker_inputs};

use super::machine::Peak;
use super::measure::{Task, measure};
use super::solve::solve;
use super::{Bench, Machine, Outcome};
use learnery_cube::{Cube, CubeConfig};

/// The network of the preset `dqn`.
const HIDDEN: [usize; 2] = [128, 64];
const TURNS: usize = 6;
/// Stickers, each of which has one input that is one.
const ONES: usize = STICKER_INPUTS / 6;

/// Multiply-adds for one state: what sums of rows take in additions counts as as many, for each takes the place of one.
const STEPS: usize = ONES * HIDDEN[0] + HIDDEN[0] * HIDDEN[1] + HIDDEN[1] * (1 + TURNS);

/// The network alone.
pub const FORWARD: Bench = Bench {
    name: "cube/forward",
    unit: "states/s",
    about: "144-128-64 dueling network with layer norm, 256 states at a time; beside it, products with all 144 inputs",
    run: forward,
};

/// Learning as the preset `dqn` does, from scrambles of four turns.
pub const EPISODES: Bench = Bench {
    name: "cube/episodes",
    unit: "episodes/min",
    about: "the preset `dqn` with scrambles of 4 turns: 256 cubes side by side, an update of 256 steps every other turn",
    run: episodes,
};

/// From nothing to the goal of the preset `dqn`.
pub const SOLVE: Bench = Bench {
    name: "cube/solve/dqn",
    unit: "s",
    about: "the preset `dqn` from nothing until it solves all 2,944 states within 5 turns: median of three seeds",
    run: |machine| solve(machine, Entry::of::<Cube>(), "dqn", 3, 600.0),
};

/// Both networks and what they work in, for one thread.
struct State {
    ones: Vec<u16>,
    x: Vec<f32>,
    q: Vec<f32>,
    scratch: OneHotScratch,
    dense_scratch: Scratch,
}

fn forward(machine: &Machine) -> Outcome {
    const ROWS: usize = 256;
    let (mut layout, mut dense_layout) = (Layout::default(), Layout::default());
    let net = OneHotMlp::new(&mut layout, "net", [STICKER_INPUTS, ONES], &HIDDEN, TURNS, true);
    let dense = Dueling::new(&mut dense_layout, "net", STICKER_INPUTS, &HIDDEN, TURNS, Hidden::NORM_RELU);
    let (mut weights, mut dense_weights) = (Weights::new(layout), Weights::new(dense_layout));
    weights.update(|params| net.init(params, 1.0, Stream::new(0, 0)));
    dense_weights.update(|params| dense.init(params, Stream::new(0, 0)));
    let state = || {
        let mut ones = vec![0; ROWS * ONES];
        for (i, ones) in ones.chunks_exact_mut(ONES).enumerate() {
            active_sticker_inputs((i * 7919 % STATES) as u32, ones);
        }
        let mut x = vec![0.0; ROWS * STICKER_INPUTS];
        ones.iter().enumerate().for_each(|(i, one)| x[i / ONES * STICKER_INPUTS + usize::from(*one)] = 1.0);
        let (scratch, dense_scratch) = (net.scratch(), dense.scratch());
        State { ones, x, q: vec![0.0; ROWS * TURNS], scratch, dense_scratch }
    };
    let mut states: Vec<State> = (0..machine.threads).map(|_| state()).collect();
    let mut dense_states: Vec<State> = (0..machine.threads).map(|_| state()).collect();
    let mut peak = Peak::of(machine);
    let mut ours = |turns| {
        machine.pool.on_each(&mut states, |s| {
            for _ in 0..turns {
                net.infer(&weights, black_box(&s.ones), &mut s.scratch, &mut s.q);
            }
        });
    };
    let mut products = |turns| {
        machine.pool.on_each(&mut dense_states, |s| {
            for _ in 0..turns {
                dense.infer(&dense_weights, black_box(&s.x), ROWS, &mut s.dense_scratch, &mut s.q);
            }
        });
    };
    let gflop = peak.gflop;
    let mut limit = |turns| peak.work(machine, turns);
    let tasks: &mut [Task] = &mut [&mut ours, &mut products, &mut limit];
    let samples = measure(machine.clock, tasks);
    let rows = (ROWS * machine.threads) as f64;
    Outcome {
        sample: samples[0].scaled(rows),
        limit: Some(samples[2].rate * gflop * 1e9 / (2 * STEPS) as f64),
        peer: Some(("all inputs", samples[1].scaled(rows))),
    }
}

/// The limit is what the multiply-adds of all passes take.
fn episodes(machine: &Machine) -> Outcome {
    let preset = Entry::of::<Cube>().preset("dqn").expect("the preset is there");
    let mut settings = serde_json::to_value(CubeConfig::default()).expect("settings are a table");
    for (name, value) in preset.as_object().into_iter().flatten() {
        settings[name] = value.clone();
    }
    let config: CubeConfig = serde_json::from_value(settings).expect("presets are good");
    let config = CubeConfig { level_from: 4, level_to: 4, evaluate_every: 0, ..config };
    // Two passes over what follows, one forward and the double of it back; and the passes of those who act.
    let per_unit = 5 * config.batch * config.updates + config.worlds * config.updates / config.act_every;
    let cx = Context { config: &config, seed: 0, unit: 0 };
    let mut lab = Cube::new(cx).expect("the settings are within their ranges");
    let mut unit = || {
        machine.pool.run(|| while lab.advance(cx, &mut Budget::unlimited()) != Status::Unit {});
        lab.episodes()
    };
    let (first, mut units) = (unit(), 0u64);
    let mut last = first;
    let mut ours = |turns: u64| {
        for _ in 0..turns {
            last = unit();
            units += 1;
        }
    };
    let mut peak = Peak::of(machine);
    let gflop = peak.gflop;
    let mut limit = |turns| peak.work(machine, turns);
    let tasks: &mut [Task] = &mut [&mut ours, &mut limit];
    let samples = measure(machine.clock, tasks);
    let each = (last - first) as f64 / units as f64;
    let passes = samples[1].rate * gflop * 1e9 / (2 * STEPS) as f64;
    Outcome {
        sample: samples[0].scaled(60.0 * each),
        limit: Some(60.0 * each * passes / f64::from(per_unit)),
        peer: None,
    }
}
