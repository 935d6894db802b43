//! Training: gradient descent on soft gates (mixtures of gate kinds), local search on hard ones (each replaced by its
//! most likely kind), and restarts of runs without progress.

mod local_search;
mod losses;
mod quantization_noise;
mod restarts;
mod trainer;

pub use restarts::Restarts;
#[cfg(feature = "gpu")]
pub use trainer::DeviceStep;
pub use trainer::Trainer;
