//! The options of a tree search.
//!
//! A *play* is a whole turn of one side; see [`crate::Game`]. A *simulation* is one descent from the root to
//! a new node. A *visit* of a play is a simulation that passed through it. PUCT is the rule by which a
//! descent selects plays: mean value plus an exploration term that is large for plays with a high prior and
//! few visits.

use learnery_kernels::rng::Stream;

/// How the search treats chance nodes (dice rolls).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chance {
    /// Every visit of a play samples an outcome.
    Sampled,
    /// The visits of a play follow a low-discrepancy sequence: a Kronecker sequence (multiples of the golden
    /// ratio) from a random start. All plays of a state share the sequence (common random numbers), which
    /// reduces the variance of comparisons.
    LowDiscrepancy,
    /// The first visit of a play evaluates the states after all outcomes, and the play's value is always the
    /// exact expectation over these states. Each further visit follows the outcome that
    /// [`Self::LowDiscrepancy`] would select.
    ///
    /// A state has the evaluator's value until its visited plays have 99 % of the prior probability. Then its
    /// value is the maximum over the visited plays, as in expectimax.
    Exhaustive,
}

/// Random exploration at the root, in addition to PUCT.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Noise {
    None,
    /// Dirichlet noise: `fraction` of the prior is replaced by a sample of a symmetric Dirichlet distribution
    /// (Silver et al., "Mastering the game of Go without human knowledge", 2017).
    Dirichlet {
        /// The parameter of the distribution: small numbers give noise on few plays.
        alpha: f32,
        fraction: f32,
    },
    /// Gumbel AlphaZero: the root samples `considered` plays without replacement by the Gumbel-top-k trick
    /// and selects among them by sequential halving (Danihelka et al., "Policy improvement by planning with
    /// Gumbel", 2022).
    Gumbel {
        considered: u32,
    },
}

/// The options of a search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// Simulations of each search.
    pub simulations: u32,
    /// Simulations of one tree that may wait for the evaluator at the same time. With 1, the search equals a
    /// sequential one. Simulations in flight count as visits without a value (WU-UCT; Liu et al., "Watch the
    /// unobserved", 2020).
    pub in_flight: u32,
    /// The weight of the exploration term of PUCT, relative to values between -1 and 1.
    pub cpuct: f32,
    /// First-play urgency (FPU) reduction: PUCT assumes the value of the state minus this number for a play
    /// without visits.
    pub fpu: f32,
    pub chance: Chance,
    pub noise: Noise,
    /// The source of all random numbers.
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
