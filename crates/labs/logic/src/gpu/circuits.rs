//! The circuits of a cell of the automaton, and the tables through which the kernels read their wiring.

use learnery_kernels::gates::{KINDS, LINES, Wiring};

use super::Task;
use learnery_gpu::GpuError;
use learnery_gpu::shader::Constant;

/// Cells that a workgroup computes at a time.
pub const CELLS: usize = 2;

/// The words of workgroup memory that every GPU has: 16 kB.
const POOL_WORDS: usize = 4096;

/// The most workgroups of the backward pass, each with a slot for its gradients.
const MAX_PARTS: usize = 256;

/// Neighbours of a cell, itself included.
const NEIGHBOURHOOD: usize = 9;

/// The words of a layer in the table, see `Layer` in `wgsl/gate_layers.wgsl`.
const LAYER_WORDS: usize = 7;

/// The most gates of a layer: an entry of a list of consumers has 15 bits for the number of a gate.
const MAX_GATES: usize = 1 << 15;

/// The most rows that a layer reads: an entry of a list of consumers has 16 bits for the number of a row.
const MAX_ROWS: usize = 1 << 16;

/// The tiles, of [`CELLS`] cells each, that a workgroup of the backward pass computes.
pub fn tiles_per_part(cells: usize) -> usize {
    cells.div_ceil(CELLS).div_ceil(MAX_PARTS)
}

/// The circuits of a cell. Perception reads one channel of the nine cells of the neighbourhood; it runs on
/// every channel. The update circuit reads the cell's channels, then the outputs of perception channel by
/// channel, and gives the next channels.
#[derive(Clone, Debug)]
pub struct CellCircuits<'a> {
    pub channels: usize,
    pub perception: Vec<&'a Wiring>,
    pub update: Vec<&'a Wiring>,
    /// Whether a gate has a logit for each line of its truth table, instead of one for each of the sixteen
    /// kinds.
    pub table: bool,
}

impl CellCircuits<'_> {
    pub fn gates(&self) -> usize {
        self.layers().map(|(wiring, _)| wiring.gates()).sum()
    }

    pub fn logits(&self) -> usize {
        self.gates() * if self.table { LINES } else { KINDS }
    }

    /// All layers, each with whether it is the first of its circuit.
    fn layers(&self) -> impl Iterator<Item = (&Wiring, bool)> {
        let are_first = |layers: &[&'_ Wiring]| (0..layers.len()).map(|i| i == 0).collect::<Vec<_>>();
        let is_first = are_first(&self.perception).into_iter().chain(are_first(&self.update));
        self.perception.iter().chain(&self.update).copied().zip(is_first)
    }

    /// The outputs of perception of one channel.
    fn outputs(&self) -> usize {
        self.perception.last().expect("perception has a layer").gates()
    }

    fn update_inputs(&self) -> usize {
        self.channels * (1 + self.outputs())
    }

    /// The number of wires (rows of values) of perception on one channel, and of the update circuit.
    fn rows(&self) -> [usize; 2] {
        let gates = |layers: &[&Wiring]| layers.iter().map(|wiring| wiring.gates()).sum::<usize>();
        [NEIGHBOURHOOD + gates(&self.perception), self.update_inputs() + gates(&self.update)]
    }

    /// The words of the regions of workgroup memory for layers of even and of odd numbers, if perception runs
    /// on `group` channels at a time. The neighbourhoods that perception reads lie in the region for odd
    /// numbers.
    fn regions(&self, group: usize) -> [usize; 2] {
        [0, 1].map(|parity| {
            let widest = |layers: &[&Wiring]| {
                layers.iter().skip(parity).step_by(2).map(|wiring| wiring.gates()).max().unwrap_or(0)
            };
            // The last layer of perception writes to the inputs of the update circuit instead.
            let perception = widest(&self.perception[..self.perception.len() - 1]);
            let neighbourhood = if parity == 1 { NEIGHBOURHOOD } else { 0 };
            CELLS * (group * perception.max(neighbourhood)).max(widest(&self.update))
        })
    }

    /// The most channels that perception can run on at a time: the largest divisor of the number of channels
    /// for which the wires fit into workgroup memory.
    fn group(&self) -> Result<usize, GpuError> {
        let inputs = CELLS * self.update_inputs();
        let fits = |group: &usize| inputs + self.regions(*group).iter().sum::<usize>() <= POOL_WORDS;
        let mut groups = (1..=self.channels).rev().filter(|group| self.channels.is_multiple_of(*group));
        groups.find(fits).ok_or_else(|| {
            GpuError::Unsupported(format!(
                "a circuit of {} inputs; its wires do not fit into the memory of a workgroup",
                self.update_inputs()
            ))
        })
    }

    /// Words of the values of a tile that the backward pass keeps.
    pub fn kept_words(&self) -> usize {
        let [perception, update] = self.rows();
        CELLS * (update + self.channels * perception)
    }

    /// The constants of the kernel `cell_step`, for the forward and for the backward pass, with workgroups of
    /// `threads` invocations.
    pub fn step_constants(&self, task: Task, threads: usize) -> Result<[Vec<Constant>; 2], GpuError> {
        let group = self.group()?;
        let ([even, odd], [perception_rows, update_rows]) = (self.regions(group), self.rows());
        let cells = task.grids.cells();
        let constants = [
            ("THREADS", threads),
            ("CHANNELS", self.channels),
            ("GROUP", group),
            ("PERCEPTION_LAYERS", self.perception.len()),
            ("UPDATE_LAYERS", self.update.len()),
            ("OUTPUTS", self.outputs()),
            ("PERCEPTION_ROWS", perception_rows),
            ("UPDATE_ROWS", update_rows),
            ("EVEN", even),
            ("ODD", odd),
            ("GATES", self.gates()),
            ("WIDTH", task.grids.width),
            ("HEIGHT", task.grids.height),
            ("TOTAL", cells),
            ("TILES", tiles_per_part(cells)),
            ("PERIODIC", usize::from(task.grids.periodic)),
            ("ASYNC", usize::from(task.asynchronous)),
        ];
        Ok([0, 1].map(|backward| {
            let constants = constants.map(|(name, value)| (name, value as u32));
            constants.into_iter().chain([("BACKWARD", backward)]).collect()
        }))
    }

    /// The constants of the kernels that compute gate by gate.
    pub fn gate_constants(&self) -> Vec<Constant> {
        let layers = self.perception.len() + self.update.len();
        vec![("LAYERS", layers as u32), ("TABLE", u32::from(self.table))]
    }

    /// The tables: all layers, the rows that each gate reads, and for each row the gates that read it.
    pub fn tables(&self) -> Result<Vec<u32>, GpuError> {
        let count = self.perception.len() + self.update.len();
        let mut words = vec![0; LAYER_WORDS * count];
        let (mut first_gate, mut output_row) = (0, 0);
        for (i, (wiring, is_first_layer)) in self.layers().enumerate() {
            let (gates, inputs) = (wiring.gates(), wiring.inputs());
            if gates > MAX_GATES || inputs > MAX_ROWS {
                return Err(GpuError::Unsupported(format!(
                    "a layer of {gates} gates on {inputs} wires; the most are {MAX_GATES} and {MAX_ROWS}"
                )));
            }
            // The inputs of a layer are the outputs of the one before, or the first rows of the circuit.
            let input_row = if is_first_layer { 0 } else { output_row };
            output_row = input_row + inputs;
            let wires_at = words.len();
            words.extend(wiring.pairs().iter().flatten());
            let consumers_at = words.len();
            // A gate reads two rows, at its ports 0 and 1. It is a consumer of each, and the entry also names
            // its other row: 16 bits for that row, 15 for the gate, and one for the port.
            let mut consumers = vec![Vec::new(); inputs];
            for (gate, pair) in (0..).zip(wiring.pairs()) {
                for port in 0..2u32 {
                    let other = pair[1 - port as usize];
                    consumers[pair[port as usize] as usize].push(other << 16 | gate << 1 | port);
                }
            }
            // First the places where the lists of the rows begin, and where the last one ends. The lists
            // follow.
            let mut at = consumers_at + inputs + 1;
            for list in &consumers {
                words.push(at as u32);
                at += list.len();
            }
            words.push(at as u32);
            words.extend(consumers.iter().flatten());
            let entry = [gates, inputs, first_gate, wires_at, consumers_at, input_row, output_row];
            for (word, value) in words[LAYER_WORDS * i..].iter_mut().zip(entry) {
                *word = value as u32;
            }
            first_gate += gates;
        }
        Ok(words)
    }
}
