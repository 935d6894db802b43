//! The bundle (the WebAssembly program that the page loads) with the tools of the lab `backgammon` that the
//! page asks, such as the analysis of a match. It answers tools only; it has no session, so it cannot train.

use learnery_lab::ToolEntry;
use learnery_labs::backgammon::{
    Analyse, CubeAtScores, CubeDecision, Duel, EvaluatePosition, PlayMatch, RankPlays, RollOut,
};

const TOOLS: &[ToolEntry] = &[
    ToolEntry::of::<EvaluatePosition>(),
    ToolEntry::of::<RankPlays>(),
    ToolEntry::of::<CubeDecision>(),
    ToolEntry::of::<CubeAtScores>(),
    ToolEntry::of::<RollOut>(),
    ToolEntry::of::<Analyse>(),
    ToolEntry::of::<Duel>(),
    ToolEntry::of::<PlayMatch>(),
];

/// Runs when the worker has started the module.
fn main() {
    learnery_web::labs::register_tools_alone(TOOLS);
}
