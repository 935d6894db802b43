//! Writes protobuf messages: lists of fields, each with a number and the wire type of its value. `onnx.rs`
//! writes its files with it.

// Wire types: an integer of variable length, bytes behind their length, four bytes.
const VARINT: u64 = 0;
const BYTES: u64 = 2;
const FIXED32: u64 = 5;

/// The bytes of a message.
#[derive(Debug, Default)]
pub struct Message(Vec<u8>);

impl Message {
    pub fn into_bytes(self) -> Vec<u8> {
        self.0
    }

    /// Appends a field with an integer. Negative ones take ten bytes.
    pub fn int(&mut self, field: u64, value: i64) {
        self.push_key(field, VARINT);
        self.push_varint(value as u64);
    }

    /// Appends a field with a float.
    pub fn float(&mut self, field: u64, value: f32) {
        self.push_key(field, FIXED32);
        self.0.extend(value.to_le_bytes());
    }

    /// Appends a field with bytes.
    pub fn bytes(&mut self, field: u64, value: &[u8]) {
        self.push_key(field, BYTES);
        self.push_varint(value.len() as u64);
        self.0.extend(value);
    }

    /// Appends a field with a text.
    pub fn text(&mut self, field: u64, value: &str) {
        self.bytes(field, value.as_bytes());
    }

    /// Appends a field with a message.
    pub fn message(&mut self, field: u64, value: &Self) {
        self.bytes(field, &value.0);
    }

    /// Appends the key of a field: its number, and the wire type in the lowest three bits.
    fn push_key(&mut self, field: u64, wire_type: u64) {
        self.push_varint(field << 3 | wire_type);
    }

    /// Appends a number with seven bits per byte, lowest bits first. The top bit of a byte means that another
    /// follows.
    fn push_varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.0.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }
}
