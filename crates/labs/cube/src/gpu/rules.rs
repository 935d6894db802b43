//! A puzzle as a table on the device, and packed states.

use learnery_gpu::Buffer;
use learnery_gpu::Gpu;
use learnery_gpu::GpuError;
use learnery_gpu::shader::Constant;

/// Words of a packed state.
pub const STATE_WORDS: usize = 4;

/// A state as the kernels read it: the value of each place (the piece there with its orientation) in five
/// bits, the values of six places in each word.
pub type PackedState = [u32; STATE_WORDS];

const BITS_PER_PLACE: usize = 5;
const PLACES_PER_WORD: usize = 6;
/// The most values of a place.
const MAX_VALUES: usize = 1 << BITS_PER_PLACE;
/// The most places.
const MAX_PLACES: usize = PLACES_PER_WORD * STATE_WORDS;

/// Packs the values of all places.
pub fn pack(values: &[u8]) -> PackedState {
    let mut words = PackedState::default();
    for (place, value) in values.iter().enumerate() {
        words[place / PLACES_PER_WORD] |= u32::from(*value) << (BITS_PER_PLACE * (place % PLACES_PER_WORD));
    }
    words
}

/// Writes the values of all places.
pub fn unpack(state: &PackedState, values: &mut [u8]) {
    for (place, value) in values.iter_mut().enumerate() {
        *value = (state[place / PLACES_PER_WORD] >> (BITS_PER_PLACE * (place % PLACES_PER_WORD))
            & (MAX_VALUES as u32 - 1)) as u8;
    }
}

/// What a puzzle does to states, and what its network reads of them.
#[derive(Clone, Debug)]
pub struct Rules {
    /// The value of each place of the solved puzzle.
    pub solved: Vec<u8>,
    /// The number of values of each place. The network has one input for each value of each place.
    pub values: Vec<usize>,
    /// For each turn and each place: the place from which its piece comes, and the value after the turn for
    /// each value there. Empty for a puzzle whose states have an index, see [`super::Indexed`].
    pub moves: Vec<Vec<(usize, [u8; MAX_VALUES])>>,
    /// The turn that undoes each turn.
    pub inverses: Vec<u8>,
    /// For each turn: the turns that may follow it in a random walk. At the end: those that may begin one.
    pub choices: Vec<Vec<u8>>,
}

impl Rules {
    /// The number of turns to choose from.
    pub fn turns(&self) -> usize {
        self.inverses.len()
    }

    pub fn places(&self) -> usize {
        self.solved.len()
    }

    /// The constants of the kernels that read the table.
    pub(super) fn constants(&self) -> [Constant; 2] {
        [("PLACES", self.places() as u32), ("TURNS", self.turns() as u32)]
    }

    /// The table in the order that `wgsl/puzzle_rules.wgsl` says.
    pub(super) fn upload(&self, gpu: &Gpu) -> Result<Buffer, GpuError> {
        assert!(self.places() <= MAX_PLACES, "a packed state has {MAX_PLACES} places");
        assert!(
            self.values.iter().all(|values| *values <= MAX_VALUES),
            "a place has at most {MAX_VALUES} values"
        );
        let turns = self.turns();
        let mut words = Vec::new();
        let mut inputs = 0;
        // The first input of each place. After the last place comes the number of all inputs.
        for values in self.values.iter().chain([&0]) {
            words.push(inputs as u32);
            inputs += values;
        }
        words.extend(self.inverses.iter().map(|turn| u32::from(*turn)));
        for choices in &self.choices {
            words.push(choices.len() as u32);
            let padded = choices.iter().map(|turn| u32::from(*turn)).chain(std::iter::repeat(0));
            words.extend(padded.take(turns));
        }
        words.extend(pack(&self.solved));
        for (from, values) in self.moves.iter().flatten() {
            words.push(*from as u32);
            words.extend(values.as_chunks::<4>().0.iter().map(|bytes| u32::from_le_bytes(*bytes)));
        }
        let buffer = gpu.buffer(words.len())?;
        gpu.write(&buffer, 0, &words);
        Ok(buffer)
    }
}
