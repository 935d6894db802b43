//! The layout of a network's parameters: named, shaped tensors in one flat vector.
//!
//! The vector is flat because optimisers, gradient clipping, reductions over threads and copies all work best
//! on one slice.

use std::ops::Range;

use learnery_kernels::rng::Stream;

use crate::{TensorError, Tensors};

/// The argument `input_gradient` of layers and networks: whether the backward pass can compute the gradient
/// at the input. It takes a transposed copy of the weights. The first layer of a network usually needs none.
pub const WITH_INPUT_GRADIENT: bool = true;
pub const WITHOUT_INPUT_GRADIENT: bool = false;

/// A named tensor in the flat vector.
#[derive(Clone, Debug, PartialEq, Eq)]
struct NamedRange {
    name: String,
    shape: Vec<usize>,
    range: Range<usize>,
}

/// A weight matrix: a right operand of matrix products, which is therefore stored packed too
/// ([`crate::Weights`]). Shape: `[inputs, outputs]`, row-major.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matrix {
    pub inputs: usize,
    pub outputs: usize,
    /// The range of its values in the flat vector.
    pub range: Range<usize>,
    /// Whether the backward pass computes the gradient at the layer's input, for which the transpose is
    /// stored too.
    pub(crate) input_gradient: bool,
    /// The position of this matrix in [`Layout::matrices`].
    pub(crate) index: usize,
}

/// Names, shapes and offsets of all parameters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    entries: Vec<NamedRange>,
    matrices: Vec<Matrix>,
    len: usize,
}

impl Layout {
    /// Appends a tensor and returns its range.
    pub fn add(&mut self, name: String, shape: &[usize]) -> Range<usize> {
        let range = self.len..self.len + shape.iter().product::<usize>();
        self.len = range.end;
        self.entries.push(NamedRange { name, shape: shape.to_vec(), range: range.clone() });
        range
    }

    /// Appends a weight matrix. With `input_gradient`, the backward pass can compute the gradient at the
    /// layer's input.
    pub fn add_matrix(
        &mut self,
        name: String,
        inputs: usize,
        outputs: usize,
        input_gradient: bool,
    ) -> Matrix {
        let range = self.add(name, &[inputs, outputs]);
        let matrix = Matrix { inputs, outputs, range, input_gradient, index: self.matrices.len() };
        self.matrices.push(matrix.clone());
        matrix
    }

    /// All weight matrices, in order.
    pub fn matrices(&self) -> &[Matrix] {
        &self.matrices
    }

    /// The range of the tensor `name`.
    pub fn find(&self, name: &str) -> Option<Range<usize>> {
        self.entries.iter().find(|entry| entry.name == name).map(|entry| entry.range.clone())
    }

    /// The name and the shape of the tensor that is in this range.
    #[cfg(not(target_family = "wasm"))]
    pub(crate) fn tensor(&self, range: &Range<usize>) -> Option<(&str, &[usize])> {
        let entry = self.entries.iter().find(|entry| entry.range == *range)?;
        Some((&entry.name, &entry.shape))
    }

    /// The names of all tensors, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().map(|entry| entry.name.as_str())
    }

    /// The number of parameters.
    pub fn len(&self) -> usize {
        self.len
    }

    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Splits a flat vector into named tensors.
    pub fn to_tensors(&self, flat: &[f32]) -> Tensors {
        let mut tensors = Tensors::new();
        for entry in &self.entries {
            tensors.insert(entry.name.clone(), &entry.shape, &flat[entry.range.clone()]);
        }
        tensors
    }

    /// Joins named tensors into a flat vector. A tensor of another shape than in the layout is an error.
    pub fn from_tensors(&self, tensors: &Tensors) -> Result<Vec<f32>, TensorError> {
        let mut flat = vec![0.0; self.len];
        for entry in &self.entries {
            flat[entry.range.clone()].copy_from_slice(&tensors.get::<f32>(&entry.name, &entry.shape)?);
        }
        Ok(flat)
    }
}

/// Orthogonal initialisation (Saxe, McClelland and Ganguli, "Exact solutions to the nonlinear dynamics of
/// learning in deep linear neural networks", 2013): fills `out` with an orthogonal matrix times `gain`.
/// `index` separates the random numbers of matrices that share a `stream`. Shapes: `out [rows, cols]`.
pub fn orthogonal(out: &mut [f32], rows: usize, cols: usize, gain: f32, stream: Stream, index: u64) {
    // Gram-Schmidt in f64: one random vector of the longer side's length for each row or column of the
    // shorter side, orthogonalised to the vectors before it.
    let (count, length) = (rows.min(cols), rows.max(cols));
    let mut basis: Vec<Vec<f64>> = Vec::with_capacity(count);
    for i in 0..count {
        let mut attempt = 0u64;
        let unit = loop {
            let draw = |k: usize| {
                // The counter that selects a pair of random numbers holds 32 bits each of: the index of the
                // matrix, of the vector, of the attempt, and of the pair in the vector.
                let pair = stream.normal2(index << 32 | i as u64, attempt << 32 | (k / 2) as u64);
                f64::from(pair[k % 2])
            };
            let mut v: Vec<f64> = (0..length).map(draw).collect();
            // Orthogonalising twice is enough for full precision (Kahan).
            for b in basis.iter().chain(&basis) {
                let along: f64 = v.iter().zip(b).map(|(x, y)| x * y).sum();
                v.iter_mut().zip(b).for_each(|(x, y)| *x -= along * y);
            }
            let norm = v.iter().map(|x| x * x).sum::<f64>().sqrt();
            // A shorter remainder is mostly rounding error, so another vector is drawn.
            if norm > 1e-6 {
                v.iter_mut().for_each(|x| *x /= norm);
                break v;
            }
            attempt += 1;
        };
        basis.push(unit);
    }
    for r in 0..rows {
        for c in 0..cols {
            let value = if rows <= cols { basis[r][c] } else { basis[c][r] };
            out[r * cols + c] = gain * value as f32;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layout_is_contiguous_and_round_trips_through_tensors() {
        let mut layout = Layout::default();
        assert_eq!(layout.add("w".into(), &[2, 3]), 0..6);
        assert_eq!(layout.add("b".into(), &[3]), 6..9);
        assert_eq!((layout.find("b"), layout.find("c")), (Some(6..9), None));
        let flat: Vec<f32> = (0..9).map(|i| i as f32).collect();
        let tensors = layout.to_tensors(&flat);
        assert_eq!(layout.from_tensors(&tensors).unwrap(), flat);
        assert!(layout.from_tensors(&Tensors::new()).is_err());
    }

    #[test]
    fn orthogonal_gives_an_orthogonal_matrix_times_gain() {
        for (rows, cols) in [(4, 64), (64, 64), (64, 2), (1, 5)] {
            let mut m = vec![0.0; rows * cols];
            orthogonal(&mut m, rows, cols, 2.0, Stream::new(1, 2), 3);
            let at = |r: usize, c: usize| f64::from(m[r * cols + c]);
            let short = rows.min(cols);
            for i in 0..short {
                for j in 0..short {
                    let dot: f64 = if rows <= cols {
                        (0..cols).map(|c| at(i, c) * at(j, c)).sum()
                    } else {
                        (0..rows).map(|r| at(r, i) * at(r, j)).sum()
                    };
                    // The square of the gain, which is 2.
                    let expected = if i == j { 4.0 } else { 0.0 };
                    assert!((dot - expected).abs() < 1e-5);
                }
            }
        }
    }
}
