//! Labs without their types: what a session, a worker or a command line holds.

use serde_json::{Map, Value};

use crate::{
    About, Budget, Checkpoint, EvalRequest, Goal, Header, Lab, LabError, Report, Row, Schema, State, Status,
};

/// A running lab behind a pointer; settings and commands come as JSON. See [`Lab`] for the meaning.
#[allow(missing_docs)] // Each method is the one of `Lab` with the same name.
pub trait AnyLab: Send {
    fn goal(&self) -> Option<Goal>;
    fn schedule(&self) -> Option<u64>;
    fn configure(&mut self, config: Map<String, Value>) -> Result<(), LabError>;
    fn advance(&mut self, budget: &mut Budget) -> Status;
    fn apply(&mut self, command: Value) -> Result<(), LabError>;
    fn animate(&mut self, seconds: f64);
    fn work(&self) -> u64;
    fn metrics(&self, out: &mut Row);
    fn view(&self) -> Box<dyn erased_serde::Serialize>;
    fn save(&self) -> State;
}

/// The config travels beside the lab: goals depend on it.
struct Running<L: Lab> {
    lab: L,
    config: L::Config,
}

impl<L: Lab> AnyLab for Running<L> {
    fn goal(&self) -> Option<Goal> {
        L::goal(&self.config)
    }

    fn schedule(&self) -> Option<u64> {
        L::schedule(&self.config)
    }

    fn configure(&mut self, config: Map<String, Value>) -> Result<(), LabError> {
        let config = typed::<L>(config)?;
        self.config = config.clone();
        self.lab.configure(config);
        Ok(())
    }

    fn advance(&mut self, budget: &mut Budget) -> Status {
        self.lab.advance(budget)
    }

    fn apply(&mut self, command: Value) -> Result<(), LabError> {
        let command = serde_json::from_value(command).map_err(|e| LabError::Command(e.to_string()))?;
        self.lab.apply(command)
    }

    fn animate(&mut self, seconds: f64) {
        self.lab.animate(seconds);
    }

    fn work(&self) -> u64 {
        self.lab.work()
    }

    fn metrics(&self, out: &mut Row) {
        self.lab.metrics(out);
    }

    fn view(&self) -> Box<dyn erased_serde::Serialize> {
        Box::new(self.lab.view())
    }

    fn save(&self) -> State {
        self.lab.save()
    }
}

/// A complete table of settings as the lab's own type, checked as a whole.
fn typed<L: Lab>(config: Map<String, Value>) -> Result<L::Config, LabError> {
    let config =
        serde_json::from_value(Value::Object(config)).map_err(|e| LabError::Settings(e.to_string()))?;
    L::check(&config)?;
    Ok(config)
}

type Started = Result<Box<dyn AnyLab>, LabError>;

/// One line of the list of labs: everything one can do with a lab before it runs.
#[derive(Clone, Copy)]
pub struct Entry {
    /// What the lab says about itself.
    pub about: &'static About,
    /// Its settings.
    pub schema: fn() -> Schema,
    pub(crate) start: fn(Map<String, Value>, u32) -> Started,
    pub(crate) resume: fn(Map<String, Value>, u32, &State) -> Started,
    pub(crate) resume_network: fn(Map<String, Value>, &Checkpoint) -> Started,
    evaluate: fn(&Checkpoint, &EvalRequest) -> Result<Report, LabError>,
    /// Declares the TypeScript types of its view and its commands and gives their names back.
    #[cfg(feature = "bindings")]
    pub declare: fn(&mut crate::Declarations) -> (String, String),
}

impl Entry {
    /// The entry of lab `L`.
    pub const fn of<L: Lab>() -> Self {
        Self {
            about: &L::ABOUT,
            schema: Schema::of::<L::Config>,
            start: |config, seed| {
                let config = typed::<L>(config)?;
                Ok(Box::new(Running { lab: L::new(config.clone(), seed)?, config }))
            },
            resume: |config, seed, state| {
                let config = typed::<L>(config)?;
                Ok(Box::new(Running { lab: L::load(config.clone(), seed, state)?, config }))
            },
            resume_network: |config, checkpoint| {
                let config = typed::<L>(config)?;
                let Header { seed, work, .. } = checkpoint.header;
                let lab = L::load_network(config.clone(), seed, &checkpoint.network(), work)?;
                Ok(Box::new(Running { lab, config }))
            },
            evaluate: |checkpoint, request| {
                let config = Schema::of::<L::Config>()
                    .complete(None, &Value::Object(checkpoint.header.config.clone()))?;
                L::evaluate(&typed::<L>(config)?, &checkpoint.network(), request)
            },
            #[cfg(feature = "bindings")]
            declare: crate::Declarations::add_lab::<L>,
        }
    }

    /// The lab called `name` among these.
    pub fn find(entries: &'static [Self], name: &str) -> Result<&'static Self, LabError> {
        entries.iter().find(|entry| entry.about.id == name).ok_or_else(|| {
            let known: Vec<&str> = entries.iter().map(|entry| entry.about.id).collect();
            LabError::UnknownLab { name: name.into(), known: known.join(", ") }
        })
    }

    /// Judges the network in a checkpoint of this lab on fresh games.
    pub fn evaluate(&self, checkpoint: &Checkpoint, request: &EvalRequest) -> Result<Report, LabError> {
        self.owns(checkpoint)?;
        (self.evaluate)(checkpoint, request)
    }

    /// The settings of a preset: what differs from the defaults.
    pub fn preset(&self, name: &str) -> Result<Value, LabError> {
        let presets = self.about.presets;
        let preset = presets.iter().find(|preset| preset.name == name).ok_or_else(|| {
            let names: Vec<&str> = presets.iter().map(|preset| preset.name).collect();
            LabError::Settings(format!("there is no preset `{name}`; the presets are {}", names.join(", ")))
        })?;
        serde_json::from_str(preset.settings).map_err(|e| LabError::Settings(e.to_string()))
    }

    /// Refuses a checkpoint of another lab.
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
