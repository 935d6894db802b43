//! The replay buffer: samples of finished games, of which new ones replace the oldest.

use super::sample::Sample;

/// A ring buffer.
pub struct Replay {
    samples: Vec<Sample>,
    /// Index of the oldest sample, which the next one replaces, once the buffer is full. Zero until then.
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

    /// Sample `i`, counted from the oldest. A buffer that was saved and loaded begins with the oldest, so minibatches must
    /// be drawn by age and not by place.
    pub fn get(&self, i: usize) -> &Sample {
        let at = self.next + i;
        let n = self.samples.len();
        &self.samples[if at < n { at } else { at - n }]
    }

    /// All samples, the oldest first.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Sample> {
        (0..self.len()).map(|i| self.get(i))
    }
}
