//! The vocabulary of a tokenizer: the byte string that each token stands for. Tokens are numbered from 0.

/// The byte strings of all tokens, concatenated in one buffer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Vocabulary {
    bytes: Vec<u8>,
    /// End of each token's bytes in `bytes`.
    ends: Vec<u32>,
}

impl Vocabulary {
    /// The 256 single bytes.
    pub(super) fn bytes() -> Self {
        Self { bytes: (0..=255).collect(), ends: (1..=256).collect() }
    }

    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The bytes of a token; empty for an unknown one.
    pub(super) fn get(&self, token: u16) -> &[u8] {
        let token = usize::from(token);
        let Some(&end) = self.ends.get(token) else { return &[] };
        // A token begins where the one before ends.
        let start = token.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.bytes[start as usize..end as usize]
    }

    /// Appends a token.
    pub(super) fn push(&mut self, token: &[u8]) {
        self.bytes.extend_from_slice(token);
        self.ends.push(self.bytes.len() as u32);
    }

    /// Appends a token that is the concatenation of the tokens `left` and `right`.
    pub(super) fn push_pair(&mut self, [left, right]: [u16; 2]) {
        let token = [self.get(left), self.get(right)].concat();
        self.push(&token);
    }
}
