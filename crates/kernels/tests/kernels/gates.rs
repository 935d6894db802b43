//! Differentiable gates: every gate kind against its truth table, both passes against the mixture of 16 kinds
//! in `f64`, and the absence of denormal numbers.

use learnery_kernels::gates::{
    COEFFICIENTS, GRADIENT_BIAS, KINDS, LINES, TILE, Wiring, argmax_kinds, backward, forward,
    mixture_backward, mixture_coefficients, table_backward, table_coefficients,
};

use crate::{Source, on_every_isa};

/// The output of a gate kind for bits a and b. The number of the kind is its truth table.
fn output(kind: usize, a: usize, b: usize) -> f64 {
    (kind >> (3 - (2 * a + b)) & 1) as f64
}

/// The soft output of a gate kind: the probability of output 1 if the inputs are independent and 1 with
/// probabilities `a` and `b`.
fn relaxed(kind: usize, a: f64, b: f64) -> f64 {
    let weights = [(1.0 - a) * (1.0 - b), (1.0 - a) * b, a * (1.0 - b), a * b];
    (0..4).map(|i| weights[i] * output(kind, i / 2, i % 2)).sum()
}

fn softmax(logits: &[f64]) -> Vec<f64> {
    let max = logits.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let sum: f64 = logits.iter().map(|l| (l - max).exp()).sum();
    logits.iter().map(|l| (l - max).exp() / sum).collect()
}

#[test]
fn coefficients_match_the_truth_tables() {
    for (kind, [c0, ca, cb, cab]) in COEFFICIENTS.iter().map(|c| c.map(f64::from)).enumerate() {
        for (a, b) in [(0.0, 0.0), (0.0, 1.0), (1.0, 0.0), (1.0, 1.0), (0.25, 0.7)] {
            assert!((c0 + ca * a + cb * b + cab * a * b - relaxed(kind, a, b)).abs() < 1e-12, "kind {kind}");
        }
    }
}

/// A random layer: the logits `[16, gates]` over the kinds of each gate, the inputs `x` `[inputs, TILE]` (a
/// row has one value for each of [`TILE`] cells), and the gradients at the outputs `dy` `[gates, TILE]`,
/// stored with [`GRADIENT_BIAS`] added.
struct Case {
    wiring: Wiring,
    logits: Vec<f32>,
    x: Vec<f32>,
    dy: Vec<f32>,
}

impl Case {
    fn new(seed: u32, inputs: usize, gates: usize) -> Self {
        let mut source = Source::new(seed);
        let pairs = (0..gates).map(|_| [source.below(inputs) as u32, source.below(inputs) as u32]).collect();
        Self {
            wiring: Wiring::new(inputs, pairs),
            logits: source.numbers(KINDS * gates).into_iter().map(|x| 5.0 * x).collect(),
            x: source.numbers(inputs * TILE).into_iter().map(f32::abs).collect(),
            dy: source.numbers(gates * TILE).into_iter().map(|d| d + GRADIENT_BIAS).collect(),
        }
    }

    fn gates(&self) -> usize {
        self.wiring.gates()
    }

    /// The output of gate `g` for one cell, in double precision.
    fn gate(&self, logits: &[f64], x: &[f64], g: usize, cell: usize) -> f64 {
        let gate_logits: Vec<f64> = (0..KINDS).map(|kind| logits[kind * self.gates() + g]).collect();
        let [a, b] = self.wiring.pairs()[g].map(|row| x[row as usize * TILE + cell]);
        softmax(&gate_logits).iter().enumerate().map(|(kind, weight)| weight * relaxed(kind, a, b)).sum()
    }

    /// The sum of all outputs, weighted by `dy`.
    fn loss(&self, logits: &[f64], x: &[f64]) -> f64 {
        let all = (0..self.gates()).flat_map(|g| (0..TILE).map(move |cell| (g, cell)));
        all.map(|(g, cell)| {
            f64::from(self.dy[g * TILE + cell] - GRADIENT_BIAS) * self.gate(logits, x, g, cell)
        })
        .sum()
    }
}

/// Converts to double precision.
fn wide(x: &[f32]) -> Vec<f64> {
    x.iter().copied().map(f64::from).collect()
}

#[test]
fn forward_computes_the_mixture_of_sixteen_kinds() {
    on_every_isa(|isa| {
        // Numbers of gates below, between and at multiples of a vector.
        for (seed, inputs, gates) in [(1, 2, 1), (2, 9, 8), (3, 17, 31), (4, 40, 64)] {
            let case = Case::new(seed, inputs, gates);
            let (mut coefs, mut y) = (vec![0.0; 4 * gates], vec![f32::NAN; gates * TILE]);
            mixture_coefficients(&case.logits, &mut coefs);
            forward(&case.wiring, TILE, &coefs, &case.x, &mut y);
            let (logits, x) = (wide(&case.logits), wide(&case.x));
            for g in 0..gates {
                for cell in 0..TILE {
                    let (got, expected) = (f64::from(y[g * TILE + cell]), case.gate(&logits, &x, g, cell));
                    assert!((got - expected).abs() < 2e-6, "{isa}: gate {g}, cell {cell}: {got} {expected}");
                }
            }
        }
    });
}

#[test]
fn gate_gradients_agree_with_finite_differences() {
    on_every_isa(|isa| {
        for (seed, inputs, gates) in [(5, 2, 3), (6, 7, 5)] {
            let case = Case::new(seed, inputs, gates);
            let mut coefs = vec![0.0; 4 * gates];
            mixture_coefficients(&case.logits, &mut coefs);
            // `backward` adds to `d_coefs`, which therefore begins at 0.5, and overwrites `dx`.
            let (mut dx, mut d_coefs) = (vec![f32::NAN; inputs * TILE], vec![0.5; 4 * gates]);
            backward(&case.wiring, TILE, &coefs, &case.x, &case.dy, &mut dx, &mut d_coefs);
            d_coefs.iter_mut().for_each(|d| *d -= 0.5);
            let mut d_logits = vec![f32::NAN; KINDS * gates];
            mixture_backward(&case.logits, &d_coefs, &mut d_logits);
            let (logits, x) = (wide(&case.logits), wide(&case.x));
            let slope = |at: &dyn Fn(f64) -> f64| (at(1e-5) - at(-1e-5)) / 2e-5;
            for i in 0..dx.len() {
                let expected = slope(&|h| {
                    let mut moved = x.clone();
                    moved[i] += h;
                    case.loss(&logits, &moved)
                });
                assert!((f64::from(dx[i] - GRADIENT_BIAS) - expected).abs() < 1e-4, "{isa}: input {i}");
            }
            for i in 0..d_logits.len() {
                let expected = slope(&|h| {
                    let mut moved = logits.clone();
                    moved[i] += h;
                    case.loss(&moved, &x)
                });
                assert!((f64::from(d_logits[i]) - expected).abs() < 1e-4, "{isa}: logit {i}");
            }
        }
    });
}

/// Gradients that shrink by a factor of 1000 in each of 20 layers end as zero and are never denormal.
#[test]
fn vanishing_gradients_become_zero_and_never_denormal() {
    on_every_isa(|isa| {
        let gates = 40;
        let wiring = Wiring::new(gates, (0..gates as u32).map(|i| [i, (i + 1) % gates as u32]).collect());
        let (mut logits, mut coefs) = (vec![0.0; KINDS * gates], vec![0.0; 4 * gates]);
        // "False" is a thousand times as likely as each other kind.
        logits[..gates].fill(7.0);
        mixture_coefficients(&logits, &mut coefs);
        let (mut x, mut y) = (vec![1.0; gates * TILE], vec![0.0; gates * TILE]);
        let (mut dy, mut dx) = (vec![1.0; gates * TILE], vec![0.0; gates * TILE]);
        for _ in 0..20 {
            let mut d_coefs = vec![0.0; 4 * gates];
            forward(&wiring, TILE, &coefs, &x, &mut y);
            backward(&wiring, TILE, &coefs, &x, &dy, &mut dx, &mut d_coefs);
            let mut all = x.iter().chain(&y).chain(&dx).chain(&d_coefs).chain(&coefs);
            assert!(all.all(|x| *x == 0.0 || x.is_normal()), "{isa}");
            std::mem::swap(&mut x, &mut y);
            std::mem::swap(&mut dy, &mut dx);
        }
        assert!(dy.iter().all(|d| *d == GRADIENT_BIAS), "{isa}: {}", dy[0]);
    });
}

/// Even if one kind has nearly all the weight, no coefficient or gradient is denormal.
#[test]
fn sharp_mixtures_have_no_denormal_numbers() {
    on_every_isa(|isa| {
        let gates = 37;
        for sharpness in [1.0, 10.0, 90.0, 1000.0] {
            let mut source = Source::new(11);
            let logits: Vec<f32> = source.numbers(KINDS * gates).into_iter().map(|x| sharpness * x).collect();
            let d_coefs: Vec<f32> = source.numbers(4 * gates).into_iter().map(|d| 1e-15 * d).collect();
            let (mut coefs, mut d_logits) = (vec![f32::NAN; 4 * gates], vec![f32::NAN; KINDS * gates]);
            mixture_coefficients(&logits, &mut coefs);
            mixture_backward(&logits, &d_coefs, &mut d_logits);
            let mut all = coefs.iter().chain(&d_logits);
            assert!(all.all(|x| *x == 0.0 || x.is_normal()), "{isa}, {sharpness}");
        }
    });
}

#[test]
fn argmax_kinds_prefers_the_first_of_equals() {
    on_every_isa(|isa| {
        for gates in [1, 5, 16, 35] {
            let mut source = Source::new(12);
            let logits: Vec<f32> =
                source.numbers(KINDS * gates).into_iter().map(|x| (4.0 * x).round()).collect();
            let mut kinds = vec![99; gates];
            argmax_kinds(&logits, &mut kinds);
            for (g, kind) in kinds.iter().enumerate() {
                let at = |kind: usize| logits[kind * gates + g];
                let best = (1..KINDS).fold(0, |best, kind| if at(kind) > at(best) { kind } else { best });
                assert_eq!(usize::from(*kind), best, "{isa}: gate {g} of {gates}");
            }
        }
    });
}

/// The coefficients of a gate from the probabilities of its outputs at the four corners.
fn coefficients_of_table(logits: &[f64]) -> [f64; 4] {
    let [none, b, a, both] = [0, 1, 2, 3].map(|line: usize| 1.0 / (1.0 + (-logits[line]).exp()));
    [none, a - none, b - none, both - a - b + none]
}

#[test]
fn table_coefficients_and_gradients_match_the_definition() {
    on_every_isa(|isa| {
        for (seed, gates) in [(8, 1), (9, 16), (10, 37)] {
            let mut source = Source::new(seed);
            let logits: Vec<f32> = source.numbers(LINES * gates).into_iter().map(|x| 6.0 * x).collect();
            let d_coefs = source.numbers(4 * gates);
            let (mut coefs, mut d_logits) = (vec![f32::NAN; 4 * gates], vec![f32::NAN; LINES * gates]);
            table_coefficients(&logits, &mut coefs);
            table_backward(&logits, &d_coefs, &mut d_logits);
            for g in 0..gates {
                let gate_logits: Vec<f64> =
                    (0..LINES).map(|line| f64::from(logits[line * gates + g])).collect();
                for (k, expected) in coefficients_of_table(&gate_logits).into_iter().enumerate() {
                    assert!((f64::from(coefs[k * gates + g]) - expected).abs() < 1e-6, "{isa}: gate {g}");
                }
                for line in 0..LINES {
                    let loss = |h: f64| -> f64 {
                        let mut moved = gate_logits.clone();
                        moved[line] += h;
                        let coefs = coefficients_of_table(&moved).into_iter().enumerate();
                        coefs.map(|(k, c)| c * f64::from(d_coefs[4 * g + k])).sum()
                    };
                    let expected = (loss(1e-5) - loss(-1e-5)) / 2e-5;
                    let got = f64::from(d_logits[line * gates + g]);
                    assert!((got - expected).abs() < 1e-6, "{isa}: gate {g}, line {line}: {got} {expected}");
                }
            }
        }
    });
}

/// Outputs and gradients at the inputs are bit-identical. Coefficient gradients are sums over all cells,
/// which are rounded differently.
#[test]
fn rows_of_several_tiles_are_bit_identical_to_single_tiles() {
    const TILES: usize = 3;
    on_every_isa(|isa| {
        let (inputs, gates, width) = (7, 12, TILES * TILE);
        let cases: [Case; TILES] = std::array::from_fn(|i| Case::new(20 + i as u32, inputs, gates));
        let wiring = &cases[0].wiring;
        // Joins the rows of several tiles into wide rows.
        let side_by_side = |rows: usize, tile: &dyn Fn(usize) -> Vec<f32>| -> Vec<f32> {
            let all: Vec<Vec<f32>> = (0..TILES).map(tile).collect();
            (0..rows)
                .flat_map(|r| all.iter().flat_map(move |x| x[r * TILE..(r + 1) * TILE].to_vec()))
                .collect()
        };
        let (mut coefs, mut y) = (vec![0.0; 4 * gates], vec![f32::NAN; gates * width]);
        mixture_coefficients(&cases[0].logits, &mut coefs);
        let x = side_by_side(inputs, &|i| cases[i].x.clone());
        forward(wiring, width, &coefs, &x, &mut y);
        let dy = side_by_side(gates, &|i| cases[i].dy.clone());
        let (mut dx, mut d_coefs) = (vec![0.0; inputs * width], vec![0.0; 4 * gates]);
        backward(wiring, width, &coefs, &x, &dy, &mut dx, &mut d_coefs);

        let mut sums = vec![0.0f32; 4 * gates];
        let each: Vec<(Vec<f32>, Vec<f32>)> = (0..TILES)
            .map(|i| {
                let (mut y, mut dx) = (vec![f32::NAN; gates * TILE], vec![0.0; inputs * TILE]);
                forward(wiring, TILE, &coefs, &cases[i].x, &mut y);
                backward(wiring, TILE, &coefs, &cases[i].x, &cases[i].dy, &mut dx, &mut sums);
                (y, dx)
            })
            .collect();
        crate::assert_same("values", &y, &side_by_side(gates, &|i| each[i].0.clone()));
        crate::assert_same("gradients", &dx, &side_by_side(inputs, &|i| each[i].1.clone()));
        for (got, expected) in d_coefs.iter().zip(&sums) {
            assert!((got - expected).abs() < 1e-4, "{isa}: {got} {expected}");
        }
    });
}

#[test]
fn gates_have_the_same_bits_on_fused_instruction_sets() {
    let case = Case::new(7, 30, 45);
    let mut seen: Vec<(bool, Vec<f32>)> = Vec::new();
    for isa in learnery_kernels::simd::Isa::available() {
        learnery_kernels::simd::force_isa(Some(isa));
        let gates = case.gates();
        let (mut coefs, mut y) = (vec![0.0; 4 * gates], vec![0.0; gates * TILE]);
        mixture_coefficients(&case.logits, &mut coefs);
        forward(&case.wiring, TILE, &coefs, &case.x, &mut y);
        let (mut dx, mut d_coefs) = (vec![0.0; case.x.len()], vec![0.0; 4 * gates]);
        backward(&case.wiring, TILE, &coefs, &case.x, &case.dy, &mut dx, &mut d_coefs);
        learnery_kernels::simd::force_isa(None);
        // Of the native instruction sets, only "portable" has no fused multiply-add.
        seen.push((isa.name() != "portable", [coefs, y, dx, d_coefs].concat()));
    }
    for (fused, values) in &seen {
        let first = seen.iter().find(|(other, _)| other == fused).expect("itself at least");
        crate::assert_same("gates", values, &first.1);
    }
}

#[test]
#[should_panic(expected = "a row that does not exist")]
fn wire_from_a_missing_row_is_rejected() {
    Wiring::new(3, vec![[0, 3]]);
}
