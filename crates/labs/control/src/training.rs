//! A PPO run. One training iteration (a *unit*) collects a rollout and learns from it. Every `eval_every`
//! iterations it also evaluates the greedy policy. Each phase consists of small *steps*, and a run can be
//! interrupted after any of them.

use std::sync::Arc;

use learnery_kernels::rng::Stream;
use learnery_lab::{Context, LabError, OnDevice, Status, TRAINS_ON_CPU};

use crate::collector::{Collector, RolloutSummary};
use crate::config::ControlConfig;
use crate::evaluation::Evaluator;
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
    pub(crate) evaluator: Evaluator,
    pub(crate) phase: Phase,
    /// Minibatch updates so far. The stage uses this number as the version of the weights.
    pub(crate) updates: u64,
    /// Mean return of the last unit's evaluation; `None` if that unit had no evaluation.
    pub(crate) evaluation_return: Option<f64>,
    /// Percentage of the episodes of that evaluation that ended as a success; `None` also where the world
    /// tells no successes.
    pub(crate) successes: Option<f64>,
    /// How many episodes of the last unit a fault of a text's rules ended, and where the fault is, as a
    /// sentence; `None` if there was none.
    #[cfg(feature = "own-worlds")]
    pub(crate) fault_sentence: Option<String>,
    /// The world apart from training that the user of the page watches and can push.
    pub(crate) stage: Stage,
    /// The part of the run on the GPU, if it computes there.
    pub(crate) device: Option<Device>,
    /// Moves a run to the GPU again, after it was given another world; `None` if it has not been on one.
    #[cfg_attr(
        not(any(feature = "gpu", feature = "own-worlds")),
        expect(dead_code, reason = "a GPU sets it, and worlds of the user's own read it")
    )]
    pub(crate) move_there: Option<MoveToDevice>,
    device_report: DeviceReport,
}

/// The part of a run on the GPU.
pub type Device = Box<dyn for<'a> OnDevice<DeviceRun<'a>>>;

/// Moves a run to a GPU.
pub type MoveToDevice = Arc<dyn Fn(&ControlConfig, &Control) -> Result<Device, LabError> + Send + Sync>;

/// What the GPU reads and changes of a run.
#[cfg_attr(not(feature = "gpu"), expect(dead_code, reason = "only a GPU reads it"))]
pub struct DeviceRun<'a> {
    pub cx: Context<'a, ControlConfig>,
    pub network: &'a mut Network,
    pub learner: &'a mut Learner,
    pub collector: &'a mut Collector,
    /// An evaluation in [`Phase::Evaluating`], at the start of its episodes.
    pub evaluator: &'a mut Evaluator,
    pub phase: Phase,
    pub report: &'a mut DeviceReport,
}

/// What the GPU reports about a unit.
#[derive(Debug, Default)]
pub struct DeviceReport {
    /// What the device does, and the completed fraction of this phase.
    pub phase: Phase,
    pub phase_fraction: f32,
    /// What the last completed unit collected.
    pub summary: RolloutSummary,
    /// `Control::fault_sentence` of that unit.
    #[cfg(feature = "own-worlds")]
    pub fault_sentence: Option<String>,
}

impl Control {
    /// A run of this network in new worlds.
    pub(crate) fn assemble(cx: Context<ControlConfig>, network: Network) -> Self {
        let Context { config, seed, .. } = cx;
        // All parts of a run take their world from the network.
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
            successes: None,
            #[cfg(feature = "own-worlds")]
            fault_sentence: None,
            stage,
            device: None,
            move_there: None,
            device_report: DeviceReport::default(),
        }
    }

    /// Takes one step of the current phase. Returns [`Status::UnitFinished`] when the step ends the
    /// iteration.
    pub(crate) fn step_phase(&mut self, cx: Context<ControlConfig>) -> Status {
        match self.phase {
            _ if self.device.is_some() => self.step_on_device(cx),
            // A bundle for GPUs cannot train on the CPU, so the run waits for its device.
            _ if !TRAINS_ON_CPU => Status::Waiting,
            Phase::Collecting => {
                if self.collector.step(&self.network, cx.config) {
                    #[cfg(feature = "own-worlds")]
                    {
                        self.fault_sentence = self.collector.fault_sentence();
                    }
                    self.learner.start_unit(cx.config, cx.unit);
                    self.phase = Phase::Learning;
                }
                Status::Ready
            }
            Phase::Learning => {
                let is_last = self.learner.step(&mut self.network, self.collector.records(), cx.config);
                self.updates += 1;
                if !is_last {
                    return Status::Ready;
                }
                // The normaliser changes only now, because each sample must be learned from with the
                // normalisation that it was collected with.
                self.collector.observation_sums().for_each(|sums| self.network.normaliser.absorb(sums));
                self.finish_learning(cx)
            }
            Phase::Evaluating => {
                if !self.evaluator.step(&self.network) {
                    return Status::Ready;
                }
                self.finish_evaluation()
            }
        }
    }

    /// The part of the run on the GPU, and the fields of the run that the GPU reads and changes.
    fn device_and_run<'a>(
        &'a mut self,
        cx: Context<'a, ControlConfig>,
    ) -> Option<(&'a mut Device, DeviceRun<'a>)> {
        let phase = self.phase;
        let Self { device, network, learner, collector, evaluator, device_report: report, .. } = self;
        Some((device.as_mut()?, DeviceRun { cx, network, learner, collector, evaluator, phase, report }))
    }

    /// Takes a step of the current phase on the GPU.
    fn step_on_device(&mut self, cx: Context<ControlConfig>) -> Status {
        let Some((device, run)) = self.device_and_run(cx) else { return Status::Failed };
        let status = device.step(run);
        if status != Status::UnitFinished {
            self.phase = self.device_report.phase;
            return status;
        }
        // The device ends learning and the evaluation in this way.
        if self.phase == Phase::Evaluating {
            return self.finish_evaluation();
        }
        #[cfg(feature = "own-worlds")]
        {
            self.fault_sentence = self.device_report.fault_sentence.take();
        }
        self.updates += self.learner.updates_of_unit();
        self.finish_learning(cx)
    }

    /// Fetches what a checkpoint needs from the GPU, if the run computes there.
    pub(crate) fn fetch_state(&mut self, cx: Context<ControlConfig>) -> Status {
        self.device_and_run(cx).map_or(Status::Ready, |(device, run)| device.prepare_save(run))
    }

    /// What the last unit collected.
    pub(crate) fn summary(&self) -> RolloutSummary {
        match self.device {
            Some(_) => self.device_report.summary,
            None => self.collector.summary(),
        }
    }

    /// Starts an evaluation if one is due in this unit.
    fn finish_learning(&mut self, cx: Context<ControlConfig>) -> Status {
        (self.evaluation_return, self.successes) = (None, None);
        let every = u64::from(cx.config.eval_every);
        if every == 0 || !(cx.unit + 1).is_multiple_of(every) {
            return self.end_unit();
        }
        // Each evaluation has worlds of its own, whose start states were never evaluated before.
        let first_world = cx.unit * u64::from(cx.config.eval_episodes);
        self.evaluator.restart(Stream::new(cx.seed, purpose::TRAINING_EVALUATION), first_world);
        self.phase = Phase::Evaluating;
        Status::Ready
    }

    fn finish_evaluation(&mut self) -> Status {
        self.evaluation_return = Some(self.evaluator.mean_return());
        self.successes = self.evaluator.successes();
        self.end_unit()
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
        match self.phase {
            _ if self.device.is_some() => self.device_report.phase_fraction,
            Phase::Collecting => self.collector.fraction_done(),
            Phase::Learning => self.learner.fraction_done(),
            Phase::Evaluating => self.evaluator.fraction_done(),
        }
    }
}
