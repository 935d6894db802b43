//! The bundle that the lab `logic` comes in.

use learnery_lab::Entry;
use learnery_labs::logic::Logic;

const LABS: &[Entry] = &[Entry::of::<Logic>()];

fn main() {
    learnery_web::labs::hold(LABS);
}
