//! The tool `analyse`: judges every decision of a match that was played.

use learnery_backgammon_play::analysis::{MAX_DECISIONS, MAX_FILE_BYTES, MatchAnalysis};
use learnery_backgammon_play::players::MAX_PLIES;
use learnery_lab::{
    AskAgain, Interrupt, LabError, NamedText, Source, Tool, ToolAbout, ToolProgress, ToolStatus,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::analysed_match::{AnalysedMatch, analysed_match};
use super::{network_of, refuse_plies};
use crate::Backgammon;
use crate::networks::TrainedNetwork;

/// Decisions that each thread judges in one step, by plies of lookahead.
const DECISIONS_PER_STEP: [usize; MAX_PLIES as usize + 1] = [16, 8, 2];

/// Which match, and how deep.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(rename = "BackgammonAnalyseInput"))]
pub struct AnalyseInput {
    /// The file of a match: `.mat` or `.sgf`.
    #[schemars(extend("x-input" = "file"))]
    pub file: String,
    /// Plies of lookahead, as GNU Backgammon counts them.
    #[schemars(range(min = 0, max = MAX_PLIES), extend("x-unit" = "plies"))]
    pub plies: u8,
}

/// A decision is judged.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(rename = "BackgammonAnalyseEvent"))]
pub struct AnalyseEvent {
    /// The number of the game, and of the decision's entry in it, from 0.
    pub game: u32,
    pub entry: u32,
    /// The player who decided: 0 or 1.
    pub player: u8,
    /// Equity lost beside the best decision.
    pub error: f64,
}

/// What is judged so far.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(rename = "BackgammonAnalyseOutput"))]
pub struct AnalyseOutput {
    /// Decisions that are judged, of all.
    pub judged: u32,
    pub decisions: u32,
    /// Every decision and the statistics of both players.
    pub analysis: Value,
    /// The statistics as a table.
    pub text: String,
    /// The match as a `.mat` file with comments.
    pub mat: String,
    /// The match with its decisions, to be drawn.
    pub shown: AnalysedMatch,
}

/// An analysis under way.
pub struct Analyse {
    network: TrainedNetwork,
    analysis: MatchAnalysis,
    interrupt: Interrupt,
}

/// The analysis that is asked for.
fn analysis_of(
    network: &TrainedNetwork,
    input: &AnalyseInput,
    file: Option<NamedText>,
) -> Result<MatchAnalysis, LabError> {
    MatchAnalysis::check(network, input.plies).map_err(refuse_plies)?;
    let refuse = |problem: String| LabError::input("file", problem);
    let Some(NamedText { name, bytes }) = file else {
        return Err(refuse("expected the file of a match".into()));
    };
    if bytes.len() > MAX_FILE_BYTES {
        return Err(refuse(format!("{name} is larger than {MAX_FILE_BYTES} bytes")));
    }
    let analysis = MatchAnalysis::read(&bytes, input.plies).map_err(|e| refuse(format!("{name}, {e}")))?;
    if analysis.decisions() > MAX_DECISIONS {
        let decisions = analysis.decisions();
        return Err(refuse(format!("{name} has {decisions} decisions; at most {MAX_DECISIONS} are judged")));
    }
    Ok(analysis)
}

impl Analyse {
    fn output(&self) -> AnalyseOutput {
        let analysis = &self.analysis;
        AnalyseOutput {
            judged: analysis.judgements().len() as u32,
            decisions: analysis.decisions() as u32,
            analysis: analysis.json(),
            text: analysis.text(),
            mat: analysis.mat(),
            shown: analysed_match(analysis),
        }
    }
}

impl Tool for Analyse {
    const ABOUT: ToolAbout = ToolAbout {
        id: "analyse",
        title: "Analyse",
        help: "Judges every play, cube decision and roll of a match that was played.",
        counts: "decisions",
        in_tab: true,
    };
    type Lab = Backgammon;
    type Input = AnalyseInput;
    const INPUT: &'static str = include_str!("analyse.json");
    type Event = AnalyseEvent;
    type Output = AnalyseOutput;
    const COUNT_HAS_TOTAL: bool = true;

    fn begin(
        source: Source<Backgammon>,
        input: AnalyseInput,
        file: Option<NamedText>,
    ) -> Result<Self, LabError> {
        let network = network_of(&source)?;
        let analysis = analysis_of(&network, &input, file)?;
        Ok(Self { network, analysis, interrupt: Interrupt::default() })
    }

    fn step(&mut self, report: &mut dyn FnMut(AnalyseEvent)) -> Result<ToolStatus<AnalyseOutput>, LabError> {
        let before = self.analysis.judgements().len();
        let decisions = rayon::current_num_threads() * DECISIONS_PER_STEP[usize::from(self.analysis.plies())];
        self.analysis.run(&self.network, decisions, &|| self.interrupt.is_raised());
        for judgement in &self.analysis.judgements()[before..] {
            report(AnalyseEvent {
                game: judgement.game as u32,
                entry: judgement.entry as u32,
                player: judgement.player as u8,
                error: judgement.error().equity,
            });
        }
        Ok(if self.analysis.is_finished() { ToolStatus::Done(self.output()) } else { ToolStatus::Ready })
    }

    fn progress(&self) -> ToolProgress {
        ToolProgress::of(self.analysis.judgements().len() as u64, self.analysis.decisions() as u64)
    }

    fn partial(&self) -> Option<AnalyseOutput> {
        Some(self.output())
    }
    fn interrupt_by(&mut self, interrupt: Interrupt) {
        self.interrupt = interrupt;
    }
}

impl AskAgain for Analyse {
    fn ask_again(&mut self, input: AnalyseInput, file: Option<NamedText>) -> Result<(), LabError> {
        self.analysis = analysis_of(&self.network, &input, file)?;
        Ok(())
    }
}
