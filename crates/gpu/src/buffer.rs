//! Buffers on the device, and what is read back from them.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::GpuError;
use crate::device::Gpu;
use crate::error::one_line;

/// A buffer on the device. Clones share it; the memory is freed with the last.
#[derive(Clone, Debug)]
pub struct Buffer {
    inner: Arc<BufferInner>,
}

#[derive(Debug)]
struct BufferInner {
    raw: wgpu::Buffer,
    words: usize,
    gpu: Gpu,
}

impl Drop for BufferInner {
    fn drop(&mut self) {
        self.gpu.release(self.raw.clone());
    }
}

impl Buffer {
    pub(crate) fn new(raw: wgpu::Buffer, words: usize, gpu: &Gpu) -> Self {
        Self { inner: Arc::new(BufferInner { raw, words, gpu: gpu.clone() }) }
    }

    /// The number of words of 32 bits.
    pub fn words(&self) -> usize {
        self.inner.words
    }

    pub(crate) fn raw(&self) -> &wgpu::Buffer {
        &self.inner.raw
    }
}

/// A pending read-back of a part of a buffer.
#[derive(Debug)]
pub struct ReadBack {
    gpu: Gpu,
    /// A copy that the CPU can read once it is ready.
    staging: wgpu::Buffer,
    words: usize,
    /// Whether the copy has arrived or failed.
    ready: Arc<AtomicBool>,
    failed: Arc<AtomicBool>,
}

impl ReadBack {
    /// Waits for `words` words in `staging`, to which a submitted command copies them.
    pub(crate) fn new(gpu: &Gpu, staging: wgpu::Buffer, words: usize) -> Self {
        let (ready, failed) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
        let (ready_flag, failed_flag) = (ready.clone(), failed.clone());
        let wake = gpu.waker();
        staging.map_async(wgpu::MapMode::Read, .., move |result| {
            // Before `ready`, because `poll` asks whether it failed as soon as it is ready.
            failed_flag.store(result.is_err(), Ordering::Release);
            ready_flag.store(true, Ordering::Release);
            wake();
        });
        Self { gpu: gpu.clone(), staging, words, ready, failed }
    }

    /// The values once they have arrived, otherwise `None`. Never blocks.
    ///
    /// # Panics
    /// If the part is not a whole number of values.
    pub fn poll<T: bytemuck::AnyBitPattern>(&self) -> Result<Option<Vec<T>>, GpuError> {
        assert!((4 * self.words).is_multiple_of(size_of::<T>()), "not a whole number of values");
        self.gpu.in_flight()?;
        if !self.ready.load(Ordering::Acquire) {
            return Ok(None);
        }
        if self.failed.load(Ordering::Acquire) {
            return Err(GpuError::Lost("its results could not be read".into()));
        }
        let range = self.staging.slice(..4 * self.words as u64);
        let view = range.get_mapped_range().map_err(|e| GpuError::Lost(one_line(&e.to_string())))?;
        Ok(Some(view.chunks_exact(size_of::<T>()).map(bytemuck::pod_read_unaligned).collect()))
    }
}
