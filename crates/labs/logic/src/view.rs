//! What the logic lab shows, and what a visitor may do.

use learnery_lab::Bytes;
use serde::{Deserialize, Serialize};

use super::drawing::{LogicCircuit, LogicExport, LogicLit};
use super::experiment::Experiment;
use super::export::Format;

/// What a visitor may do. All of it but the target concerns the stage alone, which nothing is learned from.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "type", rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub enum LogicCommand {
    /// Let the stage run, or hold it.
    Play {
        /// Whether it runs.
        playing: bool,
    },
    /// How fast the stage runs.
    Pace {
        /// Steps a second, 0.1 to 240.
        rate: f32,
    },
    /// Let the stage take one step now.
    Step,
    /// Put the stage back to where its experiment begins, with new random cells where it begins so.
    Restart,
    /// Fill the stage with random bits in all channels.
    Scramble,
    /// Make all channels of the stage zero.
    Clear,
    /// Wound the stage: all channels of the cells within a radius become zero.
    Wound {
        /// The place, counted in cells from the left edge of the grid; a cell's middle lies half a cell from its edge.
        x: f32,
        /// Counted from above.
        y: f32,
        /// The radius in cells, at most 128.
        radius: f32,
    },
    /// Set the first channel of the cells within a radius; with the game of life, this draws cells that live.
    Paint {
        /// The place, as of a wound.
        x: f32,
        /// Counted from above.
        y: f32,
        /// The radius in cells, at most 128.
        radius: f32,
        /// What it becomes.
        on: bool,
    },
    /// Make the stage so many times as wide and as high as the grid that is learned on, and begin anew.
    Size {
        /// How many times, 1 to 4.
        multiple: u32,
    },
    /// How often a cell of the stage acts; the others stay as they are for the step.
    FireRate {
        /// The share of cells that act in a step, 0.05 to 1.
        rate: f32,
    },
    /// Choose the cell whose circuit is shown at work.
    Cell {
        /// From the left.
        x: u32,
        /// From above.
        y: u32,
    },
    /// Learn to grow this from now on: `0` or `1` for each cell of the training grid, row by row, for one shown channel after
    /// the other (red, green, blue). Nothing takes the published target again. What has been learned stays. Not for the game
    /// of life.
    Target {
        /// The digits.
        planes: String,
    },
    /// Which versions the page has; the same need not be sent again.
    Have {
        /// Of the wiring; 0 for none.
        wiring: u32,
        /// Of the pruned circuit; 0 for none.
        circuit: u32,
    },
    /// Write the pruned circuit down; it stands in `LogicView.exported` until it is taken.
    Export {
        /// In which language.
        format: Format,
    },
    /// What was written down has been taken.
    Taken,
}

/// What can be drawn now.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub struct LogicView {
    /// What is to be grown.
    pub experiment: Experiment,
    /// Epochs learned so far.
    pub epochs: u32,
    /// Which attempt this is, from 1 on: a run whose proofs do not hold for long begins anew with fresh gates.
    pub attempt: u32,
    /// The epochs that were done when it began.
    pub begun: u32,
    /// Width and height of the grid that is learned on.
    pub size: u32,
    /// What its shown channels are to become, one after the other, each row by row: 0 or 1. Empty for the game of life.
    pub target: Bytes,
    /// Whether a visitor drew it.
    pub own_target: bool,
    /// A grid apart from training.
    pub stage: LogicStage,
    /// What the gates have become.
    pub gates: LogicGates,
    /// Never 0.
    pub wiring_version: u32,
    /// Who is wired to whom, unless the page has it.
    pub wiring: Option<LogicWiring>,
    /// Which pruned circuit there is; 0 before the first.
    pub circuit_version: u32,
    /// That circuit, unless the page has it. It is pruned anew at most twice a second.
    pub circuit: Option<LogicCircuit>,
    /// What its wires carry in the chosen cell of the hard grid, as that computes its next state.
    pub lit: Option<LogicLit>,
    /// Of the game of life, what the decided circuit makes of each of the 512 neighbourhoods, the k-th cell of which is the
    /// k-th bit of its number: 1 where the cell will live, and 2 more where that is wrong. Empty otherwise.
    pub rule: Bytes,
    /// A circuit that was asked for, written down.
    pub exported: Option<LogicExport>,
}

/// A grid apart from training: from the same start, once with undecided and once with decided gates.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub struct LogicStage {
    /// Cells along.
    pub width: u32,
    /// Cells up and down.
    pub height: u32,
    /// How many times the grid that is learned on.
    pub multiple: u32,
    /// Whether its edges meet.
    pub periodic: bool,
    /// Channels that are shown: one, or three for red, green and blue.
    pub shown: u32,
    /// The shown channels with undecided gates, one after the other, each row by row: 0 to 255 for 0 to 1.
    pub soft: Bytes,
    /// The same with every gate decided: 0 or 1.
    pub hard: Bytes,
    /// What they are to become on a grid of this size, in the same way: where the target is a picture, it stands in the middle
    /// of darkness. Empty for the game of life.
    pub target: Bytes,
    /// Cells of the hard grid that are not as the target has them; of the game of life, those that its true rule would not
    /// have made of the grid before the last step.
    pub wrong_hard: u32,
    /// The same of the soft grid, its values rounded.
    pub wrong_soft: u32,
    /// Steps since it began.
    pub step: u32,
    /// After how many steps learning looks at the outcome.
    pub steps: u32,
    /// Whether it runs.
    pub playing: bool,
    /// Steps a second while it does.
    pub pace: f32,
    /// How often a cell acts.
    pub fire_rate: f32,
    /// The chosen cell: from the left, from above.
    pub cell: [u32; 2],
}

/// What the gates have become: those of the perception's layers first. In a layer of perception, gate `j * kernels + k` is
/// gate j of kernel k.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub struct LogicGates {
    /// How many gates each layer has.
    pub layers: Vec<u32>,
    /// How many of the layers belong to perception.
    pub perception_layers: u32,
    /// The likeliest kind of each gate: its truth table as a number, the answer to (0, 0) counting 8, to (0, 1) 4, to (1, 0)
    /// 2, to (1, 1) 1. So 3 hands on the first input.
    pub kinds: Bytes,
    /// How likely that kind is: 0 to 255 for 0 to 1.
    pub sure: Bytes,
    /// How many gates there are of each kind.
    pub counts: Vec<u32>,
}

/// Who is wired to whom.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub struct LogicWiring {
    /// Channels of a cell. Perception is there once, and at work for each of them.
    pub channels: u32,
    /// Kernels that look at each channel.
    pub kernels: u32,
    /// What each gate reads: two values of the layer before it. The first layer of perception reads the nine cells of a
    /// neighbourhood in reading order; the first of the update the cell's own channels and then what perception found, channel
    /// by channel. // [gates, 2]
    pub pairs: Vec<u32>,
}
