//! What a lab measures: one row a unit, kept in columns.

use serde::{Deserialize, Serialize};

/// Which way a metric improves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub enum Better {
    /// Larger is better.
    Higher,
    /// Smaller is better.
    Lower,
    /// Neither; it only informs.
    Neither,
}

/// One metric of a lab, for charts and tables.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub struct MetricSpec {
    /// Key in rows, files and charts.
    pub name: &'static str,
    /// Short label for people.
    pub label: &'static str,
    /// What it is, in one line.
    pub help: &'static str,
    /// Unit of the values, empty where there is none.
    pub unit: &'static str,
    /// Which way it improves.
    pub better: Better,
}

/// The goal of a run: a metric and the value that counts as reached.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub struct Goal {
    /// Which metric is judged.
    pub metric: &'static str,
    /// The value at which the goal is reached, in the direction in which the metric improves.
    pub target: f64,
    /// The goal in words.
    pub words: String,
}

/// The values of one unit, in the order of the lab's metric list; NaN where nothing was measured.
#[derive(Clone, Debug)]
pub struct Row {
    specs: &'static [MetricSpec],
    values: Vec<f64>,
}

impl Row {
    /// An empty row for these metrics.
    pub fn new(specs: &'static [MetricSpec]) -> Self {
        Self { specs, values: vec![f64::NAN; specs.len()] }
    }

    /// Forgets all values.
    pub fn clear(&mut self) {
        self.values.fill(f64::NAN);
    }

    /// Sets the metric `name`, which must be in the lab's list.
    pub fn set(&mut self, name: &str, value: f64) {
        let index = self.specs.iter().position(|spec| spec.name == name);
        self.values[index.unwrap_or_else(|| panic!("metric `{name}` is not in the lab's list"))] = value;
    }

    /// The metric `name`, NaN where it was not measured.
    pub fn get(&self, name: &str) -> f64 {
        self.specs.iter().position(|spec| spec.name == name).map_or(f64::NAN, |i| self.values[i])
    }

    /// All values in the order of the metric list.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// Names with values, those not measured left out.
    pub fn measured(&self) -> impl Iterator<Item = (&'static str, f64)> {
        self.specs.iter().map(|spec| spec.name).zip(self.values.iter().copied()).filter(|(_, v)| !v.is_nan())
    }
}

/// Rows kept before the history is thinned to every other one.
const CAPACITY: usize = 4096;

/// The metrics of a run in columns. Long runs are thinned, always at the same units, so the history of a
/// run does not depend on how it was sliced or where it was resumed.
#[derive(Clone, Debug, PartialEq)]
pub struct History {
    stride: u64,
    units: Vec<u64>,
    columns: Vec<Vec<f64>>,
}

impl History {
    /// An empty history of `columns` metrics.
    pub fn new(columns: usize) -> Self {
        Self { stride: 1, units: Vec::new(), columns: vec![Vec::new(); columns] }
    }

    /// A history read back from a checkpoint; `None` when the parts do not fit together.
    pub fn from_parts(stride: u64, units: Vec<u64>, columns: Vec<Vec<f64>>) -> Option<Self> {
        let fits = stride >= 1
            && units.len() <= CAPACITY
            && units.is_sorted()
            && columns.iter().all(|column| column.len() == units.len());
        fits.then_some(Self { stride, units, columns })
    }

    /// Adds the row of unit `unit`.
    pub fn push(&mut self, unit: u64, row: &Row) {
        if !unit.is_multiple_of(self.stride) {
            return;
        }
        if self.units.len() == CAPACITY {
            self.thin();
            if !unit.is_multiple_of(self.stride) {
                return;
            }
        }
        self.units.push(unit);
        for (column, value) in self.columns.iter_mut().zip(row.values()) {
            column.push(*value);
        }
    }

    fn thin(&mut self) {
        self.stride *= 2;
        let keep: Vec<bool> = self.units.iter().map(|unit| unit.is_multiple_of(self.stride)).collect();
        for column in &mut self.columns {
            let mut kept = keep.iter();
            column.retain(|_| *kept.next().unwrap_or(&false));
        }
        self.units.retain(|unit| unit.is_multiple_of(self.stride));
    }

    /// One row is kept every this many units.
    pub fn stride(&self) -> u64 {
        self.stride
    }

    /// The units whose rows are kept, ascending.
    pub fn units(&self) -> &[u64] {
        &self.units
    }

    /// The columns, in the order of the metric list.
    pub fn columns(&self) -> &[Vec<f64>] {
        &self.columns
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPECS: &[MetricSpec] =
        &[MetricSpec { name: "a", label: "A", help: "", unit: "", better: Better::Neither }];

    #[test]
    fn thinning_keeps_the_same_units_whatever_came_before() {
        let mut history = History::new(1);
        let mut row = Row::new(SPECS);
        for unit in 1..=3 * CAPACITY as u64 {
            row.set("a", unit as f64);
            history.push(unit, &row);
        }
        assert!(history.units().len() <= CAPACITY);
        assert!(history.units().iter().all(|u| u.is_multiple_of(history.stride())));
        assert!(history.units().iter().zip(&history.columns()[0]).all(|(u, v)| *u as f64 == *v));
    }

    #[test]
    fn unmeasured_values_are_left_out() {
        let mut row = Row::new(SPECS);
        assert_eq!(row.measured().count(), 0);
        row.set("a", 2.0);
        assert_eq!(row.measured().collect::<Vec<_>>(), [("a", 2.0)]);
    }
}
