//! The contract of a lab: the trait [`Lab`], its texts ([`About`]), and the types its methods exchange.

use std::fmt;
use std::sync::Arc;

use learnery_nn::Tensors;
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::{Budget, Checkpoint, Goal, LabError, MetricSpec, Row, Shape};

/// A lab's texts, presets and metrics: everything a screen or a terminal shows of it before it runs.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub struct About {
    /// Id in commands, links and files.
    pub id: &'static str,
    /// Name for people.
    pub title: &'static str,
    /// One line on what is learned here.
    pub tagline: &'static str,
    /// What the agent is.
    pub agent: &'static str,
    /// What it has to achieve.
    pub goal: &'static str,
    /// What the picture shows.
    pub picture: &'static str,
    /// What `Lab::work` counts ("world steps").
    pub work: &'static str,
    /// What one unit is called ("iteration").
    pub unit: &'static str,
    /// Named settings; the first is the default.
    pub presets: &'static [Preset],
    /// Every metric the lab may report.
    pub metrics: &'static [MetricSpec],
    /// The metrics to chart, most important first.
    pub charts: &'static [&'static str],
}

/// Named settings.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub struct Preset {
    /// Id in commands and links; it never changes.
    pub name: &'static str,
    /// Name for people.
    pub title: &'static str,
    /// What it is for, in one line.
    pub help: &'static str,
    /// The settings that differ from the default, as JSON text.
    pub settings: &'static str,
}

/// How a step, or a series of steps, ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// In the middle of a unit; more work can follow at once.
    Ready,
    /// A unit has just ended. `advance` never goes past the end of a unit.
    Unit,
    /// A device is still busy with what it was given; ask again later.
    Waiting,
}

/// Everything a lab needs to continue exactly, taken between units.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct State {
    /// Counters and other small things.
    pub scalars: Value,
    /// Arrays. Those under `network/` are the trained network and can be exported alone.
    pub tensors: Tensors,
}

/// The settings of a lab, or the options of its evaluation: a flat table. Ranges, units and help texts come from its
/// attributes, see [`crate::Schema`].
pub trait Config:
    Serialize + DeserializeOwned + JsonSchema + Default + Clone + PartialEq + Send + 'static
{
}
impl<T> Config for T where
    T: Serialize + DeserializeOwned + JsonSchema + Default + Clone + PartialEq + Send + 'static
{
}

/// What the session passes to a lab with every call. The session owns all three; a lab keeps no copy of them.
#[derive(Debug)]
pub struct Context<'a, C> {
    /// The settings now. Live ones may have changed since the last call.
    pub config: &'a C,
    /// The seed of the run.
    pub seed: u32,
    /// Units completed. During a step, this is also the number of the unit in progress, counted from zero.
    pub unit: u64,
}

// Derived implementations would ask for `C: Copy`.
impl<C> Clone for Context<'_, C> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<C> Copy for Context<'_, C> {}

/// An evaluation as the command line or the page asks for it, for any lab.
#[derive(Clone, Debug, Default)]
pub struct EvalRequest {
    /// Options that differ from their defaults; checked against the schema of the lab's [`Lab::EvalOptions`].
    pub options: Map<String, Value>,
    /// Seed of the evaluation, independent of the training seed.
    pub seed: u32,
    /// The content of an option of the kind [`crate::Kind::File`].
    pub text: Option<NamedText>,
    /// The opponent that an option of the kind [`crate::Kind::Opponent`] names, unless the lab knows the name.
    pub opponent: Option<Opponent>,
}

/// The same evaluation as its lab sees it, with typed options.
#[derive(Clone, Copy, Debug)]
pub struct Evaluation<'a, O> {
    /// The options, within their ranges.
    pub options: &'a O,
    /// Seed of the evaluation, independent of the training seed.
    pub seed: u32,
    /// The content of a file option.
    pub text: Option<&'a NamedText>,
    /// The opponent, unless an option names one that the lab knows.
    pub opponent: Option<&'a Opponent>,
}

/// A text from outside, not yet checked.
#[derive(Clone, Debug)]
pub struct NamedText {
    /// Its file name, for error messages.
    pub name: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// An opponent from outside of the lab.
#[derive(Clone, Debug)]
pub enum Opponent {
    /// Another trained network.
    Checkpoint(Box<Checkpoint>),
    /// Another program.
    Program(Program),
}

/// Answers one line of text with another, in a protocol of the lab.
type Respond = dyn Fn(&str) -> Result<String, String> + Send + Sync;

/// Another program, such as GNU Backgammon, that chooses moves.
#[derive(Clone)]
pub struct Program {
    respond: Arc<Respond>,
}

impl Program {
    /// A program that is reached through `respond`.
    pub fn new(respond: impl Fn(&str) -> Result<String, String> + Send + Sync + 'static) -> Self {
        Self { respond: Arc::new(respond) }
    }

    /// Sends one line and returns the answer.
    pub fn ask(&self, question: &str) -> Result<String, String> {
        (self.respond)(question)
    }
}

impl fmt::Debug for Program {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("Program")
    }
}

/// The result of an evaluation.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// One sentence for people.
    pub summary: String,
    /// Name, value and unit of each figure, most important first.
    pub figures: Vec<(&'static str, f64, &'static str)>,
}

/// A learning task with its learner. Worker, command line and tests know a lab only through this trait.
pub trait Lab: Sized + Send + 'static {
    /// Texts, presets and metrics.
    const ABOUT: About;
    /// The settings.
    type Config: Config;
    /// The options of [`Lab::evaluate`].
    type EvalOptions: Config;
    /// What a visitor can do on the stage.
    type Command: DeserializeOwned + Shape;
    /// The data that the page draws.
    type View: Serialize + Shape;

    /// Checks what ranges of single settings cannot express, such as a product that must fit into memory.
    fn check(_config: &Self::Config) -> Result<(), LabError> {
        Ok(())
    }

    /// Starts a run. The settings are within their ranges and passed `check`.
    fn new(cx: Context<Self::Config>) -> Result<Self, LabError>;

    /// The goal of a run with these settings.
    fn goal(config: &Self::Config) -> Option<Goal>;

    /// The unit at which schedules (learning rate, curriculum) end: later units hardly improve anything.
    fn schedule(_config: &Self::Config) -> Option<u64> {
        None
    }

    /// Follows a change of live settings, where the lab keeps state that was derived from them.
    fn configure(&mut self, _cx: Context<Self::Config>) {}

    /// Does the smallest piece of work after which the run can be interrupted (well below a second), and tells
    /// whether that ended the unit.
    fn step(&mut self, cx: Context<Self::Config>) -> Status;

    /// Works until the budget is spent or the unit ends, whichever comes first.
    fn advance(&mut self, cx: Context<Self::Config>, budget: &mut Budget) -> Status {
        while budget.allows() {
            let status = self.step(cx);
            if status != Status::Waiting {
                budget.spend();
            }
            if status != Status::Ready {
                return status;
            }
        }
        Status::Ready
    }

    /// Executes a visitor's command.
    fn apply(&mut self, cx: Context<Self::Config>, command: Self::Command) -> Result<(), LabError>;

    /// Advances the animation on the stage. Must not touch what is learned.
    fn animate(&mut self, _cx: Context<Self::Config>, _seconds: f64) {}

    /// Work done since the run began, in the unit named by `ABOUT.work`.
    fn work(&self, cx: Context<Self::Config>) -> u64;

    /// Writes the metrics of the unit that has just ended.
    fn metrics(&self, cx: Context<Self::Config>, out: &mut Row);

    /// The data that the page draws.
    fn view(&self, cx: Context<Self::Config>) -> Self::View;

    /// Everything needed to continue. Only called between units.
    fn save(&self) -> State;

    /// Continues from what `save` returned.
    fn load(cx: Context<Self::Config>, state: &State) -> Result<Self, LabError>;

    /// Continues from a network alone (the tensors under `network/`, prefix removed) that was trained for `work`.
    fn load_network(_cx: Context<Self::Config>, _network: &Tensors, _work: u64) -> Result<Self, LabError> {
        Err(LabError::Checkpoint("it holds only the network; it can be evaluated, not continued".into()))
    }

    /// Measures the strength of a network (the tensors under `network/`, prefix removed) on games or problems that
    /// training never saw.
    fn evaluate(
        config: &Self::Config,
        network: &Tensors,
        evaluation: &Evaluation<Self::EvalOptions>,
    ) -> Result<Report, LabError>;
}
