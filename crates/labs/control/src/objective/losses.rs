//! The terms of the PPO loss as vector code, one sample in each lane. The names of gradients of the loss
//! begin with `d_`. `S` is an instruction set, `s.splat(x)` a vector with `x` in every lane, `s.select(mask,
//! a, b)` takes `a` where the mask is true. `load_padded` fills the lanes behind the last row,
//! `store_partial` leaves them out. `at` is the row in the first lane.

use learnery_kernels::math as scalar;
use learnery_kernels::simd::{MAX_LANES, Op, Simd, load_padded, math, store_partial};

use super::Objective;
use super::columns::{Column, Columns};
use crate::policy::{HALF_LOG_TWO_PI, LogStds, MAX_NUMBERS, softmax_lanes};

impl Objective {
    /// Computes the clipped surrogate of the samples from row `at` on. `log_prob` has the current
    /// log-probabilities of their actions. Writes policy loss, KL estimate and clip indicator (1 where the
    /// clip sets the gradient to zero). Returns the gradient with respect to the log-probabilities, not yet
    /// multiplied by `weight`.
    #[inline(always)]
    fn clipped_surrogate<S: Simd>(&self, s: S, block: &mut Columns, at: usize, log_prob: S::F) -> S::F {
        let (one, zero) = (s.splat(1.0), s.splat(0.0));
        let advantage = load_padded(s, block.column(Column::Advantage, 0, at), 0.0);
        let advantage = s.mul(s.sub(advantage, s.splat(self.advantage_mean)), s.splat(self.advantage_scale));
        let log_ratio = s.sub(log_prob, load_padded(s, block.column(Column::LogProb, 0, at), 0.0));
        let ratio = math::exp(s, log_ratio);
        let (low, high) = (s.splat(1.0 - self.clip), s.splat(1.0 + self.clip));
        // The surrogate is min(ratio * advantage, clamp(ratio) * advantage). Its gradient is zero where the
        // clamped term is the smaller one: above the range for a positive advantage, below it for a negative
        // one.
        let above = s.select(s.lt(high, ratio), one, zero);
        let below = s.select(s.lt(ratio, low), one, zero);
        let clipped = s.select(s.lt(zero, advantage), above, below);
        let surrogate = s.mul(ratio, advantage);
        let clamped_surrogate = s.mul(s.min(high, s.max(low, ratio)), advantage);
        let loss = s.sub(zero, s.min(surrogate, clamped_surrogate));
        store_partial(s, block.column_mut(Column::PolicyLoss, 0, at), loss);
        store_partial(s, block.column_mut(Column::Kl, 0, at), s.sub(s.sub(ratio, one), log_ratio));
        store_partial(s, block.column_mut(Column::Clipped, 0, at), clipped);
        s.select(s.lt(zero, clipped), zero, s.sub(zero, surrogate))
    }
}

/// The critic's squared error. With clipping, it is the larger of two errors: that of the value itself, and
/// that of the value after its change since collection is clamped to `value_clip`.
pub(super) struct ValueLoss<'a> {
    pub objective: &'a Objective,
    pub block: &'a mut Columns,
    /// The critic's current values.
    /// Shape: `[rows]`.
    pub values: &'a [f32],
    /// Their gradients, which are written.
    /// Shape: `[rows]`.
    pub d_values: &'a mut [f32],
}

impl Op for ValueLoss<'_> {
    type Output = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let Self { objective, block, values, d_values } = self;
        let weight = s.splat(objective.weight * objective.value_weight);
        let clip = s.splat(objective.value_clip);
        let begins = (0..values.len()).step_by(S::LANES);
        for ((at, value), d) in begins.zip(values.chunks(S::LANES)).zip(d_values.chunks_mut(S::LANES)) {
            let value = load_padded(s, value, 0.0);
            let ret = load_padded(s, block.column(Column::Return, 0, at), 0.0);
            let error = s.sub(value, ret);
            // The gradient is that of half the square, so `value_weight` weights half of the reported loss.
            let (mut loss, mut gradient) = (s.mul(error, error), error);
            if objective.value_clip > 0.0 {
                let old = load_padded(s, block.column(Column::Value, 0, at), 0.0);
                let change = s.sub(value, old);
                let clamped = s.min(clip, s.max(s.splat(-objective.value_clip), change));
                let clamped_error = s.sub(s.add(old, clamped), ret);
                let clamped_loss = s.mul(clamped_error, clamped_error);
                let clamped_is_larger = s.lt(loss, clamped_loss);
                // Beyond the clip, the clamped value is constant and has no gradient.
                let within = s.lt(math::abs(s, change), clip);
                gradient =
                    s.select(clamped_is_larger, s.select(within, clamped_error, s.splat(0.0)), gradient);
                loss = s.select(clamped_is_larger, clamped_loss, loss);
            }
            store_partial(s, block.column_mut(Column::ValueLoss, 0, at), loss);
            store_partial(s, d, s.mul(weight, gradient));
        }
    }
}

/// Policy loss and entropy bonus of discrete actions. Reads the logits from `block` and overwrites them with
/// their gradients.
pub(super) struct CategoricalLoss<'a, const N: usize> {
    pub objective: &'a Objective,
    pub block: &'a mut Columns,
    pub rows: usize,
}

impl<const N: usize> Op for CategoricalLoss<'_, N> {
    type Output = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let Self { objective, block, rows } = self;
        let (weight, entropy_weight) = (s.splat(objective.weight), s.splat(objective.entropy_weight));
        for at in (0..rows).step_by(S::LANES) {
            let logits: [S::F; N] = std::array::from_fn(
                #[inline(always)]
                |k| load_padded(s, block.column(Column::Logits, k, at), 0.0),
            );
            let (log_p, p) = softmax_lanes(s, logits);
            let action = load_padded(s, block.column(Column::Action, 0, at), 0.0);
            // The log-probability of the action that was taken: selected below, in the lane of each sample.
            let mut log_prob = log_p[0];
            let mut entropy = s.splat(0.0);
            let mut p_log_p = [s.splat(0.0); N];
            for k in 0..N {
                log_prob = s.select(s.eq(action, s.splat(k as f32)), log_p[k], log_prob);
                // p log p tends to 0 as p does. Computed directly, it would be 0 times minus infinity, which
                // is NaN.
                p_log_p[k] = s.select(s.lt(s.splat(0.0), p[k]), s.mul(p[k], log_p[k]), s.splat(0.0));
                entropy = s.sub(entropy, p_log_p[k]);
            }
            let d_log_prob = objective.clipped_surrogate(s, block, at, log_prob);
            store_partial(s, block.column_mut(Column::Entropy, 0, at), entropy);
            for k in 0..N {
                let chosen = s.select(s.eq(action, s.splat(k as f32)), s.splat(1.0), s.splat(0.0));
                // The derivative of the negated entropy with respect to logit k.
                let d_negentropy = s.mul_add(p[k], entropy, p_log_p[k]);
                // `chosen - p[k]` is the derivative of the action's log-probability with respect to logit k.
                let d = s.mul_add(entropy_weight, d_negentropy, s.mul(d_log_prob, s.sub(chosen, p[k])));
                store_partial(s, block.column_mut(Column::Logits, k, at), s.mul(weight, d));
            }
        }
    }
}

/// Policy loss and entropy bonus of a continuous action, whose numbers are independent.
pub(super) struct NormalLoss<'a> {
    pub objective: &'a Objective,
    pub log_stds: LogStds,
    pub block: &'a mut Columns,
    pub rows: usize,
    /// The means of the normal distributions: the actor's outputs.
    /// Shape: `[rows, numbers]`.
    pub means: &'a [f32],
    /// Their gradients, which are written.
    /// Shape: `[rows, numbers]`.
    pub d_means: &'a mut [f32],
}

impl Op for NormalLoss<'_> {
    type Output = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let Self { objective, log_stds, block, rows, means, d_means } = self;
        let n = log_stds.count;
        let weight = s.splat(objective.weight);
        let inverse_stds = log_stds.values.map(|log_std| scalar::exp(-log_std));
        // The entropy of a normal distribution depends on the standard deviation alone.
        let entropy =
            log_stds.as_slice().iter().fold(0.0, |sum, log_std| sum + (0.5 + HALF_LOG_TWO_PI + log_std));
        block.column_mut(Column::Entropy, 0, 0).fill(entropy);
        let vectors =
            means[..rows * n].chunks(n * S::LANES).zip(d_means[..rows * n].chunks_mut(n * S::LANES));
        for (at, (means, d_means)) in (0..rows).step_by(S::LANES).zip(vectors) {
            let mut log_prob = s.splat(0.0);
            // The numbers of the action in standard deviations from their means.
            let mut zs = [s.splat(0.0); MAX_NUMBERS];
            for (k, z) in zs[..n].iter_mut().enumerate() {
                let mean = load_column(s, means, k, n);
                let deviation = s.sub(load_padded(s, block.column(Column::Action, k, at), 0.0), mean);
                *z = s.mul(deviation, s.splat(inverse_stds[k]));
                let square = s.mul(*z, *z);
                let constant = s.splat(-log_stds.values[k] - HALF_LOG_TWO_PI);
                let log_density = s.neg_mul_add(s.splat(0.5), square, constant);
                log_prob = if k == 0 { log_density } else { s.add(log_prob, log_density) };
            }
            let d_log_prob = objective.clipped_surrogate(s, block, at, log_prob);
            for (k, z) in zs[..n].iter().enumerate() {
                let d = s.mul(weight, s.mul(d_log_prob, s.mul(*z, s.splat(inverse_stds[k]))));
                store_column(s, d_means, k, n, d);
                // The derivatives with respect to log_std: z^2 - 1 of the log-probability, 1 of the entropy.
                let square = s.mul(*z, *z);
                let d_log_std =
                    s.sub(s.mul(d_log_prob, s.sub(square, s.splat(1.0))), s.splat(objective.entropy_weight));
                store_partial(s, block.column_mut(Column::LogStdGradient, k, at), s.mul(weight, d_log_std));
            }
        }
    }
}

/// Number `k` of each of some rows of `n` numbers, one row in each lane.
#[inline(always)]
fn load_column<S: Simd>(s: S, rows: &[f32], k: usize, n: usize) -> S::F {
    if n == 1 {
        return load_padded(s, rows, 0.0);
    }
    let mut column = [0.0; MAX_LANES];
    column.iter_mut().zip(rows[k..].iter().step_by(n)).for_each(|(to, x)| *to = *x);
    load_padded(s, &column, 0.0)
}

/// Writes number `k` of each of some rows of `n` numbers.
#[inline(always)]
fn store_column<S: Simd>(s: S, rows: &mut [f32], k: usize, n: usize, x: S::F) {
    if n == 1 {
        return store_partial(s, rows, x);
    }
    let mut column = [0.0; MAX_LANES];
    store_partial(s, &mut column, x);
    rows[k..].iter_mut().step_by(n).zip(column).for_each(|(to, x)| *to = x);
}
