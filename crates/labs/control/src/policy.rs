//! What the actor's answers mean: preferences for numbered actions, or the mean of a normal distribution.

use learnery_kernels::rng::Stream;
use learnery_kernels::simd::{MAX_LANES, Op, Simd, dispatch, load_padded, math, store_partial};
use learnery_worlds::control::Actions;

/// Most numbered actions of any world.
pub const MOST_ACTIONS: usize = 3;

/// Half the logarithm of a full turn: what the density of a normal distribution is divided by.
pub const HALF_LOG_TURN: f32 = 0.918_938_5;

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

impl Policy {
    /// The policy of a world with these actions.
    pub fn of(actions: Actions, log_spread: f32) -> Self {
        match actions {
            Actions::Discrete(n) => Self::Categorical(n),
            Actions::Continuous { .. } => Self::Normal { log_spread },
        }
    }

    /// Fills in the random numbers that [`Policy::draw`] wants, one for each world from number `first` on, which is
    /// a multiple of four.
    pub fn fill_noise(self, stream: Stream, clock: u64, first: u64, out: &mut [f32]) {
        match self {
            Self::Categorical(_) => stream.fill_uniform_from(clock, first / 4, out),
            Self::Normal { .. } => stream.fill_normal_from(clock, first / 4, out),
        }
    }

    /// Draws an action for each row of answers, and gives the logarithm of its probability, or of its density.
    /// // answers [rows, outputs]; noise, actions, log_probs [rows]
    pub fn draw(self, answers: &[f32], noise: &[f32], actions: &mut [f32], log_probs: &mut [f32]) {
        match self {
            Self::Categorical(outputs) => {
                dispatch(DrawNumbered { outputs, answers, noise, actions, log_probs });
            }
            Self::Normal { log_spread } => {
                let spread = log_spread.exp();
                let drawn = actions.iter_mut().zip(log_probs).zip(answers.iter().zip(noise));
                for ((action, log_prob), (mean, noise)) in drawn {
                    *action = mean + spread * noise;
                    *log_prob = -0.5 * noise * noise - log_spread - HALF_LOG_TURN;
                }
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
}

/// Draws numbered actions.
struct DrawNumbered<'a> {
    outputs: usize,
    answers: &'a [f32],
    noise: &'a [f32],
    actions: &'a mut [f32],
    log_probs: &'a mut [f32],
}

impl Op for DrawNumbered<'_> {
    type Output = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        const N: usize = MOST_ACTIONS;
        let places = self.actions.chunks_mut(S::LANES).zip(self.log_probs.chunks_mut(S::LANES));
        let given = self.answers.chunks(self.outputs * S::LANES).zip(self.noise.chunks(S::LANES));
        for ((answers, noise), (action, log_prob)) in given.zip(places) {
            // An action that there is not is as unlikely as can be.
            let mut columns = [[f32::NEG_INFINITY; MAX_LANES]; N];
            for (row, answers) in answers.chunks_exact(self.outputs).enumerate() {
                for (column, answer) in columns.iter_mut().zip(answers) {
                    column[row] = *answer;
                }
            }
            let answers = std::array::from_fn(
                #[inline(always)]
                |k| load_padded(s, &columns[k], 0.0),
            );
            let (log_p, p): ([S::F; N], _) = preferences(s, answers);
            let noise = load_padded(s, noise, 0.0);
            // The last action lies lowest: it is the one for noise below its probability, and so on upwards. Summed from
            // there, an action that there is not has nothing below it at all.
            let mut below = p;
            for k in (0..N - 1).rev() {
                below[k] = s.add(below[k + 1], p[k]);
            }
            let (mut chosen, mut its) = (s.splat(0.0), log_p[0]);
            for k in 1..N {
                let hit = s.lt(noise, below[k]);
                chosen = s.select(hit, s.splat(k as f32), chosen);
                its = s.select(hit, log_p[k], its);
            }
            store_partial(s, action, chosen);
            store_partial(s, log_prob, its);
        }
    }
}

/// The logarithms of the probabilities that preferences stand for, and the probabilities, without overflow.
#[inline(always)]
pub fn preferences<S: Simd, const N: usize>(s: S, answers: [S::F; N]) -> ([S::F; N], [S::F; N]) {
    let mut most = answers[0];
    for answer in &answers[1..] {
        most = s.max(most, *answer);
    }
    let (mut log_p, mut p, mut sum) = (answers, answers, s.splat(0.0));
    for k in 0..N {
        log_p[k] = s.sub(answers[k], most);
        p[k] = math::exp(s, log_p[k]);
        sum = s.add(sum, p[k]);
    }
    let log_sum = math::log(s, sum);
    let share = s.div(s.splat(1.0), sum);
    for k in 0..N {
        log_p[k] = s.sub(log_p[k], log_sum);
        p[k] = s.mul(p[k], share);
    }
    (log_p, p)
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

    /// Draws once.
    fn draw(policy: Policy, answers: &[f32], noise: f32) -> (f32, f32) {
        let (mut action, mut log_prob) = ([0.0], [0.0]);
        policy.draw(answers, &[noise], &mut action, &mut log_prob);
        (action[0], log_prob[0])
    }

    #[test]
    fn actions_are_drawn_as_often_as_their_probability_says() {
        for (policy, answers) in
            [(Policy::Categorical(3), vec![0.3, -1.0, 1.2]), (Policy::Categorical(2), vec![0.3, -1.0])]
        {
            let n = 100_003;
            let mut noise = vec![0.0; n];
            policy.fill_noise(STREAM, 5, 0, &mut noise);
            let (mut actions, mut log_probs) = (vec![9.0; n], vec![9.0; n]);
            policy.draw(&answers.repeat(n), &noise, &mut actions, &mut log_probs);
            let p = policy.probabilities(&answers);
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
    fn a_normal_action_lies_around_the_mean() {
        let (action, log_prob) = draw(Policy::Normal { log_spread: 0.5 }, &[2.0], -1.5);
        assert!((action - (2.0 - 1.5 * 0.5f32.exp())).abs() < 1e-6);
        assert!((log_prob - (-0.5 * 1.5 * 1.5 - 0.5 - HALF_LOG_TURN)).abs() < 1e-6);
    }

    #[test]
    fn certain_and_broken_answers_do_no_harm() {
        assert_eq!(draw(Policy::Categorical(2), &[-500.0, 500.0], 0.999_999_9), (1.0, 0.0));
        assert_eq!(draw(Policy::Categorical(2), &[500.0, -500.0], 0.0), (0.0, 0.0));
        // There is no third action, whatever is drawn.
        assert_eq!(draw(Policy::Categorical(2), &[0.3, -1.0], 0.0).0, 1.0);
        let (action, _) = draw(Policy::Categorical(3), &[f32::NAN; 3], 0.5);
        assert!((0.0..3.0).contains(&action));
        assert_eq!(Policy::Categorical(3).greedy(&[f32::NAN; 3]), 0.0);
    }
}
