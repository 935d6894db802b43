//! Rows of which a mask leaves little: the legal moves of a position, twenty of some hundreds.
//!
//! What is there is gathered, computed and put back. Everything has the bits of the whole row's passes: what is not there
//! adds zeros to their sums, and each value goes to the same one of the sixteen parts ([`crate::simd::fold`]).

use crate::simd::{MAX_LANES, PartialSums, Simd, load_padded};

/// The most values that are gathered. From a quarter of the row on they are not worth the search.
const MOST: usize = 128;

/// Bytes of the mask that are searched at once.
const BLOCK: usize = 64;

/// Places that are written for a block, whether there is anything or not: which blocks hold how much is as good as
/// random, and a branch on it costs more than the stores.
const AHEAD: usize = 4;

/// The columns that a mask leaves of a row, where they are few.
pub(crate) struct SparseRow {
    columns: [u32; MOST + AHEAD],
    count: usize,
}

impl SparseRow {
    /// Those whose byte in `mask` is not zero; none at all where there are many.
    #[inline(always)]
    pub fn of<S: Simd>(s: S, mask: &[u8]) -> Option<Self> {
        let most = MOST.min(mask.len() / 4);
        let mut few = Self { columns: [0; MOST + AHEAD], count: 0 };
        let (blocks, rest) = mask.as_chunks();
        for (i, block) in blocks.iter().enumerate() {
            few.add(i, s.nonzero(block), most)?;
        }
        if !rest.is_empty() {
            let mut padded = [0; BLOCK];
            padded[..rest.len()].copy_from_slice(rest);
            few.add(blocks.len(), s.nonzero(&padded), most)?;
        }
        Some(few)
    }

    /// Adds those of block `block` that have a one in `there`, unless that makes more than `most`, of which there is room
    /// for [`MOST`].
    #[inline(always)]
    fn add(&mut self, block: usize, mut there: u64, most: usize) -> Option<()> {
        let count = self.count + there.count_ones() as usize;
        if count > most.min(MOST) {
            return None;
        }
        let first = (block * BLOCK) as u32;
        let mut at = self.count;
        loop {
            for column in &mut self.columns[at..at + AHEAD] {
                *column = first + there.trailing_zeros();
                there &= there.wrapping_sub(1);
            }
            at += AHEAD;
            if at >= count {
                self.count = count;
                return Some(());
            }
        }
    }

    /// The columns, in their order.
    #[inline(always)]
    pub fn columns(&self) -> &[u32] {
        &self.columns[..self.count]
    }

    /// Gathers what `row` holds there. // as many values as there are columns
    #[inline(always)]
    pub fn gather<'a>(&self, row: &[f32], values: &'a mut [f32; MOST]) -> &'a mut [f32] {
        let values = &mut values[..self.count];
        for (value, column) in values.iter_mut().zip(self.columns()) {
            *value = row[*column as usize];
        }
        values
    }

    /// Makes all of `row` `elsewhere`, and then puts `values` back.
    #[inline(always)]
    pub fn scatter(&self, row: &mut [f32], elsewhere: f32, values: &[f32]) {
        row.fill(elsewhere);
        for (value, column) in values.iter().zip(self.columns()) {
            row[*column as usize] = *value;
        }
    }

    /// The sums of `values` as [`crate::simd::fold`] would leave them after the whole row.
    #[inline(always)]
    pub fn parts<S: Simd>(&self, s: S, values: &[f32]) -> PartialSums<S::F> {
        let mut sums = [0.0; MAX_LANES];
        for (value, column) in values.iter().zip(self.columns()) {
            sums[*column as usize % MAX_LANES] += value;
        }
        let mut parts = [s.splat(0.0); _];
        for (part, sums) in parts.iter_mut().zip(sums.chunks_exact(S::LANES)) {
            *part = load_padded(s, sums, 0.0);
        }
        parts
    }
}

/// A place to gather values in.
pub(crate) fn room() -> [f32; MOST] {
    [0.0; MOST]
}
