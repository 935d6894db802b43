//! The tool `evaluate`: plays episodes with the greedy policy, in worlds that training does not use.

use learnery_kernels::rng::Stream;
use learnery_lab::{LabError, NamedText, Report, Source, Tool, ToolAbout, ToolProgress, ToolStatus};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::evaluation::Evaluator;
use crate::network::Network;
use crate::purpose;
use crate::training::Control;

/// Chunks (groups of up to 25 worlds) that one step of the tool advances, so that it takes a fraction of a
/// second.
const CHUNKS_PER_STEP: usize = 128;

/// How to evaluate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(rename = "ControlEvaluationInput"))]
pub struct EvaluationInput {
    // The option has the same name in all labs.
    /// Episodes to play. More measure the score more precisely.
    #[schemars(range(min = 1, max = 1_000_000))]
    pub games: u32,
    /// Selects the start states.
    #[schemars(range(min = 0, max = 4_294_967_295_u32))]
    pub seed: u32,
}

impl Default for EvaluationInput {
    fn default() -> Self {
        Self { games: 100, seed: 0 }
    }
}

/// An evaluation under way.
pub struct Evaluate {
    network: Network,
    evaluator: Evaluator,
    episodes: u64,
}

impl Evaluate {
    /// The report on the episodes that have ended; `None` if none has.
    fn report(&self) -> Option<Report> {
        let Self { network, evaluator, .. } = self;
        let episodes = evaluator.ended();
        if episodes == 0 {
            return None;
        }
        let mean = evaluator.mean_return();
        let variance = evaluator.returns().map(|r| (r - mean) * (r - mean)).sum::<f64>() / episodes as f64;
        let min = evaluator.returns().fold(f64::INFINITY, f64::min);
        let verdict = match network.task().solved_return() {
            None => String::new(),
            Some(solved) if mean >= solved => ": solved".into(),
            Some(_) => ": not solved yet".into(),
        };
        let successes = evaluator.successes();
        let share = successes.map_or(String::new(), |percent| format!(", {percent:.1}% ended as a success"));
        let mut figures = vec![
            ("return", mean, ""),
            ("spread", variance.sqrt(), ""),
            ("least", min, ""),
            ("episodes", episodes as f64, ""),
        ];
        figures.extend(successes.map(|percent| ("successes", percent, "%")));
        let summary = format!("mean return {mean:.1} over {episodes} greedy episodes{share}{verdict}");
        Some(Report::new(summary, figures))
    }
}

impl Tool for Evaluate {
    const ABOUT: ToolAbout = ToolAbout {
        id: "evaluate",
        title: "Strength",
        help: "Measures the mean return of episodes in which the most probable action is taken.",
        counts: "episodes",
        in_tab: false,
    };
    type Lab = Control;
    type Input = EvaluationInput;
    const INPUT: &'static str = include_str!("evaluate.json");
    type Event = ();
    type Output = Report;

    fn begin(
        source: Source<Control>,
        input: EvaluationInput,
        _: Option<NamedText>,
    ) -> Result<Self, LabError> {
        let network = Network::from_tensors(&source.config, &source.network)?;
        network.task().check_steppable()?;
        let stream = Stream::new(input.seed, purpose::FINAL_EVALUATION);
        let evaluator = Evaluator::new(&network, stream, input.games as usize);
        Ok(Self { network, evaluator, episodes: input.games.into() })
    }

    fn step(&mut self, _: &mut dyn FnMut(())) -> Result<ToolStatus<Report>, LabError> {
        if !self.evaluator.step_chunks(&self.network, CHUNKS_PER_STEP) {
            return Ok(ToolStatus::Ready);
        }
        // Each world has ended its episodes by now, of which there is one at least.
        let none = || LabError::Evaluation("no episode has ended, so there is no return".into());
        self.report().map(ToolStatus::Done).ok_or_else(none)
    }

    fn progress(&self) -> ToolProgress {
        let ended = self.evaluator.ended();
        ToolProgress { share: ended as f64 / self.episodes as f64, count: ended }
    }

    fn partial(&self) -> Option<Report> {
        self.report()
    }
}
