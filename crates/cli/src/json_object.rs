//! A JSON object whose fields keep the order in which they were added.

use serde::{Serialize, Serializer};
use serde_json::Value;

/// The fields as (name, value).
#[derive(Clone, Default)]
pub struct JsonObject(pub Vec<(&'static str, Value)>);

impl JsonObject {
    pub fn add(&mut self, name: &'static str, value: impl Into<Value>) {
        self.0.push((name, value.into()));
    }
}

impl Serialize for JsonObject {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}
