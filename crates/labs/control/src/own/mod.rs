//! A world of the user's own: a text of rules (`learnery_world_rules`) as data of a run. The text is part of
//! the network, because nothing can be done with the network without it: it lies among its tensors, and so in
//! every checkpoint and fingerprint.

mod batch;
mod picture;
mod run;
#[cfg(feature = "gpu")]
mod shader;
mod stage;

use std::collections::BTreeMap;
use std::sync::Arc;

use learnery_lab::LabError;
use learnery_nn::Tensors;
use learnery_world_rules::{Actions, Diagnostic, Severity, Spec, World as Rules, count_errors};
use serde_json::{Value, json};

pub use batch::OwnWorlds;
pub use stage::OwnStage;

/// The world of a run with the world `own` that has not been given a text yet. It never changes, because runs
/// without a text depend on it.
const FIRST_TEXT: &str = include_str!("first.world");
const FIRST_NAME: &str = "lander.world";

/// The longest episode of an evaluation if the text has no limit.
const EVALUATION_STEPS: u32 = 1000;

/// The maximum number of bytes of the name of a text.
const MAX_NAME_BYTES: usize = 200;

/// Values of parameters by their names, as the user set them.
pub type Parameters = BTreeMap<String, f32>;

/// A checked text with the values of its parameters.
#[derive(Debug)]
pub struct OwnWorld {
    /// What the text is called, such as the name of its file.
    name: String,
    text: String,
    /// The parameters that do not have their usual values.
    changed: Parameters,
    rules: Arc<Rules>,
    /// The values of all parameters, in the order of the text.
    values: Vec<f32>,
}

impl OwnWorld {
    /// Checks a text and the values of its parameters. The error is a sentence.
    pub fn new(name: &str, text: &str, parameters: &Parameters) -> Result<Arc<Self>, String> {
        if name.len() > MAX_NAME_BYTES {
            return Err(format!("the name of a world has at most {MAX_NAME_BYTES} bytes"));
        }
        let rules = Rules::compile(text).map_err(|problems| first_error(&problems))?;
        let mut values = rules.parameters();
        for (name, value) in parameters {
            let i = rules.find_parameter(name)?;
            let (low, high) = (rules.spec().parameters[i].low, rules.spec().parameters[i].high);
            if !(low..=high).contains(value) {
                return Err(format!("the parameter `{name}` is {value}; expected {low} to {high}"));
            }
            values[i] = *value;
        }
        let (name, text, changed) = (name.to_owned(), text.to_owned(), parameters.clone());
        Ok(Arc::new(Self { name, text, changed, rules: Arc::new(rules), values }))
    }

    /// The world until there is another one.
    pub fn first() -> Arc<Self> {
        Self::new(FIRST_NAME, FIRST_TEXT, &Parameters::new()).expect("a test checks it")
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether it is the world that a run has before it is given one.
    pub fn is_first(&self) -> bool {
        self.text == FIRST_TEXT && self.changed.is_empty()
    }

    pub fn rules(&self) -> &Arc<Rules> {
        &self.rules
    }

    pub fn spec(&self) -> &Spec {
        self.rules.spec()
    }

    /// The values of all parameters.
    pub fn values(&self) -> &[f32] {
        &self.values
    }

    /// Outputs of the actor: a logit for each choice, or the mean of each number.
    pub fn outputs(&self) -> usize {
        match &self.spec().actions {
            Actions::Choice { choices, .. } => choices.len(),
            Actions::Continuous(ranges) => ranges.len(),
        }
    }

    /// Whether the actor's outputs are logits.
    pub fn is_discrete(&self) -> bool {
        matches!(self.spec().actions, Actions::Choice { .. })
    }

    /// The most steps of an episode of an evaluation.
    pub fn max_steps(&self) -> u32 {
        self.spec().limit.unwrap_or(EVALUATION_STEPS)
    }

    /// Why a network for this world cannot go on in another one; `None` if it can.
    pub fn mismatch(&self, other: &Self) -> Option<String> {
        let (a, b) = (self.spec(), other.spec());
        let observations = [a.observations.len(), b.observations.len()];
        if observations[0] != observations[1] {
            let [a, b] = observations;
            return Some(format!("its agent sees {a} numbers, and in the new one it would see {b}"));
        }
        if self.is_discrete() != other.is_discrete() || self.outputs() != other.outputs() {
            return Some("the agent has other actions in the new one".into());
        }
        None
    }

    /// Whether both worlds have the same state variables, so that an episode of the other one may go on in
    /// this one.
    pub fn has_states_of(&self, other: &Self) -> bool {
        self.spec().state == other.spec().state
    }

    /// Number `i` of an action in the world's unit. The policy's numbers have the same size in every world:
    /// -1 is the lower bound, 1 the upper one. What lies beyond is clipped by the world.
    pub fn scaled_action(&self, i: usize, x: f32) -> f32 {
        match &self.spec().actions {
            Actions::Choice { .. } => x,
            Actions::Continuous(ranges) => {
                let (low, high) = (ranges[i].low, ranges[i].high);
                let (centre, half) = (0.5 * low + 0.5 * high, 0.5 * high - 0.5 * low);
                centre + half * x
            }
        }
    }

    /// The command that gives a run this world.
    pub fn command(&self) -> Value {
        let mut command = json!({ "type": "world", "name": self.name, "text": self.text });
        if !self.changed.is_empty() {
            // By way of JSON text: 0.3 as an f32 has the digits 0.3, but converted to an f64 it has more.
            command["parameters"] = serde_json::from_slice(&self.parameters()).unwrap_or_default();
        }
        command
    }

    pub fn to_tensors(&self) -> Tensors {
        let parameters = self.parameters();
        let mut tensors = Tensors::new();
        for (name, bytes) in
            [("name", self.name.as_bytes()), ("text", self.text.as_bytes()), ("parameters", &parameters)]
        {
            tensors.insert(name, &[bytes.len()], bytes);
        }
        tensors
    }

    /// The parameters that were set, as JSON.
    fn parameters(&self) -> Vec<u8> {
        serde_json::to_vec(&self.changed).expect("a map of numbers")
    }

    /// Restores what [`OwnWorld::to_tensors`] saved.
    pub fn from_tensors(tensors: &Tensors) -> Result<Arc<Self>, LabError> {
        let bad = |problem: String| LabError::Checkpoint(format!("its world cannot be used: {problem}"));
        let read = |name: &str| -> Result<String, LabError> {
            String::from_utf8(tensors.get_vec(name)?).map_err(|_| bad(format!("its {name} is not UTF-8")))
        };
        let parameters: Parameters =
            serde_json::from_str(&read("parameters")?).map_err(|e| bad(e.to_string()))?;
        Self::new(&read("name")?, &read("text")?, &parameters).map_err(bad)
    }
}

/// The first error of a text, as a sentence that names its place.
fn first_error(problems: &[Diagnostic]) -> String {
    let first = problems.iter().find(|problem| problem.severity == Severity::Error);
    let Some(Diagnostic { message, help, line, column, .. }) = first else {
        return "it is no world".into();
    };
    let help = help.as_ref().map_or(String::new(), |help| format!(" ({help})"));
    let (errors, are_more) = count_errors(problems);
    let others = match errors - 1 {
        0 => String::new(),
        1 => "; there is another error".into(),
        n if are_more => format!("; there are more than {n} more errors"),
        n => format!("; there are {n} more errors"),
    };
    format!("line {line}, column {column}: {message}{help}{others}")
}

#[cfg(test)]
mod tests;
