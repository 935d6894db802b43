//! The 2x2x2 as tables for the GPU.

use learnery_worlds::cube::{CORNERS, Metric, STATES, State, Turn, corners, inverse, turns};

use super::network::{DISTANCE_MEAN, DISTANCE_SCALE};
use super::scramble::random_turn;
use super::state_space::StateSpace;
use crate::gpu::{Classes, Coordinate, DistanceScale, Indexed, Rules};

/// How an output of the network means a distance, see [`DistanceScale`].
pub const SCALE: DistanceScale = DistanceScale { mean: DISTANCE_MEAN, deviation: DISTANCE_SCALE };

/// The number of twists of six corners. The index of a state is the index of its permutation times this
/// number, plus the index of its twists.
const TWISTS: usize = 729;

/// What the network reads of states in the encoding by corners, and the turns of scrambles.
pub fn rules(metric: Metric) -> Rules {
    let all = || 0..metric.turns() as Turn;
    Rules {
        // The value of a place is three times the number of the corner there, plus its twist.
        solved: (0..CORNERS).map(|corner| 3 * corner as u8).collect(),
        values: vec![3 * CORNERS; CORNERS],
        // The tables of `indexed` make the turns.
        moves: Vec::new(),
        inverses: all().map(inverse).collect(),
        choices: all().map(Some).chain([None]).map(|last| turns_after(last, metric)).collect(),
    }
}

/// Tables of the states by their index, see [`Indexed`]: the coordinates are permutation and twists. With
/// them the classes of symmetric states, if these are learned.
pub fn indexed(space: &StateSpace) -> Indexed<'static> {
    let count = space.metric().turns() as Turn;
    let after = |state: usize| (0..count).map(move |turn| turns().after(state as State, turn) as usize);
    let permutations = Coordinate {
        turns: (0..STATES / TWISTS)
            .map(|i| after(TWISTS * i).map(|state| (state / TWISTS) as u16).collect())
            .collect(),
        values: (0..STATES / TWISTS)
            .map(|i| corners((TWISTS * i) as State).corner.iter().map(|corner| 3 * corner).collect())
            .collect(),
    };
    let twists = Coordinate {
        turns: (0..TWISTS).map(|i| after(i).map(|state| (state % TWISTS) as u16).collect()).collect(),
        values: (0..TWISTS).map(|i| corners(i as State).twist.to_vec()).collect(),
    };
    let classes = space.quotient.as_ref().map(|quotient| quotient.classes).map(|classes| {
        let (of_states, states) = classes.tables();
        Classes { of_states, states }
    });
    Indexed { coordinates: [permutations, twists], classes }
}

/// The turns among which a scramble chooses after `last`, in the order in which random words select them.
fn turns_after(last: Option<Turn>, metric: Metric) -> Vec<Turn> {
    let count = match (metric, last) {
        (_, None) => metric.turns(),
        // All but the inverse of the last turn.
        (Metric::Quarter, Some(_)) => 5,
        // All but the three turns of the same face.
        (Metric::Half, Some(_)) => 6,
    };
    // `random_turn` divides the random words into `count` equal ranges, one for each turn. This is the middle
    // of a range.
    let word = |choice: usize| ((2 * choice as u64 + 1) << 32) / (2 * count as u64);
    (0..count).map(|choice| random_turn(word(choice) as u32, last, metric)).collect()
}
