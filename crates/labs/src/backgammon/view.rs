//! What the backgammon lab shows, and what a visitor may do.

use serde::{Deserialize, Serialize};

/// What a visitor may do.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "type", rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub enum BackgammonCommand {}

/// What the learner is busy with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub enum Phase {
    /// Playing against itself.
    Playing,
    /// Learning from what it played.
    Learning,
    /// Being measured against pubeval.
    Measured,
}

/// What can be drawn now.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub struct BackgammonView {
    /// What the learner is busy with.
    pub phase: Phase,
    /// How much of the phase is done, 0 to 1.
    pub phase_share: f32,
}
