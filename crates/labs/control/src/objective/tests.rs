//! Tests of the PPO loss: its gradients against finite differences of a plain implementation in f64. The
//! names of gradients of the loss begin with `d_`.

use learnery_kernels::rng::Stream;

use super::*;
use crate::policy::{LogStds, MAX_ACTIONS};
use crate::rollout::Sample;

// The settings of the tested loss. All differ from the neutral value of the setting, so that each is tested.
const CLIP: f64 = 0.2;
const VALUE_CLIP: f64 = 0.3;
const ENTROPY_WEIGHT: f64 = 0.05;
const VALUE_WEIGHT: f64 = 0.5;
/// The weight of each sample.
const WEIGHT: f64 = 0.25;
const ADVANTAGE_MEAN: f64 = 0.3;
const ADVANTAGE_SCALE: f64 = 0.8;

fn objective(policy: Policy) -> Objective {
    Objective {
        policy,
        clip: CLIP as f32,
        value_clip: VALUE_CLIP as f32,
        entropy_weight: ENTROPY_WEIGHT as f32,
        value_weight: VALUE_WEIGHT as f32,
        weight: WEIGHT as f32,
        advantage_mean: ADVANTAGE_MEAN as f32,
        advantage_scale: ADVANTAGE_SCALE as f32,
    }
}

/// What [`Objective::loss_and_gradient`] computes: gradients for the outputs of both networks and for the
/// logarithms of the standard deviations, and the sums of the terms.
struct LossAndGradient {
    d_actor: Vec<f32>,
    d_values: Vec<f32>,
    d_log_stds: [f32; MAX_NUMBERS],
    stats: LossStats,
}

/// A sample whose action is one number.
struct Step {
    action: f32,
    sample: Sample,
}

fn loss_and_gradient(policy: Policy, steps: &[Step], actor: &[f32], values: &[f32]) -> LossAndGradient {
    let actions: Vec<f32> = steps.iter().map(|step| step.action).collect();
    let samples: Vec<Sample> = steps.iter().map(|step| step.sample).collect();
    loss_and_gradient_of(policy, &actions, &samples, actor, values)
}

/// Shape: `actions [rows, numbers]`.
fn loss_and_gradient_of(
    policy: Policy,
    actions: &[f32],
    samples: &[Sample],
    actor: &[f32],
    values: &[f32],
) -> LossAndGradient {
    let rows = samples.len();
    let mut columns = Columns::new(rows);
    for (row, (action, sample)) in actions.chunks_exact(policy.numbers()).zip(samples).enumerate() {
        columns.put(row, action, sample);
    }
    // Filled with any number but 0, since gradients must be overwritten, not added to.
    let (mut d_actor, mut d_values) = (vec![9.0; actor.len()], vec![9.0; rows]);
    let mut stats = LossStats::default();
    let outputs = Outputs { actor, d_actor: &mut d_actor, values, d_values: &mut d_values };
    let d_log_stds = objective(policy).loss_and_gradient(&mut columns, rows, outputs, &mut stats);
    LossAndGradient { d_actor, d_values, d_log_stds, stats }
}

/// The loss of one sample in f64, written as in the paper, from the log-probability of its action and the
/// entropy.
fn reference_loss(log_prob: f64, entropy: f64, sample: &Sample) -> f64 {
    let ratio = (log_prob - f64::from(sample.log_prob)).exp();
    let advantage = (f64::from(sample.advantage) - ADVANTAGE_MEAN) * ADVANTAGE_SCALE;
    let clipped_ratio = ratio.clamp(1.0 - CLIP, 1.0 + CLIP);
    let surrogate = (ratio * advantage).min(clipped_ratio * advantage);
    WEIGHT * (-surrogate - ENTROPY_WEIGHT * entropy)
}

/// Log-probability of an action, and entropy, under a categorical policy.
fn categorical(logits: &[f64], action: usize) -> (f64, f64) {
    let sum: f64 = logits.iter().map(|l| l.exp()).sum();
    let p: Vec<f64> = logits.iter().map(|l| l.exp() / sum).collect();
    (p[action].ln(), -p.iter().map(|p| p * p.ln()).sum::<f64>())
}

/// Log-density of an action, and entropy, under a normal policy.
fn normal(mean: f64, log_std: f64, action: f64) -> (f64, f64) {
    let half_log_two_pi = 0.5 * std::f64::consts::TAU.ln();
    let z = (action - mean) / log_std.exp();
    (-0.5 * z * z - log_std - half_log_two_pi, 0.5 + half_log_two_pi + log_std)
}

/// Whether a gradient agrees with a one-sided finite difference of `loss`, a function of the change of one
/// variable. Where the loss has a kink (at a clip), the slope on either side is accepted.
fn agrees(gradient: f32, loss: impl Fn(f64) -> f64) -> bool {
    let h = 1e-6;
    let (left, right) = ((loss(0.0) - loss(-h)) / h, (loss(h) - loss(0.0)) / h);
    [left, right].iter().any(|slope| (f64::from(gradient) - slope).abs() < 1e-4 * (1.0 + slope.abs()))
}

/// Steps made of four uniform numbers in [-2, 2) each.
fn draw_steps(rows: usize, mut step: impl FnMut([f32; 4]) -> Step) -> Vec<Step> {
    let draws = |i| Stream::new(11, 0).uniform4(i, 0).map(|u| 4.0 * u - 2.0);
    (0..rows as u64).map(|i| step(draws(i))).collect()
}

#[test]
fn categorical_gradient_agrees_with_finite_differences() {
    for n in [2, 3, 4, 8, 11, 16].into_iter().filter(|n| *n <= MAX_ACTIONS) {
        // Not a multiple of any vector width.
        let rows = 2003;
        let mut logits = vec![0.0; rows * n];
        Stream::new(12, 0).fill_normal(n as u64, &mut logits);
        let mut row = 0;
        let steps = draw_steps(rows, |[a, b, c, advantage]| {
            let action = row % n;
            row += 1;
            // The policy that acted had these logits, in turn.
            let old: Vec<f64> = (0..n).map(|k| f64::from([a, b, c][k % 3])).collect();
            let log_prob = categorical(&old, action).0 as f32;
            let sample = Sample { log_prob, value: 0.0, advantage, ret: 0.0 };
            Step { action: action as f32, sample }
        });
        let result = loss_and_gradient(Policy::Categorical(n), &steps, &logits, &vec![0.0; rows]);
        // The expected sums of surrogate and entropy.
        let (mut surrogates, mut entropies) = (0.0, 0.0);
        for (i, Step { sample, .. }) in steps.iter().enumerate() {
            let row: Vec<f64> = logits[i * n..][..n].iter().map(|a| f64::from(*a)).collect();
            let (log_prob, entropy) = categorical(&row, i % n);
            // An entropy of 0 leaves the surrogate alone.
            surrogates += reference_loss(log_prob, 0.0, sample) / -WEIGHT;
            entropies += entropy;
            for k in 0..n {
                let loss = |change: f64| {
                    let mut moved = row.clone();
                    moved[k] += change;
                    let (log_prob, entropy) = categorical(&moved, i % n);
                    reference_loss(log_prob, entropy, sample)
                };
                assert!(agrees(result.d_actor[i * n + k], loss), "sample {i} of {n} actions");
            }
        }
        assert!((result.stats.policy_loss + surrogates).abs() < 1e-3, "{:?} {surrogates}", result.stats);
        assert!((result.stats.entropy - entropies).abs() < 1e-3, "{:?} {entropies}", result.stats);
        assert!(result.stats.samples == rows as f64 && result.d_log_stds == [0.0; MAX_NUMBERS]);
    }
}

/// The slow reference is the sum of the log-densities of the numbers, each as in the formula.
#[test]
fn normal_gradient_agrees_with_finite_differences() {
    for n in 1..=4 {
        let (rows, log_stds) = (1001, &[-0.4_f32, 0.2, 0.0, -1.1][..n]);
        let mut means = vec![0.0; rows * n];
        Stream::new(12, 0).fill_normal(n as u64, &mut means);
        // The actions are up to two deviations from the means of the policy that acted, which are up to half
        // a deviation from the present ones.
        let (mut old_means, mut actions) = (means.clone(), means.clone());
        for (i, (old, action)) in old_means.iter_mut().zip(&mut actions).enumerate() {
            let [a, b, ..] = Stream::new(16, 0).uniform4(n as u64, i as u64);
            let std = log_stds[i % n].exp();
            *old += (a - 0.5) * std;
            *action = *old + (4.0 * b - 2.0) * std;
        }
        let log_prob = |means: &[f64], log_stds: &[f64], row: usize| -> f64 {
            (0..n).map(|k| normal(means[k], log_stds[k], f64::from(actions[row * n + k])).0).sum()
        };
        let entropy = |log_stds: &[f64]| log_stds.iter().map(|l| normal(0.0, *l, 0.0).1).sum::<f64>();
        let doubles = |from: &[f32]| from.iter().map(|x| f64::from(*x)).collect::<Vec<f64>>();
        let exact_log_stds = doubles(log_stds);
        let steps = draw_steps(rows, |[.., advantage]| Step {
            action: 0.0,
            sample: Sample { log_prob: 0.0, value: 0.0, advantage, ret: 0.0 },
        });
        let samples: Vec<Sample> = (0..rows)
            .map(|row| {
                let old = doubles(&old_means[row * n..][..n]);
                Sample { log_prob: log_prob(&old, &exact_log_stds, row) as f32, ..steps[row].sample }
            })
            .collect();
        // The loss of a row after a change of one of its means, or of one of the shared log_stds.
        let loss = |row: usize, k: usize, d_mean: f64, d_log_std: f64| {
            let (mut means, mut log_stds) = (doubles(&means[row * n..][..n]), exact_log_stds.clone());
            means[k] += d_mean;
            log_stds[k] += d_log_std;
            reference_loss(log_prob(&means, &log_stds, row), entropy(&log_stds), &samples[row])
        };
        let policy = Policy::Normal(LogStds::new(log_stds));
        let result = loss_and_gradient_of(policy, &actions, &samples, &means, &vec![0.0; rows]);
        for k in 0..n {
            let mut d_log_std = 0.0;
            for row in 0..rows {
                let is_right = agrees(result.d_actor[row * n + k], |by| loss(row, k, by, 0.0));
                assert!(is_right, "number {k} of {n}, sample {row}");
                // The central difference: the parameter is shared, so its gradient is the sum over all
                // samples.
                d_log_std += (loss(row, k, 0.0, 1e-6) - loss(row, k, 0.0, -1e-6)) / 2e-6;
            }
            let error = (f64::from(result.d_log_stds[k]) - d_log_std).abs();
            assert!(error < 1e-2 * d_log_std.abs().max(1.0), "number {k} of {n}: {d_log_std}");
        }
        let entropies = rows as f64 * entropy(&exact_log_stds);
        assert!((result.stats.entropy - entropies).abs() < 1e-3 * entropies.abs(), "{:?}", result.stats);
    }
}

#[test]
fn value_gradient_agrees_with_finite_differences() {
    let rows = 2001;
    let mut values = vec![0.0; rows];
    Stream::new(13, 0).fill_normal(0, &mut values);
    let steps = draw_steps(rows, |[old, ret, ..]| Step {
        action: 0.0,
        sample: Sample { log_prob: -0.5, value: 0.5 * old, advantage: 0.0, ret: 0.5 * ret },
    });
    let result = loss_and_gradient(Policy::Categorical(2), &steps, &vec![0.0; 2 * rows], &values);
    for (i, Step { sample, .. }) in steps.iter().enumerate() {
        let at = |by: f64| {
            let (v, old, ret) = (f64::from(values[i]) + by, f64::from(sample.value), f64::from(sample.ret));
            let clamped = old + (v - old).clamp(-VALUE_CLIP, VALUE_CLIP);
            // Half the square, whose derivative is the error.
            WEIGHT * VALUE_WEIGHT * 0.5 * (v - ret).powi(2).max((clamped - ret).powi(2))
        };
        assert!(agrees(result.d_values[i], at), "sample {i}");
    }
}

#[test]
fn kl_and_clipped_fraction_are_zero_for_the_policy_that_acted() {
    let log_stds = [0.3, -0.2, 0.1, 0.0];
    let normal = (1..=log_stds.len()).map(|n| Policy::Normal(LogStds::new(&log_stds[..n])));
    for policy in (2..=MAX_ACTIONS).map(Policy::Categorical).chain(normal) {
        let (rows, numbers) = (100, policy.numbers());
        let outputs = if let Policy::Categorical(n) = policy { n } else { numbers };
        let (mut actor, mut noise) = (vec![0.0; rows * outputs], vec![0.0; rows * numbers]);
        Stream::new(14, 0).fill_normal(0, &mut actor);
        policy.fill_noise(Stream::new(15, 0), 0, 0, &mut noise);
        let (mut actions, mut log_probs) = (vec![0.0; rows * numbers], vec![0.0; rows]);
        policy.sample(&actor, &noise, &mut actions, &mut log_probs);
        let sample = |log_prob| Sample { log_prob, value: 0.0, advantage: 1.0, ret: 0.0 };
        let samples: Vec<Sample> = log_probs.into_iter().map(sample).collect();
        let stats = loss_and_gradient_of(policy, &actions, &samples, &actor, &vec![0.0; rows]).stats;
        assert!(stats.kl.abs() < 1e-4 && stats.clipped == 0.0, "{policy:?} {stats:?}");
    }
}

#[test]
fn categorical_gradient_is_finite_for_a_deterministic_policy() {
    let sample = Sample { log_prob: -0.1, value: 0.0, advantage: 1.0, ret: 0.0 };
    let step = Step { action: 0.0, sample };
    let result = loss_and_gradient(Policy::Categorical(2), &[step], &[-500.0, 500.0], &[0.0]);
    assert!(result.d_actor.iter().all(|v| v.is_finite()), "{:?}", result.d_actor);
    assert!(result.stats.entropy == 0.0, "{:?}", result.stats);
}
