//! Compares pruned netlists and bit-parallel programs with a reference that evaluates every gate in every
//! cell.

use learnery_worlds::life::lives;

use super::{Gate, GateKind, HardAutomaton, NEIGHBOURHOOD, Netlist, drop_hidden_channels, input_wire, prune};
use crate::experiment::Experiment;
use crate::test_circuits::{
    TestRandom, assert_equivalent, experiment_netlist, life_netlist, random_netlist, reference_step,
};

/// Checks that no gate is a constant, a plain wire, a duplicate or dead. A constant or an inverter is allowed
/// as an output.
#[track_caller]
fn assert_minimal(netlist: &Netlist, name: &str) {
    use GateKind as K;
    let used = netlist.used_wires();
    for (i, gate) in netlist.gates.iter().enumerate() {
        let wire = netlist.inputs() + i;
        let is_ordered = gate.inputs.iter().all(|from| (*from as usize) < wire);
        assert!(is_ordered, "{name}: gate {i} reads a later wire");
        assert!(used[wire], "{name}: gate {i} is dead");
        assert!(!netlist.gates[..i].contains(gate), "{name}: gate {i} is a duplicate");
        let [a, b] = gate.inputs;
        let is_output = netlist.outputs.contains(&(wire as u32));
        let is_needed_output = is_output && matches!(gate.kind, K::False | K::NotA | K::True);
        let has_two_inputs = matches!(
            gate.kind,
            K::And | K::AAndNotB | K::Xor | K::Or | K::Nor | K::Xnor | K::AOrNotB | K::Nand
        );
        assert!(has_two_inputs && a != b || is_needed_output, "{name}: gate {i} is {gate:?}");
    }
}

#[test]
fn pruned_netlist_is_equivalent_and_minimal() {
    for seed in 0..60 {
        // One to three channels and 10 to 423 gates.
        let whole = random_netlist(seed, 1 + seed as usize % 3, 10 + 7 * seed as usize);
        let pruned = prune(&whole);
        let name = format!("seed {seed}");
        assert_equivalent(&whole, &pruned, &name);
        assert_minimal(&pruned, &name);
        assert_eq!(prune(&pruned), pruned, "{name}: pruning again changes nothing");
    }
}

#[test]
fn pruned_circuits_of_experiments_are_equivalent_and_less_than_half_as_large() {
    for (i, experiment) in
        [Experiment::Life, Experiment::Checkerboard, Experiment::Letter].into_iter().enumerate()
    {
        for mostly_wires in [false, true] {
            let whole = experiment_netlist(experiment, i as u32, mostly_wires);
            let pruned = prune(&whole);
            let name = format!("{experiment:?}");
            assert_equivalent(&whole, &pruned, &name);
            assert_minimal(&pruned, &name);
            assert!(pruned.gates.len() < whole.gates.len() / 2, "{name}: {}", pruned.gates.len());
        }
    }
}

/// A netlist of one channel from the number of each gate's kind (its truth table) and its two input wires.
/// The last gate is the output.
fn netlist(gates: &[(u8, u32, u32)]) -> Netlist {
    let gate = |&(kind, a, b): &(u8, u32, u32)| Gate { kind: GateKind::from_number(kind), inputs: [a, b] };
    let gates: Vec<Gate> = gates.iter().map(gate).collect();
    let last = (NEIGHBOURHOOD + gates.len() - 1) as u32;
    Netlist { channels: 1, gates, outputs: vec![last] }
}

#[test]
fn pruning_finds_the_smallest_form_of_known_expressions() {
    // The number of gates after pruning, the expression, and its gates. Wires 0 to 8 are inputs; wire 9 is
    // the first gate.
    for (expected, name, gates) in [
        (0, "x", &[(3, 0, 1)][..]),
        (0, "x and x", &[(1, 2, 2)]),
        (1, "x and not x", &[(2, 2, 2)]),
        (1, "not x", &[(10, 3, 2)]),
        (0, "not not x", &[(12, 3, 3), (12, 9, 9)]),
        (0, "x and (x or y)", &[(7, 0, 1), (1, 0, 9)]),
        (0, "x or (x and y)", &[(1, 0, 1), (7, 9, 0)]),
        (1, "x and not (x and y)", &[(14, 0, 1), (1, 0, 9)]),
        (1, "x and (x xor y)", &[(6, 0, 1), (1, 0, 9)]),
        (0, "(x xor y) xor y", &[(6, 0, 1), (6, 9, 1)]),
        (1, "(x xor y) xor (y xor z)", &[(6, 0, 1), (6, 1, 2), (6, 9, 10)]),
        (1, "x and y, or not x and not y", &[(1, 0, 1), (8, 0, 1), (7, 9, 10)]),
        (1, "x and y or x and not y or y", &[(1, 0, 1), (2, 0, 1), (7, 9, 10), (7, 11, 1)]),
        (0, "x and y xor x and not y", &[(1, 0, 1), (2, 0, 1), (6, 9, 10)]),
        (1, "(x and y) xor (x xor y)", &[(1, 0, 1), (6, 0, 1), (6, 9, 10)]),
        (2, "(x and y) and z, z and (y and x)", &[(1, 0, 1), (1, 9, 2), (1, 1, 0), (1, 2, 11), (7, 10, 12)]),
        // No local rule finds this one: only the exhaustive equivalence check does.
        (2, "x and y or x and z", &[(7, 1, 2), (1, 0, 9), (1, 0, 1), (1, 0, 2), (7, 11, 12), (1, 10, 13)]),
        (1, "true", &[(7, 1, 2), (12, 9, 9), (7, 9, 10)]),
    ] {
        let (whole, pruned) = (netlist(gates), prune(&netlist(gates)));
        assert_equivalent(&whole, &pruned, name);
        assert_eq!(pruned.gates.len(), expected, "{name}: {:?}", pruned.gates);
    }
}

#[test]
fn channel_that_never_influences_a_shown_one_is_frozen() {
    // Channel 0 reads channel 1, which reads itself. Channel 2 reads channels 0 and 2, and nothing reads it.
    let gate = |kind, a, b| Gate { kind, inputs: [a, b] };
    let gates = vec![
        gate(GateKind::Xor, input_wire(0, 0), input_wire(1, 3)),
        gate(GateKind::Nand, input_wire(1, 1), input_wire(1, 8)),
        gate(GateKind::Or, input_wire(2, 4), input_wire(0, 5)),
    ];
    // Three channels of nine cells are wires 0 to 26, so the gates are wires 27 to 29.
    let whole = Netlist { channels: 3, gates, outputs: vec![27, 28, 29] };
    let reduced = drop_hidden_channels(&whole, 1);
    assert_eq!((reduced.gates.len(), reduced.outputs[2]), (2, input_wire(2, 4)));
    assert_eq!(drop_hidden_channels(&whole, 3), prune(&whole));

    let mut random = TestRandom::new(1);
    // Grids of 9x7 cells, 63 in all, without wrapping edges.
    let size = [9, 7];
    let start: Vec<Vec<bool>> = (0..3).map(|_| random.bits(63)).collect();
    let mut automata = [&whole, &reduced].map(|netlist| HardAutomaton::new(netlist.clone(), size, false, 1));
    for automaton in &mut automata {
        start.iter().enumerate().for_each(|(c, bits)| automaton.set_channel(c, bits.iter().copied()));
        (0..9).for_each(|_| automaton.step(None));
    }
    let shown = automata.each_ref().map(|automaton| automaton.channel(0).collect::<Vec<_>>());
    assert_eq!(shown[0], shown[1]);
    assert_eq!(automata[1].channel(2).collect::<Vec<_>>(), start[2], "a frozen channel keeps its state");
}

#[test]
fn hard_automaton_agrees_with_the_reference_on_grids_of_many_shapes() {
    // Width and height, and how many grids: a grid's row within a word, of exactly one word with its borders,
    // over several words, and planes of more than one block.
    let shapes =
        [([3, 3], 20), ([30, 4], 1), ([31, 3], 3), ([64, 2], 2), ([100, 5], 1), ([1, 1], 5), ([600, 20], 1)];
    for (i, (size, count)) in shapes.into_iter().enumerate() {
        for periodic in [false, true] {
            let whole = random_netlist(i as u32, 3, 60);
            let mut random = TestRandom::new(i as u32);
            let cells = size[0] * size[1] * count;
            let mut state: Vec<Vec<bool>> = (0..3).map(|_| random.bits(cells)).collect();
            let mut automata =
                [whole.clone(), prune(&whole)].map(|n| HardAutomaton::new(n, size, periodic, count));
            for automaton in &mut automata {
                state.iter().enumerate().for_each(|(c, bits)| automaton.set_channel(c, bits.iter().copied()));
            }
            for step in 0..3 {
                // All cells change in the first and last step, a random half of them in the second.
                let active = (step == 1).then(|| random.bits(cells));
                let next = reference_step(&whole, size, periodic, &state);
                for (state, next) in state.iter_mut().zip(next) {
                    for (cell, (state, next)) in state.iter_mut().zip(next).enumerate() {
                        if active.as_ref().is_none_or(|active| active[cell]) {
                            *state = next;
                        }
                    }
                }
                for automaton in &mut automata {
                    automaton.step(active.as_deref());
                    for (channel, expected) in state.iter().enumerate() {
                        let got: Vec<bool> = automaton.channel(channel).collect();
                        assert!(got == *expected, "{size:?}, {count}, periodic {periodic}, step {step}");
                    }
                }
            }
        }
    }
}

#[test]
fn hand_made_circuit_of_life_follows_the_rule_before_and_after_pruning() {
    for netlist in [life_netlist(), prune(&life_netlist())] {
        for bits in 0..512 {
            let cells: Vec<bool> = (0..NEIGHBOURHOOD).map(|k| bits >> k & 1 == 1).collect();
            let neighbours = cells.iter().filter(|on| **on).count() - usize::from(cells[4]);
            let next = netlist.evaluate_cell(&cells)[netlist.outputs[0] as usize];
            assert_eq!(next, lives(cells[4], neighbours), "{cells:?}");
        }
    }
    // One grid of 5x5 cells whose edges wrap around.
    let mut automaton = HardAutomaton::new(prune(&life_netlist()), [5, 5], true, 1);
    // A vertical line of three cells in a 5x5 grid, which becomes a horizontal one.
    let vertical = [7, 12, 17];
    automaton.set_channel(0, (0..25).map(|cell| vertical.contains(&cell)));
    automaton.step(None);
    let alive: Vec<usize> = automaton.channel(0).enumerate().filter(|(_, on)| *on).map(|(i, _)| i).collect();
    assert_eq!(alive, [11, 12, 13], "a blinker turns");
}
