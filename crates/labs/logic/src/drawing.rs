//! The pruned circuit for those who draw it, and what its wires carry in one cell.

use learnery_lab::Bytes;
use serde::Serialize;

use super::automaton::Brain;
use super::hard::Gate;
use super::netlist::{Netlist, needed};
use super::prune::{forget, matter, prune};
use super::rule;
use super::wiring::NEIGHBOURHOOD;

/// What one cell computes, without what is constant, handed on, said twice or never shown.
///
/// Its nodes are numbered: first what is read of the neighbourhood, then the gates, each behind all that it reads.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub struct LogicCircuit {
    /// Counts up with every other circuit; never 0.
    pub version: u32,
    /// What is read of the neighbourhood.
    pub inputs: Vec<LogicPin>,
    /// The gates' kinds, numbered as in `LogicGates`: 1, 2, 6, 7, 8, 9, 11 and 14; 12 where an output alone is inverted.
    pub kinds: Vec<u32>,
    /// The nodes that each gate reads; twice the same for an inverter.
    pub reads: Vec<[u32; 2]>,
    /// How far from the neighbourhood each gate stands: one more than the further of what it reads, which is 0 for inputs.
    pub levels: Vec<u32>,
    /// Where the next value of each channel comes from that matters to what is shown.
    pub outputs: Vec<LogicOutput>,
    /// Gates at work in a cell before any were left out.
    pub raw: u32,
    /// Gates that say the same of all channels.
    pub exact: u32,
}

/// A value of the neighbourhood.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub struct LogicPin {
    /// Which channel.
    pub channel: u32,
    /// Whose: 0 to 8 in reading order, 4 being the cell itself.
    pub neighbour: u32,
}

/// A channel's next value: of a node, or always the same.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub struct LogicOutput {
    /// Which channel.
    pub channel: u32,
    /// The node, which may be an input.
    pub node: Option<u32>,
    /// What it always is, where there is no node.
    pub constant: Option<bool>,
}

/// What the nodes of a circuit carry in the chosen cell, as it computes its next state.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub struct LogicLit {
    /// Of which circuit.
    pub version: u32,
    /// One for each node: 0 or 1.
    pub values: Bytes,
}

/// A circuit written down, until it is taken.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub struct LogicExport {
    /// What to call the file.
    pub name: String,
    /// The file.
    pub text: String,
}

/// A circuit that can be drawn and lit.
#[derive(Clone, Debug)]
pub struct Drawn {
    /// What is drawn.
    pub circuit: LogicCircuit,
    netlist: Netlist,
    /// The wire of each node.
    wires: Vec<u32>,
}

impl Drawn {
    /// Of a brain as it is decided now.
    pub fn of(brain: &Brain, logits: &[f32], shown: usize, version: u32) -> Self {
        let whole = Netlist::of(brain, logits);
        let exact = prune(&whole);
        let netlist = forget(&exact, shown);
        Self::drawing(netlist, shown, [whole.gates.len(), exact.gates.len()], version)
    }

    fn drawing(netlist: Netlist, shown: usize, [raw, exact]: [usize; 2], version: u32) -> Self {
        let inputs = netlist.inputs();
        let gate = |wire: u32| netlist.gates.get((wire as usize).wrapping_sub(inputs)).copied();
        let constant =
            |wire: u32| gate(wire).filter(|gate| matches!(gate.kind, 0 | 15)).map(|gate| gate.kind == 15);
        let matters = matter(&netlist, shown);
        let outputs = || (0..netlist.channels).filter(|c| matters[*c]).map(|c| (c, netlist.outputs[c]));
        // What a gate or such a channel reads, except constants, which only channels do.
        let by_gates = netlist.gates.iter().flat_map(|gate| needed(gate.kind, gate.inputs));
        let mut wires: Vec<u32> = by_gates.chain(outputs().map(|(_, wire)| wire)).collect();
        wires.retain(|wire| constant(*wire).is_none());
        wires.sort_unstable();
        wires.dedup();
        let node = |wire: u32| wires.binary_search(&wire).ok().map(|node| node as u32);
        let pin = |wire: &u32| {
            let (channel, neighbour) = (wire / NEIGHBOURHOOD as u32, wire % NEIGHBOURHOOD as u32);
            LogicPin { channel, neighbour }
        };
        let levels = netlist.levels();
        let first = wires.partition_point(|wire| (*wire as usize) < inputs);
        let gates: Vec<Gate> = wires.iter().filter_map(|wire| gate(*wire)).collect();
        let output = |(channel, wire)| LogicOutput {
            channel: channel as u32,
            node: node(wire),
            constant: constant(wire),
        };
        let circuit = LogicCircuit {
            version,
            inputs: wires[..first].iter().map(pin).collect(),
            kinds: gates.iter().map(|gate| u32::from(gate.kind)).collect(),
            reads: gates.iter().map(|gate| gate.inputs.map(|wire| node(wire).unwrap_or(0))).collect(),
            levels: wires[first..].iter().map(|wire| u32::from(levels[*wire as usize - inputs])).collect(),
            outputs: outputs().map(output).collect(),
            raw: raw as u32,
            exact: exact as u32,
        };
        Self { circuit, netlist, wires }
    }

    /// What it makes of every neighbourhood, if it has one channel.
    pub fn answers(&self) -> Vec<u8> {
        rule::answers(&self.netlist)
    }

    /// What the nodes carry in a cell of this neighbourhood. // neighbourhood [channels, NEIGHBOURHOOD]
    pub fn lit(&self, neighbourhood: &[bool]) -> LogicLit {
        let values = self.netlist.lit(neighbourhood);
        let of = |wire: &u32| u8::from(values[*wire as usize]);
        let values: Vec<u8> = self.wires.iter().map(of).collect();
        LogicLit { version: self.circuit.version, values: values.into() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::Experiment;
    use crate::hard_tests::{Coins, experiment};

    #[test]
    fn lit_nodes_are_what_their_gates_make_of_what_they_read() {
        let exact = prune(&experiment(Experiment::Checkerboard, 2, true));
        let netlist = forget(&exact, 1);
        let drawn = Drawn::drawing(netlist.clone(), 1, [4608, exact.gates.len()], 3);
        let circuit = &drawn.circuit;
        let pins = circuit.inputs.len();
        assert_eq!(circuit.kinds.len(), circuit.reads.len());
        let mut coins = Coins::new(3);
        for _ in 0..20 {
            let neighbourhood = coins.bits(72);
            let LogicLit { version, values: Bytes(values) } = drawn.lit(&neighbourhood);
            assert_eq!((version, values.len()), (3, pins + circuit.kinds.len()));
            for (pin, value) in circuit.inputs.iter().zip(&values) {
                assert_eq!(neighbourhood[(9 * pin.channel + pin.neighbour) as usize], *value == 1);
            }
            for (i, (kind, [a, b])) in circuit.kinds.iter().zip(&circuit.reads).enumerate() {
                assert!((*a as usize) < pins + i && (*b as usize) < pins + i);
                let [a, b] = [a, b].map(|node| u32::from(values[*node as usize]));
                assert_eq!(kind >> (3 - (2 * a + b)) & 1, u32::from(values[pins + i]), "gate {i}");
            }
            let whole = netlist.lit(&neighbourhood);
            for output in &circuit.outputs {
                let expected = whole[netlist.outputs[output.channel as usize] as usize];
                let value = output.node.map(|node| values[node as usize] == 1);
                assert_eq!(value.or(output.constant), Some(expected), "channel {}", output.channel);
                assert!(output.node.is_none() || output.constant.is_none());
            }
        }
        for (level, reads) in circuit.levels.iter().zip(&circuit.reads) {
            let of = |node: &u32| (*node as usize).checked_sub(pins).map_or(0, |gate| circuit.levels[gate]);
            assert_eq!(*level, 1 + reads.iter().map(of).max().unwrap_or(0));
        }
    }

    #[test]
    fn constants_and_plain_wires_come_out_too() {
        let gates = vec![Gate { kind: 15, inputs: [0, 0] }, Gate { kind: 12, inputs: [4, 4] }];
        let netlist = Netlist { channels: 2, gates, outputs: vec![3, 19] };
        let drawn = Drawn::drawing(netlist, 2, [9, 2], 1);
        assert_eq!(drawn.circuit.outputs[0], LogicOutput { channel: 0, node: Some(0), constant: None });
        assert_eq!(drawn.circuit.outputs[1], LogicOutput { channel: 1, node: Some(2), constant: None });
        assert_eq!((drawn.circuit.kinds, drawn.circuit.reads), (vec![12], vec![[1, 1]]));
        let gates = vec![Gate { kind: 15, inputs: [0, 0] }];
        let drawn = Drawn::drawing(Netlist { channels: 1, gates, outputs: vec![9] }, 1, [1, 1], 1);
        assert_eq!(drawn.circuit.outputs, [LogicOutput { channel: 0, node: None, constant: Some(true) }]);
    }
}
