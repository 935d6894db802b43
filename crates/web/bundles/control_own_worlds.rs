//! The bundle (the WebAssembly program that the page loads) of the lab `control` with worlds that are written
//! as a text. A run that learns such a world is opened with it; the bundle `control` does without.

use learnery_lab::Entry;
use learnery_labs::control::Control;

const LABS: &[Entry] = &[Entry::of::<Control>()];

/// Runs when the worker has started the module.
fn main() {
    learnery_web::labs::register(LABS);
}
