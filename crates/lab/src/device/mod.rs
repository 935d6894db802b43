//! Runs that learn on a device, such as a GPU. A lab implements `DeviceTrainer`: what it submits and reads
//! back. `Pump`, the same for all labs, calls it: it submits work, polls, reads results back and keeps the
//! first error. A lab uses the pump through [`OnDevice`], which exists without the feature `gpu` too.
//! [`DeviceWait`] is the pause of a caller between two polls.

#[cfg(feature = "gpu")]
mod pump;
mod wait;

use crate::Status;

#[cfg(feature = "gpu")]
pub use pump::{DeviceTrainer, Pump, Work};
pub use wait::DeviceWait;

/// Whether this build can train on the CPU. The page's bundle for GPUs cannot: on the CPU the page uses
/// another bundle. A run that is opened in it waits until it has been moved to a GPU.
pub const TRAINS_ON_CPU: bool = !cfg!(all(feature = "gpu", target_family = "wasm"));

/// The part of a run that is on a device. `R` is a struct of borrows of the run's state on the CPU, which
/// each call gets.
pub trait OnDevice<R>: Send {
    /// Does a step of a unit, see [`crate::Lab::step`].
    fn step(&mut self, run: R) -> Status;

    /// Fetches what a checkpoint needs, see [`crate::Lab::prepare_save`].
    fn prepare_save(&mut self, run: R) -> Status;

    /// Called when the page draws the run: the next time that results are fetched, the data that it draws is
    /// fetched too.
    fn watch(&mut self);

    /// Reports an error of the device that occurred elsewhere, such as in an evaluation. The run cannot go
    /// on. The first reason is kept. Returns [`Status::Failed`].
    fn fail(&mut self, reason: String) -> Status;

    /// Why the device failed, see [`crate::Lab::failure`].
    fn failure(&self) -> Option<String>;
}
