//! The proof that a decided circuit does its task: for the game of life an exhaustive check of all 512 neighbourhoods, for
//! the other experiments tests from random initial states never used in training, on larger grids, and after damage.

mod scenario;

use learnery_kernels::rng::Stream;

use crate::automaton::Network;
use crate::experiment::Experiment;
pub use scenario::Scenario;

/// Width and height of the large checkerboard, and its steps.
const LARGE: (usize, usize) = (64, 80);
/// Width and height of the large grid of the asynchronous experiment. It has room for the damage, and as on the training
/// grid the number of squares from edge to edge is odd.
const LARGE_ASYNC: usize = 42;

/// The result of one part of a proof.
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

/// A proof in progress. Each round of each scenario is one part.
pub struct Proof {
    scenarios: Vec<Scenario>,
    parts: Vec<Part>,
    /// The current scenario, its round, and the step of the round.
    position: [usize; 3],
    /// Steps of the current scenario over all rounds.
    scenario_steps: usize,
    stream: Stream,
    index: u64,
}

impl Proof {
    /// A proof from `initial_states` random initial states, where the experiment starts from such.
    pub fn new(network: &Network, steps: usize, initial_states: usize, stream: Stream) -> Self {
        let size = [network.experiment.setup().size; 2];
        let scenario = |size, count, rounds| Scenario::new(network, size, count, rounds);
        // A drawn picture is tested only on the grid it was drawn for.
        let published = network.drawn_target.is_none();
        let (mut scenarios, mut names) = (Vec::new(), vec![]);
        match network.experiment {
            Experiment::Life => {
                scenarios.push(scenario(size, 512, vec![steps]));
                names.push("all neighbourhoods");
            }
            Experiment::Checkerboard => {
                scenarios.push(scenario(size, initial_states, vec![steps]));
                names.push("fresh starts");
                if published {
                    scenarios.push(scenario([LARGE.0; 2], 1, vec![LARGE.1]));
                    names.push("64x64 after 80 steps");
                }
            }
            Experiment::Async => {
                scenarios.push(scenario(size, initial_states, vec![2 * steps]));
                names.push("fresh starts at rest");
                if published {
                    let rest = steps * LARGE_ASYNC.div_ceil(size[0]) * 2;
                    scenarios.push(scenario([LARGE_ASYNC; 2], 2, vec![rest, rest]));
                    names.extend(["42x42 at rest", "42x42 after a 20x20 wound"]);
                }
            }
            Experiment::Figure | Experiment::Letter => {
                scenarios.push(scenario(size, 1, vec![steps]));
                names.push("the picture");
            }
        }
        let parts = names.into_iter().map(|name| Part { name, wrong: 0, cells: 0 }).collect();
        Self { scenarios, parts, position: [0; 3], scenario_steps: 0, stream, index: 0 }
    }

    /// Starts proof number `index`, which selects its random numbers.
    pub fn begin(&mut self, index: u64) {
        self.position = [0; 3];
        self.index = index;
        self.parts.iter_mut().for_each(|part| (part.wrong, part.cells) = (0, 0));
    }

    /// One step of the automaton. Returns whether the proof is complete.
    pub fn step(&mut self, network: &Network, fire_rate: f64) -> bool {
        let Self { scenarios, parts, position: [which, round, step], scenario_steps, stream, index } = self;
        let part = scenarios[..*which].iter().map(|scenario| scenario.rounds().len()).sum::<usize>() + *round;
        let scenario = &mut scenarios[*which];
        // Every scenario has its own random numbers.
        let index = *index << 4 | *which as u64;
        if *step == 0 {
            if *round == 0 {
                scenario.begin(network, *stream, index << 1);
                *scenario_steps = 0;
            } else {
                scenario.damage(network, *stream, index << 1);
            }
        }
        scenario.step(network, fire_rate, *stream, index << 1 | 1, *scenario_steps);
        *scenario_steps += 1;
        *step += 1;
        if *step < scenario.rounds()[*round] {
            return false;
        }
        parts[part].wrong = scenario.count_wrong();
        parts[part].cells = scenario.shown_cells();
        (*step, *round) = (0, *round + 1);
        if *round == scenario.rounds().len() {
            (*round, *which) = (0, *which + 1);
        }
        *which == scenarios.len()
    }

    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// The fraction of right cells in the worst part.
    pub fn fraction_right(&self) -> f64 {
        self.parts.iter().map(Part::fraction_right).fold(1.0, f64::min)
    }
}
