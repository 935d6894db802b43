//! The settings in which runs differ, or for a single run those that are not the lab's defaults.

use serde_json::{Map, Value};

use super::run::WatchedRun;

/// Settings as a table, with a row for each.
#[derive(Debug, Default, PartialEq)]
pub struct SettingsTable {
    /// Whether a single run is compared with its lab's defaults, which are then the first values.
    pub has_defaults: bool,
    pub rows: Vec<SettingRow>,
}

/// A setting, as text.
#[derive(Debug, PartialEq)]
pub struct SettingRow {
    pub name: String,
    /// The value in each run, or the default and the value of a single run.
    pub values: Vec<String>,
}

/// What stands where a run has no such setting.
const MISSING: &str = "–";

impl SettingsTable {
    pub fn of(runs: &[&WatchedRun]) -> Self {
        match runs {
            [run] => Self::of_one(run),
            runs => Self::of_several(runs),
        }
    }

    fn of_one(run: &WatchedRun) -> Self {
        let empty = Value::Object(Map::new());
        let defaults = run.metadata.entry.and_then(|entry| (entry.schema)().complete(None, &empty).ok());
        // Without defaults (an unknown lab) there is nothing to compare with.
        let Some(defaults) = defaults else { return Self { has_defaults: true, rows: Vec::new() } };
        let rows = all_names(&[run]).into_iter().map(|name| {
            let values = vec![text(defaults.get(&name)), text(run.metadata.settings.get(&name))];
            SettingRow { name, values }
        });
        Self { has_defaults: true, rows: rows.filter(has_different_values).collect() }
    }

    fn of_several(runs: &[&WatchedRun]) -> Self {
        let row = |name: &str, value: &dyn Fn(&WatchedRun) -> String| SettingRow {
            name: name.to_owned(),
            values: runs.iter().map(|run| value(run)).collect(),
        };
        let seed = |run: &WatchedRun| run.metadata.seed.map_or(MISSING.into(), |seed| seed.to_string());
        let mut rows = vec![row("lab", &|run| run.metadata.lab.clone()), row("seed", &seed)];
        for name in all_names(runs) {
            rows.push(row(&name, &|run| text(run.metadata.settings.get(&name))));
        }
        rows.retain(has_different_values);
        Self { has_defaults: false, rows }
    }
}

/// The names of all settings, in the order of the labs' schemas.
fn all_names(runs: &[&WatchedRun]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let mut labs: Vec<&str> = Vec::new();
    for run in runs {
        if let Some(entry) = run.metadata.entry.filter(|entry| !labs.contains(&entry.about.id)) {
            labs.push(entry.about.id);
            names.extend((entry.schema)().fields().iter().map(|field| field.name.clone()));
        }
        // Settings that this program does not know: those of an unknown lab, or of another version of a lab.
        names.extend(
            run.metadata.settings.keys().filter(|name| !names.contains(name)).cloned().collect::<Vec<_>>(),
        );
    }
    // Labs can have settings of the same name.
    let mut seen = std::collections::BTreeSet::new();
    names.retain(|name| seen.insert(name.clone()));
    names
}

fn has_different_values(row: &SettingRow) -> bool {
    row.values.windows(2).any(|pair| pair[0] != pair[1])
}

/// A value as people type it. Numbers that are equal look equal: 1 is 1.0.
fn text(value: Option<&Value>) -> String {
    match value {
        None => MISSING.into(),
        Some(Value::String(text)) => text.clone(),
        Some(Value::Number(number)) => number.as_f64().map_or_else(|| number.to_string(), |n| n.to_string()),
        Some(other) => other.to_string(),
    }
}
