//! A trained network, read from tensors or from a checkpoint (a saved run).

use learnery_backgammon_play::outcomes::Outcomes;
use learnery_backgammon_play::players::SearchBuffers;
use learnery_backgammon_play::{Evaluator, game};
use learnery_lab::{Checkpoint, LabError, Schema};
use learnery_nn::{Tensors, Weights};
use learnery_search::SearchBatch;
use learnery_worlds::backgammon::{Board, Plays};
use serde_json::Value;

use super::reference::{NetworkRef, Scratch};
use crate::about::ABOUT;
use crate::config::{BackgammonConfig, LearnerKind};
use crate::{Backgammon, afterstates, alphazero};

/// A network of either learner that owns its parameters.
pub enum TrainedNetwork {
    Afterstates(afterstates::Network, Weights),
    AlphaZero(alphazero::Network),
}

impl TrainedNetwork {
    /// Reads the tensors of a network with these settings.
    pub fn from_tensors(config: &BackgammonConfig, tensors: &Tensors) -> Result<Self, LabError> {
        Ok(match config.learner {
            LearnerKind::Afterstates => {
                let (mut network, layout) = afterstates::Network::new(config.into());
                network.read_races(tensors)?;
                Self::Afterstates(network, Weights::from_tensors(layout, tensors)?)
            }
            LearnerKind::AlphaZero => {
                // The sizes of its layers follow from the shapes of the tensors.
                Self::AlphaZero(alphazero::Network::from_tensors(config.policy, tensors)?)
            }
        })
    }

    /// Reads a checkpoint of this lab: that of a run, or one with a network alone.
    pub fn from_checkpoint(checkpoint: &Checkpoint) -> Result<Self, LabError> {
        let lab = &checkpoint.header.lab;
        if lab != ABOUT.id {
            return Err(LabError::Checkpoint(format!(
                "it belongs to the lab `{lab}` and cannot play backgammon"
            )));
        }
        let settings = Value::Object(checkpoint.header.config.clone());
        // Checks the settings and adds the defaults of settings that the checkpoint does not have.
        let preset = None;
        let config = Schema::of_lab::<Backgammon>().complete(preset, &settings)?;
        let config = serde_json::from_value(Value::Object(config));
        let config = config.map_err(|e| LabError::unreadable_settings(&e))?;
        Self::from_tensors(&config, &checkpoint.network())
    }

    pub fn as_network(&self) -> NetworkRef<'_> {
        match self {
            Self::Afterstates(network, weights) => NetworkRef::Afterstates(network, weights),
            Self::AlphaZero(network) => NetworkRef::AlphaZero(network),
        }
    }
}

/// As [`NetworkRef`].
impl Evaluator for TrainedNetwork {
    type Scratch = Scratch;

    fn scratch(&self) -> Scratch {
        self.as_network().scratch()
    }

    fn value(&self, board: &Board, scratch: &mut Scratch) -> Outcomes {
        self.as_network().value(board, scratch)
    }

    fn values_of_boards(
        &self,
        near: &Board,
        boards: &[Board],
        scratch: &mut Scratch,
        out: &mut Vec<Outcomes>,
    ) {
        self.as_network().values_of_boards(near, boards, scratch, out);
    }

    fn values_of_plays(&self, before: &Board, plays: &Plays, scratch: &mut Scratch, out: &mut Vec<Outcomes>) {
        self.as_network().values_of_plays(before, plays, scratch, out);
    }

    fn prune(&self, near: &Board, boards: &mut Vec<Board>, ends: &mut [usize], scratch: &mut Scratch) {
        self.as_network().prune(near, boards, ends, scratch);
    }

    fn has_policy_head(&self) -> bool {
        self.as_network().has_policy_head()
    }

    fn embedding_size(&self) -> usize {
        self.as_network().embedding_size()
    }

    fn search_round(
        &self,
        batch: &mut SearchBatch<game::Backgammon>,
        scratch: &mut Scratch,
        buffers: &mut SearchBuffers,
    ) -> bool {
        self.as_network().search_round(batch, scratch, buffers)
    }
}
