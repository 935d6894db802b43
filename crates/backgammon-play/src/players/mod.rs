//! Players: code that chooses plays, by the values of any evaluator or as pubeval, the benchmark player.

mod lookahead;
pub mod pubeval;
mod rolled_plays;
mod search_player;

pub(crate) use lookahead::{CANDIDATE_MARGIN, MAX_CANDIDATES};
pub use lookahead::{Lookahead, LookaheadPlayer, MAX_PLIES, checked_plies};
pub use rolled_plays::RolledPlays;
pub use search_player::{MAX_SIMULATIONS, SearchBuffers, SearchPlayer, search_round_by_afterstates};
