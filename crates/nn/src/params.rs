//! The parameters of a network: one flat vector with named, shaped parts.
//!
//! Flat, because optimisers, clipping, reduction over threads and copies for a GPU all want one slice.

use std::ops::Range;

use learnery_kernels::rng::Stream;

use crate::{TensorError, Tensors};

/// One named part of the flat vector.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Part {
    name: String,
    shape: Vec<usize>,
    range: Range<usize>,
}

/// A part that is the right-hand side of matrix products, and so is kept packed as well as flat
/// ([`crate::Weights`]). // [inputs, outputs], row by row
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matrix {
    /// How many numbers go in.
    pub inputs: usize,
    /// How many come out.
    pub outputs: usize,
    /// Its place in the flat vector.
    pub range: Range<usize>,
    /// Whether its transpose is needed, which carries gradients back to what went in.
    pub(crate) way_back: bool,
    /// Its place among the matrices.
    pub(crate) index: usize,
}

/// The layout of a network's parameters: names, shapes and places.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    parts: Vec<Part>,
    matrices: Vec<Matrix>,
    len: usize,
}

impl Layout {
    /// Adds a part at the end and returns its place.
    pub fn add(&mut self, name: String, shape: &[usize]) -> Range<usize> {
        let range = self.len..self.len + shape.iter().product::<usize>();
        self.len = range.end;
        self.parts.push(Part { name, shape: shape.to_vec(), range: range.clone() });
        range
    }

    /// Adds the weights of a layer. `way_back` says whether gradients flow through it to what went in.
    pub fn add_matrix(&mut self, name: String, inputs: usize, outputs: usize, way_back: bool) -> Matrix {
        let range = self.add(name, &[inputs, outputs]);
        let matrix = Matrix { inputs, outputs, range, way_back, index: self.matrices.len() };
        self.matrices.push(matrix.clone());
        matrix
    }

    /// The matrices in the order in which they were added.
    pub fn matrices(&self) -> &[Matrix] {
        &self.matrices
    }

    /// The place of the part called `name`.
    pub fn find(&self, name: &str) -> Option<Range<usize>> {
        self.parts.iter().find(|part| part.name == name).map(|part| part.range.clone())
    }

    /// The names of all parts, in their order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().map(|part| part.name.as_str())
    }

    /// Number of parameters in all.
    pub fn len(&self) -> usize {
        self.len
    }

    /// True for a network without parameters.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The flat vector as named tensors.
    pub fn to_tensors(&self, flat: &[f32]) -> Tensors {
        let mut tensors = Tensors::new();
        for part in &self.parts {
            tensors.insert(part.name.clone(), &part.shape, &flat[part.range.clone()]);
        }
        tensors
    }

    /// The flat vector from named tensors, each of exactly its shape.
    pub fn from_tensors(&self, tensors: &Tensors) -> Result<Vec<f32>, TensorError> {
        let mut flat = vec![0.0; self.len];
        for part in &self.parts {
            flat[part.range.clone()].copy_from_slice(&tensors.get::<f32>(&part.name, &part.shape)?);
        }
        Ok(flat)
    }
}

/// Fills `out` `[rows, cols]` with an orthogonal matrix times `gain` (Saxe et al., 2013): the usual start
/// of actor-critic networks. `index` sets matrices of one stream apart.
pub fn orthogonal(out: &mut [f32], rows: usize, cols: usize, gain: f32, stream: Stream, index: u64) {
    // Orthonormal vectors along the shorter side, by Gram and Schmidt in f64.
    let (count, length) = (rows.min(cols), rows.max(cols));
    let mut basis: Vec<Vec<f64>> = Vec::with_capacity(count);
    for i in 0..count {
        let mut attempt = 0u64;
        let unit = loop {
            let draw = |k: usize| {
                let pair = stream.normal2(index << 32 | i as u64, attempt << 32 | (k / 2) as u64);
                f64::from(pair[k % 2])
            };
            let mut v: Vec<f64> = (0..length).map(draw).collect();
            // Twice is enough for full precision (Kahan).
            for b in basis.iter().chain(&basis) {
                let along: f64 = v.iter().zip(b).map(|(x, y)| x * y).sum();
                v.iter_mut().zip(b).for_each(|(x, y)| *x -= along * y);
            }
            let norm = v.iter().map(|x| x * x).sum::<f64>().sqrt();
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
    fn parts_lie_one_after_the_other_and_round_trip() {
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
    fn orthogonal_matrices_are_orthogonal() {
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
                    let expected = if i == j { 4.0 } else { 0.0 };
                    assert!((dot - expected).abs() < 1e-5);
                }
            }
        }
    }
}
