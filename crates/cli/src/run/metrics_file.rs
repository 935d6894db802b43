//! The file `metrics.jsonl`: one JSON object (row) per unit, that is per training iteration. A run that was
//! killed may leave rows of units after its checkpoint, or an incomplete last row. Both are removed when the
//! run is continued.

use std::fs::OpenOptions;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use learnery_lab::Session;
use serde_json::Value;

use crate::json_object::JsonObject;
use crate::run::pending_file::PendingFile;

/// The file's name in a run folder.
pub const NAME: &str = "metrics.jsonl";

/// The file, open for appending rows.
pub struct MetricsFile {
    out: PendingFile,
}

/// The last valid row of a file.
#[derive(Debug, Default, PartialEq)]
pub struct LastRow {
    pub unit: u64,
    /// Seconds of training up to that unit.
    pub seconds: f64,
}

impl MetricsFile {
    /// Opens or creates the file in `folder`, and returns it with its last row. Rows of units after `unit`
    /// and an incomplete last row are removed.
    pub fn open(folder: &Path, unit: u64) -> io::Result<(Self, LastRow)> {
        let mut file =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(folder.join(NAME))?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        let (length, last_row) = valid_prefix(&bytes, unit);
        if length < bytes.len() {
            file.set_len(length as u64)?;
        }
        file.seek(SeekFrom::Start(length as u64))?;
        Ok((Self { out: PendingFile::new(file) }, last_row))
    }

    pub fn write(&mut self, row: &JsonObject) -> io::Result<()> {
        let mut line = serde_json::to_vec(row)?;
        line.push(b'\n');
        self.out.append(&line)
    }

    /// Passes all buffered rows to the operating system.
    pub fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }

    /// Waits until all rows are on the disk.
    pub fn sync(&mut self) -> io::Result<()> {
        self.out.flush()?;
        self.out.file().sync_data()
    }
}

/// The number of bytes at the beginning of the file with complete rows of units up to `unit`, and the last of
/// these rows. Nothing behind the first row that is incomplete or of a later unit counts.
fn valid_prefix(bytes: &[u8], unit: u64) -> (usize, LastRow) {
    let mut last_row = LastRow::default();
    let mut length = 0;
    for line in bytes.split_inclusive(|&byte| byte == b'\n') {
        let row: Option<Value> = line.strip_suffix(b"\n").and_then(|row| serde_json::from_slice(row).ok());
        let Some(row) = row else { break };
        let Some(row_unit) = row["unit"].as_u64().filter(|&row_unit| row_unit <= unit) else { break };
        last_row = LastRow { unit: row_unit, seconds: row["seconds"].as_f64().unwrap_or(last_row.seconds) };
        length += line.len();
    }
    (length, last_row)
}

/// The last measured value of a metric up to a unit, with its unit; `None` if no row has one.
pub fn last_value(folder: &Path, metric: &str, unit: u64) -> Option<(u64, f64)> {
    let text = std::fs::read_to_string(folder.join(NAME)).ok()?;
    text.lines().rev().find_map(|line| {
        let row: Value = serde_json::from_str(line).ok()?;
        Some((row["unit"].as_u64().filter(|row_unit| *row_unit <= unit)?, row[metric].as_f64()?))
    })
}

/// The row of the unit that has just ended. `seconds` is the duration of all training of the run.
pub fn unit_row(session: &Session, seconds: f64) -> JsonObject {
    let mut row = JsonObject::default();
    row.add("unit", session.units());
    row.add("work", session.work());
    // To the millisecond.
    row.add("seconds", (seconds * 1000.0).round() / 1000.0);
    // JSON has no NaN or infinity.
    session.row().measured().filter(|(_, v)| v.is_finite()).for_each(|(name, v)| row.add(name, v));
    row
}

/// The rows of units after `after`, as (unit, values by name), from the history in the checkpoint. They
/// replace rows missing from the file. The history has neither work nor time, and in a long run not every
/// unit.
pub fn rows_from_history(session: &Session, after: u64) -> Vec<(u64, Vec<(&'static str, f64)>)> {
    let history = session.history();
    let names = session.entry().about.metrics.iter().map(|spec| spec.name);
    let columns: Vec<(&'static str, &Vec<f64>)> = names.zip(history.columns()).collect();
    let units = history.units().iter().enumerate().filter(|(_, unit)| **unit > after);
    let values_of_row = |i: usize| {
        let values = columns.iter().map(|(name, column)| (*name, column[i]));
        values.filter(|(_, value)| value.is_finite()).collect()
    };
    units.map(|(i, unit)| (*unit, values_of_row(i))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The length of the valid part, with unit and seconds of its last row.
    fn valid(text: &str, unit: u64) -> (usize, u64, f64) {
        let (length, last_row) = valid_prefix(text.as_bytes(), unit);
        (length, last_row.unit, last_row.seconds)
    }

    #[test]
    fn last_value_is_the_newest_that_was_measured_up_to_a_unit() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(last_value(folder.path(), "a", 9), None);
        let rows = "{\"unit\":1,\"a\":0.1}\n{\"unit\":2,\"a\":0.25}\n{\"unit\":3}\n{\"unit\":4,\"a\":7}\n{\"unit\":5,";
        std::fs::write(folder.path().join(NAME), rows).unwrap();
        assert_eq!(last_value(folder.path(), "a", 9), Some((4, 7.0)));
        assert_eq!(last_value(folder.path(), "a", 3), Some((2, 0.25)));
        assert_eq!((last_value(folder.path(), "a", 0), last_value(folder.path(), "b", 9)), (None, None));
    }

    #[test]
    fn rows_after_the_checkpoint_and_incomplete_rows_are_removed() {
        let one = "{\"unit\":1,\"seconds\":0.5}\n";
        let two = "{\"unit\":2,\"seconds\":1.0}\n";
        let both = format!("{one}{two}");
        assert_eq!(valid(&both, 2), (both.len(), 2, 1.0));
        assert_eq!(valid(&both, 9), (both.len(), 2, 1.0));
        assert_eq!(valid(&both, 1), (one.len(), 1, 0.5));
        assert_eq!(valid(&both, 0), (0, 0, 0.0));
        assert_eq!(valid("", 5), (0, 0, 0.0));
        for cut in 0..two.len() {
            assert_eq!(valid(&format!("{one}{}", &two[..cut]), 2), (one.len(), 1, 0.5), "cut at {cut}");
        }
        // Everything after a row that is not JSON, or has no unit, is removed.
        assert_eq!(valid(&format!("{one}\u{fffd}garbage\n{two}"), 2), (one.len(), 1, 0.5));
        assert_eq!(valid(&format!("{one}{{\"unit\":\"x\"}}\n"), 2), (one.len(), 1, 0.5));
    }
}
