//! The memory of the buffers on a device. That of freed buffers is kept in a pool, by size class, for the
//! next plan that needs it.

use std::collections::HashMap;

/// The most bytes that the pool keeps.
const MAX_POOL_BYTES: u64 = 1 << 28;

/// What is allocated on a device.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    /// Free buffers by size class.
    pool: HashMap<u64, Vec<wgpu::Buffer>>,
    /// Bytes in the pool.
    pooled: u64,
    /// Bytes in use or in the pool.
    allocated: u64,
    /// The maximum of `allocated` so far.
    peak: u64,
}

impl Memory {
    /// A free buffer of this class, which still holds what was written to it.
    pub fn take(&mut self, class: u64) -> Option<wgpu::Buffer> {
        let raw = self.pool.get_mut(&class)?.pop()?;
        self.pooled -= class;
        Some(raw)
    }

    /// Counts a new buffer of this class.
    pub fn add(&mut self, class: u64) {
        self.allocated += class;
        self.peak = self.peak.max(self.allocated);
    }

    /// Takes a buffer that is no longer used.
    pub fn release(&mut self, raw: wgpu::Buffer) {
        let class = raw.size();
        if self.pooled + class > MAX_POOL_BYTES {
            self.allocated -= class;
        } else {
            self.pooled += class;
            self.pool.entry(class).or_default().push(raw);
        }
    }

    /// The most bytes that were allocated at the same time, in use or in the pool.
    pub fn peak(&self) -> u64 {
        self.peak
    }
}

/// The size of the buffer that is allocated for this many bytes, rounded up so that there are few classes: to
/// a multiple of 256 bytes for small buffers, and by at most an eighth for large ones.
pub(crate) fn size_class(bytes: u64) -> u64 {
    let step = (bytes.next_power_of_two() / 16).max(256);
    bytes.next_multiple_of(step)
}
