//! Trimming: the quick part of pruning, for circuits that are decided anew again and again. What a gate hands on unchanged is
//! read where it comes from, and what nobody depends on is left out; of a circuit that has begun to learn, most of it.

use super::hard::Gate;
use super::netlist::{Netlist, needed};

/// What is needed to trim a netlist again and again, with other kinds of gates, without asking for memory.
#[derive(Clone, Debug)]
pub struct Trimmer {
    /// The wire that carries the same and comes first. // [wires]
    source: Vec<u32>,
    /// Whether any output depends on the wire. // [wires]
    needed: Vec<bool>,
    /// The number of a wire among those that are left. // [wires]
    number: Vec<u32>,
    trimmed: Netlist,
}

impl Trimmer {
    /// For a netlist.
    pub fn new(whole: &Netlist) -> Self {
        let wires = whole.wires();
        let mut trimmed = whole.clone();
        trimmed.gates.clear();
        Self { source: vec![0; wires], needed: vec![false; wires], number: vec![0; wires], trimmed }
    }

    /// The same for every neighbourhood, in fewer gates; `whole` differs from the netlist of the beginning in nothing but the
    /// kinds of its gates.
    pub fn trim(&mut self, whole: &Netlist) -> &Netlist {
        let inputs = whole.inputs();
        self.follow(whole);
        self.find_needed(whole);
        let Self { source, needed: is_needed, number, trimmed } = self;
        (0..).zip(&mut number[..inputs]).for_each(|(wire, number)| *number = wire);
        trimmed.gates.clear();
        for (i, gate) in whole.gates.iter().enumerate() {
            if !is_needed[inputs + i] {
                continue;
            }
            let from = gate.inputs.map(|wire| source[wire as usize]);
            let mut own = needed(gate.kind, from).map(|wire| number[wire as usize]);
            // What it does not depend on may be gone; it reads something that is there.
            let first = own.next().unwrap_or(0);
            let second = own.next().unwrap_or(first);
            number[inputs + i] = (inputs + trimmed.gates.len()) as u32;
            trimmed.gates.push(Gate { kind: gate.kind, inputs: [first, second] });
        }
        for (to, from) in trimmed.outputs.iter_mut().zip(&whole.outputs) {
            *to = number[source[*from as usize] as usize];
        }
        &self.trimmed
    }

    fn follow(&mut self, whole: &Netlist) {
        let (inputs, source) = (whole.inputs(), &mut self.source);
        (0..).zip(&mut source[..inputs]).for_each(|(wire, source)| *source = wire);
        for (i, gate) in whole.gates.iter().enumerate() {
            let wire = inputs + i;
            source[wire] = match gate.kind {
                3 => source[gate.inputs[0] as usize],
                5 => source[gate.inputs[1] as usize],
                _ => wire as u32,
            };
        }
    }

    fn find_needed(&mut self, whole: &Netlist) {
        let (inputs, Self { source, needed: is_needed, .. }) = (whole.inputs(), self);
        is_needed.fill(false);
        whole.outputs.iter().for_each(|wire| is_needed[source[*wire as usize] as usize] = true);
        for (i, gate) in whole.gates.iter().enumerate().rev() {
            if is_needed[inputs + i] {
                let from = gate.inputs.map(|wire| source[wire as usize]);
                needed(gate.kind, from).for_each(|wire| is_needed[wire as usize] = true);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::experiment::Experiment;
    use super::super::hard_tests::{Coins, assert_equal, experiment, random};
    use super::*;

    #[test]
    fn what_is_trimmed_says_the_same_again_and_again() {
        for seed in 0..40 {
            let mut whole = random(seed, 1 + seed as usize % 3, 10 + 7 * seed as usize);
            let (mut trimmer, mut coins) = (Trimmer::new(&whole), Coins::new(seed));
            for round in 0..4 {
                assert_equal(&whole, trimmer.trim(&whole), &format!("seed {seed}, round {round}"));
                whole.gates.iter_mut().for_each(|gate| gate.kind = coins.below(16) as u8);
            }
        }
    }

    #[test]
    fn of_a_circuit_that_hands_on_most_of_what_it_gets_little_is_left() {
        for name in Experiment::ALL {
            let whole = experiment(name, 3, true);
            let mut trimmer = Trimmer::new(&whole);
            let trimmed = trimmer.trim(&whole);
            assert_equal(&whole, trimmed, &format!("{name:?}"));
            let read = trimmed.read();
            for (i, gate) in trimmed.gates.iter().enumerate() {
                assert!(read[whole.inputs() + i], "{name:?}: nobody reads gate {i}");
                assert!(!matches!(gate.kind, 3 | 5), "{name:?}: gate {i} hands on what it reads");
            }
            assert!(2 * trimmed.gates.len() < whole.gates.len(), "{name:?}: {}", trimmed.gates.len());
        }
    }
}
