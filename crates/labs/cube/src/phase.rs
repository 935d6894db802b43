//! What a run is doing between two steps.

use serde::Serialize;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(rename = "CubePhase"))]
pub enum Phase {
    /// Updating the network; deep Q-learning also collects episodes between updates.
    Learning,
    /// Evaluating the greedy policy of the 2x2x2, or searches for solutions of the 3x3x3.
    Evaluating,
}
