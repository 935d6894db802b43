//! Muon (Jordan et al., "Muon: an optimizer for hidden layers in neural networks", 2024): an optimiser that
//! orthogonalises the momentum of weight matrices.
//!
//! A hidden matrix moves in the direction of the orthogonal matrix that is closest to its momentum, so that a
//! step has about the same length in every direction. Five Newton-Schulz iterations approximate that matrix.
//! Their coefficients make the iteration fast rather than precise: singular values end at about 0.7 to 1.2.
//! All other parameters are updated by [`Adam`].
//!
//! Several layers may be stored side by side in one matrix, such as queries, keys and values. They are
//! orthogonalised separately.
//!
//! Each iteration multiplies the matrix by a polynomial of its Gram matrix (the product of the matrix and its
//! transpose, a square as wide as the shorter side). If the longer side is at least [`GRAM_RATIO`] times the
//! shorter one, the iteration runs on the small Gram matrix alone: the product of the polynomials is
//! accumulated and applied to the matrix once, at the end.

use std::ops::Range;

use learnery_kernels::buffer::Buffer;
use learnery_kernels::gemm::{Mat, gemm};
use learnery_kernels::{reduce, vector};
use rayon::prelude::*;

use crate::adam::{Adam, AdamOptions, clip_factor, gradient_norm};
use crate::params::Matrix;
use crate::{TensorError, Tensors};

/// The coefficients a, b, c of the Newton-Schulz polynomial and the number of iterations, as published by
/// Jordan et al.
const COEFFICIENTS: [f32; 3] = [3.4445, -4.775, 2.0315];
const ITERATIONS: usize = 5;

/// The ratio of the longer to the shorter side from which on the iteration runs on the Gram matrix. With
/// ratio r and shorter side n, five iterations take `(10 r + 5) n^3` multiplications on the matrix and
/// `(2 r + 17) n^3` on the Gram matrix, so the latter is cheaper above 1.5.
const GRAM_RATIO: usize = 2;

/// Rows of a product per parallel task.
const ROWS_PER_TASK: usize = 64;

/// Hyperparameters of an optimiser step. They may change from step to step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MuonOptions {
    /// Learning rate of the matrices.
    pub lr: f32,
    /// Decay rate of the moving average of the matrices' gradients.
    pub momentum: f32,
    /// Decoupled weight decay of the matrices, which is multiplied by the learning rate.
    pub weight_decay: f32,
    /// Hyperparameters for all other parameters. Its `max_norm` clips the whole gradient, matrices included.
    pub adam: AdamOptions,
}

impl Default for MuonOptions {
    fn default() -> Self {
        Self { lr: 0.02, momentum: 0.95, weight_decay: 0.0, adam: AdamOptions::default() }
    }
}

/// The state of the optimiser.
#[derive(Clone, Debug)]
pub struct Muon {
    matrices: Vec<MuonMatrix>,
    /// The parameter groups that Adam updates: their ranges, each with its weight decay.
    rest: Vec<(Range<usize>, f32)>,
    /// The momentum of all matrices, one after the other.
    momentum: Buffer,
    /// Adam's moments for `rest`, one group after the other.
    adam: Adam,
    /// The Nesterov momentum of one matrix.
    nesterov: Buffer,
    workspace: Workspace,
}

/// A matrix: its shape, the number of layers stored side by side in it, and its range in the parameters.
#[derive(Clone, Debug)]
struct MuonMatrix {
    inputs: usize,
    outputs: usize,
    parts: usize,
    range: Range<usize>,
}

/// Workspace of the orthogonalisation; holds no state between matrices.
#[derive(Clone, Debug)]
struct Workspace {
    /// The matrix, which becomes orthogonal, and the product of a polynomial with it.
    /// Shape of each: `[rows, cols]`.
    x: Buffer,
    product: Buffer,
    /// The Gram matrix, the polynomial of it, the product of the polynomials, and scratch.
    /// Shape of each: `[size, size]`.
    squares: [Buffer; 4],
}

impl Muon {
    /// `matrices` are the matrices that Muon updates, in the order of the layout, each with the number of
    /// layers of equal width that are stored side by side in it. The layers are orthogonalised separately,
    /// because otherwise the one with the largest gradient would dominate.
    ///
    /// `groups` are parameter groups that cover all parameters, with their weight decay. Groups that are not
    /// one of `matrices` are updated by Adam.
    pub fn new<'a>(
        matrices: impl Iterator<Item = (&'a Matrix, usize)>,
        groups: &[(Range<usize>, f32)],
    ) -> Self {
        let matrix = |(m, parts): (&Matrix, usize)| {
            assert!(parts > 0 && m.outputs.is_multiple_of(parts), "{parts} layers of {} outputs", m.outputs);
            MuonMatrix { inputs: m.inputs, outputs: m.outputs, parts, range: m.range.clone() }
        };
        let matrices: Vec<_> = matrices.map(matrix).collect();
        let is_matrix = |group: &Range<usize>| matrices.iter().any(|matrix| matrix.range == *group);
        let rest: Vec<_> = groups.iter().filter(|(group, _)| !is_matrix(group)).cloned().collect();
        let total_len =
            |ranges: &mut dyn Iterator<Item = &Range<usize>>| ranges.map(Range::len).sum::<usize>();
        let rest_len = total_len(&mut rest.iter().map(|(group, _)| group));
        let largest = matrices.iter().map(|matrix| matrix.range.len()).max().unwrap_or(0);
        let short_side = |matrix: &MuonMatrix| matrix.inputs.min(matrix.outputs / matrix.parts);
        let gram_len = matrices.iter().map(short_side).max().unwrap_or(0).pow(2);
        Self {
            momentum: Buffer::new(total_len(&mut matrices.iter().map(|matrix| &matrix.range))),
            adam: Adam::new(rest_len),
            nesterov: Buffer::new(largest),
            workspace: Workspace {
                x: Buffer::new(largest),
                product: Buffer::new(largest),
                squares: std::array::from_fn(|_| Buffer::new(gram_len)),
            },
            matrices,
            rest,
        }
    }

    /// One optimiser step. Returns the norm of the gradient before clipping. If that is not finite, nothing
    /// changes.
    pub fn step(&mut self, params: &mut [f32], grads: &[f32], options: &MuonOptions) -> f32 {
        let norm = gradient_norm(grads);
        if !norm.is_finite() {
            return norm;
        }
        let scale = clip_factor(norm, options.adam.max_norm);
        self.adam.begin_step();
        let mut first = 0;
        for (group, weight_decay) in &self.rest {
            let options = AdamOptions { weight_decay: *weight_decay, ..options.adam };
            self.adam.update(first, &mut params[group.clone()], &grads[group.clone()], &options, scale);
            first += group.len();
        }
        let mut first = 0;
        for MuonMatrix { inputs, outputs, parts, range } in &self.matrices {
            let momentum = &mut self.momentum[first..first + range.len()];
            first += range.len();
            let (params, grads) = (&mut params[range.clone()], &grads[range.clone()]);
            let nesterov = &mut self.nesterov[..range.len()];
            // The moving average of the gradients, and the Nesterov look-ahead: momentum mixed with the
            // gradient.
            nesterov.copy_from_slice(grads);
            vector::scale(nesterov, scale);
            vector::lerp(momentum, 1.0 - options.momentum, nesterov);
            vector::lerp(nesterov, options.momentum, momentum);
            vector::scale(params, 1.0 - options.lr * options.weight_decay);
            // A matrix that widens its input takes larger steps, as in the reference implementation.
            let columns = outputs / parts;
            let scale_up = (columns as f32 / *inputs as f32).max(1.0).sqrt();
            for part in 0..*parts {
                let layer_columns =
                    |row: usize| row * outputs + part * columns..row * outputs + (part + 1) * columns;
                for (row, x) in self.workspace.x.chunks_exact_mut(columns).take(*inputs).enumerate() {
                    x.copy_from_slice(&nesterov[layer_columns(row)]);
                }
                orthogonalise(&mut self.workspace, *inputs, columns);
                for (row, x) in self.workspace.x.chunks_exact(columns).take(*inputs).enumerate() {
                    vector::axpy(&mut params[layer_columns(row)], -options.lr * scale_up, x);
                }
            }
        }
        norm
    }

    pub fn to_tensors(&self) -> Tensors {
        let mut tensors = self.adam.to_tensors();
        tensors.insert("momentum", &[self.momentum.len()], &self.momentum);
        tensors
    }

    /// Restores the state from tensors.
    pub fn load(&mut self, tensors: &Tensors) -> Result<(), TensorError> {
        let momentum: Vec<f32> = tensors.get("momentum", &[self.momentum.len()])?;
        self.adam = Adam::from_tensors(self.adam.len(), tensors)?;
        self.momentum.copy_from_slice(&momentum);
        Ok(())
    }
}

/// Replaces `workspace.x` by an approximation of the closest orthogonal matrix. One Newton-Schulz iteration
/// is `x = p x` with the polynomial `p = a + b s + c s s` of the Gram matrix `s = x xᵀ`. A tall matrix is
/// multiplied from the right: `x = x p`, `s = xᵀ x`. Shapes: `x [rows, cols]`.
fn orthogonalise(workspace: &mut Workspace, rows: usize, cols: usize) {
    let size = rows.min(cols);
    let Workspace { x, product, squares } = workspace;
    let (x, product) = (&mut x[..rows * cols], &mut product[..rows * cols]);
    let [gram, p, accumulated, scratch] = squares.each_mut().map(|square| &mut square[..size * size]);
    let norm = reduce::sum_squares(x).sqrt() as f32;
    // The iteration converges for singular values up to one, and no singular value exceeds the Frobenius
    // norm. 1e-7 avoids a division by zero.
    vector::scale(x, 1.0 / (norm + 1e-7));
    if rows.max(cols) < GRAM_RATIO * size {
        for _ in 0..ITERATIONS {
            gram_matrix(gram, x, rows, cols);
            polynomial(p, gram, size);
            apply_polynomial(x, p, product, rows, cols);
        }
        return;
    }
    gram_matrix(gram, x, rows, cols);
    for i in 0..ITERATIONS {
        polynomial(p, gram, size);
        let p = Mat::new(p, size, size);
        if i == 0 {
            accumulated.copy_from_slice(p.data);
        } else {
            multiply(scratch, Mat::new(accumulated, size, size), p);
            accumulated.copy_from_slice(scratch);
        }
        if i + 1 < ITERATIONS {
            // The Gram matrix of `p x` is `p s p`, because `p` is a polynomial in `s` and commutes with it.
            multiply(scratch, p, Mat::new(gram, size, size));
            multiply(gram, Mat::new(scratch, size, size), p);
        }
    }
    apply_polynomial(x, accumulated, product, rows, cols);
}

/// Computes the Gram matrix on the shorter side: `x xᵀ`, or `xᵀ x` if the matrix is tall.
fn gram_matrix(out: &mut [f32], x: &[f32], rows: usize, cols: usize) {
    let x = Mat::new(x, rows, cols);
    let (left, right) = if rows <= cols { (x, x.t()) } else { (x.t(), x) };
    multiply(out, left, right);
}

/// `out = a + b s + c s s` with [`COEFFICIENTS`] a, b and c.
/// Shapes: `s, out [size, size]`.
fn polynomial(out: &mut [f32], s: &[f32], size: usize) {
    let [a, b, c] = COEFFICIENTS;
    let matrix = Mat::new(s, size, size);
    multiply(out, matrix, matrix);
    vector::scale(out, c);
    vector::axpy(out, b, s);
    out.iter_mut().step_by(size + 1).for_each(|diagonal| *diagonal += a);
}

/// `x = p x`, or `x = x p` if the matrix is tall.
fn apply_polynomial(x: &mut [f32], p: &[f32], product: &mut [f32], rows: usize, cols: usize) {
    let size = rows.min(cols);
    let (matrix, p) = (Mat::new(x, rows, cols), Mat::new(p, size, size));
    let (left, right) = if rows <= cols { (p, matrix) } else { (matrix, p) };
    multiply(product, left, right);
    x.copy_from_slice(product);
}

/// `out = a b`, with the rows shared among the threads, one task per [`ROWS_PER_TASK`] rows.
fn multiply(out: &mut [f32], a: Mat, b: Mat) {
    out.par_chunks_mut(ROWS_PER_TASK * b.cols).with_max_len(1).enumerate().for_each(|(i, out)| {
        let first = i * ROWS_PER_TASK * a.row_stride;
        let rows = Mat { data: &a.data[first..], rows: out.len() / b.cols, ..a };
        let accumulate = false;
        gemm(out, rows, b, accumulate);
    });
}

#[cfg(test)]
mod tests {
    use learnery_kernels::rng::Stream;

    use super::*;
    use crate::Layout;
    use crate::params::WITHOUT_INPUT_GRADIENT;

    /// Normally distributed numbers from the random stream `stream`.
    fn numbers(n: usize, stream: u32) -> Vec<f32> {
        (0..n).map(|i| Stream::new(9, stream).normal2(i as u64, 0)[0]).collect()
    }

    /// The Newton-Schulz iteration in `f64`, from its definition.
    fn reference(g: &[f32], rows: usize, cols: usize) -> Vec<f64> {
        let [a, b, c] = COEFFICIENTS.map(f64::from);
        let length = g.iter().map(|v| f64::from(*v) * f64::from(*v)).sum::<f64>().sqrt() + 1e-7;
        let mut x: Vec<f64> = g.iter().map(|v| f64::from(*v) / length).collect();
        let product = |x: &[f64], y: &[f64], [n, k, m]: [usize; 3]| -> Vec<f64> {
            let cell = |i: usize| (0..k).map(|l| x[i / m * k + l] * y[l * m + i % m]).sum();
            (0..n * m).map(cell).collect()
        };
        for _ in 0..ITERATIONS {
            let transposed: Vec<f64> = (0..rows * cols).map(|i| x[i % rows * cols + i / rows]).collect();
            let s = product(&x, &transposed, [rows, cols, rows]);
            let ss = product(&s, &s, [rows; 3]);
            let p: Vec<f64> = s.iter().zip(&ss).map(|(s, ss)| b * s + c * ss).collect();
            let px = product(&p, &x, [rows, rows, cols]);
            x = x.iter().zip(px).map(|(x, px)| a * x + px).collect();
        }
        x
    }

    #[test]
    fn muon_step_matches_the_definition() {
        let sizes = [(3, 3), (5, 9), (9, 5), (70, 130), (1, 4), (33, 140), (140, 33), (40, 80)];
        let alone = sizes.into_iter().map(|(rows, cols)| (rows, cols, 1));
        for (rows, cols, layers) in alone.chain([(5, 15, 3), (20, 90, 2), (64, 192, 3)]) {
            let mut layout = Layout::default();
            layout.add("before".into(), &[2]);
            let matrix = layout.add_matrix("w".into(), rows, cols, WITHOUT_INPUT_GRADIENT);
            layout.add("after".into(), &[3]);
            let range = matrix.range.clone();
            // Parameter groups with their weight decay. Muon ignores that of its matrix (0.7): it has its own
            // option.
            let parts = [(0..2, 0.5), (range.clone(), 0.7), (range.end..layout.len(), 0.0)];
            let mut muon = Muon::new([(&matrix, layers)].into_iter(), &parts);
            let (start, grads) = (numbers(layout.len(), 1), numbers(layout.len(), 2));
            let adam = AdamOptions { lr: 0.01, ..AdamOptions::default() };
            let options = MuonOptions { lr: 0.1, weight_decay: 0.2, adam, ..MuonOptions::default() };
            let mut params = start.clone();
            muon.step(&mut params, &grads, &options);
            // In the first step, the momentum is a multiple of the gradient, and the factor cancels.
            let width = cols / layers;
            let scale_up = (width as f64 / rows as f64).max(1.0).sqrt();
            for layer in 0..layers {
                let matrix = |i: usize| range.start + i / width * cols + layer * width + i % width;
                let of_layer: Vec<f32> = (0..rows * width).map(|i| grads[matrix(i)]).collect();
                for (i, d) in reference(&of_layer, rows, width).into_iter().enumerate() {
                    let i = matrix(i);
                    let expected = f64::from(start[i]) * (1.0 - 0.1 * 0.2) - 0.1 * scale_up * d;
                    assert!((f64::from(params[i]) - expected).abs() < 1e-4, "{i} of {rows} by {cols}");
                }
            }
            for (part, decay) in [&parts[0], &parts[2]] {
                for i in part.clone() {
                    // In the first step, both moments of Adam cancel except for the sign of the gradient.
                    let expected = start[i] - 0.01 * (grads[i].signum() + decay * start[i]);
                    assert!((params[i] - expected).abs() < 1e-5, "{i} beside {rows} by {cols}");
                }
            }
            let mut restored = Muon::new([(&matrix, layers)].into_iter(), &parts);
            restored.load(&muon.to_tensors()).unwrap();
            let same = |a: &Muon, b: &Muon| a.momentum == b.momentum && a.adam == b.adam;
            assert!(same(&restored, &muon));
            let before = params.clone();
            let not_finite = vec![f32::NAN; params.len()];
            assert!(restored.step(&mut params, &not_finite, &options).is_nan());
            assert!(params == before && same(&restored, &muon));
        }
    }

    /// Singular values between 0.03 and 1 become about 1.
    #[test]
    fn orthogonalise_makes_singular_values_nearly_equal() {
        let (rows, cols) = (4, 6);
        let mut workspace = Workspace {
            x: Buffer::new(rows * cols),
            product: Buffer::new(rows * cols),
            squares: std::array::from_fn(|_| Buffer::new(rows * rows)),
        };
        for (i, length) in [1.0, -0.3, 0.1, 0.03].into_iter().enumerate() {
            workspace.x[i * cols + i] = length;
        }
        orthogonalise(&mut workspace, rows, cols);
        for (i, v) in workspace.x.iter().enumerate() {
            let expected = i % (cols + 1) == 0;
            assert!(if expected { (0.65..1.25).contains(&v.abs()) } else { v.abs() < 1e-6 }, "{i}: {v}");
        }
    }
}
