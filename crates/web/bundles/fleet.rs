//! The bundle (the WebAssembly program that `fleet.html` loads) with the actors of a fleet. They compute runs
//! of every lab for a sweep, and jobs of one run for AlphaZero in `backgammon`, the only learner that has
//! jobs.

use learnery_fleet::sweep::Computer;
use learnery_lab::fleet::VersionedActor;
use learnery_labs::LABS;
use learnery_labs::backgammon::Backgammon;

/// Runs when the worker has started the module.
fn main() {
    learnery_web::actors::register(|| Computer::with(VersionedActor::of_lab::<Backgammon>(), LABS));
}
