//! What the control lab shows, and what a visitor may do.

use learnery_lab::Floats;
use serde::{Deserialize, Serialize};

use super::World;

/// What a visitor may do.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(tag = "type", rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub enum ControlCommand {
    /// Push on the stage until told otherwise.
    Push {
        /// How hard, in units of the agent's own force or torque, at most 3 either way; positive is the way of the
        /// agent's last action.
        strength: f32,
    },
    /// Put the stage back to a fresh start.
    ResetStage,
}

/// What the learner is busy with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub enum Phase {
    /// Acting in all worlds.
    Collecting,
    /// Updating its networks.
    Learning,
    /// Being examined: greedy episodes nobody learns from.
    Examined,
}

/// What can be drawn now.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub struct ControlView {
    /// The world it learns.
    pub world: World,
    /// What the learner is busy with.
    pub phase: Phase,
    /// How much of the phase is done, 0 to 1.
    pub phase_share: f32,
    /// The states of the first worlds it learns from, at most 256, one after the other. A state is: of CartPole
    /// position, speed, angle, angular speed; of MountainCar position, speed; of Pendulum angle, angular speed; of
    /// Acrobot both angles, both angular speeds.
    pub wall: Floats,
    /// How many steps the present episode of each of those worlds has lasted.
    pub wall_steps: Floats,
    /// One world apart from training, in real time, that a visitor can push.
    pub stage: Stage,
    /// The critic's value over two numbers of a state, the others at rest.
    pub plane: Plane,
}

/// One world apart from training.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub struct Stage {
    /// Its state, as in the wall.
    pub state: Floats,
    /// Probability of each numbered action; none for Pendulum, whose action is a torque.
    pub probabilities: Floats,
    /// What the critic expects: discounted rewards still to come, as they are learned from.
    pub value: f32,
    /// The force or torque that the agent applies, in units of the most it has: -1 to 1.
    pub agent: f32,
    /// What the visitor applies, in the same units.
    pub visitor: f32,
    /// Steps since it began.
    pub steps: u32,
    /// What it has earned since.
    pub score: f32,
    /// Which number of the episode it is that is shown.
    pub episode: u32,
    /// The most steps it ever lasted in this run (CartPole).
    pub best_steps: u32,
    /// The fewest steps in which it ever got there in this run; 0 for never (MountainCar, Acrobot).
    pub fewest_steps: u32,
    /// True for the moment after an episode ended: it fell, ran off the track, or got where it wanted.
    pub over: bool,
}

/// Values over a grid: `values[j * size + i]` at `x[0] + (x[1] - x[0]) * i / (size - 1)` and, in the same way, at `y` by
/// `j`.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub struct Plane {
    /// Points along each side.
    pub size: u32,
    /// Which numbers of a state are along and up.
    pub fields: [u32; 2],
    /// The edges along.
    pub x: [f32; 2],
    /// The edges up.
    pub y: [f32; 2],
    /// The values, row by row.
    pub values: Floats,
}
