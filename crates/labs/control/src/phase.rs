//! The phases of one training iteration.

use serde::Serialize;

/// What a run is doing now. Each training iteration goes through the phases in this order, without an
/// evaluation where none is due.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(rename = "ControlPhase"))]
pub enum Phase {
    /// The policy acts in all training worlds.
    #[default]
    Collecting,
    /// The networks are updated. On the CPU a step is one minibatch.
    Learning,
    /// The greedy policy plays evaluation episodes, which are not learned from.
    Evaluating,
}
