//! The bundle (the WebAssembly program that the page loads) of the lab `control`.

use learnery_lab::Entry;
use learnery_labs::control::Control;

const LABS: &[Entry] = &[Entry::of::<Control>()];

/// Runs when the worker has started the module.
fn main() {
    learnery_web::labs::register(LABS);
}
