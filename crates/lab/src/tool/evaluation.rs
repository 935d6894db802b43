//! Evaluations: the strength of a network, measured on games or problems that are not training data. Every
//! lab has the tool [`EVALUATE`], whose answer is a [`Report`] and whose input has a field [`SEED_FIELD`].

use serde::Serialize;
#[cfg(not(target_family = "wasm"))]
use serde_json::{Map, Value};

#[cfg(not(target_family = "wasm"))]
use super::{AnyJob, AnyOutput, Program, ToolEntry, ToolStatus};
#[cfg(not(target_family = "wasm"))]
use crate::{Budget, Checkpoint, Entry, Field, LabError, Schema};

/// The id of the tool.
#[cfg(not(target_family = "wasm"))]
pub const EVALUATE: &str = "evaluate";
/// The field of its input that selects the games or problems. It is not among [`Entry::eval_options`],
/// because commands have an option for it in every lab.
#[cfg(not(target_family = "wasm"))]
pub(crate) const SEED_FIELD: &str = "seed";

/// The result of an evaluation.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(rename = "EvaluationReport"))]
pub struct Report {
    /// One sentence for people.
    pub summary: String,
    /// What was measured, most important first.
    pub figures: Vec<Figure>,
}

/// A measured value, such as the mean return.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(rename = "EvaluationFigure"))]
pub struct Figure {
    /// Its key in reports, such as `won`.
    pub name: &'static str,
    pub value: f64,
    /// The unit of the value; empty if it has none.
    pub unit: &'static str,
}

impl Report {
    /// A report of figures as (name, value, unit of the value).
    pub fn new(summary: String, figures: Vec<(&'static str, f64, &'static str)>) -> Self {
        let figures = figures.into_iter().map(|(name, value, unit)| Figure { name, value, unit }).collect();
        Self { summary, figures }
    }
}

/// A request to evaluate a network, as the command line or Python makes it.
#[cfg(not(target_family = "wasm"))]
#[derive(Clone, Debug, Default)]
pub struct EvalRequest {
    /// The inputs of the tool that differ from their defaults, without the seed.
    pub options: Map<String, Value>,
    /// Seed of the evaluation, independent of the training seed.
    pub seed: u32,
    /// The content of the file, or the program, that one of the options names; `None` if none does.
    pub named: Option<Named>,
}

/// What an input of the kind [`crate::Kind::File`] or [`crate::Kind::Opponent`] names outside of the lab.
#[cfg(not(target_family = "wasm"))]
#[derive(Clone, Debug)]
pub enum Named {
    /// A file with this content.
    File(Vec<u8>),
    /// Another program.
    Program(Program),
}

#[cfg(not(target_family = "wasm"))]
impl Entry {
    /// The options of an evaluation: the inputs of the lab's tool [`EVALUATE`], but for the seed.
    pub fn eval_options(&self) -> Result<Schema, LabError> {
        Ok((self.evaluation()?.schema)().into_options())
    }

    /// The fields of [`Entry::eval_options`]; none in a lab without the tool.
    pub fn eval_fields(&self) -> Vec<Field> {
        self.eval_options().map(|options| options.fields().to_vec()).unwrap_or_default()
    }

    /// The lab's tool [`EVALUATE`].
    pub fn evaluation(&self) -> Result<&'static ToolEntry, LabError> {
        ToolEntry::find(self.tools, EVALUATE)
    }

    /// Begins to measure the strength of the network in a checkpoint of this lab. The error for an option
    /// that the schema refuses names it as the option of a command.
    pub fn begin_evaluation(
        &self,
        checkpoint: &Checkpoint,
        request: &EvalRequest,
    ) -> Result<Box<dyn AnyJob>, LabError> {
        let EvalRequest { options, seed, named } = request;
        let (schema, given) = (self.eval_options()?, Value::Object(options.clone()));
        let checked = schema.complete(None, &given).and_then(|_| schema.refuse_empty_paths(&given));
        checked.map_err(|e| match e {
            LabError::Setting { field, problem } => {
                LabError::Evaluation(format!("option `{field}`: {problem}"))
            }
            other => other,
        })?;
        let mut input = options.clone();
        input.insert(SEED_FIELD.into(), (*seed).into());
        let begun = self.evaluation()?.begin_named(checkpoint, &Value::Object(input), named.clone());
        begun.map_err(|e| match e {
            // The schema has accepted the value of each option. What the lab refuses beyond that may be about
            // several, so it is said without a name.
            LabError::Input { problem, .. } => LabError::Evaluation(problem),
            other => other,
        })
    }

    /// Measures the strength of the network in a checkpoint of this lab.
    pub fn evaluate(&self, checkpoint: &Checkpoint, request: &EvalRequest) -> Result<Report, LabError> {
        let mut job = self.begin_evaluation(checkpoint, request)?;
        loop {
            // On the CPU a tool waits for nothing.
            if let ToolStatus::Done(output) = job.advance(&mut Budget::steps(u64::MAX), &mut |_| {})? {
                return Report::of(output);
            }
        }
    }
}

#[cfg(not(target_family = "wasm"))]
impl Report {
    /// The output of the tool [`EVALUATE`] of any lab.
    pub fn of(output: AnyOutput) -> Result<Self, LabError> {
        let output: Box<dyn std::any::Any> = output;
        let no_report = |_| LabError::Tool(format!("the output of `{EVALUATE}` is no report"));
        output.downcast().map(|report| *report).map_err(no_report)
    }
}
