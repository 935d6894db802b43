//! The shipped network, and its errors beside known equities.

use learnery_backgammon::networks::TrainedNetwork;
use learnery_backgammon_play::players::{Lookahead, LookaheadPlayer};
use learnery_lab::Checkpoint;
use learnery_worlds::backgammon::Board;

pub const FILE: &[u8] = include_bytes!("../../../../../models/backgammon.safetensors");

pub fn checkpoint() -> Checkpoint {
    Checkpoint::from_bytes(FILE).expect("our own file can be read")
}

pub fn network() -> TrainedNetwork {
    TrainedNetwork::from_checkpoint(&checkpoint()).expect("our own network")
}

/// The root mean square errors of the network's equities at 0 and 1 plies.
pub fn errors(network: &TrainedNetwork, positions: &[(Board, f64)]) -> [f64; 2] {
    [0, 1].map(|plies| {
        let mut player = LookaheadPlayer::new(network, Lookahead { plies });
        let square = |(board, truth): &(Board, f64)| {
            (f64::from(player.value(network, board).equity()) - truth).powi(2)
        };
        (positions.iter().map(square).sum::<f64>() / positions.len() as f64).sqrt()
    })
}
