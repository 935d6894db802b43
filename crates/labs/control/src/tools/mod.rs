//! What the lab can do beside learning: take single steps of a world (`trace`), measure the score of a
//! network (`evaluate`).

mod evaluate;
mod trace;

pub use evaluate::{Evaluate, EvaluationInput};
pub use trace::{Trace, TraceInput, TraceOutput, TracedStep, find_world};
