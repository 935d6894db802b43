//! Learns from nothing until the run's goal is reached: several evaluations of the circuit in a row without a
//! wrong cell. Then checks the exported circuit with a slow interpreter that shares no code with the lab.

use learnery_lab::contract::run_until_solved;
use learnery_lab::{Entry, Job, Session};
use learnery_logic::{Export, ExportInput, Format, Logic};
use serde_json::Value;

/// Seeds that were chosen before this test was ever run. No setting was tuned on them, so passing is no
/// selection.
const SEEDS: [u32; 2] = [1234, 77];

/// Runs a preset until its goal is reached, and returns the exported circuit.
fn learn(preset: &str, seed: u32, max_units: u64) -> Circuit {
    let lab = Entry::of::<Logic>();
    let settings = lab.preset(preset).expect("the preset exists");
    let mut session = Session::start(lab, &settings, seed).expect("the settings are good");
    run_until_solved(&mut session, max_units);
    let full = false; // pruned, as users get it
    let input = ExportInput { format: Format::Json, full };
    let mut job = Job::<Export>::begin(&session.save(), input, None).expect("the checkpoint has a circuit");
    Circuit::parse(&job.answer().expect("any circuit can be exported").text)
}

/// An exported circuit. Values are 0 or 1.
struct Circuit {
    channels: usize,
    periodic: bool,
    /// The kind and the wires a and b. The bits of the kind, from the highest on, are the outputs for (a, b)
    /// = 00, 01, 10, 11.
    gates: Vec<[usize; 3]>,
    outputs: Vec<usize>,
}

impl Circuit {
    fn parse(text: &str) -> Self {
        let json: Value = serde_json::from_str(text).expect("the export is JSON");
        let number = |value: &Value| value.as_u64().expect("a number") as usize;
        let list = |name: &str| json[name].as_array().expect("a list").clone();
        Self {
            channels: number(&json["channels"]),
            periodic: json["periodic"].as_bool().expect("a truth value"),
            gates: list("gates").iter().map(|g| [number(&g[0]), number(&g[1]), number(&g[2])]).collect(),
            outputs: list("outputs").iter().map(number).collect(),
        }
    }

    /// The next channels of a cell.
    ///
    /// Shapes: `neighbourhood [channels, 9]`.
    fn next(&self, neighbourhood: &[u8]) -> Vec<u8> {
        assert_eq!(neighbourhood.len(), 9 * self.channels);
        let mut wires = neighbourhood.to_vec();
        for [kind, a, b] in &self.gates {
            let row = 2 * wires[*a] + wires[*b];
            wires.push((kind >> (3 - row) & 1) as u8);
        }
        self.outputs.iter().map(|wire| wires[*wire]).collect()
    }

    /// One step of a square grid. Beyond its edge all channels are 0, unless it is periodic.
    ///
    /// Shapes: `state [cells][channels]`.
    fn step(&self, size: i32, state: &[Vec<u8>]) -> Vec<Vec<u8>> {
        let mut next = Vec::new();
        for y in 0..size {
            for x in 0..size {
                let mut neighbourhood = vec![0; 9 * self.channels];
                for (place, (dx, dy)) in (0..9).map(|place| (place, (place % 3 - 1, place / 3 - 1))) {
                    let (x, y) = (x + dx, y + dy);
                    let inside = (0..size).contains(&x) && (0..size).contains(&y);
                    if inside || self.periodic {
                        let cell = y.rem_euclid(size) * size + x.rem_euclid(size);
                        for (channel, value) in state[cell as usize].iter().enumerate() {
                            neighbourhood[9 * channel + place as usize] = *value;
                        }
                    }
                }
                next.push(self.next(&neighbourhood));
            }
        }
        next
    }
}

#[test]
fn life_is_learned_exactly_in_all_neighbourhoods() {
    for seed in SEEDS {
        // 200 units of 20 epochs are 4,000 epochs; most seeds need 600 to 1,000.
        let circuit = learn("life", seed, 200);
        assert_eq!(circuit.channels, 1);
        for bits in 0..512u32 {
            let neighbourhood: Vec<u8> = (0..9).map(|i| (bits >> i & 1) as u8).collect();
            let neighbours: u8 = neighbourhood.iter().sum::<u8>() - neighbourhood[4];
            let lives = neighbours == 3 || neighbours == 2 && neighbourhood[4] == 1;
            assert_eq!(circuit.next(&neighbourhood), [u8::from(lives)], "seed {seed}, {neighbourhood:?}");
        }
    }
}

#[test]
fn checkerboard_is_learned_exactly_from_random_starts_and_on_a_larger_grid() {
    for seed in SEEDS {
        // 300 units of 5 epochs are 1,500 epochs; most seeds need 100 to 800.
        let circuit = learn("checkerboard", seed, 300);
        // Training and proof draw from Philox; this is xorshift64.
        let mut random = 0x9e37_79b9_7f4a_7c15_u64;
        let mut bit = || {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            (random >> 40 & 1) as u8
        };
        // Three starts on a grid of the training size with the steps of training. Then one on a grid of four
        // times the size with four times the steps, because information moves one cell in a step.
        for (size, steps) in [(16, 20), (16, 20), (16, 20), (64, 80)] {
            let mut state: Vec<Vec<u8>> =
                (0..size * size).map(|_| (0..circuit.channels).map(|_| bit()).collect()).collect();
            (0..steps).for_each(|_| state = circuit.step(size, &state));
            // In channel 0, squares of 2x2 cells are 0 and 1 in turn.
            let wrong = (0..size * size).filter(|cell| {
                let (x, y) = (cell % size, cell / size);
                state[*cell as usize][0] != ((x / 2 + y / 2) % 2) as u8
            });
            assert_eq!(wrong.count(), 0, "seed {seed}, {size}x{size}");
        }
    }
}
