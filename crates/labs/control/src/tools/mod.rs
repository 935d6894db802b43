//! What the lab can do beside learning: take single steps of a world.

mod trace;

pub use trace::{Trace, TraceInput, TraceOutput, TracedStep, find_world};
