//! What the lab can do with a trained network beside learning: continue a text, measure how well it predicts.

mod evaluate;
mod sample;

pub use evaluate::{Evaluate, EvaluationInput};
pub use sample::{Sample, SampleEvent, SampleInput, SampleOutput, SampledText};
