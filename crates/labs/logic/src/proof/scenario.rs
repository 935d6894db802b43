//! A scenario: several grids run with hard gates (every gate replaced by its most likely kind) for a number
//! of steps, and are then compared with the target. The proof and local search both measure circuits this
//! way.

use learnery_kernels::rng::Stream;
use learnery_worlds::life::next_generation;

use crate::automaton::Network;
use crate::circuit::HardAutomaton;
use crate::experiment::{Experiment, InitialStates, centred, life_neighbourhood};

/// Width and height in cells of the square that [`Scenario::damage`] destroys.
const DAMAGE_SIZE: usize = 20;

// A random number is selected by a stream, an index and a sub-index.

/// Sub-indices below this are for initial states, those from here on for damage.
const DAMAGE_SUB_INDEX: u64 = 1 << 60;

/// Sub-indices per cell in [`Scenario::damage`], one for each channel. The asynchronous experiment has 8
/// channels.
const MAX_DAMAGED_CHANNELS: usize = 64;

/// The random numbers of one run of a scenario: a stream, and the index of the run in it.
#[derive(Clone, Copy)]
pub struct ScenarioRandom {
    stream: Stream,
    run: u64,
}

impl ScenarioRandom {
    pub const fn new(stream: Stream, run: u64) -> Self {
        Self { stream, run }
    }

    /// The stream's index for initial states and damage.
    fn state_index(self) -> u64 {
        self.run << 1
    }

    /// The stream's index for the choice of active cells.
    fn activity_index(self) -> u64 {
        self.run << 1 | 1
    }

    /// One uniform number per cell that decides whether the cell is active in a step. Steps are 2^32
    /// sub-indices apart, so they share no numbers.
    fn fill_activity(self, step: usize, uniforms: &mut [f32]) {
        self.stream.fill_uniform_from(self.activity_index(), (step as u64) << 32, uniforms);
    }

    /// The random value that damage gives to a cell's channel.
    fn damaged_value(self, cell: usize, channel: usize) -> bool {
        let place = cell as u64 * MAX_DAMAGED_CHANNELS as u64 + channel as u64;
        let sub_index = DAMAGE_SUB_INDEX | place;
        self.stream.uniform(self.state_index(), sub_index) < 0.5
    }
}

/// The grids of a scenario with their target. [`Self::begin`] sets the initial states, [`Self::step`] runs a
/// step, [`Self::damage`] precedes each round but the first, and [`Self::count_wrong`] follows each round.
pub struct Scenario {
    size: [usize; 2],
    /// Number of grids.
    count: usize,
    /// Steps of each round. The cells are compared with the target at the end of every round, and each round
    /// after the first begins with damage.
    rounds: Vec<usize>,
    hard: HardAutomaton,
    initial: InitialStates,
    /// The values that the shown channels (the first ones of each cell) must have after every round. All
    /// grids share the target of one grid, except in the game of life, where every grid has its own.
    /// Shape: `[shown channels][cells of one grid, or of all]`.
    target: Vec<Vec<bool>>,
    /// Whether each cell updates in the current step; empty if all cells always update.
    /// Shape: `[cells of all grids]`.
    active: Vec<bool>,
    /// A uniform number per cell: a cell is active if its number is below the fire rate. Empty like `active`.
    /// Shape: `[cells of all grids]`.
    uniforms: Vec<f32>,
}

impl Scenario {
    /// A scenario of `count` grids of this size.
    pub fn new(network: &Network, size: [usize; 2], count: usize, rounds: Vec<usize>) -> Self {
        let cells = size[0] * size[1] * count;
        let active_cells = if network.experiment == Experiment::Async { cells } else { 0 };
        Self {
            hard: network.hard_automaton(size, count),
            initial: InitialStates::new(network.experiment, size, count),
            target: make_target(network, size, cells),
            active: vec![true; active_cells],
            uniforms: vec![0.0; active_cells],
            size,
            count,
            rounds,
        }
    }

    pub fn rounds(&self) -> &[usize] {
        &self.rounds
    }

    /// Sets the initial state of all grids, and discretises the network's present gates.
    ///
    /// In the game of life the initial state is not random: grid i holds neighbourhood i.
    pub fn begin(&mut self, network: &Network, random: ScenarioRandom) {
        let Self { hard, initial, size: [width, height], count, .. } = self;
        network.discretise_into(hard);
        let cells = *width * *height * *count;
        initial.draw(random.stream, random.state_index());
        let is_life = network.experiment == Experiment::Life;
        for channel in 0..network.circuits.channels {
            let is_on =
                |cell: usize| if is_life { life_neighbourhood(cell) } else { initial.is_on(cell, channel) };
            hard.set_channel(channel, (0..cells).map(is_on));
        }
    }

    /// Runs one step. `step` counts from 0 at [`Self::begin`], through all rounds.
    pub fn step(&mut self, network: &Network, fire_rate: f64, random: ScenarioRandom, step: usize) {
        if network.experiment == Experiment::Async {
            random.fill_activity(step, &mut self.uniforms);
            let rate = fire_rate as f32;
            self.active
                .iter_mut()
                .zip(&self.uniforms)
                .for_each(|(active, uniform)| *active = *uniform < rate);
        }
        self.hard.step((!self.active.is_empty()).then_some(&self.active[..]));
    }

    /// Damages a square in the middle of every grid: all channels of its cells become zero in even-numbered
    /// grids, and random in odd-numbered ones. Only for the asynchronous experiment.
    pub fn damage(&mut self, random: ScenarioRandom) {
        let [width, height] = self.size;
        let cells = width * height;
        assert_eq!(self.active.len(), cells * self.count, "only the asynchronous experiment is damaged");
        assert!(self.initial.channels() <= MAX_DAMAGED_CHANNELS, "every channel has its own random number");
        let is_inside = |coordinate: usize, size: usize| {
            (size / 2 - DAMAGE_SIZE / 2..size / 2 + DAMAGE_SIZE / 2).contains(&coordinate)
        };
        // The buffer `active` holds a channel here. That does no harm: `step` overwrites it before reading
        // it.
        let values = &mut self.active;
        for channel in 0..self.initial.channels() {
            values.iter_mut().zip(self.hard.channel(channel)).for_each(|(value, on)| *value = on);
            for (cell, value) in values.iter_mut().enumerate() {
                let (grid, x, y) = (cell / cells, cell % width, cell % cells / width);
                if is_inside(x, width) && is_inside(y, height) {
                    *value = grid % 2 == 1 && random.damaged_value(cell, channel);
                }
            }
            self.hard.set_channel(channel, values.iter().copied());
        }
    }

    /// Returns how many shown cells differ from the target.
    pub fn count_wrong(&self) -> u64 {
        let wrong = |(channel, target): (usize, &Vec<bool>)| {
            // The target of one grid is repeated for every grid.
            let pairs = self.hard.channel(channel).zip(target.iter().cycle());
            pairs.filter(|(value, target)| value != *target).count()
        };
        self.target.iter().enumerate().map(wrong).sum::<usize>() as u64
    }

    /// Number of cells compared with the target, over all shown channels.
    pub fn shown_cells(&self) -> u64 {
        self.size[0] as u64 * self.size[1] as u64 * self.count as u64 * self.target.len() as u64
    }

    #[cfg(test)]
    pub fn channel(&self, channel: usize) -> Vec<bool> {
        self.hard.channel(channel).collect()
    }
}

/// The values that the shown channels must have. A drawn target lies in the middle of the grid. In the game
/// of life the target is one generation of the initial state.
///
/// Shapes: `-> [shown channels][cells of one grid; in the game of life `cells`, those of all grids]`.
fn make_target(network: &Network, size: [usize; 2], cells: usize) -> Vec<Vec<bool>> {
    if let Some(drawn) = &network.drawn_target {
        let drawn_size = network.experiment.setup().size;
        return drawn.iter().map(|plane| centred(plane, drawn_size, size)).collect();
    }
    network.experiment.target(size[0], size[1]).unwrap_or_else(|| {
        let alive: Vec<bool> = (0..cells).map(life_neighbourhood).collect();
        let mut next = vec![false; cells];
        next_generation(size, &alive, &mut next);
        vec![next]
    })
}
