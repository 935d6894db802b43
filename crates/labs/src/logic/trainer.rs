//! An epoch of learning: a batch from its start, squared error at the end, one step of AdamW; and what the same batch comes
//! to with every gate decided.

use learnery_kernels::gates::KINDS;
use learnery_kernels::rng::Stream;
use learnery_nn::{Adam, AdamOptions};

use super::automaton::{Automaton, Brain};
use super::experiment::{Experiment, Setup, lives};
use super::grid::Grids;
use super::hard::HardAutomaton;

/// How sure every gate is at first that it hands on its first input.
const CERTAINTY: f32 = 10.0;
/// No part of the gradient may be larger.
const LARGEST: f32 = 100.0;

/// What the random numbers are for.
mod purpose {
    pub const WIRES: u32 = 0;
    pub const START: u32 = 1;
    pub const AWAKE: u32 = 2;
}

/// An automaton that learns.
pub struct Trainer {
    /// What is to be grown.
    pub experiment: Experiment,
    setup: Setup,
    /// The circuits.
    pub brain: Brain,
    /// What the gates lean towards. // [KINDS * gates]
    pub logits: Vec<f32>,
    d_logits: Vec<f32>,
    adam: Adam,
    soft: Automaton,
    hard: HardAutomaton,
    /// What the shown channels are to become. // [shown][cells of all grids]
    target: Vec<Vec<f32>>,
    start: Stream,
    awake: Stream,
    /// Epochs done.
    pub epochs: u64,
}

/// What came of an epoch.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Losses {
    /// Squared error, summed.
    pub soft: f64,
    /// Cells that were wrong with every gate decided.
    pub hard: u32,
}

impl Trainer {
    /// Nothing learned yet.
    pub fn new(experiment: Experiment, seed: u32) -> Self {
        let setup = experiment.setup();
        let brain = setup.brain(Stream::new(seed, purpose::WIRES));
        let grids = Grids::new(setup.size, setup.size, setup.periodic, setup.batch, setup.channels);
        let logits = brain.pass_through(CERTAINTY);
        let sleepy = setup.fire_rate < 1.0;
        let cells = grids.cells() * setup.batch;
        let of_one =
            experiment.target(setup.size, setup.size).unwrap_or_else(|| vec![vec![false; grids.cells()]]);
        let all =
            |plane: Vec<bool>| plane.iter().cycle().take(cells).map(|on| f32::from(u8::from(*on))).collect();
        Self {
            experiment,
            hard: HardAutomaton::new(&brain, &logits, [setup.size; 2], setup.periodic, setup.batch),
            soft: Automaton::new(&brain, grids, setup.steps, sleepy),
            d_logits: vec![0.0; logits.len()],
            adam: Adam::new(logits.len()),
            target: of_one.into_iter().map(all).collect(),
            start: Stream::new(seed, purpose::START),
            awake: Stream::new(seed, purpose::AWAKE),
            epochs: 0,
            logits,
            brain,
            setup,
        }
    }

    /// One epoch.
    pub fn epoch(&mut self) -> Losses {
        self.begin();
        let hard = self.run_hard();
        self.soft.run(&self.brain, &self.logits);
        let soft = self.judge();
        self.soft.back(&self.brain, &self.logits, &mut self.d_logits);
        self.d_logits.iter_mut().for_each(|d| *d = d.clamp(-LARGEST, LARGEST));
        let options = AdamOptions {
            lr: self.setup.learning_rate as f32,
            betas: (0.9, 0.99),
            weight_decay: 1e-2,
            ..AdamOptions::default()
        };
        self.adam.step(&mut self.logits, &self.d_logits, &options);
        self.epochs += 1;
        Losses { soft, hard }
    }

    /// Puts the batch of this epoch where it begins.
    fn begin(&mut self) {
        let Self { setup, experiment, start, soft, hard, epochs, .. } = self;
        let cells = setup.size * setup.size * setup.batch;
        for channel in 0..setup.channels {
            let at = |cell: usize| experiment.start(*start, *epochs, cell, channel);
            soft.put(channel, (0..cells).map(|cell| f32::from(u8::from(at(cell)))));
            hard.put(channel, (0..cells).map(at));
        }
        if *experiment == Experiment::Life {
            let alive: Vec<bool> = hard.get(0).collect();
            let size = setup.size;
            for (cell, target) in self.target[0].iter_mut().enumerate() {
                let (first, x, y) = (cell / 9 * 9, cell % size, cell / size % size);
                // In a grid of three by three whose edges meet, all others are neighbours.
                let neighbours = (0..9).filter(|i| *i != y * size + x && alive[first + i]).count();
                *target = f32::from(u8::from(lives(alive[cell], neighbours)));
            }
        }
        if setup.fire_rate < 1.0 {
            for step in 0..setup.steps {
                let awake = self.awake;
                let rate = setup.fire_rate as f32;
                soft.wake(step, (0..cells).map(|cell| acts(awake, *epochs, step, cell, rate)));
            }
        }
    }

    fn run_hard(&mut self) -> u32 {
        let Self { setup, hard, brain, logits, epochs, awake, .. } = self;
        hard.decide(brain, logits);
        let cells = setup.size * setup.size * setup.batch;
        for step in 0..setup.steps {
            let awake: Option<Vec<bool>> = (setup.fire_rate < 1.0).then(|| {
                (0..cells).map(|cell| acts(*awake, *epochs, step, cell, setup.fire_rate as f32)).collect()
            });
            hard.step(awake.as_deref());
        }
        let wrong = |(channel, target): (usize, &Vec<f32>)| {
            hard.get(channel).zip(target).filter(|(got, target)| *got != (**target > 0.5)).count() as u32
        };
        self.target.iter().enumerate().map(wrong).sum()
    }

    /// The squared error at the end, and its gradient.
    fn judge(&mut self) -> f64 {
        let (grids, last, d_state) = self.soft.d_state();
        d_state.fill(0.0);
        let mut loss = 0.0;
        for (channel, target) in self.target.iter().enumerate() {
            for (cell, target) in target.iter().enumerate() {
                let at = grids.at(cell, channel);
                let error = last[at] - target;
                loss += f64::from(error * error);
                d_state[at] = 2.0 * error;
            }
        }
        loss
    }

    /// Every kind's share of all gates, by what they lean towards most.
    pub fn census(&self) -> [u32; KINDS] {
        let mut counts = [0; KINDS];
        for circuit in [&self.brain.perception, &self.brain.update] {
            let at = if std::ptr::eq(circuit, &self.brain.perception) {
                0
            } else {
                KINDS * self.brain.perception.gates()
            };
            let decided = super::hard::HardCircuit::of(circuit, &self.logits[at..]);
            decided.layers.iter().flatten().for_each(|gate| counts[usize::from(gate.kind)] += 1);
        }
        counts
    }
}

fn acts(stream: Stream, epoch: u64, step: usize, cell: usize, rate: f32) -> bool {
    stream.uniform(epoch, (step << 20 | cell) as u64) < rate
}
