//! The list of labs, and the tests that run over all of them. Each lab is a crate of its own beside this one.

use learnery_lab::{Entry, LabError};

pub use learnery_backgammon as backgammon;
pub use learnery_control as control;
pub use learnery_cube as cube;
pub use learnery_language as language;
pub use learnery_logic as logic;

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
