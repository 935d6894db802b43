//! The version of a run's weights: a hash of all that an actor needs beside its job, which is the lab, its
//! settings, the seed and the weights. Live settings can change between units, so they belong to the version.

use std::fmt;

use learnery_nn::Tensors;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{Refusal, digest};

/// The metadata key of a file with the weights of a version.
const METADATA_KEY: &str = "learnery-version";

/// The SHA-256 hash of the file of a version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Version(pub [u8; 32]);

impl fmt::Display for Version {
    /// The first twelve hexadecimal digits.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.0[..6].iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// All that an actor needs beside its job.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct VersionFile {
    pub settings: VersionSettings,
    pub network: Tensors,
}

/// The part of a version beside the weights.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct VersionSettings {
    pub lab: String,
    pub seed: u32,
    /// All settings.
    pub config: Map<String, Value>,
}

impl VersionFile {
    /// The content of the file. Equal versions have equal bytes.
    #[cfg(not(target_family = "wasm"))]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut settings = self.settings.clone();
        // The map keeps the order of insertion if some dependency asks serde_json for that.
        let mut sorted: Vec<_> = settings.config.into_iter().collect();
        sorted.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
        settings.config = sorted.into_iter().collect();
        self.network
            .to_bytes(METADATA_KEY, serde_json::to_string(&settings).expect("settings are plain data"))
    }

    /// Reads the file of version `expected`, and refuses any other bytes.
    pub fn from_bytes(bytes: &[u8], expected: Version) -> Result<Self, Refusal> {
        if digest(bytes) != expected.0 {
            return Err(Refusal::Damaged(format!("these are not the bytes of version {expected}")));
        }
        let damaged =
            |e: &dyn fmt::Display| Refusal::Damaged(format!("version {expected} cannot be read ({e})"));
        let (network, settings) = Tensors::from_bytes(bytes, METADATA_KEY).map_err(|e| damaged(&e))?;
        let settings = settings.ok_or_else(|| damaged(&"it has no settings"))?;
        let settings = serde_json::from_str(&settings).map_err(|e| damaged(&e))?;
        Ok(Self { settings, network })
    }
}
