//! A PPO run. One iteration (a *unit*) collects a rollout, learns from it, and every `eval_every` iterations evaluates
//! the greedy policy. Each phase is made of small *steps*, after any of which a run can be interrupted.

use learnery_kernels::rng::Stream;

use crate::collector::Collector;
use crate::config::ControlConfig;
use crate::evaluation::Evaluation;
use crate::learner::Learner;
use crate::network::Network;
use crate::phase::Phase;
use crate::purpose;
use crate::stage::Stage;

/// A run of the control lab.
pub struct Control {
    pub(crate) config: ControlConfig,
    seed: u32,
    pub(crate) network: Network,
    pub(crate) collector: Collector,
    pub(crate) learner: Learner,
    evaluation: Evaluation,
    pub(crate) phase: Phase,
    /// Completed iterations.
    pub(crate) unit: u64,
    /// Minibatch updates so far: the version of the weights.
    pub(crate) updates: u64,
    /// Mean return of this iteration's evaluation, if it held one.
    pub(crate) evaluation_return: Option<f64>,
    pub(crate) stage: Stage,
}

impl Control {
    pub(crate) fn assemble(config: ControlConfig, seed: u32, network: Network) -> Self {
        let collector = Collector::new(&config, seed, &network);
        let learner = Learner::new(seed, &network, collector.len());
        let stream = Stream::new(seed, purpose::TRAINING_EVALUATION);
        let evaluation = Evaluation::new(&network, stream, 0, config.eval_episodes as usize);
        let stage = Stage::new(&network, Stream::new(seed, purpose::STAGE));
        Self {
            config,
            seed,
            network,
            collector,
            learner,
            evaluation,
            phase: Phase::Collecting,
            unit: 0,
            updates: 0,
            evaluation_return: None,
            stage,
        }
    }

    /// Takes one step of the current phase; true if it completed the unit.
    pub(crate) fn step(&mut self) -> bool {
        match self.phase {
            Phase::Collecting => {
                if self.collector.step(&self.network, &self.config) {
                    self.learner.start_unit(&self.config, self.unit);
                    self.phase = Phase::Learning;
                }
                false
            }
            Phase::Learning => {
                let done = self.learner.step(&mut self.network, &self.collector, &self.config);
                self.updates += 1;
                if done {
                    // Not earlier: all samples of a rollout are learned from with the normalisation they were
                    // collected with.
                    self.collector.observation_sums().for_each(|sums| self.network.normaliser.absorb(sums));
                }
                done && !self.start_evaluation() && self.finish_unit()
            }
            Phase::Evaluating => {
                let done = self.evaluation.step(&self.network);
                if done {
                    self.evaluation_return = Some(self.evaluation.mean_return());
                }
                done && self.finish_unit()
            }
        }
    }

    /// Starts an evaluation if one is due in this unit; returns whether it is.
    fn start_evaluation(&mut self) -> bool {
        self.evaluation_return = None;
        let due =
            self.config.eval_every > 0 && (self.unit + 1).is_multiple_of(u64::from(self.config.eval_every));
        if due {
            let first = self.unit * u64::from(self.config.eval_episodes);
            self.evaluation.restart(Stream::new(self.seed, purpose::TRAINING_EVALUATION), first);
            self.phase = Phase::Evaluating;
        }
        due
    }

    fn finish_unit(&mut self) -> bool {
        self.unit += 1;
        self.phase = Phase::Collecting;
        true
    }

    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// The completed fraction of the current phase.
    pub(crate) fn phase_fraction(&self) -> f32 {
        match self.phase {
            Phase::Collecting => self.collector.fraction_done(),
            Phase::Learning => self.learner.fraction_done(),
            Phase::Evaluating => self.evaluation.fraction_done(),
        }
    }
}
