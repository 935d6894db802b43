//! The bundle of the lab `cube`.

use learnery_lab::Entry;
use learnery_labs::cube::Cube;

const LABS: &[Entry] = &[Entry::of::<Cube>()];

fn main() {
    learnery_web::labs::register(LABS);
}
