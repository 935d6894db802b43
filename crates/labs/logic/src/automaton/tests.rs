//! Compares the forward and backward passes of the automaton with a slow reference in f64, soft gates
//! (mixtures of gate kinds) with hard ones (one kind each), and examines the initial wiring.

use learnery_kernels::rng::Stream;

use super::layers::GateLayers;
use super::{Backward, CellCircuits, Grids, SoftAutomaton};
use crate::circuit::{GateKind, NEIGHBOURHOOD};
use crate::config::{InitialKernels, Parameters};
use crate::experiment::Experiment;
use crate::test_circuits::{TestRandom, outputs};

// A small automaton: two grids of 5x4 cells with three channels, run for three steps.
const WIDTH: usize = 5;
const HEIGHT: usize = 4;
const COUNT: usize = 2;
const CELLS: usize = WIDTH * HEIGHT * COUNT;
const CHANNELS: usize = 3;
const STEPS: usize = 3;

/// Two perception kernels with layers of 8, 4 and 2 gates, whose two outputs initially pass on neighbours 2
/// and 6 in one kernel, and 0 and 8 in the other; an update circuit of four layers.
fn small_cell(parameters: Parameters) -> CellCircuits {
    let sizes: [&[usize]; 2] = [&[8, 4, 2], &[12, 8, 6, 3]];
    CellCircuits::with_layers(CHANNELS, 2, sizes, parameters, &[&[2, 6], &[0, 8]], Stream::new(5, 0))
}

/// The value of a soft gate. Four logits are the entries of a truth table ([`Parameters::Table`]); sixteen
/// logits are those of the kinds ([`Parameters::Kinds`]).
fn soft_gate(logits: &[f64], a: f64, b: f64) -> f64 {
    if let [none, only_b, only_a, both] =
        logits.iter().map(|l| 1.0 / (1.0 + (-l).exp())).collect::<Vec<_>>()[..]
    {
        return none * (1.0 - a) * (1.0 - b) + only_b * (1.0 - a) * b + only_a * a * (1.0 - b) + both * a * b;
    }
    let largest = logits.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let sum: f64 = logits.iter().map(|l| (l - largest).exp()).sum();
    let cases = [(1.0 - a) * (1.0 - b), (1.0 - a) * b, a * (1.0 - b), a * b];
    let answer = |kind: usize| -> f64 { (0..4).filter(|i| kind >> (3 - i) & 1 == 1).map(|i| cases[i]).sum() };
    logits.iter().enumerate().map(|(kind, l)| (l - largest).exp() / sum * answer(kind)).sum()
}

/// The outputs of a circuit, computed gate by gate.
fn reference_circuit(circuit: &GateLayers, logits: &[f64], x: &[f64]) -> Vec<f64> {
    let (mut values, logits_per_gate) = (x.to_vec(), circuit.logits() / circuit.gates());
    // Where the logits of the layer begin.
    let mut at = 0;
    for wiring in circuit.wirings() {
        let gates = wiring.gates();
        let own = |g: usize| -> Vec<f64> {
            (0..logits_per_gate).map(|kind| logits[at + kind * gates + g]).collect()
        };
        let next = wiring.pairs().iter().enumerate();
        values =
            next.map(|(g, [a, b])| soft_gate(&own(g), values[*a as usize], values[*b as usize])).collect();
        at += logits_per_gate * gates;
    }
    values
}

/// One step, cell by cell.
///
/// Shapes: `state [CELLS][CHANNELS]`.
fn reference_step(
    circuits: &CellCircuits,
    logits: &[f64],
    state: &[[f64; CHANNELS]],
    periodic: bool,
) -> Vec<[f64; CHANNELS]> {
    let (for_perception, for_update) = logits.split_at(circuits.perception.logits());
    let next_channels = |cell: usize| {
        let (grid, x, y) = (cell / (WIDTH * HEIGHT), cell % WIDTH, cell / WIDTH % HEIGHT);
        let seen = |channel: usize, k: usize| {
            let (x, y) = (x as i32 + k as i32 % 3 - 1, y as i32 + k as i32 / 3 - 1);
            let (w, h) = (WIDTH as i32, HEIGHT as i32);
            let inside = (0..w).contains(&x) && (0..h).contains(&y);
            if !inside && !periodic {
                return 0.0;
            }
            let (x, y) = (x.rem_euclid(w) as usize, y.rem_euclid(h) as usize);
            state[(grid * HEIGHT + y) * WIDTH + x][channel]
        };
        let mut input = state[cell].to_vec();
        for channel in 0..CHANNELS {
            let seen: Vec<f64> = (0..9).map(|k| seen(channel, k)).collect();
            input.extend(reference_circuit(&circuits.perception, for_perception, &seen));
        }
        reference_circuit(&circuits.update, for_update, &input).try_into().expect("a value for each channel")
    };
    (0..state.len()).map(next_channels).collect()
}

/// An automaton to compare with the reference.
struct Case {
    circuits: CellCircuits,
    logits: Vec<f32>,
    start: Vec<[f64; CHANNELS]>,
    /// Whether each cell is active in each step; `None` if all cells are active.
    /// Shape: `[STEPS][CELLS]`.
    active: Option<Vec<Vec<bool>>>,
    periodic: bool,
}

impl Case {
    fn new((seed, parameters, periodic, asynchronous): (u32, Parameters, bool, bool)) -> Self {
        let (circuits, stream) = (small_cell(parameters), Stream::new(seed, 1));
        let mut logits = vec![0.0; circuits.logits()];
        stream.fill_uniform(0, &mut logits);
        // Logits from -3 to 3. Index 0 of the stream is theirs, index 1 + i belongs to cell i.
        logits.iter_mut().for_each(|x| *x = 6.0 * *x - 3.0);
        let uniform = |i: usize, j: usize| stream.uniform(1 + i as u64, j as u64);
        let start = (0..CELLS).map(|cell| std::array::from_fn(|c| f64::from(uniform(cell, c)))).collect();
        // A cell is active with probability 0.6. Numbers 0 to 2 of a cell are its channels, number 9 + t
        // decides on step t.
        let active =
            (0..STEPS).map(|t| (0..CELLS).map(|cell| uniform(cell, 9 + t) < 0.6).collect()).collect();
        Self { circuits, logits, start, active: asynchronous.then_some(active), periodic }
    }

    /// The automaton under test after its last step.
    fn automaton(&self) -> SoftAutomaton {
        let grids = Grids::new(WIDTH, HEIGHT, self.periodic, COUNT, CHANNELS);
        let mut automaton = SoftAutomaton::new(&self.circuits, grids, STEPS, self.active.is_some());
        for channel in 0..CHANNELS {
            automaton.set_channel(channel, self.start.iter().map(|cell| cell[channel] as f32));
        }
        for (t, active) in self.active.iter().flatten().enumerate() {
            automaton.set_active(t, active.iter().copied());
        }
        run(&mut automaton, &self.circuits, &self.logits);
        automaton
    }

    /// The reference's state after the last step.
    fn last_state(&self, logits: &[f64]) -> Vec<[f64; CHANNELS]> {
        (0..STEPS).fold(self.start.clone(), |state, t| {
            let mut next = reference_step(&self.circuits, logits, &state, self.periodic);
            if let Some(active) = &self.active {
                next.iter_mut()
                    .zip(&state)
                    .zip(&active[t])
                    .filter(|(_, active)| !**active)
                    .for_each(|((n, s), _)| *n = *s);
            }
            next
        })
    }

    /// An arbitrary weight of each value of the last state. The loss is the weighted sum of the values.
    fn weight(cell: usize, channel: usize) -> f64 {
        ((cell * 7 + channel * 3) % 11) as f64 / 5.0 - 1.0
    }

    fn loss(&self, logits: &[f64]) -> f64 {
        let last = self.last_state(logits);
        let all = last
            .iter()
            .enumerate()
            .flat_map(|(i, cell)| cell.iter().enumerate().map(move |(c, x)| (i, c, x)));
        all.map(|(i, c, x)| Self::weight(i, c) * x).sum()
    }
}

fn run(automaton: &mut SoftAutomaton, circuits: &CellCircuits, logits: &[f32]) {
    automaton.set_logits(circuits, logits);
    (0..automaton.steps()).for_each(|step| automaton.step(circuits, step));
}

/// Seed, parameters, whether edges wrap around, whether some cells are inactive.
const CASES: [(u32, Parameters, bool, bool); 4] = [
    (1, Parameters::Kinds, true, false),
    (2, Parameters::Kinds, false, false),
    (3, Parameters::Kinds, false, true),
    (4, Parameters::Table, true, true),
];

#[test]
fn soft_automaton_agrees_with_the_reference() {
    for case in CASES {
        let (seed, case) = (case.0, Case::new(case));
        let automaton = case.automaton();
        let wide: Vec<f64> = case.logits.iter().copied().map(f64::from).collect();
        let expected = case.last_state(&wide);
        for channel in 0..CHANNELS {
            for (cell, got) in automaton.grids().channel(automaton.state(STEPS), channel).enumerate() {
                let expected = expected[cell][channel];
                // The difference between f32 and f64.
                assert!((f64::from(got) - expected).abs() < 1e-5, "seed {seed}: {got} {expected}");
            }
        }
    }
}

#[test]
fn gradient_agrees_with_finite_differences() {
    for case in CASES {
        let (seed, case) = (case.0, Case::new(case));
        let automaton = case.automaton();
        let grids = automaton.grids();
        let mut backward = Backward::new(&case.circuits, grids);
        let d_state = backward.begin();
        for cell in 0..CELLS {
            for channel in 0..CHANNELS {
                d_state[grids.index(cell, channel)] = Case::weight(cell, channel) as f32;
            }
        }
        let mut d_logits = vec![f32::NAN; case.logits.len()];
        (0..STEPS).rev().for_each(|step| backward.step(&case.circuits, &automaton, step));
        backward.finish(&case.circuits, &case.logits, &mut d_logits);
        let wide: Vec<f64> = case.logits.iter().copied().map(f64::from).collect();
        // Every 13th logit: a sample from each layer.
        for i in (0..wide.len()).step_by(13) {
            let loss_with_change = |change: f64| {
                let mut logits = wide.clone();
                logits[i] += change;
                case.loss(&logits)
            };
            let expected = (loss_with_change(1e-4) - loss_with_change(-1e-4)) / 2e-4;
            assert!(
                (f64::from(d_logits[i]) - expected).abs() < 1e-4,
                "seed {seed}, logit {i}: {} {expected}",
                d_logits[i]
            );
        }
    }
}

#[test]
fn hard_automaton_agrees_with_a_soft_one_whose_softmax_is_saturated() {
    // Rows that fit into one word of the hard automaton (32 bits, two of them borders), and longer ones.
    for (parameters, [width, height], periodic, count) in [
        (Parameters::Kinds, [5, 4], true, 3),
        (Parameters::Kinds, [70, 3], true, 1),
        (Parameters::Table, [130, 2], false, 2),
        (Parameters::Kinds, [64, 5], true, 1),
    ] {
        let (circuits, stream) = (small_cell(parameters), Stream::new(4, 2));
        let mut logits = vec![0.0; circuits.logits()];
        stream.fill_uniform(0, &mut logits);
        logits.iter_mut().for_each(|x| *x -= 0.5);
        // Scaled until the softmax of each gate gives its most likely kind a probability of one.
        let saturated: Vec<f32> = logits.iter().map(|x| 1e6 * x).collect();
        // The hard automaton needs no scaling, because the most likely kinds are the same.
        let grids = Grids::new(width, height, periodic, count, CHANNELS);
        let cells = width * height * count;
        let mut soft = SoftAutomaton::new(&circuits, grids, STEPS, true);
        let mut hard = circuits.hard_automaton(&logits, [width, height], periodic, count);
        for channel in 0..CHANNELS {
            let bit = |cell: usize| stream.uniform(cell as u64, 40 + channel as u64) < 0.5;
            soft.set_channel(channel, (0..cells).map(|cell| f32::from(u8::from(bit(cell)))));
            hard.set_channel(channel, (0..cells).map(bit));
        }
        for t in 0..STEPS {
            // Each cell is active with probability 0.6.
            let active: Vec<bool> =
                (0..cells).map(|cell| stream.uniform(cell as u64, 50 + t as u64) < 0.6).collect();
            soft.set_active(t, active.iter().copied());
            hard.step(Some(&active));
        }
        run(&mut soft, &circuits, &saturated);
        for channel in 0..CHANNELS {
            let soft: Vec<bool> = soft.grids().channel(soft.state(STEPS), channel).map(|x| x > 0.5).collect();
            assert_eq!(soft, hard.channel(channel).collect::<Vec<_>>(), "{width}x{height}");
        }
    }
}

/// The neighbour that each output of perception passes on initially. It is found by setting one neighbour to
/// 1 and all others to 0: only the neighbour that is passed on makes the output 1.
///
/// Shape: `[outputs of a kernel * kernels]`.
fn initial_neighbours(circuits: &CellCircuits) -> Vec<usize> {
    // A logit of 20 makes passing through almost certain.
    let logits: Vec<f64> = circuits.pass_through_logits(20.0).into_iter().map(f64::from).collect();
    let (own, _) = logits.split_at(circuits.perception.logits());
    let mut shown = vec![usize::MAX; circuits.perception.outputs()];
    for neighbour in 0..NEIGHBOURHOOD {
        let mut alone = [0.0; NEIGHBOURHOOD];
        alone[neighbour] = 1.0;
        for (shown, value) in shown.iter_mut().zip(reference_circuit(&circuits.perception, own, &alone)) {
            if value > 0.99 {
                assert_eq!(*shown, usize::MAX, "an output passes on two neighbours");
                *shown = neighbour;
            }
        }
    }
    shown
}

#[test]
fn kernels_initially_pass_on_neighbours_in_all_directions_or_identical_ones() {
    for experiment in Experiment::ALL {
        for parameters in [Parameters::Kinds, Parameters::Table] {
            let setup = experiment.setup();
            for seed in 0..4 {
                let circuits =
                    |initial| CellCircuits::new(experiment, parameters, initial, Stream::new(seed, 0));
                let all_directions = circuits(InitialKernels::AllDirections);
                for (i, shown) in initial_neighbours(&all_directions).into_iter().enumerate() {
                    let (output, kernel) = (i / setup.kernels, i % setup.kernels);
                    assert_eq!(
                        shown as u32,
                        setup.initial_neighbours[kernel % setup.initial_neighbours.len()][output]
                    );
                }
                let identical = circuits(InitialKernels::Identical);
                for shown in initial_neighbours(&identical).chunks_exact(setup.kernels) {
                    assert!(shown.iter().all(|neighbour| *neighbour == shown[0]));
                }
            }
        }
    }
}

/// The netlist evaluates the kernels on every channel and then the update.
#[test]
fn netlist_of_a_cell_agrees_with_evaluating_its_layers() {
    let sizes: [&[usize]; 2] = [&[8, 4, 2], &[12, 8, 6, 3]];
    let circuits = CellCircuits::with_layers(3, 2, sizes, Parameters::Kinds, &[], Stream::new(5, 0));
    let mut logits = vec![0.0; circuits.logits()];
    Stream::new(6, 0).fill_uniform(0, &mut logits);
    let netlist = circuits.netlist(&logits);
    assert_eq!(netlist.gates.len(), 3 * circuits.perception.gates() + circuits.update.gates());
    let run = |circuit: &GateLayers, logits: &[f32], mut values: Vec<u64>| {
        let mut kinds = vec![0; circuit.gates()];
        circuit.most_likely_kinds(logits, &mut kinds, None);
        let mut kinds = kinds.into_iter().map(GateKind::from_number);
        for wiring in circuit.wirings() {
            let pairs = wiring.pairs().iter().zip(&mut kinds);
            values =
                pairs.map(|([a, b], kind)| kind.apply(values[*a as usize], values[*b as usize])).collect();
        }
        values
    };
    let (for_perception, for_update) = circuits.split_logits(&logits);
    let mut random = TestRandom::new(2);
    // 64 random neighbourhoods, one per bit: a word for each of the nine cells in each of three channels.
    let cases: Vec<u64> = (0..27).map(|_| random.word()).collect();
    // The inputs of the update circuit: each channel of the cell itself, then the outputs of perception.
    let mut values: Vec<u64> = cases.chunks_exact(9).map(|neighbourhood| neighbourhood[4]).collect();
    for neighbourhood in cases.chunks_exact(9) {
        values.extend(run(&circuits.perception, for_perception, neighbourhood.to_vec()));
    }
    assert_eq!(outputs(&netlist, &cases), run(&circuits.update, for_update, values));
}
