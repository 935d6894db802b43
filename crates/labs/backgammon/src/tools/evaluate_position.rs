//! The tool `eval`: values a position for the side on roll.

use learnery_backgammon_play::Oracle;
use learnery_backgammon_play::players::MAX_PLIES;
use learnery_lab::{AskAgain, LabError, NamedText, Source, Tool, ToolAbout, ToolProgress, ToolStatus};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{MAX_POSITION, ONE_STEP, ask_oracle, oracle_of, refuse_position};
use crate::Backgammon;
use crate::networks::TrainedNetwork;

/// What to value.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(rename = "BackgammonEvalInput"))]
pub struct EvaluateInput {
    /// A position ID of GNU Backgammon, optionally with a match ID behind a colon, or an XGID.
    #[schemars(length(max = MAX_POSITION))]
    pub position: String,
    /// Plies of lookahead.
    #[schemars(range(min = 0, max = MAX_PLIES), extend("x-unit" = "plies"))]
    pub plies: u8,
}

/// A value.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(rename = "BackgammonEvalOutput"))]
pub struct EvaluateOutput {
    /// The position ID.
    pub position: String,
    /// Probabilities of the side on roll: to win, to win at least a gammon, to win a backgammon, to lose at least
    /// a gammon, to lose a backgammon.
    pub outcomes: [f32; 5],
    /// Expected points without the cube, from -3 to 3.
    pub equity: f32,
}

/// A position that is valued in one step.
pub struct EvaluatePosition {
    oracle: Oracle<TrainedNetwork>,
    position: String,
}

impl Tool for EvaluatePosition {
    const ABOUT: ToolAbout = ToolAbout {
        id: "eval",
        title: "Value",
        help: "Says how the game ends from a position, as probabilities of the side on roll.",
        counts: "positions",
        in_tab: true,
    };
    type Lab = Backgammon;
    type Input = EvaluateInput;
    const INPUT: &'static str = include_str!("eval.json");
    type Event = ();
    type Output = EvaluateOutput;

    fn begin(
        source: Source<Backgammon>,
        input: EvaluateInput,
        _: Option<NamedText>,
    ) -> Result<Self, LabError> {
        Ok(Self { oracle: oracle_of(&source, &input.position, input.plies)?, position: input.position })
    }

    fn step(&mut self, _: &mut dyn FnMut(())) -> Result<ToolStatus<EvaluateOutput>, LabError> {
        let (board, outcomes) = self.oracle.value(&self.position).map_err(refuse_position)?;
        Ok(ToolStatus::Done(EvaluateOutput {
            position: board.position_id(),
            outcomes: outcomes.0,
            equity: outcomes.equity(),
        }))
    }

    fn progress(&self) -> ToolProgress {
        ONE_STEP
    }
}

impl AskAgain for EvaluatePosition {
    fn ask_again(&mut self, input: EvaluateInput, _: Option<NamedText>) -> Result<(), LabError> {
        ask_oracle(&mut self.oracle, &input.position, input.plies)?;
        self.position = input.position;
        Ok(())
    }
}
