//! The bundle (the WebAssembly program) of the editor for worlds of one's own. It has no lab and no session.

use learnery_web as _;

/// Runs when the editor has loaded the program. What the editor calls is exported by the library.
fn main() {}
