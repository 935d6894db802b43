//! Pruning: converts a netlist to an XOR-AND-inverter graph and back. Constants, plain wires, equivalent
//! gates and dead gates disappear, and inverters are absorbed into the kinds of the gates around them.

use super::and_xor_graph::AndXorGraph;
use super::gate::{Gate, GateKind};
use super::netlist::{CENTRE, NEIGHBOURHOOD, Netlist, input_wire};
use super::node::{Literal, Node};

/// Returns a smaller netlist with the same outputs for every neighbourhood.
pub fn prune(netlist: &Netlist) -> Netlist {
    let mut best = prune_once(netlist);
    // The equivalence check skips nodes that depend on many inputs. Removing gates can make those inputs
    // fewer, so another pass may find more.
    loop {
        let next = prune_once(&best);
        if next.gates.len() >= best.gates.len() {
            return best;
        }
        best = next;
    }
}

/// One conversion to a graph and back.
fn prune_once(netlist: &Netlist) -> Netlist {
    let mut graph = AndXorGraph::new(netlist.inputs());
    // The literal that carries each wire's value. Nodes 1 to `inputs` of the graph are its inputs.
    let mut wires: Vec<Literal> = (1..=netlist.inputs()).map(Literal::to_node).collect();
    for gate in &netlist.gates {
        let [a, b] = gate.inputs.map(|wire| wires[wire as usize]);
        wires.push(graph.gate(gate.kind, a, b));
    }
    let outputs: Vec<Literal> = netlist.outputs.iter().map(|wire| wires[*wire as usize]).collect();
    Extraction::new(&graph, &outputs, netlist.inputs()).to_netlist(netlist.channels)
}

/// Prunes a netlist without the channels that never matter. The first `shown` channels of a cell are visible.
/// A channel that none of these depends on, even after many steps, is made to keep its value for ever, which
/// needs no gates. The shown channels keep their behaviour.
pub fn drop_hidden_channels(netlist: &Netlist, shown: usize) -> Netlist {
    let mut reduced = netlist.clone();
    let is_relevant = relevant_channels(netlist, shown);
    for (channel, output) in
        reduced.outputs.iter_mut().enumerate().filter(|(channel, _)| !is_relevant[*channel])
    {
        *output = input_wire(channel, CENTRE);
    }
    prune(&reduced)
}

/// Marks the first `shown` channels and all channels that they depend on after any number of steps. Only the
/// wires are examined, so a channel may be marked although its value makes no difference.
///
/// Shape: `[channels]`.
pub fn relevant_channels(netlist: &Netlist, shown: usize) -> Vec<bool> {
    let mut is_relevant: Vec<bool> = (0..netlist.channels).map(|channel| channel < shown).collect();
    let mut pending: Vec<usize> = (0..shown).collect();
    while let Some(dependent) = pending.pop() {
        let is_read = channel_dependencies(netlist, netlist.outputs[dependent]);
        for channel in (0..netlist.channels).filter(|channel| is_read[*channel]) {
            if !std::mem::replace(&mut is_relevant[channel], true) {
                pending.push(channel);
            }
        }
    }
    is_relevant
}

/// Marks the channels that a wire depends on within one step.
///
/// Shape: `[channels]`.
fn channel_dependencies(netlist: &Netlist, wire: u32) -> Vec<bool> {
    let mut is_needed = vec![false; netlist.wires()];
    is_needed[wire as usize] = true;
    for (i, gate) in netlist.gates.iter().enumerate().rev() {
        if is_needed[netlist.inputs() + i] {
            gate.dependencies().for_each(|wire| is_needed[wire as usize] = true);
        }
    }
    is_needed[..netlist.inputs()].chunks_exact(NEIGHBOURHOOD).map(|cells| cells.contains(&true)).collect()
}

/// Turns a graph back into a netlist. Each live node becomes one gate, which computes the node or its
/// complement, whichever needs fewer inverters.
struct Extraction<'a> {
    graph: &'a AndXorGraph,
    outputs: &'a [Literal],
    /// Number of inputs. They are nodes 1 to `inputs`; node 0 is the constant zero, and later nodes are
    /// gates.
    inputs: usize,
    /// Whether an output depends on the node.
    /// Shape: `[nodes]`.
    is_live: Vec<bool>,
    /// Whether the node's gate computes the node's complement.
    /// Shape: `[nodes]`.
    is_complemented: Vec<bool>,
}

impl<'a> Extraction<'a> {
    fn new(graph: &'a AndXorGraph, outputs: &'a [Literal], inputs: usize) -> Self {
        let nodes = graph.nodes();
        let mut is_live = vec![false; nodes.len()];
        outputs.iter().for_each(|output| is_live[output.node()] = true);
        // How many gates, and whether any outputs, read each node: [not inverted, inverted].
        let (mut by_gates, mut by_outputs) = (vec![[0u32; 2]; nodes.len()], vec![[false; 2]; nodes.len()]);
        for (i, node) in nodes.iter().enumerate().rev().filter(|(i, _)| *i > inputs) {
            if !is_live[i] {
                continue;
            }
            if let Node::And(a, b) | Node::Xor(a, b) = *node {
                for operand in [a, b] {
                    is_live[operand.node()] = true;
                    // Only ANDs count: an XOR takes either form of its operands at the same cost.
                    by_gates[operand.node()][usize::from(operand.inverted())] +=
                        u32::from(matches!(node, Node::And(..)));
                }
            }
        }
        outputs.iter().for_each(|output| by_outputs[output.node()][usize::from(output.inverted())] = true);
        // Whether node i is computed complemented, given how many gates read it in each form.
        let choose = |(i, gates): (usize, &[u32; 2])| match by_outputs[i] {
            // The constant and the inputs are not computed.
            _ if i <= inputs => false,
            // Outputs read the node only inverted. The complement is computed directly, because an output
            // that inverts a wire would need another gate.
            [false, true] => true,
            // Only gates read the node: in the form that most of them want.
            [false, false] => gates[1] > gates[0],
            // An output reads the node as it is.
            [true, _] => false,
        };
        let is_complemented = by_gates.iter().enumerate().map(choose).collect();
        Self { graph, outputs, inputs, is_live, is_complemented }
    }

    fn to_netlist(&self, channels: usize) -> Netlist {
        let mut netlist = Netlist { channels, gates: Vec::new(), outputs: Vec::new() };
        // Returns the wire of a constant or an inverter for an output. Adds the gate unless an equal one
        // exists.
        let add = |netlist: &mut Netlist, gate: Gate| {
            let existing = netlist.gates.iter().rposition(|other| *other == gate);
            let number = existing.unwrap_or_else(|| {
                netlist.gates.push(gate);
                netlist.gates.len() - 1
            });
            (netlist.inputs() + number) as u32
        };
        // The wire of each node; meaningful only for inputs and live nodes. Node i + 1 is input wire i.
        let mut wires: Vec<u32> = (0..=self.inputs as u32).map(|node| node.saturating_sub(1)).collect();
        for (i, node) in self.graph.nodes().iter().enumerate().skip(self.inputs + 1) {
            let (Node::And(a, b) | Node::Xor(a, b)) = *node else { continue };
            if self.is_live[i] {
                netlist.gates.push(self.make_gate(*node, a, b, self.is_complemented[i], &wires));
            }
            // The last wire is the gate just added. For a dead node the entry only keeps the list's
            // numbering.
            wires.push((netlist.wires() - 1) as u32);
        }
        for output in self.outputs {
            let wire = wires[output.node()];
            let output = if output.node() == 0 {
                let kind = if output.inverted() { GateKind::True } else { GateKind::False };
                add(&mut netlist, Gate { kind, inputs: [0, 0] })
            } else if output.inverted() == self.is_complemented[output.node()] {
                wire
            } else {
                add(&mut netlist, Gate { kind: GateKind::NotA, inputs: [wire, wire] })
            };
            netlist.outputs.push(output);
        }
        netlist
    }

    /// Returns the gate that computes a node of operands `a` and `b`, or its complement.
    fn make_gate(&self, node: Node, a: Literal, b: Literal, is_complemented: bool, wires: &[u32]) -> Gate {
        let inverted = [a, b].map(|operand| operand.inverted() ^ self.is_complemented[operand.node()]);
        let [a, b] = [a, b].map(|operand| wires[operand.node()]);
        if matches!(node, Node::Xor(..)) {
            let is_xnor = inverted[0] ^ inverted[1] ^ is_complemented;
            return Gate { kind: if is_xnor { GateKind::Xnor } else { GateKind::Xor }, inputs: [a, b] };
        }
        // If only one operand is inverted, it becomes the second input: NotAAndB and NotAOrB never occur.
        let (kind, inputs) = match (inverted, is_complemented) {
            ([false, false], false) => (GateKind::And, [a, b]),
            ([false, false], true) => (GateKind::Nand, [a, b]),
            ([false, true], false) => (GateKind::AAndNotB, [a, b]),
            ([true, false], false) => (GateKind::AAndNotB, [b, a]),
            ([false, true], true) => (GateKind::AOrNotB, [b, a]),
            ([true, false], true) => (GateKind::AOrNotB, [a, b]),
            ([true, true], false) => (GateKind::Nor, [a, b]),
            ([true, true], true) => (GateKind::Or, [a, b]),
        };
        Gate { kind, inputs }
    }
}
