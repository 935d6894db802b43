//! The data that the page draws, and the commands that it sends. The *stage* is a world apart from training
//! that the user watches and can push.

use learnery_lab::Floats;
use serde::{Deserialize, Serialize};

use crate::phase::Phase;
use crate::world::World;

/// What a user can do on the stage.
#[derive(Clone, Debug, Deserialize)]
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
    /// Learn the world of a text from now on. Also changes parameters of a world that is being learned.
    #[cfg(feature = "own-worlds")]
    World {
        /// What the text is called, such as the name of its file.
        name: String,
        text: String,
        /// The values of parameters that are not the usual ones.
        #[serde(default)]
        #[cfg_attr(
            feature = "bindings",
            ts(optional, as = "Option<std::collections::BTreeMap<String, f32>>")
        )]
        parameters: crate::own::Parameters,
    },
    /// Let the user act in the stage's world of their own, from the next step on with these numbers.
    #[cfg(feature = "own-worlds")]
    Act {
        /// The number of the choice, or the numbers of the action in the units of the text. They are clipped
        /// to their bounds.
        numbers: Vec<f32>,
    },
    /// Let the agent act again.
    #[cfg(feature = "own-worlds")]
    Release,
    /// Choose the observations on the axes of the value map of a world of the user's own.
    #[cfg(feature = "own-worlds")]
    Map { x: u32, y: u32 },
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
    /// speed; for Acrobot: both angles, both angular speeds; for a world of the user's own: its state
    /// variables in the order of the text, NaN if the episode began with a fault.
    pub training_states: Floats,
    /// Steps in the current episode of each of these worlds.
    pub training_steps: Floats,
    /// The stage: one world apart from training, in real time, that a user can push.
    pub stage: StageView,
    /// The critic's value over a slice of the state space.
    pub value_map: ValueMap,
    /// What there is to draw of a world of the user's own.
    #[cfg(feature = "own-worlds")]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "bindings", ts(optional))]
    pub own: Option<OwnView>,
}

/// A world of the user's own: what the text says about it, and pictures of the stage and of training worlds.
#[cfg(feature = "own-worlds")]
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(rename = "ControlOwnWorld"))]
pub struct OwnView {
    /// Raised when the text or a parameter changes.
    pub version: u32,
    /// What the text is called.
    pub name: String,
    pub title: String,
    /// One sentence.
    pub about: String,
    /// The picture of the stage: the camera's middle (two numbers) and height, then the shapes in the order
    /// in which they are drawn. For each: its form, its role, its width (NaN if it has none), the count of
    /// the numbers that follow, and these. `README.md` of the lab lists them.
    pub shapes: Floats,
    /// The pictures of the first training worlds. For each: the count of the numbers that follow, and its
    /// picture as above.
    pub training_shapes: Floats,
    /// The texts of shapes, which refer to them by their index.
    pub texts: Vec<String>,
    /// What the agent sees on the stage, divided by its scales.
    pub observation: Floats,
    pub observation_names: Vec<String>,
    pub observation_scales: Floats,
    /// The last action on the stage, in the units of the text.
    pub action: Floats,
    pub actions: Vec<OwnAction>,
    /// Whether the user acts on the stage.
    pub is_played: bool,
    pub parameters: Vec<OwnParameter>,
    /// An episode ends after this many steps.
    pub limit: Option<u32>,
    /// The mean return at which the world counts as solved.
    pub solved: Option<f32>,
    /// Why the last episode of the stage failed by itself, such as "line 3: a division by zero".
    pub fault: Option<String>,
    /// How many episodes of the last iteration ended by a fault of the rules, and the line of one of them, as
    /// a sentence without a full stop; none if no episode did, or if a GPU collected them.
    pub training_fault: Option<String>,
}

/// An action that the text names.
#[cfg(feature = "own-worlds")]
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(rename = "ControlOwnAction"))]
pub struct OwnAction {
    pub name: String,
    pub low: f32,
    pub high: f32,
    /// The names of the choices; empty for a number.
    pub choices: Vec<String>,
}

/// A parameter that the text names.
#[cfg(feature = "own-worlds")]
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(rename = "ControlOwnParameter"))]
pub struct OwnParameter {
    pub name: String,
    /// Its value in the text.
    pub usual: f32,
    /// Its value in this run.
    pub value: f32,
    pub low: f32,
    pub high: f32,
}

/// The stage: one world apart from training.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(rename = "ControlStage"))]
pub struct StageView {
    /// Its state, with the numbers of a training state.
    pub state: Floats,
    /// Probability of each discrete action; empty if the action is not a choice.
    pub probabilities: Floats,
    /// The critic's value: the discounted rewards it expects, scaled as they are learned from; in a world of
    /// the user's own as its text pays them.
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
    /// reached. In a world of the user's own also after the step limit.
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
