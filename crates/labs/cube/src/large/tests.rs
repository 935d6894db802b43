//! The network, the searches and the learner of the 3x3x3 on the CPU. There are 12 quarter turns to choose
//! from, except where half turns count.

use learnery_lab::Row;
use learnery_worlds::puzzle::{State, Turn};

use super::*;
use crate::TurnMetric;
use crate::beam::{Beam, Limits, Outcome, STATES_PER_CHUNK};

fn small_config() -> CubeConfig {
    CubeConfig {
        puzzle: crate::PuzzleName::Three,
        learner: Method::Cayleypy,
        hidden_1: 24,
        hidden_2: 16,
        batch: 300,
        scramble: 7,
        anneal: 40,
        learning_rate: 0.01,
        ..CubeConfig::default()
    }
}

fn untrained_network(config: &CubeConfig) -> Network {
    Network::new(config, puzzle(), Stream::new(3, 1))
}

fn scores(network: &Network, states: &[State]) -> Vec<f32> {
    let mut scores = vec![0.0; states.len() * network.turns()];
    network.score(states, &mut network.scratch(), &mut scores);
    scores
}

fn random_states(count: u64) -> Vec<State> {
    (0..count).map(|i| puzzle().random_state(Stream::new(8, 8), i)).collect()
}

#[test]
fn distilled_network_begins_with_the_prediction_for_the_state_itself() {
    let config = small_config();
    let teacher = untrained_network(&config);
    let states = random_states(5);
    let after = scores(&teacher.with_distances_after_turns(&config), &states);
    let mut own = vec![0.0; states.len()];
    teacher.infer(states.iter().copied(), &mut teacher.scratch(), &mut own);
    for (after, own) in after.chunks_exact(12).zip(own) {
        assert!(
            after.iter().all(|score| (score - distance_of_output(own)).abs() < 1e-4),
            "{after:?} and {own}"
        );
    }
}

#[test]
fn scores_are_the_predictions_for_the_neighbours() {
    let network = untrained_network(&small_config());
    let states = random_states(STATES_PER_CHUNK as u64);
    let all = scores(&network, &states);
    for (state, scores) in states.iter().zip(all.chunks_exact(12)).step_by(50) {
        let neighbours = (0..12).map(|turn| puzzle().after(state, turn));
        let mut own = [0.0; 12];
        network.infer(neighbours, &mut network.scratch(), &mut own);
        assert_eq!(own.map(distance_of_output), *scores);
    }
}

/// A wide search with any network finds a solution of a short scramble, in whatever way it looks at the
/// state.
#[test]
fn solutions_of_variants_solve_the_state_itself() {
    let puzzle = puzzle();
    let network = untrained_network(&small_config());
    for (index, variant) in AnytimeSearch::all_variants(puzzle).into_iter().enumerate() {
        let mut start = puzzle.solved();
        let length = 3;
        puzzle.walk(12, Stream::new(5, 5), index as u64, length, |_, state| start = *state);
        let mut search =
            AnytimeSearch::new(&network, &start, [2000, 2000], vec![variant], TurnMetric::Quarter);
        while !search.is_done() {
            search.step(&network);
        }
        let solution = search.best().expect("everything within three turns was seen");
        // It may be shorter than the walk: R R R is R'.
        assert!(solution.len() <= length, "{variant:?}: {}", solution.len());
        assert_eq!(puzzle.after_all(&start, solution), puzzle.solved(), "{variant:?}");
    }
}

#[test]
fn search_widens_until_the_widest_and_only_improves() {
    let puzzle = puzzle();
    let network = untrained_network(&small_config());
    let mut start = puzzle.solved();
    puzzle.walk(12, Stream::new(5, 6), 1, 4, |_, state| start = *state);
    let variants = AnytimeSearch::all_variants(puzzle)[..3].to_vec();
    let mut search = AnytimeSearch::new(&network, &start, [1, 5000], variants, TurnMetric::Quarter);
    let (mut widths, mut best) = (vec![1], usize::MAX);
    while !search.is_done() {
        search.step(&network);
        let width = search.beam().limits().width;
        if widths.last() != Some(&width) {
            widths.push(width);
        }
        let length = search.best().map_or(usize::MAX, <[Turn]>::len);
        assert!(length <= best);
        best = length;
    }
    assert_eq!(best, 4);
    assert!(widths.starts_with(&[1, 4, 16, 64, 256, 1024]), "{widths:?}");
    // A search from the solved state is done at once, and a step of it does nothing.
    let mut done = AnytimeSearch::new(&network, &puzzle.solved(), [1, 1], Vec::new(), TurnMetric::Half);
    assert!(done.is_done() && done.best() == Some(&[]));
    done.step(&network);
    assert!(done.is_done());
}

/// EfficientCube scores turns, and the score of a path is the sum of those of its turns.
#[test]
fn logits_are_added_along_paths() {
    let config = CubeConfig { learner: Method::Efficientcube, ..small_config() };
    let network = untrained_network(&config);
    let start = random_states(1)[0];
    let mut beam = Beam::new(puzzle(), &start, Limits { turns: 12, width: 3, max_depth: 3 });
    assert_eq!(*beam.run(&network), Outcome::Failed);
    let worst: Vec<f32> = beam.layers().map(|layer| layer.worst).collect();
    // With an untrained network all 12 turns have a probability of about a twelfth, so a turn's score is
    // about log(12).
    for (depth, worst) in worst.iter().enumerate().skip(1) {
        assert!((worst - depth as f32 * 12f32.ln()).abs() < 0.3 * depth as f32, "{depth}: {worst}");
    }
}

fn mean_loss(learner: &mut Learner, config: &CubeConfig, network: &mut Network, updates: u32) -> f64 {
    learner.begin_unit();
    (0..updates).for_each(|_| _ = learner.step(config, network));
    let mut row = Row::new(crate::about::ABOUT.metrics);
    learner.metrics(&mut row);
    row.get("loss")
}

/// Every method lowers its loss, and so does distillation: the mean of the last updates is below that of the
/// first times a factor.
#[test]
fn losses_fall() {
    for (method, factor) in [(Method::Cayleypy, 0.6), (Method::Efficientcube, 0.9), (Method::Davi, 0.8)] {
        let config = CubeConfig {
            learner: method,
            anneal: 0,
            refresh_every: 1000,
            refresh_below: 0.0,
            ..small_config()
        };
        let mut network = untrained_network(&config);
        let mut learner = Learner::new(&config, 1, &network);
        let first = mean_loss(&mut learner, &config, &mut network, 10);
        mean_loss(&mut learner, &config, &mut network, 80);
        let last = mean_loss(&mut learner, &config, &mut network, 10);
        assert!(last < factor * first, "{method:?}: {first} to {last}");
    }
    let config = CubeConfig { distil: 200, ..small_config() };
    let mut network = untrained_network(&config);
    let mut learner = Learner::new(&config, 1, &network);
    mean_loss(&mut learner, &config, &mut network, 40);
    assert_eq!(network.outputs(), Outputs::Distance);
    let first = mean_loss(&mut learner, &config, &mut network, 20);
    assert_eq!(network.outputs(), Outputs::DistancesAfterTurns);
    mean_loss(&mut learner, &config, &mut network, 140);
    let last = mean_loss(&mut learner, &config, &mut network, 20);
    assert!(last < 0.5 * first, "distillation: {first} to {last}");
    // A learner that continues a distilled network has no teacher, and learns from random walks instead.
    let mut alone = Learner::new(&config, 1, &network);
    alone.set_updates(u64::from(config.anneal + config.distil));
    let loss = mean_loss(&mut alone, &config, &mut network, 5);
    assert!(loss.is_finite() && network.outputs() == Outputs::DistancesAfterTurns);
}

#[test]
fn deep_q_learning_is_refused() {
    let config = CubeConfig { learner: Method::Dqn, ..small_config() };
    let error = Run::new(Context { config: &config, seed: 1, unit: 0 }).err().expect("it is refused");
    assert!(error.to_string().contains("the 2x2x2 only"), "{error}");
}

/// A run that continues a distilled network has no teacher. It learns, is saved and goes on with the same
/// bits.
#[test]
fn continued_distilled_networks_can_be_saved() {
    for learner in [Method::Cayleypy, Method::Davi] {
        let config = CubeConfig { learner, distil: 5, anneal: 2, updates: 3, ..small_config() };
        let cx = Context { config: &config, seed: 1, unit: 3 };
        let distilled = untrained_network(&config).with_distances_after_turns(&config);
        // As many samples as there are before the distillation, so the next update belongs to it.
        let work = u64::from(config.anneal) * u64::from(config.batch);
        let mut run = Run::load_network(cx, &distilled.weights.to_tensors(), work).expect("it is a network");
        let unit = |run: &mut Run| {
            run.begin_unit();
            while run.learn(cx) != Status::UnitFinished {}
            run.to_tensors()
        };
        let saved = unit(&mut run);
        let mut resumed = Run::load(cx, &saved).expect("it is a checkpoint");
        assert_eq!(unit(&mut resumed), unit(&mut run), "{learner:?}");
    }
}

/// In the half-turn metric, too, a search ends as soon as no shorter solution is possible.
#[test]
fn searches_end_when_no_shorter_solution_is_possible() {
    let puzzle = puzzle();
    let start = puzzle.after_all(&puzzle.solved(), &puzzle.parse("R2").expect("valid notation"));
    for (trained_in, counted_in, shortest) in [
        (TurnMetric::Quarter, TurnMetric::Quarter, 2),
        (TurnMetric::Quarter, TurnMetric::Half, 1),
        (TurnMetric::Half, TurnMetric::Quarter, 2),
        (TurnMetric::Half, TurnMetric::Half, 1),
    ] {
        let network = untrained_network(&CubeConfig { metric: trained_in, ..small_config() });
        let variants = AnytimeSearch::all_variants(puzzle);
        let variant_count = variants.len();
        let mut search = AnytimeSearch::new(&network, &start, [2000, 2000], variants, counted_in);
        while !search.is_done() {
            search.step(&network);
        }
        let best = search.best().expect("everything within two turns was seen");
        assert_eq!(count(puzzle, best, counted_in), shortest);
        // The first search finds a shortest solution. If it has one turn, none can be shorter. If it has two,
        // searches of depth 1 follow, one for each variant that is left.
        let searches = if shortest == 1 { 1 } else { variant_count };
        let [search_count, _improvements] = search.searches();
        assert_eq!(search_count as usize, searches, "{trained_in:?} {counted_in:?}");
    }
}
