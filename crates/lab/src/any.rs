//! Type erasure: lets a session, the page's worker and the command line use a lab without knowing its Rust
//! types.
//!
//! [`AnyLab`] is a running lab behind a pointer; [`Entry`] is the table of functions that start and resume a lab,
//! and its tools.

use learnery_nn::Tensors;
#[cfg(not(target_family = "wasm"))]
use learnery_nn::graph::Graph;
use serde_json::{Map, Value};

use crate::fleet::Actor;
#[cfg(not(target_family = "wasm"))]
use crate::fleet::Learner;
use crate::{
    About, Budget, Checkpoint, Context, Goal, GpuUse, Header, Lab, LabError, Row, Schema, State, Status,
    ToolEntry, from_tagged,
};

/// A running lab of any type. Each method calls the corresponding method of [`Lab`], after converting settings
/// and commands from JSON. `unit` is the number of completed units (training iterations), which the
/// session counts.
pub trait AnyLab: Send {
    /// The metric and value at which a run ends.
    fn goal(&self) -> Option<Goal>;
    /// The number of units after which the schedules (learning rate, curriculum) have ended.
    /// `unit` units are completed.
    fn schedule(&self, unit: u64) -> Option<u64>;
    /// The number of completed units after which the settings ask for a warm restart.
    fn warm_restart(&self) -> Option<u64>;
    /// Returns an error if these settings do not fit together.
    fn check(&self, config: Map<String, Value>) -> Result<(), LabError>;
    /// Replaces the settings.
    fn configure(&mut self, unit: u64, config: Map<String, Value>) -> Result<(), LabError>;
    /// Trains until the budget is spent or a unit ends.
    fn advance(&mut self, unit: u64, budget: &mut Budget) -> Status;
    /// Executes a command of the user on the stage, the interactive picture on the page, with the content of
    /// its file, if it has one. Returns the text that it asks for.
    fn apply(&mut self, unit: u64, command: Value, file: Option<Vec<u8>>)
    -> Result<Option<String>, LabError>;
    /// Advances the animation on the stage.
    fn animate(&mut self, unit: u64, seconds: f64);
    /// The amount of training, in what the lab counts, such as games.
    fn work(&self, unit: u64) -> u64;
    /// Writes the metrics of the unit that has just finished to `out`.
    fn metrics(&self, unit: u64, out: &mut Row);
    /// The data that the page draws.
    fn view(&self, unit: u64) -> Box<dyn erased_serde::Serialize>;
    /// Everything that is needed to continue the run.
    fn save(&self) -> State;
    /// The trained network.
    fn network(&self) -> Tensors;
    /// Fetches what `save` needs from the GPU: to be called until it does not return [`Status::Waiting`].
    fn prepare_save(&mut self, unit: u64) -> Status;
    /// Why the GPU failed, if it did.
    fn failure(&self) -> Option<String>;
    /// What the user should know about the last unit.
    #[cfg(not(target_family = "wasm"))]
    fn remark(&self) -> Option<String>;
    /// Shares the run with a fleet.
    #[cfg(not(target_family = "wasm"))]
    fn share(&mut self, unit: u64) -> Result<(), LabError>;
    /// The learner's side of a run that is shared.
    #[cfg(not(target_family = "wasm"))]
    fn learner(&mut self) -> Option<&mut dyn Learner>;
    /// Whether a GPU is likely to be faster than the CPU.
    fn prefers_gpu(&self) -> bool;
    /// Moves the run to a GPU.
    #[cfg(feature = "gpu")]
    fn use_gpu(
        &mut self,
        unit: u64,
        gpu: &learnery_gpu::Gpu,
        precision: learnery_gpu::Precision,
    ) -> Result<(), LabError>;
}

/// A lab with its typed settings and seed. Each call gets a [`Context`] made of these two and the number of
/// units.
struct Running<L: Lab> {
    lab: L,
    config: L::Config,
    seed: u32,
}

impl<L: Lab> Running<L> {
    fn lab_and_context(&mut self, unit: u64) -> (&mut L, Context<'_, L::Config>) {
        (&mut self.lab, Context { config: &self.config, seed: self.seed, unit })
    }

    fn context(&self, unit: u64) -> Context<'_, L::Config> {
        Context { config: &self.config, seed: self.seed, unit }
    }
}

impl<L: Lab> AnyLab for Running<L> {
    fn goal(&self) -> Option<Goal> {
        self.lab.run_goal(&self.config)
    }

    fn schedule(&self, unit: u64) -> Option<u64> {
        self.lab.run_schedule(self.context(unit))
    }

    fn warm_restart(&self) -> Option<u64> {
        L::WARM_RESTART(&self.config)
    }

    fn check(&self, config: Map<String, Value>) -> Result<(), LabError> {
        typed_config::<L>(config).map(drop) // only its check is wanted
    }

    fn configure(&mut self, unit: u64, config: Map<String, Value>) -> Result<(), LabError> {
        self.config = typed_config::<L>(config)?;
        let (lab, cx) = self.lab_and_context(unit);
        lab.configure(cx);
        Ok(())
    }

    fn advance(&mut self, unit: u64, budget: &mut Budget) -> Status {
        let (lab, cx) = self.lab_and_context(unit);
        budget.advance(lab, cx)
    }

    fn apply(
        &mut self,
        unit: u64,
        command: Value,
        file: Option<Vec<u8>>,
    ) -> Result<Option<String>, LabError> {
        let mut command = from_tagged(command).map_err(|e| LabError::Command(e.to_string()))?;
        if let Some(file) = file {
            L::attach(&mut command, file)?;
        }
        let (lab, cx) = self.lab_and_context(unit);
        lab.apply(cx, command)
    }

    fn animate(&mut self, unit: u64, seconds: f64) {
        let (lab, cx) = self.lab_and_context(unit);
        lab.animate(cx, seconds);
    }

    fn work(&self, unit: u64) -> u64 {
        self.lab.work(self.context(unit))
    }

    fn metrics(&self, unit: u64, out: &mut Row) {
        self.lab.metrics(self.context(unit), out);
    }

    fn view(&self, unit: u64) -> Box<dyn erased_serde::Serialize> {
        Box::new(self.lab.view(self.context(unit)))
    }

    fn save(&self) -> State {
        self.lab.save()
    }

    fn network(&self) -> Tensors {
        self.lab.network()
    }

    fn prepare_save(&mut self, unit: u64) -> Status {
        let (lab, cx) = self.lab_and_context(unit);
        lab.prepare_save(cx)
    }

    fn failure(&self) -> Option<String> {
        self.lab.failure()
    }

    #[cfg(not(target_family = "wasm"))]
    fn remark(&self) -> Option<String> {
        self.lab.remark()
    }

    #[cfg(not(target_family = "wasm"))]
    fn share(&mut self, unit: u64) -> Result<(), LabError> {
        let Some(fleet) = L::FLEET else {
            return Err(no_fleet::<L>());
        };
        let (lab, cx) = self.lab_and_context(unit);
        (fleet.share)(lab, cx)
    }

    #[cfg(not(target_family = "wasm"))]
    fn learner(&mut self) -> Option<&mut dyn Learner> {
        L::FLEET.and_then(|fleet| (fleet.learner)(&mut self.lab))
    }

    fn prefers_gpu(&self) -> bool {
        L::prefers_gpu(&self.config)
    }

    #[cfg(feature = "gpu")]
    fn use_gpu(
        &mut self,
        unit: u64,
        gpu: &learnery_gpu::Gpu,
        precision: learnery_gpu::Precision,
    ) -> Result<(), LabError> {
        let (lab, cx) = self.lab_and_context(unit);
        lab.use_gpu(cx, gpu, precision)
    }
}

/// Converts a complete table of settings to the lab's own type, and runs the lab's check of the settings as a
/// whole.
pub(crate) fn typed_config<L: Lab>(config: Map<String, Value>) -> Result<L::Config, LabError> {
    let config =
        serde_json::from_value(Value::Object(config)).map_err(|e| LabError::unreadable_settings(&e))?;
    L::check(&config)?;
    Ok(config)
}

/// Creates a lab by `make` (new, or from a checkpoint after `unit` units) and boxes it.
fn start_lab<L: Lab>(
    config: Map<String, Value>,
    seed: u32,
    unit: u64,
    make: impl FnOnce(Context<L::Config>) -> Result<L, LabError>,
) -> Started {
    let config = typed_config::<L>(config)?;
    let lab = make(Context { config: &config, seed, unit })?;
    Ok(Box::new(Running { lab, config, seed }))
}

/// Validates the settings and makes the graphs of the networks.
#[cfg(not(target_family = "wasm"))]
fn make_graphs<L: Lab>(checkpoint: &Checkpoint) -> Result<Vec<Graph>, LabError> {
    let network = checkpoint.network();
    if network.iter().next().is_none() {
        return Err(LabError::Checkpoint("it holds no network".into()));
    }
    let no_graphs = || {
        let id = L::ABOUT.id;
        LabError::Export(format!("the lab `{id}` has no networks that other programs can run"))
    };
    L::GRAPHS.ok_or_else(no_graphs)?(&checkpoint.settings::<L>()?, &network)
}

/// Converts settings to the lab's own type and makes an actor.
fn make_actor<L: Lab>(config: Map<String, Value>, seed: u32, network: &Tensors) -> MadeActor {
    let unit = 0;
    let fleet = L::FLEET.ok_or_else(no_fleet::<L>)?;
    (fleet.actor)(Context { config: &typed_config::<L>(config)?, seed, unit }, network)
}

/// The refusal of a lab without [`Lab::FLEET`].
fn no_fleet<L: Lab>() -> LabError {
    let id = L::ABOUT.id;
    LabError::Fleet(format!(
        "the lab `{id}` cannot train one run on many machines; AlphaZero in `backgammon` can"
    ))
}

/// An actor of a fleet.
type MadeActor = Result<Box<dyn Actor>, LabError>;

/// Makes actors of a lab. In a tab it is no part of [`Entry`], because all of the page's bundles would then
/// contain the code of actors, and only one needs it.
#[derive(Clone, Copy)]
pub(crate) struct ActorEntry {
    /// The lab's id.
    pub id: &'static str,
    /// Returns the schema of its settings.
    pub schema: fn() -> Schema,
    /// Makes an actor for runs with these settings and this seed.
    pub make: fn(Map<String, Value>, u32, &Tensors) -> MadeActor,
}

impl ActorEntry {
    pub const fn of<L: Lab>() -> Self {
        Self { id: L::ABOUT.id, schema: Schema::of_lab::<L>, make: make_actor::<L> }
    }
}

/// A lab that has been started or resumed.
type Started = Result<Box<dyn AnyLab>, LabError>;

/// An entry of the list of labs: a lab's texts, schemas and tools, and the functions that start and resume it.
#[derive(Clone, Copy)]
pub struct Entry {
    /// Texts, presets and metrics.
    pub about: &'static About,
    /// Returns the schema of its settings.
    pub schema: fn() -> Schema,
    /// Returns the JSON schema of its settings (draft 2020-12) with the extensions of [`Schema`].
    #[cfg(not(target_family = "wasm"))]
    pub json_schema: fn() -> Value,
    /// The schema of its settings for bundles.
    #[cfg(feature = "contract")]
    pub(crate) settings: &'static str,
    /// Where it can train on a GPU.
    pub gpu: GpuUse,
    /// What it can do beside learning.
    pub tools: &'static [ToolEntry],
    /// Whether its tools have a bundle of their own in a tab.
    pub tools_apart: bool,
    /// Commands that give a run the user's own data.
    data_commands: &'static [&'static str],
    /// The user's own data in a checkpoint's network, as a command; see [`Lab::own_data`].
    pub(crate) own_data: fn(&Tensors) -> Option<Value>,
    #[cfg(not(target_family = "wasm"))]
    goal: fn(Map<String, Value>) -> Result<Option<Goal>, LabError>,
    /// Starts a run, continues one from its state, and begins one with the network of a checkpoint.
    pub(crate) start: fn(Map<String, Value>, u32) -> Started,
    pub(crate) resume: fn(Map<String, Value>, &Header, &State) -> Started,
    pub(crate) resume_network: fn(Map<String, Value>, &Checkpoint) -> Started,
    /// Makes its actors.
    #[cfg(not(target_family = "wasm"))]
    pub(crate) actor: ActorEntry,
    #[cfg(not(target_family = "wasm"))]
    graphs: fn(&Checkpoint) -> Result<Vec<Graph>, LabError>,
    /// Adds the TypeScript types of the lab's view and commands to the declarations, and returns their two
    /// names.
    #[cfg(feature = "bindings")]
    pub declare: fn(&mut crate::Declarations) -> (String, String),
}

impl Entry {
    /// The entry of lab `L`.
    pub const fn of<L: Lab>() -> Self {
        Self {
            about: &L::ABOUT,
            schema: Schema::of_lab::<L>,
            #[cfg(not(target_family = "wasm"))]
            json_schema: Schema::json::<L::Config>,
            #[cfg(feature = "contract")]
            settings: L::SETTINGS,
            gpu: L::GPU,
            // In a tab, all that an entry names becomes a part of its bundle.
            tools: if cfg!(target_family = "wasm") && L::TOOLS_APART { &[] } else { L::TOOLS },
            tools_apart: L::TOOLS_APART,
            data_commands: L::DATA_COMMANDS,
            own_data: L::own_data,
            #[cfg(not(target_family = "wasm"))]
            goal: |config| Ok(L::goal(&typed_config::<L>(config)?)),
            start: |config, seed| {
                let units = 0;
                start_lab(config, seed, units, L::new)
            },
            resume: |config, header, state| {
                start_lab(config, header.seed, header.units, |cx| L::load(cx, state))
            },
            resume_network: |config, checkpoint| {
                let Header { seed, units, work, .. } = checkpoint.header;
                start_lab(config, seed, units, |cx| L::load_network(cx, &checkpoint.network(), work))
            },
            #[cfg(not(target_family = "wasm"))]
            actor: ActorEntry::of::<L>(),
            #[cfg(not(target_family = "wasm"))]
            graphs: make_graphs::<L>,
            #[cfg(feature = "bindings")]
            declare: crate::Declarations::add_lab::<L>,
        }
    }

    /// Finds the lab with the id `name`. The error lists the ids of all entries.
    pub fn find(entries: &'static [Self], name: &str) -> Result<&'static Self, LabError> {
        entries.iter().find(|entry| entry.about.id == name).ok_or_else(|| {
            let known: Vec<&str> = entries.iter().map(|entry| entry.about.id).collect();
            LabError::UnknownLab { name: name.into(), known: known.join(", ") }
        })
    }

    /// The goal of a run with these settings, which needs no run. Missing settings have their defaults.
    #[cfg(not(target_family = "wasm"))]
    pub fn goal(&self, config: &Map<String, Value>) -> Result<Option<Goal>, LabError> {
        (self.goal)((self.schema)().complete(None, &Value::Object(config.clone()))?)
    }

    /// The networks in a checkpoint of this lab as graphs that other programs can run.
    #[cfg(not(target_family = "wasm"))]
    pub fn graphs(&self, checkpoint: &Checkpoint) -> Result<Vec<Graph>, LabError> {
        self.owns(checkpoint)?;
        (self.graphs)(checkpoint)
    }

    /// The networks in a checkpoint of this lab as ONNX files, by their names. Notes in the files say which
    /// run they are from.
    #[cfg(not(target_family = "wasm"))]
    pub fn onnx(&self, checkpoint: &Checkpoint) -> Result<Vec<(String, Vec<u8>)>, LabError> {
        let mut graphs = self.graphs(checkpoint)?;
        let Header { lab, config, seed, units, work, .. } = &checkpoint.header;
        for graph in &mut graphs {
            graph.note("lab", lab);
            graph.note("seed", seed.to_string());
            graph.note("units", units.to_string());
            graph.note("work", format!("{work} {}", self.about.work));
            graph.note("settings", Value::Object(config.clone()).to_string());
        }
        Ok(graphs.into_iter().map(|graph| (graph.name.clone(), graph.to_onnx())).collect())
    }

    /// Whether a command gives a run the user's own data to learn from, see [`Lab::DATA_COMMANDS`].
    pub fn sets_data(&self, command: &Value) -> bool {
        command["type"].as_str().is_some_and(|name| self.is_data_command(name))
    }

    /// Whether a command with this name gives a run the user's own data.
    pub(crate) fn is_data_command(&self, name: &str) -> bool {
        self.data_commands.contains(&name)
    }

    /// The settings of a preset that differ from the defaults, as a JSON object.
    pub fn preset(&self, name: &str) -> Result<Value, LabError> {
        let presets = self.about.presets;
        let preset = presets.iter().find(|preset| preset.name == name).ok_or_else(|| {
            let names: Vec<&str> = presets.iter().map(|preset| preset.name).collect();
            LabError::Settings(format!("there is no preset `{name}`; the presets are {}", names.join(", ")))
        })?;
        serde_json::from_str(preset.settings).map_err(|e| LabError::unreadable_settings(&e))
    }

    /// Returns an error if the checkpoint was saved by another lab.
    pub fn owns(&self, checkpoint: &Checkpoint) -> Result<(), LabError> {
        if checkpoint.header.lab == self.about.id {
            return Ok(());
        }
        Err(LabError::Checkpoint(format!(
            "it belongs to the lab `{}`, not to `{}`",
            checkpoint.header.lab, self.about.id
        )))
    }
}
