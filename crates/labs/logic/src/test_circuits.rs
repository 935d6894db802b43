//! Random and hand-made circuits for tests, and a slow reference simulator that evaluates every gate in every
//! cell.

use learnery_kernels::rng::Stream;

use crate::automaton::CellCircuits;
use crate::circuit::{Gate, GateKind, NEIGHBOURHOOD, Netlist, counting_pattern};
use crate::config::{InitialKernels, Parameters};
use crate::experiment::Experiment;

/// The random stream of the tests. Any number that the lab does not use for one of its own streams will do.
const TEST_STREAM: u32 = 77;

/// A pseudorandom number generator: its numbers depend on the seed alone.
pub struct TestRandom {
    stream: Stream,
    /// How many numbers were taken so far, which is the index of the next one in the stream.
    count: u64,
}

impl TestRandom {
    pub fn new(seed: u32) -> Self {
        Self { stream: Stream::new(seed, TEST_STREAM), count: 0 }
    }

    /// A uniform number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        self.count += 1;
        self.stream.below(self.count, 0, n as u32) as usize
    }

    /// The kind of a gate, which is one of the 16 functions of two inputs.
    pub fn kind(&mut self) -> GateKind {
        GateKind::ALL[self.below(GateKind::ALL.len())]
    }

    /// 64 random bits.
    pub fn word(&mut self) -> u64 {
        self.count += 1;
        let [a, b, ..] = self.stream.block(self.count, 0);
        u64::from(a) << 32 | u64::from(b)
    }

    pub fn bits(&mut self, n: usize) -> Vec<bool> {
        (0..n).map(|_| self.below(2) == 1).collect()
    }
}

/// A netlist of random gates on random wires. It must have at least 20 wires.
pub fn random_netlist(seed: u32, channels: usize, gates: usize) -> Netlist {
    let mut random = TestRandom::new(seed);
    let mut netlist = Netlist { channels, gates: Vec::new(), outputs: Vec::new() };
    for _ in 0..gates {
        let wires = netlist.wires();
        // Every other input, on average, is one of the last 12 wires, so that the circuit is deep.
        let mut wire = || match random.below(2) {
            0 => random.below(wires),
            _ => wires - 1 - random.below(wires.min(12)),
        };
        let inputs = [wire() as u32, wire() as u32];
        netlist.gates.push(Gate { kind: random.kind(), inputs });
    }
    // The outputs are among the last 20 wires, so that most gates matter.
    netlist.outputs = (0..channels).map(|_| (netlist.wires() - 1 - random.below(20)) as u32).collect();
    netlist
}

/// An experiment's netlist with random kinds of gates. If `mostly_wires`, two of three gates pass their first
/// input on, as plain wires do. Trained networks have many of those.
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

/// The next values of a cell's channels. Each bit of the 64-bit words is a case of its own (bit-parallel).
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
    let any_seed = 5;
    let (inputs, mut random) = (one.inputs(), TestRandom::new(any_seed));
    // Each word has 64 cases.
    let words = if inputs <= 16 { (1usize << inputs).div_ceil(64) } else { 64 };
    for word in 0..words {
        let case: Vec<u64> = (0..inputs)
            .map(|i| if inputs <= 16 { counting_pattern(i, word) } else { random.word() })
            .collect();
        assert_eq!(outputs(one, &case), outputs(other, &case), "{name}, cases {word}");
    }
}

/// One synchronous step of several grids, cell by cell. Input wires count through the channels, and in each
/// through the 3x3 neighbourhood in reading order. Beyond the edge cells are off, or `periodic`: those of the
/// opposite edge.
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
            let neighbour = (grid * height + y.rem_euclid(h) as usize) * width + x.rem_euclid(w) as usize;
            (inside || periodic) && state[wire / NEIGHBOURHOOD][neighbour]
        };
        let values = netlist.evaluate_cell(&(0..netlist.inputs()).map(input).collect::<Vec<_>>());
        netlist.outputs.iter().map(|wire| values[*wire as usize]).collect()
    };
    let cells: Vec<Vec<bool>> = (0..state[0].len()).map(next).collect();
    (0..netlist.channels).map(|channel| cells.iter().map(|cell| cell[channel]).collect()).collect()
}

/// The rule of Conway's game of life, built by hand from full adders. Wires 0 to 8 are the cells of the
/// neighbourhood in reading order, the cell itself being wire 4.
pub fn life_netlist() -> Netlist {
    let mut gates: Vec<Gate> = Vec::new();
    let mut gate = |kind: GateKind, a: u32, b: u32| {
        gates.push(Gate { kind, inputs: [a, b] });
        (NEIGHBOURHOOD + gates.len() - 1) as u32
    };
    // A full adder: returns the wires of sum and carry.
    let mut full_adder = |a: u32, b: u32, c: u32| {
        let half_sum = gate(GateKind::Xor, a, b);
        let (carry_of_ab, carry_of_c) = (gate(GateKind::And, a, b), gate(GateKind::And, half_sum, c));
        (gate(GateKind::Xor, half_sum, c), gate(GateKind::Or, carry_of_ab, carry_of_c))
    };
    // Adds the nine cells, the cell itself last. `ones` is set if the sum is odd. Each carry is worth two.
    const CELL: u32 = 4;
    let ((sum_1, carry_1), (sum_2, carry_2)) = (full_adder(0, 1, 2), full_adder(3, 5, 6));
    let (sum_3, carry_3) = full_adder(7, 8, sum_1);
    let (ones, carry_4) = full_adder(sum_2, sum_3, CELL);
    // Adds the four carries: `twos` is worth two, `four_1` and `four_2` four each.
    let (half_twos, four_1) = full_adder(carry_1, carry_2, carry_3);
    let twos = gate(GateKind::Xor, half_twos, carry_4);
    let four_2 = gate(GateKind::And, half_twos, carry_4);
    // The sum includes the cell itself. So the cell is alive next if the sum is three, or if it is four and
    // the cell is alive.
    let one_four = gate(GateKind::Xor, four_1, four_2);
    let three_or_more = gate(GateKind::And, ones, twos);
    let three = gate(GateKind::AAndNotB, three_or_more, one_four);
    let ones_or_twos = gate(GateKind::Or, ones, twos);
    let four = gate(GateKind::AAndNotB, one_four, ones_or_twos);
    let alive_and_four = gate(GateKind::And, four, CELL);
    let next = gate(GateKind::Or, three, alive_and_four);
    Netlist { channels: 1, gates, outputs: vec![next] }
}
