//! The residual network of backgammon's AlphaZero ([`learnery_nn::ResNet`]) on the device: evaluation of
//! positions for searches on the CPU ([`Evaluator`]), and updates ([`Trainer`]).
//!
//! A position goes up in 32 bytes, and the device computes the network's inputs from it. What is computed for
//! a position does not depend on the others in its batch.

mod evaluator;
mod passes;
mod trainer;

pub use evaluator::Evaluator;
use learnery_gpu::Sources;
pub use trainer::{MetricsReadBack, Minibatch, PolicyTargets, Trainer, UpdateMetrics, UpdateOptions};

/// The kernels.
pub const SOURCES: Sources = learnery_gpu::kernel_sources!(
    "wgsl":
    "loss_sums",
    "minibatch",
    "observation",
    "outcome_loss",
    "outcomes",
    "policy_loss",
);

/// Words of a [`Position`].
pub const POSITION_WORDS: usize = 8;

/// A position as the kernels read it: four words for the side on roll and four for the other, each with four
/// bits for the number of checkers on each place (off, the points 1 to 24, the bar). In the bits after those
/// of the side on roll are the higher and the lower number of the roll (zeros before the roll), and the
/// number of playable moves, four bits each.
pub type Position = [u32; POSITION_WORDS];

/// The network's inputs.
pub const INPUTS: usize = 342;

/// The outcome probabilities that the value head gives.
pub const OUTCOMES: usize = 5;
