use learnery_kernels::rng::Stream;

use super::*;

fn objective(policy: Policy) -> Objective {
    Objective {
        policy,
        clip: 0.2,
        value_clip: 0.3,
        entropy_weight: 0.05,
        value_weight: 0.5,
        weight: 0.25,
        advantage_mean: 0.3,
        advantage_scale: 0.8,
    }
}

/// What came of judging.
struct Judged {
    d_answers: Vec<f32>,
    d_values: Vec<f32>,
    spread_slope: f32,
    stats: Stats,
}

fn judge(policy: Policy, samples: &[Sample], answers: &[f32], values: &[f32]) -> Judged {
    let rows = samples.len();
    let mut columns = Columns::new(rows);
    samples.iter().enumerate().for_each(|(row, sample)| columns.put(row, sample));
    let (mut d_answers, mut d_values) = (vec![9.0; answers.len()], vec![9.0; rows]);
    let mut stats = Stats::default();
    let ends = Ends { answers, d_answers: &mut d_answers, values, d_values: &mut d_values };
    let spread_slope = objective(policy).judge(&mut columns, rows, ends, &mut stats);
    Judged { d_answers, d_values, spread_slope, stats }
}

/// The loss of one sample in f64, as the paper has it, from its action's logarithm of probability and the entropy.
fn loss(log_prob: f64, entropy: f64, sample: &Sample) -> f64 {
    let ratio = (log_prob - f64::from(sample.log_prob)).exp();
    let a = (f64::from(sample.advantage) - 0.3) * 0.8;
    let surrogate = (ratio * a).min(ratio.clamp(0.8, 1.2) * a);
    0.25 * (-surrogate - 0.05 * entropy)
}

/// The logarithm of the probability of an action, and the entropy.
fn of_numbered(answers: &[f64], action: usize) -> (f64, f64) {
    let sum: f64 = answers.iter().map(|l| l.exp()).sum();
    let p: Vec<f64> = answers.iter().map(|l| l.exp() / sum).collect();
    (p[action].ln(), -p.iter().map(|p| p * p.ln()).sum::<f64>())
}

fn of_normal(mean: f64, log_spread: f64, action: f64) -> (f64, f64) {
    let half_log_turn = 0.5 * std::f64::consts::TAU.ln();
    let z = (action - mean) / log_spread.exp();
    (-0.5 * z * z - log_spread - half_log_turn, 0.5 + half_log_turn + log_spread)
}

/// Either slope is right at a corner of the loss.
fn agrees(ours: f32, loss: impl Fn(f64) -> f64) -> bool {
    let h = 1e-6;
    let (left, right) = ((loss(0.0) - loss(-h)) / h, (loss(h) - loss(0.0)) / h);
    [left, right].iter().any(|slope| (f64::from(ours) - slope).abs() < 1e-4 * (1.0 + slope.abs()))
}

fn samples(rows: usize, mut one: impl FnMut([f32; 4]) -> Sample) -> Vec<Sample> {
    let draws = |i| Stream::new(11, 0).uniform4(i, 0).map(|u| 4.0 * u - 2.0);
    (0..rows as u64).map(|i| one(draws(i))).collect()
}

#[test]
fn the_gradient_of_numbered_actions_agrees_with_finite_differences() {
    for n in [2, 3] {
        // Not a whole number of vectors.
        let rows = 2003;
        let mut answers = vec![0.0; rows * n];
        Stream::new(12, 0).fill_normal(n as u64, &mut answers);
        let mut row = 0;
        let samples = samples(rows, |[a, b, c, advantage]| {
            let action = row % n;
            row += 1;
            let old = of_numbered(&[a, b, c].map(f64::from)[..n], action).0 as f32;
            Sample { action: action as f32, log_prob: old, value: 0.0, advantage, ret: 0.0 }
        });
        let judged = judge(Policy::Categorical(n), &samples, &answers, &vec![0.0; rows]);
        let mut sums = [0.0; 2];
        for (i, sample) in samples.iter().enumerate() {
            let its: Vec<f64> = answers[i * n..][..n].iter().map(|a| f64::from(*a)).collect();
            let (log_prob, entropy) = of_numbered(&its, i % n);
            sums[0] += loss(log_prob, 0.0, sample) / -0.25;
            sums[1] += entropy;
            for k in 0..n {
                let at = |by: f64| {
                    let mut moved = its.clone();
                    moved[k] += by;
                    let (log_prob, entropy) = of_numbered(&moved, i % n);
                    loss(log_prob, entropy, sample)
                };
                assert!(agrees(judged.d_answers[i * n + k], at), "sample {i} of {n} actions");
            }
        }
        assert!((judged.stats.policy_loss + sums[0]).abs() < 1e-3, "{:?} {sums:?}", judged.stats);
        assert!((judged.stats.entropy - sums[1]).abs() < 1e-3, "{:?} {sums:?}", judged.stats);
        assert!(judged.stats.samples == rows as f64 && judged.spread_slope == 0.0);
    }
}

#[test]
fn the_gradient_of_a_normal_action_agrees_with_finite_differences() {
    let (rows, spread) = (1001, -0.4);
    let mut means = vec![0.0; rows];
    Stream::new(12, 0).fill_normal(0, &mut means);
    let samples = samples(rows, |[action, mean, _, advantage]| {
        let old = of_normal(f64::from(mean), f64::from(spread), f64::from(action)).0 as f32;
        Sample { action, log_prob: old, value: 0.0, advantage, ret: 0.0 }
    });
    let of = |i: usize, by: f64, wider: f64| {
        let (mean, action) = (f64::from(means[i]), f64::from(samples[i].action));
        let (log_prob, entropy) = of_normal(mean + by, f64::from(spread) + wider, action);
        loss(log_prob, entropy, &samples[i])
    };
    let judged = judge(Policy::Normal { log_spread: spread }, &samples, &means, &vec![0.0; rows]);
    let mut slope = 0.0;
    for i in 0..rows {
        assert!(agrees(judged.d_answers[i], |by| of(i, by, 0.0)), "sample {i}");
        slope += (of(i, 0.0, 1e-6) - of(i, 0.0, -1e-6)) / 2e-6;
    }
    assert!((f64::from(judged.spread_slope) - slope).abs() < 1e-2 * slope.abs(), "{slope}");
}

#[test]
fn the_value_gradient_agrees_with_finite_differences() {
    let rows = 2001;
    let mut values = vec![0.0; rows];
    Stream::new(13, 0).fill_normal(0, &mut values);
    let samples = samples(rows, |[old, ret, ..]| Sample {
        action: 0.0,
        log_prob: -0.5,
        value: 0.5 * old,
        advantage: 0.0,
        ret: 0.5 * ret,
    });
    let judged = judge(Policy::Categorical(2), &samples, &vec![0.0; 2 * rows], &values);
    for (i, sample) in samples.iter().enumerate() {
        let at = |by: f64| {
            let (v, old, ret) = (f64::from(values[i]) + by, f64::from(sample.value), f64::from(sample.ret));
            let held = old + (v - old).clamp(-0.3, 0.3);
            // Half the square, as its slope is the error.
            0.25 * 0.5 * 0.5 * (v - ret).powi(2).max((held - ret).powi(2))
        };
        assert!(agrees(judged.d_values[i], at), "sample {i}");
    }
}

#[test]
fn what_has_just_been_done_is_as_likely_as_it_was() {
    for policy in [Policy::Categorical(2), Policy::Categorical(3), Policy::Normal { log_spread: 0.3 }] {
        let (rows, outputs) = (100, if let Policy::Categorical(n) = policy { n } else { 1 });
        let (mut answers, mut noise) = (vec![0.0; rows * outputs], vec![0.0; rows]);
        Stream::new(14, 0).fill_normal(0, &mut answers);
        policy.fill_noise(Stream::new(15, 0), 0, 0, &mut noise);
        let (mut actions, mut log_probs) = (vec![0.0; rows], vec![0.0; rows]);
        policy.draw(&answers, &noise, &mut actions, &mut log_probs);
        let sample = |(action, log_prob)| Sample { action, log_prob, value: 0.0, advantage: 1.0, ret: 0.0 };
        let samples: Vec<Sample> = actions.into_iter().zip(log_probs).map(sample).collect();
        let stats = judge(policy, &samples, &answers, &vec![0.0; rows]).stats;
        assert!(stats.kl.abs() < 1e-4 && stats.clipped == 0.0, "{policy:?} {stats:?}");
    }
}

#[test]
fn a_certain_policy_stays_finite() {
    let sample = Sample { action: 0.0, log_prob: -0.1, value: 0.0, advantage: 1.0, ret: 0.0 };
    let judged = judge(Policy::Categorical(2), &[sample], &[-500.0, 500.0], &[0.0]);
    assert!(judged.d_answers.iter().all(|v| v.is_finite()), "{:?}", judged.d_answers);
    assert!(judged.stats.entropy == 0.0, "{:?}", judged.stats);
}
