//! The bundle of the lab `backgammon`.

use learnery_lab::Entry;
use learnery_labs::backgammon::Backgammon;

const LABS: &[Entry] = &[Entry::of::<Backgammon>()];

fn main() {
    learnery_web::labs::register(LABS);
}
