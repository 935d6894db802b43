//! A run of PPO on external environments.

use std::sync::Arc;

use learnery_lab::{Checkpoint, Entry, Header, History, Lab, LabError, Row};
use learnery_nn::Tensors;
use learnery_worlds::control::AnyWorlds;
use serde_json::{Map, Value};

use super::batch::ExternalWorlds;
use super::{Environments, ExternalSpaces};
use crate::collector::{Collector, RolloutSummary};
use crate::config::ControlConfig;
use crate::learner::Learner;
use crate::network::Network;
use crate::task::Task;
use crate::training::Control;

/// The settings that an external environment decides, or that need worlds which can start anew at any time.
const DECIDED: [&str; 5] = ["world", "worlds", "shaping", "eval_every", "eval_episodes"];

/// A run: what learns, and the environments. A unit is one training iteration, as in [`Control`].
pub struct ExternalRun {
    settings: Map<String, Value>,
    /// Settings from the next unit on; `None` if they stay.
    next_settings: Option<Map<String, Value>>,
    /// `settings` as a struct.
    config: ControlConfig,
    seed: u32,
    /// Completed units.
    units: u64,
    /// Steps of the environments in the run whose network this one goes on with.
    work_before: u64,
    /// Steps that the collector counts without having taken them, see [`Collector::skip_units`].
    skipped: u64,
    network: Network,
    pub(super) collector: Collector,
    learner: Learner,
    /// Whether the rollout is full and is learned from.
    is_learning: bool,
    /// The metrics of the last unit.
    row: Row,
    history: History,
}

impl ExternalRun {
    /// A run in `count` environments, with the preset for worlds of one's own and, over it, `settings`. With
    /// `from`, a saved run of the same spaces, it goes on with that run's network and optimiser.
    pub fn new(
        spaces: ExternalSpaces,
        environments: Box<dyn Environments>,
        count: usize,
        settings: &Map<String, Value>,
        seed: u32,
        from: Option<&Checkpoint>,
    ) -> Result<Self, LabError> {
        spaces.check()?;
        let entry = Entry::of::<Control>();
        let schema = (entry.schema)();
        if let Some(name) = settings.keys().find(|name| DECIDED.contains(&name.as_str())) {
            let problem = "an environment of yours decides this setting, or has no use for it";
            return Err(LabError::setting(name, problem));
        }
        let mut base = schema.complete(None, &entry.preset("own")?)?;
        if let Some(from) = from {
            // Completed, because a file leaves out settings that came later and have their default.
            base = schema.complete(None, &Value::Object(from.header.config.clone()))?;
        }
        base.insert("worlds".into(), count.into());
        base.insert("eval_every".into(), 0.into());
        let settings = schema.complete(Some(&base), &Value::Object(settings.clone()))?;
        let config = read_config(&settings)?;
        let spaces = Arc::new(spaces);
        let task = Task::External(spaces.clone());
        let mut network = match from {
            None => Network::new(&config, task.clone(), seed),
            Some(from) => Network::from_tensors(&config, &from.network())?,
        };
        if !matches!(network.task(), Task::External(saved) if saved.fits(&spaces)) {
            return Err(LabError::Checkpoint("it is a network for an environment with other spaces".into()));
        }
        network.set_task(task);
        let worlds: Box<dyn AnyWorlds> = Box::new(ExternalWorlds::new(spaces, environments, count));
        let units = from.map_or(0, |from| from.header.units);
        let mut collector = Collector::of_batches(&config, seed, &network, [worlds].into_iter());
        collector.skip_units(units);
        let mut learner = Learner::new(seed, &network, collector.len());
        if let Some(from) = from {
            learner.set_adam(&from.tensors.under("adam/"))?;
        }
        Ok(Self {
            settings,
            next_settings: None,
            config,
            seed,
            units,
            work_before: from.map_or(0, |from| from.header.work),
            skipped: collector.steps_taken(),
            network,
            collector,
            learner,
            is_learning: false,
            row: Row::new(Control::ABOUT.metrics),
            history: History::new(Control::ABOUT.metrics.len()),
        })
    }

    /// Takes one step in all environments, or learns from one minibatch. Returns whether that ends a unit.
    pub fn step(&mut self) -> bool {
        if !self.is_learning {
            if self.collector.step(&self.network, &self.config) {
                self.learner.leave_out(self.collector.left_out());
                self.learner.start_unit(&self.config, self.units);
                self.is_learning = self.learner.has_samples();
                return !self.is_learning && self.end_unit();
            }
            return false;
        }
        self.learner.step(&mut self.network, self.collector.records(), &self.config) && self.end_unit()
    }

    /// Ends a unit, and returns true.
    fn end_unit(&mut self) -> bool {
        self.collector.observation_sums().for_each(|sums| self.network.normaliser.absorb(sums));
        self.is_learning = false;
        self.units += 1;
        let RolloutSummary { mean_return, episodes, explained_variance } = self.collector.summary();
        self.row.clear();
        self.row.set("return", mean_return);
        self.row.set("episodes", episodes as f64);
        self.row.set("explained", explained_variance);
        self.learner.metrics(&mut self.row);
        self.history.push(self.units, &self.row);
        if let Some(settings) = self.next_settings.take()
            && let Ok(config) = read_config(&settings)
        {
            (self.settings, self.config) = (settings, config);
        }
        true
    }

    /// Drops the unit in progress and begins new episodes, because a step of an environment has failed. What
    /// the network has learned in this unit stays.
    pub fn drop_unit(&mut self) {
        self.is_learning = false;
        self.collector.drop_rollout();
    }

    /// Whether a unit is in progress.
    pub fn is_mid_unit(&self) -> bool {
        self.is_learning || !self.collector.is_between_rollouts()
    }

    /// Changes live settings, from the next unit on.
    pub fn configure(&mut self, changes: &Value) -> Result<(), LabError> {
        let schema = (Entry::of::<Control>().schema)();
        let settings =
            schema.complete(Some(self.next_settings.as_ref().unwrap_or(&self.settings)), changes)?;
        let is_changed = |name: &str| settings.get(name) != self.settings.get(name);
        let decided = |name: &str| DECIDED.contains(&name);
        if let Some(field) =
            schema.fields().iter().find(|f| (!f.live || decided(&f.name)) && is_changed(&f.name))
        {
            return Err(LabError::setting(&field.name, "a change of this one needs a restart"));
        }
        let config = read_config(&settings)?;
        if self.is_mid_unit() {
            self.next_settings = Some(settings);
        } else {
            (self.settings, self.config) = (settings, config);
        }
        Ok(())
    }

    /// Saves network and optimiser.
    pub fn save(&self) -> Checkpoint {
        let mut tensors = Tensors::new();
        tensors.absorb("network/", self.network.to_tensors());
        tensors.absorb("adam/", self.learner.adam.to_tensors());
        let header = Header {
            lab: Control::ABOUT.id.into(),
            config: (Entry::of::<Control>().schema)().stored(&self.settings),
            seed: self.seed,
            units: self.units,
            work: self.work(),
            solved_at: None,
            network_only: true,
            scalars: Value::Null,
            changes: Vec::new(),
            devices: Vec::new(),
            network_since: None,
        };
        Checkpoint { header, tensors }
    }

    /// All settings.
    pub fn settings(&self) -> &Map<String, Value> {
        self.next_settings.as_ref().unwrap_or(&self.settings)
    }

    pub fn seed(&self) -> u32 {
        self.seed
    }

    /// Completed units.
    pub fn units(&self) -> u64 {
        self.units
    }

    /// Steps of all environments.
    pub fn work(&self) -> u64 {
        self.work_before + self.collector.steps_taken() - self.skipped
    }

    /// The metrics of the last unit.
    pub fn row(&self) -> &Row {
        &self.row
    }

    pub fn history(&self) -> &History {
        &self.history
    }
}

fn read_config(settings: &Map<String, Value>) -> Result<ControlConfig, LabError> {
    let config: ControlConfig = serde_json::from_value(Value::Object(settings.clone()))
        .map_err(|e| LabError::Settings(e.to_string()))?;
    Control::check(&config)?;
    Ok(config)
}
