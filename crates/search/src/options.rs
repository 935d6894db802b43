//! The dials of a tree search.

use learnery_kernels::rng::Stream;

/// How a search deals with chance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chance {
    /// Each visit of a play draws anew.
    Sampled,
    /// The visits of a play spread evenly over the probabilities, and all plays of a state see the same sequence, so
    /// that no play looks better for its luck: a Kronecker sequence (steps of the golden ratio) from a random start.
    LowDiscrepancy,
    /// The first visit of a play judges everything that chance may do, and its value is the expectation ever after. A
    /// state is worth what was said of it until its plays were tried, then what the best of them is.
    Exhaustive,
}

/// What makes the root look further than its policy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Noise {
    /// Nothing.
    None,
    /// A share of the policy is a draw from a symmetric Dirichlet distribution (Silver et al., "Mastering the game of
    /// Go without human knowledge", 2017).
    Dirichlet {
        /// Its concentration.
        alpha: f32,
        /// Its share.
        fraction: f32,
    },
    /// So many plays are drawn without replacement and halved in tournaments (Danihelka et al., "Policy improvement by
    /// planning with Gumbel", 2022).
    Gumbel {
        /// Plays that are considered at first.
        considered: u32,
    },
}

/// How a tree grows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// Simulations of a search.
    pub simulations: u32,
    /// Simulations of one tree that may wait for the evaluator together. With one, a search is what it would be without
    /// batches. Those under way count as visits, with no value yet (Liu et al., "Watch the unobserved", 2020).
    pub in_flight: u32,
    /// How much the policy weighs beside values.
    pub cpuct: f32,
    /// First-play urgency: a play that was never tried counts as so much worse than the state.
    pub fpu: f32,
    /// How chance is dealt with.
    pub chance: Chance,
    /// What happens at the root.
    pub noise: Noise,
    /// Where everything random comes from.
    pub stream: Stream,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            simulations: 100,
            in_flight: 1,
            cpuct: 2.0,
            fpu: 0.0,
            chance: Chance::LowDiscrepancy,
            noise: Noise::None,
            stream: Stream::new(0, 0),
        }
    }
}
