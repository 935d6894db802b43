//! AlphaZero's replay buffer: samples of finished games in a ring buffer. New samples replace the oldest.

use super::sample::Sample;

/// The samples.
pub struct Replay {
    samples: Vec<Sample>,
    /// 0 until the buffer is full. From then on the index of the oldest sample, which the next sample overwrites.
    next: usize,
    capacity: usize,
}

impl Replay {
    pub fn new(capacity: usize) -> Self {
        Self { samples: Vec::with_capacity(capacity), next: 0, capacity }
    }

    pub fn push(&mut self, sample: Sample) {
        if self.samples.len() < self.capacity {
            self.samples.push(sample);
        } else {
            self.samples[self.next] = sample;
            self.next = (self.next + 1) % self.capacity;
        }
    }

    pub fn len(&self) -> usize {
        self.samples.len()
    }

    /// Returns sample `i`, counted from the oldest. Loading a checkpoint stores the samples in order of age, at other
    /// indices than before. So that this does not change a run, minibatches are sampled by age and not by index in the
    /// storage.
    pub fn get(&self, i: usize) -> &Sample {
        let index = self.next + i;
        let n = self.samples.len();
        &self.samples[if index < n { index } else { index - n }]
    }

    /// All samples, the oldest first.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Sample> {
        (0..self.len()).map(|i| self.get(i))
    }
}
