//! Encodes TensorFlow's protobuf message `Event`, in which TensorBoard files store scalars.
//!
//! Field numbers from TensorFlow's `event.proto` and `summary.proto`: Event { wall_time = 1, step = 2,
//! file_version = 3, summary = 5, session_log = 7 }, Summary { value = 1 }, Summary.Value { tag = 1,
//! simple_value = 2 }, SessionLog { status = 1 }.

// Wire types of protobuf.
const VARINT: u64 = 0;
const FIXED64: u64 = 1;
const BYTES: u64 = 2;
const FIXED32: u64 = 5;

/// The first event of every file, which contains the version of the format. `wall_time` is in seconds since 1970.
pub fn file_version(wall_time: f64) -> Vec<u8> {
    let mut event = stamped(wall_time);
    bytes(&mut event, 3, b"brain.Event:2");
    event
}

/// The event that marks that a run was continued. TensorBoard then discards events of older files from `step` on.
pub fn session_start(wall_time: f64, step: u64) -> Vec<u8> {
    const START: u64 = 1;
    let mut log = Vec::new();
    key(&mut log, 1, VARINT);
    varint(&mut log, START);
    let mut event = at_step(wall_time, step);
    bytes(&mut event, 7, &log);
    event
}

/// An event with the values of metrics, by name, at a step.
pub fn scalars(wall_time: f64, step: u64, values: impl Iterator<Item = (&'static str, f64)>) -> Vec<u8> {
    let mut summary = Vec::new();
    for (tag, value) in values {
        let mut entry = Vec::new();
        bytes(&mut entry, 1, tag.as_bytes());
        key(&mut entry, 2, FIXED32);
        entry.extend((value as f32).to_le_bytes());
        bytes(&mut summary, 1, &entry);
    }
    let mut event = at_step(wall_time, step);
    bytes(&mut event, 5, &summary);
    event
}

/// An event with only a time.
fn stamped(wall_time: f64) -> Vec<u8> {
    let mut event = Vec::new();
    key(&mut event, 1, FIXED64);
    event.extend(wall_time.to_le_bytes());
    event
}

/// An event with only a time and a step.
fn at_step(wall_time: f64, step: u64) -> Vec<u8> {
    let mut event = stamped(wall_time);
    key(&mut event, 2, VARINT);
    varint(&mut event, step);
    event
}

/// Appends a field with the bytes of a string or of a nested message.
fn bytes(out: &mut Vec<u8>, number: u64, content: &[u8]) {
    key(out, number, BYTES);
    varint(out, content.len() as u64);
    out.extend(content);
}

/// Appends the key of a field: its number, and the wire type in the lowest three bits.
fn key(out: &mut Vec<u8>, number: u64, wire_type: u64) {
    varint(out, number << 3 | wire_type);
}

/// Appends a variable-length integer: seven bits per byte, lowest bits first. The top bit of a byte means that another follows.
fn varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}
