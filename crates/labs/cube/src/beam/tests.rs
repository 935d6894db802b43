//! Beam search with guides that need no network: one that knows exact distances, one that knows nothing, and
//! one whose scores look random.

use std::collections::HashMap;

use learnery_kernels::rng::Stream;

use super::*;

/// Exact distances of the states near the solved one, by breadth-first search; the others count as far away.
struct Exact<'a> {
    puzzle: &'a Puzzle,
    distances: HashMap<State, f32>,
}

impl<'a> Exact<'a> {
    fn new(puzzle: &'a Puzzle, turns: usize, depth: usize) -> Self {
        let mut distances = HashMap::from([(puzzle.solved(), 0.0)]);
        let mut layer = vec![puzzle.solved()];
        for distance in 1..=depth {
            let mut next = Vec::new();
            for state in &layer {
                for turn in 0..turns as Turn {
                    let after = puzzle.after(state, turn);
                    if let std::collections::hash_map::Entry::Vacant(entry) = distances.entry(after) {
                        entry.insert(distance as f32);
                        next.push(after);
                    }
                }
            }
            layer = next;
        }
        Self { puzzle, distances }
    }
}

impl Guide for Exact<'_> {
    type Scratch = ();

    fn scratch(&self) {}

    fn score(&self, states: &[State], (): &mut (), scores: &mut [f32]) {
        let turns = scores.len() / states.len();
        for (state, scores) in states.iter().zip(scores.chunks_exact_mut(turns)) {
            for (turn, score) in (0..).zip(scores) {
                *score = self.distances.get(&self.puzzle.after(state, turn)).copied().unwrap_or(99.0);
            }
        }
    }
}

fn scramble(puzzle: &Puzzle, turns: usize, index: u64, length: usize) -> State {
    let mut state = puzzle.solved();
    puzzle.walk(turns, Stream::new(6, 6), index, length, |_, after| state = *after);
    state
}

#[test]
fn narrow_beam_with_exact_distances_finds_shortest_solutions() {
    for (size, half_turns, depth) in [(2, false, 6), (2, true, 5), (3, false, 4), (3, true, 3)] {
        let puzzle = Puzzle::cube(size);
        let turns = if half_turns { puzzle.turns() } else { puzzle.quarter_turns() };
        let guide = Exact::new(&puzzle, turns, depth);
        for index in 0..50 {
            let start = scramble(&puzzle, turns, index, depth);
            let mut beam = Beam::new(&puzzle, &start, Limits { turns, width: 1, max_depth: 30 });
            let Outcome::Solved(path) = beam.run(&guide) else { panic!("{size}: not solved") };
            assert_eq!(puzzle.after_all(&start, path), puzzle.solved());
            assert_eq!(path.len() as f32, guide.distances[&start]);
        }
    }
}

/// A guide that knows nothing: a wide beam is then a breadth-first search, and a narrow one ends without a
/// solution.
struct Blind;

impl Guide for Blind {
    type Scratch = ();

    fn scratch(&self) {}

    fn score(&self, _: &[State], (): &mut (), scores: &mut [f32]) {
        scores.fill(0.0);
    }
}

#[test]
fn wide_beam_is_a_breadth_first_search_that_enters_no_state_twice() {
    let puzzle = Puzzle::cube(3);
    let turns = puzzle.quarter_turns();
    let start = scramble(&puzzle, turns, 3, 60);
    let limits = |width, max_depth| Limits { turns, width, max_depth };
    let widths = |beam: &Beam<()>| beam.layers().map(|layer| layer.states).collect::<Vec<_>>();
    let mut beam = Beam::new(&puzzle, &start, limits(1_000_000, 4));
    assert_eq!(*beam.run(&Blind), Outcome::Failed);
    // How many states of the 3x3x3 are 0 to 4 quarter turns from solved, and so from any state (cube20.org).
    assert_eq!(widths(&beam), [1, 12, 114, 1_068, 10_011]);
    let mut narrow = Beam::new(&puzzle, &start, limits(100, 6));
    assert_eq!(*narrow.run(&Blind), Outcome::Failed);
    assert_eq!(widths(&narrow), [1, 12, 100, 100, 100, 100, 100]);
    // Near the solved state it ends with a shortest solution.
    let near = scramble(&puzzle, turns, 5, 4);
    let mut beam = Beam::new(&puzzle, &near, limits(1_000_000, 10));
    assert!(matches!(beam.run(&Blind), Outcome::Solved(path) if path.len() == 4), "{:?}", beam.outcome());
    let solved: Beam<()> = Beam::new(&puzzle, &puzzle.solved(), limits(5, 5));
    assert_eq!(*solved.outcome(), Outcome::Solved(Vec::new()));
}

/// A guide whose scores look random, many of them equal. It says that a state takes this much work.
struct Arbitrary(u64);

impl Guide for Arbitrary {
    type Scratch = ();

    fn scratch(&self) {}

    fn work(&self) -> u64 {
        self.0
    }

    fn score(&self, states: &[State], (): &mut (), scores: &mut [f32]) {
        let turns = scores.len() / states.len();
        for (state, scores) in states.iter().zip(scores.chunks_exact_mut(turns)) {
            let hash = Packed::new(state).hash();
            scores.iter_mut().enumerate().for_each(|(i, score)| *score = (hash >> (3 * i) & 7) as f32 - 3.0);
        }
    }
}

#[test]
fn search_is_the_same_on_any_number_of_threads() {
    let puzzle = Puzzle::cube(3);
    let start = scramble(&puzzle, 18, 1, 40);
    let layers = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        let mut beam = Beam::new(&puzzle, &start, Limits { turns: 18, width: 9000, max_depth: 6 });
        pool.install(|| _ = beam.run(&Arbitrary(1)));
        beam.layers.iter().flat_map(|layer| layer.states.clone()).collect::<Vec<Packed>>()
    };
    let one = layers(1);
    // Where half turns count, 18, 243 and 3,240 states are 1, 2 and 3 turns away (cube20.org). Then the beam
    // has its full width.
    assert_eq!(one.len(), 1 + 18 + 243 + 3_240 + 3 * 9000);
    assert!(one == layers(2) && one == layers(5));
}

/// No step scores or chooses many states, however wide the beam is and however much work a state takes.
#[test]
fn steps_are_small_and_their_size_changes_no_layer() {
    let puzzle = Puzzle::cube(3);
    let start = scramble(&puzzle, 12, 1, 40);
    let search = |work: u64| {
        let limits = Limits { turns: 12, width: 300_000, max_depth: 7 };
        let mut beam = Beam::new(&puzzle, &start, limits);
        let (mut most_scored, mut most_chosen) = (0, 0);
        let chosen = |beam: &Beam<()>| beam.next.as_ref().map_or(0, |next| next.states.len());
        while *beam.outcome() == Outcome::Searching {
            let before = (beam.expanded(), chosen(&beam));
            beam.step(&Arbitrary(work));
            most_scored = most_scored.max(beam.expanded() - before.0);
            most_chosen = most_chosen.max(chosen(&beam).saturating_sub(before.1));
        }
        (beam, most_scored, most_chosen)
    };
    let (usual, most_scored, most_chosen) = search(1);
    assert_eq!(usual.layers().map(|layer| layer.states).max(), Some(300_000));
    // `CHUNKS_PER_STEP` chunks of `STATES_PER_CHUNK` states.
    assert_eq!(most_scored, 16 * 256);
    // A state is chosen for a work of at least 33: the look-up and its candidate. 2^22 / 33 is 127,100.
    assert!((1..150_000).contains(&most_chosen), "{most_chosen} states chosen in a step");
    // Here two states would be the work of a step, but each of its chunks has at least one state.
    let (dear, most_scored, _) = search(SCORING_PER_STEP / 2);
    assert_eq!(most_scored, CHUNKS_PER_STEP as u64);
    assert!(
        usual.layers.iter().zip(&dear.layers).all(|(a, b)| a.states == b.states && a.parents == b.parents)
    );
    assert_eq!(usual.layers.len(), dear.layers.len());
}

#[test]
fn states_survive_packing_and_scores_keep_their_order() {
    let puzzle = Puzzle::cube(3);
    for i in 0..1000 {
        let state = puzzle.random_state(Stream::new(1, 1), i);
        assert_eq!(Packed::new(&state).state(), state);
    }
    let scores = [3.0, -1.0, f32::NAN, 0.5, -7.5, f32::INFINITY, 0.5, -0.0, 0.0, f32::NEG_INFINITY];
    let mut selection = Selection::default();
    selection.begin(&scores);
    // The lowest first, of equals the first, NaN last. The infinite score, that of a redundant turn, is left
    // out.
    let order: Vec<u32> = std::iter::from_fn(|| selection.next(2)).map(|key| key.index).collect();
    assert_eq!(order, [9, 4, 1, 7, 8, 3, 6, 0, 2]);
}
