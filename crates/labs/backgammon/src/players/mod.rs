//! Players: what chooses a play with a trained network, and pubeval, the benchmark they are measured against.

mod lookahead;
mod network;
pub mod pubeval;
mod search_player;
mod trained;

pub use lookahead::{Lookahead, LookaheadPlayer, MAX_PLIES};
pub use network::{Evaluator, NetworkRef};
pub use search_player::{MAX_SIMULATIONS, SearchPlayer};
pub use trained::TrainedNetwork;
