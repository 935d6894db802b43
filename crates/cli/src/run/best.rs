//! The best checkpoint of a run so far, by the metric of its goal, for `train --keep best`.

use std::path::Path;

use anyhow::Result;
use learnery_lab::{Better, Checkpoint, MetricSpec, Session};

use crate::failure::usage;
use crate::files::{BEST, read_checkpoint};
use crate::run::metrics_file;

/// The best value so far of the metric of the goal. The checkpoint itself is in memory or in the folder.
pub struct BestValue {
    spec: &'static MetricSpec,
    value: f64,
    /// The number of completed units (training iterations) when it was measured.
    unit: u64,
}

impl BestValue {
    /// Goes on from the best checkpoint in the folder, or begins without one.
    pub fn open(session: &Session, folder: &Path) -> Result<Self> {
        let spec = metric_of(session)?;
        let none = if spec.better == Better::Lower { f64::INFINITY } else { f64::NEG_INFINITY };
        let path = folder.join(BEST);
        if !path.exists() {
            return Ok(Self { spec, value: none, unit: 0 });
        }
        let (_, checkpoint) = read_checkpoint(&path)?;
        let value = value_of(session, &checkpoint, spec.name)?;
        let unit = checkpoint.header.units;
        let value_in_rows = || {
            let last = metrics_file::last_value(folder, spec.name, unit);
            last.filter(|(at, _)| *at == unit).map(|(_, value)| value)
        };
        // If the rows were removed too, nobody knows the value, and the next one is the best.
        let value = value.or_else(value_in_rows);
        Ok(Self { spec, value: value.unwrap_or(none), unit })
    }

    /// Takes the value of the unit that has just ended, if it was measured. Returns whether it is the best so
    /// far; of equal values the first is.
    pub fn improve(&mut self, session: &Session) -> bool {
        self.take(session.row().get(self.spec.name), session.units())
    }

    fn take(&mut self, value: f64, unit: u64) -> bool {
        // A value that was not measured is NaN, for which both comparisons are false.
        let is_better = match self.spec.better {
            Better::Lower => value < self.value,
            Better::Higher | Better::Neither => value > self.value,
        };
        let is_best = is_better && value.is_finite();
        if is_best {
            (self.value, self.unit) = (value, unit);
        }
        is_best
    }

    /// The best value with its unit; `None` before the first.
    pub fn get(&self) -> Option<(f64, u64)> {
        self.value.is_finite().then_some((self.value, self.unit))
    }

    pub fn spec(&self) -> &'static MetricSpec {
        self.spec
    }
}

/// The metric of the run's goal. Returns an error if it has no goal, or if neither direction is better.
pub fn metric_of(session: &Session) -> Result<&'static MetricSpec> {
    let about = session.entry().about;
    let Some(goal) = session.goal() else {
        return Err(usage(format!("--keep best: the lab `{}` has no goal with these settings", about.id)));
    };
    let spec = about.metrics.iter().find(|spec| spec.name == goal.metric);
    let spec = spec.expect("goals name metrics of the lab");
    if spec.better == Better::Neither {
        return Err(usage(format!("--keep best: no value of {} is better than another", spec.name)));
    }
    Ok(spec)
}

/// The value of a metric at the unit of a checkpoint, from its history; `None` if the history, which is
/// thinned in long runs, does not have it.
fn value_of(session: &Session, checkpoint: &Checkpoint, metric: &str) -> Result<Option<f64>> {
    let session = Session::resume(*session.entry(), checkpoint)?;
    let history = session.history();
    let column = session.entry().about.metrics.iter().position(|spec| spec.name == metric);
    let value = column.and_then(|column| history.columns()[column].last().copied());
    let is_there = history.units().last() == Some(&checkpoint.header.units);
    Ok(value.filter(|value| is_there && value.is_finite()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const HIGHER: &MetricSpec =
        &MetricSpec { name: "a", label: "A", help: "", unit: "", better: Better::Higher };
    const LOWER: &MetricSpec = &MetricSpec { better: Better::Lower, ..*HIGHER };

    #[test]
    fn the_first_of_the_best_values_is_kept() {
        let values = [f64::NAN, 3.0, 5.0, 5.0, f64::INFINITY, 1.0, f64::NEG_INFINITY, 1.0];
        for (spec, none, improved, best) in [
            (HIGHER, f64::NEG_INFINITY, vec![2, 3], Some((5.0, 3))),
            (LOWER, f64::INFINITY, vec![2, 6], Some((1.0, 6))),
        ] {
            let mut value = BestValue { spec, value: none, unit: 0 };
            assert_eq!(value.get(), None);
            let units = 1..=values.len() as u64;
            let better: Vec<u64> =
                units.filter(|unit| value.take(values[*unit as usize - 1], *unit)).collect();
            assert_eq!((better, value.get()), (improved, best));
        }
    }
}
