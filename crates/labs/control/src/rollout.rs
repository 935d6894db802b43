//! The rollout of one chunk of worlds (a chunk is a fixed group of the worlds that the agent acts in): all
//! steps taken between two learning phases. Also the format in which the learner reads a rollout: one
//! contiguous record for each step.

/// The steps of a chunk of worlds since the last learning phase, in order of time. Every array has the shape
/// `[horizon, worlds]`, except `observations` and `actions`.
pub struct Rollout {
    /// Worlds in the chunk.
    pub worlds: usize,
    /// Normalised observations.
    /// Shape: `[horizon, worlds, inputs]`.
    pub observations: Vec<f32>,
    /// The index of a discrete action, or the numbers of a continuous one as the policy has drawn them.
    /// Shape: `[horizon, worlds, numbers]`.
    pub actions: Vec<f32>,
    /// Log-probability (or log-density) of the action under the policy that took it.
    pub log_probs: Vec<f32>,
    /// The critic's value when the action was taken.
    pub values: Vec<f32>,
    /// Rewards after scaling and reward shaping.
    pub rewards: Vec<f32>,
    /// The critic's value of the last observation, for a step at which the time limit cut the episode; 0 for
    /// all other steps.
    pub truncation_values: Vec<f32>,
    /// 1 where the episode continues after the step, 0 where it terminated or was truncated.
    pub continues: Vec<f32>,
    /// Generalised advantage estimates.
    pub advantages: Vec<f32>,
    /// TD(lambda) returns, the critic's targets: advantage plus value.
    pub returns: Vec<f32>,
}

/// Floats of a record that hold the [`Sample`]; the observation and the action take the others.
const SAMPLE_WIDTH: usize = 4;

/// One step as the learner reads it, without the observation and the action.
#[derive(Clone, Copy)]
pub struct Sample {
    /// Log-probability of the action under the policy that took it.
    pub log_prob: f32,
    /// The critic's value when the action was taken.
    pub value: f32,
    pub advantage: f32,
    /// The return, which is the critic's target. (`return` is a keyword.)
    pub ret: f32,
}

impl Rollout {
    pub fn new(worlds: usize, horizon: usize, inputs: usize, numbers: usize) -> Self {
        let zeros = || vec![0.0; worlds * horizon];
        Self {
            worlds,
            observations: vec![0.0; worlds * horizon * inputs],
            actions: vec![0.0; worlds * horizon * numbers],
            log_probs: zeros(),
            values: zeros(),
            rewards: zeros(),
            truncation_values: zeros(),
            continues: zeros(),
            advantages: zeros(),
            returns: zeros(),
        }
    }

    /// The number of samples in a full rollout, over all worlds of the chunk.
    pub fn len(&self) -> usize {
        self.rewards.len()
    }

    /// Writes every step as one contiguous record: the observation, the action, then the [`Sample`]. The
    /// learner reads samples in random order; with records, each takes one contiguous read instead of six
    /// scattered ones.
    ///
    /// Shape: `records [horizon, worlds, record_width(inputs, numbers)]`.
    pub fn write_records(&self, records: &mut [f32]) {
        let width = records.len() / self.len();
        let numbers = self.actions.len() / self.len();
        let inputs = width - numbers - SAMPLE_WIDTH;
        for (i, record) in records.chunks_exact_mut(width).enumerate() {
            record[..inputs].copy_from_slice(&self.observations[i * inputs..][..inputs]);
            record[inputs..inputs + numbers].copy_from_slice(&self.actions[i * numbers..][..numbers]);
            record[inputs + numbers..].copy_from_slice(&[
                self.log_probs[i],
                self.values[i],
                self.advantages[i],
                self.returns[i],
            ]);
        }
    }
}

/// The number of floats in a record whose observation has `inputs` components and whose action has `numbers`.
pub fn record_width(inputs: usize, numbers: usize) -> usize {
    inputs + numbers + SAMPLE_WIDTH
}

/// A full rollout as the learner reads it.
#[derive(Clone, Copy)]
pub struct Records<'a> {
    /// The records, one after the other.
    /// Shape: `[samples, width]`.
    pub floats: &'a [f32],
    /// Floats in a record.
    pub width: usize,
}

impl<'a> Records<'a> {
    /// Record number `index`: the observation, the action, then the [`Sample`].
    pub fn get(self, index: usize) -> &'a [f32] {
        &self.floats[index * self.width..][..self.width]
    }
}

impl Sample {
    /// Reads the sample at the end of a record.
    pub fn from_record(record: &[f32]) -> Self {
        let sample = &record[record.len() - SAMPLE_WIDTH..];
        Self { log_prob: sample[0], value: sample[1], advantage: sample[2], ret: sample[3] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_hold_observation_action_and_sample_of_each_step() {
        let (worlds, horizon, inputs, numbers) = (3, 5, 2, 3);
        let mut rollout = Rollout::new(worlds, horizon, inputs, numbers);
        // Fills each array with consecutive numbers from a start of its own.
        let count =
            |from: f32, out: &mut [f32]| out.iter_mut().enumerate().for_each(|(i, x)| *x = from + i as f32);
        count(0.0, &mut rollout.observations);
        count(100.0, &mut rollout.actions);
        count(200.0, &mut rollout.log_probs);
        count(300.0, &mut rollout.values);
        count(400.0, &mut rollout.advantages);
        count(500.0, &mut rollout.returns);
        let width = record_width(inputs, numbers);
        let mut records = vec![0.0; rollout.len() * width];
        rollout.write_records(&mut records);
        for (i, record) in records.chunks_exact(width).enumerate() {
            let x = i as f32;
            assert_eq!(record[..inputs], [2.0 * x, 2.0 * x + 1.0]);
            assert_eq!(record[inputs..inputs + numbers], [0.0, 1.0, 2.0].map(|k| 100.0 + 3.0 * x + k));
            let Sample { log_prob, value, advantage, ret } = Sample::from_record(record);
            assert_eq!([log_prob, value, advantage, ret], [200.0 + x, 300.0 + x, 400.0 + x, 500.0 + x]);
        }
    }
}
