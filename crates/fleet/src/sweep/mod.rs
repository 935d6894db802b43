//! Many runs that differ in their settings and seeds: which ones there are, who computes which of them on
//! many machines, and what they came to together.

#[cfg(not(target_family = "wasm"))]
mod host;
mod order;
#[cfg(not(target_family = "wasm"))]
mod plan;
#[cfg(not(target_family = "wasm"))]
mod queue;
#[cfg(not(target_family = "wasm"))]
mod report;
mod runner;
#[cfg(not(target_family = "wasm"))]
mod summary;

pub use order::{Delivery, End, MAX_CHECKPOINT, Order, version_of};
pub use runner::{Computer, Runner};
#[cfg(not(target_family = "wasm"))]
pub use {
    host::{SaveError, Store, SweepHost, SweepNotice, SweepPolicy},
    plan::{Point, points, seeds},
    queue::{Queue, Verdict},
    report::{Page, page},
    summary::{Best, Ended, Quartiles, Summary, best, csv, quartiles, summaries},
};

/// Begins a run of a sweep, as it is sent; the digit is the version of the format.
const ORDER: &[u8; 4] = b"LFs1";

/// Whether the file of a version is a run of a sweep.
pub fn is_order(file: &[u8]) -> bool {
    file.starts_with(ORDER)
}
