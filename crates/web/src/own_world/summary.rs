//! What the page is told about a text: what is wrong with it, or what it says about its world. The TypeScript
//! types are generated from here.

use learnery_world_rules::{Actions, Diagnostic, Severity, World};
use serde::Serialize;

/// A text of the editor for worlds, checked.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub struct CheckedWorld {
    /// Errors and warnings, in the order of the text.
    pub problems: Vec<Problem>,
    /// Null if the text is no world.
    pub world: Option<WorldSummary>,
}

/// An error or a warning about a part of a text.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub struct Problem {
    /// Whether the text is a world all the same.
    pub warning: bool,
    /// The first line is 1.
    pub line: u32,
    /// In characters (Unicode code points), like the length; the first column is 1.
    pub column: u32,
    pub length: u32,
    pub message: String,
    /// What to write instead.
    pub help: Option<String>,
}

/// What a text says about its world, beside the formulas.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub struct WorldSummary {
    pub title: String,
    pub about: String,
    pub parameters: Vec<WorldParameter>,
    /// The names of the numbers of the state.
    pub state: Vec<String>,
    pub actions: WorldActions,
    /// The names of what the agent sees.
    pub observations: Vec<String>,
    /// Steps of an episode at most.
    pub limit: Option<u32>,
    /// The mean return from which on the world counts as solved.
    pub solved: Option<f32>,
    pub seconds_per_step: f32,
    /// Shapes that are drawn.
    pub shapes: u32,
}

/// A number that the visitor may change while the world runs.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub struct WorldParameter {
    pub name: String,
    pub value: f32,
    pub low: f32,
    pub high: f32,
}

/// What the agent, or the visitor in its place, decides in each step.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub enum WorldActions {
    /// One of several; the action is its number.
    Choice { name: String, choices: Vec<String> },
    /// One to four numbers.
    Continuous { ranges: Vec<WorldRange> },
}

/// A continuous action.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub struct WorldRange {
    pub name: String,
    pub low: f32,
    pub high: f32,
}

/// The episode that the visitor plays or watches.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub struct Episode {
    pub steps: u32,
    /// The reward of the last step.
    pub reward: f32,
    /// The sum of the rewards.
    pub score: f64,
    pub state: EpisodeState,
    /// Why it failed by itself.
    pub fault: Option<EpisodeFault>,
    /// The values of the parameters.
    pub parameters: Vec<f32>,
}

/// Whether and how an episode has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub enum EpisodeState {
    Running,
    Failed,
    Succeeded,
    /// The limit of steps was reached.
    Truncated,
}

/// What went wrong in a step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub struct EpisodeFault {
    /// The line of the text, from 1 on; 0 if no line is to blame.
    pub line: u32,
    /// As a part of a sentence.
    pub what: String,
}

impl CheckedWorld {
    pub(super) fn of(world: &World) -> Self {
        Self { problems: world.warnings().iter().map(Problem::of).collect(), world: Some(summary_of(world)) }
    }

    pub(super) fn refused(problems: &[Diagnostic]) -> Self {
        Self { problems: problems.iter().map(Problem::of).collect(), world: None }
    }
}

impl Problem {
    fn of(diagnostic: &Diagnostic) -> Self {
        Self {
            warning: diagnostic.severity == Severity::Warning,
            line: diagnostic.line as u32,
            column: diagnostic.column as u32,
            length: diagnostic.length as u32,
            message: diagnostic.message.clone(),
            help: diagnostic.help.clone(),
        }
    }
}

fn summary_of(world: &World) -> WorldSummary {
    let spec = world.spec();
    let parameters = spec.parameters.iter().map(|parameter| WorldParameter {
        name: parameter.name.clone(),
        value: parameter.value,
        low: parameter.low,
        high: parameter.high,
    });
    WorldSummary {
        title: spec.title.clone(),
        about: spec.about.clone(),
        parameters: parameters.collect(),
        state: spec.state.clone(),
        actions: match &spec.actions {
            Actions::Choice { name, choices } => {
                WorldActions::Choice { name: name.clone(), choices: choices.clone() }
            }
            Actions::Continuous(ranges) => {
                let range = |range: &learnery_world_rules::ActionRange| WorldRange {
                    name: range.name.clone(),
                    low: range.low,
                    high: range.high,
                };
                WorldActions::Continuous { ranges: ranges.iter().map(range).collect() }
            }
        },
        observations: spec.observations.iter().map(|observation| observation.name.clone()).collect(),
        limit: spec.limit,
        solved: spec.solved,
        seconds_per_step: spec.seconds_per_step,
        shapes: spec.shapes as u32,
    }
}
