//! The five experiments of Miotti, Niklasson, Randazzo and Mordvintsev ("Differentiable logic cellular
//! automata", 2025): their sizes, initial states and targets. In each, all cells of a grid run the same
//! circuit of logic gates. The circuit begins with perception kernels, small circuits that read a cell's
//! neighbourhood, and ends with the update circuit, which computes the cell's next state from what they
//! found.

mod initial_states;
mod targets;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use initial_states::{InitialStates, life_neighbourhood};
pub use targets::centred;

/// What the automaton learns to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(rename = "LogicExperiment"))]
pub enum Experiment {
    /// The rule of Conway's game of life.
    Life,
    /// A checkerboard from random cells.
    Checkerboard,
    /// The checkerboard with asynchronous updates: in each step only a random part of the cells updates.
    Async,
    /// A picture from a single cell.
    Figure,
    /// A coloured letter from an empty grid.
    Letter,
}

/// Sizes of an experiment as published; its other published settings are in the presets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Setup {
    /// Width and height of the training grid.
    pub size: usize,
    /// Whether the edges of the grid wrap around. Otherwise cells beyond them are zero.
    pub periodic: bool,
    /// Channels of a cell.
    pub channels: usize,
    /// Number of shown channels. The first channels of a cell are shown and compared with the target.
    pub shown: usize,
    /// Number of perception kernels (small circuits that read the 3x3 neighbourhood of one channel). Each is
    /// applied to every channel.
    pub kernels: usize,
    /// Gates in each layer of a kernel.
    pub perception: &'static [usize],
    /// The neighbours that the kernels initially pass on with
    /// [`crate::config::InitialKernels::AllDirections`]: kernel k takes entry `k % len`. Neighbours are
    /// numbered in reading order, the cell itself being number 4.
    /// Shape: `[entries][outputs of a kernel]`.
    pub initial_neighbours: &'static [&'static [u32]],
    /// Gates in each layer of the update circuit.
    pub update: &'static [usize],
}

// Neighbours that kernels initially pass on, one list per kind of kernel with an entry for each of the
// kernel's outputs. Neighbours are numbered in reading order: 0 1 2, then 3 4 5, then 6 7 8.

/// Opposite corners of the neighbourhood, for kernels of two outputs.
const CORNERS: [&[u32]; 2] = [&[2, 6], &[0, 8]];
/// The neighbours that share an edge with the cell, for kernels of one output.
const EDGES: [&[u32]; 4] = [&[1], &[3], &[5], &[7]];
/// All neighbours, for kernels of one output.
const ALL_EIGHT: [&[u32]; 8] = [&[0], &[1], &[2], &[3], &[5], &[6], &[7], &[8]];

// Number of gates in each layer of the update circuits, from the first layer to the last.
const LIFE_UPDATE: [usize; 24] = [
    128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 64, 32, 16, 8, 4, 2,
    1,
];
const BOARD_UPDATE: [usize; 16] = [256, 256, 256, 256, 256, 256, 256, 256, 256, 256, 128, 64, 32, 16, 8, 8];
const ASYNC_UPDATE: [usize; 20] =
    [256, 256, 256, 256, 256, 256, 256, 256, 256, 256, 256, 256, 256, 256, 128, 64, 32, 16, 8, 8];
const FIGURE_UPDATE: [usize; 10] = [512, 512, 512, 512, 512, 512, 512, 512, 256, 128];
const LETTER_UPDATE: [usize; 11] = [512, 512, 512, 512, 512, 512, 512, 512, 256, 128, 64];

impl Experiment {
    pub const ALL: [Self; 5] = [Self::Life, Self::Checkerboard, Self::Async, Self::Figure, Self::Letter];

    /// Its name in settings and exported files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Life => "life",
            Self::Checkerboard => "checkerboard",
            Self::Async => "async",
            Self::Figure => "figure",
            Self::Letter => "letter",
        }
    }

    pub const fn setup(self) -> Setup {
        let checkerboard = Setup {
            size: 16,
            periodic: false,
            channels: 8,
            shown: 1,
            kernels: 16,
            perception: &[8, 4, 2],
            initial_neighbours: &CORNERS,
            update: &BOARD_UPDATE,
        };
        match self {
            Self::Life => Setup {
                size: 3,
                periodic: true,
                channels: 1,
                perception: &[8, 4, 2, 1],
                initial_neighbours: &ALL_EIGHT,
                update: &LIFE_UPDATE,
                ..checkerboard
            },
            Self::Checkerboard => checkerboard,
            Self::Async => Setup { size: 14, update: &ASYNC_UPDATE, ..checkerboard },
            Self::Figure => Setup {
                size: 20,
                periodic: true,
                channels: 128,
                kernels: 4,
                perception: &[8, 4, 2, 1],
                initial_neighbours: &EDGES,
                update: &FIGURE_UPDATE,
                ..checkerboard
            },
            Self::Letter => {
                Setup { channels: 64, shown: 3, kernels: 4, update: &LETTER_UPDATE, ..checkerboard }
            }
        }
    }
}
