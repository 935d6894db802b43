//! Many bytes in a view, which cross into JavaScript as one array too.

use serde::{Serialize, Serializer};

/// A column of bytes: bits, small counts, shares in 255ths.
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
