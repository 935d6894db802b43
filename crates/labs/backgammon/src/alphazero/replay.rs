//! AlphaZero's replay buffer: samples of finished games in a ring buffer. New samples replace the oldest.

use super::sample::Sample;

/// A ring buffer of samples.
pub struct ReplayBuffer {
    samples: Vec<Sample>,
    /// The index of the oldest sample, which is 0 until the buffer is full. A full buffer overwrites it next.
    oldest: usize,
    capacity: usize,
}

impl ReplayBuffer {
    pub fn new(capacity: usize) -> Self {
        Self { samples: Vec::with_capacity(capacity), oldest: 0, capacity }
    }

    pub fn push(&mut self, sample: Sample) {
        if self.samples.len() < self.capacity {
            self.samples.push(sample);
        } else {
            self.samples[self.oldest] = sample;
            self.oldest = (self.oldest + 1) % self.capacity;
        }
    }

    pub fn len(&self) -> usize {
        self.samples.len()
    }

    /// Returns sample `i`, counted from the oldest. Loading a checkpoint stores the samples in order of age,
    /// at other indices than before. So that this does not change a run, minibatches are sampled by age and
    /// not by index in the storage.
    pub fn get(&self, i: usize) -> &Sample {
        let index = self.oldest + i;
        let n = self.samples.len();
        &self.samples[if index < n { index } else { index - n }]
    }

    /// All samples, the oldest first.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Sample> {
        (0..self.len()).map(|i| self.get(i))
    }
}
