//! What the lab can do with a trained network beside learning: continue a text.

mod sample;

pub use sample::{Sample, SampleEvent, SampleInput, SampleOutput, SampledText};
