//! The 3x3x3 on the GPU: its table for the device, and the guide of beam searches whose states are scored
//! there.

mod guide;
#[cfg(all(test, not(target_family = "wasm")))]
mod tests;

use learnery_worlds::puzzle::{State, Turn};

pub use guide::DeviceGuide;

use super::network::{DISTANCE_MEAN, DISTANCE_SCALE, Network};
use crate::gpu::{DistanceScale, PackedState, Rules, pack};

/// How an output of the network means a distance, see [`DistanceScale`].
pub const SCALE: DistanceScale = DistanceScale { mean: DISTANCE_MEAN, deviation: DISTANCE_SCALE };

/// The puzzle of a network as a table for the device, with the turns that the network chooses from.
pub fn rules(network: &Network) -> Rules {
    let (puzzle, turns) = (network.puzzle(), network.turns());
    let all = || 0..turns as Turn;
    // A place that a turn leaves alone keeps its piece, and every value stays the same.
    let identity = |place: usize| (place, std::array::from_fn(|value| value as u8));
    let moves = |turn: Turn| {
        let mut places: Vec<_> = (0..puzzle.places()).map(identity).collect();
        for (from, to, values) in puzzle.moves(turn) {
            places[to] = (from, *values);
        }
        places
    };
    let choices = |last: Option<Turn>| {
        let may_follow = |turn: &Turn| last.is_none_or(|last| !puzzle.is_redundant(turns, last, *turn));
        all().filter(may_follow).collect()
    };
    Rules {
        solved: puzzle.solved()[..puzzle.places()].to_vec(),
        values: puzzle.orbits().iter().flat_map(|orbit| vec![orbit.values(); orbit.places]).collect(),
        moves: all().map(moves).collect(),
        inverses: all().map(|turn| puzzle.inverse(turn)).collect(),
        choices: all().map(Some).chain([None]).map(choices).collect(),
    }
}

/// A state as the device reads it.
pub fn packed(state: &State) -> PackedState {
    pack(state)
}
