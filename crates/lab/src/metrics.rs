//! Metrics: the numbers that a lab reports after each unit (training iteration), the goal of a run, and the
//! history of all metrics of a run.

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

/// The description of a metric, for charts and tables.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub struct MetricSpec {
    /// Key in rows, files and charts.
    pub name: &'static str,
    /// Short label for people.
    pub label: &'static str,
    /// What is measured, in one line.
    pub help: &'static str,
    /// Unit of the values; empty if they have none.
    pub unit: &'static str,
    /// The direction in which the metric improves.
    pub better: Better,
}

/// The goal of a run: a metric, and the value that it must reach.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub struct Goal {
    /// The name of the metric.
    pub metric: &'static str,
    /// The goal is reached at this value or a better one, see [`MetricSpec::better`].
    pub target: f64,
    /// The goal as a phrase for people.
    pub words: String,
    /// Whether an evaluation of the metric is exact. It then covers every case, so that its value has no margin of error.
    pub exact: bool,
    /// The best value that can be measured, where it is not 100%. An evaluation with this value confirms the goal,
    /// whatever its margin of error.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "bindings", ts(optional))]
    pub best: Option<f64>,
}

/// The metrics of one unit, in the order of `About::metrics`. NaN means not measured in this unit.
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

    /// Sets the metric `name`. Panics if it is not in `About::metrics`.
    pub fn set(&mut self, name: &str, value: f64) {
        let index = self.specs.iter().position(|spec| spec.name == name);
        self.values[index.unwrap_or_else(|| panic!("metric `{name}` is not in the lab's list"))] = value;
    }

    /// The value of the metric `name`; NaN if it was not measured or does not exist.
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

/// The maximum number of rows. When the history is full, every second row is dropped.
const MAX_ROWS: usize = 4096;

/// The metrics of a run, one column per metric and one row per unit. It keeps only the units that are
/// multiples of a stride. The stride doubles when the history is full. So the content depends only on the
/// number of units, and not on how often the run was interrupted or resumed.
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

    /// A history from the arrays of a checkpoint; `None` if they are inconsistent.
    pub fn from_parts(stride: u64, units: Vec<u64>, columns: Vec<Vec<f64>>) -> Option<Self> {
        let fits = stride >= 1
            && units.len() <= MAX_ROWS
            && units.is_sorted()
            && columns.iter().all(|column| column.len() == units.len());
        fits.then_some(Self { stride, units, columns })
    }

    /// Adds the metrics of the unit with this number, counted from one, if the number is a multiple of the
    /// stride.
    pub fn push(&mut self, unit: u64, row: &Row) {
        if !unit.is_multiple_of(self.stride) {
            return;
        }
        if self.units.len() == MAX_ROWS {
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

    /// Doubles the stride and drops the rows that are not multiples of it.
    fn thin(&mut self) {
        self.stride *= 2;
        let is_kept: Vec<bool> = self.units.iter().map(|unit| unit.is_multiple_of(self.stride)).collect();
        for column in &mut self.columns {
            let mut flags = is_kept.iter(); // a column has as many values as there are units
            column.retain(|_| *flags.next().unwrap_or(&false));
        }
        self.units.retain(|unit| unit.is_multiple_of(self.stride));
    }

    /// The distance between the units of successive rows.
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
    fn history_keeps_only_multiples_of_its_stride() {
        let mut history = History::new(1);
        let mut row = Row::new(SPECS);
        // Long enough that the stride doubles twice.
        for unit in 1..=3 * MAX_ROWS as u64 {
            row.set("a", unit as f64);
            history.push(unit, &row);
        }
        assert!(history.units().len() <= MAX_ROWS);
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
