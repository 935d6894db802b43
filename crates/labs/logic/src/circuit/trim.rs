//! Trimming: copy propagation (readers of a gate that only passes an input on read that input instead) and
//! dead-gate removal, two linear passes over the gates. In training, circuits whose kinds keep changing are
//! only trimmed. Pruning ([`super::prune`]) also proves equivalences, which would take longer than running
//! the gates it saves.

use super::gate::{Gate, GateKind, dependencies};
use super::netlist::Netlist;

/// Trims netlists that differ only in the kinds of their gates, without allocating.
#[derive(Clone, Debug)]
pub struct Trimmer {
    /// For the wire of a gate that passes an input on, the wire that the chain of such gates starts from. For
    /// all other wires, the wire itself.
    /// Shape: `[wires]`.
    source: Vec<u32>,
    /// Whether any output depends on the wire.
    /// Shape: `[wires]`.
    is_live: Vec<bool>,
    /// The wire's number in the trimmed netlist; read only for live wires.
    /// Shape: `[wires]`.
    renumbered: Vec<u32>,
    /// The result of the last call.
    trimmed: Netlist,
}

impl Trimmer {
    pub fn new(whole: &Netlist) -> Self {
        let wires = whole.wires();
        let mut trimmed = whole.clone();
        trimmed.gates.clear();
        Self { source: vec![0; wires], is_live: vec![false; wires], renumbered: vec![0; wires], trimmed }
    }

    /// Returns a netlist with the same outputs for every neighbourhood. `whole` may differ from the netlist
    /// passed to [`Self::new`] only in the kinds of its gates.
    pub fn trim(&mut self, whole: &Netlist) -> &Netlist {
        let inputs = whole.inputs();
        self.propagate_copies(whole);
        self.find_live(whole);
        let Self { source, is_live, renumbered, trimmed } = self;
        (0..).zip(&mut renumbered[..inputs]).for_each(|(wire, number)| *number = wire);
        trimmed.gates.clear();
        for (i, gate) in whole.gates.iter().enumerate() {
            if !is_live[inputs + i] {
                continue;
            }
            let sources = gate.inputs.map(|wire| source[wire as usize]);
            let mut read = dependencies(gate.kind, sources).map(|wire| renumbered[wire as usize]);
            // If the gate ignores an input, that wire may have been removed. The gate reads any existing wire
            // instead: its other input, or wire 0, which is an input of the circuit and always exists.
            let first = read.next().unwrap_or(0);
            let second = read.next().unwrap_or(first);
            renumbered[inputs + i] = (inputs + trimmed.gates.len()) as u32;
            trimmed.gates.push(Gate { kind: gate.kind, inputs: [first, second] });
        }
        for (to, from) in trimmed.outputs.iter_mut().zip(&whole.outputs) {
            *to = renumbered[source[*from as usize] as usize];
        }
        &self.trimmed
    }

    /// Fills `source`.
    fn propagate_copies(&mut self, whole: &Netlist) {
        let (inputs, source) = (whole.inputs(), &mut self.source);
        (0..).zip(&mut source[..inputs]).for_each(|(wire, source)| *source = wire);
        for (i, gate) in whole.gates.iter().enumerate() {
            let wire = inputs + i;
            source[wire] = match gate.kind {
                GateKind::A => source[gate.inputs[0] as usize],
                GateKind::B => source[gate.inputs[1] as usize],
                _ => wire as u32,
            };
        }
    }

    /// Fills `is_live`, from the outputs backwards.
    fn find_live(&mut self, whole: &Netlist) {
        let (inputs, Self { source, is_live, .. }) = (whole.inputs(), self);
        is_live.fill(false);
        whole.outputs.iter().for_each(|wire| is_live[source[*wire as usize] as usize] = true);
        for (i, gate) in whole.gates.iter().enumerate().rev() {
            if is_live[inputs + i] {
                let sources = gate.inputs.map(|wire| source[wire as usize]);
                dependencies(gate.kind, sources).for_each(|wire| is_live[wire as usize] = true);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::Experiment;
    use crate::test_circuits::{TestRandom, assert_equivalent, experiment_netlist, random_netlist};

    #[test]
    fn trimmed_netlist_is_equivalent_after_every_change_of_kinds() {
        for seed in 0..40 {
            let mut whole = random_netlist(seed, 1 + seed as usize % 3, 10 + 7 * seed as usize);
            let (mut trimmer, mut random) = (Trimmer::new(&whole), TestRandom::new(seed));
            for round in 0..4 {
                assert_equivalent(&whole, trimmer.trim(&whole), &format!("seed {seed}, round {round}"));
                whole.gates.iter_mut().for_each(|gate| gate.kind = random.kind());
            }
        }
    }

    #[test]
    fn trimming_removes_plain_wires_and_dead_gates_which_are_more_than_half_of_a_trained_circuit() {
        for name in Experiment::ALL {
            // Seed 3; two of three gates are plain wires.
            let whole = experiment_netlist(name, 3, true);
            let mut trimmer = Trimmer::new(&whole);
            let trimmed = trimmer.trim(&whole);
            assert_equivalent(&whole, trimmed, &format!("{name:?}"));
            let used = trimmed.used_wires();
            for (i, gate) in trimmed.gates.iter().enumerate() {
                assert!(used[whole.inputs() + i], "{name:?}: gate {i} is dead");
                assert!(
                    !matches!(gate.kind, GateKind::A | GateKind::B),
                    "{name:?}: gate {i} is a plain wire"
                );
            }
            assert!(2 * trimmed.gates.len() < whole.gates.len(), "{name:?}: {}", trimmed.gates.len());
        }
    }
}
