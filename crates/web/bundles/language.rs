//! The bundle that the lab `language` comes in. Its page says which share of the machine it gets.

use learnery_lab::Entry;
use learnery_labs::language::Language;

const LABS: &[Entry] = &[Entry::of::<Language>()];

fn main() {
    learnery_web::labs::hold(LABS);
    learnery_web::labs::measure_peak_by(learnery_web::peak::peak);
}
