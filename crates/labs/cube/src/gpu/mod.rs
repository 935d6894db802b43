//! Learning to solve a puzzle on the device: random walks, the network on packed states
//! ([`learnery_nn::OneHotMlp`]), updates ([`Trainer`]), and the scores of a beam search ([`Scorer`]).
//!
//! A puzzle comes as a table ([`Rules`]), so nothing here knows a cube. Walks use the same random words as on
//! the CPU, so they are the same. The first layer adds up rows of its table of weights instead of multiplying
//! zeros and ones.
//!
//! The work is a *plan*, see `learnery_gpu::Plan`: a list of dispatches (launches of kernels) that is made
//! once and submitted for every update. The last argument of a dispatch is its rough cost, by which long
//! plans are submitted in parts.

mod indexed;
mod learning;
mod network;
mod rules;
mod sampling;
mod scorer;
mod trainer;
mod value_iteration;

pub use indexed::{Classes, Coordinate, Indexed, IndexedTrainer};
use learnery_gpu::Sources;
pub use learning::{Method, Setup};
pub use rules::{PackedState, Rules, STATE_WORDS, pack, unpack};
pub use sampling::SamplingParameters;
pub use scorer::{Scorer, Scores};
pub use trainer::Trainer;
pub use value_iteration::{ValueIterationReadBack, ValueIterationState};

/// The kernels.
pub const SOURCES: Sources = learnery_gpu::kernel_sources!(
    "wgsl":
    "copy_due",
    "copy_target",
    "sampling",
    "embedding_bag",
    "embedding_bag_backward",
    "residual_draw",
    "residual_store",
    "residual_total",
    "indexed",
    "indexed_values",
    "neighbours",
    "node_draw",
    "node_residuals",
    "node_states",
    "node_targets",
    "node_values",
    "prefix_sums",
    "puzzle_loss",
    "puzzle_rules",
    "sample_by_sum",
    "scrambles",
    "turn_scores",
    "update_loss",
    "value_iteration",
    "walks",
);

/// How an output `y` of a network means a distance: `mean + deviation * y`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DistanceScale {
    pub mean: f32,
    pub deviation: f32,
}

/// The workgroup size of all kernels with one invocation for each sample, state, node or parameter.
const WORKGROUP_SIZE: usize = 64;

/// A rough cost of making one sample or state, in floating-point operations.
const SAMPLE_OPERATIONS: usize = 64;

/// The most rows of a forward pass without a backward pass, and the most elements of one of its buffers. With
/// very wide layers, the fewest rows have priority.
const MAX_INFERENCE_ROWS: usize = 8192;
const MAX_INFERENCE_ELEMENTS: usize = 1 << 23;
const MIN_INFERENCE_ROWS: usize = 256;

/// The number of rows (states) of each forward pass over `count` states, with buffers of `width` elements a
/// row.
fn inference_rows(count: usize, width: usize) -> usize {
    (MAX_INFERENCE_ELEMENTS / width).clamp(MIN_INFERENCE_ROWS, MAX_INFERENCE_ROWS).min(count).max(1)
}
