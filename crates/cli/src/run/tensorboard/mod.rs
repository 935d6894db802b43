//! Writes TensorBoard event files with the settings of the run, and one scalar per metric and unit (training
//! iteration). The format uses only a few small protobuf messages, so we encode them without a protobuf
//! library.

mod crc32c;
mod event;
mod record;

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::Value;

use crate::run::pending_file::PendingFile;

/// An event file, open for appending events.
pub struct EventFile {
    out: PendingFile,
}

impl EventFile {
    /// Creates a new file in `folder`, beside those of earlier invocations. If the run was resumed after the
    /// unit `resumed_after`, TensorBoard will discard values of later units in older files. Each file has the
    /// settings, because it may be read alone; TensorBoard shows those of the first file.
    pub fn create<'a>(
        folder: &Path,
        resumed_after: Option<u64>,
        settings: impl Iterator<Item = (&'a str, &'a Value)>,
    ) -> io::Result<Self> {
        let now = seconds_since_1970();
        let mut file = Self { out: PendingFile::new(new_file(folder, now as u64)?) };
        file.write(&event::file_version(now))?;
        if let Some(unit) = resumed_after {
            file.write(&event::session_start(now, unit + 1))?;
        }
        file.write(&event::settings(now, settings))?;
        Ok(file)
    }

    /// Writes the metrics of a unit.
    pub fn scalars(
        &mut self,
        unit: u64,
        values: impl Iterator<Item = (&'static str, f64)>,
    ) -> io::Result<()> {
        self.write(&event::scalars(seconds_since_1970(), unit, values))
    }

    /// Passes all buffered events to the operating system.
    pub fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }

    fn write(&mut self, event: &[u8]) -> io::Result<()> {
        self.out.append(&record::frame(event))
    }
}

/// By the clock; 0 if it shows a time before 1970.
fn seconds_since_1970() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |d| d.as_secs_f64())
}

/// Creates a file with an unused name. TensorBoard reads files with `tfevents` in their name, in the order of
/// the names. So the names begin alike up to the time in seconds, and the file of a later invocation comes
/// later, unless both began in the same second.
fn new_file(folder: &Path, seconds: u64) -> io::Result<File> {
    let mut n = 0;
    loop {
        let name = format!("events.out.tfevents.{seconds:010}.learnery.{}.{n}", std::process::id());
        match OpenOptions::new().write(true).create_new(true).open(folder.join(name)) {
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => n += 1,
            result => return result,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The decoder in this test is written separately from the encoder. Both use the same checksum.
    #[test]
    fn event_file_is_read_back_by_an_independent_decoder() {
        let folder = tempfile::tempdir().unwrap();
        let (rate, worlds, name) = (Value::from(0.25), Value::from(8), Value::from("cartpole"));
        let settings = [("rate", &rate), ("worlds", &worlds), ("world", &name), ("muon", &Value::Bool(true))];
        let mut file = EventFile::create(folder.path(), Some(4), settings.into_iter()).unwrap();
        file.scalars(5, [("return", 20.5), ("kl", 0.25)].into_iter()).unwrap();
        file.scalars(300, [("return", -1.0)].into_iter()).unwrap();
        file.flush().unwrap();

        let path = std::fs::read_dir(folder.path()).unwrap().next().unwrap().unwrap().path();
        assert!(path.file_name().unwrap().to_string_lossy().contains("tfevents"));
        let bytes = std::fs::read(path).unwrap();
        let events: Vec<Decoded> = record::unframe(&bytes).iter().map(|e| Decoded::from(&e[..])).collect();

        assert_eq!(events.len(), 5);
        assert!(events.iter().all(|e| (seconds_since_1970() - e.wall_time).abs() < 60.0));
        assert_eq!(events[0].version.as_deref(), Some("brain.Event:2"));
        assert!(events[1].starts_session && events[1].step == 5);
        let settings: Vec<(&str, &str)> =
            events[2].settings.iter().map(|(name, value)| (&name[..], &value[..])).collect();
        assert_eq!(
            settings,
            [
                ("rate", "number 0.25"),
                ("worlds", "number 8"),
                ("world", "text cartpole"),
                ("muon", "switch 1")
            ]
        );
        assert_eq!(
            (events[3].step, &events[3].scalars[..]),
            (5, &[("return".into(), 20.5), ("kl".into(), 0.25)][..])
        );
        assert_eq!((events[4].step, &events[4].scalars[..]), (300, &[("return".into(), -1.0)][..]));
    }

    /// A decoded `Event`.
    #[derive(Default)]
    struct Decoded {
        wall_time: f64,
        step: u64,
        version: Option<String>,
        starts_session: bool,
        scalars: Vec<(String, f32)>,
        /// With the kind of each value.
        settings: Vec<(String, String)>,
    }

    impl From<&[u8]> for Decoded {
        fn from(bytes: &[u8]) -> Self {
            let mut event = Self::default();
            for (number, field) in fields(bytes) {
                // The numbers of the fields of `Event`, as in `event.rs`.
                match (number, field) {
                    (1, Field::Fixed64(bits)) => event.wall_time = f64::from_bits(bits),
                    (2, Field::Varint(step)) => event.step = step,
                    (3, Field::Bytes(version)) => event.version = Some(String::from_utf8(version).unwrap()),
                    // The settings have three fields (tag, tensor, metadata); a scalar has tag and number.
                    (5, Field::Bytes(summary)) => match &fields(&summary)[..] {
                        [(1, Field::Bytes(value))] if fields(value).len() == 3 => {
                            event.settings = settings_of(value);
                        }
                        _ => event.scalars = scalars(&summary),
                    },
                    (7, Field::Bytes(session)) => {
                        event.starts_session = matches!(fields(&session)[..], [(1, Field::Varint(1))]);
                    }
                    other => panic!("unexpected field {other:?}"),
                }
            }
            event
        }
    }

    fn scalars(summary: &[u8]) -> Vec<(String, f32)> {
        let value = |(number, field)| match (number, field) {
            (1, Field::Bytes(value)) => match &fields(&value)[..] {
                [(1, Field::Bytes(tag)), (2, Field::Fixed32(bits))] => {
                    (String::from_utf8(tag.clone()).unwrap(), f32::from_bits(*bits))
                }
                other => panic!("unexpected value {other:?}"),
            },
            other => panic!("unexpected summary {other:?}"),
        };
        fields(summary).into_iter().map(value).collect()
    }

    /// The settings in the value of a summary: a map in the metadata of the plugin for hyperparameters.
    fn settings_of(value: &[u8]) -> Vec<(String, String)> {
        /// The bytes of a field of this number.
        fn inner(message: &[u8], number: u64) -> Vec<u8> {
            let found = fields(message).into_iter().find(|(n, _)| *n == number);
            match found {
                Some((_, Field::Bytes(bytes))) => bytes,
                other => panic!("field {number} is {other:?}"),
            }
        }
        assert_eq!(inner(value, 1), b"_hparams_/session_start_info");
        // A vector of floats (1) with one dimension, of the size 0.
        assert_eq!(inner(value, 8), [8, 1, 18, 2, 18, 0]);
        let metadata = inner(value, 9);
        // Field 4 is the class of the data; 2 is a tensor.
        assert!(matches!(fields(&metadata)[..], [(1, _), (4, Field::Varint(2))]));
        let plugin = inner(&metadata, 1);
        assert_eq!(inner(&plugin, 1), b"hparams");
        let start = inner(&inner(&plugin, 2), 3);
        let entries = fields(&start).into_iter().filter_map(|(number, field)| match (number, field) {
            (1, Field::Bytes(entry)) => Some(entry),
            // When the session began.
            (5, Field::Fixed64(_)) => None,
            other => panic!("unexpected field {other:?}"),
        });
        entries
            .map(|entry| {
                let value = match fields(&inner(&entry, 2)).remove(0) {
                    (2, Field::Fixed64(bits)) => format!("number {}", f64::from_bits(bits)),
                    (3, Field::Bytes(text)) => format!("text {}", String::from_utf8(text).unwrap()),
                    (4, Field::Varint(is_on)) => format!("switch {is_on}"),
                    other => panic!("unexpected value {other:?}"),
                };
                (String::from_utf8(inner(&entry, 1)).unwrap(), value)
            })
            .collect()
    }

    #[derive(Debug)]
    enum Field {
        Varint(u64),
        Fixed64(u64),
        Fixed32(u32),
        Bytes(Vec<u8>),
    }

    fn fields(mut bytes: &[u8]) -> Vec<(u64, Field)> {
        let mut fields = Vec::new();
        while !bytes.is_empty() {
            let key = varint(&mut bytes);
            let field = match key & 7 {
                0 => Field::Varint(varint(&mut bytes)),
                1 => Field::Fixed64(u64::from_le_bytes(take(&mut bytes, 8).try_into().unwrap())),
                2 => {
                    let length = varint(&mut bytes) as usize;
                    Field::Bytes(take(&mut bytes, length).to_vec())
                }
                5 => Field::Fixed32(u32::from_le_bytes(take(&mut bytes, 4).try_into().unwrap())),
                wire => panic!("wire type {wire}"),
            };
            fields.push((key >> 3, field));
        }
        fields
    }

    fn take<'a>(bytes: &mut &'a [u8], n: usize) -> &'a [u8] {
        let (head, tail) = bytes.split_at(n);
        *bytes = tail;
        head
    }

    fn varint(bytes: &mut &[u8]) -> u64 {
        let mut value = 0;
        for shift in (0..).step_by(7) {
            let byte = take(bytes, 1)[0];
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                break;
            }
        }
        value
    }
}
