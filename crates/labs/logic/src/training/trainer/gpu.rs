//! The trainer's GPU backend: the epochs of [`super`], with soft gates and optimiser on the device. Hard
//! gates and local search stay on the CPU.
//!
//! At the start of an epoch, its initial states are uploaded and the most likely kinds of the gates are read
//! back. While the device trains with soft gates, the CPU runs the same states with hard gates. The moving
//! average of that hard error alone decides whether local search follows, so the device need not wait for the
//! soft losses: it continues with the next epoch, unless a search must change logits first. At the end of a
//! unit, the losses and logits are read back; for a checkpoint, also Adam's two moments.

#[cfg(test)]
mod tests;

use crate::gpu::{self as gates, Batch, CellCircuits, Epoch, GridShape, Moments, MomentsReadBack, Task};
use learnery_gpu::{Gpu, GpuError, ReadBack};
use learnery_kernels::optim::AdamStep;
use learnery_lab::{DeviceTrainer, LabError, Status, Work};
use learnery_nn::{Adam, Tensors};

use super::{
    DeviceRun, Losses, Network, Trainer, active_cells, adam_options, hard_error, wants_local_search,
};
use crate::config::{LogicConfig, MAX_EPOCHS_PER_UNIT, Parameters};
use crate::experiment::Experiment;
use crate::training::quantization_noise::QuantizationNoise;

enum Phase {
    BetweenUnits,
    BetweenEpochs,
    /// The device computes an epoch.
    Epoch {
        /// The next dispatch to submit.
        next: usize,
        /// The pending read-back of the gates' kinds, with which the CPU runs the epoch; `None` once it has
        /// run.
        kinds: Option<ReadBack>,
    },
    /// The logits are fetched for a local search.
    Fetching,
    Searching {
        /// The number of accepted changes before this search.
        accepted_before: u64,
    },
    /// Losses and logits are fetched at the end of a unit.
    FinishingUnit,
}

/// The soft gates of a run on the device.
pub struct GpuLearner {
    trainer: gates::Trainer,
    phase: Phase,
    /// The attempt whose gates and wires are on the device.
    attempt: u32,
    /// The hard error of each epoch of the unit.
    hard_errors: Vec<f64>,
    /// The moving averages of the errors. Within a unit only the hard one is up to date: the soft one is kept
    /// on the device.
    errors: QuantizationNoise,
    /// The number of optimiser steps since the attempt began: Adam's `t`.
    updates: u64,
    /// What an epoch begins with, see [`Batch`].
    state: Vec<f32>,
    goal: Vec<f32>,
    awake: Vec<f32>,
}

/// Results on their way back: the logits for a local search or at the end of a unit, and the losses of the
/// unit.
pub struct Results {
    logits: ReadBack,
    losses: Option<ReadBack>,
}

/// The circuits of a network in the form that the device takes.
fn device_circuits(network: &Network) -> CellCircuits<'_> {
    let cell = &network.circuits;
    CellCircuits {
        channels: cell.channels,
        perception: cell.perception.wirings().collect(),
        update: cell.update.wirings().collect(),
        table: cell.update.parameters == Parameters::Table,
    }
}

/// Both moments of an optimiser, and the number of its updates: Adam's tensors `m`, `v` and `t`.
fn read_moments(adam: &Adam) -> Result<(Moments, u64), LabError> {
    let tensors = adam.to_tensors();
    let moments = Moments { first: tensors.get_vec("m")?, second: tensors.get_vec("v")? };
    Ok((moments, tensors.get("t", &[1])?[0]))
}

fn zero_or_one(on: bool) -> f32 {
    f32::from(u8::from(on))
}

impl GpuLearner {
    /// Moves training to the device, between two units.
    pub fn new(gpu: &Gpu, run: &Trainer) -> Result<Self, LabError> {
        let grids = run.soft.grids();
        let [width, height] = grids.size();
        let grids = GridShape { width, height, periodic: run.setup.periodic, count: grids.count() };
        let task = Task {
            grids,
            steps: run.soft.steps(),
            shown: run.setup.shown,
            asynchronous: run.network.experiment == Experiment::Async,
        };
        let trainer =
            gates::Trainer::new(gpu, &device_circuits(&run.network), task, MAX_EPOCHS_PER_UNIT as usize)?;
        trainer.set_logits(&run.network.logits);
        let (moments, updates) = read_moments(&run.adam)?;
        trainer.set_moments(&moments);
        Ok(Self {
            trainer,
            phase: Phase::BetweenUnits,
            attempt: run.attempt,
            hard_errors: Vec::new(),
            errors: run.quantization,
            updates,
            state: vec![0.0; grids.cells() * run.setup.channels],
            goal: vec![0.0; grids.cells() * run.setup.shown],
            awake: vec![0.0; run.active.len()],
        })
    }

    /// Uploads the gates and wires of a new attempt.
    fn upload_attempt(&mut self, run: &Trainer) -> Result<(), GpuError> {
        let zeros = vec![0.0; run.network.logits.len()];
        self.trainer.set_logits(&run.network.logits);
        self.trainer.set_moments(&Moments { first: zeros.clone(), second: zeros });
        (self.updates, self.attempt) = (0, run.attempt);
        self.trainer.set_wiring(&device_circuits(&run.network))
    }

    /// Samples what the next epoch begins with, and begins it on the device.
    fn begin_epoch(&mut self, run: &mut Trainer, config: &LogicConfig, seed: u32) {
        run.draw_epoch(config, seed);
        let cells = run.cells();
        for (channel, values) in self.state.chunks_exact_mut(cells).enumerate() {
            let cells = (0..).zip(values);
            cells.for_each(|(cell, value)| *value = zero_or_one(run.initial.is_on(cell, channel)));
        }
        let target = run.target.iter().flatten();
        self.goal.iter_mut().zip(target).for_each(|(to, on)| *to = zero_or_one(*on));
        self.awake.iter_mut().zip(&run.active).for_each(|(to, on)| *to = zero_or_one(*on));
        self.updates += 1;
        let options = adam_options(config);
        // Only for its bias corrections; the device does the step itself.
        let step = AdamStep {
            lr: options.lr,
            beta1: options.betas.0,
            beta2: options.betas.1,
            eps: options.eps,
            weight_decay: options.weight_decay,
            grad_scale: 1.0,
            t: self.updates,
        };
        let epoch = Epoch {
            discretised: config.discretised_fraction as f32,
            hardening_rate: config.hardening_rate as f32,
            hardening_threshold: config.hardening_threshold as f32,
            learning_rate: options.lr,
            betas: options.betas,
            epsilon: options.eps,
            weight_decay: options.weight_decay,
            clip: config.clip as f32,
            corrections: step.bias_corrections(),
            slot: self.hard_errors.len() as u32,
        };
        let Self { trainer, state, goal, awake, .. } = &*self;
        let kinds = trainer.begin(epoch, &Batch { state, goal, awake, random: &run.noise });
        self.phase = Phase::Epoch { next: 0, kinds: Some(kinds) };
    }

    /// Submits the next part of the epoch, or runs it with hard gates while the device is busy.
    fn continue_epoch(
        &mut self,
        run: &mut Trainer,
        config: &LogicConfig,
        mut next: usize,
        mut kinds: Option<ReadBack>,
    ) -> Result<Work, GpuError> {
        let is_all_submitted = next == self.trainer.dispatches();
        let work = if !is_all_submitted && !self.trainer.gpu().is_busy()? {
            next = self.trainer.submit(next);
            Work::Submitted
        } else if let Some(reading) = &kinds {
            match reading.poll::<u32>()? {
                Some(numbers) => {
                    let numbers = numbers.iter().zip(&mut run.kinds);
                    numbers.for_each(|(number, kind)| *kind = *number as u8);
                    kinds = None;
                    let error = run.run_hard();
                    self.errors.update_hard(error);
                    self.hard_errors.push(error);
                    Work::OnCpu
                }
                None => Work::Waiting,
            }
        } else {
            Work::Waiting
        };
        if next < self.trainer.dispatches() || kinds.is_some() {
            self.phase = Phase::Epoch { next, kinds };
            return Ok(work);
        }
        run.epochs += 1;
        if wants_local_search(config, &self.errors) {
            self.phase = Phase::Fetching;
        }
        Ok(work)
    }
}

impl DeviceTrainer for GpuLearner {
    type Run<'a> = DeviceRun<'a>;
    type Results = Results;
    type State = MomentsReadBack;

    fn advance(&mut self, run: &mut DeviceRun) -> Result<Work, GpuError> {
        let DeviceRun { config, seed, trainer: run, .. } = run;
        // `BetweenEpochs` is the next phase, unless an arm sets another one.
        match std::mem::replace(&mut self.phase, Phase::BetweenEpochs) {
            Phase::BetweenUnits => {
                if self.attempt != run.attempt {
                    self.upload_attempt(run)?;
                }
                self.hard_errors.clear();
                self.errors = run.quantization;
                let [soft_error, undecided_share, _] = run.quantization.to_array();
                self.trainer.set_noise(soft_error as f32, undecided_share as f32);
                Ok(Work::Submitted)
            }
            Phase::BetweenEpochs if self.hard_errors.len() >= config.epochs as usize => {
                self.phase = Phase::FinishingUnit;
                Ok(Work::NeedsResults)
            }
            Phase::BetweenEpochs if self.trainer.gpu().is_busy()? => Ok(Work::Waiting),
            Phase::BetweenEpochs => {
                self.begin_epoch(run, config, *seed);
                Ok(Work::Submitted)
            }
            Phase::Epoch { next, kinds } => self.continue_epoch(run, config, next, kinds),
            phase @ (Phase::Fetching | Phase::FinishingUnit) => {
                self.phase = phase;
                Ok(Work::NeedsResults)
            }
            Phase::Searching { accepted_before } => {
                run.local_search.step(&mut run.network, config.fire_rate);
                if run.local_search.is_running() {
                    self.phase = Phase::Searching { accepted_before };
                } else if run.local_search.accepted > accepted_before {
                    self.trainer.set_logits(&run.network.logits);
                }
                Ok(Work::OnCpu)
            }
        }
    }

    fn read_results(&mut self, _: &mut DeviceRun, _is_watched: &mut bool) -> Results {
        // `_is_watched` does not matter: the stage needs the logits, which are read in any case.
        let is_unit_done = matches!(self.phase, Phase::FinishingUnit);
        Results {
            losses: is_unit_done.then(|| self.trainer.read_metrics(self.hard_errors.len())),
            logits: self.trainer.read_logits(),
        }
    }

    fn take_results(
        &mut self,
        Results { logits, losses }: &mut Results,
        run: &mut DeviceRun,
    ) -> Result<Option<Status>, GpuError> {
        let DeviceRun { config, trainer: run, losses: unit_losses, .. } = run;
        let soft = match losses {
            Some(losses) => {
                let Some(soft) = losses.poll::<f32>()? else { return Ok(None) };
                Some(soft)
            }
            None => None,
        };
        let Some(values) = logits.poll()? else { return Ok(None) };
        run.network.logits = values;
        let Some(soft) = soft else {
            run.local_search.begin(&run.network, run.epochs, config.local_search_tries);
            self.phase = Phase::Searching { accepted_before: run.local_search.accepted };
            return Ok(Some(Status::Ready));
        };
        let losses = soft.iter().zip(&self.hard_errors);
        **unit_losses = losses.map(|(soft, hard)| Losses { soft: f64::from(*soft), hard: *hard }).collect();
        unit_losses.iter().for_each(|losses| run.quantization.update(*losses, config));
        // A unit has at least one epoch.
        run.losses = unit_losses.last().copied().unwrap_or_default();
        self.phase = Phase::BetweenUnits;
        Ok(Some(Status::UnitFinished))
    }

    /// Only the optimiser's moments: the logits come back at the end of every unit anyway.
    fn read_state(&mut self, _: &mut DeviceRun) -> MomentsReadBack {
        self.trainer.read_moments()
    }

    fn take_state(&mut self, state: &mut MomentsReadBack, run: &mut DeviceRun) -> Result<bool, GpuError> {
        let Some(Moments { first, second }) = state.poll()? else { return Ok(false) };
        let mut tensors = Tensors::new();
        tensors.insert("m", &[first.len()], &first);
        tensors.insert("v", &[second.len()], &second);
        tensors.insert("t", &[1], &[self.updates]);
        run.trainer.adam = Adam::from_tensors(first.len(), &tensors)?;
        Ok(true)
    }
}

impl Trainer {
    /// Runs the current epoch with hard gates of the kinds in `kinds`. Returns the fraction of values in the
    /// shown channels that differ from the target.
    fn run_hard(&mut self) -> f64 {
        let Self { hard, network, kinds, active, target, soft, .. } = self;
        let circuits = &network.circuits;
        hard.replace_kinds(|all| circuits.write_netlist_kinds(all, |gates| gates.copy_from_slice(kinds)));
        let (active, steps) = (&active[..], soft.steps());
        hard_error(hard, steps, |step| active_cells(active, steps, step), target)
    }
}
