//! Reads and writes the numbers of jobs and results. Whole numbers are varints: seven bits in each byte, the
//! lowest first; the highest bit says that another byte follows. Every number has one form only, so equal
//! results have equal bytes.

use sha2::{Digest, Sha256};

use super::Refusal;

/// The SHA-256 hash of bytes.
pub fn digest(bytes: &[u8]) -> [u8; 32] {
    Sha256::digest(bytes).into()
}

/// Appends a whole number.
pub fn write_varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Reads bytes from outside. Nothing that it reads can make it panic.
#[derive(Clone, Copy, Debug)]
pub struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    /// The next `n` bytes.
    pub fn bytes(&mut self, n: usize) -> Result<&'a [u8], Refusal> {
        let (bytes, rest) =
            self.rest.split_at_checked(n).ok_or_else(|| Refusal::Damaged("it ends early".into()))?;
        self.rest = rest;
        Ok(bytes)
    }

    /// The next `N` bytes.
    pub fn array<const N: usize>(&mut self) -> Result<[u8; N], Refusal> {
        let mut array = [0; N];
        array.copy_from_slice(self.bytes(N)?);
        Ok(array)
    }

    pub fn byte(&mut self) -> Result<u8, Refusal> {
        Ok(self.array::<1>()?[0])
    }

    pub fn varint(&mut self) -> Result<u64, Refusal> {
        let mut value = 0;
        for shift in (0..u64::BITS).step_by(7) {
            let byte = self.byte()?;
            let bits = u64::from(byte & 0x7f);
            value |= bits << shift;
            let overflows = bits << shift >> shift != bits;
            // A last byte of 0 adds nothing: the number would have a second, longer form.
            let is_padded = byte == 0 && shift > 0;
            if overflows || is_padded {
                break;
            }
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err(Refusal::Damaged("a number in it has no proper form".into()))
    }

    /// A whole number that fits into 32 bits.
    pub fn varint_u32(&mut self) -> Result<u32, Refusal> {
        u32::try_from(self.varint()?).map_err(|_| Refusal::Damaged("a number in it is too large".into()))
    }

    /// What is left.
    pub fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// Refuses bytes that are left over.
    pub fn end(&self) -> Result<(), Refusal> {
        if self.rest.is_empty() {
            return Ok(());
        }
        Err(Refusal::Damaged(format!("{} bytes too many", self.rest.len())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_survive_a_round_trip() {
        for value in [0, 1, 127, 128, 300, 16_383, 16_384, u64::from(u32::MAX), 1 << 62, u64::MAX] {
            let mut bytes = Vec::new();
            write_varint(&mut bytes, value);
            let mut reader = Reader::new(&bytes);
            assert_eq!(reader.varint(), Ok(value));
            assert_eq!(reader.end(), Ok(()));
            assert!(Reader::new(&bytes[..bytes.len() - 1]).varint().is_err(), "{value} cut short");
        }
    }

    #[test]
    fn numbers_have_one_form_only() {
        // Zero in two bytes, 1 in three bytes, and a number of more than 64 bits.
        let too_long = [[0xff; 9].as_slice(), &[0x02]].concat();
        for bytes in [&[0x80, 0x00][..], &[0x81, 0x80, 0x00], &too_long, &[0xff; 12]] {
            assert!(Reader::new(bytes).varint().is_err(), "{bytes:?}");
        }
        assert!(Reader::new(&[0xff; 5]).varint_u32().is_err());
    }
}
