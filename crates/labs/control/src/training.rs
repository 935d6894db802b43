//! A PPO run. One training iteration (a *unit*) collects a rollout and learns from it. Every `eval_every` iterations it
//! also evaluates the greedy policy. Each phase consists of small *steps*, and a run can be interrupted after any of
//! them.

use learnery_kernels::rng::Stream;
use learnery_lab::{Context, Status};

use crate::collector::Collector;
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
    evaluator: Evaluator,
    pub(crate) phase: Phase,
    /// Minibatch updates so far. The stage uses this number as the version of the weights.
    pub(crate) updates: u64,
    /// Mean return of the last unit's evaluation; `None` if that unit had no evaluation.
    pub(crate) evaluation_return: Option<f64>,
    /// The world apart from training that the user of the page watches and can push.
    pub(crate) stage: Stage,
}

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
        }
    }

    /// Takes one step of the current phase. Returns [`Status::UnitFinished`] when the step ends the iteration.
    pub(crate) fn step_phase(&mut self, cx: Context<ControlConfig>) -> Status {
        match self.phase {
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
                if is_last { self.finish_learning(cx) } else { Status::Ready }
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

    /// Updates the normaliser, then starts an evaluation if one is due in this unit.
    fn finish_learning(&mut self, cx: Context<ControlConfig>) -> Status {
        // The normaliser changes only now, because each sample must be learned from with the normalisation that it was
        // collected with.
        self.collector.observation_sums().for_each(|sums| self.network.normaliser.absorb(sums));
        self.evaluation_return = None;
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
            Phase::Collecting => self.collector.fraction_done(),
            Phase::Learning => self.learner.fraction_done(),
            Phase::Evaluating => self.evaluator.fraction_done(),
        }
    }
}
