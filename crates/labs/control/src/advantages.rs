//! Generalised advantage estimation (GAE; Schulman et al., 2016).

use crate::rollout::Rollout;

/// Computes `advantages` and `returns` of a full rollout, from its last step to its first.
///
/// `next_values` holds the critic's value of each world's observation after the last step, and is
/// overwritten. `next_advantages` is scratch memory with one element for each world.
///
/// The TD residual of a step is `reward + gamma * next value - value`. The advantage of a step is the sum of
/// the residuals from this step to the end of the episode, discounted by `gamma * lambda` for each step in
/// between. After the last step of an episode, the next value is 0 if the episode terminated, and the
/// critic's value of the last observation if the time limit cut it.
pub fn compute_advantages(
    rollout: &mut Rollout,
    next_values: &mut [f32],
    next_advantages: &mut [f32],
    gamma: f32,
    lambda: f32,
) {
    let n = rollout.worlds;
    // Going backwards, both arrays hold what belongs to the step after the current one.
    next_advantages.fill(0.0);
    // `now` is the range of one step's entries, one for each world.
    for begin in (0..rollout.len()).step_by(n).rev() {
        let now = begin..begin + n;
        let (rewards, values) = (&rollout.rewards[now.clone()], &rollout.values[now.clone()]);
        let truncation_values = &rollout.truncation_values[now.clone()];
        let continues = &rollout.continues[now.clone()];
        let advantages = &mut rollout.advantages[now.clone()];
        let returns = &mut rollout.returns[now];
        for i in 0..n {
            // `continues` is 0 where the episode ended; `truncation_values` is 0 except where the time limit
            // cut it.
            let next = continues[i] * next_values[i] + truncation_values[i];
            let residual = rewards[i] + gamma * next - values[i];
            let advantage = residual + gamma * lambda * continues[i] * next_advantages[i];
            (advantages[i], next_advantages[i]) = (advantage, advantage);
            returns[i] = advantage + values[i];
            next_values[i] = values[i];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use learnery_kernels::rng::Stream;

    /// The advantage of one step by its definition, in f64: the discounted sum of TD residuals up to the end
    /// of the episode.
    fn reference(r: &Rollout, next_values: &[f32], world: usize, t: usize, gamma: f64, lambda: f64) -> f64 {
        let n = r.worlds;
        let (mut sum, mut weight) = (0.0, 1.0);
        for at in (t * n + world..r.len()).step_by(n) {
            let value = |i: usize| f64::from(r.values[i]);
            let next = if r.continues[at] == 0.0 {
                f64::from(r.truncation_values[at])
            } else if at + n < r.len() {
                value(at + n)
            } else {
                f64::from(next_values[world])
            };
            sum += weight * (f64::from(r.rewards[at]) + gamma * next - value(at));
            if r.continues[at] == 0.0 {
                break;
            }
            weight *= gamma * lambda;
        }
        sum
    }

    #[test]
    fn advantages_are_discounted_sums_of_td_residuals() {
        let (stream, worlds, horizon) = (Stream::new(5, 5), 7, 40);
        let mut r = Rollout::new(worlds, horizon, 1, 1);
        stream.fill_normal(0, &mut r.rewards);
        stream.fill_normal(1, &mut r.values);
        for i in 0..r.len() {
            // A tenth of the steps end an episode; half of these are truncations with a value of 3.
            let [a, b, ..] = stream.uniform4(2, i as u64);
            r.continues[i] = if a < 0.1 { 0.0 } else { 1.0 };
            r.truncation_values[i] = if a < 0.1 && b < 0.5 { 3.0 } else { 0.0 };
        }
        let next_values: Vec<f32> = (0..worlds).map(|i| i as f32).collect();
        let (gamma, lambda) = (0.9, 0.8);
        // The scratch memory may hold anything, so it is filled with nines.
        let mut scratch = vec![9.0; worlds];
        compute_advantages(&mut r, &mut next_values.clone(), &mut scratch, gamma, lambda);
        for t in 0..horizon {
            for world in 0..worlds {
                let at = t * worlds + world;
                let exact = reference(&r, &next_values, world, t, f64::from(gamma), f64::from(lambda));
                assert!((f64::from(r.advantages[at]) - exact).abs() < 1e-4);
                assert!((r.returns[at] - r.advantages[at] - r.values[at]).abs() < 1e-5);
            }
        }
    }
}
