//! The bundle (the WebAssembly program that the page loads) of the lab `logic`.

use learnery_lab::Entry;
use learnery_labs::logic::Logic;

const LABS: &[Entry] = &[Entry::of::<Logic>()];

/// Runs when the worker has started the module.
fn main() {
    learnery_web::labs::register(LABS);
    learnery_web::labs::register_answerer(learnery_web::questions::by_tools);
}
