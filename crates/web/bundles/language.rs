//! The bundle (the WebAssembly program that the page loads) of the lab `language`. The page shows which
//! fraction of the machine's peak arithmetic rate this lab uses.

use learnery_lab::Entry;
use learnery_labs::language::Language;

const LABS: &[Entry] = &[Entry::of::<Language>()];

/// Runs when the worker has started the module.
fn main() {
    learnery_web::labs::register(LABS);
    learnery_web::labs::register_peak_measurement(learnery_web::peak::measure);
}
