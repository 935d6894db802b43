//! What the lab can do with a learned circuit beside learning: write it as a file.

mod export;

pub use export::{Export, ExportInput};
