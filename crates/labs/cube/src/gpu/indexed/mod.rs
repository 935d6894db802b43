//! Puzzles with so few states that each has an index, such as the 2x2x2: scrambles, and value iteration with
//! a table of target values.

mod trainer;

pub use trainer::IndexedTrainer;

use super::rules::{STATE_WORDS, pack};
use learnery_gpu::Buffer;
use learnery_gpu::Gpu;
use learnery_gpu::GpuError;
use learnery_gpu::shader::Constant;

/// One of the two numbers into which the index of a state is divided. A turn changes it by a table, whatever
/// the other number is.
#[derive(Clone, Debug)]
pub struct Coordinate {
    /// For each value of the coordinate: its value after each turn.
    pub turns: Vec<Vec<u16>>,
    /// For each value of the coordinate: what it adds to the value of each place. The value of a place is the
    /// sum of what both coordinates add.
    pub values: Vec<Vec<u8>>,
}

/// Classes of symmetric states, of which the network sees one state each.
#[derive(Clone, Copy, Debug)]
pub struct Classes<'a> {
    /// The class of each state.
    pub of_states: &'a [u32],
    /// The state of each class.
    pub states: &'a [u32],
}

/// A puzzle whose states have an index: the first coordinate times the number of values of the second one,
/// plus the second one. The solved state has the index 0. A node is a class of symmetric states or, without
/// `classes`, a state.
#[derive(Clone, Debug)]
pub struct Indexed<'a> {
    pub coordinates: [Coordinate; 2],
    pub classes: Option<Classes<'a>>,
}

/// The most places: the values of each coordinate are packed in two words.
const MAX_PLACES: usize = 12;

impl Indexed<'_> {
    /// The number of states.
    fn states(&self) -> usize {
        self.coordinates.iter().map(|coordinate| coordinate.turns.len()).product()
    }

    /// The number of nodes.
    pub fn nodes(&self) -> usize {
        self.classes.map_or(self.states(), |classes| classes.states.len())
    }

    /// The constants of the kernels that read the tables.
    fn constants(&self) -> [Constant; 5] {
        let [first, second] = &self.coordinates;
        [
            ("FIRSTS", first.turns.len() as u32),
            ("SECONDS", second.turns.len() as u32),
            ("TURNS", first.turns[0].len() as u32),
            ("NODES", self.nodes() as u32),
            ("CLASSES", self.classes.is_some().into()),
        ]
    }

    /// The tables in the order that `wgsl/indexed.wgsl` says.
    fn upload(&self, gpu: &Gpu) -> Result<Buffer, GpuError> {
        let mut words: Vec<u32> = Vec::new();
        for coordinate in &self.coordinates {
            words.extend(coordinate.turns.iter().flatten().map(|after| u32::from(*after)));
        }
        for coordinate in &self.coordinates {
            for values in &coordinate.values {
                assert!(values.len() <= MAX_PLACES, "there are at most {MAX_PLACES} places");
                // Twelve places fit into the first two words.
                words.extend(&pack(values)[..2]);
            }
        }
        if let Some(Classes { of_states, states }) = self.classes {
            assert!(states.len() <= 1 << 16, "a class has 16 bits");
            words.extend(states);
            // The classes of two states share a word.
            words.extend(of_states.chunks(2).map(|pair| pair[0] | pair.get(1).unwrap_or(&0) << 16));
        }
        let buffer = gpu.buffer(words.len())?;
        gpu.write(&buffer, 0, &words);
        Ok(buffer)
    }
}

/// Words of packed states of this many nodes.
fn state_words(nodes: usize) -> usize {
    STATE_WORDS * nodes
}
