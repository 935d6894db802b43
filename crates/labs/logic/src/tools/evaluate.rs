//! The tool `evaluate`: runs the network with hard gates (each replaced by its most likely kind) and counts
//! wrong cells. A [`Proof`] is an evaluation of this lab; its parts are different tests, such as random
//! initial states and a larger grid.

use learnery_kernels::rng::Stream;
use learnery_lab::{LabError, NamedText, Report, Source, Tool, ToolAbout, ToolProgress, ToolStatus};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::automaton::Network;
use crate::lab::Logic;
use crate::proof::{Part, Proof};
use crate::purpose;

/// How to evaluate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(rename = "LogicEvaluationInput"))]
pub struct EvaluationInput {
    // The option has the same name in all labs.
    /// Number of random initial states. More find rarer errors. Only for the checkerboards: the pictures have
    /// one initial state, and the game of life is tested in all 512 neighbourhoods.
    #[schemars(range(min = 1, max = 10_000))]
    pub games: u32,
    /// Selects the random initial states.
    #[schemars(range(min = 0, max = 4_294_967_295_u32))]
    pub seed: u32,
}

impl Default for EvaluationInput {
    fn default() -> Self {
        Self { games: 256, seed: 0 }
    }
}

/// An evaluation under way.
pub struct Evaluate {
    network: Network,
    fire_rate: f64,
    proof: Proof,
}

/// Reports the wrong cells of each part.
fn report<'a>(parts: impl Iterator<Item = &'a Part>) -> Report {
    let (mut summary, mut figures) = (String::from("with hard gates: "), Vec::new());
    for part in parts {
        summary += if figures.is_empty() { "" } else { "; " };
        summary += part.name;
        match part.wrong {
            0 => summary += " exact",
            wrong => summary += &format!(" {wrong} of {} cells wrong", part.cells),
        }
        figures.push((part.name, 100.0 * part.fraction_right(), "% right"));
    }
    Report::new(summary, figures)
}

impl Tool for Evaluate {
    const ABOUT: ToolAbout = ToolAbout {
        id: "evaluate",
        title: "Strength",
        help: "Counts the wrong cells of the circuit with hard gates, in every test that its task has.",
        counts: "steps of the automaton",
        in_tab: false,
    };
    type Lab = Logic;
    type Input = EvaluationInput;
    const INPUT: &'static str = include_str!("evaluate.json");
    type Event = ();
    type Output = Report;
    const COUNT_HAS_TOTAL: bool = true;

    fn begin(source: Source<Logic>, input: EvaluationInput, _: Option<NamedText>) -> Result<Self, LabError> {
        let config = &source.config;
        let network = Network::from_tensors(config, &source.network)?;
        let stream = Stream::new(input.seed, purpose::EVALUATION);
        let proof = Proof::new(&network, config.steps as usize, input.games as usize, stream);
        Ok(Self { network, fire_rate: config.fire_rate, proof })
    }

    fn step(&mut self, _: &mut dyn FnMut(())) -> Result<ToolStatus<Report>, LabError> {
        let Self { network, fire_rate, proof } = self;
        Ok(if proof.step(network, *fire_rate) {
            ToolStatus::Done(report(proof.parts().iter()))
        } else {
            ToolStatus::Ready
        })
    }

    fn progress(&self) -> ToolProgress {
        let [done, all] = self.proof.steps();
        ToolProgress::of(done, all)
    }

    /// The parts that are complete.
    fn partial(&self) -> Option<Report> {
        let complete = || self.proof.parts().iter().filter(|part| part.cells > 0);
        (complete().count() > 0).then(|| report(complete()))
    }
}

#[cfg(test)]
mod tests {
    use learnery_lab::{Entry, Job, Outcome, Session};
    use serde_json::json;

    use super::*;

    /// An interrupted evaluation reports the tests that are complete, as the whole report has them.
    #[test]
    fn partial_report_is_the_first_part_of_the_whole_one() {
        let settings = json!({"experiment": "async", "batch": 1, "steps": 2, "epochs": 1, "prove_every": 0});
        let saved = Session::start(Entry::of::<Logic>(), &settings, 1).expect("good settings").save();
        let input = EvaluationInput { games: 2, seed: 4 };
        let mut job = Job::<Evaluate>::begin(&saved, input, None).expect("a good input");
        let mut partials = Vec::new();
        let whole = loop {
            match job.finish(&mut |_, _| false).expect("it goes on") {
                Outcome::Complete(report) => break report,
                Outcome::Partial(partial) => partials.push(partial),
            }
        };
        let all = whole.figures.len();
        let known = |partial: &Option<Report>| partial.as_ref().map_or(0, |report| report.figures.len());
        // Nothing, one test, and so on.
        let mut counts: Vec<usize> = partials.iter().map(known).collect();
        counts.dedup();
        assert_eq!((counts, all), (vec![0, 1, 2], 3));
        for partial in partials.iter().flatten() {
            assert_eq!(partial.figures, whole.figures[..partial.figures.len()]);
            assert!(whole.summary.starts_with(&format!("{}; ", partial.summary)), "{}", partial.summary);
        }
    }
}
