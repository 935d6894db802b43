//! Many runs that differ in their settings and seeds: which ones there are, and what they came to together.

mod plan;
mod summary;

pub use plan::{Point, points, seeds};
pub use summary::{Ended, Quartiles, Summary, csv, quartiles, summaries};
