//! What the cube lab shows, and what a visitor may do.

use learnery_lab::Floats;
use serde::{Deserialize, Serialize};

use super::config::{Learner, Metric};

/// What a visitor may do.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "type", rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub enum CubeCommand {
    /// Turn the cube that is shown: turns as people write them, such as `R U' F2`. Turns of L, D and B, and of the whole
    /// cube, do what their opposites do: the cube is always held with the same corner down, back and left.
    Turn {
        /// The turns.
        turns: String,
    },
    /// Scramble it with random turns.
    Scramble {
        /// How many, at most 100.
        turns: u32,
    },
    /// Put it in a state drawn evenly from all that are so far from solved.
    Away {
        /// The least number of turns to the solved cube.
        turns: u32,
    },
    /// Put it in the state with these stickers: 24 letters, face by face U R F D L B.
    Place {
        /// The stickers.
        stickers: String,
    },
    /// Let the learner solve it, greedily, a turn at a time.
    Solve,
    /// Leave it as it is.
    Stop,
}

/// What the learner is busy with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(rename = "CubePhase"))]
pub enum Phase {
    /// Solving cubes and learning from it, or from scrambles.
    Learning,
    /// Being judged.
    Judged,
}

/// How the cube that is shown fares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(rename = "CubeAttempt"))]
pub enum Attempt {
    /// Nobody turns it.
    Idle,
    /// The learner turns it.
    Solving,
    /// The learner solved it.
    Solved,
    /// The learner came to where it had been before, and would go on so forever.
    Stuck,
}

/// What can be drawn now.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub struct CubeView {
    /// How it learns.
    pub learner: Learner,
    /// What counts as a turn.
    pub metric: Metric,
    /// What it is busy with.
    pub phase: Phase,
    /// How much of the phase is done, 0 to 1.
    pub phase_share: f32,
    /// Share of states solved at each distance from 0 on, by the last judgement; NaN where nothing was judged yet.
    pub shares: Floats,
    /// Mean turns more than the least of those, in the same way.
    pub excesses: Floats,
    /// How many states there are at each distance.
    pub counts: Floats,
    /// Share solved of all states that were judged; NaN before the first judgement.
    pub solved: f32,
    /// How many turns the longest scrambles have that are learned from.
    pub level: u32,
    /// The longest there will be.
    pub level_to: u32,
    /// One cube apart from training.
    pub stage: Stage,
}

/// One cube apart from training.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(rename = "CubeStage"))]
pub struct Stage {
    /// The colours of its stickers, `U` to `B`: face by face U R F D L B, each row by row.
    pub stickers: String,
    /// The least number of turns to the solved cube.
    pub distance: u32,
    /// What each turn is worth in the learner's eyes, in the order of `turns`: the higher the better. Of dqn the discounted
    /// reward, of efficientcube the logarithm of a probability up to a constant, of the others a distance, negated.
    pub worths: Floats,
    /// The names of those turns.
    pub turns: Vec<String>,
    /// The least number of turns to the solved cube after each of them.
    pub after: Vec<u32>,
    /// How it fares.
    pub attempt: Attempt,
    /// The turns made since it was last scrambled, placed or solved, by the visitor or the learner.
    pub made: Vec<String>,
    /// Counts every turn made, so that a page can tell new ones.
    pub count: u32,
}
