//! TFRecord framing: each record is its length (8 bytes), the checksum of the length (4), the content, and
//! the checksum of the content (4). All numbers are little-endian.

use super::crc32c::masked;

/// Encodes one record.
pub fn frame(bytes: &[u8]) -> Vec<u8> {
    const OVERHEAD_BYTES: usize = 16;
    let length = (bytes.len() as u64).to_le_bytes();
    let mut record = Vec::with_capacity(bytes.len() + OVERHEAD_BYTES);
    record.extend(length);
    record.extend(masked(&length).to_le_bytes());
    record.extend(bytes);
    record.extend(masked(bytes).to_le_bytes());
    record
}

/// Decodes all records of a file. Panics if a checksum is wrong.
#[cfg(test)]
pub fn unframe(mut file: &[u8]) -> Vec<Vec<u8>> {
    let mut records = Vec::new();
    while !file.is_empty() {
        let length = u64::from_le_bytes(file[..8].try_into().unwrap()) as usize;
        assert_eq!(file[8..12], masked(&file[..8]).to_le_bytes());
        let bytes = &file[12..12 + length];
        assert_eq!(file[12 + length..16 + length], masked(bytes).to_le_bytes());
        records.push(bytes.to_vec());
        file = &file[16 + length..];
    }
    records
}
