//! The circuit of one cell as a single netlist of two-input gates. A cell has channels (bits). In each step,
//! small circuits first look at the cell's neighbourhood (the perception kernels, each applied to every
//! channel), then one circuit computes the cell's next channels from what they found (the update circuit). A
//! netlist holds copies of all of these, so pruning can merge gates across them.

use super::gate::Gate;

/// Cells of a neighbourhood (Moore neighbourhood, in reading order).
pub const NEIGHBOURHOOD: usize = 9;
/// The index of the cell itself within its neighbourhood.
pub const CENTRE: usize = 4;

/// A directed acyclic graph of gates.
///
/// Wires are numbered: first the inputs, which are the nine cells of the neighbourhood channel by channel
/// (see [`input_wire`]), then one wire per gate. A gate reads only wires with smaller numbers than its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Netlist {
    /// Channels of a cell.
    pub channels: usize,
    pub gates: Vec<Gate>,
    /// The wire that carries each channel's next value.
    /// Shape: `[channels]`.
    pub outputs: Vec<u32>,
}

/// The wire of a channel of the k-th cell of the neighbourhood.
pub const fn input_wire(channel: usize, k: usize) -> u32 {
    (channel * NEIGHBOURHOOD + k) as u32
}

impl Netlist {
    /// Number of input wires.
    pub fn inputs(&self) -> usize {
        self.channels * NEIGHBOURHOOD
    }

    /// Number of wires.
    pub fn wires(&self) -> usize {
        self.inputs() + self.gates.len()
    }

    /// Computes every wire's value in 64 cases at once, one per bit.
    ///
    /// Shapes: `inputs [channels, NEIGHBOURHOOD] -> [wires]`.
    pub fn evaluate(&self, inputs: &[u64]) -> Vec<u64> {
        assert_eq!(inputs.len(), self.inputs(), "one value per input wire");
        let mut values = Vec::with_capacity(self.wires());
        values.extend_from_slice(inputs);
        for gate in &self.gates {
            let [a, b] = gate.inputs.map(|wire| values[wire as usize]);
            values.push(gate.kind.apply(a, b));
        }
        values
    }

    /// Computes every wire's value for one neighbourhood.
    ///
    /// Shapes: `neighbourhood [channels, NEIGHBOURHOOD] -> [wires]`.
    pub fn evaluate_cell(&self, neighbourhood: &[bool]) -> Vec<bool> {
        let inputs: Vec<u64> = neighbourhood.iter().map(|on| u64::from(*on)).collect();
        self.evaluate(&inputs).into_iter().map(|value| value & 1 == 1).collect()
    }

    /// Logic depth of every gate: one more than the deepest of its inputs, where input wires have depth 0.
    ///
    /// Shape: `[gates]`.
    pub fn depths(&self) -> Vec<u16> {
        let mut depths: Vec<u16> = vec![0; self.inputs()];
        for gate in &self.gates {
            let [a, b] = gate.inputs.map(|wire| depths[wire as usize]);
            depths.push(a.max(b) + 1);
        }
        depths.split_off(self.inputs())
    }

    /// Returns for each wire whether it is used: by an output, or by a gate whose value depends on it.
    ///
    /// Shape: `[wires]`.
    pub fn used_wires(&self) -> Vec<bool> {
        let mut used = vec![false; self.wires()];
        for gate in &self.gates {
            gate.dependencies().for_each(|wire| used[wire as usize] = true);
        }
        self.outputs.iter().for_each(|wire| used[*wire as usize] = true);
        used
    }
}
