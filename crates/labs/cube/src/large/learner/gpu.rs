//! The learner on the GPU: everything from the random walks to the optimiser is there. Per update only
//! hyperparameters go up. When a unit (a training iteration) ends, losses, gradient norms and the network
//! come back. Before a save also the optimiser comes back, and what value iteration keeps.

#[cfg(all(test, not(target_family = "wasm")))]
mod tests;

use learnery_gpu::adam::AdamReadBack;
use learnery_gpu::update::Update;
use learnery_gpu::{Gpu, GpuError, Progress, ReadBack};
use learnery_kernels::rng::Stream;
use learnery_lab::{DeviceTrainer, Status, Work};
use learnery_nn::Adam;
use learnery_worlds::puzzle::State;

use super::samples::first_walk;
use super::{DeviceRun, Learner, adam_options, residual_sample_count};
use crate::config::{CubeConfig, Method};
use crate::gpu::{
    Method as DeviceMethod, SamplingParameters, Setup, Trainer, ValueIterationReadBack, ValueIterationState,
    unpack,
};
use crate::large::gpu::{SCALE, packed, rules};
use crate::large::network::{Network, Outputs};
use crate::large::residual_replay::ResidualReplay;

/// The most updates of a unit, the upper bound of the setting `updates`.
const MAX_UPDATES_PER_UNIT: usize = 10_000;

/// The part of a learner on the device.
#[derive(Debug)]
pub struct DeviceLearner {
    gpu: Gpu,
    trainer: Trainer,
    /// Whether an update is being submitted.
    is_updating: bool,
    /// Updates whose metrics are on the device and have not been read.
    submitted: usize,
}

/// Metrics and the network on their way to the CPU, at the end of a unit or before the distillation.
#[derive(Debug)]
pub struct Metrics {
    metrics: ReadBack,
    weights: ReadBack,
}

/// The state for a checkpoint, or for the beginning of the distillation, on its way to the CPU.
#[derive(Debug)]
pub struct DeviceState {
    adam: AdamReadBack,
    /// The target network of value iteration.
    teacher: Option<ReadBack>,
    /// The replay buffer of value iteration.
    residual_replay: Option<ValueIterationReadBack>,
}

impl ResidualReplay {
    pub fn stream(&self) -> Stream {
        self.stream
    }

    /// The states, their squared residuals, and the index that the next state is stored at.
    pub fn parts(&self) -> (&[State], &[f32], usize) {
        (&self.states, &self.squares, self.next)
    }

    /// Replaces everything that [`ResidualReplay::parts`] returns by what a GPU has kept.
    pub fn replace(&mut self, states: Vec<State>, squares: Vec<f32>, next: usize) {
        (self.states, self.squares, self.next) = (states, squares, next);
    }
}

impl DeviceLearner {
    /// Moves a learner to the device, between two units.
    pub fn new(
        gpu: &Gpu,
        config: &CubeConfig,
        learner: &Learner,
        network: &Network,
    ) -> Result<Self, GpuError> {
        let trainer = build_trainer(gpu, config, learner, network)?;
        Ok(Self { gpu: gpu.clone(), trainer, is_updating: false, submitted: 0 })
    }

    /// Begins an update.
    fn begin_update(&mut self, config: &CubeConfig, learner: &Learner, is_distilling: bool) {
        let options = adam_options(config, learner.updates, is_distilling);
        let update = Update {
            slot: self.submitted as u32,
            learning_rate: options.lr,
            max_norm: options.max_norm,
            betas: options.betas,
            epsilon: options.eps,
            ..Update::default()
        };
        let sampling = SamplingParameters {
            walk_key: learner.walks.key(),
            neighbour_key: learner.neighbours.key(),
            residual_key: learner
                .residual_replay
                .as_ref()
                .map_or([0; 2], |residual_replay| residual_replay.stream().key()),
            first_walk: first_walk(config, learner.updates),
            update: learner.updates,
            length: config.scramble as usize,
            latest: config.refresh_every,
            earliest: config.earliest_refresh(),
            copy_below: config.refresh_below as f32,
        };
        self.trainer.begin(&sampling, &update);
        self.is_updating = true;
    }
}

/// Builds a trainer on the device with the state of a learner. Its method is the one that fits the outputs of
/// the network.
fn build_trainer(
    gpu: &Gpu,
    config: &CubeConfig,
    learner: &Learner,
    network: &Network,
) -> Result<Trainer, GpuError> {
    let method = match (network.outputs(), config.learner) {
        (Outputs::DistancesAfterTurns, _) if learner.teacher.is_some() => DeviceMethod::Distillation,
        (Outputs::DistancesAfterTurns, _) => DeviceMethod::WalkSteps,
        (Outputs::Logits, _) => DeviceMethod::LastTurn,
        (Outputs::Distance, Method::Davi) => {
            DeviceMethod::ValueIteration { residual_count: residual_sample_count(config) }
        }
        (Outputs::Distance, _) => DeviceMethod::WalkLength,
    };
    let puzzle_rules = rules(network);
    let setup = Setup {
        rules: &puzzle_rules,
        net: network.net(),
        parameters: network.weights.len(),
        teacher: learner.teacher.as_ref().map(|teacher| (teacher.net(), teacher.weights.len())),
        method,
        batch: config.batch as usize,
        scale: SCALE,
        clamps_distances: false,
        updates: MAX_UPDATES_PER_UNIT,
    };
    let trainer = Trainer::new(gpu, &setup)?;
    trainer.set_weights(network.weights.flat());
    trainer.load_adam(&learner.adam.to_tensors())?;
    if let Some(teacher) = &learner.teacher {
        trainer.set_teacher(teacher.weights.flat());
    }
    if let (Some(residual_replay), DeviceMethod::ValueIteration { .. }) = (&learner.residual_replay, method) {
        let (states, squares, next) = residual_replay.parts();
        trainer.load_value_iteration(&ValueIterationState {
            states: states.iter().map(packed).collect(),
            squares: squares.to_vec(),
            next,
            age: u32::try_from(learner.updates - learner.copied_at).unwrap_or(u32::MAX),
            mean_loss: Some(learner.loss_ema as f32).filter(|loss| loss.is_finite() && *loss >= 0.0),
        });
    }
    Ok(trainer)
}

impl DeviceTrainer for DeviceLearner {
    type Run<'a> = DeviceRun<'a>;
    type Results = Metrics;
    type State = DeviceState;

    fn advance(&mut self, run: &mut DeviceRun) -> Result<Work, GpuError> {
        let DeviceRun { config, network, learner } = run;
        if self.is_updating {
            return Ok(match self.trainer.advance()? {
                Progress::Waiting => Work::Waiting,
                Progress::Submitted => Work::Submitted,
                Progress::Finished => {
                    self.is_updating = false;
                    self.submitted += 1;
                    learner.updates += 1;
                    learner.unit_updates += 1;
                    let is_unit_done = learner.unit_updates >= u64::from(config.updates);
                    if is_unit_done { Work::NeedsResults } else { Work::Submitted }
                }
            });
        }
        let is_distilling = learner.is_distilling(config);
        if is_distilling && network.outputs() == Outputs::Distance {
            // The CPU begins the distillation. It needs the network that is on the device, whose layers the
            // new network starts with, and for later checkpoints the state of value iteration.
            return Ok(if self.submitted > 0 { Work::NeedsResults } else { Work::NeedsState });
        }
        self.begin_update(config, learner, is_distilling);
        Ok(Work::Submitted)
    }

    fn read_results(&mut self, _: &mut DeviceRun, _is_watched: &mut bool) -> Metrics {
        Metrics { metrics: self.trainer.read_metrics(self.submitted), weights: self.trainer.read_weights() }
    }

    fn take_results(
        &mut self,
        Metrics { metrics, weights }: &mut Metrics,
        run: &mut DeviceRun,
    ) -> Result<Option<Status>, GpuError> {
        let DeviceRun { config, network, learner } = run;
        let (Some(metrics), Some(weights)) = (metrics.poll::<[f32; 2]>()?, weights.poll::<f32>()?) else {
            return Ok(None);
        };
        self.submitted = 0;
        network.weights.update(|to| to.copy_from_slice(&weights));
        metrics.iter().for_each(|[loss, norm]| learner.record_update(f64::from(*loss), *norm));
        let is_unit_done = learner.unit_updates >= u64::from(config.updates);
        Ok(Some(if is_unit_done { Status::UnitFinished } else { Status::Ready }))
    }

    fn read_state(&mut self, _: &mut DeviceRun) -> DeviceState {
        let residual_replay = self.trainer.read_value_iteration();
        // Only the target network of value iteration changes; the teacher of a distillation does not.
        let teacher = residual_replay.as_ref().and_then(|_| self.trainer.read_teacher());
        DeviceState { adam: self.trainer.read_adam(), teacher, residual_replay }
    }

    fn take_state(
        &mut self,
        DeviceState { adam, teacher, residual_replay }: &mut DeviceState,
        run: &mut DeviceRun,
    ) -> Result<bool, GpuError> {
        let DeviceRun { network, learner, .. } = run;
        let Some(adam) = adam.poll()? else { return Ok(false) };
        if let (Some(teacher), Some(residual_replay)) = (teacher, residual_replay) {
            let (Some(weights), Some(state)) = (teacher.poll::<f32>()?, residual_replay.poll()?) else {
                return Ok(false);
            };
            if let Some(teacher) = &mut learner.teacher {
                teacher.weights.update(|to| to.copy_from_slice(&weights));
            }
            if let Some(residual_replay) = &mut learner.residual_replay {
                let states = state.states.iter().map(|packed| {
                    let mut state = State::default();
                    unpack(packed, &mut state);
                    state
                });
                residual_replay.replace(states.collect(), state.squares, state.next);
            }
            learner.copied_at = learner.updates - u64::from(state.age).min(learner.updates);
            learner.loss_ema = state.mean_loss.map_or(f64::NAN, f64::from);
        }
        learner.adam = Adam::from_tensors(network.weights.len(), &adam)?;
        Ok(true)
    }

    /// Begins the distillation, which asked for the state with [`Work::NeedsState`]: the CPU makes the new
    /// network, and a new trainer takes it to the device.
    fn go_on_with_state(&mut self, run: &mut DeviceRun) -> Result<(), GpuError> {
        let DeviceRun { config, network, learner } = run;
        learner.begin_distillation(config, network);
        self.trainer = build_trainer(&self.gpu, config, learner, network)?;
        Ok(())
    }
}
