//! The learning methods behind one enum: deep Q-learning, and three methods that learn from random scrambles.

mod dqn;
mod self_supervised;

use learnery_lab::{LabError, Row};
use learnery_nn::Tensors;

use crate::config::{CubeConfig, Method};
use crate::counters::checked;
use crate::network::Network;
use crate::state_space::StateSpace;
use dqn::Dqn;
use self_supervised::SelfSupervised;

pub enum Learner {
    Dqn(Box<Dqn>),
    SelfSupervised(Box<SelfSupervised>),
}

impl Learner {
    pub fn new(config: &CubeConfig, seed: u32, network: &Network, space: &StateSpace) -> Self {
        match config.learner {
            Method::Dqn => Self::Dqn(Box::new(Dqn::new(config, seed, network))),
            Method::Davi | Method::Efficientcube | Method::Cayleypy => {
                Self::SelfSupervised(Box::new(SelfSupervised::new(config, seed, network, space)))
            }
        }
    }

    pub fn begin_unit(&mut self) {
        match self {
            Self::Dqn(dqn) => dqn.begin_unit(),
            Self::SelfSupervised(learner) => learner.begin_unit(),
        }
    }

    /// One step of a unit; true if it was the last one.
    pub fn step(&mut self, config: &CubeConfig, network: &mut Network, space: &StateSpace) -> bool {
        match self {
            Self::Dqn(dqn) => dqn.step(config, network),
            Self::SelfSupervised(learner) => learner.step(config, network, space),
        }
    }

    /// Updates since the run began.
    pub fn updates(&self) -> u64 {
        match self {
            Self::Dqn(dqn) => dqn.updates(),
            Self::SelfSupervised(learner) => learner.updates(),
        }
    }

    /// Continues as if so many updates had been made.
    pub fn set_updates(&mut self, updates: u64) -> Result<(), LabError> {
        let updates = checked("updates", updates)?;
        match self {
            Self::Dqn(dqn) => dqn.set_updates(updates),
            Self::SelfSupervised(learner) => learner.set_updates(updates),
        }
        Ok(())
    }

    /// The fraction of the unit that is done.
    pub fn progress(&self, config: &CubeConfig) -> f32 {
        match self {
            Self::Dqn(dqn) => dqn.progress(config),
            Self::SelfSupervised(learner) => learner.progress(config),
        }
    }

    /// The longest scrambles now learned from, and the length that the curriculum ends with.
    pub fn scramble_lengths(&self, config: &CubeConfig) -> [u32; 2] {
        match self {
            Self::Dqn(dqn) => [dqn.collector().level(), config.level_to],
            Self::SelfSupervised(_) => [config.scramble; 2],
        }
    }

    /// Episodes finished since the run began; only deep Q-learning has any.
    pub fn finished_episodes(&self) -> u64 {
        match self {
            Self::Dqn(dqn) => dqn.collector().finished_episodes(),
            Self::SelfSupervised(_) => 0,
        }
    }

    pub fn metrics(&self, out: &mut Row) {
        match self {
            Self::Dqn(dqn) => dqn.metrics(out),
            Self::SelfSupervised(learner) => learner.metrics(out),
        }
    }

    pub fn to_tensors(&self) -> Tensors {
        match self {
            Self::Dqn(dqn) => dqn.to_tensors(),
            Self::SelfSupervised(learner) => learner.to_tensors(),
        }
    }

    /// Continues from what [`Learner::to_tensors`] gave.
    pub fn restore(
        &mut self,
        config: &CubeConfig,
        network: &Network,
        space: &StateSpace,
        tensors: &Tensors,
    ) -> Result<(), LabError> {
        match self {
            Self::Dqn(dqn) => dqn.restore(config, network, tensors),
            Self::SelfSupervised(learner) => learner.restore(network, space, tensors),
        }
    }
}
