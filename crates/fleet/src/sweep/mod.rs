//! A sweep: many runs that differ in their settings and seeds. It plans the runs, leases them to many
//! machines, and summarises their results.

#[cfg(not(target_family = "wasm"))]
mod halving;
#[cfg(not(target_family = "wasm"))]
mod host;
mod order;
#[cfg(not(target_family = "wasm"))]
mod plan;
#[cfg(not(target_family = "wasm"))]
mod queue;
#[cfg(not(target_family = "wasm"))]
mod random;
#[cfg(not(target_family = "wasm"))]
mod report;
mod runner;
mod so_far;
#[cfg(not(target_family = "wasm"))]
mod summary;

pub use order::{Delivery, MAX_CHECKPOINT_BYTES, Order, StopCondition, version_of};
pub use runner::{Computer, Runner};
pub use so_far::RunSoFar;
#[cfg(not(target_family = "wasm"))]
pub use {
    halving::{Halving, Standing},
    host::{SaveError, Store, SweepHost, SweepNotice, SweepPolicy},
    plan::{Configuration, parse_configurations, parse_seeds},
    queue::{Queue, Verdict},
    random::random_configurations,
    report::{Page, page},
    summary::{Best, CompletedRun, Quartiles, Summary, csv, find_best, quartiles, summarise},
};

/// The first bytes of an order, the message with a run of a sweep; the digit is the version of the format.
const ORDER_MAGIC: &[u8; 4] = b"LFs1";

/// Whether the file of a version is an order, and not the weights of a run.
pub fn is_order(file: &[u8]) -> bool {
    file.starts_with(ORDER_MAGIC)
}
