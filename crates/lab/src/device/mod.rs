//! Runs that learn on a device, such as a GPU. A lab implements `DeviceTrainer` for its trainer there; one `Pump` for all
//! labs submits, waits, fetches and fails. A lab drives it through [`OnDevice`], which exists without the feature `gpu` too.

#[cfg(feature = "gpu")]
mod pump;
mod wait;

use crate::Status;

#[cfg(feature = "gpu")]
pub use pump::{DeviceTrainer, Pump, Work};
pub use wait::DeviceWait;

/// Whether this build can train on the CPU. The page's bundle for GPUs cannot: on the CPU the page uses another bundle. A run that
/// is opened in it waits until it has been moved to a GPU.
pub const TRAINS_ON_CPU: bool = !cfg!(all(feature = "gpu", target_family = "wasm"));

/// The part of a run that is on a device. `R` borrows the run's part on the CPU, which each call reads and changes.
pub trait OnDevice<R>: Send {
    /// Does a step of a unit, see [`crate::Lab::step`].
    fn step(&mut self, run: R) -> Status;

    /// Fetches what a checkpoint needs, see [`crate::Lab::prepare_save`].
    fn prepare_save(&mut self, run: R) -> Status;

    /// Called when the page draws the run: the next time that results are fetched, the data that it draws is fetched too.
    fn watch(&mut self);

    /// Notes an error of the device outside of the other methods, such as in an evaluation: the run cannot go on. The first reason is
    /// kept.
    fn fail(&mut self, reason: String) -> Status;

    /// Why the device failed, see [`crate::Lab::failure`].
    fn failure(&self) -> Option<String>;
}
