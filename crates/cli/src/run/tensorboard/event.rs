//! Encodes TensorFlow's protobuf message `Event`, in which TensorBoard files store scalars.
//!
//! A protobuf message is a list of fields, each with a number and a wire type (the encoding of its value).

// Numbers of fields, each named after its message and the field, from TensorFlow's `event.proto` and
// `summary.proto`.
const EVENT_WALL_TIME: u64 = 1;
const EVENT_STEP: u64 = 2;
const EVENT_FILE_VERSION: u64 = 3;
const EVENT_SUMMARY: u64 = 5;
const EVENT_SESSION_LOG: u64 = 7;
const SUMMARY_VALUE: u64 = 1;
const VALUE_TAG: u64 = 1;
const VALUE_SIMPLE_VALUE: u64 = 2;
const SESSION_LOG_STATUS: u64 = 1;

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
    put_key(&mut log, SESSION_LOG_STATUS, VARINT);
    put_varint(&mut log, START);
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

/// An event with only a time.
fn stamped(wall_time: f64) -> Vec<u8> {
    let mut event = Vec::new();
    put_key(&mut event, EVENT_WALL_TIME, FIXED64);
    event.extend(wall_time.to_le_bytes());
    event
}

/// An event with only a time and a step.
fn at_step(wall_time: f64, step: u64) -> Vec<u8> {
    let mut event = stamped(wall_time);
    put_key(&mut event, EVENT_STEP, VARINT);
    put_varint(&mut event, step);
    event
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
