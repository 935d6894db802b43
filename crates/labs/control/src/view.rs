//! The data that the page draws, and the commands that it sends. The *stage* is a world apart from training
//! that the user watches and can push.

use learnery_lab::Floats;
use serde::{Deserialize, Serialize};

use crate::phase::Phase;
use crate::world::World;

/// What a user can do on the stage.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(tag = "type"))]
pub enum ControlCommand {
    /// Push the stage's world until the next push; a strength of 0 ends it.
    Push {
        /// In units of the agent's own force or torque, from -3 to 3. A positive push acts like the agent's
        /// highest-numbered action, or its positive torque.
        strength: f32,
    },
    /// Restart the stage's episode.
    ResetStage,
}

/// Everything the page draws.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub struct ControlView {
    /// The world that is learned.
    pub world: World,
    /// What the run is doing.
    pub phase: Phase,
    /// The completed fraction of the phase, 0 to 1.
    pub phase_fraction: f32,
    /// States of the first training worlds, at most 256, one after the other. A state is, for CartPole:
    /// position, speed, angle, angular speed; for MountainCar: position, speed; for Pendulum: angle, angular
    /// speed; for Acrobot: both angles, both angular speeds.
    pub training_states: Floats,
    /// Steps in the current episode of each of these worlds.
    pub training_steps: Floats,
    /// The stage: one world apart from training, in real time, that a user can push.
    pub stage: StageView,
    /// The critic's value over a slice of the state space.
    pub value_map: ValueMap,
}

/// The stage: one world apart from training.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(rename = "ControlStage"))]
pub struct StageView {
    /// Its state, with the numbers of a training state.
    pub state: Floats,
    /// Probability of each discrete action; empty for Pendulum, whose action is a torque.
    pub probabilities: Floats,
    /// The critic's value: the discounted rewards it expects, scaled as they are learned from.
    pub value: f32,
    /// The force or torque that the agent applies, as a fraction of its maximum: -1 to 1.
    pub agent: f32,
    /// The force or torque that the user applies, in the same unit.
    #[serde(rename = "visitor")]
    pub push: f32,
    /// Steps in this episode.
    pub steps: u32,
    /// Return of this episode so far.
    pub score: f32,
    /// Number of this episode.
    pub episode: u32,
    /// The most steps of any episode on the stage (CartPole).
    pub best_steps: u32,
    /// The fewest steps in which an episode on the stage reached the goal; 0 if none did (MountainCar,
    /// Acrobot).
    pub fewest_steps: u32,
    /// True for a moment after an episode terminated: the pole fell, the cart left the track, or the goal was
    /// reached.
    pub over: bool,
}

/// The critic's values on a square grid over two state variables. `values[j * size + i]` belongs to
/// `x[0] + (x[1] - x[0]) * i / (size - 1)` and, in the same way, to `y` at `j`.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(rename = "ControlValueMap"))]
pub struct ValueMap {
    /// Points along each side.
    pub size: u32,
    /// Indices of the state variables on the x and y axes. The others are 0.
    pub fields: [u32; 2],
    /// Range of the x axis.
    pub x: [f32; 2],
    /// Range of the y axis.
    pub y: [f32; 2],
    /// The values, row by row.
    pub values: Floats,
}
