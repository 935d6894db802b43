//! CRC-32C (Castagnoli), masked as in TensorFlow's record files.

const TABLE: [u32; 256] = table();

const fn table() -> [u32; 256] {
    let mut table = [0; 256];
    let mut i = 0;
    while i < 256 {
        let mut word = i as u32;
        let mut bit = 0;
        while bit < 8 {
            // The polynomial 0x1EDC6F41, bits reversed.
            word = (word >> 1) ^ (0x82F6_3B78 & (word & 1).wrapping_neg());
            bit += 1;
        }
        table[i] = word;
        i += 1;
    }
    table
}

fn crc32c(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |crc, byte| (crc >> 8) ^ TABLE[usize::from(crc as u8 ^ byte)])
}

/// The masked checksum. Unmasked, a CRC computed over bytes that contain a CRC would be weak.
pub fn masked(bytes: &[u8]) -> u32 {
    crc32c(bytes).rotate_right(15).wrapping_add(0xA282_EAD8)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Known answers from RFC 3720, appendix B.4.
    #[test]
    fn crc32c_gives_the_known_answers() {
        assert_eq!(crc32c(b""), 0);
        assert_eq!(crc32c(b"123456789"), 0xE306_9283);
        assert_eq!(crc32c(&[0; 32]), 0x8A91_36AA);
        assert_eq!(crc32c(&[0xff; 32]), 0x62A8_AB43);
    }
}
