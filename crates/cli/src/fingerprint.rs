//! The fingerprint that a run is expected to end with (`learnery train --expect`).

use std::str::FromStr;

/// The fewest digits that count as a fingerprint.
const MIN_DIGITS: usize = 8;

/// The hexadecimal digits of a fingerprint, a hash of 32 bytes.
const DIGITS: usize = 64;

/// The first digits of an expected fingerprint, or all of them, in lower case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExpectedFingerprint(String);

impl ExpectedFingerprint {
    pub fn matches(&self, fingerprint: &str) -> bool {
        fingerprint.starts_with(&self.0)
    }

    pub fn digits(&self) -> &str {
        &self.0
    }
}

impl FromStr for ExpectedFingerprint {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let is_valid =
            (MIN_DIGITS..=DIGITS).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_hexdigit());
        if !is_valid {
            return Err(format!("a fingerprint has {MIN_DIGITS} to {DIGITS} hexadecimal digits"));
        }
        Ok(Self(text.to_ascii_lowercase()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expected_fingerprint_matches_by_its_first_digits() {
        let expected: ExpectedFingerprint = "0123ABCD".parse().unwrap();
        assert!(expected.matches("0123abcdef") && !expected.matches("0123abce"));
    }

    #[test]
    fn text_that_is_no_fingerprint_is_rejected() {
        for text in ["", "0123abc", "0123abcg", "é0123456", &"0".repeat(65)] {
            assert!(text.parse::<ExpectedFingerprint>().is_err(), "{text}");
        }
    }
}
