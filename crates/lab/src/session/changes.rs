//! What may change during a run: live settings, the seed, and the user's own data (a text, a drawing). Each
//! change takes effect between two units and is recorded with the number of completed units, so that a recipe
//! can repeat the run.

use serde_json::{Map, Value};

use super::Session;
use crate::checkpoint::{DataChange, SeedChange};
use crate::{Change, DeviceUse, Entry, Header, LabError, Schema, State};

impl Session {
    /// Changes live settings. A change during a unit takes effect when the unit is finished, so that the bits
    /// of a run depend only on the unit of a change and not on the moment. If one of the changed settings
    /// needs a restart, nothing is changed and the error names that setting.
    pub fn configure(&mut self, changes: &Value) -> Result<(), LabError> {
        let config = self.schema.complete(Some(self.config()), changes)?;
        let changed = |name: &str| config.get(name) != self.config.get(name);
        if let Some(field) = self.schema.fields().iter().find(|f| !f.live && changed(&f.name)) {
            return Err(LabError::setting(&field.name, "a change of this one needs a restart"));
        }
        self.lab.check(config.clone())?;
        if self.mid_unit {
            self.pending = Some(config);
            return Ok(());
        }
        self.take_effect(config)
    }

    /// Changes the settings between two units and records the change.
    pub(super) fn take_effect(&mut self, config: Map<String, Value>) -> Result<(), LabError> {
        if config == self.config {
            return Ok(());
        }
        self.lab.configure(self.units, config.clone())?;
        let before = std::mem::replace(&mut self.config, config);
        let after = self.config.clone();
        self.record_change(|change| {
            for (name, value) in after {
                if before.get(&name) == Some(&value) {
                    continue;
                }
                let first = change.before.entry(name.clone()).or_insert_with(|| before[&name].clone());
                if *first == value {
                    change.before.remove(&name);
                    change.after.remove(&name);
                } else {
                    change.after.insert(name, value);
                }
            }
        });
        Ok(())
    }

    /// Continues with random numbers of another seed. What has been learned stays, and so do the states of
    /// worlds and games: the run goes on as if it had been saved with the new seed. A unit in progress is
    /// finished first. A run that was on a GPU is on the CPU afterwards, until it is moved again. In a
    /// browser, which must not wait, [`Session::prepare_save`] must have returned [`crate::Status::Ready`].
    pub fn reseed(&mut self, seed: u32) -> Result<(), LabError> {
        if seed == self.seed {
            return Ok(());
        }
        let checkpoint = self.try_save()?;
        if self.units == 0 {
            return Err(LabError::Command("a run that has not begun is started with the other seed".into()));
        }
        let header = Header { seed, ..checkpoint.header };
        let state = State { scalars: header.scalars.clone(), tensors: checkpoint.tensors };
        self.lab = (self.entry.resume)(self.config.clone(), &header, &state)?;
        let before = std::mem::replace(&mut self.seed, seed);
        if self.devices.last().is_some_and(|last| !last.is_cpu()) {
            self.devices.push(DeviceUse::cpu(self.units));
        }
        self.record_change(|change| {
            let first = change.seed.map_or(before, |earlier| earlier.before);
            change.seed = (first != seed).then_some(SeedChange { before: first, after: seed });
        });
        Ok(())
    }

    /// Executes a command of the user on the stage, the interactive picture on the page. A command that gives
    /// the run data of the user's own is recorded, and refused in the middle of a unit.
    pub fn apply(&mut self, command: Value) -> Result<(), LabError> {
        if !self.entry.sets_data(&command) {
            return self.lab.apply(self.units, command);
        }
        if self.mid_unit {
            return Err(LabError::Command("what a run learns from changes between two units only".into()));
        }
        let data = DataChange::of(&command);
        self.lab.apply(self.units, command)?;
        self.record_change(|change| change.data = Some(data));
        Ok(())
    }

    /// Records a change before the next unit. Several changes before the same unit count as one, and as none
    /// if they end where they began.
    fn record_change(&mut self, write: impl FnOnce(&mut Change)) {
        let unit = self.units;
        let earlier = self.changes.pop_if(|last| last.unit == unit);
        let mut change = earlier.unwrap_or_else(|| Change::at(unit));
        write(&mut change);
        if !change.is_empty() {
            self.changes.push(change);
        }
    }
}

/// Checks that the recorded changes are of live settings, in order, and not later than the run, and that its
/// seed is the last one that they name.
pub(super) fn check(entry: &Entry, schema: &Schema, header: &Header) -> Result<(), LabError> {
    let invalid = |problem: String| Err(LabError::Checkpoint(problem));
    let mut earliest = 0;
    let mut seed = None;
    for change in &header.changes {
        let unit = change.unit;
        if !(earliest..=header.units).contains(&unit) {
            return invalid(format!("a change of settings at unit {unit} is out of order"));
        }
        earliest = unit + 1;
        if !change.before.keys().eq(change.after.keys()) {
            return invalid(format!("a change of settings at unit {unit} is incomplete"));
        }
        schema.complete(None, &Value::Object(change.before.clone()))?;
        schema.complete(None, &Value::Object(change.after.clone()))?;
        if let Some(name) = change.after.keys().find(|name| schema.field(name).is_ok_and(|field| !field.live))
        {
            return invalid(format!("the setting `{name}` cannot have changed during the run"));
        }
        if let Some(SeedChange { before, after }) = change.seed {
            if unit == 0 || before == after || seed.is_some_and(|seed| seed != before) {
                return invalid(format!("a change of the seed at unit {unit} contradicts the others"));
            }
            seed = Some(after);
        }
        if let Some(command) = change.data.as_ref().and_then(|data| data.command.as_ref())
            && !entry.sets_data(command)
        {
            return invalid(format!("the change of its data at unit {unit} is none"));
        }
    }
    if seed.is_some_and(|seed| seed != header.seed) {
        return invalid("its seed is not the last one of its changes".into());
    }
    Ok(())
}
