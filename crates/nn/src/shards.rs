//! A training step over a batch, on however many threads there are.
//!
//! The batch is cut into pieces by its size alone. Each piece has a workspace and a gradient of its own, and the
//! gradients are summed in the order of the pieces, so the number of threads changes no bit.

use std::ops::Range;

use learnery_kernels::buffer::Buffer;
use learnery_kernels::reduce;
use rayon::prelude::*;

/// Parameters whose sums one thread takes at a time.
const STRETCH: usize = 1 << 14;

/// Workspaces and gradients for the pieces of a batch.
#[derive(Clone, Debug)]
pub struct GradientShards<S> {
    /// Items of a full piece.
    size: usize,
    pieces: Vec<Piece<S>>,
}

#[derive(Clone, Debug)]
struct Piece<S> {
    state: S,
    grads: Buffer,
}

impl<S: Send + Sync> GradientShards<S> {
    /// Pieces of `size` items each, `most` of them at most (which bounds the memory: where a batch has more items, its
    /// pieces are larger), each with a workspace made by `state`.
    pub fn new(size: usize, most: usize, parameters: usize, mut state: impl FnMut() -> S) -> Self {
        assert!(size > 0 && most > 0, "there must be room for a piece");
        let piece = |_| Piece { state: state(), grads: Buffer::new(parameters) };
        Self { size, pieces: (0..most).map(piece).collect() }
    }

    /// Cuts `items` items into even pieces and lets `work` add each one's gradient to a vector of zeros. Returns the
    /// sum of all gradients, and the workspaces of the pieces in their order.
    pub fn run(
        &mut self,
        items: usize,
        work: impl Fn(Range<usize>, &mut S, &mut [f32]) + Sync,
    ) -> (&[f32], impl Iterator<Item = &S>) {
        let used = items.div_ceil(self.size).clamp(1, self.pieces.len());
        let pieces = &mut self.pieces[..used];
        pieces.par_iter_mut().with_max_len(1).enumerate().for_each(|(i, piece)| {
            piece.grads.fill(0.0);
            let share = i * items / used..(i + 1) * items / used;
            work(share, &mut piece.state, &mut piece.grads);
        });
        // The sum takes the place of the first gradient.
        let (first, others) = pieces.split_first_mut().expect("there is always a piece");
        first.grads.par_chunks_mut(STRETCH).enumerate().for_each(|(i, sum)| {
            let stretch = i * STRETCH..i * STRETCH + sum.len();
            others.iter().for_each(|piece| reduce::add_assign(sum, &piece.grads[stretch.clone()]));
        });
        (&self.pieces[0].grads, self.pieces[..used].iter().map(|piece| &piece.state))
    }
}
