//! A PPO run. One training iteration (a *unit*) collects a rollout and learns from it. Every `eval_every` iterations it
//! also evaluates the greedy policy. Each phase consists of small *steps*, and a run can be interrupted after any of
//! them.

use learnery_kernels::rng::Stream;
#[cfg(feature = "gpu")]
use learnery_lab::LabError;
use learnery_lab::{Context, Status};

use crate::collector::{Collector, RolloutSummary};
use crate::config::ControlConfig;
use crate::evaluation::Evaluator;
#[cfg(feature = "gpu")]
use crate::gpu::{DeviceFailed, GpuTraining, Stepped};
use crate::learner::Learner;
use crate::network::Network;
use crate::phase::Phase;
use crate::purpose;
use crate::stage::Stage;

/// A run of the control lab.
pub struct Control {
    pub(crate) network: Network,
    pub(crate) collector: Collector,
    pub(crate) learner: Learner,
    evaluator: Evaluator,
    pub(crate) phase: Phase,
    /// Minibatch updates so far. The stage uses this number as the version of the weights.
    pub(crate) updates: u64,
    /// Mean return of the last unit's evaluation; `None` if that unit had no evaluation.
    pub(crate) evaluation_return: Option<f64>,
    /// The world apart from training that the user of the page watches and can push.
    pub(crate) stage: Stage,
    /// The part of the run on the GPU, if it computes there.
    #[cfg(feature = "gpu")]
    pub(crate) device: Option<Box<GpuTraining>>,
}

/// Whether this build can train on the CPU. The page's bundle for GPUs cannot, because the page uses another one there; a
/// run in it waits until it has been moved to a GPU.
const TRAINS_ON_CPU: bool = !cfg!(all(feature = "gpu", target_family = "wasm"));

impl Control {
    /// A run of this network in new worlds.
    pub(crate) fn assemble(cx: Context<ControlConfig>, network: Network) -> Self {
        let Context { config, seed, .. } = cx;
        let collector = Collector::new(config, seed, &network);
        let learner = Learner::new(seed, &network, collector.len());
        let starts = Stream::new(seed, purpose::TRAINING_EVALUATION);
        let evaluator = Evaluator::new(&network, starts, config.eval_episodes as usize);
        let stage = Stage::new(&network, Stream::new(seed, purpose::STAGE));
        Self {
            network,
            collector,
            learner,
            evaluator,
            phase: Phase::Collecting,
            updates: 0,
            evaluation_return: None,
            stage,
            #[cfg(feature = "gpu")]
            device: None,
        }
    }

    /// Takes one step of the current phase. Returns [`Status::UnitFinished`] when the step ends the iteration.
    pub(crate) fn step_phase(&mut self, cx: Context<ControlConfig>) -> Status {
        match self.phase {
            #[cfg(feature = "gpu")]
            Phase::Collecting | Phase::Learning if self.device.is_some() => self.step_on_device(cx),
            Phase::Collecting | Phase::Learning if !TRAINS_ON_CPU => Status::Waiting,
            Phase::Collecting => {
                if self.collector.step(&self.network, cx.config) {
                    self.learner.start_unit(cx.config, cx.unit);
                    self.phase = Phase::Learning;
                }
                Status::Ready
            }
            Phase::Learning => {
                let is_last = self.learner.step(&mut self.network, &self.collector, cx.config);
                self.updates += 1;
                if !is_last {
                    return Status::Ready;
                }
                // The normaliser changes only now, because each sample must be learned from with the normalisation that
                // it was collected with.
                self.collector.observation_sums().for_each(|sums| self.network.normaliser.absorb(sums));
                self.finish_learning(cx)
            }
            Phase::Evaluating => {
                if !self.evaluator.step(&self.network) {
                    return Status::Ready;
                }
                self.evaluation_return = Some(self.evaluator.mean_return());
                self.end_unit()
            }
        }
    }

    /// Takes a step of collecting or learning on the GPU.
    #[cfg(feature = "gpu")]
    fn step_on_device(&mut self, cx: Context<ControlConfig>) -> Status {
        let Self { device: Some(device), network, learner, collector, .. } = self else {
            return Status::Failed;
        };
        let with_network = evaluation_is_due(cx);
        match device.step(cx, network, learner, collector, with_network) {
            Err(DeviceFailed) => Status::Failed,
            Ok(Stepped::Waiting) => Status::Waiting,
            Ok(Stepped::Submitted) => {
                self.phase = device.progress().0;
                Status::Ready
            }
            Ok(Stepped::UnitLearned) => {
                self.updates += learner.updates_of_unit();
                self.finish_learning(cx)
            }
        }
    }

    /// Moves the run to the GPU, between two units.
    #[cfg(feature = "gpu")]
    pub(crate) fn move_to_device(
        &mut self,
        cx: Context<ControlConfig>,
        gpu: &learnery_gpu::Gpu,
    ) -> Result<(), LabError> {
        let device = GpuTraining::new(gpu, cx.config, &self.network, &self.learner, &self.collector)?;
        self.device = Some(Box::new(device));
        Ok(())
    }

    /// Fetches what a checkpoint needs from the GPU, if the run computes there.
    pub(crate) fn fetch_state(&mut self) -> Status {
        #[cfg(feature = "gpu")]
        if let Some(device) = &mut self.device {
            return match device.fetch_state(&mut self.network, &mut self.learner, &mut self.collector) {
                Ok(true) => Status::Ready,
                Ok(false) => Status::Waiting,
                Err(DeviceFailed) => Status::Failed,
            };
        }
        Status::Ready
    }

    /// What the last unit collected.
    pub(crate) fn summary(&self) -> RolloutSummary {
        #[cfg(feature = "gpu")]
        if let Some(device) = &self.device {
            return device.summary();
        }
        self.collector.summary()
    }

    /// Starts an evaluation if one is due in this unit.
    fn finish_learning(&mut self, cx: Context<ControlConfig>) -> Status {
        self.evaluation_return = None;
        if !evaluation_is_due(cx) {
            return self.end_unit();
        }
        // Each evaluation has worlds of its own, whose start states were never evaluated before.
        let first_world = cx.unit * u64::from(cx.config.eval_episodes);
        self.evaluator.restart(Stream::new(cx.seed, purpose::TRAINING_EVALUATION), first_world);
        self.phase = Phase::Evaluating;
        Status::Ready
    }

    fn end_unit(&mut self) -> Status {
        self.phase = Phase::Collecting;
        Status::UnitFinished
    }

    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// The completed fraction of the current phase.
    pub(crate) fn phase_fraction(&self) -> f32 {
        #[cfg(feature = "gpu")]
        if let (Some(device), Phase::Collecting | Phase::Learning) = (&self.device, self.phase) {
            return device.progress().1;
        }
        match self.phase {
            Phase::Collecting => self.collector.fraction_done(),
            Phase::Learning => self.learner.fraction_done(),
            Phase::Evaluating => self.evaluator.fraction_done(),
        }
    }
}

/// Whether the unit in progress ends with an evaluation.
fn evaluation_is_due(cx: Context<ControlConfig>) -> bool {
    let every = u64::from(cx.config.eval_every);
    every > 0 && (cx.unit + 1).is_multiple_of(every)
}
