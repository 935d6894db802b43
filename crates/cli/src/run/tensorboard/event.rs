//! Encodes TensorFlow's protobuf message `Event`, in which TensorBoard files store scalars and settings.
//!
//! A protobuf message is a list of fields, each with a number and a wire type (the encoding of its value).

use serde_json::Value;

// Numbers of fields, each named after its message and the field, from TensorFlow's `event.proto` and
// `summary.proto`, from TensorBoard's `plugin_data.proto`, and from protobuf's `struct.proto`.
const EVENT_WALL_TIME: u64 = 1;
const EVENT_STEP: u64 = 2;
const EVENT_FILE_VERSION: u64 = 3;
const EVENT_SUMMARY: u64 = 5;
const EVENT_SESSION_LOG: u64 = 7;
const SUMMARY_VALUE: u64 = 1;
const VALUE_TAG: u64 = 1;
const VALUE_SIMPLE_VALUE: u64 = 2;
const VALUE_TENSOR: u64 = 8;
const VALUE_METADATA: u64 = 9;
const SESSION_LOG_STATUS: u64 = 1;
const METADATA_PLUGIN_DATA: u64 = 1;
const METADATA_DATA_CLASS: u64 = 4;
const PLUGIN_DATA_NAME: u64 = 1;
const PLUGIN_DATA_CONTENT: u64 = 2;
const TENSOR_TYPE: u64 = 1;
const TENSOR_SHAPE: u64 = 2;
const SHAPE_SIZE: u64 = 2;
const HPARAMS_START: u64 = 3;
const START_HPARAMS: u64 = 1;
const START_TIME: u64 = 5;
const ENTRY_KEY: u64 = 1;
const ENTRY_VALUE: u64 = 2;
const STRUCT_NUMBER: u64 = 2;
const STRUCT_STRING: u64 = 3;
const STRUCT_BOOL: u64 = 4;

// Wire types of protobuf.
const VARINT: u64 = 0;
const FIXED64: u64 = 1;
/// A length, then this many bytes: a string or a nested message.
const LENGTH_DELIMITED: u64 = 2;
const FIXED32: u64 = 5;

/// The first event of every file, which contains the version of the format. `wall_time` is in seconds
/// since 1970.
pub fn file_version(wall_time: f64) -> Vec<u8> {
    let mut event = stamped(wall_time);
    put_bytes(&mut event, EVENT_FILE_VERSION, b"brain.Event:2");
    event
}

/// The event that marks that a run was continued. TensorBoard then ignores the events of earlier files whose
/// step is `step` or later.
pub fn session_start(wall_time: f64, step: u64) -> Vec<u8> {
    /// The value of the enum `SessionStatus` for a start.
    const START: u64 = 1;
    let mut log = Vec::new();
    put_number(&mut log, SESSION_LOG_STATUS, START);
    let mut event = at_step(wall_time, step);
    put_bytes(&mut event, EVENT_SESSION_LOG, &log);
    event
}

/// An event with the values of metrics, by name, at a step.
pub fn scalars(wall_time: f64, step: u64, values: impl Iterator<Item = (&'static str, f64)>) -> Vec<u8> {
    let mut summary = Vec::new();
    for (tag, value) in values {
        let mut entry = Vec::new();
        put_bytes(&mut entry, VALUE_TAG, tag.as_bytes());
        put_key(&mut entry, VALUE_SIMPLE_VALUE, FIXED32);
        entry.extend((value as f32).to_le_bytes());
        put_bytes(&mut summary, SUMMARY_VALUE, &entry);
    }
    let mut event = at_step(wall_time, step);
    put_bytes(&mut event, EVENT_SUMMARY, &summary);
    event
}

/// The event with the settings of a run, by name, for TensorBoard's plugin for hyperparameters. The plugin
/// finds the metrics by itself. Without a description of an experiment, which would be the same for all runs
/// below a folder, it also finds the settings of other labs.
pub fn settings<'a>(wall_time: f64, settings: impl Iterator<Item = (&'a str, &'a Value)>) -> Vec<u8> {
    const DATA_CLASS_TENSOR: u64 = 2;
    const DT_FLOAT: u64 = 1;
    let mut start = Vec::new();
    for (name, value) in settings {
        let mut entry = Vec::new();
        put_bytes(&mut entry, ENTRY_KEY, name.as_bytes());
        put_bytes(&mut entry, ENTRY_VALUE, &struct_value(value));
        put_bytes(&mut start, START_HPARAMS, &entry);
    }
    put_double(&mut start, START_TIME, wall_time);
    let mut content = Vec::new();
    put_bytes(&mut content, HPARAMS_START, &start);
    let mut plugin_data = Vec::new();
    put_bytes(&mut plugin_data, PLUGIN_DATA_NAME, b"hparams");
    put_bytes(&mut plugin_data, PLUGIN_DATA_CONTENT, &content);
    let mut metadata = Vec::new();
    put_bytes(&mut metadata, METADATA_PLUGIN_DATA, &plugin_data);
    put_number(&mut metadata, METADATA_DATA_CLASS, DATA_CLASS_TENSOR);
    // Every value of this class has a tensor. This one is a vector without numbers: one dimension, of the
    // size 0.
    let mut shape = Vec::new();
    put_bytes(&mut shape, SHAPE_SIZE, b"");
    let mut tensor = Vec::new();
    put_number(&mut tensor, TENSOR_TYPE, DT_FLOAT);
    put_bytes(&mut tensor, TENSOR_SHAPE, &shape);
    let mut value = Vec::new();
    put_bytes(&mut value, VALUE_TAG, b"_hparams_/session_start_info");
    put_bytes(&mut value, VALUE_TENSOR, &tensor);
    put_bytes(&mut value, VALUE_METADATA, &metadata);
    let mut summary = Vec::new();
    put_bytes(&mut summary, SUMMARY_VALUE, &value);
    let mut event = stamped(wall_time);
    put_bytes(&mut event, EVENT_SUMMARY, &summary);
    event
}

/// The protobuf message `Value` of a setting. Settings are numbers, switches and texts.
fn struct_value(value: &Value) -> Vec<u8> {
    let mut message = Vec::new();
    match value {
        Value::Number(number) => put_double(&mut message, STRUCT_NUMBER, number.as_f64().unwrap_or(f64::NAN)),
        Value::Bool(is_on) => put_number(&mut message, STRUCT_BOOL, u64::from(*is_on)),
        Value::String(text) => put_bytes(&mut message, STRUCT_STRING, text.as_bytes()),
        other => put_bytes(&mut message, STRUCT_STRING, other.to_string().as_bytes()),
    }
    message
}

/// An event with only a time.
fn stamped(wall_time: f64) -> Vec<u8> {
    let mut event = Vec::new();
    put_double(&mut event, EVENT_WALL_TIME, wall_time);
    event
}

/// An event with only a time and a step.
fn at_step(wall_time: f64, step: u64) -> Vec<u8> {
    let mut event = stamped(wall_time);
    put_number(&mut event, EVENT_STEP, step);
    event
}

/// Appends a field that holds a whole number.
fn put_number(out: &mut Vec<u8>, field_number: u64, value: u64) {
    put_key(out, field_number, VARINT);
    put_varint(out, value);
}

/// Appends a field that holds a float of 64 bits.
fn put_double(out: &mut Vec<u8>, field_number: u64, value: f64) {
    put_key(out, field_number, FIXED64);
    out.extend(value.to_le_bytes());
}

/// Appends a field that holds a string or a nested message.
fn put_bytes(out: &mut Vec<u8>, field_number: u64, content: &[u8]) {
    put_key(out, field_number, LENGTH_DELIMITED);
    put_varint(out, content.len() as u64);
    out.extend(content);
}

/// Appends the key of a field: its number, and the wire type in the lowest three bits.
fn put_key(out: &mut Vec<u8>, field_number: u64, wire_type: u64) {
    put_varint(out, field_number << 3 | wire_type);
}

/// Appends a variable-length integer: seven bits per byte, lowest bits first. The top bit of a byte means
/// that another follows.
fn put_varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}
