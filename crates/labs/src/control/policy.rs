//! What the actor's answers mean: preferences for numbered actions, or the mean of a normal distribution.

use learnery_kernels::rng::Stream;
use learnery_worlds::control::Actions;

/// Most numbered actions of any world.
pub const MOST_ACTIONS: usize = 3;

/// Half the logarithm of a full turn: what the density of a normal distribution is divided by.
const HALF_LOG_TURN: f32 = 0.918_938_5;

/// A policy, given the actor's answers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Policy {
    /// So many preferences, whose softmax are the probabilities.
    Categorical(usize),
    /// One mean; the spread is that of all answers, given by its logarithm.
    Normal {
        /// The logarithm of the spread.
        log_spread: f32,
    },
}

/// What an action's probability and the policy's entropy are, and how they change.
#[derive(Clone, Copy, Debug, Default)]
pub struct Judged {
    /// The logarithm of the action's probability, or of its density.
    pub log_prob: f32,
    /// The policy's entropy.
    pub entropy: f32,
    /// The slope of `log_prob` at each answer.
    pub log_prob_slopes: [f32; MOST_ACTIONS],
    /// The slope of `entropy` at each answer.
    pub entropy_slopes: [f32; MOST_ACTIONS],
    /// The slope of `log_prob` at the logarithm of the spread. That of the entropy is one.
    pub spread_slope: f32,
}

impl Policy {
    /// The policy of a world with these actions.
    pub fn of(actions: Actions, log_spread: f32) -> Self {
        match actions {
            Actions::Discrete(n) => Self::Categorical(n),
            Actions::Continuous { .. } => Self::Normal { log_spread },
        }
    }

    /// Fills in the random numbers that [`Policy::sample`] wants, one for each world from number `first` on, which is
    /// a multiple of four.
    pub fn fill_noise(self, stream: Stream, clock: u64, first: u64, out: &mut [f32]) {
        match self {
            Self::Categorical(_) => stream.fill_uniform_from(clock, first / 4, out),
            Self::Normal { .. } => stream.fill_normal_from(clock, first / 4, out),
        }
    }

    /// Draws an action; gives it and the logarithm of its probability.
    pub fn sample(self, answers: &[f32], noise: f32) -> (f32, f32) {
        match self {
            Self::Categorical(n) => {
                let log_p = log_softmax(&answers[..n]);
                let mut below = 0.0;
                for k in (1..n).rev() {
                    below += log_p[k].exp();
                    if noise < below {
                        return (k as f32, log_p[k]);
                    }
                }
                (0.0, log_p[0])
            }
            Self::Normal { log_spread } => {
                let log_prob = -0.5 * noise * noise - log_spread - HALF_LOG_TURN;
                (answers[0] + log_spread.exp() * noise, log_prob)
            }
        }
    }

    /// The likeliest action.
    pub fn greedy(self, answers: &[f32]) -> f32 {
        match self {
            Self::Categorical(n) => (1..n).fold(0, |k, i| if answers[i] > answers[k] { i } else { k }) as f32,
            Self::Normal { .. } => answers[0],
        }
    }

    /// The probabilities of numbered actions; none for a normal distribution.
    pub fn probabilities(self, answers: &[f32]) -> Vec<f32> {
        match self {
            Self::Categorical(n) => log_softmax(&answers[..n])[..n].iter().map(|p| p.exp()).collect(),
            Self::Normal { .. } => Vec::new(),
        }
    }

    /// How likely `action` is, and what would make it likelier.
    pub fn judge(self, answers: &[f32], action: f32) -> Judged {
        match self {
            Self::Categorical(n) => {
                let log_p = log_softmax(&answers[..n]);
                let mut judged = Judged { log_prob: log_p[action as usize], ..Judged::default() };
                let p: [f32; MOST_ACTIONS] = log_p.map(f32::exp);
                // An impossible action adds nothing, though its logarithm is infinite.
                let part = |k: usize| if p[k] > 0.0 { p[k] * log_p[k] } else { 0.0 };
                judged.entropy = -(0..n).map(part).sum::<f32>();
                for (k, p) in p[..n].iter().enumerate() {
                    let chosen = if k == action as usize { 1.0 } else { 0.0 };
                    judged.log_prob_slopes[k] = chosen - p;
                    judged.entropy_slopes[k] = -part(k) - p * judged.entropy;
                }
                judged
            }
            Self::Normal { log_spread } => {
                let z = (action - answers[0]) * (-log_spread).exp();
                Judged {
                    log_prob: -0.5 * z * z - log_spread - HALF_LOG_TURN,
                    entropy: 0.5 + HALF_LOG_TURN + log_spread,
                    log_prob_slopes: [z * (-log_spread).exp(), 0.0, 0.0],
                    entropy_slopes: [0.0; MOST_ACTIONS],
                    spread_slope: z * z - 1.0,
                }
            }
        }
    }
}

/// Log-probabilities from preferences, without overflow; minus infinity beyond them.
fn log_softmax(answers: &[f32]) -> [f32; MOST_ACTIONS] {
    let mut out = [f32::NEG_INFINITY; MOST_ACTIONS];
    let most = answers.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let sum: f32 = answers.iter().map(|a| (a - most).exp()).sum();
    let log_sum = sum.ln();
    for (out, a) in out.iter_mut().zip(answers) {
        *out = (a - most) - log_sum;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const STREAM: Stream = Stream::new(11, 0);
    const POLICIES: [Policy; 3] =
        [Policy::Categorical(2), Policy::Categorical(3), Policy::Normal { log_spread: -0.4 }];

    #[test]
    fn slopes_agree_with_finite_differences() {
        for (i, policy) in (0..3000u64).zip(POLICIES.iter().copied().cycle()) {
            let draws = STREAM.uniform4(i, 0).map(|u| 4.0 * u - 2.0);
            let (answers, noise) = ([draws[0], draws[1], draws[2]], STREAM.normal2(i, 1)[0]);
            let (action, log_prob) =
                policy.sample(&answers, if i % 2 == 0 { noise } else { noise.abs().fract() });
            let judged = policy.judge(&answers, action);
            assert!((judged.log_prob - log_prob).abs() < 1e-4, "{policy:?}");
            let slope = |moved: &dyn Fn(f32) -> Judged| {
                let (low, high) = (moved(-5e-3), moved(5e-3));
                [(high.log_prob - low.log_prob) / 1e-2, (high.entropy - low.entropy) / 1e-2]
            };
            let near = |a: f32, b: f32| (a - b).abs() < 2e-3 * (1.0 + b.abs());
            for k in 0..3 {
                let [log_prob, entropy] = slope(&|h| {
                    let mut moved = answers;
                    moved[k] += h;
                    policy.judge(&moved, action)
                });
                assert!(near(judged.log_prob_slopes[k], log_prob), "{policy:?} {judged:?} {log_prob}");
                assert!(near(judged.entropy_slopes[k], entropy), "{policy:?} {judged:?} {entropy}");
            }
            if let Policy::Normal { log_spread } = policy {
                let [log_prob, entropy] =
                    slope(&|h| Policy::Normal { log_spread: log_spread + h }.judge(&answers, action));
                assert!(near(judged.spread_slope, log_prob) && near(1.0, entropy), "{judged:?}");
            }
        }
    }

    #[test]
    fn actions_are_drawn_as_often_as_their_probability_says() {
        let (policy, answers) = (Policy::Categorical(3), [0.3, -1.0, 1.2]);
        let mut counts = [0.0f32; 3];
        let mut noise = vec![0.0; 100_000];
        policy.fill_noise(STREAM, 5, 0, &mut noise);
        for noise in noise {
            counts[policy.sample(&answers, noise).0 as usize] += 1e-5;
        }
        for (count, p) in counts.iter().zip(policy.probabilities(&answers)) {
            assert!((count - p).abs() < 0.01, "{counts:?}");
        }
    }

    #[test]
    fn certain_and_broken_answers_do_no_harm() {
        let judged = Policy::Categorical(2).judge(&[-500.0, 500.0], 0.0);
        assert!(judged.log_prob == -1000.0 && judged.entropy == 0.0, "{judged:?}");
        assert!(judged.entropy_slopes.iter().all(|slope| slope.is_finite()), "{judged:?}");
        let (action, _) = Policy::Categorical(3).sample(&[f32::NAN; 3], 0.5);
        assert!((0.0..3.0).contains(&action));
        assert_eq!(Policy::Categorical(3).greedy(&[f32::NAN; 3]), 0.0);
    }
}
