//! The learner on the GPU: everything from the random walks to the optimiser is there. Per update only hyperparameters go up.
//! When a unit (a training iteration) ends, losses, gradient norms and the network come back. Before a save also the
//! optimiser comes back, and what value iteration keeps.

#[cfg(all(test, not(target_family = "wasm")))]
mod tests;

use learnery_gpu::adam::AdamReadBack;
use learnery_gpu::update::Update;
use learnery_gpu::{Gpu, GpuError, Progress, ReadBack};
use learnery_lab::{LabError, Status};
use learnery_nn::Adam;
use learnery_worlds::puzzle::State;

use super::samples::first_walk;
use super::{Learner, adam_options, by_residual};
use crate::config::{CubeConfig, Method};
use crate::gpu::{Drawing, FocusReadBack, FocusState, Method as DeviceMethod, Setup, Trainer, unpack};
use crate::large::gpu::{SCALE, packed, rules};
use crate::large::network::{Network, Outputs};

/// The most updates of a unit, the upper bound of the setting `updates`.
const MAX_UPDATES_PER_UNIT: usize = 10_000;

/// The part of a learner on the device.
#[derive(Debug)]
pub struct DeviceLearner {
    gpu: Gpu,
    trainer: Trainer,
    /// Whether an update is being submitted.
    is_updating: bool,
    /// Updates whose figures are on the device.
    submitted: usize,
    fetch: Option<Fetch>,
    state_fetch: Option<StateFetch>,
    /// Whether the CPU's copies of the optimiser and of value iteration's states are up to date. That of the network always is
    /// between two units.
    cpu_is_current: bool,
    failure: Option<GpuError>,
}

/// Pending read-backs at the end of a unit, or before the distillation.
#[derive(Debug)]
struct Fetch {
    figures: ReadBack,
    weights: ReadBack,
}

/// Pending read-backs for a checkpoint.
#[derive(Debug)]
struct StateFetch {
    adam: AdamReadBack,
    /// Of value iteration: the target network and the states.
    teacher: Option<ReadBack>,
    focus: Option<FocusReadBack>,
}

impl Learner {
    /// Moves the learner to the device, between two units.
    pub fn use_gpu(&mut self, gpu: &Gpu, config: &CubeConfig, network: &Network) -> Result<(), LabError> {
        let trainer = self.device_trainer(gpu, config, network);
        let trainer = trainer.map_err(|e| LabError::Device(e.to_string()))?;
        self.device = Some(Box::new(DeviceLearner {
            gpu: gpu.clone(),
            trainer,
            is_updating: false,
            submitted: 0,
            fetch: None,
            state_fetch: None,
            cpu_is_current: true,
            failure: None,
        }));
        Ok(())
    }

    /// A trainer on the device with the learner's state, for the network as it is.
    fn device_trainer(&self, gpu: &Gpu, config: &CubeConfig, network: &Network) -> Result<Trainer, GpuError> {
        let method = match (network.outputs(), config.learner) {
            (Outputs::DistancesAfterTurns, _) if self.teacher.is_some() => DeviceMethod::Distillation,
            (Outputs::DistancesAfterTurns, _) => DeviceMethod::WalkSteps,
            (Outputs::Logits, _) => DeviceMethod::LastTurn,
            (Outputs::Distance, Method::Davi) => {
                DeviceMethod::ValueIteration { by_residual: by_residual(config) }
            }
            (Outputs::Distance, _) => DeviceMethod::WalkLength,
        };
        let rules = rules(network);
        let setup = Setup {
            rules: &rules,
            net: network.net(),
            parameters: network.weights.len(),
            teacher: self.teacher.as_ref().map(|teacher| (teacher.net(), teacher.weights.len())),
            method,
            batch: config.batch as usize,
            scale: SCALE,
            clamps_distances: false,
            updates: MAX_UPDATES_PER_UNIT,
        };
        let trainer = Trainer::new(gpu, &setup)?;
        trainer.set_weights(network.weights.flat());
        trainer.load_adam(&self.adam.to_tensors()).map_err(|e| GpuError::Failed(e.to_string()))?;
        if let Some(teacher) = &self.teacher {
            trainer.set_teacher(teacher.weights.flat());
        }
        if let (Some(focus), DeviceMethod::ValueIteration { .. }) = (&self.focus, method) {
            let (states, squares, next) = focus.parts();
            trainer.load_focus(&FocusState {
                states: states.iter().map(packed).collect(),
                squares: squares.to_vec(),
                next,
                age: u32::try_from(self.updates - self.copied_at).unwrap_or(u32::MAX),
                mean_loss: Some(self.loss_ema as f32).filter(|loss| loss.is_finite() && *loss >= 0.0),
            });
        }
        Ok(trainer)
    }

    /// Does a step on the device: begins an update, submits its next part, or takes in the figures of a unit.
    pub(super) fn step_on_device(&mut self, config: &CubeConfig, network: &mut Network) -> Status {
        let stepped = self.try_step_on_device(config, network);
        stepped.unwrap_or_else(|error| self.fail(error))
    }

    /// The device, if the run computes there.
    pub fn gpu(&self) -> Option<&Gpu> {
        self.device.as_ref().map(|device| &device.gpu)
    }

    /// Remembers why the GPU failed.
    pub fn fail(&mut self, error: GpuError) -> Status {
        if let Some(device) = &mut self.device {
            device.failure.get_or_insert(error);
        }
        Status::Failed
    }

    fn try_step_on_device(&mut self, config: &CubeConfig, network: &mut Network) -> Result<Status, GpuError> {
        let distils = self.distils(config);
        let begins_distillation = distils && network.outputs() == Outputs::Distance;
        let is_unit_done = self.unit_updates >= u64::from(config.updates);
        let Some(device) = &mut self.device else { return Ok(Status::Failed) };
        if let Some(fetch) = &device.fetch {
            let (Some(figures), Some(weights)) =
                (fetch.figures.poll::<[f32; 2]>()?, fetch.weights.poll::<f32>()?)
            else {
                return Ok(Status::Waiting);
            };
            (device.fetch, device.submitted) = (None, 0);
            network.weights.update(|to| to.copy_from_slice(&weights));
            figures.iter().for_each(|[loss, norm]| self.count(f64::from(*loss), *norm));
            return Ok(if is_unit_done { Status::UnitFinished } else { Status::Ready });
        }
        if device.is_updating {
            return Ok(match device.trainer.advance()? {
                Progress::Waiting => Status::Waiting,
                Progress::Submitted => Status::Ready,
                Progress::Finished => {
                    device.is_updating = false;
                    device.submitted += 1;
                    self.updates += 1;
                    self.unit_updates += 1;
                    if self.unit_updates >= u64::from(config.updates) {
                        device.fetch();
                    }
                    Status::Ready
                }
            });
        }
        if begins_distillation {
            // Its network begins with the layers of the one that is on the device, and a checkpoint keeps the states of value
            // iteration.
            if device.submitted > 0 {
                device.fetch();
                return Ok(Status::Ready);
            }
            if !self.try_fetch_state()? {
                return Ok(Status::Waiting);
            }
            let Some(device) = &self.device else { return Ok(Status::Failed) };
            let gpu = device.gpu.clone();
            self.begin_distillation(config, network);
            let trainer = self.device_trainer(&gpu, config, network)?;
            if let Some(device) = &mut self.device {
                device.trainer = trainer;
            }
            return Ok(Status::Ready);
        }
        let options = adam_options(config, self.updates, distils);
        let update = Update {
            slot: device.submitted as u32,
            learning_rate: options.lr,
            max_norm: options.max_norm,
            betas: options.betas,
            epsilon: options.eps,
            ..Update::default()
        };
        let drawing = Drawing {
            walk_key: self.walks.key(),
            neighbour_key: self.neighbours.key(),
            residual_key: self.focus.as_ref().map_or([0; 2], |focus| focus.stream().key()),
            first_walk: first_walk(config, self.updates),
            update: self.updates,
            length: config.scramble as usize,
            latest: config.refresh_every,
            earliest: config.refresh_every / 8,
            copy_below: config.refresh_below as f32,
        };
        device.trainer.begin(&drawing, &update);
        (device.is_updating, device.cpu_is_current) = (true, false);
        // A pending copy would be that of the state before this update.
        device.state_fetch = None;
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
        let fetch = device.state_fetch.get_or_insert_with(|| {
            let focus = trainer.read_focus();
            // A teacher in distillation does not change.
            let teacher = focus.as_ref().and_then(|_| trainer.read_teacher());
            StateFetch { adam: trainer.read_adam(), teacher, focus }
        });
        let Some(adam) = fetch.adam.poll()? else { return Ok(false) };
        if let (Some(teacher), Some(focus)) = (&fetch.teacher, &fetch.focus) {
            let (Some(weights), Some(state)) = (teacher.poll::<f32>()?, focus.poll()?) else {
                return Ok(false);
            };
            if let Some(teacher) = &mut self.teacher {
                teacher.weights.update(|to| to.copy_from_slice(&weights));
            }
            if let Some(focus) = &mut self.focus {
                let states = state.states.iter().map(|packed| {
                    let mut state = State::default();
                    unpack(packed, &mut state);
                    state
                });
                focus.replace(states.collect(), state.squares, state.next);
            }
            self.copied_at = self.updates - u64::from(state.age).min(self.updates);
            self.loss_ema = state.mean_loss.map_or(f64::NAN, f64::from);
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
    /// Begins to fetch the figures of the updates since the last time, and the network.
    fn fetch(&mut self) {
        self.fetch = Some(Fetch {
            figures: self.trainer.read_figures(self.submitted),
            weights: self.trainer.read_weights(),
        });
    }
}
