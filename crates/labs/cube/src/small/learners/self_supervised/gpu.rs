//! The learner on the GPU: scrambles, target values, sampling by residual, network and optimiser are there.
//! Per update only hyperparameters go up. Losses come back when the CPU decides whether target values are
//! refreshed, and when a unit (a training iteration) ends, with the network. Before a save also the optimiser
//! and the target values come back.

#[cfg(all(test, not(target_family = "wasm")))]
mod tests;

use learnery_gpu::adam::AdamReadBack;
use learnery_gpu::update::Update;
use learnery_gpu::{Gpu, GpuError, Progress, ReadBack};
use learnery_lab::{DeviceTrainer, LabError, Status, Work};
use learnery_nn::Adam;

use super::value_iteration::TargetValues;
use super::{DeviceRun, SelfSupervised, residual_sample_count};
use crate::config::{CubeConfig, Encoding, Method};
use crate::gpu::{IndexedTrainer, Method as DeviceMethod, SamplingParameters, Setup};
use crate::small::gpu::{SCALE, indexed, rules};
use crate::small::network::Network;
use crate::small::state_space::StateSpace;

/// The most updates of a unit, the upper bound of the setting `updates`.
const MAX_UPDATES_PER_UNIT: usize = 10_000;

/// The part of a learner on the device.
#[derive(Debug)]
pub struct DeviceLearner {
    trainer: IndexedTrainer,
    /// What is being submitted; `None` if nothing is.
    task: Option<Task>,
    /// Updates whose metrics are on the device and have not been read.
    submitted: usize,
}

/// The work that the trainer submits to the device part by part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Task {
    Update,
    /// A refresh of the target values.
    Refresh,
}

/// Metrics of updates on their way to the CPU, and at the end of a unit the network.
#[derive(Debug)]
pub struct Metrics {
    metrics: ReadBack,
    weights: Option<ReadBack>,
}

/// The state for a checkpoint on its way to the CPU.
#[derive(Debug)]
pub struct DeviceState {
    adam: AdamReadBack,
    /// The target values of value iteration.
    values: Option<ReadBack>,
}

impl TargetValues {
    /// Notes a refresh on a GPU. Its values come with [`TargetValues::set_values`].
    fn set_refreshed_at(&mut self, updates: u64) {
        self.refreshed_at = updates;
    }

    /// Replaces the values by those of a GPU. The residuals here are not updated: the GPU, which draws the
    /// samples, has its own.
    fn set_values(&mut self, values: Vec<f32>) {
        self.values = values;
    }
}

impl DeviceLearner {
    /// Moves a learner to the device, between two units.
    pub fn new(
        gpu: &Gpu,
        config: &CubeConfig,
        learner: &SelfSupervised,
        network: &Network,
        space: &StateSpace,
    ) -> Result<Self, LabError> {
        if network.encoding() == Encoding::Stickers {
            let problem = "on a GPU the 2x2x2 is learned with the encoding by corners only";
            return Err(LabError::Device(problem.into()));
        }
        let trainer = build_trainer(gpu, config, learner, network, space)?;
        Ok(Self { trainer, task: None, submitted: 0 })
    }

    /// Begins an update.
    fn begin_update(&mut self, config: &CubeConfig, learner: &SelfSupervised) {
        let options = config.adam_options(learner.updates);
        let update = Update {
            slot: self.submitted as u32,
            learning_rate: options.lr,
            max_norm: options.max_norm,
            betas: options.betas,
            epsilon: options.eps,
            ..Update::default()
        };
        let sampling = SamplingParameters {
            walk_key: learner.scrambles.key(),
            residual_key: learner.residual_samples.key(),
            first_walk: learner.updates * u64::from(config.batch),
            update: learner.updates,
            length: config.scramble as usize,
            ..SamplingParameters::default()
        };
        self.trainer.begin_update(&sampling, &update);
        self.task = Some(Task::Update);
    }
}

/// Builds a trainer on the device with the state of a learner.
fn build_trainer(
    gpu: &Gpu,
    config: &CubeConfig,
    learner: &SelfSupervised,
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
            // Deep Q-learning has another learner and does not come here.
            Method::Cayleypy | Method::Dqn => DeviceMethod::WalkLength,
        },
        batch: config.batch as usize,
        scale: SCALE,
        clamps_distances: true,
        updates: MAX_UPDATES_PER_UNIT,
    };
    let trainer = IndexedTrainer::new(gpu, &setup, &indexed(space), residual_sample_count(config))?;
    trainer.set_weights(network.weights.flat());
    trainer.load_adam(&learner.adam.to_tensors())?;
    if let Some(target_values) = &learner.target_values {
        trainer.set_values(target_values.values());
    }
    Ok(trainer)
}

impl DeviceTrainer for DeviceLearner {
    type Run<'a> = DeviceRun<'a>;
    type Results = Metrics;
    type State = DeviceState;

    fn advance(&mut self, run: &mut DeviceRun) -> Result<Work, GpuError> {
        let DeviceRun { config, learner, .. } = run;
        if let Some(task) = self.task {
            match self.trainer.advance()? {
                Progress::Waiting => return Ok(Work::Waiting),
                Progress::Submitted => return Ok(Work::Submitted),
                Progress::Finished => self.task = None,
            }
            if let (Task::Refresh, Some(target_values)) = (task, &mut learner.target_values) {
                target_values.set_refreshed_at(learner.updates);
                learner.loss_ema = f64::NAN;
                return Ok(Work::Submitted);
            }
            self.submitted += 1;
            learner.updates += 1;
            learner.unit_updates += 1;
            let is_unit_done = learner.unit_updates >= u64::from(config.updates);
            return Ok(if is_unit_done { Work::NeedsResults } else { Work::Submitted });
        }
        if let Some(target_values) = &learner.target_values {
            // From the earliest time of a refresh on, the moving average of the loss decides. So the losses
            // that are still on the device are fetched first.
            let age = learner.updates - target_values.refreshed_at();
            if age >= u64::from(config.earliest_refresh()) && self.submitted > 0 {
                return Ok(Work::NeedsResults);
            }
            if target_values.needs_refresh(config, learner.updates, learner.loss_ema) {
                self.trainer.begin_refresh();
                self.task = Some(Task::Refresh);
                return Ok(Work::Submitted);
            }
        }
        self.begin_update(config, learner);
        Ok(Work::Submitted)
    }

    fn read_results(&mut self, run: &mut DeviceRun, _is_watched: &mut bool) -> Metrics {
        let is_unit_done = run.learner.unit_updates >= u64::from(run.config.updates);
        Metrics {
            metrics: self.trainer.read_metrics(self.submitted),
            weights: is_unit_done.then(|| self.trainer.read_weights()),
        }
    }

    fn take_results(
        &mut self,
        Metrics { metrics, weights }: &mut Metrics,
        run: &mut DeviceRun,
    ) -> Result<Option<Status>, GpuError> {
        let Some(metrics) = metrics.poll::<[f32; 2]>()? else { return Ok(None) };
        if let Some(weights) = weights {
            let Some(weights) = weights.poll::<f32>()? else { return Ok(None) };
            run.network.weights.update(|to| to.copy_from_slice(&weights));
        }
        self.submitted = 0;
        metrics.iter().for_each(|[loss, norm]| run.learner.record_update(f64::from(*loss), *norm));
        Ok(Some(if weights.is_some() { Status::UnitFinished } else { Status::Ready }))
    }

    fn read_state(&mut self, _: &mut DeviceRun) -> DeviceState {
        DeviceState { adam: self.trainer.read_adam(), values: self.trainer.read_values() }
    }

    fn take_state(
        &mut self,
        DeviceState { adam, values }: &mut DeviceState,
        run: &mut DeviceRun,
    ) -> Result<bool, GpuError> {
        let Some(adam) = adam.poll()? else { return Ok(false) };
        if let (Some(values), Some(target_values)) = (values, &mut run.learner.target_values) {
            let Some(values) = values.poll::<f32>()? else { return Ok(false) };
            target_values.set_values(values);
        }
        run.learner.adam = Adam::from_tensors(run.network.weights.len(), &adam)?;
        Ok(true)
    }
}
