//! The five published experiments: their sizes and settings, where they begin and what they are to become.

use learnery_kernels::rng::Stream;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::automaton::Brain;
use super::config::{Looks, Parameters};

/// What is to be grown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(rename = "LogicExperiment"))]
pub enum Experiment {
    /// The rule of Conway's game of life.
    Life,
    /// A checkerboard out of random cells.
    Checkerboard,
    /// The same where cells act when they like.
    Async,
    /// A picture out of one cell.
    Figure,
    /// A coloured letter out of nothing.
    Letter,
}

/// Sizes and settings of an experiment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Setup {
    /// Width and height of the grid.
    pub size: usize,
    /// Whether its edges meet.
    pub periodic: bool,
    /// Channels of a cell.
    pub channels: usize,
    /// Channels that are to show something.
    pub shown: usize,
    /// Kernels that look at each channel.
    pub kernels: usize,
    /// Gates in the layers of a kernel.
    pub perception: &'static [usize],
    /// The neighbours that kernels by turns hand on at first, where each looks elsewhere. // [turns][outputs of a kernel]
    pub looks: &'static [&'static [u32]],
    /// Gates in the layers of the update.
    pub update: &'static [usize],
    /// Learning rate.
    pub learning_rate: f64,
    /// Grids in a batch.
    pub batch: usize,
    /// Steps from the start to what is judged.
    pub steps: usize,
    /// How often a cell acts.
    pub fire_rate: f64,
    /// Epochs that were published.
    pub epochs: u32,
}

/// The neighbours at the corners, two by two across, and those at the edges, one by one.
const CORNERS: [&[u32]; 2] = [&[2, 6], &[0, 8]];
const EDGES: [&[u32]; 4] = [&[1], &[3], &[5], &[7]];
/// All eight.
const ALL_AROUND: [&[u32]; 8] = [&[0], &[1], &[2], &[3], &[5], &[6], &[7], &[8]];

const LIFE: [usize; 24] = [
    128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 64, 32, 16, 8, 4, 2,
    1,
];
const BOARD: [usize; 16] = [256, 256, 256, 256, 256, 256, 256, 256, 256, 256, 128, 64, 32, 16, 8, 8];
const ASYNC: [usize; 20] =
    [256, 256, 256, 256, 256, 256, 256, 256, 256, 256, 256, 256, 256, 256, 128, 64, 32, 16, 8, 8];
const FIGURE: [usize; 10] = [512, 512, 512, 512, 512, 512, 512, 512, 256, 128];
const LETTER: [usize; 11] = [512, 512, 512, 512, 512, 512, 512, 512, 256, 128, 64];

impl Experiment {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Life, Self::Checkerboard, Self::Async, Self::Figure, Self::Letter];

    /// Its sizes and settings, as published.
    pub const fn setup(self) -> Setup {
        let board = Setup {
            size: 16,
            periodic: false,
            channels: 8,
            shown: 1,
            kernels: 16,
            perception: &[8, 4, 2],
            looks: &CORNERS,
            update: &BOARD,
            learning_rate: 0.05,
            batch: 2,
            steps: 20,
            fire_rate: 1.0,
            epochs: 500,
        };
        match self {
            Self::Life => Setup {
                size: 3,
                periodic: true,
                channels: 1,
                perception: &[8, 4, 2, 1],
                looks: &ALL_AROUND,
                update: &LIFE,
                batch: 20,
                steps: 1,
                epochs: 3000,
                ..board
            },
            Self::Checkerboard => board,
            Self::Async => {
                Setup { size: 14, update: &ASYNC, batch: 1, steps: 50, fire_rate: 0.6, epochs: 800, ..board }
            }
            Self::Figure => Setup {
                size: 20,
                periodic: true,
                channels: 128,
                kernels: 4,
                perception: &[8, 4, 2, 1],
                looks: &EDGES,
                update: &FIGURE,
                learning_rate: 0.06,
                batch: 1,
                steps: 12,
                epochs: 3500,
                ..board
            },
            Self::Letter => Setup {
                channels: 64,
                shown: 3,
                kernels: 4,
                perception: &[8, 4, 2],
                update: &LETTER,
                learning_rate: 0.06,
                batch: 1,
                steps: 15,
                epochs: 3000,
                ..board
            },
        }
    }

    /// What the shown channels of a grid of any size are to become; nothing where that follows from the start.
    pub fn target(self, width: usize, height: usize) -> Option<Vec<Vec<bool>>> {
        let plane = |at: &dyn Fn(usize, usize) -> bool| -> Vec<bool> {
            (0..height).flat_map(|y| (0..width).map(move |x| (x, y))).map(|(x, y)| at(x, y)).collect()
        };
        match self {
            Self::Life => None,
            Self::Checkerboard | Self::Async => Some(vec![plane(&|x, y| (x / 2 + y / 2) % 2 == 1)]),
            Self::Figure => Some(vec![plane(&|x, y| pixel(&GECKO, x, y) == b'#')]),
            Self::Letter => {
                let channel = |c: usize| plane(&|x, y| LETTER_COLOURS[c].contains(&pixel(&LETTER_L, x, y)));
                Some((0..3).map(channel).collect())
            }
        }
    }
}

fn pixel(picture: &[&str], x: usize, y: usize) -> u8 {
    picture.get(y).and_then(|row| row.as_bytes().get(x)).copied().unwrap_or(b'.')
}

const GECKO: [&str; 20] = [
    "....................",
    ".........##.........",
    "........####........",
    "........####........",
    "........####........",
    ".....#..####..#.....",
    "....##..####..##....",
    "......########......",
    "........#####.......",
    "........####........",
    ".......#####........",
    ".......#####........",
    ".....##.####........",
    "....##..###..##.....",
    "....#...####...##...",
    ".........###...#....",
    "..........###.......",
    "...........##.......",
    "............#.......",
    "....................",
];

/// Colours of the letter: what is lit of red, green and blue.
const LETTER_COLOURS: [&[u8]; 3] = [b"ryp", b"ygc", b"bcp"];

const LETTER_L: [&str; 16] = [
    "................",
    "...rrrr.........",
    "...rrrr.........",
    "...rrrr.........",
    "...rryy.........",
    "...ryyy.........",
    "...yyyy.........",
    "...yyyg.........",
    "...yygg.........",
    "...yggg.........",
    "...gggg.........",
    "...ggggccccbbb..",
    "...gggccccbbbb..",
    "...ggccccbbbbb..",
    "................",
    "................",
];

impl Setup {
    /// The undecided circuits.
    pub fn brain(&self, parameters: Parameters, looks: Looks, wires: Stream) -> Brain {
        let looks = if looks == Looks::Around { self.looks } else { &[] };
        Brain::new(self.channels, self.kernels, self.perception, self.update, parameters, looks, wires)
    }
}

/// The next state of a cell of Conway's game of life, given how many of its eight neighbours live.
pub fn lives(alive: bool, neighbours: usize) -> bool {
    neighbours == 3 || alive && neighbours == 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_circuits_have_as_many_gates_as_published() {
        let brains = Experiment::ALL
            .map(|experiment| experiment.setup().brain(Parameters::Kinds, Looks::Around, Stream::new(1, 0)));
        let gates = brains.each_ref().map(Brain::gates);
        assert_eq!(gates, [2543, 3040, 4064, 4540, 4600]);
        let inputs = brains.each_ref().map(|brain| brain.update.inputs());
        assert_eq!(inputs, [17, 264, 264, 640, 576]);
    }
}
