//! A network's parameters in two forms that always agree: flat for the optimiser, packed for matrix products.
//!
//! "Packed" is the order in which the register tiles of a product read a matrix ([`PackedMatrix`]). The flat
//! vector can be changed only in a closure given to [`Weights::update`] or [`Weights::update_parallel`]. Both
//! pack all matrices again when the closure ends, even if it panics. So no pass can use a stale packed copy.

use learnery_kernels::buffer::Buffer;
use learnery_kernels::linear::PackedMatrix;
use rayon::prelude::*;

use crate::params::{Layout, Matrix};
use crate::{TensorError, Tensors};

/// The parameters of a network.
#[derive(Clone, Debug)]
pub struct Weights {
    layout: Layout,
    flat: Buffer,
    /// One entry per matrix of the layout.
    packed: Vec<Packed>,
}

/// A packed matrix, and its packed transpose if the backward pass needs it.
#[derive(Clone, Debug)]
struct Packed {
    forward: PackedMatrix,
    transposed: Option<PackedMatrix>,
}

/// Guard that packs all matrices when dropped, so that every exit from an update does it. With `PARALLEL`, on
/// all threads.
struct RepackOnDrop<'w, const PARALLEL: bool>(&'w mut Weights);

impl<const PARALLEL: bool> Drop for RepackOnDrop<'_, PARALLEL> {
    fn drop(&mut self) {
        let Weights { layout, flat, packed } = &mut *self.0;
        let pack = |(matrix, packed): (&Matrix, &mut Packed)| {
            let values = &flat[matrix.range.clone()];
            packed.forward.pack(values);
            if let Some(transposed) = &mut packed.transposed {
                transposed.pack_transposed(values);
            }
        };
        if PARALLEL {
            // One task per matrix: there are few of them, of very different sizes, so rayon must not group
            // them.
            layout.matrices().par_iter().zip(packed).with_max_len(1).for_each(pack);
        } else {
            layout.matrices().iter().zip(packed).for_each(pack);
        }
    }
}

impl Weights {
    /// All parameters are zero. Updates and passes allocate nothing.
    pub fn new(layout: Layout) -> Self {
        let pack = |matrix: &Matrix| Packed {
            forward: PackedMatrix::new(matrix.inputs, matrix.outputs),
            transposed: matrix.input_gradient.then(|| PackedMatrix::new(matrix.outputs, matrix.inputs)),
        };
        // The packed form of zeros is zeros, so nothing needs packing here.
        Self { flat: Buffer::new(layout.len()), packed: layout.matrices().iter().map(pack).collect(), layout }
    }

    /// Reads the parameters of `layout` from tensors.
    pub fn from_tensors(layout: Layout, tensors: &Tensors) -> Result<Self, TensorError> {
        let flat = layout.from_tensors(tensors)?;
        let mut weights = Self::new(layout);
        weights.update(|params| params.copy_from_slice(&flat));
        Ok(weights)
    }

    /// The parameters as named tensors.
    pub fn to_tensors(&self) -> Tensors {
        self.layout.to_tensors(&self.flat)
    }

    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// All parameters, in the order of the layout.
    pub fn flat(&self) -> &[f32] {
        &self.flat
    }

    pub fn len(&self) -> usize {
        self.flat.len()
    }

    pub fn is_empty(&self) -> bool {
        self.flat.is_empty()
    }

    /// Calls `change` with all parameters to modify, then packs the matrices again.
    pub fn update<R>(&mut self, change: impl FnOnce(&mut [f32]) -> R) -> R {
        // The guard is a temporary value: it is dropped, and packs, when `change` has returned or panicked.
        change(&mut RepackOnDrop::<false>(self).0.flat)
    }

    /// [`Weights::update`] with packing on all threads, which is faster from about 100,000 parameters on. It
    /// is a separate function so that WebAssembly programs which have only small networks do not contain its
    /// code.
    pub fn update_parallel<R>(&mut self, change: impl FnOnce(&mut [f32]) -> R) -> R {
        change(&mut RepackOnDrop::<true>(self).0.flat)
    }

    /// Copies the parameters of `other`, which must have the same layout.
    pub fn copy_from(&mut self, other: &Self) {
        self.update(|params| params.copy_from_slice(&other.flat));
    }

    /// The packed form of `matrix`, for the product `x W`.
    pub(crate) fn forward(&self, matrix: &Matrix) -> &PackedMatrix {
        &self.packed[matrix.index].forward
    }

    /// The packed transpose of `matrix`, for the product `dy Wᵀ`.
    pub(crate) fn transposed(&self, matrix: &Matrix) -> &PackedMatrix {
        let transposed = &self.packed[matrix.index].transposed;
        transposed.as_ref().expect("this layer was created without an input gradient")
    }
}

#[cfg(test)]
mod tests {
    use learnery_kernels::epilogue::Epilogue;
    use learnery_kernels::linear::linear;

    use super::*;
    use crate::params::WITH_INPUT_GRADIENT;

    fn sample() -> (Weights, Matrix) {
        let mut layout = Layout::default();
        layout.add("bias".into(), &[3]);
        let matrix = layout.add_matrix("w".into(), 2, 3, WITH_INPUT_GRADIENT);
        (Weights::new(layout), matrix)
    }

    /// The products `x W` and `dy Wᵀ` with the packed copies.
    fn products(weights: &Weights, matrix: &Matrix) -> ([f32; 3], [f32; 2]) {
        let (mut y, mut dx) = ([0.0; 3], [0.0; 2]);
        linear(&mut y, &[1.0, 10.0], 1, weights.forward(matrix), Epilogue::default());
        linear(&mut dx, &[1.0, 10.0, 100.0], 1, weights.transposed(matrix), Epilogue::default());
        (y, dx)
    }

    #[test]
    fn packed_copies_follow_every_update() {
        let (mut weights, matrix) = sample();
        assert_eq!(products(&weights, &matrix), ([0.0; 3], [0.0; 2]));
        weights.update(|p| p.iter_mut().enumerate().for_each(|(i, p)| *p = i as f32));
        // The weights are [[3, 4, 5], [6, 7, 8]], because three biases come first.
        let expected = ([63.0, 74.0, 85.0], [543.0, 876.0]);
        assert_eq!(products(&weights, &matrix), expected);

        let (mut other, _) = sample();
        other.copy_from(&weights);
        assert_eq!(products(&other, &matrix), expected);
        let read = Weights::from_tensors(weights.layout().clone(), &weights.to_tensors()).unwrap();
        assert_eq!(products(&read, &matrix), expected);
    }

    #[test]
    fn packed_copies_follow_an_update_that_panics() {
        let (mut weights, matrix) = sample();
        let panicking_update = std::panic::AssertUnwindSafe(|| {
            weights.update(|p| {
                p.fill(1.0);
                panic!("a panic of the change");
            })
        });
        assert!(std::panic::catch_unwind(panicking_update).is_err());
        assert_eq!(products(&weights, &matrix), ([11.0; 3], [111.0; 2]));
    }
}
