//! A block of samples as columns (structure of arrays), so that a vector holds one sample in each lane.

use learnery_kernels::simd::MAX_LANES;

use crate::policy::MAX_ACTIONS;
use crate::rollout::Sample;

/// A block of samples, and for each of them the terms of the loss.
pub struct Columns {
    /// Length of a column: the rows, rounded up to whole vectors.
    len: usize,
    /// // [COLUMNS, len]
    cells: Vec<f32>,
}

/// What a column holds. The first five are the fields of [`Sample`], in its order.
#[derive(Clone, Copy)]
pub(super) enum Column {
    Action,
    LogProb,
    Value,
    Advantage,
    Return,
    PolicyLoss,
    ValueLoss,
    Entropy,
    Kl,
    Clipped,
    /// The gradient at the logarithm of the standard deviation.
    LogStdGradient,
    /// The logits, overwritten by the gradients at them. Takes `MAX_ACTIONS` columns, so it must come last.
    Logits,
}

const COLUMNS: usize = Column::Logits as usize + MAX_ACTIONS;

impl Columns {
    pub fn new(rows: usize) -> Self {
        let len = rows.next_multiple_of(MAX_LANES);
        Self { len, cells: vec![0.0; COLUMNS * len] }
    }

    /// Writes a sample into row `row`.
    pub fn put(&mut self, row: usize, sample: &Sample) {
        let Sample { action, log_prob, value, advantage, ret } = *sample;
        for (column, x) in
            self.cells.chunks_exact_mut(self.len).zip([action, log_prob, value, advantage, ret])
        {
            column[row] = x;
        }
    }

    /// The column `k` places after `column`, from row `at` on.
    #[inline(always)]
    pub(super) fn column(&self, column: Column, k: usize, at: usize) -> &[f32] {
        let begin = (column as usize + k) * self.len;
        &self.cells[begin + at..begin + self.len]
    }

    #[inline(always)]
    pub(super) fn column_mut(&mut self, column: Column, k: usize, at: usize) -> &mut [f32] {
        let begin = (column as usize + k) * self.len;
        &mut self.cells[begin + at..begin + self.len]
    }

    /// Transposes logits into columns. Actions that the world lacks get minus infinity, that is probability 0, so that
    /// one loss serves any number of actions. // logits [rows, actions]
    pub(super) fn put_logits(&mut self, logits: &[f32], actions: usize) {
        for k in 0..MAX_ACTIONS {
            let column = self.column_mut(Column::Logits, k, 0);
            let mut given = logits.chunks_exact(actions).map(|row| row.get(k).copied());
            column.iter_mut().for_each(|to| *to = given.next().flatten().unwrap_or(f32::NEG_INFINITY));
        }
    }
}
