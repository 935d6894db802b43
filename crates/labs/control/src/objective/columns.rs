//! A block of samples in columns (a structure of arrays), so that a vector register can load the same field
//! of several samples, one in each lane. A block is as many samples as one forward pass takes; row `i` is its
//! sample `i`.

use learnery_kernels::simd::MAX_LANES;

use crate::policy::{MAX_ACTIONS, MAX_NUMBERS};
use crate::rollout::Sample;

/// A block of samples, and for each sample the terms of its loss.
pub struct Columns {
    /// Length of a column: the number of rows, rounded up to whole vectors.
    len: usize,
    /// All columns, one after the other.
    /// Shape: `[COLUMN_COUNT, len]`.
    cells: Vec<f32>,
}

/// Names of the columns. The value of a name is the index of its column, or of the first one if it has
/// several. The first four are the fields of [`Sample`], in the same order.
#[derive(Clone, Copy)]
pub(super) enum Column {
    LogProb,
    Value,
    Advantage,
    Return,
    // The terms of the loss of each sample.
    PolicyLoss,
    ValueLoss,
    Entropy,
    Kl,
    /// 1 where the clip sets the policy gradient to zero, else 0.
    Clipped,
    /// The numbers of the action: `MAX_NUMBERS` columns.
    Action,
    /// The gradients with respect to the logarithms of the standard deviations: `MAX_NUMBERS` columns.
    LogStdGradient = Self::Action as isize + MAX_NUMBERS as isize,
    /// The logits, later overwritten by their gradients. They take `MAX_ACTIONS` columns.
    Logits = Self::Action as isize + 2 * MAX_NUMBERS as isize,
}

/// The number of columns.
const COLUMN_COUNT: usize = Column::Logits as usize + MAX_ACTIONS;

impl Columns {
    pub fn new(rows: usize) -> Self {
        let len = rows.next_multiple_of(MAX_LANES);
        Self { len, cells: vec![0.0; COLUMN_COUNT * len] }
    }

    /// Writes a sample and its action into row `row`.
    pub fn put(&mut self, row: usize, action: &[f32], sample: &Sample) {
        let Sample { log_prob, value, advantage, ret } = *sample;
        let mut columns = self.cells.chunks_exact_mut(self.len);
        for (column, x) in columns.by_ref().zip([log_prob, value, advantage, ret]) {
            column[row] = x;
        }
        for (k, x) in action.iter().enumerate() {
            self.column_mut(Column::Action, k, row)[0] = *x;
        }
    }

    /// The column with the index `column + k`, from row `at` on. `k` selects the action of `Logits`, or the
    /// number of the action, and is 0 otherwise.
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

    /// Transposes logits into `padded` columns. Actions that the world lacks get a logit of minus infinity,
    /// hence a probability of 0, so the same code serves several numbers of actions.
    ///
    /// Shape: `logits [rows, actions]`.
    pub(super) fn put_logits(&mut self, logits: &[f32], actions: usize, padded: usize) {
        for k in 0..padded {
            let column = self.column_mut(Column::Logits, k, 0);
            let mut logits_of_action = logits.chunks_exact(actions).map(|row| row.get(k).copied());
            column
                .iter_mut()
                .for_each(|to| *to = logits_of_action.next().flatten().unwrap_or(f32::NEG_INFINITY));
        }
    }
}
