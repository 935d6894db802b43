//! The tool `evaluate`, which every lab has: pulls the machine with the best estimate, and counts the wins.

use learnery_kernels::rng::Stream;
use learnery_lab::{LabError, NamedText, Report, Source, Tool, ToolAbout, ToolProgress, ToolStatus};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Bandit, best_machine, odds_of_machine};

/// Pulls in one step, which takes a fraction of a second.
const PULLS_PER_STEP: u32 = 1000;
/// The id of the stream of random numbers that decides which pulls win. It is not that of the run.
const EVALUATION_STREAM: u32 = 3;

/// The inputs, with a schema like the settings: the options of `learnery eval`, and the seed.
#[derive(Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(rename = "BanditEvaluationInput"))]
pub struct EvaluationInput {
    // The option has the same name in all labs; here a game is a pull.
    /// Pulls of the machine with the best estimate.
    #[schemars(range(min = 1, max = 1_000_000))]
    pub games: u32,
    /// Selects which pulls win.
    #[schemars(range(min = 0, max = 4_294_967_295_u32))]
    pub seed: u32,
}

impl Default for EvaluationInput {
    fn default() -> Self {
        Self { games: 1000, seed: 0 }
    }
}

/// An evaluation under way.
pub struct Evaluate {
    input: EvaluationInput,
    /// The probability that the machine with the best estimate wins.
    odds: f32,
    pulls: u32,
    wins: u32,
}

impl Evaluate {
    fn report(&self) -> Report {
        let Self { pulls, wins, .. } = self;
        let rate = f64::from(*wins) / f64::from(*pulls);
        let figures = vec![("won", rate, ""), ("pulls", f64::from(*pulls), "")];
        Report::new(format!("{wins} of {pulls} pulls of the machine it prefers won"), figures)
    }
}

impl Tool for Evaluate {
    const ABOUT: ToolAbout = ToolAbout {
        id: "evaluate",
        title: "Strength",
        help: "Measures how often the machine with the best estimate wins.",
        counts: "pulls",
        in_tab: false,
    };
    type Lab = Bandit;
    type Input = EvaluationInput;
    const INPUT: &'static str = include_str!("evaluate.json");
    type Event = ();
    type Output = Report;
    const COUNT_HAS_TOTAL: bool = true;

    fn begin(source: Source<Bandit>, input: EvaluationInput, _: Option<NamedText>) -> Result<Self, LabError> {
        let estimates: Vec<f32> = source.network.get("estimates", &[source.config.machines as usize])?;
        let odds = odds_of_machine(source.seed, best_machine(&estimates));
        Ok(Self { input, odds, pulls: 0, wins: 0 })
    }

    /// Whether a pull wins depends on the seed, its number and the machine, not on how the work is cut into
    /// steps.
    fn step(&mut self, _: &mut dyn FnMut(())) -> Result<ToolStatus<Report>, LabError> {
        let EvaluationInput { games, seed } = self.input;
        let end = games.min(self.pulls + PULLS_PER_STEP);
        let stream = Stream::new(seed, EVALUATION_STREAM);
        let has_won = |pull: &u32| stream.uniform(u64::from(*pull), 0) < self.odds;
        self.wins += (self.pulls..end).filter(has_won).count() as u32;
        self.pulls = end;
        Ok(if end == games { ToolStatus::Done(self.report()) } else { ToolStatus::Ready })
    }

    fn progress(&self) -> ToolProgress {
        ToolProgress::of(self.pulls.into(), self.input.games.into())
    }

    /// The report on the pulls that are done.
    fn partial(&self) -> Option<Report> {
        (self.pulls > 0).then(|| self.report())
    }
}
