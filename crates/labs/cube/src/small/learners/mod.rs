//! The learning methods behind one enum: deep Q-learning, which learns from its own attempts to solve cubes,
//! and three methods whose only data are random scrambles. A unit is one training iteration, which is a
//! number of updates of the network.

mod dqn;
pub mod self_supervised;

use learnery_lab::{LabError, Row, Status, TRAINS_ON_CPU};
use learnery_nn::Tensors;

use crate::config::{CubeConfig, Method};
use crate::counters::checked;
use crate::small::network::Network;
use crate::small::state_space::StateSpace;
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

    /// Runs one step. The unit is finished when all its updates are done.
    pub fn step(&mut self, config: &CubeConfig, network: &mut Network, space: &StateSpace) -> Status {
        // A bundle for GPUs cannot train on the CPU, so the run waits for its device.
        if !TRAINS_ON_CPU {
            return Status::Waiting;
        }
        let is_finished = match self {
            Self::Dqn(dqn) => dqn.step(config, network),
            Self::SelfSupervised(learner) => learner.step(config, network, space),
        };
        if is_finished { Status::UnitFinished } else { Status::Ready }
    }

    /// Updates since the run began.
    pub fn updates(&self) -> u64 {
        match self {
            Self::Dqn(dqn) => dqn.updates(),
            Self::SelfSupervised(learner) => learner.updates(),
        }
    }

    /// Sets the number of updates made so far, for a run that continues a trained network.
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

    /// Returns the length of the longest scrambles in training now, and that length at the end of the
    /// curriculum. Only deep Q-learning has a curriculum; with the other methods both are the same.
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

    /// Continues from [`Learner::to_tensors`] of a checkpoint.
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
