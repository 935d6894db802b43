//! The tool `legal-plays`: the positions that all legal plays of a roll lead to. It needs no network.

use learnery_backgammon_play::{LegalPlays, position_and_dice};
use learnery_lab::{AskAgain, LabError, NamedText, Source, Tool, ToolAbout, ToolProgress, ToolStatus};
use learnery_worlds::backgammon::Board;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{MAX_POSITION, ONE_STEP, refuse_position};
use crate::Backgammon;

/// A position and the roll to play in it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(rename = "BackgammonLegalPlaysInput"))]
pub struct LegalPlaysInput {
    /// A position and two dice, as the tool `plays` takes them.
    #[schemars(length(max = MAX_POSITION))]
    pub position: String,
}

/// The positions after the plays, each once.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(rename = "BackgammonLegalPlaysOutput"))]
pub struct LegalPlaysOutput {
    /// The position ID before the play.
    pub position: String,
    /// In the order of the input.
    pub dice: [u8; 2],
    /// The position ID after each play, seen from the opponent, whose turn is next. Where no checker can move, the
    /// checkers stay, and this is the only entry.
    pub plays: Vec<String>,
}

/// A roll whose plays are found in one step.
pub struct ListLegalPlays {
    position: String,
}

impl Tool for ListLegalPlays {
    const ABOUT: ToolAbout = ToolAbout {
        id: "legal-plays",
        title: "Legal plays",
        help: "Lists the positions that the legal plays of a roll lead to.",
        counts: "positions",
        in_tab: false, // the page never asks it
    };
    type Lab = Backgammon;
    type Input = LegalPlaysInput;
    const INPUT: &'static str = include_str!("legal-plays.json");
    type Event = ();
    type Output = LegalPlaysOutput;
    const NEEDS_NETWORK: bool = false;

    fn begin(_: Source<Backgammon>, input: LegalPlaysInput, _: Option<NamedText>) -> Result<Self, LabError> {
        position_and_dice(&input.position).map_err(refuse_position)?;
        Ok(Self { position: input.position })
    }

    fn step(&mut self, _: &mut dyn FnMut(())) -> Result<ToolStatus<LegalPlaysOutput>, LabError> {
        let LegalPlays { board, dice, after } = LegalPlays::of(&self.position).map_err(refuse_position)?;
        let plays = after.iter().map(Board::position_id).collect();
        Ok(ToolStatus::Done(LegalPlaysOutput { position: board.position_id(), dice, plays }))
    }

    fn progress(&self) -> ToolProgress {
        ONE_STEP
    }
}

/// Lists of rolls are answered one after the other.
impl AskAgain for ListLegalPlays {
    fn ask_again(&mut self, input: LegalPlaysInput, _: Option<NamedText>) -> Result<(), LabError> {
        position_and_dice(&input.position).map_err(refuse_position)?;
        self.position = input.position;
        Ok(())
    }
}
