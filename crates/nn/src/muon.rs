//! Muon: a step of the same length in every direction that a matrix can change in.
//!
//! Jordan and others, "Muon: an optimizer for hidden layers in neural networks", 2024: the momentum of a matrix is replaced
//! by (nearly) the closest orthogonal matrix, found by five steps of an iteration of Newton and Schulz with coefficients that
//! give up precision for speed. What is not a hidden matrix is left to [`Adam`].

use std::ops::Range;

use learnery_kernels::buffer::Buffer;
use learnery_kernels::gemm::{Mat, gemm};
use learnery_kernels::{reduce, vector};
use rayon::prelude::*;

use crate::adam::{Adam, AdamOptions, clip, norm};
use crate::params::Matrix;
use crate::{TensorError, Tensors};

/// The coefficients of the iteration, and how often it is done.
const COEFFICIENTS: [f32; 3] = [3.4445, -4.775, 2.0315];
const ITERATIONS: usize = 5;

/// Rows of a product that one thread makes at a time.
const SHARE: usize = 64;

/// The dials of a step of Muon. They may change from one to the next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MuonOptions {
    /// Learning rate of the matrices.
    pub lr: f32,
    /// How slowly the mean of their gradients forgets.
    pub momentum: f32,
    /// How much of every parameter of theirs goes in a step, times the learning rate.
    pub weight_decay: f32,
    /// Of all other parameters; the whole gradient is shortened to its `max_norm`.
    pub adam: AdamOptions,
}

impl Default for MuonOptions {
    fn default() -> Self {
        Self { lr: 0.02, momentum: 0.95, weight_decay: 0.0, adam: AdamOptions::default() }
    }
}

/// The state of Muon.
#[derive(Clone, Debug)]
pub struct Muon {
    /// Inputs, outputs and place of each matrix.
    matrices: Vec<(usize, usize, Range<usize>)>,
    /// All else, in parts each with its weight decay.
    rest: Vec<(Range<usize>, f32)>,
    /// One after the other, each matrix's.
    momentum: Buffer,
    /// Of the parts of the rest, one after the other.
    adam: Adam,
    room: Room,
}

/// What orthogonalising works in; it holds nothing from one matrix to the next.
#[derive(Clone, Debug)]
struct Room {
    x: Buffer,
    product: Buffer,
    squares: [Buffer; 2],
}

impl Muon {
    /// No step taken yet. `matrices` are to be changed by Muon, in the order of the layout; `decays` has all parameters in
    /// parts with the weight decay of those that are left to Adam.
    pub fn new<'a>(matrices: impl Iterator<Item = &'a Matrix>, decays: &[(Range<usize>, f32)]) -> Self {
        let matrices: Vec<_> = matrices.map(|m| (m.inputs, m.outputs, m.range.clone())).collect();
        let ours = |part: &Range<usize>| matrices.iter().any(|(.., range)| range == part);
        let rest: Vec<_> = decays.iter().filter(|(part, _)| !ours(part)).cloned().collect();
        let count = |parts: &mut dyn Iterator<Item = &Range<usize>>| parts.map(Range::len).sum::<usize>();
        let of_rest = count(&mut rest.iter().map(|(part, _)| part));
        let most = matrices.iter().map(|(.., range)| range.len()).max().unwrap_or(0);
        let square =
            matrices.iter().map(|(inputs, outputs, _)| inputs.min(outputs).pow(2)).max().unwrap_or(0);
        Self {
            momentum: Buffer::new(count(&mut matrices.iter().map(|(.., range)| range))),
            adam: Adam::new(of_rest),
            room: Room {
                x: Buffer::new(most),
                product: Buffer::new(most),
                squares: std::array::from_fn(|_| Buffer::new(square)),
            },
            matrices,
            rest,
        }
    }

    /// One step down the gradient. Returns the gradient's length before it was shortened. A gradient that is not finite is
    /// not followed at all.
    pub fn step(&mut self, params: &mut [f32], grads: &[f32], options: &MuonOptions) -> f32 {
        let norm = norm(grads);
        if !norm.is_finite() {
            return norm;
        }
        let scale = clip(norm, options.adam.max_norm);
        self.adam.begin();
        let mut first = 0;
        for (part, weight_decay) in &self.rest {
            let options = AdamOptions { weight_decay: *weight_decay, ..options.adam };
            self.adam.change(first, &mut params[part.clone()], &grads[part.clone()], &options, scale);
            first += part.len();
        }
        let mut first = 0;
        for (inputs, outputs, range) in &self.matrices {
            let momentum = &mut self.momentum[first..first + range.len()];
            first += range.len();
            let (params, grads) = (&mut params[range.clone()], &grads[range.clone()]);
            let x = &mut self.room.x[..range.len()];
            // The mean of the gradients, and a step ahead of it (Nesterov).
            x.copy_from_slice(grads);
            vector::scale(x, scale);
            vector::approach(momentum, 1.0 - options.momentum, x);
            vector::approach(x, options.momentum, momentum);
            orthogonalise(&mut self.room, *inputs, *outputs);
            let stretch = (*outputs as f32 / *inputs as f32).max(1.0).sqrt();
            vector::scale(params, 1.0 - options.lr * options.weight_decay);
            vector::axpy(params, -options.lr * stretch, &self.room.x[..range.len()]);
        }
        norm
    }

    /// The state as tensors.
    pub fn to_tensors(&self) -> Tensors {
        let mut tensors = self.adam.to_tensors();
        tensors.insert("momentum", &[self.momentum.len()], &self.momentum);
        tensors
    }

    /// Takes over a state from tensors.
    pub fn load(&mut self, tensors: &Tensors) -> Result<(), TensorError> {
        let momentum: Vec<f32> = tensors.get("momentum", &[self.momentum.len()])?;
        self.adam = Adam::from_tensors(self.adam.len(), tensors)?;
        self.momentum.copy_from_slice(&momentum);
        Ok(())
    }
}

/// Replaces the matrix in `x` `[rows, cols]` by one of nearly the same directions, all about as long:
/// `x = a x + (b s + c s s) x` with `s = x xᵀ`, again and again. Where the matrix is tall, `s = xᵀ x` from the right.
fn orthogonalise(room: &mut Room, rows: usize, cols: usize) {
    let [a, b, c] = COEFFICIENTS;
    let size = rows.min(cols);
    let Room { x, product, squares: [square, polynomial] } = room;
    let (x, product) = (&mut x[..rows * cols], &mut product[..rows * cols]);
    let (square, polynomial) = (&mut square[..size * size], &mut polynomial[..size * size]);
    let length = reduce::sum_squares(x).sqrt() as f32;
    vector::scale(x, 1.0 / (length + 1e-7));
    for _ in 0..ITERATIONS {
        let matrix = Mat::new(x, rows, cols);
        let (left, right) = if rows <= cols { (matrix, matrix.t()) } else { (matrix.t(), matrix) };
        multiply(square, left, right);
        let symmetric = Mat::new(square, size, size);
        multiply(polynomial, symmetric, symmetric);
        vector::scale(polynomial, c);
        vector::axpy(polynomial, b, square);
        let polynomial = Mat::new(polynomial, size, size);
        if rows <= cols {
            multiply(product, polynomial, matrix);
        } else {
            multiply(product, matrix, polynomial);
        }
        vector::scale(x, a);
        reduce::add_assign(x, product);
    }
}

/// `out = a b`, its rows shared out to the threads.
fn multiply(out: &mut [f32], a: Mat, b: Mat) {
    out.par_chunks_mut(SHARE * b.cols).with_max_len(1).enumerate().for_each(|(i, out)| {
        let first = i * SHARE * a.row_stride;
        let rows = Mat { data: &a.data[first..], rows: out.len() / b.cols, ..a };
        gemm(out, rows, b, false);
    });
}

#[cfg(test)]
mod tests {
    use learnery_kernels::rng::Stream;

    use super::*;
    use crate::Layout;

    fn numbers(n: usize, purpose: u32) -> Vec<f32> {
        (0..n).map(|i| Stream::new(9, purpose).normal2(i as u64, 0)[0]).collect()
    }

    /// Step by step in `f64`, from the definition.
    fn reference(g: &[f32], rows: usize, cols: usize) -> Vec<f64> {
        let [a, b, c] = COEFFICIENTS.map(f64::from);
        let length = g.iter().map(|v| f64::from(*v).powi(2)).sum::<f64>().sqrt() + 1e-7;
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

    /// The first step of a matrix, and of the rest.
    #[test]
    fn steps_are_those_of_the_definition() {
        for (rows, cols) in [(3, 3), (5, 9), (9, 5), (70, 130), (1, 4)] {
            let mut layout = Layout::default();
            layout.add("before".into(), &[2]);
            let matrix = layout.add_matrix("w".into(), rows, cols, false);
            layout.add("after".into(), &[3]);
            let range = matrix.range.clone();
            let parts = [(0..2, 0.5), (range.clone(), 0.7), (range.end..layout.len(), 0.0)];
            let mut muon = Muon::new([&matrix].into_iter(), &parts);
            let (start, grads) = (numbers(layout.len(), 1), numbers(layout.len(), 2));
            let adam = AdamOptions { lr: 0.01, ..AdamOptions::default() };
            let options = MuonOptions { lr: 0.1, weight_decay: 0.2, adam, ..MuonOptions::default() };
            let mut params = start.clone();
            muon.step(&mut params, &grads, &options);
            // Of a first step every multiple of the gradient gives the same.
            let direction = reference(&grads[range.clone()], rows, cols);
            let stretch = (cols as f64 / rows as f64).max(1.0).sqrt();
            for (i, d) in range.zip(direction) {
                let expected = f64::from(start[i]) * (1.0 - 0.1 * 0.2) - 0.1 * stretch * d;
                assert!((f64::from(params[i]) - expected).abs() < 1e-4, "{i} of {rows} by {cols}");
            }
            for (part, decay) in [&parts[0], &parts[2]] {
                for i in part.clone() {
                    let expected = start[i] - 0.01 * (grads[i].signum() + decay * start[i]);
                    assert!((params[i] - expected).abs() < 1e-5, "{i} beside {rows} by {cols}");
                }
            }
            let mut again = Muon::new([&matrix].into_iter(), &parts);
            again.load(&muon.to_tensors()).unwrap();
            let same = |a: &Muon, b: &Muon| a.momentum == b.momentum && a.adam == b.adam;
            assert!(same(&again, &muon));
            let before = params.clone();
            let not_finite = vec![f32::NAN; params.len()];
            assert!(again.step(&mut params, &not_finite, &options).is_nan());
            assert!(params == before && same(&again, &muon));
        }
    }

    /// Every direction gets about the same length, even one that hardly counts in the gradient.
    #[test]
    fn directions_are_made_alike() {
        let (rows, cols) = (4, 6);
        let mut room = Room {
            x: Buffer::new(rows * cols),
            product: Buffer::new(rows * cols),
            squares: std::array::from_fn(|_| Buffer::new(rows * rows)),
        };
        for (i, length) in [1.0, -0.3, 0.1, 0.03].into_iter().enumerate() {
            room.x[i * cols + i] = length;
        }
        orthogonalise(&mut room, rows, cols);
        for (i, v) in room.x.iter().enumerate() {
            let expected = i % (cols + 1) == 0;
            assert!(if expected { (0.65..1.25).contains(&v.abs()) } else { v.abs() < 1e-6 }, "{i}: {v}");
        }
    }
}
