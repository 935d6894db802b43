//! The bytes that each token stands for, end to end.

/// One piece of text a token.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Pieces {
    bytes: Vec<u8>,
    /// Where each piece ends.
    ends: Vec<u32>,
}

impl Pieces {
    /// A piece for each of the 256 bytes.
    pub(super) fn bytes() -> Self {
        Self { bytes: (0..=255).collect(), ends: (1..=256).collect() }
    }

    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Nothing for a token that there is not.
    pub(super) fn get(&self, token: u16) -> &[u8] {
        let token = usize::from(token);
        let Some(&end) = self.ends.get(token) else { return &[] };
        let start = token.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.bytes[start as usize..end as usize]
    }

    pub(super) fn push(&mut self, piece: &[u8]) {
        self.bytes.extend_from_slice(piece);
        self.ends.push(self.bytes.len() as u32);
    }

    /// Another piece: that of `left` followed by that of `right`.
    pub(super) fn push_pair(&mut self, [left, right]: [u16; 2]) {
        let piece = [self.get(left), self.get(right)].concat();
        self.push(&piece);
    }
}
