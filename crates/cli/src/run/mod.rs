//! A training run on the command line: its folder, files, limits, messages and the training loop.

pub mod event_stream;
pub mod folder;
pub mod messages;
pub mod metrics_file;
pub mod open;
pub mod stop;
mod tensorboard;
pub mod training;
