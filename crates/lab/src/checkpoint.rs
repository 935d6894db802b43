//! Checkpoints: a run saved as a safetensors file, with a JSON header in the file's metadata.
//!
//! A CRC-32 checksum covers the header and every tensor, because the safetensors format itself does not
//! notice a flipped bit in a weight.

use learnery_nn::{Precision, Tensors};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::any::typed_config;
use crate::crc32::Crc32;
use crate::fingerprint::{CanonicalHash, hash_canonical};
use crate::{Entry, Lab, LabError, Schema};

/// Version of the file format, which covers the header and the tensor names. Files with a higher version are
/// rejected. Format 2 added the changes of live settings, format 3 those of the seed and of the user's own
/// data.
const FORMAT: u32 = 3;

/// The format of a file without changes of the seed or of data, which earlier versions can read too.
const FORMAT_OF_SETTINGS: u32 = 2;

/// The metadata key that holds the header.
const METADATA_KEY: &str = "learnery";

/// The name of the CPU in the list of devices.
const CPU_NAME: &str = "cpu";

/// The header of a checkpoint: everything but the tensors.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// Id of the lab.
    pub lab: String,
    /// All settings, but for those that [`Schema::stored`] leaves out.
    pub config: Map<String, Value>,
    pub seed: u32,
    /// Completed units (training iterations).
    pub units: u64,
    /// Work done, counted as the lab counts it (`About::work`).
    pub work: u64,
    /// The number of completed units when the goal was first reached; `None` if it has not been reached.
    pub solved_at: Option<u64>,
    /// Whether the file holds only the network. Every lab can evaluate such a file; some can also continue
    /// from it.
    pub network_only: bool,
    /// The lab's counters, see [`crate::State`]; null in a file with only the network.
    pub scalars: Value,
    /// The changes of live settings, in the order of their units. Files of format 1 did not record them.
    #[serde(default)]
    pub changes: Vec<Change>,
    /// The devices that computed the run, in the order of their units; empty if only the CPU did.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub devices: Vec<DeviceUse>,
    /// The number of completed units when the run continued from a file that held only a network; `None` if
    /// it never did. What came before cannot be repeated. It is no part of the fingerprint.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub network_since: Option<u64>,
}

/// From which unit on a device computed the run. It is a record for people and no part of the fingerprint.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeviceUse {
    /// The number of completed units when the run was moved to the device.
    pub unit: u64,
    /// `cpu` or `gpu`.
    pub device: String,
    /// The name of the GPU and its driver; empty for the CPU.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub adapter: String,
    /// The version of the kernels; 0 for the CPU.
    #[serde(default)]
    pub kernels: u32,
    /// The precision of matrix products. The CPU computes in f32 only.
    #[serde(default, skip_serializing_if = "is_default", with = "precision_name")]
    pub precision: Precision,
}

impl DeviceUse {
    /// The CPU from this unit on.
    pub fn cpu(unit: u64) -> Self {
        Self { unit, device: CPU_NAME.into(), adapter: String::new(), kernels: 0, precision: Precision::F32 }
    }

    /// Whether it is the CPU.
    pub fn is_cpu(&self) -> bool {
        self.device == CPU_NAME
    }
}

fn is_default(precision: &Precision) -> bool {
    *precision == Precision::default()
}

/// A precision is saved by its name.
mod precision_name {
    use learnery_nn::Precision;
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub fn serialize<S: Serializer>(precision: &Precision, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(precision.name())
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Precision, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(Error::custom)
    }
}

/// A change during a run: of live settings, of the seed, or of the user's own data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub struct Change {
    /// The number of completed units when it took effect, which is always between two units.
    pub unit: u64,
    /// The changed settings with the values that they had before.
    pub before: Map<String, Value>,
    /// The same settings with their new values.
    pub after: Map<String, Value>,
    /// The change of the seed; `None` if it stayed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "bindings", ts(optional))]
    pub seed: Option<SeedChange>,
    /// The user's own data from here on; `None` if they stayed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "bindings", ts(optional))]
    pub data: Option<DataChange>,
}

impl Change {
    /// No change at this unit.
    pub(crate) fn at(unit: u64) -> Self {
        Self { unit, before: Map::new(), after: Map::new(), seed: None, data: None }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.after.is_empty() && self.seed.is_none() && self.data.is_none()
    }
}

/// A change of the seed of all random numbers during a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub struct SeedChange {
    pub before: u32,
    pub after: u32,
}

/// Data of the user's own that a run learns from: the command that gave them, see
/// [`crate::Lab::DATA_COMMANDS`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub struct DataChange {
    /// SHA-256 of the command as canonical JSON, in hexadecimal digits.
    pub sha256: String,
    /// The command; `None` if it is long, as with a text. The last data of a run are in its tensors.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "bindings", ts(optional))]
    pub command: Option<Value>,
}

impl DataChange {
    /// The change that this command makes.
    pub(crate) fn of(command: &Value) -> Self {
        /// Longer commands are not repeated in the header of every checkpoint.
        const MAX_COMMAND_BYTES: usize = 16_384;
        let CanonicalHash { sha256, text_bytes } = hash_canonical(command);
        Self { sha256, command: (text_bytes <= MAX_COMMAND_BYTES).then(|| command.clone()) }
    }
}

/// A saved run.
#[derive(Clone, Debug, PartialEq)]
pub struct Checkpoint {
    pub header: Header,
    /// Network, optimiser state, replay buffer, history.
    pub tensors: Tensors,
}

/// The JSON in the file's metadata. The header stays raw text, because the checksum covers exactly the bytes
/// that were written.
#[derive(Serialize, Deserialize)]
struct Envelope {
    format: u32,
    checksum: String,
    header: Box<RawValue>,
}

impl Checkpoint {
    /// Encodes the checkpoint as the content of a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let text = serde_json::to_string(&self.header).expect("a header is plain data");
        let checksum = compute_checksum(&text, &self.tensors);
        let header = RawValue::from_string(text).expect("it was written as JSON");
        let has_only_settings = |change: &Change| change.seed.is_none() && change.data.is_none();
        // The lowest format that can hold the changes, so that earlier versions can read most files.
        let needs_no_newer_format = self.header.changes.iter().all(has_only_settings);
        let format = if needs_no_newer_format { FORMAT_OF_SETTINGS } else { FORMAT };
        let envelope = Envelope { format, checksum, header };
        self.tensors
            .to_bytes(METADATA_KEY, serde_json::to_string(&envelope).expect("an envelope is plain data"))
    }

    /// Decodes the content of a file. The error explains in one sentence why the file cannot be used.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, LabError> {
        let invalid = |problem: String| LabError::Checkpoint(problem);
        if bytes.is_empty() {
            return Err(invalid("the file is empty".into()));
        }
        let (tensors, metadata) = Tensors::from_bytes(bytes, METADATA_KEY)?;
        let metadata = metadata.ok_or_else(|| {
            invalid("this safetensors file was not written by Learnery (no `learnery` header)".into())
        })?;
        let envelope: Envelope =
            serde_json::from_str(&metadata).map_err(|e| invalid(format!("its header is damaged: {e}")))?;
        if envelope.format > FORMAT {
            return Err(invalid(format!(
                "it was written by a newer version (format {}, this one reads up to {FORMAT})",
                envelope.format
            )));
        }
        if envelope.checksum != compute_checksum(envelope.header.get(), &tensors) {
            return Err(invalid("the file is damaged (its checksum does not match)".into()));
        }
        let header = serde_json::from_str(envelope.header.get())
            .map_err(|e| invalid(format!("its header cannot be read: {e}")))?;
        Ok(Self { header, tensors })
    }

    /// The settings of a checkpoint of lab `L`. Settings that the file lacks, because it is older than they
    /// are, get their defaults.
    pub fn settings<L: Lab>(&self) -> Result<L::Config, LabError> {
        Entry::of::<L>().owns(self)?;
        typed_config::<L>(Schema::of_lab::<L>().complete(None, &Value::Object(self.header.config.clone()))?)
    }

    /// A copy with only the tensors of the network, for sharing and evaluation.
    pub fn network_only(&self) -> Self {
        let mut tensors = Tensors::new();
        tensors.absorb("network/", self.network());
        Self { header: Header { network_only: true, scalars: Value::Null, ..self.header.clone() }, tensors }
    }

    /// The tensors of the network, without the prefix `network/`.
    pub fn network(&self) -> Tensors {
        self.tensors.under("network/")
    }
}

/// CRC-32 over the header and over every tensor's name, type, shape and bytes.
fn compute_checksum(header: &str, tensors: &Tensors) -> String {
    let mut crc = Crc32::new();
    crc.update(header.as_bytes());
    for (name, tensor) in tensors.iter() {
        crc.update(name.as_bytes());
        crc.update(format!("{} {:?}", tensor.type_name(), tensor.shape()).as_bytes());
        crc.update(tensor.bytes());
    }
    format!("{:08x}", crc.finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config_of(name: &str, value: f64) -> Map<String, Value> {
        Map::from_iter([(name.to_owned(), value.into())])
    }

    fn sample() -> Checkpoint {
        let mut tensors = Tensors::new();
        tensors.insert("network/w", &[2, 2], &[1.0f32, 2.0, 3.0, 4.0]);
        tensors.insert("adam/m", &[4], &[0.0f32; 4]);
        let header = Header {
            lab: "sample".into(),
            config: config_of("lr", 0.1),
            seed: 7,
            units: 3,
            work: 300,
            solved_at: None,
            network_only: false,
            scalars: Value::from(1),
            changes: vec![Change {
                before: config_of("lr", 0.2),
                after: config_of("lr", 0.1),
                ..Change::at(2)
            }],
            devices: vec![DeviceUse {
                unit: 1,
                device: "gpu".into(),
                adapter: "an adapter (its driver)".into(),
                kernels: 1,
                precision: Precision::F16,
            }],
            network_since: None,
        };
        Checkpoint { header, tensors }
    }

    #[test]
    fn precision_of_a_device_is_saved_by_name_and_only_if_it_is_not_f32() {
        let half = sample().header.devices.remove(0);
        let text =
            r#"{"unit":1,"device":"gpu","adapter":"an adapter (its driver)","kernels":1,"precision":"f16"}"#;
        assert_eq!(serde_json::to_string(&half).unwrap(), text);
        assert_eq!(serde_json::from_str::<DeviceUse>(text).unwrap(), half);
        let single = DeviceUse { precision: Precision::F32, ..half };
        let text = text.replace(r#","precision":"f16""#, "");
        assert_eq!(serde_json::to_string(&single).unwrap(), text);
        assert_eq!(serde_json::from_str::<DeviceUse>(&text).unwrap(), single);
        for value in [r#""f8""#, r#""F16""#, r#""""#, "16", "null", "[]", r#"{"f16":1}"#] {
            let hostile = text.replace('}', &format!(r#","precision":{value}}}"#));
            assert!(serde_json::from_str::<DeviceUse>(&hostile).is_err(), "{value}");
        }
        let hostile = text.replace('}', r#","precision":"f8"}"#);
        let error = serde_json::from_str::<DeviceUse>(&hostile).unwrap_err().to_string();
        assert!(error.starts_with("there is no precision `f8`; there are f32 and f16"), "{error}");
    }

    #[test]
    fn checkpoint_survives_a_round_trip_unchanged() {
        let checkpoint = sample();
        let bytes = checkpoint.to_bytes();
        assert_eq!(bytes, checkpoint.to_bytes());
        assert_eq!(Checkpoint::from_bytes(&bytes).unwrap(), checkpoint);
    }

    #[test]
    fn checkpoint_with_flipped_bit_is_rejected_or_decodes_to_the_same() {
        let checkpoint = sample();
        let bytes = checkpoint.to_bytes();
        for i in 0..bytes.len() {
            // A low, a middle and the top bit. Bit 0x20 turns lower-case letters of the JSON into upper case.
            for flip in [0x01, 0x20, 0x80] {
                let mut damaged = bytes.clone();
                damaged[i] ^= flip;
                if let Ok(read) = Checkpoint::from_bytes(&damaged) {
                    assert_eq!(
                        read, checkpoint,
                        "a bit of byte {i} was flipped, and the file is accepted with other content"
                    );
                }
            }
        }
    }

    #[test]
    fn files_of_newer_versions_and_other_programs_are_rejected() {
        let error = |bytes: &[u8]| Checkpoint::from_bytes(bytes).unwrap_err().to_string();
        let envelope = r#"{"format":99,"checksum":"00000000","header":{}}"#;
        assert!(
            error(&Tensors::new().to_bytes(METADATA_KEY, envelope.into()))
                .contains("newer version (format 99")
        );
        assert!(error(&Tensors::new().to_bytes("other", "x".into())).contains("not written by Learnery"));
        assert!(error(b"").contains("empty"));
        assert!(
            error(b"hello, this is not a checkpoint at all").starts_with("the checkpoint cannot be used: ")
        );
    }

    #[test]
    fn only_files_with_changes_of_seed_or_data_need_the_newest_format() {
        let format = |checkpoint: &Checkpoint| {
            let bytes = checkpoint.to_bytes();
            assert_eq!(Checkpoint::from_bytes(&bytes).unwrap(), *checkpoint);
            // The envelope is JSON inside a JSON string, so its quotation marks are escaped.
            let key = br#"format\":"#;
            let at = bytes.windows(key.len()).position(|window| window == key).unwrap();
            u32::from(bytes[at + key.len()] - b'0')
        };
        let mut checkpoint = sample();
        assert_eq!(format(&checkpoint), 2);
        checkpoint.header.changes[0].seed = Some(SeedChange { before: 3, after: 7 });
        assert_eq!(format(&checkpoint), 3);
        checkpoint.header.changes[0].seed = None;
        checkpoint.header.changes[0].data = Some(DataChange::of(&Value::from("x".repeat(20_000))));
        assert_eq!(checkpoint.header.changes[0].data.as_ref().unwrap().command, None);
        assert_eq!(format(&checkpoint), 3);
    }

    #[test]
    fn files_of_format_1_have_no_changes() {
        let mut header = serde_json::to_value(&sample().header).unwrap();
        header.as_object_mut().unwrap().remove("changes");
        let header: Header = serde_json::from_value(header).unwrap();
        assert_eq!(header, Header { changes: Vec::new(), ..sample().header });
    }

    #[test]
    fn fingerprint_covers_what_continues_the_run_and_nothing_else() {
        let fingerprint = |change: fn(&mut Checkpoint)| {
            let mut checkpoint = sample();
            checkpoint.tensors.insert("history/loss", &[1], &[1.0f32]);
            change(&mut checkpoint);
            checkpoint.fingerprint()
        };
        let unchanged = fingerprint(|_| {});
        assert_eq!(unchanged.len(), 64);
        let covered: [fn(&mut Checkpoint); 8] = [
            |c| c.header.changes[0].seed = Some(SeedChange { before: 3, after: 7 }),
            |c| c.header.seed += 1,
            |c| c.header.units += 1,
            |c| c.header.config = config_of("lr", 0.2),
            |c| c.header.changes.clear(),
            |c| c.header.scalars = Value::from(2),
            |c| c.tensors.insert("adam/m", &[4], &[-0.0f32; 4]),
            |c| c.tensors.insert("adam/m", &[2, 2], &[0.0f32; 4]),
        ];
        for (i, change) in covered.into_iter().enumerate() {
            assert_ne!(fingerprint(change), unchanged, "change {i}");
        }
        let not_covered: [fn(&mut Checkpoint); 4] = [
            |c| c.header.work += 1,
            |c| c.header.solved_at = Some(1),
            |c| c.header.network_since = Some(1),
            |c| c.tensors.insert("history/loss", &[1], &[2.0f32]),
        ];
        for (i, change) in not_covered.into_iter().enumerate() {
            assert_eq!(fingerprint(change), unchanged, "change {i}");
        }
    }

    #[test]
    fn network_only_checkpoint_keeps_tensor_names_and_header() {
        let network = sample().network_only();
        assert_eq!(network.tensors.iter().map(|(n, _)| n).collect::<Vec<_>>(), ["network/w"]);
        assert!(network.header.network_only && network.header.units == 3);
    }
}
