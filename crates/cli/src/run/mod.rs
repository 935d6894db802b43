//! A training run on the command line: opening it, its folder and files, messages, stop signals and the
//! training loop.

pub mod best;
pub mod event_stream;
pub mod folder;
pub mod kept;
pub mod messages;
pub mod metrics_file;
pub mod open;
mod pending_file;
pub mod recipe;
pub mod stop;
mod tensorboard;
pub mod training;
