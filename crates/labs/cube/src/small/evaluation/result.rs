//! The result of an exhaustive evaluation of the greedy policy, which makes the turn with the best score,
//! again and again. It starts from every state (or from every state near enough to solved), so the counts are
//! exact.

/// Number of distances: 0 to 14 in quarter turns. If a half turn counts as one turn, 0 to 11 occur.
pub const DISTANCES: usize = 15;

/// Statistics of the greedy policy for each distance of the starting state from solved. A mean or fraction of
/// no states is NaN.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GreedyEvaluation {
    /// Number of starting states.
    pub states: [u64; DISTANCES],
    /// Number of starting states from which the policy solves the cube.
    pub solved: [u64; DISTANCES],
    /// The sum over the solved states of the turns beyond the shortest solution.
    pub excess: [u64; DISTANCES],
}

impl GreedyEvaluation {
    /// The fraction of all starting states that is solved.
    pub fn solved_fraction(&self) -> f64 {
        self.solved.iter().sum::<u64>() as f64 / self.states.iter().sum::<u64>() as f64
    }

    /// The fraction solved at a distance.
    pub fn solved_fraction_at(&self, distance: usize) -> f64 {
        self.solved[distance] as f64 / self.states[distance] as f64
    }

    /// The fraction solved of the starting states up to a distance.
    pub fn solved_fraction_within(&self, distance: usize) -> f64 {
        let sum = |counts: &[u64; DISTANCES]| counts[..=distance].iter().sum::<u64>() as f64;
        sum(&self.solved) / sum(&self.states)
    }

    /// Turns beyond the shortest solution, on average over all solved states.
    pub fn mean_excess(&self) -> f64 {
        self.excess.iter().sum::<u64>() as f64 / self.solved.iter().sum::<u64>() as f64
    }

    /// Turns beyond the shortest solution, on average over the solved states at a distance.
    pub fn mean_excess_at(&self, distance: usize) -> f64 {
        self.excess[distance] as f64 / self.solved[distance] as f64
    }
}
