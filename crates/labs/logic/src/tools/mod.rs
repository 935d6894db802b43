//! What the lab can do with a learned circuit beside learning: write it as a file, count its errors.

mod evaluate;
mod export;

pub use evaluate::{Evaluate, EvaluationInput};
pub use export::{Export, ExportInput};
