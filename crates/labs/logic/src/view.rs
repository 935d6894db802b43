//! The data that the page draws, and the commands of the page's user. The stage is the part of the page where
//! the user sees the automaton run and can touch it.

use learnery_kernels::gates::KINDS;
use learnery_lab::Bytes;
use serde::{Deserialize, Serialize};

use crate::automaton::Network;
use crate::circuit::{LogicCircuit, LogicLit};
use crate::experiment::Experiment;

/// A command of the page's user. Only `Target` influences training. `Have` says what the page
/// has; all others change the stage.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(tag = "type"))]
pub enum LogicCommand {
    /// Start or pause the stage.
    Play {
        /// Whether it runs.
        playing: bool,
    },
    /// Set the speed of the stage.
    Pace {
        /// Steps per second, 0.1 to 240.
        rate: f32,
    },
    /// Run one step.
    Step,
    /// Return the stage to the experiment's initial state, with new random cells where that is random.
    Restart,
    /// Fill all channels of the stage with random bits.
    Scramble,
    /// Set all channels of the stage to zero.
    Clear,
    /// Damage the stage: sets all channels of the cells within a radius to zero.
    Wound {
        /// The centre in cells from the left edge; cells have their centres at halves.
        x: f32,
        /// The centre in cells from the top edge.
        y: f32,
        /// The radius in cells, at most 128.
        radius: f32,
    },
    /// Set the first channel of the cells within a radius; in the game of life this draws live cells.
    Paint {
        /// The centre in cells from the left edge; cells have their centres at halves.
        x: f32,
        /// The centre in cells from the top edge.
        y: f32,
        /// The radius in cells, at most 128.
        radius: f32,
        /// The new value.
        on: bool,
    },
    /// Resize the stage to a multiple of the training grid, and restart it.
    Size {
        /// The factor for width and height, 1 to 4.
        multiple: u32,
    },
    /// Set the probability that a cell of the stage updates in a step. Otherwise it keeps its state.
    FireRate {
        /// The probability, 0.05 to 1.
        rate: f32,
    },
    /// Choose the cell for which the page shows the values in the circuit.
    Cell {
        /// The column.
        x: u32,
        /// The row.
        y: u32,
    },
    /// Train for another target from now on; the gates stay as they are. The digits `0` and `1` give each
    /// cell of the training grid, row by row, for one shown channel after the other (red, green, blue). An
    /// empty text restores the published target. Not for the game of life.
    Target {
        /// The digits.
        planes: String,
    },
    /// Tell which versions the page has, so that they are not sent again.
    Have {
        /// The version of the wiring; 0 for none.
        wiring: u32,
        /// The version of the pruned circuit; 0 for none.
        circuit: u32,
    },
}

/// Everything the page draws.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub struct LogicView {
    /// The experiment.
    pub experiment: Experiment,
    /// Epochs done.
    pub epochs: u32,
    /// The current attempt, counted from 1. A run without progress restarts with fresh gates.
    pub attempt: u32,
    /// The epoch at which the attempt started.
    pub begun: u32,
    /// Width and height of the training grid.
    pub size: u32,
    /// The target of the shown channels on the training grid, one channel after the other, row by row: 0
    /// or 1. Empty for the game of life.
    pub target: Bytes,
    /// Whether the user drew the target; otherwise it is the published one.
    pub own_target: bool,
    /// The stage.
    pub stage: StageView,
    /// The gates.
    pub gates: LogicGates,
    /// The version of the wiring; never 0.
    pub wiring_version: u32,
    /// The wiring, unless the page has this version.
    pub wiring: Option<LogicWiring>,
    /// The version of the pruned circuit; 0 before the first.
    pub circuit_version: u32,
    /// The pruned circuit, unless the page has this version. It is renewed at most twice a second.
    pub circuit: Option<LogicCircuit>,
    /// The values of the circuit's nodes in the chosen cell of the hard grid.
    pub lit: Option<LogicLit>,
    /// For the game of life, one entry per neighbourhood, whose k-th cell is bit k of its number: bit 0 is
    /// the hard circuit's output, bit 1 is set if that is wrong. Empty in other experiments.
    pub rule: Bytes,
}

/// What the user sees and touches: a grid that is no part of training, run from the same state with soft and
/// with hard gates.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(rename = "LogicStage"))]
pub struct StageView {
    /// Width in cells.
    pub width: u32,
    /// Height in cells.
    pub height: u32,
    /// The size as a multiple of the training grid.
    pub multiple: u32,
    /// Whether the edges wrap around.
    pub periodic: bool,
    /// Number of shown channels: one, or three for red, green and blue.
    pub shown: u32,
    /// The shown channels with soft gates, one after the other, row by row: 0 to 255 for 0 to 1.
    pub soft: Bytes,
    /// The shown channels with hard gates: 0 or 1.
    pub hard: Bytes,
    /// The target on a grid of this size: a picture stands in the middle, with zeros around it. Empty for the
    /// game of life.
    pub target: Bytes,
    /// Cells of the hard grid that differ from the target. In the game of life, cells that the last step set
    /// against the rule.
    pub wrong_hard: u32,
    /// Wrong cells of the soft grid, its values rounded.
    pub wrong_soft: u32,
    /// Steps since the last restart.
    pub step: u32,
    /// The step that training compares with the target.
    pub steps: u32,
    /// Whether the stage runs.
    pub playing: bool,
    /// Steps per second while it runs.
    pub pace: f32,
    /// The probability that a cell updates in a step.
    pub fire_rate: f32,
    /// The chosen cell: column and row.
    pub cell: [u32; 2],
}

/// The gates of all layers, those of perception first. In a layer of perception, gate `j * kernels + k` is
/// gate j of kernel k.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub struct LogicGates {
    /// Gates in each layer.
    pub layers: Vec<u32>,
    /// Number of layers that belong to perception.
    pub perception_layers: u32,
    /// The most likely kind of each gate, numbered by its truth table: bit 3 is the answer to (0, 0), bit 2
    /// to (0, 1), bit 1 to (1, 0), and bit 0 to (1, 1). So kind 3 passes its first input through.
    pub kinds: Bytes,
    /// The probability of that kind: 0 to 255 for 0 to 1.
    pub sure: Bytes,
    /// Number of gates of each kind.
    pub counts: Vec<u32>,
}

impl LogicGates {
    /// The gates of a network.
    pub fn of(network: &Network) -> Self {
        let circuits = &network.circuits;
        let (mut kinds, mut probabilities) = (vec![0; circuits.gates()], vec![0.0; circuits.gates()]);
        network.most_likely_kinds(&mut kinds, Some(&mut probabilities));
        let mut counts = vec![0; KINDS];
        kinds.iter().for_each(|kind| counts[usize::from(*kind)] += 1);
        let layers = circuits.perception.wirings().chain(circuits.update.wirings());
        Self {
            layers: layers.map(|wiring| wiring.gates() as u32).collect(),
            perception_layers: circuits.perception.wirings().count() as u32,
            kinds: Bytes(kinds),
            sure: Bytes(probabilities.into_iter().map(|probability| (255.0 * probability) as u8).collect()),
            counts,
        }
    }
}

/// The wiring of the layers.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub struct LogicWiring {
    /// Channels of a cell. Perception exists once and is applied to each of them.
    pub channels: u32,
    /// Perception kernels.
    pub kernels: u32,
    /// The two values of the layer before that each gate reads. The first layer of perception reads the nine
    /// cells of a neighbourhood in reading order. The first layer of the update reads the cell's own
    /// channels, then the outputs of perception channel by channel.
    ///
    /// Shape: `[gates, 2]`.
    pub pairs: Vec<u32>,
}

impl LogicWiring {
    /// The wiring of a network.
    pub fn of(network: &Network) -> Self {
        let setup = network.experiment.setup();
        Self {
            channels: setup.channels as u32,
            kernels: setup.kernels as u32,
            pairs: network.circuits.wires(),
        }
    }
}
