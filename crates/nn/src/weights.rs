//! A network's parameters, flat for the optimiser and packed for the products, always in step.
//!
//! The flat vector can be changed through [`Weights::update`] alone, and whatever happens in there, even a panic,
//! every packed copy is made anew at its end. So no pass can meet a stale copy: there is nothing to remember.

use learnery_kernels::buffer::Buffer;
use learnery_kernels::linear::PackedMatrix;
use rayon::prelude::*;

use crate::params::{Layout, Matrix};
use crate::{TensorError, Tensors};

/// Parameters in both forms.
#[derive(Clone, Debug)]
pub struct Weights {
    layout: Layout,
    flat: Buffer,
    packed: Vec<Packed>,
}

/// One matrix as the products read it, and its transpose where gradients flow through it.
#[derive(Clone, Debug)]
struct Packed {
    forward: PackedMatrix,
    back: Option<PackedMatrix>,
}

/// Whoever changes weights holds one, so that no way out leaves a stale copy.
struct PackAtTheEnd<'w, const SHARED: bool>(&'w mut Weights);

impl<const SHARED: bool> Drop for PackAtTheEnd<'_, SHARED> {
    fn drop(&mut self) {
        let Weights { layout, flat, packed } = &mut *self.0;
        let pack = |(matrix, packed): (&Matrix, &mut Packed)| {
            let values = &flat[matrix.range.clone()];
            packed.forward.pack(values);
            if let Some(back) = &mut packed.back {
                back.pack_transposed(values);
            }
        };
        if SHARED {
            layout.matrices().par_iter().zip(packed).with_max_len(1).for_each(pack);
        } else {
            layout.matrices().iter().zip(packed).for_each(pack);
        }
    }
}

impl Weights {
    /// All zeros; allocates everything there will ever be.
    pub fn new(layout: Layout) -> Self {
        let pack = |matrix: &Matrix| Packed {
            forward: PackedMatrix::new(matrix.inputs, matrix.outputs),
            back: matrix.way_back.then(|| PackedMatrix::new(matrix.outputs, matrix.inputs)),
        };
        // Zeros packed are zeros.
        Self { flat: Buffer::new(layout.len()), packed: layout.matrices().iter().map(pack).collect(), layout }
    }

    /// The parameters of `layout` from tensors.
    pub fn from_tensors(layout: Layout, tensors: &Tensors) -> Result<Self, TensorError> {
        let flat = layout.from_tensors(tensors)?;
        let mut weights = Self::new(layout);
        weights.update(|params| params.copy_from_slice(&flat));
        Ok(weights)
    }

    /// The parameters under their names.
    pub fn to_tensors(&self) -> Tensors {
        self.layout.to_tensors(&self.flat)
    }

    /// Which parameter lies where.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Every parameter.
    pub fn flat(&self) -> &[f32] {
        &self.flat
    }

    /// Number of parameters.
    pub fn len(&self) -> usize {
        self.flat.len()
    }

    /// True for a network without parameters.
    pub fn is_empty(&self) -> bool {
        self.flat.is_empty()
    }

    /// Lets `change` write into the parameters, and packs them again.
    pub fn update<R>(&mut self, change: impl FnOnce(&mut [f32]) -> R) -> R {
        change(&mut PackAtTheEnd::<false>(self).0.flat)
    }

    /// The same where threads share the packing, which pays from some hundred thousand parameters on. It stands apart so
    /// that what a visitor loads for a small network does not hold it.
    pub fn update_parallel<R>(&mut self, change: impl FnOnce(&mut [f32]) -> R) -> R {
        change(&mut PackAtTheEnd::<true>(self).0.flat)
    }

    /// Takes over the parameters of a network of the same layout.
    pub fn copy_from(&mut self, other: &Self) {
        self.update(|params| params.copy_from_slice(&other.flat));
    }

    /// `matrix`, ready for `x W`.
    pub(crate) fn forward(&self, matrix: &Matrix) -> &PackedMatrix {
        &self.packed[matrix.index].forward
    }

    /// `matrix`, ready for `dy Wᵀ`.
    pub(crate) fn back(&self, matrix: &Matrix) -> &PackedMatrix {
        let back = &self.packed[matrix.index].back;
        back.as_ref().expect("no gradient flows back through the first layer of a network")
    }
}

#[cfg(test)]
mod tests {
    use learnery_kernels::epilogue::Epilogue;
    use learnery_kernels::linear::linear;

    use super::*;

    fn sample() -> (Weights, Matrix) {
        let mut layout = Layout::default();
        layout.add("bias".into(), &[3]);
        let matrix = layout.add_matrix("w".into(), 2, 3, true);
        (Weights::new(layout), matrix)
    }

    /// Both products with the packed copies.
    fn products(weights: &Weights, matrix: &Matrix) -> ([f32; 3], [f32; 2]) {
        let (mut y, mut dx) = ([0.0; 3], [0.0; 2]);
        linear(&mut y, &[1.0, 10.0], 1, weights.forward(matrix), Epilogue::default());
        linear(&mut dx, &[1.0, 10.0, 100.0], 1, weights.back(matrix), Epilogue::default());
        (y, dx)
    }

    #[test]
    fn packed_copies_follow_every_change() {
        let (mut weights, matrix) = sample();
        assert_eq!(products(&weights, &matrix), ([0.0; 3], [0.0; 2]));
        weights.update(|p| p.iter_mut().enumerate().for_each(|(i, p)| *p = i as f32));
        let expected = ([63.0, 74.0, 85.0], [543.0, 876.0]);
        assert_eq!(products(&weights, &matrix), expected);

        let (mut other, _) = sample();
        other.copy_from(&weights);
        assert_eq!(products(&other, &matrix), expected);
        let read = Weights::from_tensors(weights.layout().clone(), &weights.to_tensors()).unwrap();
        assert_eq!(products(&read, &matrix), expected);
    }

    #[test]
    fn they_follow_even_where_the_change_ends_in_a_panic() {
        let (mut weights, matrix) = sample();
        let half = std::panic::AssertUnwindSafe(|| {
            weights.update(|p| {
                p.fill(1.0);
                panic!("in the middle of it");
            })
        });
        assert!(std::panic::catch_unwind(half).is_err());
        assert_eq!(products(&weights, &matrix), ([11.0; 3], [111.0; 2]));
    }
}
