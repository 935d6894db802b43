//! The labs in this bundle. Each program in `bundles/` registers its own; code of a lab that is not registered is not
//! linked, so that a visitor downloads one lab at a time.

use std::sync::OnceLock;

use learnery_lab::{Entry, LabError};

static LABS: OnceLock<&'static [Entry]> = OnceLock::new();

/// Registers the labs. Only the first call counts.
pub fn register(labs: &'static [Entry]) {
    LABS.get_or_init(|| labs);
}

/// Measures the peak arithmetic rate of a number of threads in floating-point operations per second. `clock` returns
/// seconds.
pub type MeasurePeak = fn(clock: &(dyn Fn() -> f64 + Sync), threads: usize) -> f64;

static MEASURE_PEAK: OnceLock<MeasurePeak> = OnceLock::new();

/// Registers how the peak is measured. Only bundles whose page shows which fraction of the peak the lab uses need it;
/// the others do not contain the code.
pub fn register_peak_measurement(measure: MeasurePeak) {
    MEASURE_PEAK.get_or_init(|| measure);
}

/// How the peak is measured, if this bundle can.
pub fn peak_measurement() -> Option<MeasurePeak> {
    MEASURE_PEAK.get().copied()
}

/// The lab with the id `name`.
pub fn find(name: &str) -> Result<&'static Entry, LabError> {
    Entry::find(LABS.get().copied().unwrap_or_default(), name)
}
