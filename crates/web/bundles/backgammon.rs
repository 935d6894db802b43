//! The bundle (the WebAssembly program that the page loads) of the lab `backgammon`.

use learnery_lab::Entry;
use learnery_labs::backgammon::Backgammon;

const LABS: &[Entry] = &[Entry::of::<Backgammon>()];

/// Runs when the worker has started the module.
fn main() {
    learnery_web::labs::register(LABS);
}
