//! What samples are judged by: the clipped objective of proximal policy optimisation (Schulman et al., 2017), the critic's
//! error beside it, and the gradients of both. Samples lie in columns, so that a vector holds as many of them as it has
//! lanes; with three exponentials and a logarithm each, one at a time took a tenth of all learning.

use learnery_kernels::simd::{MAX_LANES, Op, Simd, dispatch, load_padded, math, store_partial};

use super::ControlConfig;
use super::policy::{HALF_LOG_TURN, MOST_ACTIONS, Policy, preferences};
use super::rollout::Sample;

/// What one minibatch is judged by.
pub struct Objective {
    policy: Policy,
    clip: f32,
    value_clip: f32,
    entropy_weight: f32,
    value_weight: f32,
    /// One over the size of the minibatch.
    weight: f32,
    advantage_mean: f32,
    /// One over the spread of the advantages.
    advantage_scale: f32,
}

/// Sums over samples.
#[derive(Clone, Copy, Debug, Default)]
pub struct Stats {
    /// The clipped objective, to be made small.
    pub policy_loss: f64,
    /// The critic's squared error.
    pub value_loss: f64,
    /// The policy's entropy.
    pub entropy: f64,
    /// How far the policy has moved since it acted, in nats.
    pub kl: f64,
    /// Samples beyond the clip.
    pub clipped: f64,
    /// Samples.
    pub samples: f64,
}

/// A block of samples in columns, and room for what is found of them.
pub struct Columns {
    /// The length of a column: whole vectors.
    len: usize,
    /// // [COLUMNS, len]
    cells: Vec<f32>,
}

/// What a column holds.
#[derive(Clone, Copy)]
enum Column {
    Action,
    LogProb,
    Value,
    Advantage,
    Return,
    PolicyLoss,
    ValueLoss,
    Entropy,
    Divergence,
    Clipped,
    /// The slope at the logarithm of the spread.
    SpreadSlope,
    /// The actor's answers, then the gradient at them: this column and those behind it.
    Answers,
}

const COLUMNS: usize = Column::Answers as usize + MOST_ACTIONS;

/// Where the actor and the critic meet the objective: what they said, and where its gradient goes.
pub struct Ends<'a> {
    /// // [rows, outputs]
    pub answers: &'a [f32],
    /// // [rows, outputs]
    pub d_answers: &'a mut [f32],
    /// // [rows]
    pub values: &'a [f32],
    /// // [rows]
    pub d_values: &'a mut [f32],
}

impl Columns {
    /// Room for `rows` samples.
    pub fn new(rows: usize) -> Self {
        let len = rows.next_multiple_of(MAX_LANES);
        Self { len, cells: vec![0.0; COLUMNS * len] }
    }

    /// Writes sample number `row`.
    pub fn put(&mut self, row: usize, sample: &Sample) {
        let Sample { action, log_prob, value, advantage, ret } = *sample;
        for (column, x) in
            self.cells.chunks_exact_mut(self.len).zip([action, log_prob, value, advantage, ret])
        {
            column[row] = x;
        }
    }

    /// The column `k` places behind `column`, from row `at` on.
    #[inline(always)]
    fn column(&self, column: Column, k: usize, at: usize) -> &[f32] {
        let begin = (column as usize + k) * self.len;
        &self.cells[begin + at..begin + self.len]
    }

    #[inline(always)]
    fn column_mut(&mut self, column: Column, k: usize, at: usize) -> &mut [f32] {
        let begin = (column as usize + k) * self.len;
        &mut self.cells[begin + at..begin + self.len]
    }

    /// Writes the answers column by column; an action that there is not is as unlikely as can be. So one judgement does for
    /// any number of them. // answers [rows, actions]
    fn take_answers(&mut self, answers: &[f32], actions: usize) {
        for k in 0..MOST_ACTIONS {
            let column = self.column_mut(Column::Answers, k, 0);
            let mut given = answers.chunks_exact(actions).map(|row| row.get(k).copied());
            column.iter_mut().for_each(|to| *to = given.next().flatten().unwrap_or(f32::NEG_INFINITY));
        }
    }
}

impl Objective {
    /// For a minibatch of so many samples whose advantages have this mean and spread.
    pub fn new(config: &ControlConfig, policy: Policy, samples: usize, [mean, spread]: [f64; 2]) -> Self {
        let (mean, scale) =
            if config.normalise_advantages { (mean, 1.0 / (spread + 1e-8)) } else { (0.0, 1.0) };
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

    /// Judges the first `rows` samples of `block`, counts them, and writes the gradients at both ends. Gives that at the
    /// logarithm of the spread.
    pub fn judge(&self, block: &mut Columns, rows: usize, ends: Ends, stats: &mut Stats) -> f32 {
        dispatch(JudgeValues {
            objective: self,
            block,
            values: &ends.values[..rows],
            d_values: ends.d_values,
        });
        let Ends { answers, d_answers, .. } = ends;
        match self.policy {
            Policy::Categorical(actions) => {
                block.take_answers(&answers[..rows * actions], actions);
                dispatch(JudgeNumbered { objective: self, block, rows });
                for (row, d) in d_answers[..rows * actions].chunks_exact_mut(actions).enumerate() {
                    d.iter_mut().enumerate().for_each(|(k, d)| *d = block.column(Column::Answers, k, row)[0]);
                }
            }
            Policy::Normal { log_spread } => {
                dispatch(JudgeNormal { objective: self, log_spread, block, rows, answers, d_answers });
            }
        }
        let sum = |column| block.column(column, 0, 0)[..rows].iter().map(|x| f64::from(*x)).sum::<f64>();
        stats.policy_loss += sum(Column::PolicyLoss);
        stats.value_loss += sum(Column::ValueLoss);
        stats.entropy += sum(Column::Entropy);
        stats.kl += sum(Column::Divergence);
        stats.clipped += sum(Column::Clipped);
        stats.samples += rows as f64;
        match self.policy {
            Policy::Categorical(_) => 0.0,
            Policy::Normal { .. } => sum(Column::SpreadSlope) as f32,
        }
    }

    /// What the actor did: writes the terms of the samples from `at` on, given the logarithms of their probabilities
    /// now. Gives the gradient at those, without the weight.
    #[inline(always)]
    fn judge_actions<S: Simd>(&self, s: S, block: &mut Columns, at: usize, log_prob: S::F) -> S::F {
        let (one, zero) = (s.splat(1.0), s.splat(0.0));
        let advantage = load_padded(s, block.column(Column::Advantage, 0, at), 0.0);
        let advantage = s.mul(s.sub(advantage, s.splat(self.advantage_mean)), s.splat(self.advantage_scale));
        let log_ratio = s.sub(log_prob, load_padded(s, block.column(Column::LogProb, 0, at), 0.0));
        let ratio = math::exp(s, log_ratio);
        let (low, high) = (s.splat(1.0 - self.clip), s.splat(1.0 + self.clip));
        // The pessimistic one of both: beyond the clip there is nothing more to gain.
        let above = s.select(s.lt(high, ratio), one, zero);
        let below = s.select(s.lt(ratio, low), one, zero);
        let held = s.select(s.lt(zero, advantage), above, below);
        let gain = s.mul(ratio, advantage);
        let held_gain = s.mul(s.min(high, s.max(low, ratio)), advantage);
        store_partial(s, block.column_mut(Column::PolicyLoss, 0, at), s.sub(zero, s.min(gain, held_gain)));
        store_partial(s, block.column_mut(Column::Divergence, 0, at), s.sub(s.sub(ratio, one), log_ratio));
        store_partial(s, block.column_mut(Column::Clipped, 0, at), held);
        s.select(s.lt(zero, held), zero, s.sub(zero, gain))
    }
}

/// Judges what the critic said.
struct JudgeValues<'a> {
    objective: &'a Objective,
    block: &'a mut Columns,
    /// // [rows]
    values: &'a [f32],
    /// // [rows]
    d_values: &'a mut [f32],
}

impl Op for JudgeValues<'_> {
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
            let (mut loss, mut slope) = (s.mul(error, error), error);
            if objective.value_clip > 0.0 {
                let before = load_padded(s, block.column(Column::Value, 0, at), 0.0);
                let moved = s.sub(value, before);
                let held = s.min(clip, s.max(s.splat(-objective.value_clip), moved));
                let held_error = s.sub(s.add(before, held), ret);
                let held_loss = s.mul(held_error, held_error);
                // The worse one of both: beyond the clip there is nothing more to gain.
                let worse = s.lt(loss, held_loss);
                let within = s.lt(math::abs(s, moved), clip);
                slope = s.select(worse, s.select(within, held_error, s.splat(0.0)), slope);
                loss = s.select(worse, held_loss, loss);
            }
            store_partial(s, block.column_mut(Column::ValueLoss, 0, at), loss);
            store_partial(s, d, s.mul(weight, slope));
        }
    }
}

/// Judges numbered actions.
struct JudgeNumbered<'a> {
    objective: &'a Objective,
    /// With the answers taken.
    block: &'a mut Columns,
    rows: usize,
}

impl Op for JudgeNumbered<'_> {
    type Output = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        const N: usize = MOST_ACTIONS;
        let Self { objective, block, rows } = self;
        let (weight, entropy_weight) = (s.splat(objective.weight), s.splat(objective.entropy_weight));
        for at in (0..rows).step_by(S::LANES) {
            let answers: [S::F; N] = std::array::from_fn(
                #[inline(always)]
                |k| load_padded(s, block.column(Column::Answers, k, at), 0.0),
            );
            let (log_p, p) = preferences(s, answers);
            let action = load_padded(s, block.column(Column::Action, 0, at), 0.0);
            let mut log_prob = log_p[0];
            let mut entropy = s.splat(0.0);
            let mut parts = [s.splat(0.0); N];
            for k in 0..N {
                log_prob = s.select(s.eq(action, s.splat(k as f32)), log_p[k], log_prob);
                // An impossible action adds nothing, though its logarithm is infinite.
                parts[k] = s.select(s.lt(s.splat(0.0), p[k]), s.mul(p[k], log_p[k]), s.splat(0.0));
                entropy = s.sub(entropy, parts[k]);
            }
            let d_log_prob = objective.judge_actions(s, block, at, log_prob);
            store_partial(s, block.column_mut(Column::Entropy, 0, at), entropy);
            for k in 0..N {
                let chosen = s.select(s.eq(action, s.splat(k as f32)), s.splat(1.0), s.splat(0.0));
                // What the entropy loses as the answer grows.
                let loss = s.mul_add(p[k], entropy, parts[k]);
                let d = s.mul_add(entropy_weight, loss, s.mul(d_log_prob, s.sub(chosen, p[k])));
                store_partial(s, block.column_mut(Column::Answers, k, at), s.mul(weight, d));
            }
        }
    }
}

/// Judges actions drawn from a normal distribution.
struct JudgeNormal<'a> {
    objective: &'a Objective,
    log_spread: f32,
    block: &'a mut Columns,
    rows: usize,
    /// // [rows]
    answers: &'a [f32],
    /// // [rows]
    d_answers: &'a mut [f32],
}

impl Op for JudgeNormal<'_> {
    type Output = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let Self { objective, log_spread, block, rows, answers, d_answers } = self;
        let weight = s.splat(objective.weight);
        let narrow = s.splat((-log_spread).exp());
        block.column_mut(Column::Entropy, 0, 0).fill(0.5 + HALF_LOG_TURN + log_spread);
        let places = answers[..rows].chunks(S::LANES).zip(d_answers[..rows].chunks_mut(S::LANES));
        for (at, (mean, d)) in (0..rows).step_by(S::LANES).zip(places) {
            let off =
                s.sub(load_padded(s, block.column(Column::Action, 0, at), 0.0), load_padded(s, mean, 0.0));
            let z = s.mul(off, narrow);
            let square = s.mul(z, z);
            let log_prob = s.neg_mul_add(s.splat(0.5), square, s.splat(-log_spread - HALF_LOG_TURN));
            let d_log_prob = objective.judge_actions(s, block, at, log_prob);
            store_partial(s, d, s.mul(weight, s.mul(d_log_prob, s.mul(z, narrow))));
            let slope =
                s.sub(s.mul(d_log_prob, s.sub(square, s.splat(1.0))), s.splat(objective.entropy_weight));
            store_partial(s, block.column_mut(Column::SpreadSlope, 0, at), s.mul(weight, slope));
        }
    }
}

impl Stats {
    /// Counts what `other` counted too.
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
