//! The tool `cube`: what to do with the doubling cube.

use learnery_backgammon_play::Oracle;
use learnery_backgammon_play::players::MAX_PLIES;
use learnery_lab::{AskAgain, LabError, NamedText, Source, Tool, ToolAbout, ToolProgress, ToolStatus};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{MAX_POSITION, ONE_STEP, ask_oracle, oracle_of, refuse_position};
use crate::Backgammon;
use crate::networks::TrainedNetwork;

/// Which decision.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(rename = "BackgammonCubeInput"))]
pub struct CubeInput {
    /// A position before the roll with its stakes: an XGID, or a position ID and a match ID behind a colon. A
    /// position ID alone is for money, with the cube in the middle.
    #[schemars(length(max = MAX_POSITION))]
    pub position: String,
    /// Plies of lookahead.
    #[schemars(range(min = 0, max = MAX_PLIES), extend("x-unit" = "plies"))]
    pub plies: u8,
}

/// A decision.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(rename = "BackgammonCubeOutput"))]
pub struct CubeOutput {
    /// In the words of players, such as "Double, take".
    pub verdict: String,
    /// The equities of all actions, and what explains them.
    pub analysis: Value,
    /// The same as several lines of text.
    pub text: String,
}

/// A decision that is made in one step.
pub struct CubeDecision {
    oracle: Oracle<TrainedNetwork>,
    position: String,
}

impl Tool for CubeDecision {
    const ABOUT: ToolAbout = ToolAbout {
        id: "cube",
        title: "Cube",
        help: "Decides about the doubling cube, for money or at a match score.",
        counts: "positions",
        in_tab: true,
    };
    type Lab = Backgammon;
    type Input = CubeInput;
    const INPUT: &'static str = include_str!("cube.json");
    type Event = ();
    type Output = CubeOutput;

    fn begin(source: Source<Backgammon>, input: CubeInput, _: Option<NamedText>) -> Result<Self, LabError> {
        Ok(Self { oracle: oracle_of(&source, &input.position, input.plies)?, position: input.position })
    }

    fn step(&mut self, _: &mut dyn FnMut(())) -> Result<ToolStatus<CubeOutput>, LabError> {
        let analysis = self.oracle.cube(&self.position).map_err(refuse_position)?;
        Ok(ToolStatus::Done(CubeOutput {
            verdict: analysis.verdict(),
            analysis: analysis.json(),
            text: analysis.text(),
        }))
    }

    fn progress(&self) -> ToolProgress {
        ONE_STEP
    }
}

impl AskAgain for CubeDecision {
    fn ask_again(&mut self, input: CubeInput, _: Option<NamedText>) -> Result<(), LabError> {
        ask_oracle(&mut self.oracle, &input.position, input.plies)?;
        self.position = input.position;
        Ok(())
    }
}
