//! Netlists, pruned netlists and programs against the plain evaluation of every gate in every cell.

use learnery_kernels::rng::Stream;

use super::alike::counted;
use super::automaton::Brain;
use super::circuit::Circuit;
use super::config::{Looks, Parameters};
use super::experiment::{Experiment, lives};
use super::hard::{Gate, HardAutomaton, apply};
use super::netlist::{Netlist, input};
use super::prune::{forget, prune};
use super::wiring::NEIGHBOURHOOD;

/// Random bits, the same in every run.
pub struct Coins {
    stream: Stream,
    drawn: u64,
}

impl Coins {
    pub fn new(seed: u32) -> Self {
        Self { stream: Stream::new(seed, 77), drawn: 0 }
    }

    pub fn below(&mut self, n: usize) -> usize {
        self.drawn += 1;
        self.stream.below(self.drawn, 0, n as u32) as usize
    }

    pub fn word(&mut self) -> u64 {
        self.drawn += 1;
        let [a, b, ..] = self.stream.block(self.drawn, 0);
        u64::from(a) << 32 | u64::from(b)
    }

    pub fn bits(&mut self, n: usize) -> Vec<bool> {
        (0..n).map(|_| self.below(2) == 1).collect()
    }
}

/// A netlist of any gates anywhere.
pub fn random(seed: u32, channels: usize, gates: usize) -> Netlist {
    let mut coins = Coins::new(seed);
    let mut netlist = Netlist { channels, gates: Vec::new(), outputs: Vec::new() };
    for _ in 0..gates {
        let wires = netlist.wires();
        // Half of the wires come from among the last, so that the graph is deep.
        let mut wire = || match coins.below(2) {
            0 => coins.below(wires),
            _ => wires - 1 - coins.below(wires.min(12)),
        };
        let inputs = [wire() as u32, wire() as u32];
        netlist.gates.push(Gate { kind: coins.below(16) as u8, inputs });
    }
    netlist.outputs = (0..channels).map(|_| (netlist.wires() - 1 - coins.below(20)) as u32).collect();
    netlist
}

/// An experiment's netlist with random kinds, most of them pass-throughs as in circuits that have learned something.
pub fn experiment(experiment: Experiment, seed: u32, mostly_pass: bool) -> Netlist {
    let mut coins = Coins::new(seed);
    let mut netlist =
        Netlist::undecided(&experiment.setup().brain(Parameters::Kinds, Looks::Around, Stream::new(seed, 0)));
    for gate in &mut netlist.gates {
        gate.kind = if mostly_pass && coins.below(3) > 0 { 3 } else { coins.below(16) as u8 };
    }
    netlist
}

/// What the channels of a cell become in sixty-four cases.
fn results(netlist: &Netlist, inputs: &[u64]) -> Vec<u64> {
    let values = netlist.evaluate(inputs);
    netlist.outputs.iter().map(|wire| values[*wire as usize]).collect()
}

/// Equal in all cases where they are few, in some thousand random ones else.
#[track_caller]
pub fn assert_equal(one: &Netlist, other: &Netlist, what: &str) {
    let (inputs, mut coins) = (one.inputs(), Coins::new(5));
    let words = if inputs <= 16 { (1usize << inputs).div_ceil(64) } else { 64 };
    for word in 0..words {
        let case: Vec<u64> =
            (0..inputs).map(|i| if inputs <= 16 { counted(i, word) } else { coins.word() }).collect();
        assert_eq!(results(one, &case), results(other, &case), "{what}, cases {word}");
    }
}

/// No gate that is constant, handed on, said twice or read by nobody.
#[track_caller]
fn assert_tidy(netlist: &Netlist, what: &str) {
    let read = netlist.read();
    for (i, gate) in netlist.gates.iter().enumerate() {
        let wire = netlist.inputs() + i;
        assert!(
            gate.inputs.iter().all(|from| (*from as usize) < wire),
            "{what}: gate {i} reads what comes later"
        );
        assert!(read[wire], "{what}: nobody reads gate {i}");
        assert!(!netlist.gates[..i].contains(gate), "{what}: gate {i} twice");
        let [a, b] = gate.inputs;
        let for_an_output = netlist.outputs.contains(&(wire as u32)) && matches!(gate.kind, 0 | 12 | 15);
        let proper = matches!(gate.kind, 1 | 2 | 6 | 7 | 8 | 9 | 11 | 14) && a != b;
        assert!(proper || for_an_output, "{what}: gate {i} is {gate:?}");
    }
}

#[test]
fn what_is_pruned_says_the_same() {
    for seed in 0..60 {
        let whole = random(seed, 1 + seed as usize % 3, 10 + 7 * seed as usize);
        let pruned = prune(&whole);
        let what = format!("seed {seed}");
        assert_equal(&whole, &pruned, &what);
        assert_tidy(&pruned, &what);
        assert_eq!(prune(&pruned), pruned, "{what}: once is enough");
    }
}

#[test]
fn the_circuits_of_experiments_stay_what_they_are() {
    for (i, of) in [Experiment::Life, Experiment::Checkerboard, Experiment::Letter].into_iter().enumerate() {
        for mostly_pass in [false, true] {
            let whole = experiment(of, i as u32, mostly_pass);
            let pruned = prune(&whole);
            let what = format!("{of:?}");
            assert_equal(&whole, &pruned, &what);
            assert_tidy(&pruned, &what);
            assert!(pruned.gates.len() < whole.gates.len() / 2, "{what}: {}", pruned.gates.len());
        }
    }
}

/// A netlist of one channel whose gates are listed; the last is what comes out.
fn small(gates: &[(u8, u32, u32)]) -> Netlist {
    let gates: Vec<Gate> = gates.iter().map(|(kind, a, b)| Gate { kind: *kind, inputs: [*a, *b] }).collect();
    let last = (NEIGHBOURHOOD + gates.len() - 1) as u32;
    Netlist { channels: 1, gates, outputs: vec![last] }
}

#[test]
fn what_can_be_said_in_fewer_gates_is() {
    // The ninth wire is the first gate.
    for (left, what, gates) in [
        (0, "a wire handed on", &[(3, 0, 1)][..]),
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
        // Nothing in the gates says that these are alike; trying all cases does.
        (2, "x and y or x and z", &[(7, 1, 2), (1, 0, 9), (1, 0, 1), (1, 0, 2), (7, 11, 12), (1, 10, 13)]),
        (1, "always", &[(7, 1, 2), (12, 9, 9), (7, 9, 10)]),
    ] {
        let (whole, pruned) = (small(gates), prune(&small(gates)));
        assert_equal(&whole, &pruned, what);
        assert_eq!(pruned.gates.len(), left, "{what}: {:?}", pruned.gates);
    }
}

#[test]
fn channels_that_nothing_shown_depends_on_are_forgotten() {
    // The first reads the second, the second itself; the third reads all, and nobody it.
    let gates =
        [(6, input(0, 0), input(1, 3)), (14, input(1, 1), input(1, 8)), (7, input(2, 4), input(0, 5))];
    let gates = gates.into_iter().map(|(kind, a, b)| Gate { kind, inputs: [a, b] }).collect();
    let whole = Netlist { channels: 3, gates, outputs: vec![27, 28, 29] };
    let less = forget(&whole, 1);
    assert_eq!((less.gates.len(), less.outputs[2]), (2, input(2, 4)));
    assert_eq!(forget(&whole, 3), prune(&whole));

    let mut coins = Coins::new(1);
    let size = [9, 7];
    let start: Vec<Vec<bool>> = (0..3).map(|_| coins.bits(63)).collect();
    let mut automata = [&whole, &less].map(|netlist| HardAutomaton::of(netlist.clone(), size, false, 1));
    for automaton in &mut automata {
        start.iter().enumerate().for_each(|(channel, bits)| automaton.put(channel, bits.iter().copied()));
        (0..9).for_each(|_| automaton.step(None));
    }
    let shown = automata.each_ref().map(|automaton| automaton.get(0).collect::<Vec<_>>());
    assert_eq!(shown[0], shown[1]);
    assert_eq!(automata[1].get(2).collect::<Vec<_>>(), start[2], "it stays what it was");
}

/// One step, cell by cell. // state [channels][cells of all grids]
pub fn plainly(
    netlist: &Netlist,
    [width, height]: [usize; 2],
    periodic: bool,
    state: &[Vec<bool>],
) -> Vec<Vec<bool>> {
    let becomes = |cell: usize| -> Vec<bool> {
        let (grid, x, y) = (cell / (width * height), cell % width, cell / width % height);
        let sees = |wire: usize| {
            let (x, y) = ((x + wire % 3) as i32 - 1, (y + wire % NEIGHBOURHOOD / 3) as i32 - 1);
            let (w, h) = (width as i32, height as i32);
            let inside = (0..w).contains(&x) && (0..h).contains(&y);
            let there = (grid * height + y.rem_euclid(h) as usize) * width + x.rem_euclid(w) as usize;
            (inside || periodic) && state[wire / NEIGHBOURHOOD][there]
        };
        let values = netlist.lit(&(0..netlist.inputs()).map(sees).collect::<Vec<_>>());
        netlist.outputs.iter().map(|wire| values[*wire as usize]).collect()
    };
    let cells: Vec<Vec<bool>> = (0..state[0].len()).map(becomes).collect();
    (0..netlist.channels).map(|channel| cells.iter().map(|cell| cell[channel]).collect()).collect()
}

#[test]
fn planes_of_bits_do_what_single_cells_do() {
    for (i, (size, count)) in
        [([3, 3], 20), ([30, 4], 1), ([31, 3], 3), ([64, 2], 2), ([100, 5], 1), ([1, 1], 5), ([600, 20], 1)]
            .into_iter()
            .enumerate()
    {
        for periodic in [false, true] {
            let whole = random(i as u32, 3, 60);
            let mut coins = Coins::new(i as u32);
            let cells = size[0] * size[1] * count;
            let mut state: Vec<Vec<bool>> = (0..3).map(|_| coins.bits(cells)).collect();
            let mut automata =
                [whole.clone(), prune(&whole)].map(|n| HardAutomaton::of(n, size, periodic, count));
            for automaton in &mut automata {
                state.iter().enumerate().for_each(|(c, bits)| automaton.put(c, bits.iter().copied()));
            }
            for step in 0..3 {
                let awake = (step == 1).then(|| coins.bits(cells));
                let next = plainly(&whole, size, periodic, &state);
                for (state, next) in state.iter_mut().zip(next) {
                    for (cell, (state, next)) in state.iter_mut().zip(next).enumerate() {
                        if awake.as_ref().is_none_or(|awake| awake[cell]) {
                            *state = next;
                        }
                    }
                }
                for automaton in &mut automata {
                    automaton.step(awake.as_deref());
                    for (channel, expected) in state.iter().enumerate() {
                        let got: Vec<bool> = automaton.get(channel).collect();
                        assert!(got == *expected, "{size:?}, {count}, periodic {periodic}, step {step}");
                    }
                }
            }
        }
    }
}

/// A brain's netlist is its kernels on every channel and then its update.
#[test]
fn a_netlist_is_all_gates_of_a_brain() {
    let brain = Brain::new(3, 2, &[8, 4, 2], &[12, 8, 6, 3], Parameters::Kinds, &[], Stream::new(5, 0));
    let mut logits = vec![0.0; brain.logits()];
    Stream::new(6, 0).fill_uniform(0, &mut logits);
    let netlist = Netlist::of(&brain, &logits);
    assert_eq!(netlist.gates.len(), 3 * brain.perception.gates() + brain.update.gates());
    let run = |circuit: &Circuit, logits: &[f32], mut values: Vec<u64>| {
        let mut kinds = vec![0; circuit.gates()];
        circuit.decide(logits, &mut kinds, None);
        let mut kinds = kinds.into_iter();
        for wiring in circuit.wirings() {
            let pairs = wiring.pairs().iter().zip(&mut kinds);
            values =
                pairs.map(|([a, b], kind)| apply(kind, values[*a as usize], values[*b as usize])).collect();
        }
        values
    };
    let (of_perception, of_update) = brain.split(&logits);
    let mut coins = Coins::new(2);
    let cases: Vec<u64> = (0..27).map(|_| coins.word()).collect();
    let mut values: Vec<u64> = cases.chunks_exact(9).map(|seen| seen[4]).collect();
    values
        .extend(cases.chunks_exact(9).flat_map(|seen| run(&brain.perception, of_perception, seen.to_vec())));
    assert_eq!(results(&netlist, &cases), run(&brain.update, of_update, values));
}

/// The rule of the game of life with adders.
pub fn life() -> Netlist {
    let mut gates: Vec<Gate> = Vec::new();
    let mut gate = |kind: u8, a: u32, b: u32| {
        gates.push(Gate { kind, inputs: [a, b] });
        (NEIGHBOURHOOD + gates.len() - 1) as u32
    };
    // A full adder's sum and carry.
    let mut add = |a: u32, b: u32, c: u32| {
        let half = gate(6, a, b);
        let (one, other) = (gate(1, a, b), gate(1, half, c));
        (gate(6, half, c), gate(7, one, other))
    };
    let ((a, p), (b, q)) = (add(0, 1, 2), add(3, 5, 6));
    let (c, r) = add(7, 8, a);
    let (ones, s) = add(b, c, 4);
    // Counting the cell itself: three in all, or four and it lives. Twos are p + q + r + s.
    let (t, u) = add(p, q, r);
    let (twos, fours) = (gate(6, t, s), gate(1, t, s));
    let fours_once = gate(6, u, fours);
    let three = gate(1, ones, twos);
    let three = gate(2, three, fours_once);
    let none_less = gate(7, ones, twos);
    let four = gate(2, fours_once, none_less);
    let stays = gate(1, four, 4);
    let both = gate(1, u, fours);
    let result = gate(7, three, stays);
    let last = gate(2, result, both);
    Netlist { channels: 1, gates, outputs: vec![last] }
}

#[test]
fn adders_make_the_game_of_life() {
    for netlist in [life(), prune(&life())] {
        for bits in 0..512 {
            let cells: Vec<bool> = (0..NEIGHBOURHOOD).map(|i| bits >> i & 1 == 1).collect();
            let others = cells.iter().filter(|on| **on).count() - usize::from(cells[4]);
            let became = netlist.lit(&cells)[netlist.outputs[0] as usize];
            assert_eq!(became, lives(cells[4], others), "{cells:?}");
        }
    }
    let mut automaton = HardAutomaton::of(prune(&life()), [5, 5], true, 1);
    let upright = [7, 12, 17];
    automaton.put(0, (0..25).map(|cell| upright.contains(&cell)));
    automaton.step(None);
    assert_eq!(
        automaton.get(0).enumerate().filter(|(_, on)| *on).map(|(i, _)| i).collect::<Vec<_>>(),
        [11, 12, 13]
    );
}
