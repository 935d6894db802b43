//! The checksum CRC-32C (Castagnoli), in the masked form of TensorFlow's record files.

/// The change of the checksum for each value of a byte, so that a byte is processed at once and not bit by
/// bit.
const TABLE: [u32; 256] = compute_table();

/// Castagnoli's polynomial 0x1EDC6F41 with its bits reversed.
const POLYNOMIAL: u32 = 0x82F6_3B78;

/// Computes [`TABLE`] bit by bit.
const fn compute_table() -> [u32; 256] {
    let mut table = [0; 256];
    let mut i = 0;
    while i < 256 {
        let mut word = i as u32;
        let mut bit = 0;
        while bit < 8 {
            // The mask is all ones if the lowest bit is set, otherwise zero.
            let mask = (word & 1).wrapping_neg();
            word = (word >> 1) ^ (POLYNOMIAL & mask);
            bit += 1;
        }
        table[i] = word;
        i += 1;
    }
    table
}

/// The checksum CRC-32C.
fn crc32c(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |crc, byte| (crc >> 8) ^ TABLE[usize::from(crc as u8 ^ byte)])
}

/// The masked checksum, as TensorFlow defines it (`core/lib/hash/crc32c.h`). Without masking, the CRC of data
/// that itself contains a CRC would detect fewer errors.
pub fn masked(bytes: &[u8]) -> u32 {
    const MASK_DELTA: u32 = 0xA282_EAD8;
    crc32c(bytes).rotate_right(15).wrapping_add(MASK_DELTA)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 32 zeros and 32 ones are examples of RFC 3720, appendix B.4; `123456789` has the usual check value of
    /// CRC-32C.
    #[test]
    fn crc32c_matches_published_values() {
        assert_eq!(crc32c(b""), 0);
        assert_eq!(crc32c(b"123456789"), 0xE306_9283);
        assert_eq!(crc32c(&[0; 32]), 0x8A91_36AA);
        assert_eq!(crc32c(&[0xff; 32]), 0x62A8_AB43);
    }
}
