//! Players: code that chooses plays, with a trained network or as pubeval, the benchmark player.

mod lookahead;
mod network;
pub mod pubeval;
mod rolled_plays;
mod search_player;
mod trained;

pub use lookahead::{Lookahead, LookaheadPlayer, MAX_PLIES, checked_plies};
pub use network::{Evaluator, NetworkRef};
pub use rolled_plays::RolledPlays;
pub use search_player::{MAX_SIMULATIONS, SearchPlayer};
pub use trained::TrainedNetwork;
