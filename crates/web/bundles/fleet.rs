//! The bundle (the WebAssembly program that `fleet.html` loads) with the actors of a fleet. Only AlphaZero in `backgammon` has jobs
//! for them.

use learnery_lab::fleet::VersionedActor;
use learnery_labs::backgammon::Backgammon;

/// Runs when the page has loaded the program.
fn main() {
    learnery_web::actors::register(VersionedActor::of_lab::<Backgammon>);
}
