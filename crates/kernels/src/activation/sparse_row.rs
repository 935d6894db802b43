//! Sparse rows: a mask selects few columns, such as the 20 legal moves among several hundred.
//!
//! The selected values are gathered into a short slice, the computation runs on it, and the results are
//! scattered back. They are bit-identical to a computation on the whole row: masked columns would only add
//! zeros to the sums, and every value is added to the same partial sum as in [`crate::simd::fold`].

use crate::simd::{MAX_LANES, PartialSums, Simd, load_padded};

/// The largest number of selected columns. If more columns or more than a quarter of the row are selected,
/// computing on the whole row is faster.
const MAX_COLUMNS: usize = 128;

/// The number of mask bytes that are tested at once.
const BLOCK: usize = 64;

/// Column indices are written in groups of this size, and the last group is filled up with meaningless
/// indices: a branch for each index would often be mispredicted, which costs more than the extra stores.
const STORES: usize = 4;

/// The columns that a mask selects, in ascending order. Only the first `count` entries of `columns` are
/// meaningful; the rest is overwritten freely by [`SparseRow::push_block`].
pub(crate) struct SparseRow {
    columns: [u32; MAX_COLUMNS + STORES],
    count: usize,
}

impl SparseRow {
    /// The columns whose byte in `mask` is not zero, or `None` if there are too many to gather.
    #[inline(always)]
    pub fn from_mask<S: Simd>(s: S, mask: &[u8]) -> Option<Self> {
        let max_columns = MAX_COLUMNS.min(mask.len() / 4);
        let mut sparse = Self { columns: [0; MAX_COLUMNS + STORES], count: 0 };
        let (blocks, rest) = mask.as_chunks();
        for (i, block) in blocks.iter().enumerate() {
            sparse.push_block(i, s.nonzero(block), max_columns)?;
        }
        if !rest.is_empty() {
            let mut padded = [0; BLOCK];
            padded[..rest.len()].copy_from_slice(rest);
            sparse.push_block(blocks.len(), s.nonzero(&padded), max_columns)?;
        }
        Some(sparse)
    }

    /// Appends the columns of mask block `block` whose bit in `selected` is set. Returns `None` if that makes
    /// more than `max_columns` columns.
    #[inline(always)]
    fn push_block(&mut self, block: usize, mut selected: u64, max_columns: usize) -> Option<()> {
        let count = self.count + selected.count_ones() as usize;
        if count > max_columns.min(MAX_COLUMNS) {
            return None;
        }
        let first = (block * BLOCK) as u32;
        let mut end = self.count;
        loop {
            for column in &mut self.columns[end..end + STORES] {
                // The lowest set bit, which is then cleared.
                *column = first + selected.trailing_zeros();
                selected &= selected.wrapping_sub(1);
            }
            end += STORES;
            if end >= count {
                self.count = count;
                return Some(());
            }
        }
    }

    /// The selected columns in ascending order.
    #[inline(always)]
    pub fn columns(&self) -> &[u32] {
        &self.columns[..self.count]
    }

    /// Gathers the selected values of `row`.
    /// Shape: `[columns]`.
    #[inline(always)]
    pub fn gather<'a>(&self, row: &[f32], values: &'a mut [f32; MAX_COLUMNS]) -> &'a mut [f32] {
        let values = &mut values[..self.count];
        for (value, column) in values.iter_mut().zip(self.columns()) {
            *value = row[*column as usize];
        }
        values
    }

    /// Writes `values` to the selected columns of `row` and `elsewhere` to all other columns.
    #[inline(always)]
    pub fn scatter(&self, row: &mut [f32], elsewhere: f32, values: &[f32]) {
        row.fill(elsewhere);
        for (value, column) in values.iter().zip(self.columns()) {
            row[*column as usize] = *value;
        }
    }

    /// The partial sums that [`crate::simd::fold`] would give for the whole row with zeros in all other
    /// columns.
    #[inline(always)]
    pub fn partial_sums<S: Simd>(&self, s: S, values: &[f32]) -> PartialSums<S::F> {
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

/// Stack space for gathered values.
pub(crate) fn gather_buffer() -> [f32; MAX_COLUMNS] {
    [0.0; MAX_COLUMNS]
}
