//! A plain multi-layer perceptron with tanh between its layers and a linear end.
//!
//! `y = tanh(x W + b)`, layer after layer; weights are `[inputs, outputs]`, row by row. All scratch lives
//! in an [`MlpWorkspace`] sized at start, so neither pass allocates.

use std::ops::Range;

use learnery_kernels::gemm::{Mat, gemm};
use learnery_kernels::rng::Stream;
use learnery_kernels::{activation, reduce};

use crate::params::{Layout, orthogonal};

#[derive(Clone, Debug)]
struct Dense {
    inputs: usize,
    outputs: usize,
    weight: Range<usize>,
    bias: Range<usize>,
}

/// The shape of a perceptron and where its parameters lie in a flat vector.
#[derive(Clone, Debug)]
pub struct Mlp {
    layers: Vec<Dense>,
}

/// Activations and gradients of one batch.
#[derive(Clone, Debug)]
pub struct MlpWorkspace {
    /// Numbers in an output row.
    width: usize,
    /// Most rows it holds.
    capacity: usize,
    /// Output of each layer. // [layer][capacity, outputs]
    outputs: Vec<Vec<f32>>,
    /// Gradient at the output of each layer. // [layer][capacity, outputs]
    gradients: Vec<Vec<f32>>,
}

impl MlpWorkspace {
    /// The outputs of the last forward pass of `rows` rows, and where the caller writes the gradient at
    /// them before [`Mlp::backward`]. // both [rows, outputs]
    pub fn outputs_and_gradients(&mut self, rows: usize) -> (&[f32], &mut [f32]) {
        let (last, len) = (self.outputs.len() - 1, rows * self.width);
        (&self.outputs[last][..len], &mut self.gradients[last][..len])
    }
}

impl Mlp {
    /// A perceptron through `sizes` (inputs, hidden..., outputs), its parameters added to `layout` under
    /// `name`.
    pub fn new(layout: &mut Layout, name: &str, sizes: &[usize]) -> Self {
        assert!(sizes.len() >= 2, "a perceptron needs inputs and outputs");
        let layers = sizes
            .windows(2)
            .enumerate()
            .map(|(i, pair)| Dense {
                inputs: pair[0],
                outputs: pair[1],
                weight: layout.add(format!("{name}/{i}/weight"), pair),
                bias: layout.add(format!("{name}/{i}/bias"), &pair[1..]),
            })
            .collect();
        Self { layers }
    }

    /// Orthogonal weights with gain sqrt(2) in the hidden layers and `last_gain` in the last, zero biases.
    pub fn init(&self, params: &mut [f32], last_gain: f32, stream: Stream) {
        for (i, layer) in self.layers.iter().enumerate() {
            let last = i + 1 == self.layers.len();
            let gain = if last { last_gain } else { std::f32::consts::SQRT_2 };
            let weight = &mut params[layer.weight.clone()];
            orthogonal(weight, layer.inputs, layer.outputs, gain, stream, i as u64);
            params[layer.bias.clone()].fill(0.0);
        }
    }

    /// Scratch for batches of up to `capacity` rows.
    pub fn workspace(&self, capacity: usize) -> MlpWorkspace {
        let buffers = || self.layers.iter().map(|layer| vec![0.0; capacity * layer.outputs]).collect();
        let width = self.layers[self.layers.len() - 1].outputs;
        MlpWorkspace { width, capacity, outputs: buffers(), gradients: buffers() }
    }

    /// Runs `rows` rows of `x` `[rows, inputs]` and returns `[rows, outputs]`.
    pub fn forward<'w>(&self, params: &[f32], x: &[f32], rows: usize, ws: &'w mut MlpWorkspace) -> &'w [f32] {
        assert!(rows <= ws.capacity, "{rows} rows in a workspace for {}", ws.capacity);
        for (i, layer) in self.layers.iter().enumerate() {
            let (before, rest) = ws.outputs.split_at_mut(i);
            let input = before.last().map_or(x, Vec::as_slice);
            let y = &mut rest[0][..rows * layer.outputs];
            let weight = Mat::new(&params[layer.weight.clone()], layer.inputs, layer.outputs);
            gemm(y, Mat::new(input, rows, layer.inputs), weight, false);
            let bias = &params[layer.bias.clone()];
            if i + 1 == self.layers.len() {
                activation::bias_add(y, bias);
            } else {
                activation::bias_tanh(y, bias);
            }
        }
        let last = self.layers.len() - 1;
        &ws.outputs[last][..rows * self.layers[last].outputs]
    }

    /// Adds the gradient of the last forward pass (same `params`, `x`, `rows`) to `grads`, laid out like
    /// `params`.
    pub fn backward(&self, params: &[f32], x: &[f32], rows: usize, ws: &mut MlpWorkspace, grads: &mut [f32]) {
        for i in (0..self.layers.len()).rev() {
            let layer = &self.layers[i];
            let (before, rest) = ws.gradients.split_at_mut(i);
            let dy = &rest[0][..rows * layer.outputs];
            let input = if i == 0 { x } else { &ws.outputs[i - 1] };
            let (dy_mat, x_mat) = (Mat::new(dy, rows, layer.outputs), Mat::new(input, rows, layer.inputs));
            gemm(&mut grads[layer.weight.clone()], x_mat.t(), dy_mat, true);
            reduce::add_column_sums(&mut grads[layer.bias.clone()], dy);
            if let Some(dx) = before.last_mut() {
                let dx = &mut dx[..rows * layer.inputs];
                let weight = Mat::new(&params[layer.weight.clone()], layer.inputs, layer.outputs);
                gemm(dx, dy_mat, weight.t(), false);
                activation::tanh_backward(dx, &input[..rows * layer.inputs]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same network in f64, one neuron at a time.
    fn reference(mlp: &Mlp, params: &[f64], x: &[f64]) -> Vec<f64> {
        let mut row = x.to_vec();
        for (i, layer) in mlp.layers.iter().enumerate() {
            let neuron = |o: usize| {
                let weighted = |k: usize| row[k] * params[layer.weight.start + k * layer.outputs + o];
                params[layer.bias.start + o] + (0..layer.inputs).map(weighted).sum::<f64>()
            };
            let last = i + 1 == mlp.layers.len();
            row = (0..layer.outputs).map(|o| if last { neuron(o) } else { neuron(o).tanh() }).collect();
        }
        row
    }

    fn numbers(n: usize, purpose: u32) -> Vec<f32> {
        (0..n).map(|i| Stream::new(5, purpose).normal2(i as u64, 0)[0] * 0.5).collect()
    }

    fn sample() -> (Mlp, Vec<f32>, usize, Vec<f32>) {
        let mut layout = Layout::default();
        let mlp = Mlp::new(&mut layout, "net", &[3, 7, 5, 2]);
        let rows = 9;
        (mlp, numbers(layout.len(), 1), rows, numbers(rows * 3, 2))
    }

    #[test]
    fn forward_agrees_with_the_reference() {
        let (mlp, params, rows, x) = sample();
        let mut ws = mlp.workspace(rows);
        let y = mlp.forward(&params, &x, rows, &mut ws);
        let wide: Vec<f64> = params.iter().copied().map(f64::from).collect();
        for r in 0..rows {
            let row: Vec<f64> = x[r * 3..][..3].iter().copied().map(f64::from).collect();
            for (ours, exact) in y[r * 2..][..2].iter().zip(reference(&mlp, &wide, &row)) {
                assert!((f64::from(*ours) - exact).abs() < 1e-5);
            }
        }
    }

    /// Every gradient against central differences of the f64 reference, for the loss `sum(y * weights)`.
    #[test]
    fn gradients_agree_with_finite_differences() {
        let (mlp, params, rows, x) = sample();
        let weights = numbers(rows * 2, 3);
        let mut ws = mlp.workspace(rows);
        mlp.forward(&params, &x, rows, &mut ws);
        ws.outputs_and_gradients(rows).1.copy_from_slice(&weights);
        let mut grads = vec![0.0; params.len()];
        mlp.backward(&params, &x, rows, &mut ws, &mut grads);

        let loss = |params: &[f64]| -> f64 {
            (0..rows)
                .map(|r| {
                    let row: Vec<f64> = x[r * 3..][..3].iter().copied().map(f64::from).collect();
                    let y = reference(&mlp, params, &row);
                    y.iter().zip(&weights[r * 2..]).map(|(y, w)| y * f64::from(*w)).sum::<f64>()
                })
                .sum()
        };
        let mut wide: Vec<f64> = params.iter().copied().map(f64::from).collect();
        for i in 0..wide.len() {
            let (middle, h) = (wide[i], 1e-5);
            wide[i] = middle + h;
            let above = loss(&wide);
            wide[i] = middle - h;
            let below = loss(&wide);
            wide[i] = middle;
            let slope = (above - below) / (2.0 * h);
            assert!((f64::from(grads[i]) - slope).abs() < 1e-4, "parameter {i}: {} and {slope}", grads[i]);
        }
    }
}
