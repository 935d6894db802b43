//! Trains the circuits of a cellular automaton, in epochs. An epoch runs a batch of grids from their initial
//! states with soft gates (mixtures of gate kinds), backpropagates the squared error of the last states, and
//! updates the logits with one step of AdamW. The same batch runs with hard gates (each replaced by its most
//! likely kind) for comparison. Local search (single changes of gates that are kept if fewer cells are wrong)
//! may follow.
//!
//! The smallest step of training is one step of the automaton, forward or backward, or one try of local
//! search.

#[cfg(feature = "gpu")]
pub mod gpu;

use learnery_kernels::rng::Stream;
use learnery_lab::{LabError, OnDevice};
use learnery_nn::{Adam, AdamOptions, Tensors};
use learnery_worlds::life::next_generation;

use super::local_search::LocalSearch;
use super::losses::{Losses, hard_error};
use super::quantization_noise::QuantizationNoise;
use crate::automaton::{Backward, Grids, Network, SoftAutomaton};
use crate::circuit::HardAutomaton;
use crate::config::{LogicConfig, MAX_EPOCHS_PER_UNIT};
use crate::experiment::{Experiment, InitialStates, Setup};
use crate::purpose;

/// Local search runs if the moving average of the hard error (the fraction of wrong cells) is below this. It
/// repairs the last wrong cells; circuits that are still far from the target are left to gradient descent.
const LOCAL_SEARCH_BELOW: f64 = 0.2;

/// Added to every gradient to keep Adam's moments out of the denormal range, in which many processors are a
/// hundred times slower. Without it, the moments of a logit whose gradient is zero would decay into that
/// range. The number is too small to move a logit noticeably in a million epochs.
const ANTI_DENORMAL: f32 = 1e-18;

/// A run's network with all that trains it on the CPU. [`Self::step`] takes one step after another; between
/// two epochs it can be saved, or restarted with fresh gates.
pub struct Trainer {
    setup: Setup,
    network: Network,
    /// The logits of this epoch: those of the network, except for the gates that are discretised.
    epoch_logits: Vec<f32>,
    /// The number of each gate's most likely kind.
    /// Shape: `[gates]`.
    kinds: Vec<u8>,
    /// Uniform noise that selects the gates to discretise.
    /// Shape: `[gates]`.
    noise: Vec<f32>,
    d_logits: Vec<f32>,
    adam: Adam,
    soft: SoftAutomaton,
    backward: Backward,
    hard: HardAutomaton,
    local_search: LocalSearch,
    initial: InitialStates,
    /// The values that the shown channels must have after the last step.
    /// Shape: `[shown channels][cells of all grids]`.
    target: Vec<Vec<bool>>,
    /// Whether each cell is active in each step; empty if all cells are always active.
    /// Shape: `[steps, cells of all grids]`.
    active: Vec<bool>,
    /// A uniform number for each entry of `active`: a cell is active if its number is below the fire rate.
    uniforms: Vec<f32>,
    /// The initial states of the game of life, from which its target is computed; empty in other experiments.
    /// Shape: `[cells of all grids]`.
    alive: Vec<bool>,
    /// Forward and backward steps of this epoch that are done: first `steps` forward, then `steps` backward.
    step: usize,
    /// Epochs since the run began, over all attempts.
    epochs: u64,
    /// The losses of the last complete epoch.
    losses: Losses,
    quantization: QuantizationNoise,
    /// The number of the attempt that [`Trainer::restart`] has started; 0 as long as the network is the one
    /// that the trainer was made with. A GPU learner compares it to notice a restart.
    attempt: u32,
}

/// What a GPU reads and changes of a run.
#[cfg_attr(not(feature = "gpu"), expect(dead_code, reason = "only a GPU reads it"))]
pub struct DeviceRun<'a> {
    pub config: &'a LogicConfig,
    pub seed: u32,
    pub trainer: &'a mut Trainer,
    /// The losses of the epochs of a unit that has ended.
    pub losses: &'a mut Vec<Losses>,
}

/// The part of a run on the GPU.
pub type Device = Box<dyn for<'a> OnDevice<DeviceRun<'a>>>;

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
            uniforms: vec![0.0; active],
            alive: vec![false; if config.experiment == Experiment::Life { cells } else { 0 }],
            step: 0,
            epochs: 0,
            losses: Losses::default(),
            quantization: QuantizationNoise::INITIAL,
            network,
            setup,
            attempt: 0,
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

    /// Number of cells in a batch, over all grids.
    pub fn cells(&self) -> usize {
        self.soft.grids().cells() * self.soft.grids().count()
    }

    /// The fraction of gates that are discretised in an epoch.
    pub fn discretised_fraction(&self, config: &LogicConfig) -> f64 {
        self.quantization.discretised_fraction(config)
    }

    /// Sets a target that the user drew, or with `None` the published one. The gates keep what they have
    /// learned.
    pub fn set_target(&mut self, drawn: Option<Vec<Vec<bool>>>, seed: u32) {
        self.network.drawn_target = drawn;
        self.local_search = LocalSearch::new(&self.network, self.soft.steps(), seed);
        self.fill_target();
    }

    /// Copies the network's target picture to every grid. In the game of life there is none: each epoch
    /// computes its target.
    fn fill_target(&mut self) {
        if let Some(planes) = self.network.target() {
            for (target, plane) in self.target.iter_mut().zip(&planes) {
                target.iter_mut().zip(plane.iter().cycle()).for_each(|(target, on)| *target = *on);
            }
        }
    }

    /// Starts attempt number `attempt` with fresh gates and wires. The count of epochs continues, so the
    /// attempt does not repeat the random initial states of the one before.
    pub fn restart(&mut self, config: &LogicConfig, seed: u32, attempt: u32) {
        let fresh = Network::of_attempt(config, seed, attempt);
        self.network = Network { drawn_target: self.network.drawn_target.take(), ..fresh };
        self.hard = self.network.hard_automaton([self.setup.size; 2], self.soft.grids().count());
        self.adam = Adam::new(self.network.logits.len());
        self.quantization = QuantizationNoise::INITIAL;
        self.local_search = LocalSearch::new(&self.network, self.soft.steps(), seed);
        self.attempt = attempt;
    }

    pub fn is_between_epochs(&self) -> bool {
        self.step == 0 && !self.local_search.is_running()
    }

    /// Returns the number of gates changed by local search since the last call.
    pub fn take_accepted_changes(&mut self) -> u64 {
        self.local_search.take_accepted()
    }

    /// Runs one step and returns whether the epoch is finished.
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
        // Steps 0 to `steps - 1` go forward, the next `steps` backward from the last state to the first.
        if step < steps {
            self.soft.step(&self.network.circuits, step);
            return false;
        }
        if step == steps {
            self.losses.soft = self.loss_and_gradient();
            let Self { hard, network, active, target, soft, backward, .. } = self;
            let (network, active, target, soft) = (&*network, &active[..], &target[..], &*soft);
            let active = |step: usize| active_cells(active, steps, step);
            // All steps of the hard automaton run on one thread, while the other threads backpropagate
            // through the last step.
            let run_hard = || {
                network.discretise_into(hard);
                hard_error(hard, steps, active, target)
            };
            let backpropagate = || backward.step(&network.circuits, soft, steps - 1);
            (self.losses.hard, ()) = rayon::join(run_hard, backpropagate);
        } else {
            // Step `steps` of the epoch belongs to the automaton's last step, `steps - 1`; the next ones
            // count down.
            self.backward.step(&self.network.circuits, &self.soft, 2 * steps - 1 - step);
        }
        let is_updated = self.step == 2 * steps;
        if is_updated {
            self.update(config);
            if wants_local_search(config, &self.quantization) {
                self.local_search.begin(&self.network, self.epochs, config.local_search_tries);
            }
        }
        is_updated && !self.local_search.is_running()
    }

    /// Samples the initial states, active cells and noise of an epoch, and sets the initial states of the
    /// hard automaton.
    fn draw_epoch(&mut self, config: &LogicConfig, seed: u32) {
        let Self { setup, hard, initial, network, soft, .. } = self;
        let cells = soft.grids().cells() * soft.grids().count();
        initial.draw(Stream::new(seed, purpose::INITIAL_STATES), self.epochs);
        for channel in 0..setup.channels {
            hard.set_channel(channel, (0..cells).map(|cell| initial.is_on(cell, channel)));
        }
        if network.experiment == Experiment::Life {
            self.alive.iter_mut().zip(hard.channel(0)).for_each(|(alive, on)| *alive = on);
            next_generation([setup.size; 2], &self.alive, &mut self.target[0]);
        } else if !self.active.is_empty() {
            Stream::new(seed, purpose::ACTIVE_CELLS).fill_uniform(self.epochs, &mut self.uniforms);
            let rate = config.fire_rate as f32;
            self.active
                .iter_mut()
                .zip(&self.uniforms)
                .for_each(|(active, uniform)| *active = *uniform < rate);
        }
        Stream::new(seed, purpose::HARD_GATES).fill_uniform(self.epochs, &mut self.noise);
    }

    /// Begins an epoch: samples what it begins with, and discretises gates.
    fn begin_epoch(&mut self, config: &LogicConfig, seed: u32) {
        self.draw_epoch(config, seed);
        let (cells, fraction) = (self.cells(), self.discretised_fraction(config) as f32);
        let Self { setup, soft, initial, network, .. } = self;
        for channel in 0..setup.channels {
            soft.set_channel(
                channel,
                (0..cells).map(|cell| f32::from(u8::from(initial.is_on(cell, channel)))),
            );
        }
        for (step, active) in self.active.chunks_exact(cells).enumerate() {
            soft.set_active(step, active.iter().copied());
        }
        network.most_likely_kinds(&mut self.kinds, None);
        self.epoch_logits.copy_from_slice(&network.logits);
        network.circuits.discretise(&self.noise, fraction, &self.kinds, &mut self.epoch_logits);
        soft.set_logits(&network.circuits, &self.epoch_logits);
    }

    /// Computes the mean squared error of the last state, and starts the backward pass. The gradient is that
    /// of the sum of squares, not of the mean: Adam divides by the gradient's size, so a constant factor
    /// hardly matters.
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

    /// Ends an epoch: one step of AdamW, and the update of the averages.
    fn update(&mut self, config: &LogicConfig) {
        let Self { network, d_logits, backward, adam, .. } = self;
        // The gradient at the coefficients is converted to one at the network's logits, not at those of the
        // epoch. So a discretised gate receives the gradient of its soft mixture (straight-through
        // estimator).
        backward.finish(&network.circuits, &network.logits, d_logits);
        let clip = config.clip as f32;
        d_logits.iter_mut().for_each(|d| *d = d.clamp(-clip, clip) + ANTI_DENORMAL);
        adam.step(&mut network.logits, d_logits, &adam_options(config));
        self.quantization.update(self.losses, config);
        self.epochs += 1;
        self.step = 0;
    }

    /// The tensors of a checkpoint, without the network.
    pub fn to_tensors(&self) -> Tensors {
        let mut tensors = self.adam.to_tensors();
        tensors.insert("epochs", &[1], &[self.epochs]);
        tensors.insert("open", &[3], &self.quantization.to_array());
        tensors
    }

    /// Continues from [`Self::to_tensors`] of a checkpoint of `units` units (training iterations, each of one
    /// or more epochs). Rejects counters that contradict each other.
    pub fn restore(&mut self, tensors: &Tensors, units: u64) -> Result<(), LabError> {
        let epochs: u64 = tensors.get("epochs", &[1])?[0];
        // The optimiser's count, which begins again at a restart.
        let updates: u64 = tensors.get("t", &[1])?[0];
        let max_epochs = units.saturating_mul(u64::from(MAX_EPOCHS_PER_UNIT));
        if !(units..=max_epochs).contains(&epochs) || updates > epochs {
            return Err(LabError::Checkpoint(format!(
                "its counters contradict each other: {epochs} epochs and {updates} updates in {units} units"
            )));
        }
        let averages: Vec<f64> = tensors.get("open", &[3])?;
        let quantization = QuantizationNoise::from_array([averages[0], averages[1], averages[2]])?;
        self.adam = Adam::from_tensors(self.network.logits.len(), tensors)?;
        self.epochs = epochs;
        self.quantization = quantization;
        Ok(())
    }
}

/// Whether local search follows the last epoch.
fn wants_local_search(config: &LogicConfig, errors: &QuantizationNoise) -> bool {
    config.local_search_tries > 0 && errors.hard_error_ema() < LOCAL_SEARCH_BELOW
}

fn adam_options(config: &LogicConfig) -> AdamOptions {
    AdamOptions {
        lr: config.learning_rate as f32,
        betas: (config.beta_1 as f32, config.beta_2 as f32),
        weight_decay: config.weight_decay as f32,
        ..AdamOptions::default()
    }
}

/// The active cells of a step; `None` means all, which is so if `active` is empty.
///
/// Shapes: `active [steps, cells]`.
fn active_cells(active: &[bool], steps: usize, step: usize) -> Option<&[bool]> {
    // A chunk cannot have length 0. An empty `active` has no chunk of length 1 either, so this is `None`.
    active.chunks_exact((active.len() / steps).max(1)).nth(step)
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
    fn soft_error_equals_hard_error_if_and_only_if_all_gates_are_discretised() {
        for parameters in [Parameters::Kinds, Parameters::Table] {
            for experiment in [Experiment::Checkerboard, Experiment::Async] {
                let mut config = LogicConfig {
                    experiment,
                    parameters,
                    initial_noise: 3.0,
                    batch: 1,
                    steps: 4,
                    ..LogicConfig::default()
                };
                config.discretised_fraction = 1.0;
                let mut all_hard = trainer(&config);
                epoch(&mut all_hard, &config);
                let Losses { soft, hard } = all_hard.losses();
                assert!((soft - hard).abs() < 1e-4, "{soft} {hard}");
                config.discretised_fraction = 0.0;
                let mut all_soft = trainer(&config);
                epoch(&mut all_soft, &config);
                let Losses { soft, hard } = all_soft.losses();
                assert!((soft - hard).abs() > 1e-3, "{soft} {hard}");
            }
        }
    }

    #[test]
    fn discretised_fraction_grows_while_the_soft_error_is_small_and_shrinks_while_it_is_not() {
        let mut config = LogicConfig {
            batch: 1,
            steps: 1,
            discretised_fraction: 0.2,
            hardening_rate: 0.5,
            hardening_threshold: 1.0,
            ..LogicConfig::default()
        };
        let mut run = trainer(&config);
        let mut before = run.discretised_fraction(&config);
        assert!((before - 0.2).abs() < 1e-9);
        for _ in 0..20 {
            epoch(&mut run, &config);
            assert!(run.discretised_fraction(&config) >= before);
            before = run.discretised_fraction(&config);
        }
        // It stops growing while some gates are still soft: at one minus the initial soft fraction times the
        // lower bound. So far the error was always below `hardening_threshold`; from here on it never is.
        assert!(
            (before - (1.0 - 0.8 * crate::training::quantization_noise::MIN_UNDECIDED_SHARE)).abs() < 1e-9,
            "{before}"
        );
        config.hardening_threshold = 1e-6;
        for _ in 0..20 {
            epoch(&mut run, &config);
        }
        assert!((run.discretised_fraction(&config) - 0.2).abs() < 1e-9);
    }

    #[test]
    fn checkpoint_with_contradictory_counters_is_rejected() {
        let config = LogicConfig { batch: 1, steps: 1, ..LogicConfig::default() };
        let mut run = trainer(&config);
        (0..2).for_each(|_| epoch(&mut run, &config));
        let good = run.to_tensors();
        trainer(&config).restore(&good, 2).expect("the counters agree");
        // A changed counter (`epochs`, or the optimiser's updates `t`), its value, and the units of the run.
        // A unit has 1 to 1000 epochs, and each epoch one update at most.
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
    }

    #[test]
    fn checkpoint_with_an_average_that_is_no_number_is_rejected() {
        let config = LogicConfig { batch: 1, steps: 1, ..LogicConfig::default() };
        let mut run = trainer(&config);
        epoch(&mut run, &config);
        let mut tensors = run.to_tensors();
        tensors.insert("open", &[3], &[f64::NAN, 1.0, 0.5]);
        assert!(trainer(&config).restore(&tensors, 1).is_err());
    }
}
