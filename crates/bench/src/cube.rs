//! The cube lab, which learns to solve the 2x2x2 cube: its network alone, deep Q-learning (DQN), and time to
//! goal. `Stream::new(seed, id)` is a stream of random numbers; which one is arbitrary here.

use learnery_kernels::product;
use std::hint::black_box;

use learnery_kernels::rng::Stream;
use learnery_lab::{Budget, Context, Entry, Lab, Status};
use learnery_nn::{Dueling, Hidden, Layout, OneHotMlp, OneHotScratch, Scratch, Weights};
use learnery_worlds::cube::{STATES, STICKER_INPUTS, active_sticker_inputs};

use super::machine::PeakTask;
use super::measure::{Task, measure};
use super::time_to_goal::time_to_goal;
use super::{Bench, BenchContext, Measurement};
use learnery_cube::{Cube, CubeConfig};

/// The widths of the hidden layers of the preset `dqn`.
const HIDDEN: [usize; 2] = [128, 64];
/// The turns of the cube, which are the actions of the network.
const TURNS: usize = 6;
/// Inputs of value one in each state: one for each sticker, which has one input for each of six colours.
const ONES: usize = STICKER_INPUTS / 6;

/// Multiply-adds of a forward pass for one state. Each addition of the sparse first layer counts as a
/// multiply-add. The last layer has a head for the value of the state and one for the advantage of each turn.
const MULTIPLY_ADDS: usize = ONES * HIDDEN[0] + HIDDEN[0] * HIDDEN[1] + HIDDEN[1] * (1 + TURNS);

pub const FORWARD: Bench = Bench {
    name: "cube/forward",
    unit: "states/s",
    about: "144-128-64 dueling network with layer norm, 256 states at a time; the peer is our own dense first layer, which multiplies all 144 inputs",
    run: forward,
};

pub const EPISODES: Bench = Bench {
    name: "cube/episodes",
    unit: "episodes/min",
    about: "the preset `dqn` with scrambles of 4 turns: 256 cubes in parallel, an update of 256 samples every other turn",
    run: episodes,
};

pub const SOLVE: Bench = Bench {
    name: "cube/solve/dqn",
    unit: "s",
    about: "the preset `dqn` until it solves all 2,944 states within 5 turns: median of three seeds",
    run: |context| {
        const SEEDS: u32 = if cfg!(test) { 1 } else { 3 };
        /// Seconds after which a run is stopped.
        const TIMEOUT_SECONDS: f64 = 600.0;
        time_to_goal(context, Entry::of::<Cube>(), "dqn", SEEDS, TIMEOUT_SECONDS)
    },
};

/// Inputs, outputs and scratch memory of the sparse and the dense network for one thread.
struct ThreadState {
    /// The inputs of value one, for the sparse network.
    /// Shape: `[ROWS, ONES]`.
    ones: Vec<u16>,
    /// The same inputs, for the dense network.
    /// Shape: `[ROWS, STICKER_INPUTS]`.
    x: Vec<f32>,
    /// The values of the turns (Q-values).
    /// Shape: `[ROWS, TURNS]`.
    q: Vec<f32>,
    scratch: OneHotScratch,
    dense_scratch: Scratch,
}

/// Measures forward passes of the sparse network (ours) and of the dense one (the peer).
fn forward(context: &BenchContext) -> Measurement {
    const ROWS: usize = 256;
    let (mut layout, mut dense_layout) = (Layout::default(), Layout::default());
    let dueling = true;
    let net = OneHotMlp::new(&mut layout, "net", [STICKER_INPUTS, ONES], &HIDDEN, TURNS, dueling);
    let dense = Dueling::new(&mut dense_layout, "net", STICKER_INPUTS, &HIDDEN, TURNS, Hidden::NORM_RELU);
    let (mut weights, mut dense_weights) = (Weights::new(layout), Weights::new(dense_layout));
    let last_gain = 1.0;
    weights.update(|params| net.init(params, last_gain, Stream::new(0, 0)));
    dense_weights.update(|params| dense.init(params, Stream::new(0, 0)));
    let new_state = || {
        let mut ones = vec![0; ROWS * ONES];
        for (i, ones) in ones.chunks_exact_mut(ONES).enumerate() {
            // A large prime as the step spreads the states over all that there are.
            active_sticker_inputs((i * 7919 % STATES) as u32, ones);
        }
        let mut x = vec![0.0; ROWS * STICKER_INPUTS];
        ones.iter().enumerate().for_each(|(i, one)| x[i / ONES * STICKER_INPUTS + usize::from(*one)] = 1.0);
        let (scratch, dense_scratch) = (net.scratch(), dense.scratch());
        ThreadState { ones, x, q: vec![0.0; ROWS * TURNS], scratch, dense_scratch }
    };
    let mut states: Vec<ThreadState> = (0..context.threads).map(|_| new_state()).collect();
    let mut dense_states: Vec<ThreadState> = (0..context.threads).map(|_| new_state()).collect();
    let mut peak = PeakTask::new(context);
    let mut ours = |iterations| {
        context.pool.for_each_state(&mut states, |s| {
            for _ in 0..iterations {
                net.infer(&weights, black_box(&s.ones), &mut s.scratch, &mut s.q);
            }
        });
    };
    let mut dense_products = |iterations| {
        context.pool.for_each_state(&mut dense_states, |s| {
            for _ in 0..iterations {
                dense.infer(&dense_weights, black_box(&s.x), ROWS, &mut s.dense_scratch, &mut s.q);
            }
        });
    };
    let gflop_per_iteration = peak.gflop_per_iteration;
    let mut upper_bound = |iterations| peak.run(context, iterations);
    let tasks: &mut [Task] = &mut [&mut ours, &mut dense_products, &mut upper_bound];
    let samples = measure(context.clock, tasks);
    let rows = product([ROWS, context.threads]);
    Measurement {
        sample: samples[0].scaled(rows),
        upper_bound: Some(samples[2].rate * gflop_per_iteration * 1e9 / product([2, MULTIPLY_ADDS])),
        peer: Some(("all inputs", samples[1].scaled(rows))),
    }
}

/// The benchmark [`EPISODES`]. The upper bound counts only the multiply-adds of all passes, at the peak rate.
fn episodes(context: &BenchContext) -> Measurement {
    let preset = Entry::of::<Cube>().preset("dqn").expect("the preset is there");
    let mut settings = serde_json::to_value(CubeConfig::default()).expect("settings are a table");
    for (name, value) in preset.as_object().into_iter().flatten() {
        settings[name] = value.clone();
    }
    let config: CubeConfig = serde_json::from_value(settings).expect("presets are valid");
    let config = CubeConfig { level_from: 4, level_to: 4, evaluate_every: 0, ..config };
    // Five passes for each sample: two over the next state (double Q-learning), one forward pass, and a
    // backward pass that costs as much as two. Acting adds one pass for each world.
    let passes_per_unit =
        5 * config.batch * config.updates + config.worlds * config.updates / config.act_every;
    let cx = Context { config: &config, seed: 0, unit: 0 };
    let mut lab = Cube::new(cx).expect("the settings are within their ranges");
    let mut advance_unit = || {
        context.pool.run(|| while Budget::unlimited().advance(&mut lab, cx) != Status::UnitFinished {});
        lab.episodes()
    };
    // The warm-up. The number of episodes varies from unit to unit, so the mean of the measured units counts.
    let (episodes_before, mut units) = (advance_unit(), 0u64);
    let mut episodes_after = episodes_before;
    let mut ours = |iterations: u64| {
        for _ in 0..iterations {
            episodes_after = advance_unit();
            units += 1;
        }
    };
    let mut peak = PeakTask::new(context);
    let gflop_per_iteration = peak.gflop_per_iteration;
    let mut upper_bound = |iterations| peak.run(context, iterations);
    let tasks: &mut [Task] = &mut [&mut ours, &mut upper_bound];
    let samples = measure(context.clock, tasks);
    let episodes_per_unit = (episodes_after - episodes_before) as f64 / units as f64;
    let passes_per_second = samples[1].rate * gflop_per_iteration * 1e9 / product([2, MULTIPLY_ADDS]);
    Measurement {
        // Per minute, like the unit of the bench.
        sample: samples[0].scaled(60.0 * episodes_per_unit),
        upper_bound: Some(60.0 * episodes_per_unit * passes_per_second / f64::from(passes_per_unit)),
        peer: None,
    }
}
