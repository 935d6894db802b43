//! Training: gradient descent on soft gates, local search on decided ones, and restarts of runs that are stuck.

mod local_search;
mod restarts;
mod trainer;

pub use restarts::Restarts;
pub use trainer::Trainer;
