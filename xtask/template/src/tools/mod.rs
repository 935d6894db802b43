//! What the lab can do beside learning.

mod evaluate;

pub use evaluate::Evaluate;
