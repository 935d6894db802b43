//! Random and hand-made circuits for tests, and a slow reference that evaluates every gate in every cell.

use learnery_kernels::rng::Stream;

use crate::automaton::CellCircuits;
use crate::circuit::{Gate, GateKind, NEIGHBOURHOOD, Netlist, counting_pattern};
use crate::config::{InitialKernels, Parameters};
use crate::experiment::Experiment;

/// A sequence of random numbers that depends on the seed alone.
pub struct TestRandom {
    stream: Stream,
    /// Numbers taken so far.
    count: u64,
}

impl TestRandom {
    pub fn new(seed: u32) -> Self {
        Self { stream: Stream::new(seed, 77), count: 0 }
    }

    pub fn below(&mut self, n: usize) -> usize {
        self.count += 1;
        self.stream.below(self.count, 0, n as u32) as usize
    }

    pub fn kind(&mut self) -> GateKind {
        GateKind::ALL[self.below(16)]
    }

    pub fn word(&mut self) -> u64 {
        self.count += 1;
        let [a, b, ..] = self.stream.block(self.count, 0);
        u64::from(a) << 32 | u64::from(b)
    }

    pub fn bits(&mut self, n: usize) -> Vec<bool> {
        (0..n).map(|_| self.below(2) == 1).collect()
    }
}

/// A netlist of random gates on random wires.
pub fn random_netlist(seed: u32, channels: usize, gates: usize) -> Netlist {
    let mut random = TestRandom::new(seed);
    let mut netlist = Netlist { channels, gates: Vec::new(), outputs: Vec::new() };
    for _ in 0..gates {
        let wires = netlist.wires();
        // Half of the inputs are among the last 12 wires, so that the circuit is deep.
        let mut wire = || match random.below(2) {
            0 => random.below(wires),
            _ => wires - 1 - random.below(wires.min(12)),
        };
        let inputs = [wire() as u32, wire() as u32];
        netlist.gates.push(Gate { kind: random.kind(), inputs });
    }
    // The outputs are among the last 20 wires.
    netlist.outputs = (0..channels).map(|_| (netlist.wires() - 1 - random.below(20)) as u32).collect();
    netlist
}

/// An experiment's netlist with random kinds. If `mostly_wires`, two of three gates are plain wires, as in
/// trained networks.
pub fn experiment_netlist(experiment: Experiment, seed: u32, mostly_wires: bool) -> Netlist {
    let mut random = TestRandom::new(seed);
    let wiring = Stream::new(seed, 0);
    let cell = CellCircuits::new(experiment, Parameters::Kinds, InitialKernels::AllDirections, wiring);
    let mut netlist = cell.netlist_without_kinds();
    for gate in &mut netlist.gates {
        gate.kind = if mostly_wires && random.below(3) > 0 { GateKind::A } else { random.kind() };
    }
    netlist
}

/// The next values of a cell's channels in 64 cases, one per bit.
///
/// Shapes: `inputs [channels, NEIGHBOURHOOD] -> [channels]`.
pub fn outputs(netlist: &Netlist, inputs: &[u64]) -> Vec<u64> {
    let values = netlist.evaluate(inputs);
    netlist.outputs.iter().map(|wire| values[*wire as usize]).collect()
}

/// Compares the outputs of two netlists: for all combinations of up to 16 inputs, and in 4,096 random cases
/// if there are more.
#[track_caller]
pub fn assert_equivalent(one: &Netlist, other: &Netlist, name: &str) {
    let (inputs, mut random) = (one.inputs(), TestRandom::new(5));
    let words = if inputs <= 16 { (1usize << inputs).div_ceil(64) } else { 64 };
    for word in 0..words {
        let case: Vec<u64> = (0..inputs)
            .map(|i| if inputs <= 16 { counting_pattern(i, word) } else { random.word() })
            .collect();
        assert_eq!(outputs(one, &case), outputs(other, &case), "{name}, cases {word}");
    }
}

/// One step of several grids, cell by cell.
///
/// Shapes: `state [channels][cells of all grids]`.
pub fn reference_step(
    netlist: &Netlist,
    [width, height]: [usize; 2],
    periodic: bool,
    state: &[Vec<bool>],
) -> Vec<Vec<bool>> {
    let next = |cell: usize| -> Vec<bool> {
        let (grid, x, y) = (cell / (width * height), cell % width, cell / width % height);
        let input = |wire: usize| {
            let (x, y) = ((x + wire % 3) as i32 - 1, (y + wire % NEIGHBOURHOOD / 3) as i32 - 1);
            let (w, h) = (width as i32, height as i32);
            let inside = (0..w).contains(&x) && (0..h).contains(&y);
            let there = (grid * height + y.rem_euclid(h) as usize) * width + x.rem_euclid(w) as usize;
            (inside || periodic) && state[wire / NEIGHBOURHOOD][there]
        };
        let values = netlist.evaluate_cell(&(0..netlist.inputs()).map(input).collect::<Vec<_>>());
        netlist.outputs.iter().map(|wire| values[*wire as usize]).collect()
    };
    let cells: Vec<Vec<bool>> = (0..state[0].len()).map(next).collect();
    (0..netlist.channels).map(|channel| cells.iter().map(|cell| cell[channel]).collect()).collect()
}

/// The rule of the game of life, built by hand from full adders. Wires 0 to 8 are the cells of the
/// neighbourhood in reading order, the cell itself being wire 4.
pub fn life_netlist() -> Netlist {
    let mut gates: Vec<Gate> = Vec::new();
    let mut gate = |kind: GateKind, a: u32, b: u32| {
        gates.push(Gate { kind, inputs: [a, b] });
        (NEIGHBOURHOOD + gates.len() - 1) as u32
    };
    // A full adder: returns the wires of sum and carry.
    let mut add = |a: u32, b: u32, c: u32| {
        let half = gate(GateKind::Xor, a, b);
        let (one, other) = (gate(GateKind::And, a, b), gate(GateKind::And, half, c));
        (gate(GateKind::Xor, half, c), gate(GateKind::Or, one, other))
    };
    // Adds the nine cells. The sum is odd if `ones` is set; `p` to `s` are carries, worth two each.
    let ((a, p), (b, q)) = (add(0, 1, 2), add(3, 5, 6));
    let (c, r) = add(7, 8, a);
    let (ones, s) = add(b, c, 4);
    // The sum includes the cell itself: the cell lives next if the sum is three, or if it is four and the
    // cell is alive. `u` and `fours` are worth four each, so the sum is eight or more if both are set.
    let (t, u) = add(p, q, r);
    let (twos, fours) = (gate(GateKind::Xor, t, s), gate(GateKind::And, t, s));
    let fours_once = gate(GateKind::Xor, u, fours);
    let three = gate(GateKind::And, ones, twos);
    let three = gate(GateKind::AAndNotB, three, fours_once);
    let ones_or_twos = gate(GateKind::Or, ones, twos);
    let four = gate(GateKind::AAndNotB, fours_once, ones_or_twos);
    let survives = gate(GateKind::And, four, 4);
    let eight = gate(GateKind::And, u, fours);
    let result = gate(GateKind::Or, three, survives);
    let last = gate(GateKind::AAndNotB, result, eight);
    Netlist { channels: 1, gates, outputs: vec![last] }
}
