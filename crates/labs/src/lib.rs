//! The list of labs (learning tasks), data of the user's own that they learn, and the tests that run over all
//! labs. Each lab is a crate in a subfolder.

#[cfg(all(not(target_family = "wasm"), feature = "own-worlds"))]
mod own_data;

use learnery_lab::{Entry, LabError};

pub use learnery_backgammon as backgammon;
pub use learnery_control as control;
pub use learnery_cube as cube;
pub use learnery_language as language;
pub use learnery_logic as logic;
#[cfg(all(not(target_family = "wasm"), feature = "own-worlds"))]
pub use own_data::{OwnData, OwnKind};

/// All labs, in the order in which the page shows them. A new lab is one line here.
pub const LABS: &[Entry] = &[
    Entry::of::<control::Control>(),
    Entry::of::<backgammon::Backgammon>(),
    Entry::of::<cube::Cube>(),
    Entry::of::<logic::Logic>(),
    Entry::of::<language::Language>(),
];

/// Finds the lab with the id `name`. The error lists all ids.
pub fn find(name: &str) -> Result<&'static Entry, LabError> {
    Entry::find(LABS, name)
}
