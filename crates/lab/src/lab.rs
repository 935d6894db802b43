//! The trait [`Lab`], which every lab implements, its texts ([`About`]), and the types that its methods
//! exchange.
//!
//! A *lab* is a learning task with its learner. A *unit* is one training iteration, the smallest thing a run
//! counts; a *step* is the smallest interruptible piece of a unit. The *stage* is the interactive picture on
//! the page, where the user plays with the trained network; nothing that happens there reaches training.

use learnery_nn::Tensors;
#[cfg(not(target_family = "wasm"))]
use learnery_nn::graph::Graph;
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::fleet::FleetEntry;
use crate::{Goal, LabError, MetricSpec, Row, Shape, ToolEntry};

/// A lab's texts, presets and metrics: everything that the page or the terminal shows of it before it runs.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub struct About {
    /// Id in commands, links and files, such as `control`.
    pub id: &'static str,
    /// Name for people.
    pub title: &'static str,
    /// One line on what is learned here.
    pub tagline: &'static str,
    /// What the agent is, in one or two sentences.
    pub agent: &'static str,
    /// What the agent has to achieve.
    pub goal: &'static str,
    /// What the picture on the page shows.
    pub picture: &'static str,
    /// The plural noun for what `Lab::work` counts, such as "world steps".
    pub work: &'static str,
    /// The singular noun for one unit, such as "iteration".
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
    /// Id in commands and links. It never changes between versions.
    pub name: &'static str,
    /// Name for people.
    pub title: &'static str,
    /// What the preset is for, in one line.
    pub help: &'static str,
    /// The settings that differ from the default, as JSON text.
    pub settings: &'static str,
}

/// What a call of [`Lab::step`] or [`crate::Budget::advance`] ended with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The unit is not finished; the next step can begin at once.
    Ready,
    /// The unit is finished. `advance` always returns here, even with budget left.
    UnitFinished,
    /// No step was done, because the GPU is still busy; call again later.
    Waiting,
    /// The GPU failed, see [`Lab::failure`]. The run cannot go on from here, but from its last
    /// checkpoint.
    Failed,
}

/// Everything that a lab needs to continue a run with the same bits, taken between two units.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct State {
    /// Counters and other small values, as JSON.
    pub scalars: Value,
    /// Arrays. Those whose names begin with `network/` are the trained network, which can be exported alone.
    pub tensors: Tensors,
}

/// A flat struct with the settings of a lab, or with the input of a tool. Ranges, units and help
/// texts come from the attributes and doc comments of its fields, see [`crate::Schema`].
pub trait Config:
    Serialize + DeserializeOwned + JsonSchema + Default + Clone + PartialEq + Send + 'static
{
}
impl<T> Config for T where
    T: Serialize + DeserializeOwned + JsonSchema + Default + Clone + PartialEq + Send + 'static
{
}

/// Settings, seed and unit counter, which the session owns and passes to the lab with every call. A lab keeps
/// no copies.
#[derive(Debug)]
pub struct Context<'a, C> {
    /// The current settings. Live settings may have changed since the last call.
    pub config: &'a C,
    /// The seed of the run.
    pub seed: u32,
    /// Units completed. During a step, this is also the number of the unit in progress, counted from zero.
    pub unit: u64,
}

// Not derived, because a derived implementation would require `C: Copy`.
impl<C> Clone for Context<'_, C> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<C> Copy for Context<'_, C> {}

/// The content of a file of the user, such as a text. Nothing is checked yet, nor that a text is UTF-8.
#[derive(Clone, Debug)]
pub struct NamedText {
    /// The file name, for error messages.
    pub name: String,
    pub bytes: Vec<u8>,
}

/// Makes graphs of networks (the tensors under `network/`, prefix removed) of a run with these settings.
/// Their inputs are what the lab observes and their outputs what it means, so that a normaliser, for example,
/// is a part of the graph.
#[cfg(not(target_family = "wasm"))]
pub type MakeGraphs<C> = fn(&C, &Tensors) -> Result<Vec<Graph>, LabError>;

/// Where the runs of a lab can compute on a GPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GpuUse {
    Nowhere,
    /// On the command line only. The sentence tells the page's users why not in a tab.
    Native {
        why_not_in_a_tab: &'static str,
    },
    /// On the command line and in a tab.
    Everywhere,
}

/// A learning task with its learner. The page's worker, the command line and the tests use a lab only through
/// this trait.
pub trait Lab: Sized + Send + 'static {
    /// Texts, presets and metrics.
    const ABOUT: About;
    /// The settings.
    type Config: Config;
    /// The schema of the settings as the page's bundles read it, see [`crate::Schema::of_lab`]: the lab's
    /// file `settings.json`, which `cargo xtask bindings` writes.
    const SETTINGS: &'static str;
    /// The user's actions on the stage: an enum that [`crate::from_tagged`] reads.
    type Command: DeserializeOwned + Shape;
    /// The data that the page draws.
    type View: Serialize + Shape;
    /// Where its runs can compute on a GPU; anywhere but nowhere, the lab overrides [`Lab::use_gpu`], which
    /// exists only with the feature `gpu`.
    const GPU: GpuUse = GpuUse::Nowhere;
    /// What it can do beside learning, for page, command line and Python.
    const TOOLS: &'static [ToolEntry] = &[];
    /// Whether the page's bundle of the lab is without its tools, because they have a bundle of their own,
    /// which is loaded when the first question is asked.
    const TOOLS_APART: bool = false;
    /// The values of `type` of the commands that give a run data of the user's own to learn from, such as a
    /// text. They are executed between two units only, and recorded.
    const DATA_COMMANDS: &'static [&'static str] = &[];
    /// How one run trains on many machines; `None` if it cannot.
    const FLEET: Option<FleetEntry<Self>> = None;
    /// Returns the number of completed units after which these settings ask for a warm restart; `None` if
    /// they do not. A function in a constant, because only one lab has it. After a warm restart, as after
    /// [`Lab::load_network`], the run depends only on the network that it had before.
    const WARM_RESTART: fn(&Self::Config) -> Option<u64> = |_| None;
    /// Makes graphs of its networks, which other programs can run; `None` if there are none.
    #[cfg(not(target_family = "wasm"))]
    const GRAPHS: Option<MakeGraphs<Self::Config>> = None;

    /// Checks conditions that ranges of single settings cannot express, such as a product that must fit into
    /// memory.
    fn check(_config: &Self::Config) -> Result<(), LabError> {
        Ok(())
    }

    /// Starts a run. The settings are within their ranges and have passed `check`.
    fn new(cx: Context<Self::Config>) -> Result<Self, LabError>;

    /// The goal of a run with these settings; `None` if there is none.
    fn goal(config: &Self::Config) -> Option<Goal>;

    /// The goal of this run. A lab overrides it if the goal depends on the run's own data.
    fn run_goal(&self, config: &Self::Config) -> Option<Goal> {
        Self::goal(config)
    }

    /// The number of units after which the schedules (learning rate, curriculum) have ended and later units
    /// hardly improve the network; `None` if there are no schedules.
    fn schedule(_config: &Self::Config) -> Option<u64> {
        None
    }

    /// The number of units after which the schedules of this run have ended, counted from its beginning.
    /// `cx.unit` units are completed. A lab overrides it if the run may have units without learning.
    fn run_schedule(&self, cx: Context<Self::Config>) -> Option<u64> {
        Self::schedule(cx.config)
    }

    /// Called after live settings have changed. A lab overrides it if it keeps state that is derived from
    /// live settings.
    fn configure(&mut self, _cx: Context<Self::Config>) {}

    /// Does one step, which takes well below a second, and returns whether the unit is finished.
    fn step(&mut self, cx: Context<Self::Config>) -> Status;

    /// Puts the content of a file into the command with which it came, because a command is JSON, which holds
    /// no bytes. A lab overrides it if it has commands with a file.
    fn attach(_command: &mut Self::Command, _file: Vec<u8>) -> Result<(), LabError> {
        Err(LabError::Command("this command has no file".into()))
    }

    /// Executes a command of the user on the stage. Returns the text that the command asks for, such as a
    /// file; most commands ask for none.
    fn apply(
        &mut self,
        cx: Context<Self::Config>,
        command: Self::Command,
    ) -> Result<Option<String>, LabError>;

    /// Advances the animation on the stage by `seconds`. Must not change anything that training uses.
    fn animate(&mut self, _cx: Context<Self::Config>, _seconds: f64) {}

    /// The amount of training since the run began, in the unit of measure `ABOUT.work`, such as world steps
    /// or games.
    fn work(&self, cx: Context<Self::Config>) -> u64;

    /// Writes the metrics of the unit that has just finished to `out`. Metrics that were not measured stay
    /// NaN.
    fn metrics(&self, cx: Context<Self::Config>, out: &mut Row);

    /// The data that the page draws.
    fn view(&self, cx: Context<Self::Config>) -> Self::View;

    /// Returns everything needed to continue the run. Called between units only, and only when
    /// [`Lab::prepare_save`] returned [`Status::Ready`].
    fn save(&self) -> State;

    /// The trained network: the tensors that `save` returns under `network/`, prefix removed. Called when
    /// `save` may be. A lab overrides it if that saves the copies of everything else.
    fn network(&self) -> Tensors {
        self.save().tensors.under("network/")
    }

    /// Fetches what `save` needs from the GPU. Called between units until it returns
    /// [`Status::Ready`]; [`Status::Waiting`] means that it is on its way.
    fn prepare_save(&mut self, _cx: Context<Self::Config>) -> Status {
        Status::Ready
    }

    /// Why a step returned [`Status::Failed`], as one sentence.
    fn failure(&self) -> Option<String> {
        None
    }

    /// What the user of the command line should know about the last unit, as a sentence without a full stop:
    /// what a user wrote for the run may turn out to be wrong.
    #[cfg(not(target_family = "wasm"))]
    fn remark(&self) -> Option<String> {
        None
    }

    /// Whether a GPU is likely to train a run with these settings faster than the CPU. Then the command line
    /// uses one without being asked.
    fn prefers_gpu(_config: &Self::Config) -> bool {
        false
    }

    /// Moves the run to a GPU, between two units. It computes there from the next step on, matrix products in
    /// this precision.
    #[cfg(feature = "gpu")]
    fn use_gpu(
        &mut self,
        _cx: Context<Self::Config>,
        _gpu: &learnery_gpu::Gpu,
        _precision: learnery_gpu::Precision,
    ) -> Result<(), LabError> {
        let id = Self::ABOUT.id;
        Err(LabError::Device(format!("the lab `{id}` cannot train on a GPU yet")))
    }

    /// Restores a run from what `save` returned. Returns an error if the state is inconsistent.
    fn load(cx: Context<Self::Config>, state: &State) -> Result<Self, LabError>;

    /// The command that gives a run the data of the user's own that a saved state holds; `None` if it holds
    /// none.
    fn own_data(_tensors: &Tensors) -> Option<Value> {
        None
    }

    /// Continues training from a network alone (the tensors under `network/`, prefix removed). `work` is the
    /// amount of training it had, see [`Lab::work`].
    fn load_network(_cx: Context<Self::Config>, _network: &Tensors, _work: u64) -> Result<Self, LabError> {
        Err(LabError::only_network())
    }
}
