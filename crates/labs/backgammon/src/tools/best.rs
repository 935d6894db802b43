//! The tool `best`: the best play of a roll, by lookahead or by tree search.

use learnery_backgammon_play::Oracle;
use learnery_backgammon_play::players::{MAX_PLIES, MAX_SIMULATIONS};
use learnery_lab::{AskAgain, LabError, NamedText, Source, Tool, ToolAbout, ToolProgress, ToolStatus};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{MAX_POSITION, ONE_STEP, ask_oracle, oracle_of, refuse_position};
use crate::Backgammon;
use crate::networks::TrainedNetwork;

/// Which roll, and how to choose.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(rename = "BackgammonBestInput"))]
pub struct BestInput {
    /// A position and two dice, as the tool `plays` takes them.
    #[schemars(length(max = MAX_POSITION))]
    pub position: String,
    /// Plies of lookahead; a ply is one dice roll and the reply to it.
    #[schemars(range(min = 0, max = MAX_PLIES), extend("x-unit" = "plies"))]
    pub plies: u8,
    /// Chooses by tree search with this many simulations instead of by lookahead; 0 for lookahead. A tree
    /// search needs 0 plies and a position without a score.
    #[schemars(range(min = 0, max = MAX_SIMULATIONS), extend("x-unit" = "simulations"))]
    pub simulations: u32,
}

/// The best play.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(rename = "BackgammonBestOutput"))]
pub struct BestOutput {
    /// The position ID after the play, seen from the other side.
    pub position: String,
    /// The equity of the side that plays: points of a game, or with a score, in units of a single game at the
    /// present value of the cube.
    pub equity: f64,
    /// The number of legal plays. Plays that lead to the same position count once.
    pub plays: u32,
    /// In standard notation, such as `8/5 6/5`; `(no play)` if no checker can move.
    pub play: String,
}

/// The tool. It answers in one step.
pub struct ChooseBest {
    oracle: Oracle<TrainedNetwork>,
    /// The position with its dice, as the input has it.
    position: String,
}

fn refuse_simulations(problem: String) -> LabError {
    LabError::input("simulations", problem)
}

/// Refuses an input that asks for both ways to choose.
fn check_search(input: &BestInput) -> Result<(), LabError> {
    let has_both = input.simulations > 0 && input.plies > 0;
    if has_both { Err(refuse_simulations("expected plies or simulations, not both".into())) } else { Ok(()) }
}

/// Sets how the oracle chooses: by tree search if the input has simulations, else by lookahead.
fn set_search(oracle: &mut Oracle<TrainedNetwork>, input: &BestInput) -> Result<(), LabError> {
    match input.simulations {
        0 => oracle.set_lookahead(),
        simulations => oracle.set_tree_search(simulations).map_err(refuse_simulations)?,
    }
    Ok(())
}

impl Tool for ChooseBest {
    const ABOUT: ToolAbout = ToolAbout {
        id: "best",
        title: "Best play",
        help: "Chooses the best play of a roll, for the match if the position has a score.",
        counts: "positions",
        in_tab: false,
    };
    type Lab = Backgammon;
    type Input = BestInput;
    const INPUT: &'static str = include_str!("best.json");
    type Event = ();
    type Output = BestOutput;

    fn begin(source: Source<Backgammon>, input: BestInput, _: Option<NamedText>) -> Result<Self, LabError> {
        let mut oracle = oracle_of(&source, &input.position, input.plies)?;
        check_search(&input)?;
        set_search(&mut oracle, &input)?;
        Ok(Self { oracle, position: input.position })
    }

    fn step(&mut self, _: &mut dyn FnMut(())) -> Result<ToolStatus<BestOutput>, LabError> {
        let best = self.oracle.best_play(&self.position).map_err(refuse_position)?;
        Ok(ToolStatus::Done(BestOutput {
            position: best.after.position_id(),
            equity: best.equity,
            plays: best.plays as u32,
            play: best.notation(),
        }))
    }

    fn progress(&self) -> ToolProgress {
        ONE_STEP
    }
}

impl AskAgain for ChooseBest {
    fn ask_again(&mut self, input: BestInput, _: Option<NamedText>) -> Result<(), LabError> {
        // First, because an input that is refused must not change the oracle.
        check_search(&input)?;
        ask_oracle(&mut self.oracle, &input.position, input.plies)?;
        set_search(&mut self.oracle, &input)?;
        self.position = input.position;
        Ok(())
    }
}
