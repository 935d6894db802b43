//! CRC-32 with the polynomial of zlib, eight bytes at a time (slicing-by-8: Kounavis and Berry, "Novel table
//! lookup-based algorithms for high-performance CRC generation", 2008).
//!
//! The tables are computed when they are first used. Those of the crate crc32fast are 16 kB that no
//! compression shortens, in every bundle of the page.

use std::array::from_fn;
use std::sync::LazyLock;

/// The polynomial, with the lowest power in the highest bit.
const POLYNOMIAL: u32 = 0xedb8_8320;

/// `TABLES[i][byte]` is what `byte` adds to the checksum when `i` bytes follow it.
static TABLES: LazyLock<[[u32; 256]; 8]> = LazyLock::new(|| {
    let of_byte = |byte: usize| {
        (0..8).fold(byte as u32, |crc, _| (crc >> 1) ^ if crc & 1 == 1 { POLYNOMIAL } else { 0 })
    };
    let mut tables = [from_fn(of_byte); 8];
    for i in 1..tables.len() {
        tables[i] = from_fn(|byte| shift(&tables[0], tables[i - 1][byte]));
    }
    tables
});

/// The checksum after one more byte, which is zero.
fn shift(table: &[u32; 256], crc: u32) -> u32 {
    (crc >> 8) ^ table[(crc & 0xff) as usize]
}

/// A checksum of bytes that come in several pieces.
pub struct Crc32(u32);

impl Crc32 {
    pub fn new() -> Self {
        Self(u32::MAX)
    }

    pub fn update(&mut self, bytes: &[u8]) {
        let tables = &*TABLES;
        let (blocks, rest) = bytes.as_chunks::<8>();
        for block in blocks {
            let mixed = u64::from_le_bytes(*block) ^ u64::from(self.0);
            let added = mixed.to_le_bytes().into_iter().zip(tables.iter().rev());
            self.0 = added.fold(0, |crc, (byte, table)| crc ^ table[usize::from(byte)]);
        }
        for byte in rest {
            self.0 = shift(&tables[0], self.0 ^ u32::from(*byte));
        }
    }

    pub fn finish(&self) -> u32 {
        !self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksum_is_that_of_crc32fast() {
        let bytes: Vec<u8> = (0..100_u32).map(|i| (i * i) as u8).collect();
        for cut in 0..bytes.len() {
            let mut crc = Crc32::new();
            crc.update(&bytes[..cut / 2]);
            crc.update(&bytes[cut / 2..cut]);
            assert_eq!(crc.finish(), crc32fast::hash(&bytes[..cut]), "{cut} bytes");
        }
    }
}
