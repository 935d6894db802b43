//! What one chunk of worlds went through since the last update, and what came of it: generalised advantage estimation
//! (Schulman et al., 2015).

/// The steps of a chunk of worlds, time after time. // each [horizon, worlds], but for what is seen
pub struct Rollout {
    /// Worlds in the chunk.
    pub worlds: usize,
    /// What was seen, normalised. // [horizon, worlds, inputs]
    pub observations: Vec<f32>,
    /// What was done.
    pub actions: Vec<f32>,
    /// How likely that was.
    pub log_probs: Vec<f32>,
    /// What the critic expected.
    pub values: Vec<f32>,
    /// What was earned, as it is learned from.
    pub rewards: Vec<f32>,
    /// What the critic expected of the state in which time ran out; 0 elsewhere.
    pub cut_values: Vec<f32>,
    /// 1 where the episode went on, 0 where it ended.
    pub goes_on: Vec<f32>,
    /// How much better each step turned out than expected.
    pub advantages: Vec<f32>,
    /// What the critic should have expected.
    pub returns: Vec<f32>,
}

/// Numbers in a record beside what was seen.
const SAMPLE: usize = 5;

/// One remembered step, as the learner reads it, but for what was seen.
#[derive(Clone, Copy)]
pub struct Sample {
    /// What the agent did.
    pub action: f32,
    /// How likely that was.
    pub log_prob: f32,
    /// What the critic expected then.
    pub value: f32,
    /// How much better it turned out than expected.
    pub advantage: f32,
    /// What the critic should have expected.
    pub ret: f32,
}

impl Rollout {
    /// Room for `horizon` steps in `worlds` worlds.
    pub fn new(worlds: usize, horizon: usize, inputs: usize) -> Self {
        let numbers = || vec![0.0; worlds * horizon];
        Self {
            worlds,
            observations: vec![0.0; worlds * horizon * inputs],
            actions: numbers(),
            log_probs: numbers(),
            values: numbers(),
            rewards: numbers(),
            cut_values: numbers(),
            goes_on: numbers(),
            advantages: numbers(),
            returns: numbers(),
        }
    }

    /// Steps it has room for, all worlds together.
    pub fn len(&self) -> usize {
        self.actions.len()
    }

    /// Advantages and returns of all steps, from the end to the beginning; `next` is what the critic expects of the
    /// worlds as they are now, and is used up. `running` has room for one number for each world.
    pub fn judge(&mut self, next: &mut [f32], running: &mut [f32], gamma: f32, lambda: f32) {
        let n = self.worlds;
        running.fill(0.0);
        for begin in (0..self.len()).step_by(n).rev() {
            let now = begin..begin + n;
            let (rewards, values) = (&self.rewards[now.clone()], &self.values[now.clone()]);
            let (cut, goes_on) = (&self.cut_values[now.clone()], &self.goes_on[now.clone()]);
            let advantages = &mut self.advantages[now.clone()];
            let returns = &mut self.returns[now];
            for i in 0..n {
                // Nothing flows back over the end of an episode but the value it was cut off at.
                let later = goes_on[i] * next[i] + cut[i];
                let surprise = rewards[i] + gamma * later - values[i];
                let advantage = surprise + gamma * lambda * goes_on[i] * running[i];
                (advantages[i], running[i]) = (advantage, advantage);
                returns[i] = advantage + values[i];
                next[i] = values[i];
            }
        }
    }

    /// Writes every step as the learner reads it, in an order of its own: all that belongs to a step side by side, so that
    /// it comes from memory at once. // records [horizon, worlds, record_width(inputs)]
    pub fn record(&self, records: &mut [f32]) {
        let width = records.len() / self.len();
        let inputs = width - SAMPLE;
        for (i, record) in records.chunks_exact_mut(width).enumerate() {
            record[..inputs].copy_from_slice(&self.observations[i * inputs..][..inputs]);
            record[inputs..].copy_from_slice(&[
                self.actions[i],
                self.log_probs[i],
                self.values[i],
                self.advantages[i],
                self.returns[i],
            ]);
        }
    }
}

/// Numbers in a record of observations of so many numbers.
pub fn record_width(inputs: usize) -> usize {
    inputs + SAMPLE
}

impl Sample {
    /// Reads the end of a record.
    pub fn of(record: &[f32]) -> Self {
        let rest = &record[record.len() - SAMPLE..];
        Self { action: rest[0], log_prob: rest[1], value: rest[2], advantage: rest[3], ret: rest[4] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use learnery_kernels::rng::Stream;

    /// The definition: a sum of discounted surprises up to the end of the episode.
    fn slow(r: &Rollout, next: &[f32], world: usize, t: usize, gamma: f64, lambda: f64) -> f64 {
        let n = r.worlds;
        let (mut sum, mut weight) = (0.0, 1.0);
        for at in (t * n + world..r.len()).step_by(n) {
            let value = |i: usize| f64::from(r.values[i]);
            let later = if r.goes_on[at] == 0.0 {
                f64::from(r.cut_values[at])
            } else if at + n < r.len() {
                value(at + n)
            } else {
                f64::from(next[world])
            };
            sum += weight * (f64::from(r.rewards[at]) + gamma * later - value(at));
            if r.goes_on[at] == 0.0 {
                break;
            }
            weight *= gamma * lambda;
        }
        sum
    }

    #[test]
    fn advantages_are_sums_of_discounted_surprises() {
        let (stream, worlds, horizon) = (Stream::new(5, 5), 7, 40);
        let mut r = Rollout::new(worlds, horizon, 1);
        stream.fill_normal(0, &mut r.rewards);
        stream.fill_normal(1, &mut r.values);
        for i in 0..r.len() {
            let [end, cut, ..] = stream.uniform4(2, i as u64);
            r.goes_on[i] = if end < 0.1 { 0.0 } else { 1.0 };
            r.cut_values[i] = if end < 0.1 && cut < 0.5 { 3.0 } else { 0.0 };
        }
        let next: Vec<f32> = (0..worlds).map(|i| i as f32).collect();
        r.judge(&mut next.clone(), &mut vec![9.0; worlds], 0.9, 0.8);
        let width = record_width(1);
        let mut records = vec![0.0; r.len() * width];
        r.record(&mut records);
        for t in 0..horizon {
            for world in 0..worlds {
                let (at, exact) = (t * worlds + world, slow(&r, &next, world, t, 0.9, 0.8));
                assert!((f64::from(r.advantages[at]) - exact).abs() < 1e-4);
                assert!((r.returns[at] - r.advantages[at] - r.values[at]).abs() < 1e-5);
                let sample = Sample::of(&records[at * width..][..width]);
                assert_eq!((sample.advantage, sample.value), (r.advantages[at], r.values[at]));
            }
        }
    }
}
