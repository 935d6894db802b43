//! Requests that cannot be answered at once: they wait for the end of a unit or for the GPU.

#[cfg(feature = "gpu")]
use std::pin::Pin;

#[cfg(feature = "gpu")]
use learnery_gpu::{Gpu, GpuError};

/// A request to save.
#[derive(Clone, Debug)]
pub struct PendingSave {
    pub purpose: String,
    pub network_only: bool,
    pub fingerprint: bool,
}

/// Work that waits for the GPU. A tab must not block, so it is continued in later slices.
#[derive(Default)]
pub struct DeviceWork {
    /// The device that is being opened.
    #[cfg(feature = "gpu")]
    pub opening: Option<Opening>,
    /// A step, or with true a unit, that the page asked for and that is not finished.
    pub step: Option<bool>,
    /// A request to save whose run is being fetched.
    pub save: Option<PendingSave>,
    /// Whether the device was busy when it was asked last.
    pub is_busy: bool,
}

/// A device that is being opened. It is polled without a waker, because a worker's message loop calls again.
#[cfg(feature = "gpu")]
pub type Opening = Pin<Box<dyn Future<Output = Result<Gpu, GpuError>>>>;

impl DeviceWork {
    pub fn is_empty(&self) -> bool {
        #[cfg(feature = "gpu")]
        if self.opening.is_some() {
            return false;
        }
        self.step.is_none() && self.save.is_none()
    }
}
