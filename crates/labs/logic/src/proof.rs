//! The proof: what the decided circuit makes of starts it never learned from, and of grids far larger than it learned on.

use learnery_kernels::rng::Stream;

use super::experiment::Experiment;
use super::network::Network;
use super::trial::Trial;

/// Width and height of the large checkerboard, and its steps.
const LARGE: (usize, usize) = (64, 80);
/// Width and height of the large grid where cells act when they like: a wound must fit, and, as on the grid that is learned
/// on, the squares must be odd in number from edge to edge.
const LARGE_ASYNC: usize = 42;

/// What one part of a proof came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Part {
    /// What was tried, in a few words.
    pub name: &'static str,
    /// Cells that were wrong.
    pub wrong: u64,
    /// Cells there were.
    pub cells: u64,
}

impl Part {
    /// The share that was right.
    pub fn right(&self) -> f64 {
        1.0 - self.wrong as f64 / self.cells as f64
    }
}

/// A proof, from its first step to its last.
pub struct Proof {
    trials: Vec<Trial>,
    parts: Vec<Part>,
    /// Where it is: which trial, which leg, which step of it; and the steps of the trial so far.
    at: [usize; 3],
    taken: usize,
    stream: Stream,
    index: u64,
}

impl Proof {
    /// A proof with `fresh` starts that nobody learned from, where they are random.
    pub fn new(network: &Network, steps: usize, fresh: usize, stream: Stream) -> Self {
        let size = [network.experiment.setup().size; 2];
        let trial = |size, count, legs| Trial::new(network, size, count, legs);
        // A picture that somebody drew is to be seen on the grid it was drawn for.
        let published = network.drawn.is_none();
        let (mut trials, mut names) = (Vec::new(), vec![]);
        match network.experiment {
            Experiment::Life => {
                trials.push(trial(size, 512, vec![steps]));
                names.push("all neighbourhoods");
            }
            Experiment::Checkerboard => {
                trials.push(trial(size, fresh, vec![steps]));
                names.push("fresh starts");
                if published {
                    trials.push(trial([LARGE.0; 2], 1, vec![LARGE.1]));
                    names.push("64x64 after 80 steps");
                }
            }
            Experiment::Async => {
                trials.push(trial(size, fresh, vec![2 * steps]));
                names.push("fresh starts at rest");
                if published {
                    let rest = steps * LARGE_ASYNC.div_ceil(size[0]) * 2;
                    trials.push(trial([LARGE_ASYNC; 2], 2, vec![rest, rest]));
                    names.extend(["42x42 at rest", "42x42 after a 20x20 wound"]);
                }
            }
            Experiment::Figure | Experiment::Letter => {
                trials.push(trial(size, 1, vec![steps]));
                names.push("the picture");
            }
        }
        let parts = names.into_iter().map(|name| Part { name, wrong: 0, cells: 0 }).collect();
        Self { trials, parts, at: [0; 3], taken: 0, stream, index: 0 }
    }

    /// Begins proof number `index`.
    pub fn begin(&mut self, index: u64) {
        self.at = [0; 3];
        self.index = index;
        self.parts.iter_mut().for_each(|part| (part.wrong, part.cells) = (0, 0));
    }

    /// One step; true when the proof is done.
    pub fn step(&mut self, network: &Network, fire_rate: f64) -> bool {
        let Self { trials, parts, at: [which, leg, step], taken, stream, index } = self;
        let part = trials[..*which].iter().map(|trial| trial.legs.len()).sum::<usize>() + *leg;
        let trial = &mut trials[*which];
        // Every trial has its own random numbers.
        let index = *index << 4 | *which as u64;
        if *step == 0 {
            if *leg == 0 {
                trial.begin(network, *stream, index << 1);
                *taken = 0;
            } else {
                trial.wound(network, *stream, index << 1);
            }
        }
        trial.step(network, fire_rate, *stream, index << 1 | 1, *taken);
        *taken += 1;
        *step += 1;
        if *step < trial.legs[*leg] {
            return false;
        }
        parts[part].wrong = trial.wrong();
        parts[part].cells = trial.shown();
        (*step, *leg) = (0, *leg + 1);
        if *leg == trial.legs.len() {
            (*leg, *which) = (0, *which + 1);
        }
        *which == trials.len()
    }

    /// What its parts came to.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// The least share of right cells in any part.
    pub fn right(&self) -> f64 {
        self.parts.iter().map(Part::right).fold(1.0, f64::min)
    }
}
