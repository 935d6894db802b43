//! The labs (learning tasks) in this bundle, the WebAssembly program that a page loads. Each program in
//! `bundles/` registers its lab here. The linker leaves out labs that are not registered, so a bundle
//! contains the code of one lab only.

use std::sync::OnceLock;

use learnery_lab::{Entry, LabError, ToolEntry};

use crate::questions::Answerer;

static LABS: OnceLock<&'static [Entry]> = OnceLock::new();

/// Registers the labs. Only the first call counts.
pub fn register(labs: &'static [Entry]) {
    LABS.get_or_init(|| labs);
}

/// A function that measures the peak arithmetic rate of `threads` threads together, in floating-point
/// operations per second. `clock` returns the time in seconds.
pub type MeasurePeak = fn(clock: &(dyn Fn() -> f64 + Sync), threads: usize) -> f64;

static MEASURE_PEAK: OnceLock<MeasurePeak> = OnceLock::new();

/// Registers the function that measures the peak rate. Only bundles whose page shows the used fraction of the
/// peak register one; the others do not contain its code.
pub fn register_peak_measurement(measure: MeasurePeak) {
    MEASURE_PEAK.get_or_init(|| measure);
}

/// The registered function, if there is one.
pub fn peak_measurement() -> Option<MeasurePeak> {
    MEASURE_PEAK.get().copied()
}

static TOOLS: OnceLock<&'static [ToolEntry]> = OnceLock::new();

/// Registers the tools of a lab, which answer questions such as the analysis of a position, in a bundle that
/// has no session (run). Only the first call counts.
pub fn register_tools_alone(tools: &'static [ToolEntry]) {
    TOOLS.get_or_init(|| tools);
}

/// The tools of a bundle that has no session.
pub fn tools_alone() -> &'static [ToolEntry] {
    TOOLS.get().copied().unwrap_or_default()
}

static NEW_ANSWERER: OnceLock<fn() -> Box<dyn Answerer>> = OnceLock::new();

/// Registers the constructor of what answers the page's questions to a lab's tools
/// ([`crate::questions::by_tools`]). Only bundles whose lab has tools in a tab register it; the others do not
/// contain its code.
pub fn register_answerer(new_answerer: fn() -> Box<dyn Answerer>) {
    NEW_ANSWERER.get_or_init(|| new_answerer);
}

/// A new answerer, if one is registered.
pub fn new_answerer() -> Option<Box<dyn Answerer>> {
    NEW_ANSWERER.get().map(|new_answerer| new_answerer())
}

/// Finds the registered lab with the id `name`.
pub fn find(name: &str) -> Result<&'static Entry, LabError> {
    // Before labs are registered there are none, and nothing is found.
    Entry::find(LABS.get().copied().unwrap_or_default(), name)
}
