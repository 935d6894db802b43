//! The stage is the interactive part of the page: one world apart from training, in real time, that the user
//! watches and acts in, and the map of the critic's values. It is not saved and does not affect training.

mod built_in;

use learnery_kernels::rng::Stream;
use learnery_lab::{Floats, LabError};

use crate::network::Network;
#[cfg(feature = "own-worlds")]
use crate::own::OwnStage;
use crate::task::Task;
#[cfg(feature = "own-worlds")]
use crate::view::OwnView;
use crate::view::{ControlCommand, StageView, ValueMap};
use built_in::BuiltInStage;

/// Seconds for which the end of an episode stays in view.
pub const END_SECONDS: f64 = 0.7;
/// Points along each side of the value map, which is a square grid.
pub const MAP_SIZE: usize = 41;

/// The stage of a world.
pub enum Stage {
    BuiltIn(Box<BuiltInStage>),
    #[cfg(feature = "own-worlds")]
    Own(Box<OwnStage>),
}

/// The view before the first episode.
pub fn new_view() -> StageView {
    StageView {
        state: Floats(Vec::new()),
        probabilities: Floats(Vec::new()),
        value: 0.0,
        agent: 0.0,
        push: 0.0,
        steps: 0,
        score: 0.0,
        episode: 0,
        best_steps: 0,
        fewest_steps: 0,
        over: false,
    }
}

impl Stage {
    pub fn new(network: &Network, stream: Stream) -> Self {
        match network.task() {
            Task::BuiltIn(kind) => Self::BuiltIn(Box::new(BuiltInStage::new(network, *kind, stream))),
            #[cfg(feature = "own-worlds")]
            Task::Own(own) => Self::Own(Box::new(OwnStage::new(network, own, stream))),
            #[cfg(not(target_family = "wasm"))]
            Task::External(_) => unreachable!("a run on external environments has no stage"),
        }
    }

    /// Executes a command that concerns the stage alone.
    pub fn apply(&mut self, network: &Network, command: &ControlCommand) -> Result<(), LabError> {
        match (self, command) {
            (Self::BuiltIn(stage), ControlCommand::Push { strength }) => stage.push(*strength),
            (Self::BuiltIn(stage), ControlCommand::ResetStage) => {
                stage.restart(network);
                Ok(())
            }
            #[cfg(feature = "own-worlds")]
            (Self::BuiltIn(_), _) => {
                Err(LabError::Command("only a world of your own takes this; this one can be pushed".into()))
            }
            #[cfg(feature = "own-worlds")]
            (Self::Own(stage), command) => match command {
                ControlCommand::Act { numbers } => stage.play(numbers),
                ControlCommand::Map { x, y } => stage.choose_map([*x, *y]),
                ControlCommand::Release => {
                    stage.release();
                    Ok(())
                }
                ControlCommand::ResetStage => {
                    stage.restart(network);
                    Ok(())
                }
                ControlCommand::Push { .. } | ControlCommand::World { .. } => {
                    Err(LabError::Command("a world of your own cannot be pushed; act in it".into()))
                }
            },
        }
    }

    /// Lets `seconds` pass. `version` is the version of the network's weights: the map is computed again when
    /// it changes.
    pub fn animate(&mut self, network: &Network, seconds: f64, version: u64) {
        match self {
            Self::BuiltIn(stage) => stage.animate(network, seconds, version),
            #[cfg(feature = "own-worlds")]
            Self::Own(stage) => stage.animate(network, seconds, version),
        }
    }

    pub fn view(&self) -> StageView {
        match self {
            Self::BuiltIn(stage) => stage.view(),
            #[cfg(feature = "own-worlds")]
            Self::Own(stage) => stage.view(),
        }
    }

    /// What there is to draw of a world of the user's own, with these states of training worlds and what went
    /// wrong in them.
    #[cfg(feature = "own-worlds")]
    pub fn own_view(&self, training_states: &[f32], training_fault: Option<&str>) -> Option<OwnView> {
        match self {
            Self::BuiltIn(_) => None,
            Self::Own(stage) => Some(stage.own_view(training_states, training_fault)),
        }
    }

    pub fn value_map(&self) -> ValueMap {
        match self {
            Self::BuiltIn(stage) => stage.value_map(),
            #[cfg(feature = "own-worlds")]
            Self::Own(stage) => stage.value_map(),
        }
    }
}
