//! A scenario: grids that run with decided gates for a number of steps and are then compared with the target.

use learnery_kernels::rng::Stream;
use learnery_worlds::life::next_generation;

use crate::automaton::Network;
use crate::circuit::HardAutomaton;
use crate::experiment::{Experiment, InitialStates, centred, life_neighbourhood};

/// Width and height of the damaged square.
const DAMAGE: usize = 20;

pub struct Scenario {
    size: [usize; 2],
    count: usize,
    /// Steps of each round. The cells are compared with the target at the end of every round, and each round after the
    /// first begins with damage.
    rounds: Vec<usize>,
    hard: HardAutomaton,
    initial: InitialStates,
    /// What the shown channels are to become; one grid that stands for all, except in the game of life.
    target: Vec<Vec<bool>>,
    /// Scratch of one entry per cell; empty if all cells are always active.
    active: Vec<bool>,
    coins: Vec<f32>,
}

impl Scenario {
    /// `count` grids of this size.
    pub fn new(network: &Network, size: [usize; 2], count: usize, rounds: Vec<usize>) -> Self {
        let cells = size[0] * size[1] * count;
        let scratch = if network.experiment == Experiment::Async { cells } else { 0 };
        Self {
            hard: network.hard_automaton(size, count),
            initial: InitialStates::new(network.experiment, size, count),
            target: target(network, size, cells),
            active: vec![true; scratch],
            coins: vec![0.0; scratch],
            size,
            count,
            rounds,
        }
    }

    pub fn rounds(&self) -> &[usize] {
        &self.rounds
    }

    /// Puts all grids into initial state number `index`, and takes over the gates as they are decided now.
    pub fn begin(&mut self, network: &Network, stream: Stream, index: u64) {
        let Self { hard, initial, size: [width, height], count, .. } = self;
        network.redecide(hard);
        let cells = *width * *height * *count;
        initial.draw(stream, index);
        let life = network.experiment == Experiment::Life;
        for channel in 0..network.circuits.channels {
            let is_on =
                |cell: usize| if life { life_neighbourhood(cell) } else { initial.is_on(cell, channel) };
            hard.set_channel(channel, (0..cells).map(is_on));
        }
    }

    /// One step. `index` and `step` select the random numbers that decide which cells are active.
    pub fn step(&mut self, network: &Network, fire_rate: f64, stream: Stream, index: u64, step: usize) {
        if network.experiment == Experiment::Async {
            stream.fill_uniform_from(index, (step as u64) << 32, &mut self.coins);
            let rate = fire_rate as f32;
            self.active.iter_mut().zip(&self.coins).for_each(|(active, coin)| *active = *coin < rate);
        }
        self.hard.step((!self.active.is_empty()).then_some(&self.active[..]));
    }

    /// Damages a square in the middle of every grid: in even grids all channels become zero, in odd ones random. Only for
    /// the asynchronous experiment.
    pub fn damage(&mut self, network: &Network, stream: Stream, index: u64) {
        let [width, height] = self.size;
        let cells = width * height;
        let within = |at: usize, size: usize| (size / 2 - DAMAGE / 2..size / 2 + DAMAGE / 2).contains(&at);
        for channel in 0..network.circuits.channels {
            // The active cells are drawn again before the next step, so their buffer is free.
            let state = &mut self.active;
            state.iter_mut().zip(self.hard.channel(channel)).for_each(|(state, on)| *state = on);
            for (cell, state) in state.iter_mut().enumerate() {
                let (grid, x, y) = (cell / cells, cell % width, cell % cells / width);
                if within(x, width) && within(y, height) {
                    let coin = || stream.uniform(index, 1 << 60 | (cell * 64 + channel) as u64) < 0.5;
                    *state = grid % 2 == 1 && coin();
                }
            }
            self.hard.set_channel(channel, state.iter().copied());
        }
    }

    /// Shown cells that differ from the target.
    pub fn count_wrong(&self) -> u64 {
        let wrong = |(channel, target): (usize, &Vec<bool>)| {
            let pairs = self.hard.channel(channel).zip(target.iter().cycle());
            pairs.filter(|(got, target)| got != *target).count()
        };
        self.target.iter().enumerate().map(wrong).sum::<usize>() as u64
    }

    /// Number of shown cells.
    pub fn shown_cells(&self) -> u64 {
        (self.size[0] * self.size[1] * self.count * self.target.len()) as u64
    }

    #[cfg(test)]
    pub fn channel(&self, channel: usize) -> Vec<bool> {
        self.hard.channel(channel).collect()
    }
}

fn target(network: &Network, size: [usize; 2], cells: usize) -> Vec<Vec<bool>> {
    if let Some(drawn) = &network.drawn_target {
        let own = network.experiment.setup().size;
        return drawn.iter().map(|plane| centred(plane, own, size)).collect();
    }
    network.experiment.target(size[0], size[1]).unwrap_or_else(|| {
        let alive: Vec<bool> = (0..cells).map(life_neighbourhood).collect();
        let mut next = vec![false; cells];
        next_generation(size, &alive, &mut next);
        vec![next]
    })
}
