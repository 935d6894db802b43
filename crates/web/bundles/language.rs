//! The bundle of the lab `language`. Its page shows which fraction of the peak arithmetic rate the lab uses.

use learnery_lab::Entry;
use learnery_labs::language::Language;

const LABS: &[Entry] = &[Entry::of::<Language>()];

fn main() {
    learnery_web::labs::register(LABS);
    learnery_web::labs::register_peak_measurement(learnery_web::peak::measure);
}
