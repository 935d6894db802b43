//! Which labs this bundle holds. A visitor loads one lab at a time, so each has a bundle of its own
//! (`bundles/`), which says here what is in it; what is not named is not linked.

use std::sync::OnceLock;

use learnery_lab::{Entry, LabError};

static LABS: OnceLock<&'static [Entry]> = OnceLock::new();

/// Says which labs there are. The first word counts.
pub fn hold(labs: &'static [Entry]) {
    LABS.get_or_init(|| labs);
}

/// Finds the most operations a second that a number of threads can do, with a clock in seconds.
pub type Peak = fn(clock: &(dyn Fn() -> f64 + Sync), threads: usize) -> f64;

static PEAK: OnceLock<Peak> = OnceLock::new();

/// Says how to measure what the machine can do: for bundles of labs whose page tells which share of that they get. The
/// others need not carry it.
pub fn measure_peak_by(peak: Peak) {
    PEAK.get_or_init(|| peak);
}

/// How to measure what the machine can do, where this bundle says.
pub fn peak() -> Option<Peak> {
    PEAK.get().copied()
}

/// The lab called `name`.
pub fn find(name: &str) -> Result<&'static Entry, LabError> {
    Entry::find(LABS.get().copied().unwrap_or_default(), name)
}
