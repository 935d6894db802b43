//! The rules against each other and against what is known of the cube.

mod looks;

use super::geometry::{AT_HOME, Grip, turn_layer, turn_whole};
use super::state::{sides_of, state_held};
use super::turns::AXES;
use super::*;

/// A few thousand states from all over.
pub fn some_states() -> impl Iterator<Item = State> {
    (0..3000u64).map(|i| (i * 2_654_435_761 % STATES as u64) as State)
}

#[test]
fn numbers_and_corners_go_both_ways() {
    for state in some_states().chain([SOLVED, STATES as State - 1]) {
        assert_eq!(state_of(&corners(state)), state);
        assert_eq!(state_held(&sides_of(state)), (state, Grip::IDENTITY));
        assert_eq!(corners(state).twist.iter().sum::<u8>() % 3, 0);
    }
    assert_eq!(sides_of(SOLVED), AT_HOME);
}

/// The tables against turning every sticker.
#[test]
fn turns_move_stickers() {
    for state in some_states() {
        for turn in 0..TURNS as Turn {
            let mut sides = sides_of(state);
            for _ in 0..turns::quarters(turn) {
                sides = turn_layer(&sides, AXES[usize::from(face(turn))], true);
            }
            let after = turns().after(state, turn);
            assert_eq!(state_held(&sides), (after, Grip::IDENTITY), "turn {turn} of state {state}");
            assert_eq!(turns().after(after, inverse(turn)), state);
        }
        assert_eq!(turns().neighbours::<9>(state)[7], turns().after(state, 7));
    }
}

#[test]
fn as_many_states_at_each_distance_as_there_should_be() {
    let quarter =
        [1, 6, 27, 120, 534, 2256, 8969, 33058, 114149, 360508, 930588, 1350852, 782536, 90280, 276];
    let half = [1, 9, 54, 321, 1847, 9992, 50136, 227536, 870072, 1887748, 623800, 2644];
    assert_eq!(distances(Metric::Quarter).counts(), quarter);
    assert_eq!(distances(Metric::Half).counts(), half);
    assert_eq!(quarter.iter().sum::<u32>() as usize, STATES);
    assert_eq!(quarter.len(), 1 + Metric::Quarter.diameter());
    assert_eq!(half.len(), 1 + Metric::Half.diameter());
}

/// A turn changes the distance by one at most, and some turn makes it less.
#[test]
fn distances_fit_together() {
    for metric in [Metric::Quarter, Metric::Half] {
        let distances = distances(metric);
        for state in some_states() {
            let here = distances.of(state);
            let around = (0..metric.turns() as Turn).map(|turn| distances.of(turns().after(state, turn)));
            let (least, most) = around.fold((99, 0), |(least, most), d| (d.min(least), d.max(most)));
            assert!(most <= here + 1 && (least + 1 == here || here == 0));
            let path = shortest_solution(state, metric);
            let end = path.iter().fold(state, |state, turn| turns().after(state, *turn));
            assert_eq!((path.len(), end), (here, SOLVED));
        }
    }
}

#[test]
fn ways_to_hold_a_cube_form_a_group() {
    let all = Grip::all();
    for (i, a) in all.iter().enumerate() {
        assert_eq!(a.is_mirrored(), i >= 24);
        assert_eq!(a.after(a.inverse()), Grip::IDENTITY);
        assert!(all[..i].iter().all(|other| other != a));
        for b in &all {
            let both = a.after(*b);
            assert!((0..24).all(|side| both.side(side) == a.side(b.side(side))));
        }
    }
}

/// Every state is in one class; what is alike is as far away, by either metric; and turns lead from like states to like
/// ones.
#[test]
fn like_states_are_alike() {
    let classes = symmetry_classes();
    assert_eq!(classes.sizes().iter().map(|n| *n as usize).sum::<usize>(), STATES);
    assert!(classes.sizes().iter().all(|size| 96 % size == 0));
    for metric in [Metric::Quarter, Metric::Half] {
        let distances = distances(metric);
        for state in 0..STATES as State {
            let least = classes.representative(classes.of(state));
            assert!(least <= state && distances.of(least) == distances.of(state), "state {state}");
        }
    }
    let around = |state: State| {
        let mut around = turns().neighbours::<6>(state).map(|after| classes.of(after));
        around.sort_unstable();
        around
    };
    for state in some_states() {
        let least = classes.representative(classes.of(state));
        let inverted = |state| {
            let mut sides = AT_HOME;
            for (side, at) in sides_of(state).into_iter().enumerate() {
                sides[usize::from(at)] = side as u8;
            }
            state_held(&sides).0
        };
        // The inverse of a state has other neighbours: turns come last there and would have to come first.
        assert!(around(state) == around(least) || around(inverted(state)) == around(least));
    }
}

/// What [`SymmetryClasses`] gathers, the slow way: each state held in every way, with its colours renamed.
#[test]
fn classes_hold_what_symmetry_says() {
    let classes = symmetry_classes();
    for state in some_states().step_by(10) {
        let sides = sides_of(state);
        for grip in Grip::all() {
            let renamed: [u8; 24] = std::array::from_fn(|side| sides[grip.inverse().side(side)]);
            let (image, _) = state_held(&turn_whole(&renamed, grip));
            assert_eq!(classes.of(image), classes.of(state));
        }
    }
}
