//! The labs, one folder each, and the list of them.

use learnery_lab::{Entry, LabError};

pub mod backgammon;
pub mod bench;
pub mod control;
pub mod cube;
pub mod language;
pub mod logic;

/// Every lab there is, in the order of the gallery. A new lab is one line here.
pub const LABS: &[Entry] = &[
    Entry::of::<control::Control>(),
    Entry::of::<backgammon::Backgammon>(),
    Entry::of::<cube::Cube>(),
    Entry::of::<logic::Logic>(),
    Entry::of::<language::Language>(),
];

/// The lab called `name`.
pub fn find(name: &str) -> Result<&'static Entry, LabError> {
    Entry::find(LABS, name)
}

/// The guide for a new lab is compiled and run, so it cannot go stale.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/add-a-lab.md")]
pub struct AddALab;
