//! The tool `table`: the match equity table. It needs no network: the table is computed from measured rates.

use learnery_backgammon_play::cube::MatchEquityTable;
use learnery_lab::{LabError, NamedText, Source, Tool, ToolAbout, ToolProgress, ToolStatus};
use learnery_worlds::backgammon::matches::LONGEST_MATCH;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::ONE_STEP;
use crate::Backgammon;

/// There is nothing to choose.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(rename = "BackgammonTableInput"))]
pub struct TableInput {}

/// Chances to win a match, between equal players.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(rename = "BackgammonTableOutput"))]
pub struct TableOutput {
    /// `after[i]` is the chance, after the Crawford game, of a side that needs `i + 1` points while the other needs
    /// one.
    pub after: Vec<f64>,
    /// `before[i][j]` is the chance of a side that needs `i + 1` points while the other needs `j + 1`, with the
    /// Crawford game next where one needs a single point.
    pub before: Vec<Vec<f64>>,
}

/// The table.
pub struct MatchTable;

impl Tool for MatchTable {
    const ABOUT: ToolAbout = ToolAbout {
        id: "table",
        title: "Match equity table",
        help: "Lists the chance to win a match at every score.",
        counts: "tables",
        in_tab: false,
    };
    type Lab = Backgammon;
    type Input = TableInput;
    const INPUT: &'static str = include_str!("table.json");
    type Event = ();
    type Output = TableOutput;
    const NEEDS_NETWORK: bool = false;

    fn begin(_: Source<Backgammon>, _: TableInput, _: Option<NamedText>) -> Result<Self, LabError> {
        Ok(Self)
    }

    fn step(&mut self, _: &mut dyn FnMut(())) -> Result<ToolStatus<TableOutput>, LabError> {
        let table = MatchEquityTable::shared();
        let row = |own| (1..=LONGEST_MATCH).map(|other| table.before_crawford(own, other)).collect();
        Ok(ToolStatus::Done(TableOutput {
            after: (1..=LONGEST_MATCH).map(|away| table.after_crawford(away)).collect(),
            before: (1..=LONGEST_MATCH).map(row).collect(),
        }))
    }

    fn progress(&self) -> ToolProgress {
        ONE_STEP
    }
}
