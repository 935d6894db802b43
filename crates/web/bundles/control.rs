//! The bundle of the lab `control`.

use learnery_lab::Entry;
use learnery_labs::control::Control;

const LABS: &[Entry] = &[Entry::of::<Control>()];

fn main() {
    learnery_web::labs::register(LABS);
}
