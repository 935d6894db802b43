//! The bundle that the lab `backgammon` comes in.

use learnery_lab::Entry;
use learnery_labs::backgammon::Backgammon;

const LABS: &[Entry] = &[Entry::of::<Backgammon>()];

fn main() {
    learnery_web::labs::hold(LABS);
}
