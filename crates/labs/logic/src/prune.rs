//! A netlist made small: what is constant, handed on, said twice or read by nobody is left out. Inverters vanish into the
//! kinds of the gates around them.

use super::graph::{Graph, Literal, Node};
use super::hard::Gate;
use super::netlist::{Netlist, input, needed};
use super::wiring::{CENTRE, NEIGHBOURHOOD};

/// The same for every neighbourhood, in fewer gates.
pub fn prune(netlist: &Netlist) -> Netlist {
    let mut best = once(netlist);
    // What was left out may have kept others from being found alike.
    loop {
        let next = once(&best);
        if next.gates.len() >= best.gates.len() {
            return best;
        }
        best = next;
    }
}

fn once(netlist: &Netlist) -> Netlist {
    let mut graph = Graph::new(netlist.inputs());
    let mut wires: Vec<Literal> = (1..=netlist.inputs()).map(Literal::of).collect();
    for gate in &netlist.gates {
        let [a, b] = gate.inputs.map(|wire| wires[wire as usize]);
        wires.push(graph.gate(gate.kind, a, b));
    }
    let outputs: Vec<Literal> = netlist.outputs.iter().map(|wire| wires[*wire as usize]).collect();
    Extraction::of(&graph, &outputs, netlist.inputs()).netlist(netlist.channels)
}

/// Without the channels that none of the first `shown` ever depends on, however many steps later: they stay what they
/// are. What is left says the same of the others.
pub fn forget(netlist: &Netlist, shown: usize) -> Netlist {
    let mut left = netlist.clone();
    let kept = matter(netlist, shown);
    for (channel, output) in left.outputs.iter_mut().enumerate().filter(|(channel, _)| !kept[*channel]) {
        *output = input(channel, CENTRE);
    }
    prune(&left)
}

/// Which channels the first `shown` depend on, now or some steps later, as far as the gates tell; and these themselves.
pub fn matter(netlist: &Netlist, shown: usize) -> Vec<bool> {
    let mut matters: Vec<bool> = (0..netlist.channels).map(|channel| channel < shown).collect();
    let mut open: Vec<usize> = (0..shown).collect();
    while let Some(by) = open.pop() {
        let behind = channels_behind(netlist, netlist.outputs[by]);
        for channel in (0..netlist.channels).filter(|channel| behind[*channel]) {
            if !std::mem::replace(&mut matters[channel], true) {
                open.push(channel);
            }
        }
    }
    matters
}

/// Which channels a wire depends on, as far as its gates tell.
fn channels_behind(netlist: &Netlist, wire: u32) -> Vec<bool> {
    let mut behind = vec![false; netlist.wires()];
    behind[wire as usize] = true;
    for (i, gate) in netlist.gates.iter().enumerate().rev() {
        if behind[netlist.inputs() + i] {
            needed(gate.kind, gate.inputs).for_each(|wire| behind[wire as usize] = true);
        }
    }
    behind[..netlist.inputs()].chunks_exact(NEIGHBOURHOOD).map(|places| places.contains(&true)).collect()
}

/// The way from a graph back to gates, of which each gives its node or the opposite of it.
struct Extraction<'a> {
    graph: &'a Graph,
    outputs: &'a [Literal],
    inputs: usize,
    live: Vec<bool>,
    /// Whether the gate of a node gives the opposite of it.
    opposite: Vec<bool>,
}

impl<'a> Extraction<'a> {
    fn of(graph: &'a Graph, outputs: &'a [Literal], inputs: usize) -> Self {
        let nodes = graph.nodes();
        let mut live = vec![false; nodes.len()];
        outputs.iter().for_each(|output| live[output.node()] = true);
        // How often each is read as it is and inverted, by gates and by outputs.
        let (mut by_gates, mut by_outputs) = (vec![[0u32; 2]; nodes.len()], vec![[false; 2]; nodes.len()]);
        for (i, node) in nodes.iter().enumerate().rev().filter(|(i, _)| *i > inputs) {
            if !live[i] {
                continue;
            }
            if let Node::And(a, b) | Node::Xor(a, b) = *node {
                for side in [a, b] {
                    live[side.node()] = true;
                    // An XOR does not care.
                    by_gates[side.node()][usize::from(side.inverted())] +=
                        u32::from(matches!(node, Node::And(..)));
                }
            }
        }
        outputs.iter().for_each(|output| by_outputs[output.node()][usize::from(output.inverted())] = true);
        let choose = |(i, gates): (usize, &[u32; 2])| match by_outputs[i] {
            _ if i <= inputs => false,
            // An output cannot invert.
            [false, true] => true,
            [false, false] => gates[1] > gates[0],
            _ => false,
        };
        let opposite = by_gates.iter().enumerate().map(choose).collect();
        Self { graph, outputs, inputs, live, opposite }
    }

    fn netlist(&self, channels: usize) -> Netlist {
        let mut netlist = Netlist { channels, gates: Vec::new(), outputs: Vec::new() };
        let add = |netlist: &mut Netlist, gate: Gate| {
            // Those that are added for outputs may be there already.
            let there = netlist.gates.iter().rposition(|other| *other == gate);
            let number = there.unwrap_or_else(|| {
                netlist.gates.push(gate);
                netlist.gates.len() - 1
            });
            (netlist.inputs() + number) as u32
        };
        // The wire of each node that has one.
        let mut wires: Vec<u32> = (0..=self.inputs as u32).map(|node| node.saturating_sub(1)).collect();
        for (i, node) in self.graph.nodes().iter().enumerate().skip(self.inputs + 1) {
            let (Node::And(a, b) | Node::Xor(a, b)) = *node else { continue };
            if self.live[i] {
                netlist.gates.push(self.gate(*node, a, b, self.opposite[i], &wires));
            }
            wires.push((netlist.wires() - 1) as u32);
        }
        for output in self.outputs {
            let wire = wires[output.node()];
            let output = if output.node() == 0 {
                let kind = if output.inverted() { 15 } else { 0 };
                add(&mut netlist, Gate { kind, inputs: [0, 0] })
            } else if output.inverted() == self.opposite[output.node()] {
                wire
            } else {
                add(&mut netlist, Gate { kind: 12, inputs: [wire, wire] })
            };
            netlist.outputs.push(output);
        }
        netlist
    }

    fn gate(&self, node: Node, a: Literal, b: Literal, opposite: bool, wires: &[u32]) -> Gate {
        let inverted = [a, b].map(|side| side.inverted() ^ self.opposite[side.node()]);
        let [a, b] = [a, b].map(|side| wires[side.node()]);
        if matches!(node, Node::Xor(..)) {
            let same = inverted[0] ^ inverted[1] ^ opposite;
            return Gate { kind: if same { 9 } else { 6 }, inputs: [a, b] };
        }
        // What is inverted alone comes second, so that there are fewer kinds.
        match (inverted, opposite) {
            ([false, false], false) => Gate { kind: 1, inputs: [a, b] },
            ([false, false], true) => Gate { kind: 14, inputs: [a, b] },
            ([false, true], false) => Gate { kind: 2, inputs: [a, b] },
            ([true, false], false) => Gate { kind: 2, inputs: [b, a] },
            ([false, true], true) => Gate { kind: 11, inputs: [b, a] },
            ([true, false], true) => Gate { kind: 11, inputs: [a, b] },
            ([true, true], false) => Gate { kind: 8, inputs: [a, b] },
            ([true, true], true) => Gate { kind: 7, inputs: [a, b] },
        }
    }
}
