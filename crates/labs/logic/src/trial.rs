//! A trial: grids that go through some steps with every gate decided, at the end of which their cells must be right.

use learnery_kernels::rng::Stream;

use super::experiment::Experiment;
use super::hard::HardAutomaton;
use super::network::Network;
use super::starts::{Starts, in_the_middle, live};

/// Width and height of the wound.
const WOUND: usize = 20;

/// Of 512 grids of three by three, the i-th holds the neighbourhood whose cells are the bits of i.
fn neighbourhood(cell: usize) -> bool {
    ((cell / 9) >> (cell % 9)) & 1 == 1
}

/// Grids that go through the same together.
pub struct Trial {
    size: [usize; 2],
    count: usize,
    /// Steps of each leg; at the end of each all cells must be right, and every later one begins with a wound.
    pub legs: Vec<usize>,
    hard: HardAutomaton,
    starts: Starts,
    target: Vec<Vec<bool>>,
    acting: Vec<bool>,
    coins: Vec<f32>,
}

impl Trial {
    /// Grids of this size, that many side by side.
    pub fn new(network: &Network, size: [usize; 2], count: usize, legs: Vec<usize>) -> Self {
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
    pub fn aim(&mut self, network: &Network) {
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
    pub fn begin(&mut self, network: &Network, stream: Stream, index: u64) {
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
    pub fn step(&mut self, network: &Network, rate: f64, stream: Stream, index: u64, step: usize) {
        if network.experiment == Experiment::Async {
            stream.fill_uniform_from(index, (step as u64) << 32, &mut self.coins);
            let rate = rate as f32;
            self.acting.iter_mut().zip(&self.coins).for_each(|(acts, coin)| *acts = *coin < rate);
        }
        self.hard.step((!self.acting.is_empty()).then_some(&self.acting[..]));
    }

    /// Wounds every grid in its middle: all channels of every other grid become zero, those of the others random.
    pub fn wound(&mut self, network: &Network, stream: Stream, index: u64) {
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
    pub fn wrong(&self) -> u64 {
        let wrong = |(channel, target): (usize, &Vec<bool>)| {
            self.hard.get(channel).zip(target.iter().cycle()).filter(|(got, target)| got != *target).count()
        };
        self.target.iter().enumerate().map(wrong).sum::<usize>() as u64
    }

    /// Shown cells there are.
    pub fn shown(&self) -> u64 {
        (self.size[0] * self.size[1] * self.count * self.target.len()) as u64
    }

    /// A shown channel as it is.
    #[cfg(test)]
    pub fn shown_as(&self, channel: usize) -> Vec<bool> {
        self.hard.get(channel).collect()
    }
}
