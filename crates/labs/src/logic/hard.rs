//! The automaton decided: every gate is the likeliest of its kinds, every value a bit. Sixty-four cells of a row of the grid
//! go through a gate at once, in one word; several words follow one another through the same gate.

use learnery_kernels::gates::Wiring;

use super::automaton::Brain;
use super::circuit::Circuit;
use super::wiring::NEIGHBOURHOOD;

/// Words that go through the circuits together.
const BLOCK: usize = 8;
type Words = [u64; BLOCK];

/// A gate that is decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Gate {
    /// Its truth table, as in [`learnery_kernels::gates::COEFFICIENTS`].
    pub kind: u8,
    /// What it reads: rows of the layer before it.
    pub inputs: [u32; 2],
}

/// The value of a gate of a kind, for 64 cells at once.
pub fn apply(kind: u8, a: u64, b: u64) -> u64 {
    let chosen = |bit: u8, cells: u64| if kind >> bit & 1 == 1 { cells } else { 0 };
    chosen(3, !a & !b) | chosen(2, !a & b) | chosen(1, a & !b) | chosen(0, a & b)
}

/// A circuit that is decided, layer by layer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HardCircuit {
    /// Values that go in.
    pub inputs: usize,
    /// The gates of each layer.
    pub layers: Vec<Vec<Gate>>,
}

impl HardCircuit {
    /// Every gate the likeliest of its kinds; of equals the first.
    pub fn of(circuit: &Circuit, logits: &[f32]) -> Self {
        let mut kinds = vec![0; circuit.gates()];
        circuit.decide(logits, &mut kinds, None);
        let mut kinds = kinds.into_iter();
        let layer = |wiring: &Wiring| {
            let gates = wiring.pairs().iter().zip(&mut kinds);
            gates.map(|(inputs, kind)| Gate { kind, inputs: *inputs }).collect()
        };
        let layers = circuit.wirings().map(layer).collect();
        Self { inputs: circuit.inputs(), layers }
    }

    /// Decides anew which gates they are.
    fn decide(&mut self, circuit: &Circuit, logits: &[f32], kinds: &mut [u8]) {
        let kinds = &mut kinds[..circuit.gates()];
        circuit.decide(logits, kinds, None);
        self.layers.iter_mut().flatten().zip(kinds).for_each(|(gate, kind)| gate.kind = *kind);
    }

    /// All values of some words; the last rows are what comes out.
    fn run(&self, rows: &mut [Words]) {
        let mut from = 0;
        let mut to = self.inputs;
        for layer in &self.layers {
            let (given, rest) = rows.split_at_mut(to);
            for (gate, out) in layer.iter().zip(rest) {
                let [a, b] = gate.inputs.map(|row| &given[from + row as usize]);
                gate_on(gate.kind, a, b, out);
            }
            (from, to) = (to, to + layer.len());
        }
    }

    fn rows(&self) -> usize {
        self.inputs + self.layers.iter().map(Vec::len).sum::<usize>()
    }

    fn outputs(&self) -> usize {
        self.layers.last().map_or(0, Vec::len)
    }
}

/// One gate on a block of words. A branch for each kind: the kinds of a trained circuit are few.
fn gate_on(kind: u8, a: &Words, b: &Words, out: &mut Words) {
    macro_rules! each {
        (|$a:ident, $b:ident| $value:expr) => {
            for (out, ($a, $b)) in out.iter_mut().zip(a.iter().copied().zip(b.iter().copied())) {
                *out = $value;
            }
        };
    }
    match kind {
        0 => out.fill(0),
        1 => each!(|a, b| a & b),
        2 => each!(|a, b| a & !b),
        3 => *out = *a,
        4 => each!(|a, b| !a & b),
        5 => *out = *b,
        6 => each!(|a, b| a ^ b),
        7 => each!(|a, b| a | b),
        8 => each!(|a, b| !(a | b)),
        9 => each!(|a, b| !(a ^ b)),
        10 => each!(|_a, b| !b),
        11 => each!(|a, b| a | !b),
        12 => each!(|a, _b| !a),
        13 => each!(|a, b| !a | b),
        14 => each!(|a, b| !(a & b)),
        _ => out.fill(u64::MAX),
    }
}

/// Grids of bits: a row of a grid is a few words, row follows row and grid follows grid.
#[derive(Clone, Debug)]
pub struct HardAutomaton {
    width: usize,
    height: usize,
    count: usize,
    periodic: bool,
    channels: usize,
    /// Words in a row of a grid.
    across: usize,
    perception: HardCircuit,
    update: HardCircuit,
    /// One plane of words a channel, filled up to whole blocks. // [channels, words]
    state: Vec<u64>,
    next: Vec<u64>,
    words: usize,
    /// Bits of the last word in a row that are cells.
    last: u64,
    perceived: Vec<Words>,
    updated: Vec<Words>,
    /// What a circuit's gates are decided to be, for a moment.
    kinds: Vec<u8>,
}

impl HardAutomaton {
    /// `count` grids of a decided brain, all zero.
    pub fn new(brain: &Brain, logits: &[f32], size: [usize; 2], periodic: bool, count: usize) -> Self {
        let [width, height] = size;
        assert!(width > 0 && height > 0 && count > 0, "there must be a cell");
        let across = width.div_ceil(64);
        let words = (across * height * count).next_multiple_of(BLOCK);
        let (of_perception, of_update) = brain.split(logits);
        let perception = HardCircuit::of(&brain.perception, of_perception);
        let update = HardCircuit::of(&brain.update, of_update);
        let channels = brain.channels;
        Self {
            width,
            height,
            count,
            periodic,
            channels,
            across,
            state: vec![0; channels * words],
            next: vec![0; channels * words],
            words,
            last: u64::MAX >> ((64 - width % 64) % 64),
            perceived: vec![[0; BLOCK]; perception.rows()],
            updated: vec![[0; BLOCK]; update.rows()],
            kinds: vec![0; brain.perception.gates().max(brain.update.gates())],
            perception,
            update,
        }
    }

    /// Decides anew which gates they are.
    pub fn decide(&mut self, brain: &Brain, logits: &[f32]) {
        let (of_perception, of_update) = brain.split(logits);
        self.perception.decide(&brain.perception, of_perception, &mut self.kinds);
        self.update.decide(&brain.update, of_update, &mut self.kinds);
    }

    fn place(&self, cell: usize) -> (usize, u32) {
        let (row, x) = (cell / self.width, cell % self.width);
        (row * self.across + x / 64, (x % 64) as u32)
    }

    /// Puts a channel of all cells. // values [cells of all grids]
    pub fn put(&mut self, channel: usize, values: impl IntoIterator<Item = bool>) {
        let cells = self.width * self.height * self.count;
        for (cell, value) in values.into_iter().take(cells).enumerate() {
            let (word, bit) = self.place(cell);
            let word = &mut self.state[channel * self.words + word];
            *word = *word & !(1 << bit) | u64::from(value) << bit;
        }
    }

    /// A channel of all cells. // [cells of all grids]
    pub fn get(&self, channel: usize) -> impl Iterator<Item = bool> + '_ {
        (0..self.width * self.height * self.count).map(move |cell| {
            let (word, bit) = self.place(cell);
            self.state[channel * self.words + word] >> bit & 1 == 1
        })
    }

    /// One step of all cells; of those alone that are `awake`, where that is said. // awake [cells of all grids]
    pub fn step(&mut self, awake: Option<&[bool]>) {
        let mut perceived = std::mem::take(&mut self.perceived);
        let mut updated = std::mem::take(&mut self.updated);
        let found = self.perception.outputs();
        for block in (0..self.words).step_by(BLOCK) {
            for channel in 0..self.channels {
                for (k, row) in perceived[..NEIGHBOURHOOD].iter_mut().enumerate() {
                    for (i, out) in row.iter_mut().enumerate() {
                        *out = self.seen(channel, block + i, k);
                    }
                }
                self.perception.run(&mut perceived);
                let results = &perceived[perceived.len() - found..];
                updated[self.channels + channel * found..][..found].copy_from_slice(results);
                updated[channel] = perceived[super::wiring::CENTRE];
            }
            self.update.run(&mut updated);
            let results = &updated[updated.len() - self.channels..];
            for (channel, result) in results.iter().enumerate() {
                self.next[channel * self.words + block..][..BLOCK].copy_from_slice(result);
            }
        }
        (self.perceived, self.updated) = (perceived, updated);
        if let Some(awake) = awake {
            self.keep_sleepers(awake);
        }
        std::mem::swap(&mut self.state, &mut self.next);
        self.clear_edges();
    }

    fn keep_sleepers(&mut self, awake: &[bool]) {
        for (cell, _) in awake.iter().enumerate().filter(|(_, awake)| !**awake) {
            let (word, bit) = self.place(cell);
            for channel in 0..self.channels {
                let at = channel * self.words + word;
                self.next[at] = self.next[at] & !(1 << bit) | self.state[at] & 1 << bit;
            }
        }
    }

    /// What is beyond the cells of a row stays zero.
    fn clear_edges(&mut self) {
        let used = self.across * self.height * self.count;
        for plane in self.state.chunks_exact_mut(self.words) {
            plane[used..].fill(0);
            plane[..used]
                .iter_mut()
                .skip(self.across - 1)
                .step_by(self.across)
                .for_each(|word| *word &= self.last);
        }
    }

    /// What the cells of a word see in one direction.
    fn seen(&self, channel: usize, word: usize, k: usize) -> u64 {
        if word >= self.across * self.height * self.count {
            return 0;
        }
        let (row, at) = (word / self.across, word % self.across);
        let (grid, y) = (row / self.height, row % self.height);
        let y = match (y + k / 3).checked_sub(1) {
            Some(y) if y < self.height => y,
            _ if self.periodic => (y + k / 3 + self.height - 1) % self.height,
            _ => return 0,
        };
        let first = channel * self.words + (grid * self.height + y) * self.across;
        let row = &self.state[first..first + self.across];
        let end = (self.width - 1) % 64;
        match k % 3 {
            0 => {
                let from = match at {
                    0 if self.periodic => row[self.across - 1] >> end & 1,
                    0 => 0,
                    at => row[at - 1] >> 63,
                };
                row[at] << 1 | from
            }
            1 => row[at],
            _ => match at + 1 == self.across {
                true if self.periodic => row[at] >> 1 | (row[0] & 1) << end,
                true => row[at] >> 1,
                false => row[at] >> 1 | row[at + 1] << 63,
            },
        }
    }
}
