//! `metrics.jsonl`: one JSON object a unit. A run that was cut off leaves rows its checkpoint does not
//! know, or half a row; taking the run up again puts the file right.

use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;

use learnery_lab::Session;
use serde_json::Value;

use crate::out::Fields;

/// The name of the file in a run folder.
pub const NAME: &str = "metrics.jsonl";

/// An open metrics file.
pub struct MetricsFile {
    out: BufWriter<File>,
}

/// What a file held when it was opened.
#[derive(Debug, Default, PartialEq)]
pub struct Kept {
    /// The last unit with a row.
    pub unit: u64,
    /// Seconds of training up to there.
    pub seconds: f64,
}

impl MetricsFile {
    /// Opens the file in `folder`, or starts it, for rows after `unit`: rows of later units and a last
    /// row without its end go.
    pub fn open(folder: &Path, unit: u64) -> io::Result<(Self, Kept)> {
        let mut file =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(folder.join(NAME))?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        let (length, kept) = keep(&bytes, unit);
        if length < bytes.len() {
            file.set_len(length as u64)?;
        }
        file.seek(SeekFrom::Start(length as u64))?;
        Ok((Self { out: BufWriter::new(file) }, kept))
    }

    /// Adds a row.
    pub fn write(&mut self, row: &Fields) -> io::Result<()> {
        serde_json::to_writer(&mut self.out, row)?;
        self.out.write_all(b"\n")
    }

    /// Hands everything to the system.
    pub fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }

    /// Makes sure that everything is on the disk.
    pub fn sync(&mut self) -> io::Result<()> {
        self.out.flush()?;
        self.out.get_ref().sync_data()
    }
}

/// How many bytes of a file to keep, and what its last row says.
fn keep(bytes: &[u8], unit: u64) -> (usize, Kept) {
    let mut kept = Kept::default();
    let mut length = 0;
    for line in bytes.split_inclusive(|&byte| byte == b'\n') {
        let row: Option<Value> = line.strip_suffix(b"\n").and_then(|row| serde_json::from_slice(row).ok());
        let Some(row) = row else { break };
        let Some(row_unit) = row["unit"].as_u64().filter(|&row_unit| row_unit <= unit) else { break };
        kept = Kept { unit: row_unit, seconds: row["seconds"].as_f64().unwrap_or(kept.seconds) };
        length += line.len();
    }
    (length, kept)
}

/// The row of the unit that has just ended.
pub fn row(session: &Session, seconds: f64) -> Fields {
    let mut row = Fields::default();
    row.add("unit", session.units());
    row.add("work", session.work());
    row.add("seconds", (seconds * 1000.0).round() / 1000.0);
    // What is not a finite number has no form in JSON.
    session.row().measured().filter(|(_, v)| v.is_finite()).for_each(|(name, v)| row.add(name, v));
    row
}

/// The rows after unit `after` that the checkpoint's own history still knows: without work and time, which
/// it does not keep.
pub fn rows_from_history(session: &Session, after: u64) -> Vec<(u64, Vec<(&'static str, f64)>)> {
    let history = session.history();
    let names = session.entry().about.metrics.iter().map(|spec| spec.name);
    let columns: Vec<(&'static str, &Vec<f64>)> = names.zip(history.columns()).collect();
    let units = history.units().iter().enumerate().filter(|(_, unit)| **unit > after);
    let row = |i: usize| columns.iter().map(|(n, c)| (*n, c[i])).filter(|(_, v)| v.is_finite()).collect();
    units.map(|(i, unit)| (*unit, row(i))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(text: &str, unit: u64) -> (usize, u64, f64) {
        let (length, kept) = keep(text.as_bytes(), unit);
        (length, kept.unit, kept.seconds)
    }

    #[test]
    fn rows_past_the_checkpoint_and_half_rows_go() {
        let one = "{\"unit\":1,\"seconds\":0.5}\n";
        let two = "{\"unit\":2,\"seconds\":1.0}\n";
        let both = format!("{one}{two}");
        assert_eq!(kept(&both, 2), (both.len(), 2, 1.0));
        assert_eq!(kept(&both, 9), (both.len(), 2, 1.0));
        assert_eq!(kept(&both, 1), (one.len(), 1, 0.5));
        assert_eq!(kept(&both, 0), (0, 0, 0.0));
        assert_eq!(kept("", 5), (0, 0, 0.0));
        for cut in 0..two.len() {
            assert_eq!(kept(&format!("{one}{}", &two[..cut]), 2), (one.len(), 1, 0.5), "cut at {cut}");
        }
        assert_eq!(kept(&format!("{one}\u{fffd}garbage\n{two}"), 2), (one.len(), 1, 0.5));
        assert_eq!(kept(&format!("{one}{{\"unit\":\"x\"}}\n"), 2), (one.len(), 1, 0.5));
    }
}
