//! The learner on the GPU: scrambles, target values, sampling by residual, network and optimiser are there. Per update only
//! hyperparameters go up. Losses come back when the CPU decides whether target values are refreshed, and when a unit (a
//! training iteration) ends, with the network. Before a save also the optimiser and the target values come back.

#[cfg(all(test, not(target_family = "wasm")))]
mod tests;

use learnery_gpu::adam::AdamReadBack;
use learnery_gpu::update::Update;
use learnery_gpu::{Gpu, GpuError, Progress, ReadBack};
use learnery_lab::{LabError, Status};
use learnery_nn::Adam;

use super::{SelfSupervised, by_residual};
use crate::config::{CubeConfig, Encoding, Method};
use crate::gpu::{Drawing, IndexedTrainer, Method as DeviceMethod, Setup};
use crate::small::gpu::{SCALE, indexed, rules};
use crate::small::network::Network;
use crate::small::state_space::StateSpace;

/// The most updates of a unit, the upper bound of the setting `updates`.
const MAX_UPDATES_PER_UNIT: usize = 10_000;

/// The part of a learner on the device.
#[derive(Debug)]
pub struct DeviceLearner {
    trainer: IndexedTrainer,
    task: Option<Task>,
    /// Updates whose figures are on the device.
    submitted: usize,
    fetch: Option<Fetch>,
    state_fetch: Option<StateFetch>,
    /// Whether the CPU's copies of the optimiser and of the target values are up to date. That of the network always is between
    /// two units.
    cpu_is_current: bool,
    failure: Option<GpuError>,
}

/// What is being submitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Task {
    Update,
    Refresh,
}

/// Pending read-backs of figures, and of the network at the end of a unit.
#[derive(Debug)]
struct Fetch {
    figures: ReadBack,
    weights: Option<ReadBack>,
}

/// Pending read-backs for a checkpoint.
#[derive(Debug)]
struct StateFetch {
    adam: AdamReadBack,
    values: Option<ReadBack>,
}

impl SelfSupervised {
    /// Moves the learner to the device, between two units.
    pub fn use_gpu(
        &mut self,
        gpu: &Gpu,
        config: &CubeConfig,
        network: &Network,
        space: &StateSpace,
    ) -> Result<(), LabError> {
        if network.encoding() == Encoding::Stickers {
            let problem = "on a GPU the 2x2x2 is learned with the encoding by corners only";
            return Err(LabError::Device(problem.into()));
        }
        let trainer = self.device_trainer(gpu, config, network, space);
        self.device = Some(Box::new(DeviceLearner {
            trainer: trainer.map_err(|e| LabError::Device(e.to_string()))?,
            task: None,
            submitted: 0,
            fetch: None,
            state_fetch: None,
            cpu_is_current: true,
            failure: None,
        }));
        Ok(())
    }

    /// A trainer on the device with the learner's state.
    fn device_trainer(
        &self,
        gpu: &Gpu,
        config: &CubeConfig,
        network: &Network,
        space: &StateSpace,
    ) -> Result<IndexedTrainer, GpuError> {
        let setup = Setup {
            rules: &rules(space.metric()),
            net: network.net(),
            parameters: network.weights.len(),
            teacher: None,
            method: match config.learner {
                Method::Davi => DeviceMethod::TableTargets,
                Method::Efficientcube => DeviceMethod::LastTurn,
                Method::Cayleypy | Method::Dqn => DeviceMethod::WalkLength,
            },
            batch: config.batch as usize,
            scale: SCALE,
            clamps_distances: true,
            updates: MAX_UPDATES_PER_UNIT,
        };
        let trainer = IndexedTrainer::new(gpu, &setup, &indexed(space), by_residual(config))?;
        trainer.set_weights(network.weights.flat());
        trainer.load_adam(&self.adam.to_tensors()).map_err(|e| GpuError::Failed(e.to_string()))?;
        if let Some(target_values) = &self.target_values {
            trainer.set_values(target_values.values());
        }
        Ok(trainer)
    }

    pub fn is_on_gpu(&self) -> bool {
        self.device.is_some()
    }

    /// Does a step on the device: begins an update or a refresh, submits its next part, or takes in figures.
    pub fn step_on_device(&mut self, config: &CubeConfig, network: &mut Network) -> Status {
        let stepped = self.try_step_on_device(config, network);
        stepped.unwrap_or_else(|error| self.fail(error))
    }

    fn fail(&mut self, error: GpuError) -> Status {
        if let Some(device) = &mut self.device {
            device.failure.get_or_insert(error);
        }
        Status::Failed
    }

    fn try_step_on_device(&mut self, config: &CubeConfig, network: &mut Network) -> Result<Status, GpuError> {
        let Some(device) = &mut self.device else { return Ok(Status::Failed) };
        if let Some(fetch) = &device.fetch {
            let Some(figures) = fetch.figures.poll::<[f32; 2]>()? else { return Ok(Status::Waiting) };
            let is_unit_done = fetch.weights.is_some();
            if let Some(weights) = &fetch.weights {
                let Some(weights) = weights.poll::<f32>()? else { return Ok(Status::Waiting) };
                network.weights.update(|to| to.copy_from_slice(&weights));
            }
            (device.fetch, device.submitted) = (None, 0);
            figures.iter().for_each(|[loss, norm]| self.count(f64::from(*loss), *norm));
            return Ok(if is_unit_done { Status::UnitFinished } else { Status::Ready });
        }
        if let Some(task) = device.task {
            match device.trainer.advance()? {
                Progress::Waiting => return Ok(Status::Waiting),
                Progress::Submitted => return Ok(Status::Ready),
                Progress::Finished => device.task = None,
            }
            match (task, &mut self.target_values) {
                (Task::Refresh, Some(target_values)) => {
                    target_values.set_refreshed_at(self.updates);
                    self.loss_ema = f64::NAN;
                }
                _ => {
                    device.submitted += 1;
                    self.updates += 1;
                    self.unit_updates += 1;
                    if self.unit_updates >= u64::from(config.updates) {
                        let with_network = true;
                        device.fetch(with_network);
                    }
                }
            }
            return Ok(Status::Ready);
        }
        (device.state_fetch, device.cpu_is_current) = (None, false);
        if let Some(target_values) = &self.target_values {
            // The moving average of the loss has a say from the earliest time of a refresh on.
            let is_early = self.updates - target_values.refreshed_at() < u64::from(config.refresh_every / 8);
            if !is_early && device.submitted > 0 {
                let with_network = false;
                device.fetch(with_network);
                return Ok(Status::Ready);
            }
            if target_values.needs_refresh(config, self.updates, self.loss_ema) {
                device.trainer.begin_refresh();
                device.task = Some(Task::Refresh);
                return Ok(Status::Ready);
            }
        }
        let options = config.adam_options(self.updates);
        let update = Update {
            slot: device.submitted as u32,
            learning_rate: options.lr,
            max_norm: options.max_norm,
            betas: options.betas,
            epsilon: options.eps,
            ..Update::default()
        };
        let drawing = Drawing {
            walk_key: self.scrambles.key(),
            residual_key: self.residual_samples.key(),
            first_walk: self.updates * u64::from(config.batch),
            update: self.updates,
            length: config.scramble as usize,
            ..Drawing::default()
        };
        device.trainer.begin_update(&drawing, &update);
        device.task = Some(Task::Update);
        Ok(Status::Ready)
    }

    /// Fetches what a checkpoint needs from the GPU, if the run computes there.
    pub fn fetch_state(&mut self) -> Status {
        match self.try_fetch_state() {
            Ok(true) => Status::Ready,
            Ok(false) => Status::Waiting,
            Err(error) => self.fail(error),
        }
    }

    /// Returns whether the CPU's copies are up to date.
    fn try_fetch_state(&mut self) -> Result<bool, GpuError> {
        let Some(device) = &mut self.device else { return Ok(true) };
        if device.cpu_is_current {
            return Ok(true);
        }
        let trainer = &device.trainer;
        let fetch = device
            .state_fetch
            .get_or_insert_with(|| StateFetch { adam: trainer.read_adam(), values: trainer.read_values() });
        let Some(adam) = fetch.adam.poll()? else { return Ok(false) };
        if let (Some(values), Some(target_values)) = (&fetch.values, &mut self.target_values) {
            let Some(values) = values.poll::<f32>()? else { return Ok(false) };
            target_values.set_values(values);
        }
        let parameters = adam.get_vec::<f32>("m").map_or(0, |moments| moments.len());
        self.adam = Adam::from_tensors(parameters, &adam).map_err(|e| GpuError::Failed(e.to_string()))?;
        (device.state_fetch, device.cpu_is_current) = (None, true);
        Ok(true)
    }

    /// Why the GPU failed, as one sentence.
    pub fn failure(&self) -> Option<String> {
        self.device.as_ref()?.failure.as_ref().map(ToString::to_string)
    }
}

impl DeviceLearner {
    /// Begins to fetch the figures of the updates since the last time, and the network if it is needed.
    fn fetch(&mut self, with_network: bool) {
        self.fetch = Some(Fetch {
            figures: self.trainer.read_figures(self.submitted),
            weights: with_network.then(|| self.trainer.read_weights()),
        });
    }
}
