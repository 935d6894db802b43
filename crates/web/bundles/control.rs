//! The bundle that the lab `control` comes in.

use learnery_lab::Entry;
use learnery_labs::control::Control;

const LABS: &[Entry] = &[Entry::of::<Control>()];

fn main() {
    learnery_web::labs::hold(LABS);
}
