//! Tests of puzzles on the 2x2x2, the 3x3x3 and the pyraminx: their sizes, turns, symmetries, stickers and
//! notation.

use std::collections::HashSet;

use learnery_kernels::rng::Stream;

use super::table::Kind;
use super::*;
use crate::cube as two_cube;

/// The pyraminx without its tips, which turn independently of the rest: four axial pieces of three stickers,
/// six edges of two. Faces are F, R, L and D; turns are named after their vertex. Facelets 0 to 11 are those
/// of the axial pieces, 12 to 23 those of the edges.
fn pyraminx() -> Table {
    let list = |lists: &[&[u8]]| lists.iter().map(|list| list.to_vec()).collect::<Vec<_>>();
    Table {
        name: "pyraminx",
        colours: "FRLD".chars().collect(),
        solved: "FRLRFDLDFDLRFRRLLFFDDRLD"
            .bytes()
            .map(|face| "FRLD".bytes().position(|f| f == face).unwrap() as u8)
            .collect(),
        kinds: vec![
            Kind { name: "axial piece", pieces: list(&[&[0, 1, 2], &[3, 4, 5], &[6, 7, 8], &[9, 10, 11]]) },
            Kind {
                name: "edge",
                pieces: list(&[&[12, 13], &[14, 15], &[16, 17], &[18, 19], &[20, 21], &[22, 23]]),
            },
        ],
        turns: vec![
            ("U", list(&[&[0, 1, 2], &[12, 14, 16], &[13, 15, 17]])),
            ("R", list(&[&[3, 4, 5], &[13, 18, 20], &[12, 19, 21]])),
            ("L", list(&[&[6, 7, 8], &[22, 19, 17], &[23, 18, 16]])),
            ("B", list(&[&[9, 10, 11], &[23, 15, 21], &[22, 14, 20]])),
        ],
        symmetries: vec![
            list(&[
                &[0, 1, 2],
                &[3, 10, 8],
                &[4, 11, 6],
                &[5, 9, 7],
                &[12, 14, 16],
                &[13, 15, 17],
                &[18, 21, 22],
                &[19, 20, 23],
            ]),
            list(&[
                &[0, 1],
                &[3, 4],
                &[6, 10],
                &[7, 9],
                &[8, 11],
                &[12, 13],
                &[14, 17],
                &[15, 16],
                &[18, 21],
                &[19, 20],
            ]),
            list(&[
                &[0, 4],
                &[1, 3],
                &[2, 5],
                &[6, 7],
                &[9, 10],
                &[14, 21],
                &[15, 20],
                &[16, 19],
                &[17, 18],
                &[22, 23],
            ]),
        ],
    }
}

fn puzzles() -> [Puzzle; 3] {
    [Puzzle::cube(2), Puzzle::cube(3), Puzzle::new(pyraminx()).expect("the table describes a puzzle")]
}

/// Some random states of a puzzle.
fn random_states(puzzle: &Puzzle, count: u64) -> Vec<State> {
    (0..count).map(|i| puzzle.random_state(Stream::new(7, 7), i)).collect()
}

#[test]
fn puzzles_have_their_well_known_sizes() {
    let [two, three, pyraminx] = puzzles();
    assert_eq!(two.states(), 3_674_160.0);
    assert_eq!(three.states(), 43_252_003_274_489_856_000.0);
    assert_eq!(pyraminx.states(), 933_120.0);
    assert_eq!([&two, &three, &pyraminx].map(Puzzle::places), [7, 20, 10]);
    assert_eq!([&two, &three, &pyraminx].map(Puzzle::turns), [9, 18, 8]);
    assert_eq!([&two, &three, &pyraminx].map(Puzzle::quarter_turns), [6, 12, 8]);
    // One corner of the 2x2x2 is never moved, so only the symmetries that keep it in place act on states.
    assert_eq!([&two, &three, &pyraminx].map(|puzzle| puzzle.symmetries().len()), [6, 48, 24]);
}

/// Breadth-first search: through all states of the pyraminx, and through those of the 3x3x3 near the solved
/// state.
#[test]
fn numbers_of_states_at_each_distance_are_the_published_ones() {
    let [_, three, pyraminx] = puzzles();
    let counts = |puzzle: &Puzzle, turns: usize, depth: usize| {
        let (mut seen, mut layer) = (HashSet::from([puzzle.solved()]), vec![puzzle.solved()]);
        let mut counts = vec![1];
        while !layer.is_empty() && counts.len() <= depth {
            let mut next = Vec::new();
            for state in &layer {
                for turn in 0..turns as Turn {
                    let after = puzzle.after(state, turn);
                    if seen.insert(after) {
                        next.push(after);
                    }
                }
            }
            counts.push(next.len());
            layer = next;
        }
        counts
    };
    // Published counts of the cube (cube20.org), in the quarter-turn and in the half-turn metric. Every state
    // of the pyraminx is at most 11 turns from solved.
    assert_eq!(counts(&three, three.quarter_turns(), 5), [1, 12, 114, 1_068, 10_011, 93_840]);
    assert_eq!(counts(&three, three.turns(), 4), [1, 18, 243, 3_240, 43_239]);
    let all = counts(&pyraminx, 8, 20);
    // The search ends with a layer without states, so the last distance is two less than the layers.
    assert_eq!((all.iter().sum::<usize>(), all.len() - 2), (933_120, 11), "{all:?}");
}

#[test]
fn turns_have_inverses_and_known_orders() {
    for puzzle in puzzles() {
        for state in random_states(&puzzle, 20) {
            for turn in 0..puzzle.turns() as Turn {
                let after = puzzle.after(&state, turn);
                assert_ne!(after, state);
                assert_eq!(puzzle.after(&after, puzzle.inverse(turn)), state);
            }
        }
    }
    let three = Puzzle::cube(3);
    let order = |text: &str| {
        let turns = three.parse(text).expect("a sequence");
        let powers =
            std::iter::successors(Some(three.solved()), |state| Some(three.after_all(state, &turns)));
        1 + powers.skip(1).position(|state| state == three.solved()).expect("every element has an order")
    };
    // Well-known orders of elements of the cube's group; 1260 is the largest.
    assert_eq!([order("R U"), order("R U R' U'"), order("R U2 D' B D'"), order("F2")], [105, 6, 1260, 2]);
}

/// The 2x2x2 described by a table has the same stickers after the same turns as `worlds::cube`, which numbers
/// its states.
#[test]
fn two_by_two_by_two_agrees_with_the_module_cube() {
    let puzzle = Puzzle::cube(2);
    let stream = Stream::new(1, 2);
    let (mut state, mut index) = (puzzle.solved(), two_cube::SOLVED);
    for i in 0..500 {
        let turn = stream.below(i, 0, 9) as usize;
        // Both number the turns alike: quarter turns of U, R and F, each before its inverse, then half turns.
        state = puzzle.after(&state, turn as Turn);
        index = two_cube::turns().after(index, turn as two_cube::Turn);
        assert_eq!(puzzle.turn_name(turn as Turn), two_cube::turn_name(turn as two_cube::Turn));
        assert_eq!(puzzle.to_text(&state), two_cube::to_text(index), "after {} turns", i + 1);
    }
}

#[test]
fn random_states_are_uniform_and_reachable() {
    for puzzle in puzzles() {
        let states = random_states(&puzzle, 6000);
        for state in &states {
            assert_eq!(puzzle.from_text(&puzzle.to_text(state)).as_ref(), Ok(state));
        }
        for orbit in puzzle.orbits() {
            // Each value is equally likely at each place. The tolerance is a little more than five standard
            // deviations.
            let expected = states.len() as f64 / orbit.values() as f64;
            for place in orbit.first..orbit.first + orbit.places {
                for value in 0..orbit.values() as u8 {
                    let count = states.iter().filter(|state| state[place] == value).count() as f64;
                    assert!((count - expected).abs() < 5.0 * expected.sqrt(), "{place} {value}: {count}");
                }
            }
        }
        assert_eq!(puzzle.random_state(Stream::new(7, 7), 11), states[11]);
    }
    // Of n states, 3n random draws leave out a fraction of about exp(-3).
    let pyraminx = Puzzle::new(pyraminx()).expect("a puzzle");
    let distinct: HashSet<State> =
        (0..2_799_360).map(|i| pyraminx.random_state(Stream::new(3, 3), i)).collect();
    assert!((distinct.len() as f64 / 933_120.0 - (1.0 - f64::exp(-3.0))).abs() < 0.001, "{}", distinct.len());
}

#[test]
fn symmetries_commute_with_mapped_turns_and_states_have_inverses() {
    for puzzle in puzzles() {
        let identity = &puzzle.symmetries()[0];
        for state in random_states(&puzzle, 10) {
            assert_eq!(identity.apply(&state), state);
            let inverse = puzzle.inverted(&state);
            assert_eq!(puzzle.inverted(&inverse), state);
            let mut images = HashSet::new();
            for symmetry in puzzle.symmetries() {
                images.insert(symmetry.apply(&state));
                for turn in 0..puzzle.turns() as Turn {
                    let one = symmetry.apply(&puzzle.after(&state, turn));
                    assert_eq!(one, puzzle.after(&symmetry.apply(&state), symmetry.turn(turn)));
                }
            }
            assert!(
                images.len() > puzzle.symmetries().len() / 2,
                "most symmetries map a random state to different states"
            );
        }
        // The inverse of a state is what the inverse turns in reverse order lead to.
        let turns: Vec<Turn> =
            (0..30).map(|i| Stream::new(2, 2).below(i, 0, puzzle.turns() as u32) as Turn).collect();
        let back: Vec<Turn> = turns.iter().rev().map(|turn| puzzle.inverse(*turn)).collect();
        let [state, inverse] = [&turns, &back].map(|turns| puzzle.after_all(&puzzle.solved(), turns));
        assert_eq!(puzzle.inverted(&state), inverse);
    }
}

#[test]
fn no_turn_of_a_walk_cancels_or_merges_with_the_one_before() {
    let puzzle = Puzzle::cube(3);
    for (turns, choices) in [(puzzle.quarter_turns(), 11), (puzzle.turns(), 15)] {
        let mut followers = HashSet::new();
        for index in 0..400 {
            let (mut last, mut state, mut count) = (None, puzzle.solved(), 0);
            puzzle.walk(turns, Stream::new(4, 4), index, 26, |turn, after| {
                state = puzzle.after(&state, turn);
                assert_eq!(state, *after);
                if let Some(last) = last {
                    assert!(!puzzle.is_redundant(turns, last, turn));
                    followers.insert((last, turn));
                }
                (last, count) = (Some(turn), count + 1);
            });
            assert_eq!(count, 26);
        }
        assert_eq!(followers.len(), turns * choices);
    }
}

/// Texts that are no cube, and states that turns cannot reach, are refused with a sentence that says why.
#[test]
fn impossible_stickers_are_refused_with_the_reason() {
    let cube = Puzzle::cube(3);
    let scrambled = cube.after_all(&cube.solved(), &cube.parse("R U' F2 D L B").expect("a sequence"));
    let text: Vec<char> = cube.to_text(&scrambled).chars().collect();
    let problem =
        |text: &[char]| cube.from_text(&text.iter().collect::<String>()).expect_err("it is impossible");
    let with = |changes: &[(usize, usize)]| {
        let mut changed = text.clone();
        changes.iter().for_each(|(to, from)| changed[*to] = text[*from]);
        changed
    };
    // The facelets of the corner up, right and front, clockwise, and of the edge up and front.
    let (corner, edge) = ([8, 9, 20], [7, 19]);
    let twisted = with(&[(corner[0], corner[2]), (corner[1], corner[0]), (corner[2], corner[1])]);
    assert!(problem(&twisted).starts_with("one corner is twisted"), "{}", problem(&twisted));
    let flipped = with(&[(edge[0], edge[1]), (edge[1], edge[0])]);
    assert!(problem(&flipped).starts_with("one edge is flipped"), "{}", problem(&flipped));
    // The edges up-front and up-right (facelets 5 and 10) change places.
    let swapped = with(&[(7, 5), (19, 10), (5, 7), (10, 19)]);
    assert!(
        problem(&swapped).starts_with("two pieces (corners or edges) are swapped"),
        "{}",
        problem(&swapped)
    );
    let mut short = text.clone();
    short.pop();
    assert_eq!(problem(&short), "there are 53 stickers; the 3x3x3 has 54");
    let mut unknown = text.clone();
    unknown[0] = 'X';
    assert!(problem(&unknown).starts_with("`X` is no colour"));
    let mut twice = text.clone();
    twice[4] = 'R';
    assert_eq!(problem(&twice), "two centres are R");
    let mut count = text.clone();
    count[0] = if text[0] == 'U' { 'D' } else { 'U' };
    assert!(problem(&count).contains("stickers are"), "{}", problem(&count));
    // A corner has the colours of another, but in the order of its mirror image. An edge is recoloured too,
    // so that each colour still has nine stickers.
    let solved: Vec<char> = cube.to_text(&cube.solved()).chars().collect();
    let mut alike = solved.clone();
    // The corner up, front and left (6, 18, 38) gets an R in place of its L, and the edge right and front an
    // L.
    (alike[38], alike[12]) = ('R', 'L');
    assert_eq!(problem(&alike), "the corner UFL shows UFR, and no corner has these colours in this order");

    // Clockwise: the sticker up goes to the right, the one on the right to the front.
    let mut clockwise = solved.clone();
    (clockwise[8], clockwise[9], clockwise[20]) = ('F', 'U', 'R');
    assert_eq!(problem(&clockwise), "one corner is twisted clockwise on its own, which no turns can do");
    // The edge up-right shows the colours of the edge up-front; the edge down-front is recoloured to keep
    // nine stickers of each.
    let mut same = solved.clone();
    (same[10], same[25]) = ('F', 'R');
    assert_eq!(problem(&same), "the edges UR and UF are the same piece, UF");

    // Colours are named by the centres: any renaming of them is the same state.
    let renamed: String = text
        .iter()
        .map(|letter| match letter {
            'U' => 'F',
            'F' => 'D',
            'D' => 'B',
            'B' => 'U',
            other => *other,
        })
        .collect();
    assert_eq!(cube.from_text(&renamed), Ok(scrambled));
    assert_eq!(cube.from_text(&cube.to_text(&scrambled).to_lowercase()), Ok(scrambled));
}

#[test]
fn sequences_are_read_and_written() {
    let cube = Puzzle::cube(3);
    let problem = cube.parse("R U' F2 D2' L’ b").expect_err("no face is called b");
    assert!(problem.starts_with("`b` is not a turn"), "{problem}");
    let turns = cube.parse("RU'F2 D2' L’\nB").expect("a sequence");
    assert_eq!(cube.format(&turns), "R U' F2 D2 L' B");
    assert!(cube.parse(&"R".repeat(MAX_SEQUENCE + 1)).is_err());
    assert!(cube.parse("R3").is_err());
    assert_eq!(cube.parse(""), Ok(Vec::new()));
}

#[test]
fn tables_that_describe_no_puzzle_are_refused() {
    let problem = |change: fn(&mut Table)| {
        let mut table = pyraminx();
        change(&mut table);
        Puzzle::new(table).expect_err("it is no puzzle")
    };
    assert!(problem(|table| table.turns[0].1[0] = vec![0, 1]).contains("apart"));
    assert!(problem(|table| table.turns[0].1[0] = vec![0, 99]).contains("does not exist"));
    assert!(problem(|table| table.turns[0].1.push(vec![0, 12])).contains("two cycles"));
    assert!(problem(|table| drop(table.symmetries[0].pop())).contains("apart"));
}

#[test]
fn reachable_states_are_told_from_others() {
    for puzzle in [Puzzle::cube(2), Puzzle::cube(3)] {
        for index in 0..50 {
            let state = puzzle.random_state(Stream::new(7, 7), index);
            assert!(puzzle.is_reachable(&state));
            let mut swapped = state;
            swapped.swap(0, 1);
            assert_eq!(puzzle.is_reachable(&swapped), puzzle.orbits().len() == 1, "a swap of two corners");
            let mut twisted = state;
            twisted[0] = if twisted[0] % 3 == 2 { twisted[0] - 2 } else { twisted[0] + 1 };
            assert!(!puzzle.is_reachable(&twisted));
            for value in [state[1], 200] {
                let mut other = state;
                other[0] = value;
                assert!(!puzzle.is_reachable(&other), "the same piece twice, or none");
            }
        }
    }
}

#[test]
fn merged_sequences_lead_to_the_same_state_with_fewer_turns() {
    let puzzle = Puzzle::cube(3);
    for (text, expected) in [
        ("R R", "R2"),
        ("R L R", "R2 L"),
        ("R L R'", "L"),
        ("R U R", "R U R"),
        ("U D' U D' U", "U' D2"),
        ("F F F F", ""),
        ("R2 R", "R'"),
    ] {
        let turns = puzzle.parse(text).expect("it is a sequence");
        assert_eq!(puzzle.format(&puzzle.merged(&turns)), expected, "{text}");
    }
    for index in 0..200 {
        let mut turns = Vec::new();
        puzzle.walk(12, Stream::new(4, 4), index, 40, |turn, _| turns.push(turn));
        let merged = puzzle.merged(&turns);
        assert!(merged.len() <= turns.len());
        assert_eq!(puzzle.after_all(&puzzle.solved(), &merged), puzzle.after_all(&puzzle.solved(), &turns));
    }
}
