//! The bundle of the lab `logic`.

use learnery_lab::Entry;
use learnery_labs::logic::Logic;

const LABS: &[Entry] = &[Entry::of::<Logic>()];

fn main() {
    learnery_web::labs::register(LABS);
}
