//! The policy's action distributions: categorical over discrete actions, or independent normal distributions
//! of the numbers of a continuous action. The standard deviations are parameters that do not depend on the
//! state, as in Schulman et al. (2017).
//!
//! A continuous action is not bounded here, but on its way to the world ([`crate::bounds`]). The
//! log-probability is that of the number that was sampled.

use learnery_kernels::math as scalar;
use learnery_kernels::rng::Stream;
use learnery_kernels::simd::{MAX_LANES, Op, Simd, dispatch, load_padded, math, store_partial};

/// The maximum number of discrete actions of any world.
pub const MAX_ACTIONS: usize = if cfg!(feature = "own-worlds") { 16 } else { 3 };

/// The maximum number of numbers of a continuous action. Texts have up to four, external environments more.
pub const MAX_NUMBERS: usize = match (cfg!(target_family = "wasm"), cfg!(feature = "own-worlds")) {
    (false, _) => 24,
    (true, true) => 4,
    (true, false) => 1,
};

/// ln(2 pi) / 2, from the density of the normal distribution.
pub const HALF_LOG_TWO_PI: f32 = 0.918_938_5;

/// The kind of distribution that the actor's outputs parametrise.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Policy {
    /// A categorical distribution over this many actions. The actor's outputs are their logits.
    Categorical(usize),
    /// Independent normal distributions. The actor's outputs are their means.
    Normal(LogStds),
}

/// The logarithms of the standard deviations of a continuous action.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LogStds {
    /// Numbers of an action.
    pub count: usize,
    /// The first `count` are used.
    pub values: [f32; MAX_NUMBERS],
}

impl LogStds {
    pub fn new(values: &[f32]) -> Self {
        let mut all = [0.0; MAX_NUMBERS];
        all[..values.len()].copy_from_slice(values);
        Self { count: values.len(), values: all }
    }

    pub fn as_slice(&self) -> &[f32] {
        &self.values[..self.count]
    }
}

/// Calls a generic function whose parameter is the number of discrete actions, with the least supported
/// number that is not below `$n`. The missing actions have logits of minus infinity. They add zeros to sums,
/// so no result depends on the supported number.
macro_rules! with_choices {
    ($n:expr, $function:ident($($argument:expr),*)) => {
        match $n {
            0..=3 => $function::<3>($($argument),*),
            #[cfg(feature = "own-worlds")]
            4..=8 => $function::<8>($($argument),*),
            _ => $function::<{ crate::policy::MAX_ACTIONS }>($($argument),*),
        }
    };
}
pub(crate) use with_choices;

impl Policy {
    /// How many numbers an action has: 1 for a discrete action.
    pub fn numbers(self) -> usize {
        match self {
            Self::Categorical(_) => 1,
            Self::Normal(log_stds) => log_stds.count,
        }
    }

    /// How many outputs of the actor parametrise the distribution.
    pub fn outputs(self) -> usize {
        match self {
            Self::Categorical(n) => n,
            Self::Normal(log_stds) => log_stds.count,
        }
    }

    /// Generates the random numbers for [`Policy::sample`], one for each number of an action and each world
    /// from number `first` on: uniform numbers for a categorical policy, standard normal ones for a normal
    /// policy. `clock` is the number of steps taken since the run began. `first` must be a multiple of four,
    /// because a block of the stream has four numbers.
    ///
    /// Shape: `out [worlds, numbers]`.
    pub fn fill_noise(self, stream: Stream, clock: u64, first: u64, out: &mut [f32]) {
        match self {
            Self::Categorical(_) => stream.fill_uniform_from(clock, first / 4, out),
            Self::Normal(log_stds) => {
                stream.fill_normal_from(clock, first / 4 * log_stds.count as u64, out);
            }
        }
    }

    /// Samples an action for each row of actor outputs, and computes the log-probability (or log-density) of
    /// the action.
    ///
    /// Shapes: `outputs [rows, outputs]; noise, actions [rows, numbers]; log_probs [rows]`.
    pub fn sample(self, outputs: &[f32], noise: &[f32], actions: &mut [f32], log_probs: &mut [f32]) {
        match self {
            Self::Categorical(n) => {
                with_choices!(n, sample_categorical(n, outputs, noise, actions, log_probs));
            }
            Self::Normal(log_stds) => {
                let n = log_stds.count;
                let stds = log_stds.values.map(scalar::exp);
                let rows =
                    actions.chunks_exact_mut(n).zip(outputs.chunks_exact(n).zip(noise.chunks_exact(n)));
                for ((actions, (means, noise)), log_prob) in rows.zip(log_probs) {
                    *log_prob = 0.0;
                    for (k, (action, noise)) in actions.iter_mut().zip(noise).enumerate() {
                        *action = means[k] + stds[k] * noise;
                        *log_prob += -0.5 * noise * noise - log_stds.values[k] - HALF_LOG_TWO_PI;
                    }
                }
            }
        }
    }

    /// Writes the most probable action for one row of actor outputs; the first one if logits are equal. A
    /// continuous one is not bounded yet: [`crate::bounds::Bounds::greedy`] has those that worlds take.
    ///
    /// Shape: `action [numbers]`.
    pub fn greedy(self, outputs: &[f32], action: &mut [f32]) {
        match self {
            Self::Categorical(n) => {
                action[0] = (1..n).fold(0, |k, i| if outputs[i] > outputs[k] { i } else { k }) as f32;
            }
            Self::Normal(_) => action.copy_from_slice(outputs),
        }
    }

    /// The probabilities of discrete actions for one row of actor outputs; empty for a normal policy.
    pub fn probabilities(self, outputs: &[f32]) -> Vec<f32> {
        match self {
            Self::Categorical(n) => log_softmax(&outputs[..n])[..n].iter().map(|p| scalar::exp(*p)).collect(),
            Self::Normal(_) => Vec::new(),
        }
    }
}

/// Samples discrete actions by inversion of the cumulative distribution, one row in each lane. (`S` is an
/// instruction set, `s.splat(x)` a vector with `x` in every lane; see `learnery_kernels::simd`.)
struct SampleCategorical<'a, const N: usize> {
    /// Number of actions, at most `N`.
    n: usize,
    /// The actor's outputs.
    /// Shape: `[rows, n]`.
    logits: &'a [f32],
    /// Uniform numbers in [0, 1), one for each row.
    noise: &'a [f32],
    /// The sampled actions and their log-probabilities, which are written.
    /// Shape of each: `[rows]`.
    actions: &'a mut [f32],
    log_probs: &'a mut [f32],
}

fn sample_categorical<const N: usize>(
    n: usize,
    logits: &[f32],
    noise: &[f32],
    actions: &mut [f32],
    log_probs: &mut [f32],
) {
    dispatch(SampleCategorical::<N> { n, logits, noise, actions, log_probs });
}

impl<const N: usize> Op for SampleCategorical<'_, N> {
    type Output = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
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
        for n in [2, 3, 4, 7, 8, 9, 16].into_iter().filter(|n| *n <= MAX_ACTIONS) {
            let policy = Policy::Categorical(n);
            let logits: Vec<f32> = (0..n).map(|k| [0.3, -1.0, 1.2, 0.0, -2.0][k % 5]).collect();
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
        let (action, log_prob) = sample(Policy::Normal(LogStds::new(&[0.5])), &[2.0], -1.5);
        assert!((action - (2.0 - 1.5 * 0.5f32.exp())).abs() < 1e-6);
        assert!((log_prob - (-0.5 * 1.5 * 1.5 - 0.5 - HALF_LOG_TWO_PI)).abs() < 1e-6);
    }

    /// The numbers of an action are independent: their log-densities add up, and each has the mean and the
    /// deviation of its own distribution. Worlds draw the same noise whatever batch they are in.
    #[test]
    fn normal_policy_of_several_numbers_samples_each_on_its_own() {
        let (log_stds, means) = ([0.5, -1.0, 0.0, 0.3], [2.0, -1.0, 0.0, 5.0]);
        for n in 1..=log_stds.len() {
            let policy = Policy::Normal(LogStds::new(&log_stds[..n]));
            let rows = 40_000;
            let mut noise = vec![9.0; rows * n];
            policy.fill_noise(STREAM, 3, 0, &mut noise);
            let mut of_last_worlds = vec![9.0; 8 * n];
            policy.fill_noise(STREAM, 3, rows as u64 - 8, &mut of_last_worlds);
            assert_eq!(noise[(rows - 8) * n..], of_last_worlds);
            let (mut actions, mut log_probs) = (vec![9.0; rows * n], vec![9.0; rows]);
            policy.sample(&means[..n].repeat(rows), &noise, &mut actions, &mut log_probs);
            for k in 0..n {
                let column = || actions.iter().skip(k).step_by(n).map(|x| f64::from(*x));
                let mean = column().sum::<f64>() / rows as f64;
                let variance = column().map(|x| (x - mean) * (x - mean)).sum::<f64>() / rows as f64;
                let std = f64::from(log_stds[k]).exp();
                assert!((mean - f64::from(means[k])).abs() < 0.05 * std, "{n} {k}: {mean}");
                assert!((variance.sqrt() / std - 1.0).abs() < 0.02, "{n} {k}: {variance}");
            }
            for (actions, log_prob) in actions.chunks_exact(n).zip(&log_probs) {
                let density = |k: usize| {
                    let z = (f64::from(actions[k]) - f64::from(means[k])) / f64::from(log_stds[k]).exp();
                    -0.5 * z * z - f64::from(log_stds[k]) - 0.5 * std::f64::consts::TAU.ln()
                };
                let expected: f64 = (0..n).map(density).sum();
                assert!((f64::from(*log_prob) - expected).abs() < 1e-4, "{log_prob} {expected}");
            }
        }
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
        let mut greedy = [9.0];
        Policy::Categorical(3).greedy(&[f32::NAN; 3], &mut greedy);
        assert_eq!(greedy, [0.0]);
    }
}
