//! The automaton's passes against a plain one in f64.

use learnery_kernels::rng::Stream;

use super::automaton::{Automaton, Brain};
use super::config::{Looks, Parameters};
use super::experiment::Experiment;
use super::grid::Grids;
use super::hard::HardAutomaton;
use super::way_back::WayBack;
use super::wiring::NEIGHBOURHOOD;

const WIDTH: usize = 5;
const HEIGHT: usize = 4;
const COUNT: usize = 2;
const CELLS: usize = WIDTH * HEIGHT * COUNT;
const CHANNELS: usize = 3;
const STEPS: usize = 3;

fn brain(parameters: Parameters) -> Brain {
    Brain::new(CHANNELS, 2, &[8, 4, 2], &[12, 8, 6, 3], parameters, &[&[2, 6], &[0, 8]], Stream::new(5, 0))
}

fn relaxed(logits: &[f64], a: f64, b: f64) -> f64 {
    if let [none, only_b, only_a, both] =
        logits.iter().map(|l| 1.0 / (1.0 + (-l).exp())).collect::<Vec<_>>()[..]
    {
        return none * (1.0 - a) * (1.0 - b) + only_b * (1.0 - a) * b + only_a * a * (1.0 - b) + both * a * b;
    }
    let most = logits.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let sum: f64 = logits.iter().map(|l| (l - most).exp()).sum();
    let chances = [(1.0 - a) * (1.0 - b), (1.0 - a) * b, a * (1.0 - b), a * b];
    let answer =
        |kind: usize| -> f64 { (0..4).filter(|i| kind >> (3 - i) & 1 == 1).map(|i| chances[i]).sum() };
    logits.iter().enumerate().map(|(kind, l)| (l - most).exp() / sum * answer(kind)).sum()
}

/// What a circuit makes of some values, gate by gate.
fn circuit(circuit: &super::circuit::Circuit, logits: &[f64], x: &[f64]) -> Vec<f64> {
    let (mut values, mut at, each) = (x.to_vec(), 0, circuit.logits() / circuit.gates());
    for wiring in circuit.wirings() {
        let gates = wiring.gates();
        let own = |g: usize| -> Vec<f64> { (0..each).map(|kind| logits[at + kind * gates + g]).collect() };
        let next = wiring.pairs().iter().enumerate();
        values = next.map(|(g, [a, b])| relaxed(&own(g), values[*a as usize], values[*b as usize])).collect();
        at += each * gates;
    }
    values
}

/// One step of one cell after the other. // state [CELLS][CHANNELS]
fn step(brain: &Brain, logits: &[f64], state: &[[f64; CHANNELS]], periodic: bool) -> Vec<[f64; CHANNELS]> {
    let (for_perception, for_update) = logits.split_at(brain.perception.logits());
    let cell = |place: usize| {
        let (grid, x, y) = (place / (WIDTH * HEIGHT), place % WIDTH, place / WIDTH % HEIGHT);
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
        let mut input = state[place].to_vec();
        for channel in 0..CHANNELS {
            let seen: Vec<f64> = (0..9).map(|k| seen(channel, k)).collect();
            input.extend(circuit(&brain.perception, for_perception, &seen));
        }
        circuit(&brain.update, for_update, &input).try_into().expect("a value for each channel")
    };
    (0..state.len()).map(cell).collect()
}

struct Case {
    brain: Brain,
    logits: Vec<f32>,
    start: Vec<[f64; CHANNELS]>,
    awake: Option<Vec<Vec<bool>>>,
    periodic: bool,
}

impl Case {
    fn new((seed, parameters, periodic, sleepy): (u32, Parameters, bool, bool)) -> Self {
        let (brain, stream) = (brain(parameters), Stream::new(seed, 1));
        let mut logits = vec![0.0; brain.logits()];
        stream.fill_uniform(0, &mut logits);
        logits.iter_mut().for_each(|x| *x = 6.0 * *x - 3.0);
        let uniform = |i: usize, j: usize| stream.uniform(1 + i as u64, j as u64);
        let start = (0..CELLS).map(|cell| std::array::from_fn(|c| f64::from(uniform(cell, c)))).collect();
        let awake = (0..STEPS).map(|t| (0..CELLS).map(|cell| uniform(cell, 9 + t) < 0.6).collect()).collect();
        Self { brain, logits, start, awake: sleepy.then_some(awake), periodic }
    }

    fn automaton(&self) -> Automaton {
        let grids = Grids::new(WIDTH, HEIGHT, self.periodic, COUNT, CHANNELS);
        let mut automaton = Automaton::new(&self.brain, grids, STEPS, self.awake.is_some());
        for channel in 0..CHANNELS {
            automaton.put(channel, self.start.iter().map(|cell| cell[channel] as f32));
        }
        for (t, awake) in self.awake.iter().flatten().enumerate() {
            automaton.wake(t, awake.iter().copied());
        }
        run(&mut automaton, &self.brain, &self.logits);
        automaton
    }

    fn last(&self, logits: &[f64]) -> Vec<[f64; CHANNELS]> {
        (0..STEPS).fold(self.start.clone(), |state, t| {
            let mut next = step(&self.brain, logits, &state, self.periodic);
            if let Some(awake) = &self.awake {
                next.iter_mut()
                    .zip(&state)
                    .zip(&awake[t])
                    .filter(|(_, awake)| !**awake)
                    .for_each(|((n, s), _)| *n = *s);
            }
            next
        })
    }

    /// Some weight for each value at the end.
    fn weight(cell: usize, channel: usize) -> f64 {
        ((cell * 7 + channel * 3) % 11) as f64 / 5.0 - 1.0
    }

    fn loss(&self, logits: &[f64]) -> f64 {
        let last = self.last(logits);
        let all = last
            .iter()
            .enumerate()
            .flat_map(|(i, cell)| cell.iter().enumerate().map(move |(c, x)| (i, c, x)));
        all.map(|(i, c, x)| Self::weight(i, c) * x).sum()
    }
}

fn run(automaton: &mut Automaton, brain: &Brain, logits: &[f32]) {
    automaton.learn(brain, logits);
    (0..automaton.steps()).for_each(|step| automaton.step(brain, step));
}

/// Seed, what is learned of a gate, whether edges meet, whether cells sleep.
const CASES: [(u32, Parameters, bool, bool); 4] = [
    (1, Parameters::Kinds, true, false),
    (2, Parameters::Kinds, false, false),
    (3, Parameters::Kinds, false, true),
    (4, Parameters::Table, true, true),
];

#[test]
fn steps_are_those_of_one_cell_after_the_other() {
    for case in CASES {
        let (seed, case) = (case.0, Case::new(case));
        let automaton = case.automaton();
        let wide: Vec<f64> = case.logits.iter().copied().map(f64::from).collect();
        let expected = case.last(&wide);
        for channel in 0..CHANNELS {
            for (cell, got) in automaton.grids().get(automaton.state(STEPS), channel).enumerate() {
                let expected = expected[cell][channel];
                assert!((f64::from(got) - expected).abs() < 1e-5, "case {seed}: {got} {expected}");
            }
        }
    }
}

#[test]
fn the_way_back_agrees_with_finite_differences() {
    for case in CASES {
        let (seed, case) = (case.0, Case::new(case));
        let automaton = case.automaton();
        let grids = automaton.grids();
        let mut back = WayBack::new(&case.brain, grids);
        let d_state = back.begin();
        for cell in 0..CELLS {
            for channel in 0..CHANNELS {
                d_state[grids.at(cell, channel)] = Case::weight(cell, channel) as f32;
            }
        }
        let mut d_logits = vec![f32::NAN; case.logits.len()];
        (0..STEPS).rev().for_each(|step| back.step(&case.brain, &automaton, step));
        back.end(&case.brain, &case.logits, &mut d_logits);
        let wide: Vec<f64> = case.logits.iter().copied().map(f64::from).collect();
        // Some of each layer are enough.
        for i in (0..wide.len()).step_by(13) {
            let at = |by: f64| {
                let mut moved = wide.clone();
                moved[i] += by;
                case.loss(&moved)
            };
            let expected = (at(1e-4) - at(-1e-4)) / 2e-4;
            assert!(
                (f64::from(d_logits[i]) - expected).abs() < 1e-4,
                "case {seed}, logit {i}: {} {expected}",
                d_logits[i]
            );
        }
    }
}

/// Where the soft automaton is sure of every gate, and of every value, the hard one does the same.
#[test]
fn decided_gates_do_what_certain_ones_do() {
    for (parameters, [width, height], periodic, count) in [
        (Parameters::Kinds, [5, 4], true, 3),
        (Parameters::Kinds, [70, 3], true, 1),
        (Parameters::Table, [130, 2], false, 2),
        (Parameters::Kinds, [64, 5], true, 1),
    ] {
        let (brain, stream) = (brain(parameters), Stream::new(4, 2));
        let mut logits = vec![0.0; brain.logits()];
        stream.fill_uniform(0, &mut logits);
        logits.iter_mut().for_each(|x| *x -= 0.5);
        // The likeliest far above the others: times so much that the differences decide.
        let certain: Vec<f32> = logits.iter().map(|x| 1e6 * x).collect();
        let grids = Grids::new(width, height, periodic, count, CHANNELS);
        let cells = width * height * count;
        let mut soft = Automaton::new(&brain, grids, STEPS, true);
        let mut hard = HardAutomaton::new(&brain, &logits, [width, height], periodic, count);
        for channel in 0..CHANNELS {
            let bit = |cell: usize| stream.uniform(cell as u64, 40 + channel as u64) < 0.5;
            soft.put(channel, (0..cells).map(|cell| f32::from(u8::from(bit(cell)))));
            hard.put(channel, (0..cells).map(bit));
        }
        for t in 0..STEPS {
            let awake: Vec<bool> =
                (0..cells).map(|cell| stream.uniform(cell as u64, 50 + t as u64) < 0.6).collect();
            soft.wake(t, awake.iter().copied());
            hard.step(Some(&awake));
        }
        run(&mut soft, &brain, &certain);
        for channel in 0..CHANNELS {
            let soft: Vec<bool> = soft.grids().get(soft.state(STEPS), channel).map(|x| x > 0.5).collect();
            assert_eq!(soft, hard.get(channel).collect::<Vec<_>>(), "{width}x{height}");
        }
    }
}

/// Which neighbours the kernels' outputs are at first. // [outputs of a kernel * kernels]
fn shown_at_first(brain: &Brain) -> Vec<usize> {
    let logits: Vec<f64> = brain.pass_through(20.0).into_iter().map(f64::from).collect();
    let (own, _) = logits.split_at(brain.perception.logits());
    let mut shown = vec![usize::MAX; brain.perception.outputs()];
    for neighbour in 0..NEIGHBOURHOOD {
        let mut alone = [0.0; NEIGHBOURHOOD];
        alone[neighbour] = 1.0;
        for (shown, value) in shown.iter_mut().zip(circuit(&brain.perception, own, &alone)) {
            if value > 0.99 {
                assert_eq!(*shown, usize::MAX, "an output shows two");
                *shown = neighbour;
            }
        }
    }
    shown
}

#[test]
fn kernels_look_to_all_sides_at_first_or_all_to_the_same() {
    for experiment in Experiment::ALL {
        for parameters in [Parameters::Kinds, Parameters::Table] {
            let setup = experiment.setup();
            for seed in 0..4 {
                let around = setup.brain(parameters, Looks::Around, Stream::new(seed, 0));
                for (i, shown) in shown_at_first(&around).into_iter().enumerate() {
                    let (output, kernel) = (i / setup.kernels, i % setup.kernels);
                    assert_eq!(shown as u32, setup.looks[kernel % setup.looks.len()][output]);
                }
                let alike = setup.brain(parameters, Looks::Alike, Stream::new(seed, 0));
                for shown in shown_at_first(&alike).chunks_exact(setup.kernels) {
                    assert!(shown.iter().all(|neighbour| *neighbour == shown[0]));
                }
            }
        }
    }
}

#[test]
fn a_word_holds_sixty_four_truth_tables() {
    for kind in 0..16 {
        for (a, b) in [(0, 0), (0, u64::MAX), (u64::MAX, 0), (u64::MAX, u64::MAX)] {
            let answer = kind >> (3 - (2 * (a & 1) + (b & 1))) & 1;
            assert_eq!(super::hard::apply(kind, a, b), if answer == 1 { u64::MAX } else { 0 });
        }
    }
}
