//! The policy's action distributions: categorical over discrete actions, or normal for a continuous one.

use learnery_kernels::math as scalar;
use learnery_kernels::rng::Stream;
use learnery_kernels::simd::{MAX_LANES, Op, Simd, dispatch, load_padded, math, store_partial};
use learnery_worlds::control::Actions;

/// The maximum number of discrete actions of any world.
pub const MAX_ACTIONS: usize = 3;

/// ln(2 pi) / 2, from the density of the normal distribution.
pub const HALF_LOG_TWO_PI: f32 = 0.918_938_5;

/// The kind of distribution that the actor's outputs parametrise.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Policy {
    /// A categorical distribution over this many actions. The actor's outputs are their logits.
    Categorical(usize),
    /// A normal distribution. The actor's only output is its mean; the standard deviation is a parameter that
    /// does not depend on the state.
    Normal {
        /// Logarithm of the standard deviation.
        log_std: f32,
    },
}

impl Policy {
    /// The distribution for a world's actions. `log_std` is ignored for discrete actions.
    pub fn for_actions(actions: Actions, log_std: f32) -> Self {
        match actions {
            Actions::Discrete(n) => Self::Categorical(n),
            Actions::Continuous { .. } => Self::Normal { log_std },
        }
    }

    /// Generates the random numbers for [`Policy::sample`], one for each world from number `first` on:
    /// uniform numbers for a categorical policy, standard normal ones for a normal policy. `clock` is the
    /// number of steps taken since the run began. `first` must be a multiple of four, because a block of the
    /// stream has four numbers.
    pub fn fill_noise(self, stream: Stream, clock: u64, first: u64, out: &mut [f32]) {
        match self {
            Self::Categorical(_) => stream.fill_uniform_from(clock, first / 4, out),
            Self::Normal { .. } => stream.fill_normal_from(clock, first / 4, out),
        }
    }

    /// Samples an action for each row of actor outputs, and computes the log-probability (or log-density) of
    /// the action.
    // outputs [rows, outputs]; noise, actions, log_probs [rows]
    pub fn sample(self, outputs: &[f32], noise: &[f32], actions: &mut [f32], log_probs: &mut [f32]) {
        match self {
            Self::Categorical(n) => {
                dispatch(SampleCategorical { n, logits: outputs, noise, actions, log_probs });
            }
            Self::Normal { log_std } => {
                let std = scalar::exp(log_std);
                let rows = actions.iter_mut().zip(log_probs).zip(outputs.iter().zip(noise));
                for ((action, log_prob), (mean, noise)) in rows {
                    *action = mean + std * noise;
                    *log_prob = -0.5 * noise * noise - log_std - HALF_LOG_TWO_PI;
                }
            }
        }
    }

    /// The most probable action for one row of actor outputs; the first one if logits are equal.
    pub fn greedy(self, outputs: &[f32]) -> f32 {
        match self {
            Self::Categorical(n) => (1..n).fold(0, |k, i| if outputs[i] > outputs[k] { i } else { k }) as f32,
            Self::Normal { .. } => outputs[0],
        }
    }

    /// The probabilities of discrete actions for one row of actor outputs; empty for a normal policy.
    pub fn probabilities(self, outputs: &[f32]) -> Vec<f32> {
        match self {
            Self::Categorical(n) => log_softmax(&outputs[..n])[..n].iter().map(|p| scalar::exp(*p)).collect(),
            Self::Normal { .. } => Vec::new(),
        }
    }
}

/// Samples discrete actions by inversion of the cumulative distribution, one row in each lane. (`S` is an
/// instruction set, `s.splat(x)` a vector with `x` in every lane; see `learnery_kernels::simd`.)
struct SampleCategorical<'a> {
    /// Number of actions.
    n: usize,
    // [rows, n]
    logits: &'a [f32],
    /// Uniform numbers in [0, 1), one for each row.
    noise: &'a [f32],
    actions: &'a mut [f32],
    log_probs: &'a mut [f32],
}

impl Op for SampleCategorical<'_> {
    type Output = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        const N: usize = MAX_ACTIONS;
        let out = self.actions.chunks_mut(S::LANES).zip(self.log_probs.chunks_mut(S::LANES));
        let input = self.logits.chunks(self.n * S::LANES).zip(self.noise.chunks(S::LANES));
        for ((logits, noise), (action, log_prob)) in input.zip(out) {
            // A world with fewer than N actions gets logits of minus infinity for the missing ones, so their
            // probability is 0.
            let mut columns = [[f32::NEG_INFINITY; MAX_LANES]; N];
            for (row, logits) in logits.chunks_exact(self.n).enumerate() {
                for (column, logit) in columns.iter_mut().zip(logits) {
                    column[row] = *logit;
                }
            }
            let logits = std::array::from_fn(
                #[inline(always)]
                |k| load_padded(s, &columns[k], 0.0),
            );
            let (log_p, p): ([S::F; N], _) = softmax_lanes(s, logits);
            let noise = load_padded(s, noise, 0.0);
            // cumulative[k] is the probability of action k or a later one. Because it is summed from the last
            // action, it is exactly 0 for a missing action, and no noise in [0, 1) is below 0.
            let mut cumulative = p;
            for k in (0..N - 1).rev() {
                cumulative[k] = s.add(cumulative[k + 1], p[k]);
            }
            // The action is the last k whose `cumulative[k]` exceeds the noise, or 0.
            let (mut chosen, mut chosen_log_p) = (s.splat(0.0), log_p[0]);
            for k in 1..N {
                let is_below = s.lt(noise, cumulative[k]);
                chosen = s.select(is_below, s.splat(k as f32), chosen);
                chosen_log_p = s.select(is_below, log_p[k], chosen_log_p);
            }
            store_partial(s, action, chosen);
            store_partial(s, log_prob, chosen_log_p);
        }
    }
}

/// Log-softmax and softmax of N logits, one row in each lane. Subtracting the maximum first avoids overflow.
#[inline(always)]
pub fn softmax_lanes<S: Simd, const N: usize>(s: S, logits: [S::F; N]) -> ([S::F; N], [S::F; N]) {
    let mut max = logits[0];
    for logit in &logits[1..] {
        max = s.max(max, *logit);
    }
    let (mut log_p, mut p, mut sum) = (logits, logits, s.splat(0.0));
    for k in 0..N {
        log_p[k] = s.sub(logits[k], max);
        p[k] = math::exp(s, log_p[k]);
        sum = s.add(sum, p[k]);
    }
    let log_sum = math::log(s, sum);
    let inverse_sum = s.div(s.splat(1.0), sum);
    for k in 0..N {
        log_p[k] = s.sub(log_p[k], log_sum);
        p[k] = s.mul(p[k], inverse_sum);
    }
    (log_p, p)
}

/// Log-softmax of one row of at most [`MAX_ACTIONS`] logits; the elements after them are minus infinity.
fn log_softmax(logits: &[f32]) -> [f32; MAX_ACTIONS] {
    let mut out = [f32::NEG_INFINITY; MAX_ACTIONS];
    let max = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let sum: f32 = logits.iter().map(|logit| scalar::exp(logit - max)).sum();
    let log_sum = scalar::log(sum);
    for (out, logit) in out.iter_mut().zip(logits) {
        *out = (logit - max) - log_sum;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const STREAM: Stream = Stream::new(11, 0);

    /// Samples one action. Returns the action and its log-probability.
    fn sample(policy: Policy, outputs: &[f32], noise: f32) -> (f32, f32) {
        let (mut action, mut log_prob) = ([0.0], [0.0]);
        policy.sample(outputs, &[noise], &mut action, &mut log_prob);
        (action[0], log_prob[0])
    }

    #[test]
    fn categorical_policy_samples_actions_at_their_probabilities() {
        for (policy, logits) in
            [(Policy::Categorical(3), vec![0.3, -1.0, 1.2]), (Policy::Categorical(2), vec![0.3, -1.0])]
        {
            // Not a multiple of any vector width.
            let n = 100_003;
            let mut noise = vec![0.0; n];
            policy.fill_noise(STREAM, 5, 0, &mut noise);
            // Filled with a number that is no action, to find rows that are not written.
            let (mut actions, mut log_probs) = (vec![9.0; n], vec![9.0; n]);
            policy.sample(&logits.repeat(n), &noise, &mut actions, &mut log_probs);
            let p = policy.probabilities(&logits);
            for (k, p) in p.iter().enumerate() {
                let count = actions.iter().filter(|action| **action == k as f32).count();
                assert!((count as f32 / n as f32 - p).abs() < 0.01, "{count} times {k}");
            }
            for (action, log_prob) in actions.iter().zip(log_probs) {
                assert!((log_prob - p[*action as usize].ln()).abs() < 1e-6);
            }
        }
    }

    #[test]
    fn normal_policy_samples_around_its_mean() {
        let (action, log_prob) = sample(Policy::Normal { log_std: 0.5 }, &[2.0], -1.5);
        assert!((action - (2.0 - 1.5 * 0.5f32.exp())).abs() < 1e-6);
        assert!((log_prob - (-0.5 * 1.5 * 1.5 - 0.5 - HALF_LOG_TWO_PI)).abs() < 1e-6);
    }

    #[test]
    fn categorical_policy_with_extreme_or_nan_logits_gives_a_valid_action() {
        // The largest noise below 1 and the smallest: an action of probability 1 is always chosen.
        assert_eq!(sample(Policy::Categorical(2), &[-500.0, 500.0], 0.999_999_9), (1.0, 0.0));
        assert_eq!(sample(Policy::Categorical(2), &[500.0, -500.0], 0.0), (0.0, 0.0));
        // Noise of 0 must not select the missing third action.
        assert_eq!(sample(Policy::Categorical(2), &[0.3, -1.0], 0.0).0, 1.0);
        let (action, _) = sample(Policy::Categorical(3), &[f32::NAN; 3], 0.5);
        assert!((0.0..3.0).contains(&action));
        assert_eq!(Policy::Categorical(3).greedy(&[f32::NAN; 3]), 0.0);
    }
}
