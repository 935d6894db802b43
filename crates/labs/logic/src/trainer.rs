//! Epochs of learning: a batch from its start, squared error at the end, one step of AdamW; and what the same batch comes
//! to with every gate decided. An epoch is made of small steps, one for each step of the automaton there and back.
//!
//! What is wanted in the end is a circuit of decided gates, and a mixture that does well need not lie near one: values between
//! nought and one can stand for what is not known yet, which no bit can. So in each epoch some gates, drawn anew, are the
//! likeliest of their kinds and nothing else, and all others learn to do with them (after Fan, Stock, Graham, Grave,
//! Gribonval, Jégou and Joulin, "Training with quantization noise for extreme model compression", 2020). A gate that is
//! decided for the epoch learns straight through: as a mixture would from the same errors, so that where the likeliest kind is the
//! wrong one another takes its place. While all goes well, more and more gates are decided, so that what only many decided
//! gates together get wrong comes to light and is learned away. What is left in the end is mended, see [`super::mend`].

use learnery_kernels::rng::Stream;
use learnery_lab::LabError;
use learnery_nn::{Adam, AdamOptions, Tensors};

use super::automaton::Automaton;
use super::config::LogicConfig;
use super::experiment::{Experiment, Setup};
use super::grid::Grids;
use super::hard::HardAutomaton;
use super::mend::Mender;
use super::network::Network;
use super::purpose;
use super::starts::{Starts, live};
use super::way_back::WayBack;

/// How much of the usual soft error an epoch makes.
const USUAL: f64 = 0.05;
/// The least share of gates that stays undecided, for otherwise nothing would be learned.
const LEAST: f64 = 0.05;

/// The share of cells that are wrong with every gate decided below which the circuit is mended, and how much of its mean an
/// epoch makes.
const NEARLY_RIGHT: f64 = 0.2;
const LATE: f64 = 0.2;

/// What every gradient has on top, which moves no logit in a million epochs: the moments of one that gets none would
/// shrink until they are numbers that many a machine is slow with.
const FAINT: f32 = 1e-18;

/// An automaton that learns.
pub struct Trainer {
    setup: Setup,
    network: Network,
    /// The logits, those of gates that are decided in this epoch far apart. // [logits]
    settled: Vec<f32>,
    /// The likeliest kind of each gate, and a number from 0 to 1 that says whether it is decided. // each [gates]
    kinds: Vec<u8>,
    numbers: Vec<f32>,
    d_logits: Vec<f32>,
    adam: Adam,
    soft: Automaton,
    back: WayBack,
    hard: HardAutomaton,
    mender: Mender,
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
    /// The hard error of late.
    late: f64,
    /// Of the share of gates that are not decided at first, how much is still not: it shrinks while the soft error is small.
    open: f64,
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
            mender: Mender::new(&network, steps, seed),
            starts: Starts::new(config.experiment, size, batch),
            settled: vec![0.0; network.logits.len()],
            kinds: vec![0; network.brain.gates()],
            numbers: vec![0.0; network.brain.gates()],
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
            late: 1.0,
            open: 1.0,
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

    /// The share of gates that are decided in an epoch by now.
    pub fn decided(&self, config: &LogicConfig) -> f64 {
        1.0 - (1.0 - config.decided) * self.open
    }

    /// Learns to become something else from now on; nothing for what was published.
    pub fn set_target(&mut self, drawn: Option<Vec<Vec<bool>>>) {
        self.network.drawn = drawn;
        self.mender = Mender::new(&self.network, self.soft.steps(), self.seed);
        self.aim();
    }

    fn aim(&mut self) {
        if let Some(planes) = self.network.target() {
            for (target, plane) in self.target.iter_mut().zip(&planes) {
                target.iter_mut().zip(plane.iter().cycle()).for_each(|(target, on)| *target = *on);
            }
        }
    }

    /// Takes fresh gates and wires. What else is drawn at random follows the count of epochs, which goes on.
    pub fn begin_anew(&mut self, config: &LogicConfig, attempt: u32) {
        let fresh = Network::of_attempt(config, self.seed, attempt);
        self.network = Network { drawn: self.network.drawn.take(), ..fresh };
        let (setup, count) = (&self.setup, self.soft.grids().count());
        let Network { brain, logits, .. } = &self.network;
        self.hard = HardAutomaton::new(brain, logits, [setup.size; 2], setup.periodic, count);
        self.adam = Adam::new(logits.len());
        (self.usual, self.late, self.open) = (1.0, 1.0, 1.0);
        self.mender = Mender::new(&self.network, self.soft.steps(), self.seed);
    }

    /// Whether no epoch is under way.
    pub fn is_between(&self) -> bool {
        self.step == 0 && !self.mender.is_at_work()
    }

    /// Gates that were mended since this was asked last.
    pub fn take_mended(&mut self) -> u64 {
        self.mender.take_kept()
    }

    /// One step; true when it was the last of the epoch.
    pub fn step(&mut self, config: &LogicConfig) -> bool {
        if self.mender.is_at_work() {
            self.mender.step(&mut self.network, config.fire_rate);
            return !self.mender.is_at_work();
        }
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
            self.losses.soft = self.judge();
            let Self { hard, network, acting, target, soft, back, .. } = self;
            let (network, acting, target, soft) = (&*network, &acting[..], &target[..], &*soft);
            let acting = |step: usize| acting.chunks_exact((acting.len() / steps).max(1)).nth(step);
            // That is work for one thread, so the others begin with the way back meanwhile.
            let decided = || run_hard(hard, network, steps, acting, target);
            (self.losses.hard, ()) = rayon::join(decided, || back.step(&network.brain, soft, steps - 1));
        } else {
            self.back.step(&self.network.brain, &self.soft, 2 * steps - 1 - step);
        }
        let done = self.step == 2 * steps;
        if done {
            self.learn(config);
            if config.mend > 0 && self.late < NEARLY_RIGHT {
                self.mender.begin(&self.network, self.epochs, config.mend);
            }
        }
        done && !self.mender.is_at_work()
    }

    /// Puts the batch of this epoch where it begins.
    fn begin(&mut self, config: &LogicConfig) {
        let (cells, share) = (self.cells(), self.decided(config) as f32);
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
        Stream::new(self.seed, purpose::DECIDED).fill_uniform(self.epochs, &mut self.numbers);
        network.brain.decide(&network.logits, &mut self.kinds, None);
        self.settled.copy_from_slice(&network.logits);
        network.brain.settle(&self.numbers, share, &self.kinds, &mut self.settled);
        soft.learn(&network.brain, &self.settled);
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
        let Self { network, d_logits, back, adam, .. } = self;
        back.end(&network.brain, &network.logits, d_logits);
        let most = config.clip as f32;
        d_logits.iter_mut().for_each(|d| *d = d.clamp(-most, most) + FAINT);
        let options = AdamOptions {
            lr: config.learning_rate as f32,
            betas: (config.beta_1 as f32, config.beta_2 as f32),
            weight_decay: config.weight_decay as f32,
            ..AdamOptions::default()
        };
        adam.step(&mut network.logits, d_logits, &options);
        self.usual += USUAL * (self.losses.soft - self.usual);
        self.late += LATE * (self.losses.hard - self.late);
        let factor = 1.0 + config.settle;
        self.open = match self.usual < config.settle_below {
            true => (self.open / factor).max(LEAST),
            false => (self.open * factor).min(1.0),
        };
        self.epochs += 1;
        self.step = 0;
    }

    /// What is needed to continue, beside the network.
    pub fn to_tensors(&self) -> Tensors {
        let mut tensors = self.adam.to_tensors();
        tensors.insert("epochs", &[1], &[self.epochs]);
        tensors.insert("open", &[3], &[self.usual, self.open, self.late]);
        tensors
    }

    /// Continues from that.
    pub fn restore(&mut self, tensors: &Tensors) -> Result<(), LabError> {
        self.adam = Adam::from_tensors(self.network.logits.len(), tensors)?;
        self.epochs = tensors.get("epochs", &[1])?[0];
        let open: Vec<f64> = tensors.get("open", &[3])?;
        (self.usual, self.open, self.late) = (open[0], open[1], open[2]);
        Ok(())
    }
}

/// The share of cells that are wrong after `steps` steps with every gate decided; `acting` are those that take part in one.
fn run_hard<'a>(
    hard: &mut HardAutomaton,
    network: &Network,
    steps: usize,
    acting: impl Fn(usize) -> Option<&'a [bool]>,
    target: &[Vec<bool>],
) -> f64 {
    hard.decide(&network.brain, &network.logits);
    (0..steps).for_each(|step| hard.step(acting(step)));
    let wrong = target.iter().enumerate().map(|(channel, target)| {
        hard.get(channel).zip(target).filter(|(got, target)| got != *target).count()
    });
    wrong.sum::<usize>() as f64 / target.iter().map(Vec::len).sum::<usize>() as f64
}

#[cfg(test)]
mod tests {
    use super::super::config::Parameters;
    use super::*;

    fn trainer(config: &LogicConfig) -> Trainer {
        Trainer::new(config, Network::new(config, 1), 1)
    }

    fn epoch(trainer: &mut Trainer, config: &LogicConfig) {
        while !trainer.step(config) {}
    }

    #[test]
    fn with_every_gate_decided_both_runs_are_the_same() {
        for parameters in [Parameters::Kinds, Parameters::Table] {
            for experiment in [Experiment::Checkerboard, Experiment::Async] {
                let mut config = LogicConfig {
                    experiment,
                    parameters,
                    scatter: 3.0,
                    batch: 1,
                    steps: 4,
                    ..LogicConfig::default()
                };
                config.decided = 1.0;
                let mut all = trainer(&config);
                epoch(&mut all, &config);
                assert!((all.losses().soft - all.losses().hard).abs() < 1e-4, "{:?}", all.losses());
                config.decided = 0.0;
                let mut none = trainer(&config);
                epoch(&mut none, &config);
                assert!((none.losses().soft - none.losses().hard).abs() > 1e-3, "{:?}", none.losses());
            }
        }
    }

    #[test]
    fn more_gates_are_decided_while_the_error_is_small_and_fewer_while_it_is_not() {
        let mut config = LogicConfig {
            batch: 1,
            steps: 1,
            decided: 0.2,
            settle: 0.5,
            settle_below: 1.0,
            ..LogicConfig::default()
        };
        let mut run = trainer(&config);
        let mut before = run.decided(&config);
        assert!((before - 0.2).abs() < 1e-9);
        for _ in 0..20 {
            epoch(&mut run, &config);
            assert!(run.decided(&config) >= before);
            before = run.decided(&config);
        }
        // Some are always left to learn.
        assert!((before - (1.0 - 0.8 * LEAST)).abs() < 1e-9, "{before}");
        config.settle_below = 1e-6;
        for _ in 0..20 {
            epoch(&mut run, &config);
        }
        assert!((run.decided(&config) - 0.2).abs() < 1e-9);
    }
}
