//! A run of a lab: starts or resumes it, counts units, keeps the history, knows the goal, saves.

use learnery_nn::Tensors;
use serde_json::{Map, Value};

use crate::{AnyLab, Budget, Checkpoint, Entry, Goal, Header, History, LabError, Row, Schema, State, Status};

/// A run of one lab.
pub struct Session {
    entry: Entry,
    schema: Schema,
    lab: Box<dyn AnyLab>,
    config: Map<String, Value>,
    seed: u32,
    units: u64,
    solved_at: Option<u64>,
    mid_unit: bool,
    row: Row,
    history: History,
}

/// What a call of [`Session::advance`] did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Advance {
    /// How it ended.
    pub status: Status,
    /// Steps done.
    pub steps: u64,
    /// True when this call reached the goal for the first time.
    pub just_solved: bool,
}

impl Session {
    /// A new run with `settings` over the defaults.
    pub fn start(entry: Entry, settings: &Value, seed: u32) -> Result<Self, LabError> {
        let schema = (entry.schema)();
        let config = schema.complete(None, settings)?;
        let lab = (entry.start)(config.clone(), seed)?;
        let columns = entry.about.metrics.len();
        let row = Row::new(entry.about.metrics);
        let history = History::new(columns);
        Ok(Self {
            entry,
            schema,
            lab,
            config,
            seed,
            units: 0,
            solved_at: None,
            mid_unit: false,
            row,
            history,
        })
    }

    /// Continues a saved run: exactly, or where only its network was kept as well as the lab can, without a history.
    pub fn resume(entry: Entry, checkpoint: &Checkpoint) -> Result<Self, LabError> {
        entry.owns(checkpoint)?;
        let header = &checkpoint.header;
        let schema = (entry.schema)();
        let config = schema.complete(None, &Value::Object(header.config.clone()))?;
        let (lab, history) = if header.network_only {
            let lab = (entry.resume_network)(config.clone(), checkpoint)?;
            (lab, History::new(entry.about.metrics.len()))
        } else {
            let state = State { scalars: header.scalars.clone(), tensors: checkpoint.tensors.clone() };
            let lab = (entry.resume)(config.clone(), header, &state)?;
            (lab, read_history(&entry, &checkpoint.tensors)?)
        };
        let row = Row::new(entry.about.metrics);
        Ok(Self {
            history,
            entry,
            schema,
            lab,
            config,
            seed: header.seed,
            units: header.units,
            solved_at: header.solved_at,
            mid_unit: false,
            row,
        })
    }

    /// Works until the budget is used up or the unit ends.
    pub fn advance(&mut self, budget: &mut Budget) -> Advance {
        let before = budget.used();
        let status = self.lab.advance(self.units, budget);
        let steps = budget.used() - before;
        let mut just_solved = false;
        if status == Status::Unit {
            self.mid_unit = false;
            self.units += 1;
            self.row.clear();
            self.lab.metrics(self.units, &mut self.row);
            self.history.push(self.units, &self.row);
            if self.solved_at.is_none() && self.goal_is_met() {
                self.solved_at = Some(self.units);
                just_solved = true;
            }
        } else {
            self.mid_unit |= steps > 0;
        }
        Advance { status, steps, just_solved }
    }

    /// Works to the end of the current unit (a whole one when none is begun).
    pub fn advance_unit(&mut self) -> Advance {
        let mut total = 0;
        loop {
            let done = self.advance(&mut Budget::unlimited());
            total += done.steps;
            match done.status {
                Status::Unit => return Advance { steps: total, ..done },
                Status::Ready => {}
                Status::Waiting => std::thread::yield_now(),
            }
        }
    }

    fn goal_is_met(&self) -> bool {
        let Some(goal) = self.lab.goal() else { return false };
        let value = self.row.get(goal.metric);
        let spec = self.entry.about.metrics.iter().find(|spec| spec.name == goal.metric);
        match spec.map(|spec| spec.better) {
            Some(crate::Better::Lower) => value <= goal.target,
            _ => value >= goal.target, // false for NaN, as it must be
        }
    }

    /// Changes settings. Live ones are taken over at once; one that needs a restart is refused by name
    /// and nothing is changed.
    pub fn configure(&mut self, changes: &Value) -> Result<(), LabError> {
        let config = self.schema.complete(Some(&self.config), changes)?;
        let changed = |name: &str| config.get(name) != self.config.get(name);
        if let Some(field) = self.schema.fields().iter().find(|f| !f.live && changed(&f.name)) {
            return Err(LabError::setting(&field.name, "a change of this one needs a restart"));
        }
        self.lab.configure(self.units, config.clone())?;
        self.config = config;
        Ok(())
    }

    /// Carries out a command of the lab.
    pub fn apply(&mut self, command: Value) -> Result<(), LabError> {
        self.lab.apply(self.units, command)
    }

    /// Lets time pass for what is only there to be looked at.
    pub fn animate(&mut self, seconds: f64) {
        self.lab.animate(self.units, seconds);
    }

    /// What can be drawn now.
    pub fn view(&self) -> Box<dyn erased_serde::Serialize> {
        self.lab.view(self.units)
    }

    /// The run as a checkpoint. In the middle of a unit that unit is finished first.
    pub fn save(&mut self) -> Checkpoint {
        if self.mid_unit {
            self.advance_unit();
        }
        let State { scalars, mut tensors } = self.lab.save();
        self.write_history(&mut tensors);
        let header = Header {
            lab: self.entry.about.id.to_owned(),
            config: self.config.clone(),
            seed: self.seed,
            units: self.units,
            work: self.lab.work(self.units),
            solved_at: self.solved_at,
            network_only: false,
            scalars,
        };
        Checkpoint { header, tensors }
    }

    fn write_history(&self, tensors: &mut Tensors) {
        let units = self.history.units();
        tensors.insert("history/stride", &[1], &[self.history.stride()]);
        tensors.insert("history/units", &[units.len()], units);
        for (spec, column) in self.entry.about.metrics.iter().zip(self.history.columns()) {
            tensors.insert(format!("history/{}", spec.name), &[column.len()], column);
        }
    }

    /// The lab's entry in the list.
    pub fn entry(&self) -> &Entry {
        &self.entry
    }

    /// The settings of this run, complete.
    pub fn config(&self) -> &Map<String, Value> {
        &self.config
    }

    /// What settings there are.
    pub fn schema(&self) -> &Schema {
        &self.schema
    }

    /// The seed of this run.
    pub fn seed(&self) -> u32 {
        self.seed
    }

    /// Units done.
    pub fn units(&self) -> u64 {
        self.units
    }

    /// Work done, in the lab's own measure.
    pub fn work(&self) -> u64 {
        self.lab.work(self.units)
    }

    /// True between the steps of a unit.
    pub fn is_mid_unit(&self) -> bool {
        self.mid_unit
    }

    /// The goal of this run.
    pub fn goal(&self) -> Option<Goal> {
        self.lab.goal()
    }

    /// Units after which all that the settings plan ahead is done, where they do.
    pub fn schedule(&self) -> Option<u64> {
        self.lab.schedule()
    }

    /// The unit at which the goal was first reached.
    pub fn solved_at(&self) -> Option<u64> {
        self.solved_at
    }

    /// The metrics of the last unit.
    pub fn row(&self) -> &Row {
        &self.row
    }

    /// The metrics of all units.
    pub fn history(&self) -> &History {
        &self.history
    }
}

fn read_history(entry: &Entry, tensors: &Tensors) -> Result<History, LabError> {
    let [stride] = tensors.get::<u64>("history/stride", &[1])?[..] else { unreachable!("one value") };
    let units = tensors.get_vec("history/units")?;
    let columns = entry
        .about
        .metrics
        .iter()
        .map(|spec| tensors.get(&format!("history/{}", spec.name), &[units.len()]))
        .collect::<Result<_, _>>()?;
    History::from_parts(stride, units, columns)
        .ok_or_else(|| LabError::Checkpoint("its history does not fit together".into()))
}
