//! An array of floats in a view (the data that the page draws). JavaScript receives it as one byte array; a
//! `Vec<f32>` would become an array of separate numbers.

use serde::{Serialize, Serializer};

/// An array of floats, serialised as little-endian bytes. The page reads them through a `Float32Array`.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(type = "Uint8Array<ArrayBuffer>"))]
pub struct Floats(pub Vec<f32>);

impl Serialize for Floats {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(bytemuck::cast_slice(&self.0))
    }
}

impl From<Vec<f32>> for Floats {
    fn from(values: Vec<f32>) -> Self {
        Self(values)
    }
}
