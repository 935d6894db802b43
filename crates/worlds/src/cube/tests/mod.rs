//! Tests of the cube's tables against its geometry and against published numbers.

mod stickers_and_notation;

use super::geometry::{Orientation, SOLVED_FACELETS, turn_layer, turn_whole};
use super::state::{facelets_of, state_and_rotation};
use super::turns::AXES;
use super::*;

/// Three thousand states spread over all indices: multiples of a prime, so that none comes twice.
pub fn sample_states() -> impl Iterator<Item = State> {
    (0..3000u64).map(|i| (i * 2_654_435_761 % STATES as u64) as State)
}

#[test]
fn state_indices_round_trip() {
    for state in sample_states().chain([SOLVED, STATES as State - 1]) {
        assert_eq!(state_of(&corners(state)), state);
        assert_eq!(state_and_rotation(&facelets_of(state)), (state, Orientation::IDENTITY));
        assert_eq!(corners(state).twist.iter().sum::<u8>() % 3, 0);
    }
    assert_eq!(facelets_of(SOLVED), SOLVED_FACELETS);
}

/// Compares the transition tables with turning every sticker.
#[test]
fn turns_agree_with_moving_stickers() {
    for state in sample_states() {
        for turn in 0..TURNS as Turn {
            let mut facelets = facelets_of(state);
            for _ in 0..turns::quarters(turn) {
                facelets = turn_layer(&facelets, AXES[usize::from(face(turn))], true);
            }
            let after = turns().after(state, turn);
            assert_eq!(
                state_and_rotation(&facelets),
                (after, Orientation::IDENTITY),
                "turn {turn} of state {state}"
            );
            assert_eq!(turns().after(after, inverse(turn)), state);
        }
        // Any turn will do.
        assert_eq!(turns().neighbours::<TURNS>(state)[7], turns().after(state, 7));
    }
}

#[test]
fn distances_have_the_published_counts() {
    let quarter =
        [1, 6, 27, 120, 534, 2256, 8969, 33058, 114149, 360508, 930588, 1350852, 782536, 90280, 276];
    let half = [1, 9, 54, 321, 1847, 9992, 50136, 227536, 870072, 1887748, 623800, 2644];
    assert_eq!(distances(Metric::Quarter).counts(), quarter);
    assert_eq!(distances(Metric::Half).counts(), half);
    assert_eq!(quarter.iter().sum::<u32>() as usize, STATES);
    assert_eq!(quarter.len(), 1 + Metric::Quarter.diameter());
    assert_eq!(half.len(), 1 + Metric::Half.diameter());
}

/// A turn changes the distance by at most one, and at least one turn decreases it.
#[test]
fn distances_of_neighbours_are_consistent() {
    for metric in [Metric::Quarter, Metric::Half] {
        let known = distances(metric);
        for state in sample_states() {
            let here = known.of(state);
            let around = (0..metric.turns() as Turn).map(|turn| known.of(turns().after(state, turn)));
            let (min, max) = around.fold((usize::MAX, 0), |(min, max), d| (d.min(min), d.max(max)));
            assert!(max <= here + 1 && (min + 1 == here || here == 0));
            let path = shortest_solution(state, metric);
            let end = path.iter().fold(state, |state, turn| turns().after(state, *turn));
            assert_eq!((path.len(), end), (here, SOLVED));
        }
    }
}

#[test]
fn orientations_form_a_group() {
    let all = Orientation::all();
    for (i, a) in all.iter().enumerate() {
        // The reflections come after the 24 rotations.
        assert_eq!(a.is_mirrored(), i >= 24);
        assert_eq!(a.after(a.inverse()), Orientation::IDENTITY);
        assert!(all[..i].iter().all(|other| other != a));
        for b in &all {
            let both = a.after(*b);
            assert!((0..24).all(|facelet| both.facelet(facelet) == a.facelet(b.facelet(facelet))));
        }
    }
}

/// All states of a class have the same distance in both metrics. The neighbours of a state by quarter turns
/// are in the same classes as those of its class's representative, or of the inverse of that state.
#[test]
fn symmetry_classes_preserve_distances_and_neighbours() {
    let classes = symmetry_classes();
    assert_eq!(classes.sizes().iter().map(|n| *n as usize).sum::<usize>(), STATES);
    // 48 symmetries, each with and without inversion, give 96 images of a state. A class is an orbit, so its
    // size divides 96.
    assert!(classes.sizes().iter().all(|size| 96 % size == 0));
    for metric in [Metric::Quarter, Metric::Half] {
        let known = distances(metric);
        for state in 0..STATES as State {
            let representative = classes.representative(classes.of(state));
            assert!(representative <= state, "state {state}");
            assert_eq!(known.of(representative), known.of(state), "state {state}");
        }
    }
    let around = |state: State| {
        let mut neighbours = turns().neighbours::<6>(state).map(|after| classes.of(after));
        neighbours.sort_unstable();
        neighbours
    };
    for state in sample_states() {
        let representative = classes.representative(classes.of(state));
        let inverted = |state| {
            // The inverse permutation of the facelets.
            let mut facelets = SOLVED_FACELETS;
            for (facelet, home) in facelets_of(state).into_iter().enumerate() {
                facelets[usize::from(home)] = facelet as u8;
            }
            state_and_rotation(&facelets).0
        };
        // Inversion maps turns after a state to turns before it, so the inverse state may have other
        // neighbours.
        assert!(around(state) == around(representative) || around(inverted(state)) == around(representative));
    }
}

/// Conjugates states by every symmetry in the straightforward way.
#[test]
fn symmetry_classes_contain_all_conjugates() {
    let classes = symmetry_classes();
    for state in sample_states().step_by(10) {
        let facelets = facelets_of(state);
        for orientation in Orientation::all() {
            let renamed: [u8; 24] =
                std::array::from_fn(|facelet| facelets[orientation.inverse().facelet(facelet)]);
            let (image, _) = state_and_rotation(&turn_whole(&renamed, orientation));
            assert_eq!(classes.of(image), classes.of(state));
        }
    }
}
