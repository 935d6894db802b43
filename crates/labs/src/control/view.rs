//! What the control lab shows, and what a visitor may do.

use learnery_lab::Floats;
use serde::{Deserialize, Serialize};

/// What a visitor may do.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(tag = "type", rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub enum ControlCommand {
    /// Pull at the cart on the stage with this force until told otherwise; positive is to the right.
    Push {
        /// Force in newtons, at most 30 either way (the agent itself has 10).
        newtons: f32,
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
    /// What the learner is busy with.
    pub phase: Phase,
    /// How much of the phase is done, 0 to 1.
    pub phase_share: f32,
    /// The first worlds it learns from, at most 256: position, speed, angle, angular speed of each.
    pub wall: Floats,
    /// How many steps the present episode of each of those worlds has lasted.
    pub wall_steps: Floats,
    /// One world apart from training, in real time, that a visitor can push.
    pub stage: Stage,
    /// The critic's value over angle and angular speed, at rest in the middle.
    pub plane: Plane,
}

/// One world apart from training.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub struct Stage {
    /// Position (metres, track ends at 2.4), speed, angle (radians, 0 is upright), angular speed.
    pub state: [f32; 4],
    /// Probability of pushing left and of pushing right.
    pub probabilities: [f32; 2],
    /// What the critic expects: discounted steps still to come.
    pub value: f32,
    /// The force the agent applies, in newtons.
    pub agent_force: f32,
    /// The force the visitor applies, in newtons.
    pub visitor_force: f32,
    /// Steps of 0.02 s since it began.
    pub steps: u32,
    /// The longest it ever lasted in this run.
    pub best_steps: u32,
    /// True for the moment after it fell or ran off the track.
    pub fallen: bool,
}

/// Values over a grid: `values[j * size + i]` at angle `-angle + 2 * angle * i / (size - 1)` and, in the
/// same way, angular speed by `j`.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub struct Plane {
    /// Points along each side.
    pub size: u32,
    /// The angle at the edge, in radians.
    pub angle: f32,
    /// The angular speed at the edge, in radians a second.
    pub speed: f32,
    /// The values, row by row.
    pub values: Floats,
}
