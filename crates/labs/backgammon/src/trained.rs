//! A network that has learned, ready to be asked.

use learnery_lab::{Checkpoint, LabError, Schema};
use learnery_nn::{Tensors, Weights};
use serde_json::Value;

use super::brain::Brain;
use super::config::BackgammonConfig;
use super::duel::Player;
use super::lookahead::{Lookahead, Thinker};

/// A plan and its parameters.
pub struct Trained {
    network: Brain,
    weights: Weights,
}

impl Trained {
    /// From the tensors of a network.
    pub fn from_tensors(config: &BackgammonConfig, tensors: &Tensors) -> Result<Self, LabError> {
        let (network, layout) = config.brain();
        Ok(Self { network, weights: Weights::from_tensors(layout, tensors)? })
    }

    /// From a checkpoint of this lab, whole or its network alone.
    pub fn from_checkpoint(checkpoint: &Checkpoint) -> Result<Self, LabError> {
        let lab = &checkpoint.header.lab;
        if lab != super::about::ABOUT.id {
            return Err(LabError::Checkpoint(format!(
                "it belongs to the lab `{lab}` and cannot play backgammon"
            )));
        }
        let settings = Value::Object(checkpoint.header.config.clone());
        let config = Schema::of::<BackgammonConfig>().complete(None, &settings)?;
        let config = serde_json::from_value(Value::Object(config));
        let config = config.map_err(|e| LabError::Settings(e.to_string()))?;
        Self::from_tensors(&config, &checkpoint.network())
    }

    /// As a player of matches.
    pub fn player(&self, lookahead: Lookahead) -> Player<'_> {
        Player::Trained(&self.network, &self.weights, lookahead)
    }

    /// Something that chooses and judges with it.
    pub fn thinker(&self, lookahead: Lookahead) -> Thinker {
        Thinker::new(&self.network, lookahead)
    }

    /// The plan and the parameters.
    pub fn parts(&self) -> (&Brain, &Weights) {
        (&self.network, &self.weights)
    }
}
