//! The interface between labs (learning tasks) and the programs that run them: settings, step budget,
//! metrics, view, commands, checkpoints. It contains no learning algorithm. A run counts *units* (training
//! iterations), each of which consists of *steps*, the smallest pieces that can be interrupted.
//!
//! A lab implements [`Lab`]. The page's worker, the command line and the tests drive a [`Session`], which
//! knows the lab only through its [`Entry`].
#![cfg_attr(not(test), deny(clippy::disallowed_methods))] // Results are the same bits on every platform.

mod any;
mod budget;
mod bytes;
mod checkpoint;
#[cfg(feature = "contract")]
pub mod contract;
mod crc32;
mod device;
mod error;
mod field;
mod fingerprint;
pub mod fleet;
mod floats;
mod lab;
mod limits;
mod metrics;
mod pace;
mod recipe;
mod schema;
mod session;
mod shapes;
mod tagged;
mod tool;

pub use any::{AnyLab, Entry};
pub use budget::Budget;
pub use bytes::Bytes;
pub use checkpoint::{Change, Checkpoint, DataChange, DeviceUse, Header, SeedChange};
#[cfg(feature = "gpu")]
pub use device::{DeviceTrainer, Pump, Work};
pub use device::{DeviceWait, OnDevice, TRAINS_ON_CPU};
pub use error::LabError;
pub use field::{Condition, Field, Group, Kind};
pub use floats::Floats;
#[cfg(not(target_family = "wasm"))]
pub use lab::MakeGraphs;
pub use lab::{About, Config, Context, GpuUse, Lab, NamedText, Preset, State, Status};
pub use learnery_nn::Precision;
#[cfg(not(target_family = "wasm"))]
pub use learnery_nn::graph;
#[cfg(not(target_family = "wasm"))]
pub use learnery_nn::with_spinning_threads;
pub use limits::{Limit, Limits};
pub use metrics::{Better, Goal, History, MetricSpec, Row};
pub use pace::Pace;
pub use recipe::{Recipe, RecipeChange};
pub use schema::Schema;
pub use session::{Advance, Session};
#[cfg(feature = "bindings")]
pub use shapes::Declarations;
pub use shapes::Shape;
pub use tagged::from_tagged;
pub use tool::{
    AnyJob, AnyOutput, AskAgain, ErasedOutput, Figure, Interrupt, Job, Outcome, Program, Report, Source,
    Tool, ToolAbout, ToolEntry, ToolProgress, ToolStatus,
};
#[cfg(not(target_family = "wasm"))]
pub use tool::{EVALUATE, EvalRequest, Named};
