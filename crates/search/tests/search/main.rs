//! Searches beside ones without any cunning, and where every value is known.

mod bearoff;
mod exact;
mod expectation;
mod fancy;
mod race;
mod reference;
mod trees;
