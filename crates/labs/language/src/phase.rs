//! The phases of an iteration (one unit of a run): updates, then an evaluation and a sample where they are
//! due.

/// What the current iteration is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Gradient updates.
    Learning,
    /// Evaluation on held-out data.
    Evaluating,
    /// Generating the sample that is saved with the run.
    Sampling,
}

impl Phase {
    /// The phase that follows this one, given what is due in this iteration; `None` where the iteration ends.
    pub fn next(self, is_evaluation_due: bool, is_sample_due: bool) -> Option<Self> {
        match self {
            Self::Learning if is_evaluation_due => Some(Self::Evaluating),
            // After learning without an evaluation, or after the evaluation.
            Self::Learning | Self::Evaluating if is_sample_due => Some(Self::Sampling),
            Self::Learning | Self::Evaluating | Self::Sampling => None,
        }
    }
}
