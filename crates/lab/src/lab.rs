//! The trait every lab keeps, and what a lab says about itself.

use std::fmt;
use std::sync::Arc;

use learnery_nn::Tensors;
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::{Budget, Checkpoint, Goal, LabError, MetricSpec, Row, Shape};

/// What a lab is, in words for people. Everything a screen or a terminal needs without starting it.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub struct About {
    /// Name in commands, links and files.
    pub id: &'static str,
    /// Name for people.
    pub title: &'static str,
    /// What happens here, in one line.
    pub tagline: &'static str,
    /// What the agent is.
    pub agent: &'static str,
    /// What it is after.
    pub goal: &'static str,
    /// What one sees in the picture.
    pub picture: &'static str,
    /// What `Lab::work` counts ("world steps").
    pub work: &'static str,
    /// What one unit is ("iteration").
    pub unit: &'static str,
    /// Named settings to start from; the first is the default.
    pub presets: &'static [Preset],
    /// Every metric the lab may report.
    pub metrics: &'static [MetricSpec],
    /// The metrics worth a chart, most telling first.
    pub charts: &'static [&'static str],
}

/// Named settings.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub struct Preset {
    /// Name in commands and links.
    pub name: &'static str,
    /// What it is for, in one line.
    pub help: &'static str,
    /// The settings that differ from the default, as JSON text.
    pub settings: &'static str,
}

/// How `advance` ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The budget is used up in the middle of a unit; more work can follow at once.
    Ready,
    /// A unit has just ended. `advance` never goes past the end of a unit.
    Unit,
    /// A device still works on what it was given; ask again later.
    Waiting,
}

/// What a lab needs to continue exactly, taken at the end of a unit.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct State {
    /// Counters and other small things.
    pub scalars: Value,
    /// Everything large. Names under `network/` are the trained network and can be exported alone.
    pub tensors: Tensors,
}

/// The settings of a lab: a flat table. Ranges, units and help come from its attributes, see
/// [`crate::Schema`].
pub trait Config:
    Serialize + DeserializeOwned + JsonSchema + Default + Clone + PartialEq + Send + 'static
{
}
impl<T> Config for T where
    T: Serialize + DeserializeOwned + JsonSchema + Default + Clone + PartialEq + Send + 'static
{
}

/// How an evaluation is to be run.
#[derive(Clone, Debug, Default)]
pub struct EvalRequest {
    /// How many games or episodes; the lab's own number where absent.
    pub games: Option<u64>,
    /// Against whom or what, where the lab offers it.
    pub against: Option<String>,
    /// Who that is, where it is nobody the lab knows by name.
    pub rival: Option<Rival>,
    /// How far to look ahead, where the lab can; its own depth where absent.
    pub plies: Option<u8>,
    /// A text to be judged on, where the lab reads any.
    pub text: Option<NamedText>,
    /// Seed of the evaluation, apart from the training seed.
    pub seed: u32,
}

/// A text from outside of the lab, which has not been checked.
#[derive(Clone, Debug)]
pub struct NamedText {
    /// What it is called.
    pub name: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// Somebody to play against from outside of the lab.
#[derive(Clone, Debug)]
pub enum Rival {
    /// Another trained network.
    Checkpoint(Box<Checkpoint>),
    /// Another program.
    Program(Program),
}

/// Answers a question with a line, in words that its lab and it agree on.
type Ask = dyn Fn(&str) -> Result<String, String> + Send + Sync;

/// Another program that can be asked what it would do.
#[derive(Clone)]
pub struct Program {
    ask: Arc<Ask>,
}

impl Program {
    /// A program that answers questions so.
    pub fn new(ask: impl Fn(&str) -> Result<String, String> + Send + Sync + 'static) -> Self {
        Self { ask: Arc::new(ask) }
    }

    /// Its answer.
    pub fn ask(&self, question: &str) -> Result<String, String> {
        (self.ask)(question)
    }
}

impl fmt::Debug for Program {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("Program")
    }
}

/// What an evaluation found: named figures in the order to be read.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// One sentence for people.
    pub summary: String,
    /// Name, value and unit of each figure.
    pub figures: Vec<(&'static str, f64, &'static str)>,
}

/// A place where something learns. Worker, command line and tests know a lab only through this.
pub trait Lab: Sized + Send + 'static {
    /// What the lab says about itself.
    const ABOUT: About;
    /// Its settings.
    type Config: Config;
    /// What a person may do.
    type Command: DeserializeOwned + Shape;
    /// What can be drawn now.
    type View: Serialize + Shape;

    /// What ranges alone cannot say about settings, such as a product that must stay within memory.
    fn check(_config: &Self::Config) -> Result<(), LabError> {
        Ok(())
    }

    /// A new run. The settings are within their ranges and passed `check`.
    fn new(config: Self::Config, seed: u32) -> Result<Self, LabError>;

    /// When a run with these settings has reached what it is for.
    fn goal(config: &Self::Config) -> Option<Goal>;

    /// Units after which all that these settings plan ahead is done: a run may go on, but hardly learns more.
    fn schedule(_config: &Self::Config) -> Option<u64> {
        None
    }

    /// Takes over settings that differ from the present ones only in live fields.
    fn configure(&mut self, config: Self::Config);

    /// Works until the budget is used up or the current unit ends, whichever comes first.
    fn advance(&mut self, budget: &mut Budget) -> Status;

    /// Carries out what a person asked for.
    fn apply(&mut self, command: Self::Command) -> Result<(), LabError>;

    /// Lets `seconds` pass for what is only there to be looked at. Must not touch what is learned.
    fn animate(&mut self, _seconds: f64) {}

    /// Work done since the run began, in `ABOUT.work`.
    fn work(&self) -> u64;

    /// The metrics of the unit that has just ended.
    fn metrics(&self, out: &mut Row);

    /// What can be drawn now.
    fn view(&self) -> Self::View;

    /// Everything needed to continue; only called at the end of a unit (or before the first).
    fn save(&self) -> State;

    /// Continues from what `save` gave.
    fn load(config: Self::Config, seed: u32, state: &State) -> Result<Self, LabError>;

    /// Goes on from a trained network alone (the tensors under `network/`, prefix taken off) that has `work` behind it.
    fn load_network(
        _config: Self::Config,
        _seed: u32,
        _network: &Tensors,
        _work: u64,
    ) -> Result<Self, LabError> {
        Err(LabError::Checkpoint("it holds only the network; it can be evaluated, not continued".into()))
    }

    /// Judges a trained network (the tensors under `network/`, prefix taken off) on fresh games.
    fn evaluate(config: &Self::Config, network: &Tensors, request: &EvalRequest) -> Result<Report, LabError>;
}
