//! The proof that a hard circuit (every gate replaced by its most likely kind) solves its task without a
//! wrong cell. A proof has parts, each of which runs the automaton in another situation and counts the cells
//! that differ from the target.
//!
//! For the game of life it is an exhaustive check of all 512 neighbourhoods, and for the pictures one run
//! from the only initial state. For the checkerboards it is a test: random initial states that training never
//! used, larger grids, and, if cells update asynchronously, recovery from damage.

mod scenario;

use learnery_kernels::rng::Stream;

use crate::automaton::Network;
use crate::experiment::Experiment;
pub use scenario::{Scenario, ScenarioRandom};

/// Width and height of the large checkerboard.
const LARGE_SIZE: usize = 64;
/// Steps on the large checkerboard.
const LARGE_STEPS: usize = 80;
/// Width and height of the large grid of the asynchronous experiment. It has room around the damaged square.
/// The squares of the checkerboard are 2 cells wide; their number from edge to edge is odd (21), as it is on
/// the training grid (7).
const LARGE_ASYNC_SIZE: usize = 42;

/// The index of a scenario's random numbers is the proof's number, shifted left by this many bits, with the
/// number of the scenario in the low bits. So every scenario of every proof has random numbers of its own.
const SCENARIO_BITS: u32 = 4;

/// The result of one part of a proof: one round of one scenario.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Part {
    /// What was tested.
    pub name: &'static str,
    /// Cells that differed from the target.
    pub wrong: u64,
    /// Cells compared.
    pub cells: u64,
}

impl Part {
    pub fn fraction_right(&self) -> f64 {
        1.0 - self.wrong as f64 / self.cells as f64
    }
}

/// A proof, run step by step. Each round of each scenario gives one part of the result.
pub struct Proof {
    scenarios: Vec<Scenario>,
    /// The results in the order of the scenarios and their rounds. A part that has not been run has
    /// `cells` 0.
    parts: Vec<Part>,
    position: Position,
    stream: Stream,
    /// The proof's number, which selects its random numbers.
    number: u64,
}

/// The next step of a proof, by indices.
#[derive(Clone, Copy, Default)]
struct Position {
    scenario: usize,
    round: usize,
    step_of_round: usize,
    /// Steps of the scenario that are done, over all rounds.
    step_of_scenario: usize,
}

impl Proof {
    /// A proof for networks with this one's experiment and target. `steps` is the number of steps in
    /// training. `initial_states` is the number of random initial states; experiments with fixed ones ignore
    /// it.
    pub fn new(network: &Network, steps: usize, initial_states: usize, stream: Stream) -> Self {
        let size = [network.experiment.setup().size; 2];
        let scenario = |size, count, rounds| Scenario::new(network, size, count, rounds);
        // A drawn picture is tested only on the grid it was drawn for.
        let has_published_target = network.drawn_target.is_none();
        let (mut scenarios, mut names) = (Vec::new(), Vec::new());
        match network.experiment {
            Experiment::Life => {
                // One grid of 3x3 cells for each of the 512 neighbourhoods.
                scenarios.push(scenario(size, 512, vec![steps]));
                names.push("all neighbourhoods");
            }
            Experiment::Checkerboard => {
                scenarios.push(scenario(size, initial_states, vec![steps]));
                names.push("fresh starts");
                if has_published_target {
                    scenarios.push(scenario([LARGE_SIZE; 2], 1, vec![LARGE_STEPS]));
                    names.push("64x64 after 80 steps");
                }
            }
            Experiment::Async => {
                // After twice the steps of training a good circuit has come to rest: the picture must be
                // there and stay.
                scenarios.push(scenario(size, initial_states, vec![2 * steps]));
                names.push("fresh starts at rest");
                if has_published_target {
                    // Information needs more steps to cross a larger grid.
                    let round_steps = 2 * steps * LARGE_ASYNC_SIZE.div_ceil(size[0]);
                    // Two grids, one of which is damaged with zeros and one with random cells before the
                    // second round.
                    scenarios.push(scenario([LARGE_ASYNC_SIZE; 2], 2, vec![round_steps, round_steps]));
                    names.extend(["42x42 at rest", "42x42 after a 20x20 wound"]);
                }
            }
            Experiment::Figure | Experiment::Letter => {
                scenarios.push(scenario(size, 1, vec![steps]));
                names.push("the picture");
            }
        }
        let parts = names.into_iter().map(|name| Part { name, wrong: 0, cells: 0 }).collect();
        Self { scenarios, parts, position: Position::default(), stream, number: 0 }
    }

    /// Starts a proof. `number` selects its random numbers.
    pub fn begin(&mut self, number: u64) {
        self.position = Position::default();
        self.number = number;
        self.parts.iter_mut().for_each(|part| (part.wrong, part.cells) = (0, 0));
    }

    /// Runs one step of the automaton. Returns whether the proof is complete.
    pub fn step(&mut self, network: &Network, fire_rate: f64) -> bool {
        let Self { scenarios, parts, position, stream, number } = self;
        let rounds_before = scenarios[..position.scenario].iter().map(|scenario| scenario.rounds().len());
        let part = &mut parts[rounds_before.sum::<usize>() + position.round];
        let scenario = &mut scenarios[position.scenario];
        let random = ScenarioRandom::new(*stream, *number << SCENARIO_BITS | position.scenario as u64);
        if position.step_of_round == 0 {
            match position.round {
                0 => scenario.begin(network, random),
                _ => scenario.damage(random),
            }
        }
        scenario.step(network, fire_rate, random, position.step_of_scenario);
        position.step_of_scenario += 1;
        position.step_of_round += 1;
        if position.step_of_round < scenario.rounds()[position.round] {
            return false;
        }
        (part.wrong, part.cells) = (scenario.count_wrong(), scenario.shown_cells());
        (position.round, position.step_of_round) = (position.round + 1, 0);
        if position.round == scenario.rounds().len() {
            *position = Position { scenario: position.scenario + 1, ..Position::default() };
        }
        position.scenario == scenarios.len()
    }

    /// The number of steps that are done, and of all steps of the proof.
    pub fn steps(&self) -> [u64; 2] {
        let steps = |scenario: &Scenario| scenario.rounds().iter().map(|steps| *steps as u64).sum::<u64>();
        let before: u64 = self.scenarios[..self.position.scenario].iter().map(steps).sum();
        [before + self.position.step_of_scenario as u64, self.scenarios.iter().map(steps).sum()]
    }

    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// The fraction of right cells in the worst part.
    pub fn fraction_right(&self) -> f64 {
        self.parts.iter().map(Part::fraction_right).fold(1.0, f64::min)
    }
}
