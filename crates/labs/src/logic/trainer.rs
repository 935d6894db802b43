//! Epochs of learning: a batch from its start, squared error at the end, one step of AdamW; and what the same batch comes
//! to with every gate decided. An epoch is made of small steps, one for each step of the automaton there and back.

use learnery_kernels::rng::Stream;
use learnery_lab::LabError;
use learnery_nn::{Adam, AdamOptions, Tensors};

use super::automaton::Automaton;
use super::config::LogicConfig;
use super::experiment::{Experiment, Setup};
use super::grid::Grids;
use super::hard::HardAutomaton;
use super::network::Network;
use super::purpose;
use super::starts::{Starts, live};
use super::way_back::WayBack;

/// How much of the usual soft error an epoch makes.
const USUAL: f64 = 0.01;
/// The most that logits are multiplied by.
const SHARPEST: f64 = 1000.0;

/// An automaton that learns.
pub struct Trainer {
    setup: Setup,
    network: Network,
    /// The logits times the sharpness. // [logits]
    sharpened: Vec<f32>,
    d_logits: Vec<f32>,
    adam: Adam,
    soft: Automaton,
    back: WayBack,
    hard: HardAutomaton,
    starts: Starts,
    /// What the shown channels are to become. // [shown][cells of all grids]
    target: Vec<Vec<bool>>,
    /// The cells that act in each step. // [steps, cells of all grids], nothing where all always do
    acting: Vec<bool>,
    coins: Vec<f32>,
    /// Who is alive at the start; nothing but in the game of life.
    alive: Vec<bool>,
    /// Steps of this epoch that are done.
    step: usize,
    epochs: u64,
    losses: Losses,
    /// The soft error of late.
    usual: f64,
    /// What the logits are multiplied by: the inverse of a temperature. While the soft error stays small it grows, so that
    /// whatever undecided gates hide from it comes to light bit by bit and is learned away.
    sharpness: f64,
    seed: u32,
}

/// What came of an epoch.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Losses {
    /// Mean squared error of a shown cell and channel.
    pub soft: f64,
    /// Share of them that were wrong with every gate decided.
    pub hard: f64,
}

impl Trainer {
    /// Nothing learned yet.
    pub fn new(config: &LogicConfig, network: Network, seed: u32) -> Self {
        let setup = config.experiment.setup();
        let (size, batch, steps) = ([setup.size; 2], config.batch as usize, config.steps as usize);
        let grids = Grids::new(size[0], size[1], setup.periodic, batch, setup.channels);
        let cells = grids.cells() * batch;
        let sleepy = config.experiment == Experiment::Async;
        let acting = if sleepy { cells * steps } else { 0 };
        let mut run = Self {
            back: WayBack::new(&network.brain, &grids),
            hard: HardAutomaton::new(&network.brain, &network.logits, size, setup.periodic, batch),
            soft: Automaton::new(&network.brain, grids, steps, sleepy),
            starts: Starts::new(config.experiment, size, batch),
            sharpened: vec![0.0; network.logits.len()],
            d_logits: vec![0.0; network.logits.len()],
            adam: Adam::new(network.logits.len()),
            target: vec![vec![false; cells]; setup.shown],
            acting: vec![true; acting],
            coins: vec![0.0; acting],
            alive: vec![false; if config.experiment == Experiment::Life { cells } else { 0 }],
            step: 0,
            epochs: 0,
            losses: Losses::default(),
            usual: 1.0,
            sharpness: 1.0,
            network,
            setup,
            seed,
        };
        run.aim();
        run
    }

    /// What is learned.
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// Epochs done.
    pub fn epochs(&self) -> u64 {
        self.epochs
    }

    /// What came of the last epoch.
    pub fn losses(&self) -> Losses {
        self.losses
    }

    /// Cells of all grids of the batch.
    pub fn cells(&self) -> usize {
        self.soft.grids().cells() * self.soft.grids().count()
    }

    /// What the logits are multiplied by now.
    pub fn sharpness(&self) -> f64 {
        self.sharpness
    }

    /// Learns to become something else from now on; nothing for what was published.
    pub fn set_target(&mut self, drawn: Option<Vec<Vec<bool>>>) {
        self.network.drawn = drawn;
        self.aim();
    }

    fn aim(&mut self) {
        if let Some(planes) = self.network.target() {
            for (target, plane) in self.target.iter_mut().zip(&planes) {
                target.iter_mut().zip(plane.iter().cycle()).for_each(|(target, on)| *target = *on);
            }
        }
    }

    /// Whether no epoch is under way.
    pub fn is_between(&self) -> bool {
        self.step == 0
    }

    /// One step; true when it was the last of the epoch.
    pub fn step(&mut self, config: &LogicConfig) -> bool {
        let (steps, step) = (self.soft.steps(), self.step);
        if step == 0 {
            self.begin(config);
        }
        self.step += 1;
        if step < steps {
            self.soft.step(&self.network.brain, step);
            return false;
        }
        if step == steps {
            self.losses = Losses { soft: self.judge(), hard: self.run_hard() };
        }
        self.back.step(&self.network.brain, &self.soft, 2 * steps - 1 - step);
        let done = self.step == 2 * steps;
        if done {
            self.learn(config);
        }
        done
    }

    /// Puts the batch of this epoch where it begins.
    fn begin(&mut self, config: &LogicConfig) {
        let cells = self.cells();
        let Self { setup, soft, hard, starts, network, .. } = self;
        starts.draw(Stream::new(self.seed, purpose::STARTS), self.epochs);
        for channel in 0..setup.channels {
            soft.put(channel, (0..cells).map(|cell| f32::from(u8::from(starts.at(cell, channel)))));
            hard.put(channel, (0..cells).map(|cell| starts.at(cell, channel)));
        }
        if network.experiment == Experiment::Life {
            self.alive.iter_mut().zip(hard.get(0)).for_each(|(alive, on)| *alive = on);
            live([setup.size; 2], &self.alive, &mut self.target[0]);
        } else if !self.acting.is_empty() {
            Stream::new(self.seed, purpose::ACTING).fill_uniform(self.epochs, &mut self.coins);
            let rate = config.fire_rate as f32;
            self.acting.iter_mut().zip(&self.coins).for_each(|(acts, coin)| *acts = *coin < rate);
            for (step, acting) in self.acting.chunks_exact(cells).enumerate() {
                soft.wake(step, acting.iter().copied());
            }
        }
        let sharpness = self.sharpness as f32;
        self.sharpened.iter_mut().zip(&network.logits).for_each(|(x, logit)| *x = sharpness * logit);
        soft.learn(&network.brain, &self.sharpened);
    }

    /// The share of cells that are wrong with every gate decided.
    fn run_hard(&mut self) -> f64 {
        let (cells, sleepy) = (self.cells(), self.network.experiment == Experiment::Async);
        let Self { hard, network, acting, target, soft, .. } = self;
        hard.decide(&network.brain, &network.logits);
        for step in 0..soft.steps() {
            hard.step(sleepy.then(|| &acting[step * cells..(step + 1) * cells]));
        }
        let wrong = target.iter().enumerate().map(|(channel, target)| {
            hard.get(channel).zip(target).filter(|(got, target)| got != *target).count()
        });
        wrong.sum::<usize>() as f64 / (cells * target.len()) as f64
    }

    /// The squared error at the end, and its gradient.
    fn judge(&mut self) -> f64 {
        let (grids, last) = (self.soft.grids(), self.soft.state(self.soft.steps()));
        let d_state = self.back.begin();
        let (mut loss, mut all) = (0.0, 0);
        for (channel, target) in self.target.iter().enumerate() {
            for (cell, target) in target.iter().enumerate() {
                let at = grids.at(cell, channel);
                let error = last[at] - f32::from(u8::from(*target));
                loss += f64::from(error * error);
                all += 1;
                d_state[at] = 2.0 * error;
            }
        }
        loss / f64::from(all)
    }

    fn learn(&mut self, config: &LogicConfig) {
        let Self { network, sharpened, d_logits, back, adam, .. } = self;
        back.end(&network.brain, sharpened, d_logits);
        let most = config.clip as f32;
        d_logits.iter_mut().for_each(|d| *d = d.clamp(-most, most));
        let options = AdamOptions {
            lr: config.learning_rate as f32,
            betas: (config.beta_1 as f32, config.beta_2 as f32),
            weight_decay: config.weight_decay as f32,
            ..AdamOptions::default()
        };
        adam.step(&mut network.logits, d_logits, &options);
        self.usual += USUAL * (self.losses.soft - self.usual);
        let factor = 1.0 + config.sharpen;
        self.sharpness = match self.usual < config.sharpen_below {
            true => (self.sharpness * factor).min(SHARPEST),
            false => (self.sharpness / factor).max(1.0),
        };
        self.epochs += 1;
        self.step = 0;
    }

    /// What is needed to continue, beside the network.
    pub fn to_tensors(&self) -> Tensors {
        let mut tensors = self.adam.to_tensors();
        tensors.insert("epochs", &[1], &[self.epochs]);
        tensors.insert("sharpness", &[2], &[self.usual, self.sharpness]);
        tensors
    }

    /// Continues from that.
    pub fn restore(&mut self, tensors: &Tensors) -> Result<(), LabError> {
        self.adam = Adam::from_tensors(self.network.logits.len(), tensors)?;
        self.epochs = tensors.get("epochs", &[1])?[0];
        let sharpness: Vec<f64> = tensors.get("sharpness", &[2])?;
        (self.usual, self.sharpness) = (sharpness[0], sharpness[1]);
        Ok(())
    }
}
