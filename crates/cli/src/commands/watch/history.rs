//! The metrics of a run, as far as they were read: a row for each unit (training iteration).

use std::collections::BTreeMap;

use learnery_lab::Pace;

use super::rows::Row;
use super::series::Series;
use super::tail::Batch;

/// What the rows of a run say.
#[derive(Default)]
pub struct History {
    /// The metrics, by name.
    pub series: BTreeMap<String, Series>,
    /// The last row.
    pub last: Option<Row>,
    /// The number of rows.
    pub rows: u64,
    /// Lines that are no rows, or whose unit does not follow the one before.
    pub damaged: u64,
    /// Whether the file ends within a row, as it does for a moment while it grows.
    pub ends_within_a_row: bool,
    /// The speed of the last seconds of training, by the times in the rows.
    pace: Pace,
}

impl History {
    /// Takes in what was read of the file.
    pub fn take(&mut self, batch: &Batch) {
        if batch.is_new {
            *self = Self::default();
        }
        for line in batch.lines.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
            match Row::parse(line) {
                Some(row) if self.last.as_ref().is_none_or(|last| last.unit < row.unit) => self.push(row),
                _ => self.damaged += 1,
            }
        }
    }

    /// Adds the row of a later unit.
    pub fn push(&mut self, row: Row) {
        for (name, value) in &row.values {
            match self.series.get_mut(name) {
                Some(series) => series.push(&row, *value),
                None => _ = self.series.insert(name.clone(), Series::starting(&row, *value)),
            }
        }
        let has_gone_back = |last: &Row| last.seconds > row.seconds || last.work > row.work;
        // Only in a damaged file. The speed begins anew, because it cannot be negative.
        if self.last.as_ref().is_some_and(has_gone_back) {
            self.pace.reset();
        }
        if let (Some(work), Some(seconds)) = (row.work, row.seconds) {
            self.pace.record_at_boundary(seconds, row.unit, work as u64);
        }
        self.rows += 1;
        self.last = Some(row);
    }

    /// The last completed unit.
    pub fn unit(&self) -> u64 {
        self.last.as_ref().map_or(0, |last| last.unit)
    }

    /// Units per second and work per second; zeros while nothing is known.
    pub fn per_second(&self) -> (f64, f64) {
        self.pace.per_second()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn batch(lines: &str) -> Batch {
        Batch { lines: lines.as_bytes().to_vec(), ..Batch::default() }
    }

    #[test]
    fn rows_are_taken_in_their_order_and_damaged_lines_are_counted() {
        let mut history = History::default();
        history.take(&batch(
            "{\"unit\":1,\"work\":10,\"seconds\":1.0,\"loss\":3}\n\
             {\"unit\":2,\"wo\u{fffd}\n\
             {\"unit\":3,\"work\":30,\"seconds\":2.0,\"loss\":1,\"return\":5}\n\
             {\"unit\":3,\"work\":40,\"seconds\":3.0,\"loss\":9}\n\n",
        ));
        assert_eq!((history.rows, history.damaged, history.unit()), (2, 2, 3));
        assert_eq!(history.series["loss"].latest, 1.0);
        assert_eq!(history.series["return"].points().len(), 1);
        assert_eq!(history.per_second(), (2.0, 20.0));
        // Numbers that go back in a damaged file.
        history.take(&batch("{\"unit\":4,\"work\":5,\"seconds\":0.5}\n"));
        assert_eq!(history.per_second(), (0.0, 0.0));
        history.take(&Batch { is_new: true, ..batch("{\"unit\":1,\"loss\":7}\n") });
        assert_eq!((history.rows, history.damaged, history.series["loss"].latest), (1, 0, 7.0));
    }
}
