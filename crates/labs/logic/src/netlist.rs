//! What one cell computes, as a single graph: gates read the cell's neighbourhood or gates before them, and each channel's
//! next value is one of the wires. All kernels of all channels and the update stand in it side by side, so that what they
//! have in common can be found.

use super::automaton::Brain;
use super::hard::{Gate, apply};
use super::wiring::{CENTRE, NEIGHBOURHOOD};

/// The logic of a cell.
///
/// Wires are numbered: first the neighbourhood of each channel in reading order, then the gates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Netlist {
    /// Channels of a cell.
    pub channels: usize,
    /// The gates, each behind all that it reads.
    pub gates: Vec<Gate>,
    /// The wire of every channel's next value.
    pub outputs: Vec<u32>,
}

/// The wire of a channel's value in one place of the neighbourhood.
pub const fn input(channel: usize, place: usize) -> u32 {
    (channel * NEIGHBOURHOOD + place) as u32
}

impl Netlist {
    /// A decided brain with all of its gates: the kernels of one channel after those of another, then the update.
    pub fn of(brain: &Brain, logits: &[f32]) -> Self {
        let mut netlist = Self::undecided(brain);
        let mut kinds = vec![0; brain.gates()];
        brain.decide(logits, &mut kinds, None);
        netlist.gates.iter_mut().zip(repeated(brain, &kinds)).for_each(|(gate, kind)| gate.kind = kind);
        netlist
    }

    /// The same with all gates of kind 0.
    pub fn undecided(brain: &Brain) -> Self {
        let channels = brain.channels;
        let mut netlist = Self { channels, gates: Vec::new(), outputs: Vec::new() };
        let own = (0..channels).map(|channel| input(channel, CENTRE));
        let mut update: Vec<u32> = own.collect();
        for channel in 0..channels {
            let mut before: Vec<u32> = (0..NEIGHBOURHOOD).map(|place| input(channel, place)).collect();
            for wiring in brain.perception.wirings() {
                before = netlist.layer(wiring.pairs(), &before);
            }
            update.extend(before);
        }
        for wiring in brain.update.wirings() {
            update = netlist.layer(wiring.pairs(), &update);
        }
        netlist.outputs = update;
        netlist
    }

    fn layer(&mut self, pairs: &[[u32; 2]], before: &[u32]) -> Vec<u32> {
        let gate = |pair: &[u32; 2]| {
            self.gates.push(Gate { kind: 0, inputs: pair.map(|row| before[row as usize]) });
            self.wires() as u32 - 1
        };
        pairs.iter().map(gate).collect()
    }

    /// Wires that come from the neighbourhood.
    pub fn inputs(&self) -> usize {
        self.channels * NEIGHBOURHOOD
    }

    /// Number of wires.
    pub fn wires(&self) -> usize {
        self.inputs() + self.gates.len()
    }

    /// Every wire's value in sixty-four cases at once, one a bit. // inputs [channels, NEIGHBOURHOOD]
    pub fn evaluate(&self, inputs: &[u64]) -> Vec<u64> {
        assert_eq!(inputs.len(), self.inputs(), "a value for each wire that goes in");
        let mut values = Vec::with_capacity(self.wires());
        values.extend_from_slice(inputs);
        for gate in &self.gates {
            let [a, b] = gate.inputs.map(|wire| values[wire as usize]);
            values.push(apply(gate.kind, a, b));
        }
        values
    }

    /// Every wire's value in one cell. // neighbourhood [channels, NEIGHBOURHOOD]
    pub fn lit(&self, neighbourhood: &[bool]) -> Vec<bool> {
        let inputs: Vec<u64> = neighbourhood.iter().map(|on| u64::from(*on)).collect();
        self.evaluate(&inputs).into_iter().map(|value| value & 1 == 1).collect()
    }

    /// How far from the neighbourhood each gate stands: one more than the furthest of what it reads.
    pub fn levels(&self) -> Vec<u16> {
        let mut levels: Vec<u16> = vec![0; self.inputs()];
        for gate in &self.gates {
            let [a, b] = gate.inputs.map(|wire| levels[wire as usize]);
            levels.push(a.max(b) + 1);
        }
        levels.split_off(self.inputs())
    }

    /// Which wires any gate or any channel's next value reads.
    pub fn read(&self) -> Vec<bool> {
        let mut read = vec![false; self.wires()];
        for gate in &self.gates {
            needed(gate.kind, gate.inputs).for_each(|wire| read[wire as usize] = true);
        }
        self.outputs.iter().for_each(|wire| read[*wire as usize] = true);
        read
    }
}

/// What of the two wires a gate of a kind depends on.
pub fn needed(kind: u8, [a, b]: [u32; 2]) -> impl Iterator<Item = u32> {
    let depends = match kind {
        0 | 15 => [false, false],
        3 | 12 => [true, false],
        5 | 10 => [false, true],
        _ => [true, true],
    };
    [a, b].into_iter().zip(depends).filter(|(_, depends)| *depends).map(|(wire, _)| wire)
}

/// The kinds of a brain's gates in the order of its netlist, where every channel has the kernels for itself.
pub fn repeated<'a>(brain: &Brain, kinds: &'a [u8]) -> impl Iterator<Item = u8> + 'a {
    let (perception, update) = kinds.split_at(brain.perception.gates());
    (0..brain.channels).flat_map(move |_| perception).chain(update).copied()
}
