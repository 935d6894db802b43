//! An array of bytes in a view (the data that the page draws). JavaScript receives it as one typed array; a
//! `Vec<u8>` would become an array of separate numbers.

use serde::{Serialize, Serializer};

/// An array of bytes, serialised as a whole. Each lab says what its bytes mean: bits, small counts, or
/// fractions where 255 stands for 1.
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
