//! What the lab can do beside learning: list legal plays, value positions, choose plays, decide about the
//! cube, roll out, analyse a match, measure how games end, play games or a match against another network,
//! measure strength. Each is a `learnery_lab::Tool`, which the page or a command asks.
//! `learnery-backgammon-play` does the work.
//!
//! In a tab they are in a bundle of their own, so that a first visit does not load them.

mod analyse;
mod analysed_match;
mod best;
mod cube;
mod duel;
mod evaluate;
mod evaluate_position;
mod legal_plays;
mod play_match;
mod plays;
mod rates;
mod rollout;
mod scores;
mod table;

use learnery_backgammon_play::{Oracle, position_and_dice};
use learnery_lab::{Checkpoint, LabError, NamedText, Source, ToolEntry, ToolProgress};

pub use analyse::{Analyse, AnalyseEvent, AnalyseInput, AnalyseOutput};
pub use analysed_match::{AnalysedDecision, AnalysedGame, AnalysedMatch, CubeEquities, MoneyRules};
pub use best::{BestInput, BestOutput, ChooseBest};
pub use cube::{CubeDecision, CubeInput, CubeOutput};
pub use duel::{Duel, DuelInput, DuelOutput};
pub use evaluate::{Evaluate, EvaluationInput, Luck};
pub use evaluate_position::{EvaluateInput, EvaluateOutput, EvaluatePosition};
pub use legal_plays::{LegalPlaysInput, LegalPlaysOutput, ListLegalPlays};
pub use play_match::{MatchInput, MatchOutput, PlayMatch};
pub use plays::{ListedPlay, PlaysInput, PlaysOutput, RankPlays};
pub use rates::{MeasureRates, RatesInput, RatesOutput};
pub use rollout::{RollOut, RolloutEvent, RolloutInput, RolloutOutput};
pub use scores::{CubeAtScores, ScoreDecision, ScoresInput, ScoresOutput};
pub use table::{MatchTable, TableInput, TableOutput};

use crate::Backgammon;
use crate::networks::TrainedNetwork;

/// The tools of the lab.
pub const TOOLS: &[ToolEntry] = &[
    ToolEntry::of::<EvaluatePosition>(),
    ToolEntry::of::<RankPlays>(),
    ToolEntry::of::<CubeDecision>(),
    ToolEntry::of::<CubeAtScores>(),
    ToolEntry::of::<RollOut>(),
    ToolEntry::of::<Analyse>(),
    ToolEntry::of::<ChooseBest>(),
    ToolEntry::of::<MeasureRates>(),
    ToolEntry::of::<MatchTable>(),
    ToolEntry::of::<ListLegalPlays>(),
    ToolEntry::of::<Duel>(),
    ToolEntry::of::<PlayMatch>(),
    // The page does not ask this one.
    #[cfg(not(target_family = "wasm"))]
    ToolEntry::of::<Evaluate>(),
];

/// The most characters of a position with its dice.
const MAX_POSITION: usize = 200;

fn network_of(source: &Source<Backgammon>) -> Result<TrainedNetwork, LabError> {
    TrainedNetwork::from_tensors(&source.config, &source.network)
}

/// The network of a file that the input names under `against`.
fn opponent(NamedText { name, bytes }: NamedText) -> Result<TrainedNetwork, LabError> {
    let refuse = |error: LabError| LabError::input("against", format!("{name}: {error}"));
    TrainedNetwork::from_checkpoint(&Checkpoint::from_bytes(&bytes).map_err(refuse)?).map_err(refuse)
}

/// Answers about a position with the network of a source. A position that cannot be read is refused.
fn oracle_of(
    source: &Source<Backgammon>,
    position: &str,
    plies: u8,
) -> Result<Oracle<TrainedNetwork>, LabError> {
    position_and_dice(position).map_err(refuse_position)?;
    Oracle::new(network_of(source)?, plies).map_err(refuse_plies)
}

/// Prepares an oracle for a question about another position.
fn ask_oracle(oracle: &mut Oracle<TrainedNetwork>, position: &str, plies: u8) -> Result<(), LabError> {
    position_and_dice(position).map_err(refuse_position)?;
    oracle.set_plies(plies).map_err(refuse_plies)
}

/// A refusal of the plies of lookahead.
fn refuse_plies(problem: String) -> LabError {
    LabError::input("plies", problem)
}

/// A refusal of the position.
fn refuse_position(problem: String) -> LabError {
    LabError::input("position", problem)
}

/// The progress of what is done in one step: nobody sees it before its end.
const ONE_STEP: ToolProgress = ToolProgress { share: 0.0, count: 0 };
