//! JSON across the border: Python's settings and options come as text that `json.dumps` has written.

use pyo3::PyResult;
use serde_json::{Map, Value};

use crate::errors::value_error;

/// Reads a JSON object.
pub fn parse_object(text: &str) -> PyResult<Map<String, Value>> {
    serde_json::from_str(text).map_err(|e| value_error(format!("a value cannot be read: {e}")))
}
