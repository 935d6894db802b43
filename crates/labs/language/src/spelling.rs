//! Bytes as they come, told as text as soon as they are whole characters.

/// Bytes of a character that has not ended yet.
#[derive(Clone, Debug, Default)]
pub struct Spelling {
    pending: Vec<u8>,
}

impl Spelling {
    /// What ends with these bytes. Bytes that can be no character are shown as `\u{fffd}`.
    pub fn push(&mut self, bytes: &[u8]) -> String {
        self.pending.extend_from_slice(bytes);
        let mut text = String::new();
        loop {
            match std::str::from_utf8(&self.pending) {
                Ok(whole) => {
                    text.push_str(whole);
                    self.pending.clear();
                    return text;
                }
                Err(error) => {
                    let (whole, rest) = self.pending.split_at(error.valid_up_to());
                    text.push_str(&String::from_utf8_lossy(whole));
                    let Some(bad) = error.error_len() else {
                        self.pending = rest.to_vec();
                        return text;
                    };
                    text.push(char::REPLACEMENT_CHARACTER);
                    self.pending = rest[bad..].to_vec();
                }
            }
        }
    }

    /// What stands for a character that never ended.
    pub fn end(&mut self) -> &'static str {
        let left = !std::mem::take(&mut self.pending).is_empty();
        if left { "\u{fffd}" } else { "" }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_cutting_gives_the_text() {
        let text = "naïve 😀 — ok";
        for size in 1..6 {
            let mut spelling = Spelling::default();
            let told: String = text.as_bytes().chunks(size).map(|bytes| spelling.push(bytes)).collect();
            assert_eq!((told.as_str(), spelling.end()), (text, ""), "{size}");
        }
    }

    #[test]
    fn what_is_no_character_is_shown_once() {
        let mut spelling = Spelling::default();
        assert_eq!(spelling.push(b"a\xffb\xe2\x82"), "a\u{fffd}b");
        assert_eq!(spelling.push(b"c"), "\u{fffd}c");
        assert_eq!(spelling.push(b"\xe2"), "");
        assert_eq!(spelling.end(), "\u{fffd}");
    }
}
