//! How a tool or a command searches for a solution of the 3x3x3 ([`AnytimeSearch`]): with two beams of one
//! width, from a state and from its inverse, or with wider and wider beams for as long as there is time.

use learnery_worlds::puzzle::{Puzzle, State, Turn};

use super::network::Network;
use super::search::{AnytimeSearch, MAX_DEPTH, Variant};
use crate::beam::Limits;
use crate::config::TurnMetric;

/// How to search.
#[derive(Clone, Debug)]
pub struct SearchPlan {
    /// The width (most states in a layer) of the first beams, and of the last ones.
    pub widths: [usize; 2],
    variants: Vec<Variant>,
    metric: TurnMetric,
}

impl SearchPlan {
    /// The width of the first beams, unless another is asked for.
    pub const FIRST_WIDTH: usize = 1024;

    /// The widest beam of a search that widens, unless another is asked for.
    pub const LAST_WIDTH: usize = 1 << 20;

    /// Two beams of one width, one from the state and one from its inverse: the same turns in reverse order
    /// solve both, but the network predicts differently. The result does not depend on the time.
    pub fn fixed(network: &Network, width: usize, metric: TurnMetric) -> Self {
        // The first two variants are the state itself and its inverse.
        let variants = AnytimeSearch::all_variants(network.puzzle())[..2].to_vec();
        Self { widths: [width; 2], variants, metric }
    }

    /// Wider and wider beams, from the first of these widths to the second. They start from all variants of
    /// the state: its images under the symmetries of the cube, and their inverses.
    pub fn widening(network: &Network, widths: [usize; 2], metric: TurnMetric) -> Self {
        let variants = AnytimeSearch::all_variants(network.puzzle());
        Self { widths, variants, metric }
    }

    /// What counts as one turn.
    pub fn metric(&self) -> TurnMetric {
        self.metric
    }

    /// The share of the work that is done after this many searches. Only for a plan of one width, whose
    /// searches all cost about as much.
    pub fn share_after(&self, searches: u32) -> f64 {
        (f64::from(searches) / self.variants.len() as f64).min(1.0)
    }

    /// The most memory that a search takes, in bytes.
    pub fn bytes(&self, network: &Network) -> u64 {
        Limits { turns: network.turns(), width: self.widths[1], max_depth: MAX_DEPTH }.bytes()
    }

    /// Begins the search from a state.
    pub fn begin(&self, network: &Network, start: &State) -> AnytimeSearch {
        AnytimeSearch::new(network, start, self.widths, self.variants.clone(), self.metric)
    }
}

/// The state that `stickers` show, if they are given, or else the one that a scramble leads to from the
/// solved cube.
pub fn read_state(puzzle: &Puzzle, scramble: &str, stickers: Option<&str>) -> Result<State, String> {
    match stickers {
        Some(stickers) => puzzle.from_text(stickers),
        None => puzzle.parse(scramble).map(|turns| puzzle.after_all(&puzzle.solved(), &turns)),
    }
}

/// A solution in standard notation.
pub fn notation(puzzle: &Puzzle, turns: &[Turn], metric: TurnMetric) -> String {
    match metric {
        TurnMetric::Quarter => puzzle.format(turns),
        TurnMetric::Half => puzzle.format(&puzzle.merged(turns)),
    }
}
