//! Muon: a step of the same length in every direction that a matrix can change in.
//!
//! Jordan and others, "Muon: an optimizer for hidden layers in neural networks", 2024: the momentum of a matrix is replaced
//! by (nearly) the closest orthogonal matrix, found by five steps of an iteration of Newton and Schulz with coefficients that
//! give up precision for speed. What is not a hidden matrix is left to [`Adam`].
//!
//! Layers that stand side by side in one matrix, as queries, keys and values do, are made orthogonal each for itself.
//!
//! Of a matrix much longer than wide only its square is iterated on, as small as its shorter side: what the steps would
//! multiply the matrix by is gathered, and multiplied once.

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

/// How many times as long as wide a matrix is from which on its square is iterated on alone.
const LONG: usize = 2;

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
    matrices: Vec<Place>,
    /// All else, in parts each with its weight decay.
    rest: Vec<(Range<usize>, f32)>,
    /// One after the other, each matrix's.
    momentum: Buffer,
    /// Of the parts of the rest, one after the other.
    adam: Adam,
    /// Where the momentum of one matrix leads.
    ahead: Buffer,
    room: Room,
}

/// A matrix: its sizes, into how many matrices side by side it falls, and where it lies.
#[derive(Clone, Debug)]
struct Place {
    inputs: usize,
    outputs: usize,
    parts: usize,
    range: Range<usize>,
}

/// What orthogonalising works in; it holds nothing from one matrix to the next.
#[derive(Clone, Debug)]
struct Room {
    x: Buffer,
    product: Buffer,
    squares: [Buffer; 4],
}

impl Muon {
    /// No step taken yet. `matrices` are to be changed by Muon, in the order of the layout, each with the number of layers of
    /// equal size that stand in it side by side: they are taken apart, or the one with the largest gradient would leave the
    /// others nothing. `decays` has all parameters in parts with the weight decay of those that are left to Adam.
    pub fn new<'a>(
        matrices: impl Iterator<Item = (&'a Matrix, usize)>,
        decays: &[(Range<usize>, f32)],
    ) -> Self {
        let place = |(m, parts): (&Matrix, usize)| {
            assert!(parts > 0 && m.outputs.is_multiple_of(parts), "{parts} layers of {} outputs", m.outputs);
            Place { inputs: m.inputs, outputs: m.outputs, parts, range: m.range.clone() }
        };
        let matrices: Vec<_> = matrices.map(place).collect();
        let ours = |part: &Range<usize>| matrices.iter().any(|place| place.range == *part);
        let rest: Vec<_> = decays.iter().filter(|(part, _)| !ours(part)).cloned().collect();
        let count = |parts: &mut dyn Iterator<Item = &Range<usize>>| parts.map(Range::len).sum::<usize>();
        let of_rest = count(&mut rest.iter().map(|(part, _)| part));
        let most = matrices.iter().map(|place| place.range.len()).max().unwrap_or(0);
        let side = |place: &Place| place.inputs.min(place.outputs / place.parts);
        let square = matrices.iter().map(side).max().unwrap_or(0).pow(2);
        Self {
            momentum: Buffer::new(count(&mut matrices.iter().map(|place| &place.range))),
            adam: Adam::new(of_rest),
            ahead: Buffer::new(most),
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
        for Place { inputs, outputs, parts, range } in &self.matrices {
            let momentum = &mut self.momentum[first..first + range.len()];
            first += range.len();
            let (params, grads) = (&mut params[range.clone()], &grads[range.clone()]);
            let ahead = &mut self.ahead[..range.len()];
            // The mean of the gradients, and a step ahead of it (Nesterov).
            ahead.copy_from_slice(grads);
            vector::scale(ahead, scale);
            vector::lerp(momentum, 1.0 - options.momentum, ahead);
            vector::lerp(ahead, options.momentum, momentum);
            vector::scale(params, 1.0 - options.lr * options.weight_decay);
            let columns = outputs / parts;
            let stretch = (columns as f32 / *inputs as f32).max(1.0).sqrt();
            for part in 0..*parts {
                let of_part =
                    |row: usize| row * outputs + part * columns..row * outputs + (part + 1) * columns;
                for (row, x) in self.room.x.chunks_exact_mut(columns).take(*inputs).enumerate() {
                    x.copy_from_slice(&ahead[of_part(row)]);
                }
                orthogonalise(&mut self.room, *inputs, columns);
                for (row, x) in self.room.x.chunks_exact(columns).take(*inputs).enumerate() {
                    vector::axpy(&mut params[of_part(row)], -options.lr * stretch, x);
                }
            }
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
/// `x = p x` with `p = a + b s + c s s` and `s = x xᵀ`, again and again. Where the matrix is tall, `s = xᵀ x` from the
/// right.
fn orthogonalise(room: &mut Room, rows: usize, cols: usize) {
    let size = rows.min(cols);
    let Room { x, product, squares } = room;
    let (x, product) = (&mut x[..rows * cols], &mut product[..rows * cols]);
    let [square, p, gathered, spare] = squares.each_mut().map(|square| &mut square[..size * size]);
    let length = reduce::sum_squares(x).sqrt() as f32;
    vector::scale(x, 1.0 / (length + 1e-7));
    if rows.max(cols) < LONG * size {
        for _ in 0..ITERATIONS {
            square_of(square, x, rows, cols);
            polynomial(p, square, size);
            apply(x, p, product, rows, cols);
        }
        return;
    }
    square_of(square, x, rows, cols);
    for i in 0..ITERATIONS {
        polynomial(p, square, size);
        let p = Mat::new(p, size, size);
        if i == 0 {
            gathered.copy_from_slice(p.data);
        } else {
            multiply(spare, Mat::new(gathered, size, size), p);
            gathered.copy_from_slice(spare);
        }
        if i + 1 < ITERATIONS {
            // The square of `p x`, since `p` is made of `s` and they commute.
            multiply(spare, p, Mat::new(square, size, size));
            multiply(square, Mat::new(spare, size, size), p);
        }
    }
    apply(x, gathered, product, rows, cols);
}

/// `x xᵀ`, or `xᵀ x` where the matrix is tall.
fn square_of(out: &mut [f32], x: &[f32], rows: usize, cols: usize) {
    let x = Mat::new(x, rows, cols);
    let (left, right) = if rows <= cols { (x, x.t()) } else { (x.t(), x) };
    multiply(out, left, right);
}

/// `a + b s + c s s`
fn polynomial(out: &mut [f32], s: &[f32], size: usize) {
    let [a, b, c] = COEFFICIENTS;
    let matrix = Mat::new(s, size, size);
    multiply(out, matrix, matrix);
    vector::scale(out, c);
    vector::axpy(out, b, s);
    out.iter_mut().step_by(size + 1).for_each(|diagonal| *diagonal += a);
}

/// `x = p x`, or `x p` where the matrix is tall.
fn apply(x: &mut [f32], p: &[f32], product: &mut [f32], rows: usize, cols: usize) {
    let size = rows.min(cols);
    let (matrix, p) = (Mat::new(x, rows, cols), Mat::new(p, size, size));
    let (left, right) = if rows <= cols { (p, matrix) } else { (matrix, p) };
    multiply(product, left, right);
    x.copy_from_slice(product);
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
        let sizes = [(3, 3), (5, 9), (9, 5), (70, 130), (1, 4), (33, 140), (140, 33), (40, 80)];
        let alone = sizes.into_iter().map(|(rows, cols)| (rows, cols, 1));
        for (rows, cols, layers) in alone.chain([(5, 15, 3), (20, 90, 2), (64, 192, 3)]) {
            let mut layout = Layout::default();
            layout.add("before".into(), &[2]);
            let matrix = layout.add_matrix("w".into(), rows, cols, false);
            layout.add("after".into(), &[3]);
            let range = matrix.range.clone();
            let parts = [(0..2, 0.5), (range.clone(), 0.7), (range.end..layout.len(), 0.0)];
            let mut muon = Muon::new([(&matrix, layers)].into_iter(), &parts);
            let (start, grads) = (numbers(layout.len(), 1), numbers(layout.len(), 2));
            let adam = AdamOptions { lr: 0.01, ..AdamOptions::default() };
            let options = MuonOptions { lr: 0.1, weight_decay: 0.2, adam, ..MuonOptions::default() };
            let mut params = start.clone();
            muon.step(&mut params, &grads, &options);
            // Of a first step every multiple of the gradient gives the same.
            let width = cols / layers;
            let stretch = (width as f64 / rows as f64).max(1.0).sqrt();
            for layer in 0..layers {
                let place = |i: usize| range.start + i / width * cols + layer * width + i % width;
                let of_layer: Vec<f32> = (0..rows * width).map(|i| grads[place(i)]).collect();
                for (i, d) in reference(&of_layer, rows, width).into_iter().enumerate() {
                    let i = place(i);
                    let expected = f64::from(start[i]) * (1.0 - 0.1 * 0.2) - 0.1 * stretch * d;
                    assert!((f64::from(params[i]) - expected).abs() < 1e-4, "{i} of {rows} by {cols}");
                }
            }
            for (part, decay) in [&parts[0], &parts[2]] {
                for i in part.clone() {
                    let expected = start[i] - 0.01 * (grads[i].signum() + decay * start[i]);
                    assert!((params[i] - expected).abs() < 1e-5, "{i} beside {rows} by {cols}");
                }
            }
            let mut again = Muon::new([(&matrix, layers)].into_iter(), &parts);
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
