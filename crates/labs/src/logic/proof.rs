//! The proof: what the decided circuit makes of starts it never learned from, and of grids far larger than it learned on.

use learnery_kernels::rng::Stream;

use super::experiment::Experiment;
use super::hard::HardAutomaton;
use super::network::Network;
use super::starts::{Starts, in_the_middle, live};

/// Width and height of the large checkerboard, and its steps.
const LARGE: (usize, usize) = (64, 80);
/// Width and height of the large grid where cells act when they like: a wound must fit, and, as on the grid that is learned
/// on, the squares must be odd in number from edge to edge.
const LARGE_ASYNC: usize = 42;
/// Width and height of the wound.
const WOUND: usize = 20;

/// Of 512 grids of three by three, the i-th holds the neighbourhood whose cells are the bits of i.
fn neighbourhood(cell: usize) -> bool {
    ((cell / 9) >> (cell % 9)) & 1 == 1
}

/// Grids that go through the same together.
struct Trial {
    size: [usize; 2],
    count: usize,
    /// Steps of each leg; at the end of each all cells must be right, and every later one begins with a wound.
    legs: Vec<usize>,
    hard: HardAutomaton,
    starts: Starts,
    target: Vec<Vec<bool>>,
    acting: Vec<bool>,
    coins: Vec<f32>,
}

impl Trial {
    fn new(network: &Network, size: [usize; 2], count: usize, legs: Vec<usize>) -> Self {
        let setup = network.experiment.setup();
        let cells = size[0] * size[1];
        let acting = if network.experiment == Experiment::Async { cells * count } else { 0 };
        let mut trial = Self {
            hard: HardAutomaton::new(&network.brain, &network.logits, size, setup.periodic, count),
            starts: Starts::new(network.experiment, size, count),
            target: vec![vec![false; cells]; setup.shown],
            acting: vec![true; acting],
            coins: vec![0.0; acting],
            size,
            count,
            legs,
        };
        trial.aim(network);
        trial
    }

    /// Takes over what the network is to grow.
    fn aim(&mut self, network: &Network) {
        let setup = network.experiment.setup();
        let [width, height] = self.size;
        let planes = match &network.drawn {
            Some(drawn) => {
                Some(drawn.iter().map(|plane| in_the_middle(plane, setup.size, self.size)).collect())
            }
            None => network.experiment.target(width, height),
        };
        if let Some(planes) = planes {
            self.target = planes;
        } else {
            let alive: Vec<bool> = (0..width * height * self.count).map(neighbourhood).collect();
            self.target[0].resize(alive.len(), false);
            live(self.size, &alive, &mut self.target[0]);
        }
    }

    /// Puts it where it begins.
    fn begin(&mut self, network: &Network, stream: Stream, index: u64) {
        let Self { hard, starts, size: [width, height], count, .. } = self;
        hard.decide(&network.brain, &network.logits);
        let cells = *width * *height * *count;
        starts.draw(stream, index);
        let life = network.experiment == Experiment::Life;
        for channel in 0..network.brain.channels {
            let at = |cell: usize| if life { neighbourhood(cell) } else { starts.at(cell, channel) };
            hard.put(channel, (0..cells).map(at));
        }
    }

    /// One step; `index` and `step` say which random numbers decide who acts.
    fn step(&mut self, network: &Network, rate: f64, stream: Stream, index: u64, step: usize) {
        if network.experiment == Experiment::Async {
            stream.fill_uniform_from(index, (step as u64) << 32, &mut self.coins);
            let rate = rate as f32;
            self.acting.iter_mut().zip(&self.coins).for_each(|(acts, coin)| *acts = *coin < rate);
        }
        self.hard.step((!self.acting.is_empty()).then_some(&self.acting[..]));
    }

    /// Wounds every grid in its middle: all channels of every other grid become zero, those of the others random.
    fn wound(&mut self, network: &Network, stream: Stream, index: u64) {
        let [width, height] = self.size;
        let cells = width * height;
        let hurt = |at: usize, size: usize| (size / 2 - WOUND / 2..size / 2 + WOUND / 2).contains(&at);
        for channel in 0..network.brain.channels {
            // Who acts is drawn anew before the next step.
            let state = &mut self.acting;
            state.iter_mut().zip(self.hard.get(channel)).for_each(|(state, on)| *state = on);
            for (cell, state) in state.iter_mut().enumerate() {
                let (grid, x, y) = (cell / cells, cell % width, cell % cells / width);
                if hurt(x, width) && hurt(y, height) {
                    let coin = || stream.uniform(index, 1 << 60 | (cell * 64 + channel) as u64) < 0.5;
                    *state = grid % 2 == 1 && coin();
                }
            }
            self.hard.put(channel, state.iter().copied());
        }
    }

    /// Shown cells that are wrong.
    fn wrong(&self) -> u64 {
        let wrong = |(channel, target): (usize, &Vec<bool>)| {
            self.hard.get(channel).zip(target.iter().cycle()).filter(|(got, target)| got != *target).count()
        };
        self.target.iter().enumerate().map(wrong).sum::<usize>() as u64
    }

    fn shown(&self) -> u64 {
        (self.size[0] * self.size[1] * self.count * self.target.len()) as u64
    }
}

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
