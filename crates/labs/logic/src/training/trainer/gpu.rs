//! The trainer's GPU backend: the epochs of [`super`], with soft gates and optimiser on the device. Hard gates and local
//! search stay on the CPU.
//!
//! When an epoch begins, its initial states go up, and the most likely kinds of the gates come back. While the device
//! computes the epoch, the CPU runs the same states with hard gates. Whether local search follows depends on these errors
//! alone, so the device goes on with the next epoch at once unless a search must change logits first. At the end of a
//! unit the losses and the logits are read back, and both moments of the optimiser for a checkpoint.

#[cfg(test)]
mod tests;

use crate::gpu::{self as gates, Batch, CellCircuits, Epoch, GridShape, Moments, MomentsReadBack, Task};
use learnery_gpu::{Gpu, GpuError, ReadBack};
use learnery_kernels::optim::AdamStep;
use learnery_lab::{LabError, Status};
use learnery_nn::{Adam, Tensors};

use super::{Losses, Network, Trainer, active_cells, adam_options, hard_error, wants_local_search};
use crate::config::{LogicConfig, MAX_EPOCHS_PER_UNIT, Parameters};
use crate::experiment::Experiment;
use crate::training::quantization_noise::QuantizationNoise;

/// Submissions that may be under way at the same time: the device never idles, and a page stays at ease.
const MAX_IN_FLIGHT: u32 = 2;

/// What a step did.
#[derive(Debug)]
pub enum DeviceStep {
    Ready,
    /// Nothing, because the device is busy.
    Waiting,
    /// It ended the unit, whose epochs had these losses.
    UnitTrained(Vec<Losses>),
    /// Nothing: the device failed, see [`Trainer::device_failure`].
    Failed,
}

/// The device failed; [`GpuLearner::failure`] says why.
struct DeviceFailed;

enum Phase {
    BetweenUnits,
    BetweenEpochs,
    /// The device computes an epoch.
    Epoch {
        /// The next dispatch to submit.
        next: usize,
        /// The kinds of the gates on their way, with which the CPU runs the epoch; `None` when it has.
        kinds: Option<ReadBack>,
    },
    /// The logits are fetched for a local search.
    Fetching(ReadBack),
    Searching {
        /// The changes that were accepted before.
        accepted: u64,
    },
    /// Losses and logits are fetched at the end of a unit.
    FinishingUnit {
        losses: ReadBack,
        logits: ReadBack,
    },
}

pub struct GpuLearner {
    trainer: gates::Trainer,
    phase: Phase,
    /// The hard error of each epoch of the unit.
    hard_errors: Vec<f64>,
    /// The average errors, of which only the hard one is up to date within a unit.
    errors: QuantizationNoise,
    /// Updates of the optimiser.
    updates: u64,
    /// The optimiser on its way to a checkpoint, and whether the CPU's copy is up to date.
    moments: Option<MomentsReadBack>,
    optimiser_is_fresh: bool,
    /// What an epoch begins with, see [`Batch`].
    state: Vec<f32>,
    goal: Vec<f32>,
    awake: Vec<f32>,
    failure: Option<GpuError>,
}

impl GpuLearner {
    fn poll(&mut self, reading: &ReadBack) -> Result<Option<Vec<f32>>, DeviceFailed> {
        reading.poll().map_err(|error| self.fail(error))
    }

    /// Whether the device has enough to do.
    fn is_busy(&mut self) -> Result<bool, DeviceFailed> {
        match self.trainer.gpu().in_flight() {
            Ok(count) => Ok(count >= MAX_IN_FLIGHT),
            Err(error) => Err(self.fail(error)),
        }
    }

    fn fail(&mut self, error: GpuError) -> DeviceFailed {
        self.failure.get_or_insert(error);
        DeviceFailed
    }
}

/// The circuits of a network in the form that the device takes.
fn circuits(network: &Network) -> CellCircuits<'_> {
    let cell = &network.circuits;
    CellCircuits {
        channels: cell.channels,
        perception: cell.perception.wirings().collect(),
        update: cell.update.wirings().collect(),
        table: cell.update.parameters() == Parameters::Table,
    }
}

/// Both moments of an optimiser, and its updates.
fn moments(adam: &Adam) -> Result<(Moments, u64), LabError> {
    let tensors = adam.to_tensors();
    let moments = Moments { first: tensors.get_vec("m")?, second: tensors.get_vec("v")? };
    Ok((moments, tensors.get("t", &[1])?[0]))
}

fn number(on: bool) -> f32 {
    f32::from(u8::from(on))
}

impl Trainer {
    /// Moves training to the device, between two units.
    pub fn use_gpu(&mut self, gpu: &Gpu) -> Result<(), LabError> {
        let grids = self.soft.grids();
        let [width, height] = grids.size();
        let grids = GridShape { width, height, periodic: self.setup.periodic, count: grids.count() };
        let task = Task {
            grids,
            steps: self.soft.steps(),
            shown: self.setup.shown,
            asynchronous: self.network.experiment == Experiment::Async,
        };
        let trainer = gates::Trainer::new(gpu, &circuits(&self.network), task, MAX_EPOCHS_PER_UNIT as usize);
        let trainer = trainer.map_err(|error| LabError::Device(error.to_string()))?;
        trainer.set_logits(&self.network.logits);
        let (moments, updates) = moments(&self.adam)?;
        trainer.set_moments(&moments);
        self.device = Some(Box::new(GpuLearner {
            trainer,
            phase: Phase::BetweenUnits,
            hard_errors: Vec::new(),
            errors: self.quantization,
            updates,
            moments: None,
            optimiser_is_fresh: true,
            state: vec![0.0; grids.cells() * self.setup.channels],
            goal: vec![0.0; grids.cells() * self.setup.shown],
            awake: vec![0.0; self.active.len()],
            failure: None,
        }));
        Ok(())
    }

    pub fn is_on_device(&self) -> bool {
        self.device.is_some()
    }

    pub fn device_failure(&self) -> Option<String> {
        self.device.as_ref()?.failure.as_ref().map(ToString::to_string)
    }

    /// Whether no epoch of a unit has begun on the device.
    pub fn device_is_between_units(&self) -> bool {
        self.device.as_ref().is_some_and(|device| matches!(device.phase, Phase::BetweenUnits))
    }

    /// Uploads the gates and wires of a new attempt.
    pub(super) fn upload_attempt(&mut self) {
        let Some(device) = &mut self.device else { return };
        let zeros = vec![0.0; self.network.logits.len()];
        device.trainer.set_logits(&self.network.logits);
        device.trainer.set_moments(&Moments { first: zeros.clone(), second: zeros });
        (device.updates, device.errors) = (0, self.quantization);
        if let Err(error) = device.trainer.set_wiring(&circuits(&self.network)) {
            device.fail(error);
        }
    }

    /// A step of a unit on the device.
    pub fn step_on_device(&mut self, config: &LogicConfig, seed: u32) -> DeviceStep {
        let Some(mut device) = self.device.take() else { return DeviceStep::Failed };
        let result = self.step_with(&mut device, config, seed);
        self.device = Some(device);
        result.unwrap_or(DeviceStep::Failed)
    }

    fn step_with(
        &mut self,
        device: &mut GpuLearner,
        config: &LogicConfig,
        seed: u32,
    ) -> Result<DeviceStep, DeviceFailed> {
        if device.failure.is_some() {
            return Err(DeviceFailed);
        }
        match std::mem::replace(&mut device.phase, Phase::BetweenEpochs) {
            Phase::BetweenUnits => {
                device.hard_errors.clear();
                device.errors = self.quantization;
                let (soft_error, share) = self.quantization.soft_error_and_share();
                device.trainer.set_noise(soft_error, share);
                // What is being fetched is that of an earlier unit.
                device.moments = None;
            }
            Phase::BetweenEpochs if device.hard_errors.len() >= config.epochs as usize => {
                device.phase = Phase::FinishingUnit {
                    losses: device.trainer.read_figures(device.hard_errors.len()),
                    logits: device.trainer.read_logits(),
                };
            }
            Phase::BetweenEpochs => {
                if device.is_busy()? {
                    return Ok(DeviceStep::Waiting);
                }
                self.begin_on_device(device, config, seed);
            }
            Phase::Epoch { next, kinds } => return self.continue_epoch(device, config, next, kinds),
            Phase::Fetching(reading) => {
                let Some(logits) = device.poll(&reading)? else {
                    device.phase = Phase::Fetching(reading);
                    return Ok(DeviceStep::Waiting);
                };
                self.network.logits = logits;
                self.local_search.begin(&self.network, self.epochs, config.local_search_tries);
                device.phase = Phase::Searching { accepted: self.local_search.accepted() };
            }
            Phase::Searching { accepted } => {
                self.local_search.step(&mut self.network, config.fire_rate);
                if self.local_search.is_running() {
                    device.phase = Phase::Searching { accepted };
                } else if self.local_search.accepted() > accepted {
                    device.trainer.set_logits(&self.network.logits);
                }
            }
            Phase::FinishingUnit { losses, logits } => {
                let (Some(soft), Some(values)) = (device.poll(&losses)?, device.poll(&logits)?) else {
                    device.phase = Phase::FinishingUnit { losses, logits };
                    return Ok(DeviceStep::Waiting);
                };
                self.network.logits = values;
                let losses = soft.iter().zip(&device.hard_errors);
                let losses: Vec<Losses> =
                    losses.map(|(soft, hard)| Losses { soft: f64::from(*soft), hard: *hard }).collect();
                losses.iter().for_each(|losses| self.quantization.update(*losses, config));
                self.losses = losses.last().copied().unwrap_or_default();
                device.phase = Phase::BetweenUnits;
                return Ok(DeviceStep::UnitTrained(losses));
            }
        }
        Ok(DeviceStep::Ready)
    }

    /// Samples what the next epoch begins with, and begins it on the device.
    fn begin_on_device(&mut self, device: &mut GpuLearner, config: &LogicConfig, seed: u32) {
        self.draw_epoch(config, seed);
        let cells = self.cells();
        for (channel, values) in device.state.chunks_exact_mut(cells).enumerate() {
            let cells = (0..).zip(values);
            cells.for_each(|(cell, value)| *value = number(self.initial.is_on(cell, channel)));
        }
        let target = self.target.iter().flatten();
        device.goal.iter_mut().zip(target).for_each(|(to, on)| *to = number(*on));
        device.awake.iter_mut().zip(&self.active).for_each(|(to, on)| *to = number(*on));
        device.updates += 1;
        device.optimiser_is_fresh = false;
        let options = adam_options(config);
        let step = AdamStep {
            lr: options.lr,
            beta1: options.betas.0,
            beta2: options.betas.1,
            eps: options.eps,
            weight_decay: options.weight_decay,
            grad_scale: 1.0,
            t: device.updates,
        };
        let epoch = Epoch {
            discretised: config.discretised_fraction as f32,
            settle_rate: config.settle_rate as f32,
            settle_below: config.settle_below as f32,
            learning_rate: options.lr,
            betas: options.betas,
            epsilon: options.eps,
            weight_decay: options.weight_decay,
            clip: config.clip as f32,
            corrections: step.bias_corrections(),
            slot: device.hard_errors.len() as u32,
        };
        let GpuLearner { trainer, state, goal, awake, .. } = &*device;
        let kinds = trainer.begin(epoch, &Batch { state, goal, awake, random: &self.noise });
        device.phase = Phase::Epoch { next: 0, kinds: Some(kinds) };
    }

    /// Submits the next part of the epoch, or runs it with hard gates while the device is busy.
    fn continue_epoch(
        &mut self,
        device: &mut GpuLearner,
        config: &LogicConfig,
        mut next: usize,
        mut kinds: Option<ReadBack>,
    ) -> Result<DeviceStep, DeviceFailed> {
        let is_submitted = next == device.trainer.dispatches();
        let step = if !is_submitted && !device.is_busy()? {
            next = device.trainer.submit(next);
            DeviceStep::Ready
        } else if let Some(reading) = &kinds {
            match reading.poll::<u32>().map_err(|error| device.fail(error))? {
                Some(numbers) => {
                    let numbers = numbers.iter().zip(&mut self.kinds);
                    numbers.for_each(|(number, kind)| *kind = *number as u8);
                    kinds = None;
                    let error = self.run_hard();
                    device.errors.update_hard(error);
                    device.hard_errors.push(error);
                    DeviceStep::Ready
                }
                None => DeviceStep::Waiting,
            }
        } else {
            DeviceStep::Waiting
        };
        if next < device.trainer.dispatches() || kinds.is_some() {
            device.phase = Phase::Epoch { next, kinds };
            return Ok(step);
        }
        self.epochs += 1;
        if wants_local_search(config, &device.errors) {
            device.phase = Phase::Fetching(device.trainer.read_logits());
        }
        Ok(step)
    }

    /// Runs the present epoch with every gate of its kind in `kinds`, and returns the fraction of wrong cells.
    fn run_hard(&mut self) -> f64 {
        let Self { hard, network, kinds, active, target, soft, .. } = self;
        network.circuits.set_kinds_of(kinds, hard);
        let (active, steps) = (&active[..], soft.steps());
        hard_error(hard, steps, |step| active_cells(active, steps, step), target)
    }

    /// Fetches the optimiser, for a checkpoint.
    pub fn prepare_save(&mut self) -> Status {
        let Some(device) = &mut self.device else { return Status::Ready };
        if device.failure.is_some() {
            return Status::Failed;
        }
        if device.optimiser_is_fresh {
            return Status::Ready;
        }
        let trainer = &device.trainer;
        match device.moments.get_or_insert_with(|| trainer.read_moments()).poll() {
            Ok(Some(Moments { first, second })) => {
                let mut tensors = Tensors::new();
                tensors.insert("m", &[first.len()], &first);
                tensors.insert("v", &[second.len()], &second);
                tensors.insert("t", &[1], &[device.updates]);
                self.adam = Adam::from_tensors(first.len(), &tensors).expect("the tensors of an optimiser");
                device.moments = None;
                device.optimiser_is_fresh = true;
                Status::Ready
            }
            Ok(None) => Status::Waiting,
            Err(error) => {
                device.fail(error);
                Status::Failed
            }
        }
    }
}
