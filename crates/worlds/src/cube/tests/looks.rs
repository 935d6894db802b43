//! Stickers, inputs and notation.

use super::super::stickers::{ACTIVE_CORNER_INPUTS, COLOURS};
use super::*;

fn solved_by(text: &str) -> State {
    parse(text).expect("it is written well").state
}

#[test]
fn a_solved_cube_looks_solved() {
    assert_eq!(to_text(SOLVED), "UUUURRRRFFFFDDDDLLLLBBBB");
    assert_eq!(from_stickers("uuuu rrrr ffff dddd llll bbbb"), Ok(SOLVED));
    // Held in another way, it is solved still.
    assert_eq!(from_stickers("FFFFRRRRDDDDBBBBLLLLUUUU"), Ok(SOLVED));
}

/// What a real cube looks like after these turns.
#[test]
fn turns_look_as_they_should() {
    assert_eq!(to_text(solved_by("U")), "UUUUBBRRRRFFDDDDFFLLLLBB");
    assert_eq!(to_text(solved_by("R")), "UFUFRRRRFDFDDBDBLLLLUBUB");
    assert_eq!(to_text(solved_by("F")), "UULLURURFFFFRRDDLDLDBBBB");
}

#[test]
fn stickers_and_states_go_both_ways() {
    for state in some_states() {
        assert_eq!(from_stickers(&to_text(state)), Ok(state));
    }
}

#[test]
fn cubes_that_cannot_be_are_refused_with_the_reason() {
    let refused = |text: &str, reason: &str| {
        let error = from_stickers(text).expect_err("it cannot be");
        assert!(error.contains(reason), "{error}");
    };
    refused("UUUU", "4 stickers");
    refused("", "0 stickers");
    refused("UUUURRRRFFFFDDDDLLLLBBBBB", "25 stickers");
    refused("UUUURRRRFFFFDDDDLLLLBBBX", "`X` is no colour");
    refused("UUUURRRRFFFFDDDDLLLLBBBU", "5 stickers of U");
    // Up and down in one corner.
    refused("UUUDRRRRFFFFUDDDLLLLBBBB", "which no corner does");
    // The corner of up, right and front, twisted.
    refused("UUUFURRRFRFFDDDDLLLLBBBB", "twisted");
    // Two stickers of a corner exchanged: a corner in a mirror.
    refused("UUURURRRFFFFDDDDLLLLBBBB", "no corner");
}

/// Any 24 letters are either a cube that comes out as it went in, or refused in a sentence.
#[test]
fn any_text_is_answered() {
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
fn inputs_say_where_everything_is() {
    let (mut colours, mut compact) = ([0; 24], [0; ACTIVE_CORNER_INPUTS]);
    for state in some_states() {
        active_sticker_inputs(state, &mut colours);
        let looks = stickers(state);
        for (i, one) in colours.iter().enumerate() {
            assert_eq!(usize::from(*one), COLOURS * i + usize::from(looks[i]));
        }
        active_corner_inputs(state, &mut compact);
        let found = corners(state);
        for (place, one) in compact.iter().enumerate() {
            let (corner, twist) = (usize::from(*one) / 3 % 7, usize::from(*one) % 3);
            assert_eq!(usize::from(*one) / 21, place);
            assert_eq!((corner, twist), (found.corner[place].into(), found.twist[place].into()));
        }
    }
}

#[test]
fn notation_goes_both_ways() {
    let sequence: Vec<Turn> = (0..TURNS as Turn).chain([3, 8, 1]).collect();
    assert_eq!(words(&sequence), "U U' R R' F F' U2 R2 F2 R' F2 U'");
    let state = sequence.iter().fold(SOLVED, |state, turn| turns().after(state, *turn));
    assert_eq!(solved_by(&words(&sequence)), state);
    assert_eq!(solved_by("UU'R2FU2'"), solved_by("R2 F U2"));
    assert_eq!(parse_turns(&words(&sequence)), Ok(sequence));
    assert_eq!(parse_turns("L D' B2 x y2 z'"), Ok(vec![2, 1, 8]));
    assert_eq!(solved_by(""), SOLVED);
    for (text, letter) in [("U W", "`W`"), ("2U", "`2`"), ("U''", "`'`"), ("U3", "`3`")] {
        assert!(parse(text).expect_err("it is no turn").contains(letter));
    }
    assert!(parse(&"U".repeat(10_001)).is_err());
}

/// Turning one layer or the other leaves the same cube, held in another way.
#[test]
fn opposite_faces_do_the_same() {
    for (one, other) in [("L", "R"), ("D", "U"), ("B", "F"), ("L'", "R'"), ("D2", "U2")] {
        assert_eq!(solved_by(one), solved_by(other));
    }
    assert_eq!(solved_by("x y' z2"), SOLVED);
    assert_eq!(solved_by("L F"), solved_by("x' R F"));
    assert_ne!(solved_by("L F"), solved_by("R F"));
}

/// A solution in the words of whoever holds the cube solves it in their hands.
#[test]
fn a_solution_is_told_as_the_cube_is_held() {
    for scramble in ["U R F", "L D B' R2", "x B2 D' L U", "D L2 F' z R B D2 U' L'"] {
        let held = parse(scramble).expect("it is written well");
        for metric in [Metric::Quarter, Metric::Half] {
            let solution = shortest_solution(held.state, metric);
            let told: Vec<String> = solution.iter().map(|turn| held.name(*turn)).collect();
            assert_eq!(solved_by(&format!("{scramble} {}", told.join(" "))), SOLVED, "{scramble}");
            // So it is where the cube is told by its stickers.
            let seen = held_from_stickers(&to_text(held.state)).expect("it is a cube");
            let told: Vec<String> = solution.iter().map(|turn| seen.name(*turn)).collect();
            assert_eq!((seen.state, told.join(" ")), (held.state, words(&solution)));
        }
    }
}
