//! The tool `plays`: all plays of a roll with their equities. Those with lookahead come first, each group from the
//! best to the worst.

use learnery_backgammon_play::players::MAX_PLIES;
use learnery_backgammon_play::{LegalPlays, Oracle, RankOptions};
use learnery_lab::{AskAgain, LabError, NamedText, Source, Tool, ToolAbout, ToolProgress, ToolStatus};
use learnery_match_files::excerpt;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{MAX_POSITION, ONE_STEP, ask_oracle, oracle_of, refuse_position};
use crate::Backgammon;
use crate::networks::TrainedNetwork;

/// Which roll, and how to value its plays.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(rename = "BackgammonPlaysInput"))]
pub struct PlaysInput {
    /// An XGID with dice, or `POSITION_ID[:MATCH_ID] D1 D2`, as `4HPwATDgc/ABMA 3 1`.
    #[schemars(length(max = MAX_POSITION))]
    pub position: String,
    /// Plies of lookahead, counted as by GNU Backgammon: 0 is the network's value alone. Only the candidates, the
    /// best plays at 0 plies, get it; the others are listed after them at 0 plies.
    #[schemars(range(min = 0, max = MAX_PLIES), extend("x-unit" = "plies"))]
    pub plies: u8,
    /// Cubeful equities for money play too, as in the analysis of a match; in a match they always are. A position
    /// ID alone then means money play with a centred cube and without the Jacoby rule.
    pub cube: bool,
    /// A play that is a candidate in any case, in standard notation; empty for none.
    #[schemars(length(max = MAX_POSITION))]
    pub also: String,
}

/// A play with its value for the side that makes it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(rename = "BackgammonListedPlay"))]
pub struct ListedPlay {
    /// In standard notation, such as `8/5 6/5`; `(no play)` if no checker can move.
    pub play: String,
    /// The position ID after the play, from the side of the opponent, who is on roll next.
    pub position: String,
    /// Cubeless equity for money; in a match, or if the input has `cube`, cubeful equity, normalised so that a
    /// single game at the present cube is 1.
    pub equity: f64,
    /// Cubeless probabilities to win, to win a gammon, to win a backgammon, to lose a gammon, to lose a backgammon.
    /// A backgammon counts as a gammon too, and a gammon as a win.
    pub outcomes: [f32; 5],
    /// The plies of lookahead in its equity.
    pub plies: u8,
}

/// The plays of a roll.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(rename = "BackgammonPlaysOutput"))]
pub struct PlaysOutput {
    /// Those with lookahead first, each group from the best to the worst.
    pub plays: Vec<ListedPlay>,
}

/// The network and the request, which is answered in one step.
pub struct RankPlays {
    oracle: Oracle<TrainedNetwork>,
    input: PlaysInput,
    options: RankOptions,
}

/// How to rank the plays of this input.
fn rank_options(input: &PlaysInput) -> Result<RankOptions, LabError> {
    let PlaysInput { position, cube, also, .. } = input;
    let mut options = RankOptions { cube: *cube, also: None };
    if !also.is_empty() {
        options.also = LegalPlays::of(position).map_err(refuse_position)?.after_play(also);
        if options.also.is_none() {
            let problem = format!("`{}` is no legal play of this roll", excerpt(also));
            return Err(LabError::input("also", problem));
        }
    }
    Ok(options)
}

impl Tool for RankPlays {
    const ABOUT: ToolAbout = ToolAbout {
        id: "plays",
        title: "Plays",
        help: "Lists all plays of a roll with their equities: those with lookahead first, the best on top.",
        counts: "positions",
        in_tab: true,
    };
    type Lab = Backgammon;
    type Input = PlaysInput;
    const INPUT: &'static str = include_str!("plays.json");
    type Event = ();
    type Output = PlaysOutput;

    fn begin(source: Source<Backgammon>, input: PlaysInput, _: Option<NamedText>) -> Result<Self, LabError> {
        let oracle = oracle_of(&source, &input.position, input.plies)?;
        Ok(Self { oracle, options: rank_options(&input)?, input })
    }

    fn step(&mut self, _: &mut dyn FnMut(())) -> Result<ToolStatus<PlaysOutput>, LabError> {
        let plays = self.oracle.ranked_plays(&self.input.position, self.options).map_err(refuse_position)?;
        let listed = plays.into_iter().map(|ranked| ListedPlay {
            play: ranked.play.notation(),
            position: ranked.play.after.position_id(),
            equity: ranked.play.equity,
            outcomes: ranked.outcomes.0,
            plies: if ranked.is_deep { self.input.plies } else { 0 },
        });
        Ok(ToolStatus::Done(PlaysOutput { plays: listed.collect() }))
    }

    fn progress(&self) -> ToolProgress {
        ONE_STEP
    }
}

impl AskAgain for RankPlays {
    fn ask_again(&mut self, input: PlaysInput, _: Option<NamedText>) -> Result<(), LabError> {
        let options = rank_options(&input)?;
        ask_oracle(&mut self.oracle, &input.position, input.plies)?;
        self.options = options;
        self.input = input;
        Ok(())
    }
}
