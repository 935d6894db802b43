//! A bundle without GPUs opens none.

use std::convert::Infallible;

use learnery_lab::LabError;

use super::Host;

/// The opening of a device, which does not exist.
pub struct Opening(Infallible);

/// An open device, which does not exist either.
pub type OpenGpu = Infallible;

impl Opening {
    pub fn begin(_: bool, _: String) -> Result<Self, LabError> {
        Err(LabError::Device("this bundle cannot use a GPU".into()))
    }
}

impl Host {
    /// Nothing is left to do.
    pub(super) fn open_device(&mut self, _: f64) -> bool {
        match self.pending.openings.front() {
            Some((_, Opening(never))) => match *never {},
            None => true,
        }
    }

    /// The run is on no device.
    pub(super) fn return_to_device(&mut self) {
        debug_assert!(self.gpu.is_none(), "there is no device");
    }
}
