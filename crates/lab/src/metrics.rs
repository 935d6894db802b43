//! Metrics: what a lab reports after each unit, the goal of a run, and the history in columns.

use serde::{Deserialize, Serialize};

/// The direction in which a metric improves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub enum Better {
    /// Higher values are better.
    Higher,
    /// Lower values are better.
    Lower,
    /// Neither: the metric is for information only.
    Neither,
}

/// A metric of a lab, as charts and tables show it.
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
    /// The direction in which it improves.
    pub better: Better,
}

/// The goal of a run: a metric and the value at which the run counts as solved.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub struct Goal {
    /// The metric's name.
    pub metric: &'static str,
    /// The goal is reached at this value or a better one, see [`MetricSpec::better`].
    pub target: f64,
    /// The goal as a phrase for people.
    pub words: String,
}

/// The metrics of one unit, in the order of `About::metrics`; NaN where a metric was not measured.
#[derive(Clone, Debug)]
pub struct Row {
    specs: &'static [MetricSpec],
    values: Vec<f64>,
}

impl Row {
    /// A row in which nothing is measured yet.
    pub fn new(specs: &'static [MetricSpec]) -> Self {
        Self { specs, values: vec![f64::NAN; specs.len()] }
    }

    /// Sets all metrics to not measured.
    pub fn clear(&mut self) {
        self.values.fill(f64::NAN);
    }

    /// Sets the metric `name`. Panics where it is not in `About::metrics`.
    pub fn set(&mut self, name: &str, value: f64) {
        let index = self.specs.iter().position(|spec| spec.name == name);
        self.values[index.unwrap_or_else(|| panic!("metric `{name}` is not in the lab's list"))] = value;
    }

    /// The metric `name`; NaN where it was not measured.
    pub fn get(&self, name: &str) -> f64 {
        self.specs.iter().position(|spec| spec.name == name).map_or(f64::NAN, |i| self.values[i])
    }

    /// All values, in the order of `About::metrics`.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// Names and values of the measured metrics.
    pub fn measured(&self) -> impl Iterator<Item = (&'static str, f64)> {
        self.specs.iter().map(|spec| spec.name).zip(self.values.iter().copied()).filter(|(_, v)| !v.is_nan())
    }
}

/// When the history has this many rows, every other one is dropped.
const CAPACITY: usize = 4096;

/// The metrics of a run, one column per metric. It keeps the units that are multiples of a stride, which doubles when the
/// history is full, so it does not depend on how the run was sliced or resumed.
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

    /// A history from a checkpoint; `None` where its parts contradict each other.
    pub fn from_parts(stride: u64, units: Vec<u64>, columns: Vec<Vec<f64>>) -> Option<Self> {
        let fits = stride >= 1
            && units.len() <= CAPACITY
            && units.is_sorted()
            && columns.iter().all(|column| column.len() == units.len());
        fits.then_some(Self { stride, units, columns })
    }

    /// Adds the row of unit `unit`, if that is a multiple of the stride.
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

    /// Doubles the stride and drops the rows between.
    fn thin(&mut self) {
        self.stride *= 2;
        let keep: Vec<bool> = self.units.iter().map(|unit| unit.is_multiple_of(self.stride)).collect();
        for column in &mut self.columns {
            let mut kept = keep.iter();
            column.retain(|_| *kept.next().unwrap_or(&false));
        }
        self.units.retain(|unit| unit.is_multiple_of(self.stride));
    }

    /// The history has one row for every `stride` units.
    pub fn stride(&self) -> u64 {
        self.stride
    }

    /// The units of the rows, ascending.
    pub fn units(&self) -> &[u64] {
        &self.units
    }

    /// The columns, in the order of `About::metrics`.
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
    fn history_keeps_the_multiples_of_its_stride() {
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
    fn row_leaves_out_metrics_that_were_not_measured() {
        let mut row = Row::new(SPECS);
        assert_eq!(row.measured().count(), 0);
        row.set("a", 2.0);
        assert_eq!(row.measured().collect::<Vec<_>>(), [("a", 2.0)]);
    }
}
