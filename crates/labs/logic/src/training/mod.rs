//! Training: gradient descent on soft gates (mixtures of gate kinds), local search on hard ones (each
//! replaced by its most likely kind), and restarts of runs without progress.

mod local_search;
mod losses;
mod quantization_noise;
mod restarts;
pub mod trainer;

pub use losses::Losses;
pub use restarts::Restarts;
pub use trainer::{Device, DeviceRun, Trainer};
