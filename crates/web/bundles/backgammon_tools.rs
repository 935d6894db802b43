//! The bundle (the WebAssembly program that the page loads) with the tools of the lab `backgammon`, such as the
//! analysis of a match. It has no session.

use learnery_lab::Lab;
use learnery_labs::backgammon::Backgammon;

/// Runs when the page has loaded the program.
fn main() {
    learnery_web::labs::register_tools_alone(Backgammon::TOOLS);
}
