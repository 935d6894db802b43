//! Linear layers with fused epilogues, and layer norm, against references in `f64`. A row is bit-identical in
//! every batch.

use crate::{Source, assert_same, on_every_isa};
use learnery_kernels::activation::Activation;
use learnery_kernels::activation::relu_backward;
use learnery_kernels::epilogue::{Epilogue, Saved};
use learnery_kernels::layer_norm::{LayerNorm, LayerNormSaved};
use learnery_kernels::layer_norm::{layer_norm, layer_norm_backward};
use learnery_kernels::linear::{PackedMatrix, linear, linear_columns, linear_residual};
use learnery_kernels::reference;

const ACTIVATIONS: [Activation; 5] =
    [Activation::Identity, Activation::Relu, Activation::Tanh, Activation::Gelu, Activation::Sigmoid];

/// Numbers of rows, inputs and outputs: random sizes, and sizes of real layers.
fn shapes(source: &mut Source) -> Vec<[usize; 3]> {
    let mut shapes: Vec<_> =
        (0..60).map(|_| [1 + source.below(40), source.below(70), 1 + source.below(70)]).collect();
    // More than 512 inputs are summed in several blocks.
    shapes.extend([[1, 1, 1], [37, 128, 128], [16, 342, 128], [5, 128, 676], [130, 128, 5], [9, 1100, 20]]);
    shapes
}

/// Inputs and parameters of a random layer.
struct Layer {
    x: Vec<f32>,
    weights: Vec<f32>,
    packed: PackedMatrix,
    bias: Vec<f32>,
    gamma: Vec<f32>,
    beta: Vec<f32>,
}

impl Layer {
    fn new(source: &mut Source, [rows, inputs, outputs]: [usize; 3]) -> Self {
        let weights = source.numbers(inputs * outputs);
        let mut packed = PackedMatrix::new(inputs, outputs);
        packed.pack(&weights);
        let [bias, gamma, beta] = [(); 3].map(|()| source.numbers(outputs));
        Self { x: source.numbers(rows * inputs), weights, packed, bias, gamma, beta }
    }

    /// Epilogue number `variant`. Successive numbers take turns with and without bias, with and without norm,
    /// and with each activation.
    fn epilogue(&self, variant: usize) -> Epilogue<'_> {
        let mut epilogue =
            if variant.is_multiple_of(2) { Epilogue::bias(&self.bias) } else { Epilogue::default() };
        if variant % 4 < 2 {
            epilogue = epilogue.norm(&self.gamma, &self.beta, 1e-3);
        }
        epilogue.then(ACTIVATIONS[variant / 4 % ACTIVATIONS.len()])
    }

    /// `stream + x W` in `f64`, row by row.
    fn products(&self, stream: &[f32]) -> Vec<Vec<f64>> {
        let (inputs, outputs) = (self.packed.inputs(), self.packed.outputs());
        let rows = stream.len() / outputs;
        let wide = |x: f32| f64::from(x);
        let dot = |r: usize, j: usize| -> f64 {
            (0..inputs).map(|k| wide(self.x[r * inputs + k]) * wide(self.weights[k * outputs + j])).sum()
        };
        (0..rows).map(|r| (0..outputs).map(|j| wide(stream[r * outputs + j]) + dot(r, j)).collect()).collect()
    }
}

#[track_caller]
fn assert_near(what: &str, got: &[f32], expected: &[f64], tolerance: f64) {
    assert_eq!(got.len(), expected.len());
    for (i, (g, e)) in got.iter().zip(expected).enumerate() {
        let fine = (f64::from(*g) - e).abs() <= tolerance * (1.0 + e.abs());
        assert!(fine, "{what}: value {i} is {g:e} and should be {e:e}");
    }
}

#[test]
fn linear_matches_the_reference() {
    on_every_isa(|isa| {
        let mut source = Source::new(20);
        for (variant, shape) in shapes(&mut source).into_iter().enumerate() {
            let [rows, inputs, outputs] = shape;
            let layer = Layer::new(&mut source, shape);
            let what = format!("{rows}x{inputs}x{outputs}, epilogue {variant}, on {isa}");
            // A row of one or two values may be nearly constant, and its normalisation then loses precision.
            let tolerance = if outputs < 4 { 3e-3 } else { 2e-5 };
            let (mut before, mut rstd) = (vec![f32::NAN; rows * outputs], vec![f32::NAN; rows]);
            let mut epilogue = layer.epilogue(variant);
            epilogue.saved = match epilogue.norm {
                Some(_) => Saved::LayerNorm(LayerNormSaved { xhat: &mut before, rstd: &mut rstd }),
                None => Saved::PreActivation(&mut before),
            };
            let mut out = vec![f32::NAN; rows * outputs];
            linear(&mut out, &layer.x, rows, &layer.packed, epilogue);
            let epilogue = layer.epilogue(variant);
            for (r, row) in layer.products(&vec![0.0; rows * outputs]).iter().enumerate() {
                let expected = reference::epilogue(row, &epilogue);
                let row_of = |x: &[f32]| x[r * outputs..][..outputs].to_vec();
                assert_near(&what, &row_of(&out), &expected.y, tolerance);
                assert_near(
                    &what,
                    &row_of(&before),
                    if epilogue.norm.is_some() { &expected.xhat } else { &expected.before_activation },
                    tolerance,
                );
                if epilogue.norm.is_some() {
                    assert_near(&what, &[rstd[r]], &[expected.rstd], tolerance);
                }
            }
        }
    });
}

#[test]
fn linear_residual_matches_the_reference() {
    on_every_isa(|isa| {
        let mut source = Source::new(21);
        for (variant, shape) in shapes(&mut source).into_iter().enumerate() {
            let [rows, inputs, outputs] = shape;
            let layer = Layer::new(&mut source, shape);
            let what = format!("{rows}x{inputs}x{outputs}, epilogue {variant}, on {isa}");
            // Short rows lose precision, as above.
            let tolerance = if outputs < 4 { 3e-3 } else { 2e-5 };
            let before = source.numbers(rows * outputs);
            let (mut stream, mut out) = (before.clone(), vec![f32::NAN; rows * outputs]);
            linear_residual(&mut stream, &mut out, &layer.x, rows, &layer.packed, layer.epilogue(variant));
            // The bias of this variant; empty if it has none.
            let bias_of_variant = layer.epilogue(variant).bias.to_vec();
            for (r, row) in layer.products(&before).iter().enumerate() {
                let row_of = |x: &[f32]| x[r * outputs..][..outputs].to_vec();
                assert_near(
                    &what,
                    &row_of(&stream),
                    &reference::epilogue(row, &Epilogue::bias(&bias_of_variant)).y,
                    tolerance,
                );
                assert_near(
                    &what,
                    &row_of(&out),
                    &reference::epilogue(row, &layer.epilogue(variant)).y,
                    tolerance,
                );
            }
            // With an empty `out`, only the stream is updated.
            let (mut alone, bias) = (before, Epilogue::bias(&bias_of_variant));
            linear_residual(&mut alone, &mut [], &layer.x, rows, &layer.packed, bias);
            assert_same(&what, &alone, &stream);
        }
    });
}

#[test]
fn linear_row_has_the_same_bits_in_every_batch() {
    on_every_isa(|isa| {
        let mut source = Source::new(22);
        for (variant, (inputs, outputs)) in
            [(128, 128), (342, 128), (128, 676), (37, 5), (600, 33), (4, 64)].into_iter().enumerate()
        {
            let rows = 131;
            let layer = Layer::new(&mut source, [rows, inputs, outputs]);
            let mut whole = vec![0.0; rows * outputs];
            // Multiples of four: with bias and norm, and each activation in turn.
            linear(&mut whole, &layer.x, rows, &layer.packed, layer.epilogue(4 * variant));
            for count in [1, 2, 3, 7, 8, 13, 32, 64, 100] {
                let first = source.below(rows - count);
                let mut got = vec![0.0; count * outputs];
                let x = &layer.x[first * inputs..][..count * inputs];
                linear(&mut got, x, count, &layer.packed, layer.epilogue(4 * variant));
                let what = format!("rows {first}..+{count} of {inputs} to {outputs} on {isa}");
                assert_same(&what, &got, &whole[first * outputs..][..count * outputs]);
            }
        }
    });
}

#[test]
fn linear_columns_is_bit_identical_to_the_whole_row() {
    on_every_isa(|isa| {
        let mut source = Source::new(24);
        for (inputs, outputs) in [(128, 128), (37, 5), (600, 676), (4, 64), (256, 333), (0, 20), (3, 0)] {
            let layer = Layer::new(&mut source, [1, inputs, outputs]);
            let what = format!("{inputs} to {outputs} on {isa}");
            let epilogue = || Epilogue::bias(&layer.bias).then(Activation::Gelu);
            let stream = source.numbers(outputs);
            let (mut whole, mut sum) = (vec![f32::NAN; outputs], stream.clone());
            linear(&mut whole, &layer.x, 1, &layer.packed, epilogue());
            linear_residual(&mut sum, &mut [], &layer.x, 1, &layer.packed, Epilogue::bias(&layer.bias));
            assert_eq!(
                (layer.packed.panel_boundary(0), layer.packed.panel_boundary(outputs)),
                (0, outputs),
                "{what}"
            );
            for parts in [1, 2, 3, 7] {
                let (mut got, mut added) = (vec![f32::NAN; outputs], stream.clone());
                for part in 0..parts {
                    let [first, last] =
                        [part, part + 1].map(|part| layer.packed.panel_boundary(outputs * part / parts));
                    let (overwrite, accumulate) = (false, true);
                    let (x, w) = (&layer.x, &layer.packed);
                    linear_columns(&mut got[first..last], overwrite, x, w, first, epilogue());
                    let bias = Epilogue::bias(&layer.bias);
                    linear_columns(&mut added[first..last], accumulate, x, w, first, bias);
                }
                assert_same(&what, &got, &whole);
                assert_same(&what, &added, &sum);
            }
        }
    });
}

/// A NaN or infinity in the inputs reaches the same outputs as in a plain product, also through a ReLU.
#[test]
fn linear_propagates_nan_and_infinities() {
    on_every_isa(|isa| {
        let mut source = Source::new(23);
        for _ in 0..20 {
            let shape = [1 + source.below(9), 1 + source.below(30), 1 + source.below(50)];
            let mut layer = Layer::new(&mut source, shape);
            layer.x = source.numbers_with_special_values(layer.x.len());
            let mut out = vec![0.0; shape[0] * shape[2]];
            let mut plain = out.clone();
            linear(&mut plain, &layer.x, shape[0], &layer.packed, Epilogue::default());
            let epilogue = Epilogue::default().then(Activation::Relu);
            linear(&mut out, &layer.x, shape[0], &layer.packed, epilogue);
            for (r, row) in layer.products(&vec![0.0; plain.len()]).iter().enumerate() {
                for (j, e) in row.iter().enumerate() {
                    let i = r * shape[2] + j;
                    assert!(plain[i].is_nan() || !e.is_nan(), "lost a NaN on {isa}");
                    let relu = if plain[i] < 0.0 { 0.0 } else { plain[i] };
                    assert_same(isa, &[out[i]], &[relu]);
                }
            }
        }
    });
}

#[test]
fn pack_transposed_equals_packing_the_transpose() {
    on_every_isa(|isa| {
        let mut source = Source::new(24);
        for _ in 0..30 {
            let (inputs, outputs) = (1 + source.below(60), 1 + source.below(60));
            let w = source.numbers(inputs * outputs);
            let transposed: Vec<f32> =
                (0..inputs * outputs).map(|i| w[i % inputs * outputs + i / inputs]).collect();
            let mut packed = [PackedMatrix::new(outputs, inputs), PackedMatrix::new(outputs, inputs)];
            packed[0].pack_transposed(&w);
            packed[1].pack(&transposed);
            let x = source.numbers(3 * outputs);
            let [first, second] = packed.map(|packed| {
                let mut out = vec![0.0; 3 * inputs];
                linear(&mut out, &x, 3, &packed, Epilogue::default());
                out
            });
            assert_same(isa, &first, &second);
        }
    });
}

#[test]
fn layer_norm_is_bit_identical_to_the_epilogue() {
    on_every_isa(|isa| {
        let mut source = Source::new(25);
        for cols in (1..70).chain([128, 131]) {
            let rows = source.below(9);
            let (x, start) = (source.numbers(rows * cols + 3), source.below(4));
            let x = &x[start..start + rows * cols];
            let (gamma, beta) = (source.numbers(cols), source.numbers(cols));
            let (mut got, mut expected) = (vec![0.0; rows * cols], vec![0.0; rows * cols]);
            let norm = LayerNorm { gamma: &gamma, beta: &beta, eps: 1e-5 };
            let saved = None;
            layer_norm(&mut got, x, norm, Activation::Relu, saved);
            let mut identity = PackedMatrix::new(cols, cols);
            let mut ones = vec![0.0; cols * cols];
            ones.iter_mut().step_by(cols + 1).for_each(|v| *v = 1.0);
            identity.pack(&ones);
            let epilogue = Epilogue::default().norm(&gamma, &beta, 1e-5).then(Activation::Relu);
            linear(&mut expected, x, rows, &identity, epilogue);
            assert_same(isa, &got, &expected);
        }
    });
}

/// The loss is `sum(y dy)`, with and without a ReLU after the norm.
#[test]
fn layer_norm_gradients_agree_with_finite_differences() {
    on_every_isa(|isa| {
        let mut source = Source::new(26);
        for (cols, rows) in [(1, 3), (2, 4), (5, 5), (16, 7), (33, 6), (128, 5)] {
            for activation in [Activation::Identity, Activation::Relu] {
                let (x, dy) = (source.numbers(rows * cols), source.numbers(rows * cols));
                let (gamma, beta) = (source.numbers(cols), source.numbers(cols));
                let norm = LayerNorm { gamma: &gamma, beta: &beta, eps: 0.1 };
                let [mut out, mut xhat, mut dx] = [(); 3].map(|()| vec![0.0; rows * cols]);
                let mut rstd = vec![0.0; rows];
                let saved = LayerNormSaved { xhat: &mut xhat, rstd: &mut rstd };
                layer_norm(&mut out, &x, norm, activation, Some(saved));
                // The backward pass adds to these gradients, so they do not begin at zero.
                let (mut dgamma, mut dbeta) = (vec![0.5; cols], vec![0.25; cols]);
                let relu = (activation == Activation::Relu).then_some(&out[..]);
                layer_norm_backward(&mut dx, &dy, relu, &xhat, &rstd, &gamma, &mut dgamma, &mut dbeta);
                let epilogue = Epilogue { norm: Some(norm), activation, ..Epilogue::default() };
                let (mut expected_gamma, mut expected_beta) = (vec![0.5; cols], vec![0.25; cols]);
                // By how far an input moves each way for a finite difference.
                let distance = 1e-5;
                for r in 0..rows {
                    let row: Vec<f64> = x[r * cols..][..cols].iter().map(|&v| f64::from(v)).collect();
                    let dy = &dy[r * cols..][..cols];
                    let loss = |row: &[f64]| -> f64 {
                        reference::epilogue(row, &epilogue)
                            .y
                            .iter()
                            .zip(dy)
                            .map(|(y, d)| y * f64::from(*d))
                            .sum()
                    };
                    for j in 0..cols {
                        let (mut above, mut below) = (row.clone(), row.clone());
                        (above[j], below[j]) = (row[j] + distance, row[j] - distance);
                        let slope = (loss(&above) - loss(&below)) / (2.0 * distance);
                        assert_near(isa, &[dx[r * cols + j]], &[slope], 1e-5);
                        let passed = relu.is_none_or(|y| y[r * cols + j] > 0.0);
                        let d = if passed { f64::from(dy[j]) } else { 0.0 };
                        expected_gamma[j] += reference::epilogue(&row, &epilogue).xhat[j] * d;
                        expected_beta[j] += d;
                    }
                }
                assert_near(isa, &dgamma, &expected_gamma, 1e-5);
                assert_near(isa, &dbeta, &expected_beta, 1e-5);
            }
        }
    });
}

/// The separate steps are the backward passes of ReLU and then of layer norm, row by row.
#[test]
fn layer_norm_backward_with_relu_is_bit_identical_to_separate_steps() {
    on_every_isa(|isa| {
        let mut source = Source::new(27);
        for (cols, rows) in [(7, 4), (64, 9), (128, 6), (131, 5)] {
            let [dy, y, xhat] = [(); 3].map(|()| source.numbers(rows * cols));
            let (rstd, gamma) = (source.numbers(rows), source.numbers(cols));
            let [mut dx, mut expected] = [(); 2].map(|()| vec![0.0; rows * cols]);
            let mut sums = [(); 4].map(|()| vec![0.5; cols]);
            let [dgamma, dbeta, expected_gamma, expected_beta] = &mut sums;
            layer_norm_backward(&mut dx, &dy, Some(&y), &xhat, &rstd, &gamma, dgamma, dbeta);
            let mut masked = dy;
            relu_backward(&mut masked, &y);
            for r in 0..rows {
                let row = r * cols..(r + 1) * cols;
                layer_norm_backward(
                    &mut expected[row.clone()],
                    &masked[row.clone()],
                    None,
                    &xhat[row],
                    &rstd[r..=r],
                    &gamma,
                    expected_gamma,
                    expected_beta,
                );
            }
            assert_same(isa, &dx, &expected);
            assert_same(isa, dgamma, expected_gamma);
            assert_same(isa, dbeta, expected_beta);
        }
    });
}

#[test]
#[should_panic(expected = "2 rows of 3 inputs")]
fn linear_rejects_a_wrong_number_of_rows() {
    linear(&mut [0.0; 8], &[0.0; 7], 2, &PackedMatrix::new(3, 4), Epilogue::default());
}
