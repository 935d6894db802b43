//! What may change during a run: live settings, the seed, and the user's own data (a text, a drawing). Each
//! change takes effect between two units and is recorded with the number of completed units, so that a recipe
//! can repeat the run.

use serde_json::{Map, Value};

use super::Session;
use crate::checkpoint::{DataChange, SeedChange};
use crate::{Change, DeviceUse, Entry, Header, LabError, Schema, State};

impl Session {
    /// Changes live settings. A change during a unit takes effect when the unit is finished. What the run
    /// computes therefore depends only on the unit of a change, not on the moment within the unit. If one of
    /// the changed settings needs a restart, nothing is changed and the error names that setting.
    pub fn configure(&mut self, changes: &Value) -> Result<(), LabError> {
        // `config()` includes earlier changes that wait for the end of the unit; they must not get lost.
        let config = self.schema.complete(Some(self.config()), changes)?;
        let is_changed = |name: &str| config.get(name) != self.unit_config.get(name);
        if let Some(field) = self.schema.fields().iter().find(|f| !f.live && is_changed(&f.name)) {
            return Err(LabError::setting(&field.name, "a change of this one needs a restart"));
        }
        self.lab.check(config.clone())?;
        if self.is_mid_unit {
            self.pending_config = Some(config);
            return Ok(());
        }
        self.put_into_effect(config)
    }

    /// Replaces the settings between two units and records what has changed.
    pub(super) fn put_into_effect(&mut self, config: Map<String, Value>) -> Result<(), LabError> {
        if config == self.unit_config {
            return Ok(());
        }
        self.lab.configure(self.units, config.clone())?;
        let before = std::mem::replace(&mut self.unit_config, config);
        let after = self.unit_config.clone();
        self.record_change(|change| {
            for (name, value) in after {
                if before.get(&name) == Some(&value) {
                    continue;
                }
                // The change may already hold this setting, from an earlier call before the same unit. Then
                // the original value stays, and a return to it removes the setting from the change.
                let original = change.before.entry(name.clone()).or_insert_with(|| before[&name].clone());
                if *original == value {
                    change.before.remove(&name);
                    change.after.remove(&name);
                } else {
                    change.after.insert(name, value);
                }
            }
        });
        Ok(())
    }

    /// Continues with random numbers of another seed. What has been learned and the states of worlds and
    /// games stay: the run goes on as if it had been saved with the new seed. A unit in progress is finished
    /// first. A run that was on a GPU is on the CPU afterwards, until it is moved again. In a browser, which
    /// must not wait, [`Session::prepare_save`] must have returned [`crate::Status::Ready`].
    pub fn reseed(&mut self, seed: u32) -> Result<(), LabError> {
        if seed == self.seed {
            return Ok(());
        }
        let checkpoint = self.try_save()?;
        // Tested after saving, because saving finishes the unit in progress, which may be the first.
        if self.units == 0 {
            return Err(LabError::Command("a run that has not begun is started with the other seed".into()));
        }
        let header = Header { seed, ..checkpoint.header };
        let state = State { scalars: header.scalars.clone(), tensors: checkpoint.tensors };
        self.lab = (self.entry.resume)(self.unit_config.clone(), &header, &state)?;
        let before = std::mem::replace(&mut self.seed, seed);
        // The lab was made anew above, and a new lab computes on the CPU.
        if self.devices.last().is_some_and(|last| !last.is_cpu()) {
            self.devices.push(DeviceUse::cpu(self.units));
        }
        self.record_change(|change| {
            // The seed before the first of several changes at this unit.
            let original = change.seed.map_or(before, |earlier| earlier.before);
            change.seed = (original != seed).then_some(SeedChange { before: original, after: seed });
        });
        Ok(())
    }

    /// Executes a command of the user on the stage, the interactive picture on the page. A command that gives
    /// the run data of the user's own is recorded as a change, and refused in the middle of a unit: the data
    /// of a run can change only between two units. Returns the text that the command asks for, if it asks for one.
    pub fn apply(&mut self, command: Value) -> Result<Option<String>, LabError> {
        if !self.entry.sets_data(&command) {
            return self.lab.apply(self.units, command, None);
        }
        if self.is_mid_unit {
            return Err(LabError::Command("the data of a run can be changed only between two units".into()));
        }
        let data = DataChange::of(&command);
        let text = self.lab.apply(self.units, command, None)?;
        self.record_change(|change| change.data = Some(data));
        Ok(text)
    }

    /// Executes a command of the user on the stage that came with the content of a file. Data that a run
    /// learns from come in the command itself, because they are recorded as JSON.
    pub fn apply_with_file(&mut self, command: Value, file: Vec<u8>) -> Result<Option<String>, LabError> {
        if self.entry.sets_data(&command) {
            return Err(LabError::Command("data of a run come in the command, not as a file".into()));
        }
        self.lab.apply(self.units, command, Some(file))
    }

    /// Records a change before the next unit. All changes before the same unit are merged into one record,
    /// which is dropped if everything is as it was before the first of them. `merge` adds the new change.
    fn record_change(&mut self, merge: impl FnOnce(&mut Change)) {
        let unit = self.units;
        let earlier = self.changes.pop_if(|last| last.unit == unit);
        let mut change = earlier.unwrap_or_else(|| Change::at(unit));
        merge(&mut change);
        if !change.is_empty() {
            self.changes.push(change);
        }
    }
}

/// Checks the changes that a checkpoint has recorded: they are in order and not later than the last completed
/// unit, only live settings have changed, and the seed of the run is that of its last change of the seed.
pub(super) fn check_changes(entry: &Entry, schema: &Schema, header: &Header) -> Result<(), LabError> {
    let invalid = |problem: String| Err(LabError::Checkpoint(problem));
    let mut earliest = 0;
    let mut seed = None;
    for change in &header.changes {
        let unit = change.unit;
        if !(earliest..=header.units).contains(&unit) {
            return invalid(format!("the change at unit {unit} is out of order"));
        }
        earliest = unit + 1; // changes before the same unit are merged, so each unit has at most one
        if !change.before.keys().eq(change.after.keys()) {
            return invalid(format!("the change at unit {unit} is incomplete"));
        }
        // Only the check of the values is wanted here, not the settings completed with defaults.
        schema.complete(None, &Value::Object(change.before.clone()))?;
        schema.complete(None, &Value::Object(change.after.clone()))?;
        if let Some(name) = change.after.keys().find(|name| schema.field(name).is_ok_and(|field| !field.live))
        {
            return invalid(format!("the setting `{name}` cannot have changed during the run"));
        }
        if let Some(SeedChange { before, after }) = change.seed {
            // Before the first unit the run would have been started with the other seed, see `reseed`.
            if unit == 0 || before == after || seed.is_some_and(|earlier| earlier != before) {
                return invalid(format!("a change of the seed at unit {unit} contradicts the others"));
            }
            seed = Some(after);
        }
        if let Some(command) = change.data.as_ref().and_then(|data| data.command.as_ref())
            && !entry.sets_data(command)
        {
            return invalid(format!(
                "the command that is recorded at unit {unit} does not change the data of the run"
            ));
        }
    }
    if seed.is_some_and(|seed| seed != header.seed) {
        return invalid("its seed is not the last one of its changes".into());
    }
    Ok(())
}
