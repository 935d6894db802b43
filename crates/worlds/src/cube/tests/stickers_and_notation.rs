//! Tests of stickers, network inputs and notation.

use super::super::stickers::{ACTIVE_CORNER_INPUTS, COLOURS};
use super::*;

fn state_after(text: &str) -> State {
    parse(text).expect("valid notation").state
}

#[test]
fn solved_cube_has_solved_stickers() {
    assert_eq!(to_text(SOLVED), "UUUURRRRFFFFDDDDLLLLBBBB");
    assert_eq!(from_stickers("uuuu rrrr ffff dddd llll bbbb"), Ok(SOLVED));
    // Held in another way, it is still solved.
    assert_eq!(from_stickers("FFFFRRRRDDDDBBBBLLLLUUUU"), Ok(SOLVED));
}

/// The expected texts were read off a physical cube.
#[test]
fn turns_move_the_stickers_of_a_physical_cube() {
    assert_eq!(to_text(state_after("U")), "UUUUBBRRRRFFDDDDFFLLLLBB");
    assert_eq!(to_text(state_after("R")), "UFUFRRRRFDFDDBDBLLLLUBUB");
    assert_eq!(to_text(state_after("F")), "UULLURURFFFFRRDDLDLDBBBB");
}

#[test]
fn stickers_round_trip() {
    for state in sample_states() {
        assert_eq!(from_stickers(&to_text(state)), Ok(state));
    }
}

#[test]
fn stickers_of_impossible_cubes_are_refused_with_the_reason() {
    let refused = |text: &str, reason: &str| {
        let error = from_stickers(text).expect_err("an impossible cube");
        assert!(error.contains(reason), "{error}");
    };
    refused("UUUU", "4 stickers");
    refused("", "0 stickers");
    refused("UUUURRRRFFFFDDDDLLLLBBBBB", "25 stickers");
    refused("UUUURRRRFFFFDDDDLLLLBBBX", "`X` is not a colour");
    refused("UUUURRRRFFFFDDDDLLLLBBBU", "5 stickers of U");
    // Up and down on one corner.
    refused("UUUDRRRRFFFFUDDDLLLLBBBB", "no corner has these colours");
    // The corner of up, right and front is twisted.
    refused("UUUFURRRFRFFDDDDLLLLBBBB", "twisted");
    // Two stickers of a corner are exchanged, which makes a mirror image.
    refused("UUURURRRFFFFDDDDLLLLBBBB", "no corner");
}

/// Random texts: no panic, and either a valid state or an error with a reason.
#[test]
fn parsers_accept_or_refuse_any_text() {
    for i in 0..20_000u64 {
        let mut word = i.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
        let text: String = (0..24)
            .map(|_| {
                word = word.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                b"URFDLB? "[(word >> 33) as usize % if i % 2 == 0 { 6 } else { 8 }] as char
            })
            .collect();
        match from_stickers(&text) {
            Ok(state) => assert!((state as usize) < STATES),
            Err(reason) => assert!(!reason.is_empty()),
        }
        assert_eq!(parse(&text).is_ok(), parse_turns(&text).is_ok());
    }
}

#[test]
fn network_inputs_encode_stickers_and_corners() {
    let (mut colours, mut compact) = ([0; 24], [0; ACTIVE_CORNER_INPUTS]);
    for state in sample_states() {
        active_sticker_inputs(state, &mut colours);
        let looks = stickers(state);
        for (i, one) in colours.iter().enumerate() {
            assert_eq!(usize::from(*one), COLOURS * i + usize::from(looks[i]));
        }
        active_corner_inputs(state, &mut compact);
        let found = corners(state);
        for (position, one) in compact.iter().enumerate() {
            let (corner, twist) = (usize::from(*one) / 3 % 7, usize::from(*one) % 3);
            assert_eq!(usize::from(*one) / 21, position);
            assert_eq!((corner, twist), (found.corner[position].into(), found.twist[position].into()));
        }
    }
}

#[test]
fn notation_round_trips() {
    let sequence: Vec<Turn> = (0..TURNS as Turn).chain([3, 8, 1]).collect();
    assert_eq!(format_turns(&sequence), "U U' R R' F F' U2 R2 F2 R' F2 U'");
    let state = sequence.iter().fold(SOLVED, |state, turn| turns().after(state, *turn));
    assert_eq!(state_after(&format_turns(&sequence)), state);
    assert_eq!(state_after("UU'R2FU2'"), state_after("R2 F U2"));
    assert_eq!(parse_turns(&format_turns(&sequence)), Ok(sequence));
    assert_eq!(parse_turns("L D' B2 x y2 z'"), Ok(vec![2, 1, 8]));
    assert_eq!(state_after(""), SOLVED);
    for (text, letter) in [("U W", "`W`"), ("2U", "`2`"), ("U''", "`'`"), ("U3", "`3`")] {
        assert!(parse(text).expect_err("not a turn").contains(letter));
    }
    assert!(parse(&"U".repeat(10_001)).is_err());
}

/// Turning a face and turning the opposite face give the same state, held in another way.
#[test]
fn turns_of_opposite_faces_are_equivalent() {
    for (one, other) in [("L", "R"), ("D", "U"), ("B", "F"), ("L'", "R'"), ("D2", "U2")] {
        assert_eq!(state_after(one), state_after(other));
    }
    assert_eq!(state_after("x y' z2"), SOLVED);
    assert_eq!(state_after("L F"), state_after("x' R F"));
    assert_ne!(state_after("L F"), state_after("R F"));
}

/// A solution named by [`HeldCube::name`] solves the cube as the person holds it.
#[test]
fn held_cube_names_solutions_for_its_holder() {
    for scramble in ["U R F", "L D B' R2", "x B2 D' L U", "D L2 F' z R B D2 U' L'"] {
        let held = parse(scramble).expect("valid notation");
        for metric in [Metric::Quarter, Metric::Half] {
            let solution = shortest_solution(held.state, metric);
            let names: Vec<String> = solution.iter().map(|turn| held.name(*turn)).collect();
            assert_eq!(state_after(&format!("{scramble} {}", names.join(" "))), SOLVED, "{scramble}");
            // `to_text` lists the stickers with the fixed corner in its position.
            let read = held_from_stickers(&to_text(held.state)).expect("a possible cube");
            let names: Vec<String> = solution.iter().map(|turn| read.name(*turn)).collect();
            assert_eq!((read.state, names.join(" ")), (held.state, format_turns(&solution)));
        }
    }
}
