//! An array of bytes in a view, transferred to JavaScript as one typed array instead of one value each.

use serde::{Serialize, Serializer};

/// An array of bytes: bits, small counts, or fractions in 255ths.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(type = "Uint8Array<ArrayBuffer>"))]
pub struct Bytes(pub Vec<u8>);

impl Serialize for Bytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&self.0)
    }
}

impl From<Vec<u8>> for Bytes {
    fn from(values: Vec<u8>) -> Self {
        Self(values)
    }
}
