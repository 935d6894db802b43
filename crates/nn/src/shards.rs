//! Data-parallel gradients that do not depend on the number of threads.
//!
//! A shard is a fixed part of a batch: how a batch is split depends only on its size. Each shard has its own
//! workspace (tape and gradient vector), and the gradients are summed in the order of the shards.

use std::ops::Range;

use learnery_kernels::buffer::Buffer;
use learnery_kernels::reduce;
use rayon::prelude::*;

/// Parameters per parallel task of the summation.
const CHUNK: usize = 1 << 14;

/// Workspaces and gradients for the shards of a batch.
#[derive(Clone, Debug)]
pub struct GradientShards<S> {
    /// Items per shard, unless the batch has more than `size * shards.len()` items; then the shards are
    /// larger.
    size: usize,
    shards: Vec<Shard<S>>,
}

/// The workspace and the gradient of one shard.
#[derive(Clone, Debug)]
struct Shard<S> {
    /// The caller's workspace, such as a tape.
    state: S,
    grads: Buffer,
}

impl<S: Send + Sync> GradientShards<S> {
    /// At most `max_shards` shards of `size` items each. The maximum bounds the memory: a larger batch has
    /// larger shards. `state` creates the workspace of each.
    pub fn new(size: usize, max_shards: usize, parameters: usize, mut state: impl FnMut() -> S) -> Self {
        assert!(size > 0 && max_shards > 0, "a batch needs a shard");
        let shard = |_| Shard { state: state(), grads: Buffer::new(parameters) };
        Self { size, shards: (0..max_shards).map(shard).collect() }
    }

    /// Splits `items` items into even shards and lets `add_gradient` add the gradient of each range of items
    /// to a zeroed vector. Returns the sum of all gradients, and the workspaces in the order of the shards.
    pub fn run(
        &mut self,
        items: usize,
        add_gradient: impl Fn(Range<usize>, &mut S, &mut [f32]) + Sync,
    ) -> (&[f32], impl Iterator<Item = &S>) {
        let used = items.div_ceil(self.size).clamp(1, self.shards.len());
        let shards = &mut self.shards[..used];
        // Every shard is a task of its own (`with_max_len(1)`): shards are few and large.
        shards.par_iter_mut().with_max_len(1).enumerate().for_each(|(i, shard)| {
            shard.grads.fill(0.0);
            let range = i * items / used..(i + 1) * items / used;
            add_gradient(range, &mut shard.state, &mut shard.grads);
        });
        // The sum overwrites the first gradient.
        let (first, others) = shards.split_first_mut().expect("there is always a shard");
        first.grads.par_chunks_mut(CHUNK).enumerate().for_each(|(i, sum)| {
            let chunk = i * CHUNK..i * CHUNK + sum.len();
            others.iter().for_each(|shard| reduce::add_assign(sum, &shard.grads[chunk.clone()]));
        });
        (&self.shards[0].grads, self.shards[..used].iter().map(|shard| &shard.state))
    }
}
