//! Epochs of training: a batch runs from its initial states, the squared error of the last states is backpropagated, AdamW
//! takes one step, and the same batch runs with decided gates for comparison. The smallest step is one step of the
//! automaton, forward or backward, or one try of local search.
//!
//! Soft gates can solve a task in a way no decided circuit can: values between 0 and 1 can stand for "not known yet". So
//! in every epoch a random part of the gates is decided while the rest learns (quantization noise: Fan, Stock, Graham,
//! Grave, Gribonval, Jégou and Joulin, "Training with quantization noise for extreme model compression", 2020). Decided
//! gates receive the gradient of their soft mixture (straight-through estimator), so a wrong kind can still be replaced.
//! While the soft error is small, the decided fraction grows, so that errors which only many decided gates together
//! make come to light and are learned away. What remains is left to [`LocalSearch`].

use learnery_kernels::rng::Stream;
use learnery_lab::LabError;
use learnery_nn::{Adam, AdamOptions, Tensors};
use learnery_worlds::life::next_generation;

use super::local_search::LocalSearch;
use crate::automaton::{Backward, Grids, Network, SoftAutomaton};
use crate::circuit::HardAutomaton;
use crate::config::{LogicConfig, MAX_EPOCHS_PER_UNIT};
use crate::experiment::{Experiment, InitialStates, Setup};
use crate::purpose;

/// The weight of an epoch in the exponential moving average (EMA) of the soft error.
const SOFT_ERROR_EMA: f64 = 0.05;
/// The weight of an epoch in the EMA of the hard error.
const HARD_ERROR_EMA: f64 = 0.2;

/// `undecided_share` does not fall below this, because decided gates alone give no useful gradient.
const MIN_UNDECIDED_SHARE: f64 = 0.05;

/// The average hard error below which local search runs.
const LOCAL_SEARCH_BELOW: f64 = 0.2;

/// Added to every gradient to keep Adam's moments out of the denormal range, which many processors handle a hundred times
/// slower: without it, the moments of a logit whose gradient is zero decay into it. Too small to move a logit in a
/// million epochs.
const ANTI_DENORMAL: f32 = 1e-18;

pub struct Trainer {
    setup: Setup,
    network: Network,
    /// The logits of this epoch, in which some gates are decided. // [logits]
    epoch_logits: Vec<f32>,
    /// The numbers of the gates' most likely kinds, and the noise that selects the decided ones. // each [gates]
    kinds: Vec<u8>,
    noise: Vec<f32>,
    d_logits: Vec<f32>,
    adam: Adam,
    soft: SoftAutomaton,
    backward: Backward,
    hard: HardAutomaton,
    local_search: LocalSearch,
    initial: InitialStates,
    /// What the shown channels are to become. // [shown][cells of all grids]
    target: Vec<Vec<bool>>,
    /// The active cells of each step; empty if all cells are always active. // [steps, cells of all grids]
    active: Vec<bool>,
    coins: Vec<f32>,
    /// The initial states of the game of life, from which its target follows; empty in other experiments.
    alive: Vec<bool>,
    /// Steps of this epoch that are done.
    step: usize,
    epochs: u64,
    losses: Losses,
    soft_error_ema: f64,
    hard_error_ema: f64,
    /// The undecided fraction of gates, as a share of its initial value `1 - config.decided_fraction`.
    undecided_share: f64,
}

/// The losses of an epoch.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Losses {
    /// Mean squared error over the shown channels of all cells.
    pub soft: f64,
    /// Fraction of them that are wrong with decided gates.
    pub hard: f64,
}

impl Trainer {
    pub fn new(config: &LogicConfig, network: Network, seed: u32) -> Self {
        let setup = config.experiment.setup();
        let (size, batch, steps) = ([setup.size; 2], config.batch as usize, config.steps as usize);
        let grids = Grids::new(size[0], size[1], setup.periodic, batch, setup.channels);
        let cells = grids.cells() * batch;
        let asynchronous = config.experiment == Experiment::Async;
        let active = if asynchronous { cells * steps } else { 0 };
        let circuits = &network.circuits;
        let mut trainer = Self {
            backward: Backward::new(circuits, &grids),
            hard: network.hard_automaton(size, batch),
            soft: SoftAutomaton::new(circuits, grids, steps, asynchronous),
            local_search: LocalSearch::new(&network, steps, seed),
            initial: InitialStates::new(config.experiment, size, batch),
            epoch_logits: vec![0.0; network.logits.len()],
            kinds: vec![0; circuits.gates()],
            noise: vec![0.0; circuits.gates()],
            d_logits: vec![0.0; network.logits.len()],
            adam: Adam::new(network.logits.len()),
            target: vec![vec![false; cells]; setup.shown],
            active: vec![true; active],
            coins: vec![0.0; active],
            alive: vec![false; if config.experiment == Experiment::Life { cells } else { 0 }],
            step: 0,
            epochs: 0,
            losses: Losses::default(),
            soft_error_ema: 1.0,
            hard_error_ema: 1.0,
            undecided_share: 1.0,
            network,
            setup,
        };
        trainer.fill_target();
        trainer
    }

    pub fn network(&self) -> &Network {
        &self.network
    }

    pub fn epochs(&self) -> u64 {
        self.epochs
    }

    /// The losses of the last epoch.
    pub fn losses(&self) -> Losses {
        self.losses
    }

    /// Cells of all grids of the batch.
    pub fn cells(&self) -> usize {
        self.soft.grids().cells() * self.soft.grids().count()
    }

    /// The fraction of gates that are decided in an epoch.
    pub fn decided_fraction(&self, config: &LogicConfig) -> f64 {
        1.0 - (1.0 - config.decided_fraction) * self.undecided_share
    }

    /// Sets a drawn target, or with `None` the published one. The gates keep what they have learned.
    pub fn set_target(&mut self, drawn: Option<Vec<Vec<bool>>>, seed: u32) {
        self.network.drawn_target = drawn;
        self.local_search = LocalSearch::new(&self.network, self.soft.steps(), seed);
        self.fill_target();
    }

    fn fill_target(&mut self) {
        if let Some(planes) = self.network.target() {
            for (target, plane) in self.target.iter_mut().zip(&planes) {
                target.iter_mut().zip(plane.iter().cycle()).for_each(|(target, on)| *target = *on);
            }
        }
    }

    /// Starts an attempt with fresh gates and wires. The count of epochs goes on, so all other random numbers do too.
    pub fn restart(&mut self, config: &LogicConfig, seed: u32, attempt: u32) {
        let fresh = Network::of_attempt(config, seed, attempt);
        self.network = Network { drawn_target: self.network.drawn_target.take(), ..fresh };
        self.hard = self.network.hard_automaton([self.setup.size; 2], self.soft.grids().count());
        self.adam = Adam::new(self.network.logits.len());
        (self.soft_error_ema, self.hard_error_ema, self.undecided_share) = (1.0, 1.0, 1.0);
        self.local_search = LocalSearch::new(&self.network, self.soft.steps(), seed);
    }

    pub fn is_between_epochs(&self) -> bool {
        self.step == 0 && !self.local_search.is_running()
    }

    /// Gates changed by local search since the last call.
    pub fn take_accepted_changes(&mut self) -> u64 {
        self.local_search.take_accepted()
    }

    /// One step. Returns whether it was the last of the epoch.
    pub fn step(&mut self, config: &LogicConfig, seed: u32) -> bool {
        if self.local_search.is_running() {
            self.local_search.step(&mut self.network, config.fire_rate);
            return !self.local_search.is_running();
        }
        let (steps, step) = (self.soft.steps(), self.step);
        if step == 0 {
            self.begin_epoch(config, seed);
        }
        self.step += 1;
        if step < steps {
            self.soft.step(&self.network.circuits, step);
            return false;
        }
        if step == steps {
            self.losses.soft = self.loss_and_gradient();
            let Self { hard, network, active, target, soft, backward, .. } = self;
            let (network, active, target, soft) = (&*network, &active[..], &target[..], &*soft);
            let active = |step: usize| active.chunks_exact((active.len() / steps).max(1)).nth(step);
            // The hard automaton runs on one thread while the others begin backpropagation.
            let run_hard = || hard_error(hard, network, steps, active, target);
            let backpropagate = || backward.step(&network.circuits, soft, steps - 1);
            (self.losses.hard, ()) = rayon::join(run_hard, backpropagate);
        } else {
            self.backward.step(&self.network.circuits, &self.soft, 2 * steps - 1 - step);
        }
        let done = self.step == 2 * steps;
        if done {
            self.update(config);
            if config.local_search_tries > 0 && self.hard_error_ema < LOCAL_SEARCH_BELOW {
                self.local_search.begin(&self.network, self.epochs, config.local_search_tries);
            }
        }
        done && !self.local_search.is_running()
    }

    /// Draws this epoch's initial states, active cells and decided gates.
    fn begin_epoch(&mut self, config: &LogicConfig, seed: u32) {
        let (cells, decided) = (self.cells(), self.decided_fraction(config) as f32);
        let Self { setup, soft, hard, initial, network, .. } = self;
        initial.draw(Stream::new(seed, purpose::INITIAL_STATES), self.epochs);
        for channel in 0..setup.channels {
            soft.set_channel(
                channel,
                (0..cells).map(|cell| f32::from(u8::from(initial.is_on(cell, channel)))),
            );
            hard.set_channel(channel, (0..cells).map(|cell| initial.is_on(cell, channel)));
        }
        if network.experiment == Experiment::Life {
            self.alive.iter_mut().zip(hard.channel(0)).for_each(|(alive, on)| *alive = on);
            next_generation([setup.size; 2], &self.alive, &mut self.target[0]);
        } else if !self.active.is_empty() {
            Stream::new(seed, purpose::ACTIVE_CELLS).fill_uniform(self.epochs, &mut self.coins);
            let rate = config.fire_rate as f32;
            self.active.iter_mut().zip(&self.coins).for_each(|(active, coin)| *active = *coin < rate);
            for (step, active) in self.active.chunks_exact(cells).enumerate() {
                soft.set_active(step, active.iter().copied());
            }
        }
        Stream::new(seed, purpose::DECIDED_GATES).fill_uniform(self.epochs, &mut self.noise);
        network.decide(&mut self.kinds, None);
        self.epoch_logits.copy_from_slice(&network.logits);
        network.circuits.harden(&self.noise, decided, &self.kinds, &mut self.epoch_logits);
        soft.set_logits(&network.circuits, &self.epoch_logits);
    }

    /// The mean squared error of the last state. Starts the backward pass with the gradient of the summed error.
    fn loss_and_gradient(&mut self) -> f64 {
        let (grids, last) = (self.soft.grids(), self.soft.state(self.soft.steps()));
        let d_state = self.backward.begin();
        let (mut loss, mut count) = (0.0, 0);
        for (channel, target) in self.target.iter().enumerate() {
            for (cell, target) in target.iter().enumerate() {
                let at = grids.index(cell, channel);
                let error = last[at] - f32::from(u8::from(*target));
                loss += f64::from(error * error);
                count += 1;
                d_state[at] = 2.0 * error;
            }
        }
        loss / f64::from(count)
    }

    /// Ends the epoch: one step of AdamW, and the averages that follow from the losses.
    fn update(&mut self, config: &LogicConfig) {
        let Self { network, d_logits, backward, adam, .. } = self;
        // The gradient is taken at the undecided logits: straight through the gates that were decided in this epoch.
        backward.finish(&network.circuits, &network.logits, d_logits);
        let clip = config.clip as f32;
        d_logits.iter_mut().for_each(|d| *d = d.clamp(-clip, clip) + ANTI_DENORMAL);
        let options = AdamOptions {
            lr: config.learning_rate as f32,
            betas: (config.beta_1 as f32, config.beta_2 as f32),
            weight_decay: config.weight_decay as f32,
            ..AdamOptions::default()
        };
        adam.step(&mut network.logits, d_logits, &options);
        self.soft_error_ema += SOFT_ERROR_EMA * (self.losses.soft - self.soft_error_ema);
        self.hard_error_ema += HARD_ERROR_EMA * (self.losses.hard - self.hard_error_ema);
        let factor = 1.0 + config.settle_rate;
        self.undecided_share = match self.soft_error_ema < config.settle_below {
            true => (self.undecided_share / factor).max(MIN_UNDECIDED_SHARE),
            false => (self.undecided_share * factor).min(1.0),
        };
        self.epochs += 1;
        self.step = 0;
    }

    /// What is needed to continue, except the network.
    pub fn to_tensors(&self) -> Tensors {
        let mut tensors = self.adam.to_tensors();
        tensors.insert("epochs", &[1], &[self.epochs]);
        tensors.insert("open", &[3], &[self.soft_error_ema, self.undecided_share, self.hard_error_ema]);
        tensors
    }

    /// Continues from the tensors of a checkpoint after `units` units. Counters that contradict each other are refused.
    pub fn restore(&mut self, tensors: &Tensors, units: u64) -> Result<(), LabError> {
        let epochs: u64 = tensors.get("epochs", &[1])?[0];
        let updates: u64 = tensors.get("t", &[1])?[0];
        let most = units.saturating_mul(u64::from(MAX_EPOCHS_PER_UNIT));
        if !(units..=most).contains(&epochs) || updates > epochs {
            return Err(LabError::Checkpoint(format!(
                "its counters contradict each other: {epochs} epochs and {updates} updates in {units} units"
            )));
        }
        let averages: Vec<f64> = tensors.get("open", &[3])?;
        if !averages.iter().all(|x| (0.0..=1.01).contains(x)) {
            return Err(LabError::Checkpoint("its average errors are not between 0 and 1".into()));
        }
        self.adam = Adam::from_tensors(self.network.logits.len(), tensors)?;
        self.epochs = epochs;
        (self.soft_error_ema, self.undecided_share, self.hard_error_ema) =
            (averages[0], averages[1], averages[2]);
        Ok(())
    }
}

/// The fraction of shown cells that are wrong after `steps` steps with decided gates, of which `active` gives the cells that
/// take part in each.
fn hard_error<'a>(
    hard: &mut HardAutomaton,
    network: &Network,
    steps: usize,
    active: impl Fn(usize) -> Option<&'a [bool]>,
    target: &[Vec<bool>],
) -> f64 {
    network.redecide(hard);
    (0..steps).for_each(|step| hard.step(active(step)));
    let wrong = target.iter().enumerate().map(|(channel, target)| {
        hard.channel(channel).zip(target).filter(|(got, target)| got != *target).count()
    });
    wrong.sum::<usize>() as f64 / target.iter().map(Vec::len).sum::<usize>() as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Parameters;

    const SEED: u32 = 1;

    fn trainer(config: &LogicConfig) -> Trainer {
        Trainer::new(config, Network::new(config, SEED), SEED)
    }

    fn epoch(trainer: &mut Trainer, config: &LogicConfig) {
        while !trainer.step(config, SEED) {}
    }

    #[test]
    fn soft_and_hard_error_are_equal_if_every_gate_is_decided() {
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
                config.decided_fraction = 1.0;
                let mut all = trainer(&config);
                epoch(&mut all, &config);
                assert!((all.losses().soft - all.losses().hard).abs() < 1e-4, "{:?}", all.losses());
                config.decided_fraction = 0.0;
                let mut none = trainer(&config);
                epoch(&mut none, &config);
                assert!((none.losses().soft - none.losses().hard).abs() > 1e-3, "{:?}", none.losses());
            }
        }
    }

    #[test]
    fn decided_fraction_grows_while_the_soft_error_is_small_and_shrinks_while_it_is_not() {
        let mut config = LogicConfig {
            batch: 1,
            steps: 1,
            decided_fraction: 0.2,
            settle_rate: 0.5,
            settle_below: 1.0,
            ..LogicConfig::default()
        };
        let mut run = trainer(&config);
        let mut before = run.decided_fraction(&config);
        assert!((before - 0.2).abs() < 1e-9);
        for _ in 0..20 {
            epoch(&mut run, &config);
            assert!(run.decided_fraction(&config) >= before);
            before = run.decided_fraction(&config);
        }
        // Some gates always stay undecided.
        assert!((before - (1.0 - 0.8 * MIN_UNDECIDED_SHARE)).abs() < 1e-9, "{before}");
        config.settle_below = 1e-6;
        for _ in 0..20 {
            epoch(&mut run, &config);
        }
        assert!((run.decided_fraction(&config) - 0.2).abs() < 1e-9);
    }

    #[test]
    fn checkpoint_with_contradictory_counters_is_refused() {
        let config = LogicConfig { batch: 1, steps: 1, ..LogicConfig::default() };
        let mut run = trainer(&config);
        (0..2).for_each(|_| epoch(&mut run, &config));
        let good = run.to_tensors();
        for (name, value, units) in [
            ("epochs", u64::MAX, 2),
            ("epochs", 1, 2),
            ("t", 1 << 40, 2),
            ("epochs", 2, 3),
            ("epochs", 2001, 2),
        ] {
            let mut tensors = good.clone();
            tensors.insert(name, &[1], &[value]);
            let error = trainer(&config).restore(&tensors, units).expect_err(name).to_string();
            assert!(error.contains("contradict"), "{error}");
        }
        let mut tensors = good.clone();
        tensors.insert("open", &[3], &[f64::NAN, 1.0, 0.5]);
        assert!(trainer(&config).restore(&tensors, 2).is_err());
        trainer(&config).restore(&good, 2).expect("the counters agree");
    }
}
