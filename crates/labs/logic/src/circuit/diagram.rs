//! The circuit of a cell of the automaton, reduced to the gates that matter and described as data for the
//! page's drawing, and the values on its wires in one cell. A cell has channels (bits), of which the first
//! few are shown on the page.

use learnery_lab::Bytes;
use serde::Serialize;

use super::gate::{Gate, GateKind};
use super::life_table::life_table;
use super::netlist::{NEIGHBOURHOOD, Netlist};
use super::prune::{drop_hidden_channels, prune, relevant_channels};

/// The pruned circuit of one cell, without channels that never influence a shown one.
///
/// Its nodes are numbered: first the inputs that are read, then the gates, each after the nodes it reads.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub struct LogicCircuit {
    /// Increases with every new circuit; never 0.
    pub version: u32,
    /// The inputs that are read.
    pub inputs: Vec<LogicPin>,
    /// The gate kinds, numbered as in `LogicGates`, by their truth tables (see [`GateKind`]). After pruning
    /// there are 1, 2, 6, 7, 8, 9, 11 and 14 only, and 12 for an inverter in front of an output.
    pub kinds: Vec<u32>,
    /// The two nodes that each gate reads; an inverter's are equal.
    pub reads: Vec<[u32; 2]>,
    /// Logic depth of each gate: one more than the deeper of its nodes, where inputs have depth 0.
    pub levels: Vec<u32>,
    /// The next value of every channel that is shown or influences a shown one.
    pub outputs: Vec<LogicOutput>,
    /// Number of gates of a cell before pruning.
    pub raw: u32,
    /// Number of gates after pruning, with all channels kept.
    pub exact: u32,
}

/// An input: one channel of one cell of the neighbourhood.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub struct LogicPin {
    /// The channel.
    pub channel: u32,
    /// The cell: 0 to 8 in reading order, where 4 is the cell itself.
    pub neighbour: u32,
}

/// A channel's next value: that of a node, or a constant.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub struct LogicOutput {
    /// The channel.
    pub channel: u32,
    /// The node, which may be an input.
    pub node: Option<u32>,
    /// The constant, if there is no node.
    pub constant: Option<bool>,
}

/// The values of a circuit's nodes in the chosen cell.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub struct LogicLit {
    /// The version of the circuit.
    pub version: u32,
    /// One value per node: 0 or 1.
    pub values: Bytes,
}

/// A pruned circuit, ready to be drawn and evaluated.
#[derive(Clone, Debug)]
pub struct CircuitDiagram {
    pub circuit: LogicCircuit,
    netlist: Netlist,
    /// The wire of the netlist that each node stands for, in ascending order.
    wires: Vec<u32>,
}

impl CircuitDiagram {
    /// Prunes the circuit `whole`. Its first `shown` channels are visible.
    pub fn new(whole: &Netlist, shown: usize, version: u32) -> Self {
        let exact = prune(whole);
        let netlist = drop_hidden_channels(&exact, shown);
        Self::from_pruned(netlist, shown, [whole.gates.len(), exact.gates.len()], version)
    }

    /// A diagram of a pruned netlist. `raw` and `exact` are the numbers of gates shown beside it (see
    /// [`LogicCircuit`]).
    fn from_pruned(netlist: Netlist, shown: usize, [raw, exact]: [usize; 2], version: u32) -> Self {
        let inputs = netlist.inputs();
        let gate = |wire: u32| netlist.gates.get((wire as usize).wrapping_sub(inputs)).copied();
        let constant = |wire: u32| match gate(wire)?.kind {
            GateKind::False => Some(false),
            GateKind::True => Some(true),
            _ => None,
        };
        let is_relevant = relevant_channels(&netlist, shown);
        let outputs = || (0..netlist.channels).filter(|c| is_relevant[*c]).map(|c| (c, netlist.outputs[c]));
        // A node is a wire that a gate or an output reads. Constants are no nodes; after pruning only outputs
        // read them.
        let by_gates = netlist.gates.iter().flat_map(Gate::dependencies);
        let mut wires: Vec<u32> = by_gates.chain(outputs().map(|(_, wire)| wire)).collect();
        wires.retain(|wire| constant(*wire).is_none());
        wires.sort_unstable();
        wires.dedup();
        // `None` for a constant, which is no node.
        let node = |wire: u32| wires.binary_search(&wire).ok().map(|node| node as u32);
        let pin = |wire: &u32| {
            let (channel, neighbour) = (wire / NEIGHBOURHOOD as u32, wire % NEIGHBOURHOOD as u32);
            LogicPin { channel, neighbour }
        };
        let depths = netlist.depths();
        let first_gate = wires.partition_point(|wire| (*wire as usize) < inputs);
        let gates: Vec<Gate> = wires.iter().filter_map(|wire| gate(*wire)).collect();
        let output = |(channel, wire)| LogicOutput {
            channel: channel as u32,
            node: node(wire),
            constant: constant(wire),
        };
        let circuit = LogicCircuit {
            version,
            inputs: wires[..first_gate].iter().map(pin).collect(),
            kinds: gates.iter().map(|gate| u32::from(gate.kind.number())).collect(),
            // Every wire that a gate reads is a node, because pruning leaves no gate that ignores an input.
            reads: gates.iter().map(|gate| gate.inputs.map(|wire| node(wire).unwrap_or(0))).collect(),
            levels: wires[first_gate..]
                .iter()
                .map(|wire| u32::from(depths[*wire as usize - inputs]))
                .collect(),
            outputs: outputs().map(output).collect(),
            raw: raw as u32,
            exact: exact as u32,
        };
        Self { circuit, netlist, wires }
    }

    /// Compares a circuit of one channel with the rule of the game of life, for all 512 neighbourhoods (see
    /// [`life_table`]).
    pub fn life_table(&self) -> Vec<u8> {
        life_table(&self.netlist)
    }

    /// The values of the nodes for one neighbourhood.
    ///
    /// Shapes: `neighbourhood [channels, NEIGHBOURHOOD]`.
    pub fn node_values(&self, neighbourhood: &[bool]) -> LogicLit {
        let values = self.netlist.evaluate_cell(neighbourhood);
        let value_of = |wire: &u32| u8::from(values[*wire as usize]);
        let values: Vec<u8> = self.wires.iter().map(value_of).collect();
        LogicLit { version: self.circuit.version, values: values.into() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::Experiment;
    use crate::test_circuits::{TestRandom, experiment_netlist};

    #[test]
    fn diagram_node_values_follow_from_the_nodes_each_gate_reads() {
        // A random circuit (seed 2) of this experiment's size, in which most gates are plain wires.
        let exact = prune(&experiment_netlist(Experiment::Checkerboard, 2, true));
        let netlist = drop_hidden_channels(&exact, 1);
        // One shown channel. 4608 stands for the number of gates before pruning, which is not examined here;
        // version 3.
        let diagram = CircuitDiagram::from_pruned(netlist.clone(), 1, [4608, exact.gates.len()], 3);
        let circuit = &diagram.circuit;
        let pins = circuit.inputs.len();
        assert_eq!(circuit.kinds.len(), circuit.reads.len());
        let mut random = TestRandom::new(3);
        for _ in 0..20 {
            // Eight channels of nine cells.
            let neighbourhood = random.bits(72);
            let LogicLit { version, values: Bytes(values) } = diagram.node_values(&neighbourhood);
            assert_eq!((version, values.len()), (3, pins + circuit.kinds.len()));
            for (pin, value) in circuit.inputs.iter().zip(&values) {
                assert_eq!(neighbourhood[(9 * pin.channel + pin.neighbour) as usize], *value == 1);
            }
            for (i, (kind, [a, b])) in circuit.kinds.iter().zip(&circuit.reads).enumerate() {
                assert!((*a as usize) < pins + i && (*b as usize) < pins + i);
                let [a, b] = [a, b].map(|node| u32::from(values[*node as usize]));
                // A kind's number is its truth table, whose most significant bit answers (0, 0).
                assert_eq!(kind >> (3 - (2 * a + b)) & 1, u32::from(values[pins + i]), "gate {i}");
            }
            let whole = netlist.evaluate_cell(&neighbourhood);
            for output in &circuit.outputs {
                let expected = whole[netlist.outputs[output.channel as usize] as usize];
                let value = output.node.map(|node| values[node as usize] == 1);
                assert_eq!(value.or(output.constant), Some(expected), "channel {}", output.channel);
                assert!(output.node.is_none() || output.constant.is_none());
            }
        }
        for (level, reads) in circuit.levels.iter().zip(&circuit.reads) {
            // Nodes below `pins` are inputs, at level 0.
            let level_of =
                |node: &u32| (*node as usize).checked_sub(pins).map_or(0, |gate| circuit.levels[gate]);
            assert_eq!(*level, 1 + reads.iter().map(level_of).max().unwrap_or(0));
        }
    }

    #[test]
    fn diagram_outputs_may_be_inputs_inverters_or_constants() {
        // Two channels, so wires 0 to 17 are inputs. Output 0 is input 3; output 1 is wire 19, an inverter of
        // input 4.
        let gates = vec![
            Gate { kind: GateKind::True, inputs: [0, 0] },
            Gate { kind: GateKind::NotA, inputs: [4, 4] },
        ];
        let netlist = Netlist { channels: 2, gates, outputs: vec![3, 19] };
        // Both channels are shown. The numbers of gates [9, 2] and the version 1 are not examined.
        let diagram = CircuitDiagram::from_pruned(netlist, 2, [9, 2], 1);
        // The nodes are inputs 3 and 4 (nodes 0 and 1) and the inverter (node 2, kind 12).
        assert_eq!(diagram.circuit.outputs[0], LogicOutput { channel: 0, node: Some(0), constant: None });
        assert_eq!(diagram.circuit.outputs[1], LogicOutput { channel: 1, node: Some(2), constant: None });
        assert_eq!((diagram.circuit.kinds, diagram.circuit.reads), (vec![12], vec![[1, 1]]));
        // One channel, whose output is the first gate after inputs 0 to 8, the constant one.
        let gates = vec![Gate { kind: GateKind::True, inputs: [0, 0] }];
        let netlist = Netlist { channels: 1, gates, outputs: vec![9] };
        let diagram = CircuitDiagram::from_pruned(netlist, 1, [1, 1], 1);
        assert_eq!(diagram.circuit.outputs, [LogicOutput { channel: 0, node: None, constant: Some(true) }]);
    }
}
