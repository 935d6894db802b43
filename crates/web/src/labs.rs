//! Which labs this bundle holds. A visitor loads one lab at a time, so each has a bundle of its own
//! (`bundles/`), which says here what is in it; what is not named is not linked.

use std::sync::OnceLock;

use learnery_lab::{Entry, LabError};

static LABS: OnceLock<&'static [Entry]> = OnceLock::new();

/// Says which labs there are. The first word counts.
pub fn hold(labs: &'static [Entry]) {
    LABS.get_or_init(|| labs);
}

/// The lab called `name`.
pub fn find(name: &str) -> Result<&'static Entry, LabError> {
    Entry::find(LABS.get().copied().unwrap_or_default(), name)
}
