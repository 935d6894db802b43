//! Requests that cannot be answered at once: they wait for the end of a unit or for the GPU.

use std::collections::VecDeque;
#[cfg(feature = "gpu")]
use std::pin::Pin;

#[cfg(feature = "gpu")]
use learnery_gpu::{Gpu, GpuError, SpeedMeasurement};
use serde_json::Value;

#[cfg(feature = "gpu")]
use crate::protocol::GpuInfo;

/// What a request to save asks for.
#[derive(Clone, Debug)]
pub struct SaveRequest {
    pub purpose: String,
    pub network_only: bool,
    pub fingerprint: bool,
    /// The class of bits for a recipe; `None` for a checkpoint.
    pub recipe: Option<String>,
}

/// What is done with a run between two units, once everything has been fetched from the GPU.
#[derive(Clone, Debug)]
pub enum BetweenUnits {
    Save(SaveRequest),
    /// The run goes on with another seed.
    Reseed(u32),
    /// A command gives the run data of the user's own.
    SetData(Value),
}

impl BetweenUnits {
    /// The value of `type` in the request.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Save(_) => "save",
            Self::Reseed(_) => "reseed",
            Self::SetData(_) => "command",
        }
    }
}

/// Work that the page asked for and that takes long, or waits for the GPU. A tab must not block, so it is continued in later
/// slices.
#[derive(Default)]
pub struct PendingWork {
    /// The device to which the run is being moved.
    #[cfg(feature = "gpu")]
    pub opening: Option<Opening>,
    /// A step, or with true a unit, that the page asked for and that is not finished.
    pub step: Option<bool>,
    /// Requests that wait for the end of the unit in progress, and for which the run is then fetched from the GPU.
    pub waiting: VecDeque<BetweenUnits>,
    /// Whether the device was busy when it was asked last.
    pub is_busy: bool,
}

/// How far the opening of a device is.
#[cfg(feature = "gpu")]
pub enum Opening {
    /// The device is being opened. It is polled without a waker, because a worker's message loop calls again.
    Device(Pin<Box<dyn Future<Output = Result<Gpu, GpuError>>>>),
    /// Its peak of multiply-adds is being measured.
    Speed(Gpu, SpeedMeasurement),
    /// The run has been moved, and the device compiles its kernels.
    Kernels(Gpu, GpuInfo),
}

impl PendingWork {
    pub fn is_empty(&self) -> bool {
        self.step.is_none() && self.waiting.is_empty() && !self.opens_device()
    }

    /// Whether a device is being opened.
    pub fn opens_device(&self) -> bool {
        #[cfg(feature = "gpu")]
        return self.opening.is_some();
        #[cfg(not(feature = "gpu"))]
        false
    }
}
