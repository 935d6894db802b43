//! The PPO loss and its gradient: clipped surrogate objective, entropy bonus and value loss (Schulman et al.,
//! 2017).
//!
//! A sample is one step in one world. Each vector lane computes the loss of one sample. The loss needs up to
//! four exponentials and a logarithm per sample; computed without vectors, it took a tenth of the time of an
//! update. Names that begin with `d_` are gradients of the loss.

mod columns;
mod losses;

use learnery_kernels::simd::dispatch;

use crate::config::ControlConfig;
use crate::policy::{MAX_NUMBERS, Policy, with_choices};
use columns::Column;
pub use columns::Columns;
use losses::{CategoricalLoss, NormalLoss, ValueLoss};

/// Added to the standard deviation of advantages, against a division by zero.
const EPSILON: f64 = 1e-8;

/// The loss of one minibatch: its settings, and the statistics that normalise the advantages.
pub struct Objective {
    policy: Policy,
    /// How far the probability ratio of an action may be from 1 before its gradient is set to zero.
    clip: f32,
    /// The maximum change of a value since collection; 0 for an unclipped value loss.
    value_clip: f32,
    entropy_weight: f32,
    value_weight: f32,
    /// Weight of a sample: one over the size of the minibatch, because the loss is a mean.
    weight: f32,
    /// Subtracted from advantages; 0 if they are not normalised.
    advantage_mean: f32,
    /// Multiplies advantages: one over their standard deviation, or 1 if they are not normalised.
    advantage_scale: f32,
}

/// Terms of the loss, summed over samples.
#[derive(Clone, Copy, Debug, Default)]
pub struct LossStats {
    /// The negated clipped surrogate.
    pub policy_loss: f64,
    /// The critic's squared error.
    pub value_loss: f64,
    pub entropy: f64,
    /// Estimate of the KL divergence between the policy that acted and the current one: `ratio - 1 -
    /// ln(ratio)`, where `ratio` is the action's current probability over its old one.
    pub kl: f64,
    /// Samples whose policy gradient the clip set to zero.
    pub clipped: f64,
    /// Number of samples.
    pub samples: f64,
}

/// Outputs of both networks for a block of samples, and buffers for the gradients with respect to them.
pub struct Outputs<'a> {
    /// The actor's outputs: logits, or means.
    /// Shape: `[rows, outputs]`.
    pub actor: &'a [f32],
    /// The gradients at the actor's outputs, which are written.
    /// Shape: `[rows, outputs]`.
    pub d_actor: &'a mut [f32],
    /// The critic's outputs.
    /// Shape: `[rows]`.
    pub values: &'a [f32],
    /// The gradients at the critic's outputs, which are written.
    /// Shape: `[rows]`.
    pub d_values: &'a mut [f32],
}

impl Objective {
    /// The loss of a minibatch of `samples` samples whose advantages have this mean and standard deviation.
    pub fn new(config: &ControlConfig, policy: Policy, samples: usize, [mean, std]: [f64; 2]) -> Self {
        let (mean, scale) =
            if config.normalise_advantages { (mean, 1.0 / (std + EPSILON)) } else { (0.0, 1.0) };
        Self {
            policy,
            clip: config.clip as f32,
            value_clip: config.value_clip as f32,
            entropy_weight: config.entropy_weight as f32,
            value_weight: config.value_weight as f32,
            weight: 1.0 / samples as f32,
            advantage_mean: mean as f32,
            advantage_scale: scale as f32,
        }
    }

    /// Computes the loss of the first `rows` samples of `block`: writes the gradients with respect to the
    /// outputs of both networks, adds the terms of the loss to `stats`, and returns the gradients with
    /// respect to the logarithms of the policy's standard deviations (0 for discrete actions).
    pub fn loss_and_gradient(
        &self,
        block: &mut Columns,
        rows: usize,
        outputs: Outputs,
        stats: &mut LossStats,
    ) -> [f32; MAX_NUMBERS] {
        let Outputs { actor, d_actor, values, d_values } = outputs;
        dispatch(ValueLoss { objective: self, block, values: &values[..rows], d_values });
        match self.policy {
            Policy::Categorical(actions) => {
                with_choices!(
                    actions,
                    categorical_loss(self, block, &actor[..rows * actions], rows, actions)
                );
                // The loss has overwritten the logits in `block` with their gradients. They go back into
                // rows.
                for (row, d) in d_actor[..rows * actions].chunks_exact_mut(actions).enumerate() {
                    d.iter_mut().enumerate().for_each(|(k, d)| *d = block.column(Column::Logits, k, row)[0]);
                }
            }
            Policy::Normal(log_stds) => {
                dispatch(NormalLoss {
                    objective: self,
                    log_stds,
                    block,
                    rows,
                    means: actor,
                    d_means: d_actor,
                });
            }
        }
        // In f64, and in the order of the rows.
        let sum_of =
            |column, k| block.column(column, k, 0)[..rows].iter().map(|x| f64::from(*x)).sum::<f64>();
        let sum = |column| sum_of(column, 0);
        stats.policy_loss += sum(Column::PolicyLoss);
        stats.value_loss += sum(Column::ValueLoss);
        stats.entropy += sum(Column::Entropy);
        stats.kl += sum(Column::Kl);
        stats.clipped += sum(Column::Clipped);
        stats.samples += rows as f64;
        let mut d_log_stds = [0.0; MAX_NUMBERS];
        if let Policy::Normal(log_stds) = self.policy {
            for (k, d) in d_log_stds[..log_stds.count].iter_mut().enumerate() {
                *d = sum_of(Column::LogStdGradient, k) as f32;
            }
        }
        d_log_stds
    }
}

/// Computes the loss of `actions` discrete actions with code for `N`, which is not less.
fn categorical_loss<const N: usize>(
    objective: &Objective,
    block: &mut Columns,
    logits: &[f32],
    rows: usize,
    actions: usize,
) {
    block.put_logits(logits, actions, N);
    dispatch(CategoricalLoss::<N> { objective, block, rows });
}

impl LossStats {
    pub fn add(&mut self, other: &Self) {
        self.policy_loss += other.policy_loss;
        self.value_loss += other.value_loss;
        self.entropy += other.entropy;
        self.kl += other.kl;
        self.clipped += other.clipped;
        self.samples += other.samples;
    }
}

#[cfg(test)]
mod tests;
