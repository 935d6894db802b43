//! The bundle (the WebAssembly program that the page loads) of the lab `cube`.

use learnery_lab::Entry;
use learnery_labs::cube::Cube;

const LABS: &[Entry] = &[Entry::of::<Cube>()];

/// Runs when the worker has started the module.
fn main() {
    learnery_web::labs::register(LABS);
}
