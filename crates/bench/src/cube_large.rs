//! The 3x3x3 in the cube lab: its network alone, beam search with it, and states solved by the trained
//! network.

use learnery_kernels::product;
use std::hint::black_box;

use learnery_cube::beam::{Beam, Guide, Limits};
use learnery_cube::large::{AnytimeSearch, Network, network_of, puzzle};
use learnery_cube::puzzle::State;
use learnery_cube::{CubeConfig, Method, PuzzleName, TurnMetric};
use learnery_kernels::rng::Stream;
use learnery_lab::Checkpoint;

use super::machine::PeakTask;
use super::measure::{Task, measure, measure_one};
use super::{Bench, BenchContext, Measurement};

/// The widths of the hidden layers of the preset `cube3`.
const HIDDEN: [usize; 2] = [512, 256];
/// The places of the cube's pieces. In each state, one input of each place has the value one.
const PLACES: usize = 20;
/// The quarter turns of the six faces in both directions.
pub const TURNS: usize = 12;

/// Multiply-adds of a forward pass for one state. Each addition of the sparse first layer counts as a
/// multiply-add.
pub const MULTIPLY_ADDS: usize = PLACES * HIDDEN[0] + HIDDEN[0] * HIDDEN[1] + HIDDEN[1] * TURNS;

/// States of one pass.
const ROWS: usize = 256;
/// The width of the beam. Tests of the benches have a narrow one, which runs the same code.
const WIDTH: usize = if cfg!(test) { 128 } else { 4096 };
/// The depth at which a search ends and a new one begins.
const MAX_DEPTH: usize = 60;

pub const FORWARD: Bench = Bench {
    name: "cube/forward3",
    unit: "states/s",
    about: "the distilled network of the preset `cube3` (480-512-256-12 with layer norm), 256 states at a time",
    run: forward,
};

pub const BEAM: Bench = Bench {
    name: "cube/beam",
    unit: "children/s",
    about: "beam search of the 3x3x3 with 4,096 states at each depth and the network of `cube/forward3`, whose passes alone are the peer",
    run: measure_beam,
};

pub const SOLVE: Bench = Bench {
    name: "cube/solve3",
    unit: "states/s",
    about: "uniformly random states of the 3x3x3 solved by the trained network, from the state and its inverse, with beams of 4,096",
    run: solve,
};

/// The distilled network, with random weights.
pub fn new_network() -> Network {
    let [hidden_1, hidden_2] = HIDDEN.map(|size| size as u32);
    let config = CubeConfig {
        puzzle: PuzzleName::Three,
        learner: Method::Cayleypy,
        hidden_1,
        hidden_2,
        ..CubeConfig::default()
    };
    Network::new(&config, puzzle(), Stream::new(0, 0)).with_distances_after_turns(&config)
}

/// Random states of one pass.
fn random_states() -> Vec<State> {
    (0..ROWS as u64).map(|i| puzzle().random_state(Stream::new(0, 1), i)).collect()
}

/// Returns a task that runs a pass of the network on each thread. All threads read the same states and have
/// buffers of their own.
fn pass_task<'a>(context: &'a BenchContext, network: &'a Network) -> impl FnMut(u64) + 'a {
    let states = random_states();
    let new_buffers = || (network.scratch(), vec![0.0; ROWS * TURNS]);
    let mut buffers_of_threads: Vec<_> = (0..context.threads).map(|_| new_buffers()).collect();
    move |iterations| {
        context.pool.for_each_state(&mut buffers_of_threads, |(scratch, scores)| {
            for _ in 0..iterations {
                network.score(black_box(&states), scratch, scores);
            }
        });
    }
}

/// The benchmark [`FORWARD`].
fn forward(context: &BenchContext) -> Measurement {
    let network = new_network();
    let mut ours = pass_task(context, &network);
    let mut peak = PeakTask::new(context);
    let gflop_per_iteration = peak.gflop_per_iteration;
    let mut upper_bound = |iterations| peak.run(context, iterations);
    let tasks: &mut [Task] = &mut [&mut ours, &mut upper_bound];
    let samples = measure(context.clock, tasks);
    Measurement {
        sample: samples[0].scaled(product([ROWS, context.threads])),
        upper_bound: Some(samples[1].rate * gflop_per_iteration * 1e9 / product([2, MULTIPLY_ADDS])),
        peer: None,
    }
}

/// The benchmark [`BEAM`]. The upper bound counts only the multiply-adds of all passes, at the peak rate.
fn measure_beam(context: &BenchContext) -> Measurement {
    let network = new_network();
    let mut passes_alone = pass_task(context, &network);
    let mut searches = 0;
    let mut new_search = || {
        searches += 1;
        let start = puzzle().random_state(Stream::new(0, 2), searches);
        let mut beam =
            Beam::new(puzzle(), &start, Limits { turns: TURNS, width: WIDTH, max_depth: MAX_DEPTH });
        // The first layers are narrower than the beam and are not measured.
        context.pool.run(|| {
            while beam.layers().last().is_some_and(|layer| layer.states < WIDTH) {
                beam.step(&network);
            }
        });
        beam
    };
    let mut beam = new_search();
    let mut ours = |iterations: u64| {
        for _ in 0..iterations {
            if beam.depth() + 1 >= MAX_DEPTH {
                beam = new_search();
            }
            // An iteration is one layer, which takes several steps.
            let depth = beam.depth();
            context.pool.run(|| {
                while beam.depth() == depth {
                    beam.step(&network);
                }
            });
        }
    };
    let mut peak = PeakTask::new(context);
    let gflop_per_iteration = peak.gflop_per_iteration;
    let mut upper_bound = |iterations| peak.run(context, iterations);
    let tasks: &mut [Task] = &mut [&mut ours, &mut passes_alone, &mut upper_bound];
    let samples = measure(context.clock, tasks);
    Measurement {
        sample: samples[0].scaled(product([WIDTH, TURNS])),
        upper_bound: Some(
            // A pass over one state scores its children, one for each turn.
            TURNS as f64 * samples[2].rate * gflop_per_iteration * 1e9 / product([2, MULTIPLY_ADDS]),
        ),
        peer: Some(("passes alone", samples[1].scaled(product([ROWS, context.threads, TURNS])))),
    }
}

/// The network that the repository holds.
const TRAINED: &[u8] = include_bytes!("../../../models/cube3.safetensors");

/// The benchmark [`SOLVE`]. An iteration solves one state.
fn solve(context: &BenchContext) -> Measurement {
    let checkpoint = Checkpoint::from_bytes(TRAINED).expect("the trained network can be read");
    let network = network_of(&checkpoint).expect("it is of this lab");
    let mut solved = 0;
    let mut ours = |iterations: u64| {
        for _ in 0..iterations {
            let start = puzzle().random_state(Stream::new(0, 3), solved);
            solved += 1;
            // The state itself and its inverse.
            let variants = AnytimeSearch::all_variants(puzzle())[..2].to_vec();
            let mut search =
                AnytimeSearch::new(&network, &start, [WIDTH, WIDTH], variants, TurnMetric::Quarter);
            context.pool.run(|| {
                while !search.is_done() {
                    search.step(&network);
                }
            });
            black_box(search.best());
        }
    };
    Measurement::without_comparison(measure_one(context.clock, &mut ours))
}
