//! Tests of the batched tree search: against a plain recursive search, for independence of the trees of a
//! batch, and with exact values. The game is the small race of `race.rs`; its evaluators return pseudo-random
//! or exact values. A simulation is in flight from its start until its value is backed up.

use super::exact_evaluator::ExactEvaluator;
use super::race::{Race, Turn};
use super::random_evaluator::{EMBEDDING_SIZE, RandomEvaluator, random_value};
use super::reference::Search;
use learnery_kernels::rng::Stream;
use learnery_search::{Chance, Evaluator, Game, Noise, Options, SearchBatch};

/// Every treatment of chance nodes.
const CHANCES: [Chance; 3] = [Chance::Sampled, Chance::LowDiscrepancy, Chance::Exhaustive];
/// Noise with AlphaZero's parameters for chess. The reference search has it too.
const DIRICHLET: Noise = Noise::Dirichlet { alpha: 0.3, fraction: 0.25 };
/// Gumbel search, which the reference search does not have. 8 is more than the plays of any state of the
/// race.
const GUMBEL: Noise = Noise::Gumbel { considered: 8 };

/// Options of a search whose exploration, first-play urgency and stream are the same in all tests.
fn options(simulations: u32, chance: Chance, noise: Noise) -> Options {
    Options {
        simulations,
        chance,
        noise,
        cpuct: 1.5,
        fpu: 0.1,
        stream: Stream::new(3, 2),
        ..Options::default()
    }
}

/// `n` states far from the end of the game.
fn starts(n: usize) -> Vec<Turn> {
    Race::turns(9).into_iter().rev().step_by(37).take(n).collect()
}

/// Runs a search from each state in one batch. The cache of evaluations has 2^`cache_bits` slots; `None`
/// disables it.
fn run_searches<G: Game>(
    game: &G,
    states: &[G::State],
    options: Options,
    cache_bits: Option<u32>,
    evaluator: &mut impl Evaluator<G>,
) -> SearchBatch<G> {
    let mut batch = SearchBatch::new(game, states.len(), options, evaluator.embedding_size(), cache_bits);
    for (i, state) in states.iter().enumerate() {
        batch.begin(game, i, *state, i as u64);
    }
    batch.run(game, evaluator);
    batch
}

fn search_race(
    turns: &[Turn],
    options: Options,
    cache_bits: Option<u32>,
    evaluator: &mut impl Evaluator<Race>,
) -> SearchBatch<Race> {
    run_searches(&Race, turns, options, cache_bits, evaluator)
}

/// The visits of the plays, the bits of their values, and the bits of the root's value.
fn root_statistics(batch: &SearchBatch<Race>, i: usize) -> (Vec<u32>, Vec<Option<u32>>, Option<u32>) {
    let root = batch.root(i);
    let bits = |value: Option<f32>| value.map(f32::to_bits);
    let values = (0..root.plays().len()).map(|k| bits(root.value_of(k))).collect();
    (root.visits().to_vec(), values, bits(root.value()))
}

#[test]
fn batch_is_bit_identical_to_recursive_search() {
    let turns = starts(40);
    for chance in CHANCES {
        for noise in [Noise::None, DIRICHLET] {
            let options = options(120, chance, noise);
            let batch = search_race(&turns, options, None, &mut RandomEvaluator::default());
            for (i, turn) in turns.iter().enumerate() {
                let expected = Search::run(*turn, options, i as u64);
                let visits: Vec<u32> = expected.edges.iter().map(|edge| edge.visits).collect();
                let values = expected
                    .edges
                    .iter()
                    .map(|edge| (edge.visits > 0).then(|| edge.sum / edge.visits as f32));
                let values: Vec<Option<u32>> = values.map(|v| v.map(f32::to_bits)).collect();
                let value = Some(expected.value().to_bits());
                assert_eq!(
                    root_statistics(&batch, i),
                    (visits, values, value),
                    "{chance:?} {noise:?} {turn:?}"
                );
            }
        }
    }
}

#[test]
fn search_does_not_depend_on_other_trees_or_the_cache() {
    let turns = starts(30);
    for noise in [Noise::None, GUMBEL] {
        for in_flight in [1, 4] {
            let options = Options { in_flight, ..options(60, Chance::LowDiscrepancy, noise) };
            let together = search_race(&turns, options, None, &mut RandomEvaluator::default());
            let mut cached = search_race(&turns, options, Some(12), &mut RandomEvaluator::default());
            let counts = cached.take_counts();
            // The cache was really used: at least one hit for fifty evaluations.
            assert!(counts.cache_hits > counts.values / 50, "{counts:?}");
            for (i, turn) in turns.iter().enumerate() {
                let mut single = SearchBatch::new(&Race, 1, options, EMBEDDING_SIZE, None);
                single.begin(&Race, 0, *turn, i as u64);
                single.run(&Race, &mut RandomEvaluator::default());
                assert_eq!(root_statistics(&single, 0), root_statistics(&together, i));
                assert_eq!(root_statistics(&cached, i), root_statistics(&together, i));
            }
        }
    }
}

/// Guards against unintended changes; the numbers have no source but an earlier run of this search. A line of
/// the golden file has the treatment of chance, the noise, the simulations in flight, the visits of the
/// root's plays, and the values of the visited plays times 1000.
#[test]
fn search_reproduces_the_golden_file() {
    let turn = Race::turn([9, 5], [8, 7], 3);
    let visits_and_values = |chance, noise, in_flight| {
        let options = Options { in_flight, ..options(200, chance, noise) };
        let batch = search_race(&[turn], options, None, &mut RandomEvaluator::default());
        let (visits, values, _) = root_statistics(&batch, 0);
        (
            visits,
            values.into_iter().flatten().map(|v| (1000.0 * f32::from_bits(v)).round()).collect::<Vec<_>>(),
        )
    };
    let golden = include_str!("golden.txt");
    let mut lines = Vec::new();
    for chance in CHANCES {
        for noise in [Noise::None, DIRICHLET, GUMBEL] {
            for in_flight in [1, 8] {
                let (visits, values) = visits_and_values(chance, noise, in_flight);
                // The labels are those under which the golden file was written.
                let chance = match chance {
                    Chance::Sampled => "Sampled",
                    Chance::LowDiscrepancy => "Even",
                    Chance::Exhaustive => "Every",
                };
                let noise = format!("{noise:?}").replace("fraction", "share");
                lines.push(format!("{chance} {noise} {in_flight} {visits:?} {values:?}"));
            }
        }
    }
    assert_eq!(lines.join("\n"), golden.trim_end(), "results differ from tests/search/golden.txt");
}

#[test]
fn batch_sizes_grow_with_trees_and_simulations_in_flight() {
    let turns = starts(40);
    let mut evaluator = RandomEvaluator::default();
    let batch = search_race(&turns, options(50, Chance::LowDiscrepancy, Noise::None), None, &mut evaluator);
    // The first batch has the roots of all 40 trees. Later ones have at least half as many states: some trees
    // wait for a policy, or reach the end of a game, which needs no evaluation.
    assert_eq!(evaluator.batch_sizes[0], 40);
    assert!(evaluator.batch_sizes[1..40].iter().all(|rows| *rows >= 20), "{:?}", evaluator.batch_sizes);
    assert!((0..batch.len()).all(|i| !batch.busy(i)));

    // A single tree fills batches by several simulations in flight.
    let mut evaluator = RandomEvaluator::default();
    let alone = Options { in_flight: 8, ..options(200, Chance::Sampled, Noise::None) };
    let batch = search_race(&turns[..1], alone, None, &mut evaluator);
    let (rows, rounds) = (evaluator.batch_sizes.iter().sum::<usize>(), evaluator.batch_sizes.len());
    // On average more than three of the eight simulations in flight need a value in each batch.
    assert!(rows > 3 * rounds, "{rows} states in {rounds} batches");
    assert_eq!(batch.root(0).visits().iter().sum::<u32>(), 200);
}

/// A tree with an effort of its own gets the result that it would have among trees that all have this effort.
#[test]
fn effort_of_one_tree_replaces_that_of_the_options() {
    let turns = starts(3);
    let strong_noise = Noise::Dirichlet { alpha: 3.0, fraction: 0.5 };
    for (own, others) in
        [(GUMBEL, DIRICHLET), (Noise::None, GUMBEL), (DIRICHLET, GUMBEL), (strong_noise, DIRICHLET)]
    {
        let options_of = |simulations, noise| options(simulations, Chance::LowDiscrepancy, noise);
        let mut batch = SearchBatch::new(&Race, turns.len(), options_of(60, others), EMBEDDING_SIZE, None);
        batch.set_effort(1, 17, own);
        for (i, turn) in turns.iter().enumerate() {
            batch.begin(&Race, i, *turn, i as u64);
        }
        batch.run(&Race, &mut RandomEvaluator::default());
        let search = |options| search_race(&turns, options, None, &mut RandomEvaluator::default());
        let (alone, rest) = (search(options_of(17, own)), search(options_of(60, others)));
        for i in 0..3 {
            let expected = if i == 1 { &alone } else { &rest };
            assert_eq!(root_statistics(&batch, i), root_statistics(expected, i));
            assert_eq!(batch.root(i).best(), expected.root(i).best());
        }
        // New options replace the effort of every tree, also one that was set by `set_effort`.
        batch.set_options(options_of(60, others));
        batch.begin(&Race, 1, turns[1], 1);
        batch.run(&Race, &mut RandomEvaluator::default());
        assert_eq!(root_statistics(&batch, 1), root_statistics(&rest, 1));
    }
}

#[test]
fn simulations_are_visits_and_values_stay_within_bounds() {
    let turns = starts(60);
    for chance in CHANCES {
        for noise in [Noise::None, DIRICHLET, GUMBEL] {
            for in_flight in [1, 7] {
                let options = Options { in_flight, ..options(83, chance, noise) };
                // A cache of only 16 slots, so that many entries are overwritten.
                let mut batch = search_race(&turns, options, Some(4), &mut RandomEvaluator::default());
                for i in 0..turns.len() {
                    let root = batch.root(i);
                    assert_eq!(root.visits().iter().sum::<u32>(), 83, "{chance:?} {noise:?}");
                    let mut policy = vec![0.0; root.plays().len()];
                    root.policy(&mut policy);
                    assert!((policy.iter().sum::<f32>() - 1.0).abs() < 1e-4, "{policy:?}");
                    assert!(root.value().is_some_and(|v| v.abs() <= 1.0 + 1e-4));
                    assert!(root.visits()[root.best()] > 0);
                }
                assert_eq!(batch.take_counts().simulations, 83 * turns.len() as u64);
            }
        }
    }
}

#[test]
fn search_is_skipped_if_there_is_a_single_play() {
    // The second runner is already home, so only the first one can move.
    let turn = Race::turn([4, 0], [3, 2], 1);
    let mut evaluator = RandomEvaluator::default();
    let batch = search_race(&[turn], options(50, Chance::LowDiscrepancy, DIRICHLET), None, &mut evaluator);
    let root = batch.root(0);
    assert!(evaluator.batch_sizes.is_empty() && root.best() == 0 && root.value().is_none());
    let mut policy = [0.0];
    root.policy(&mut policy);
    assert_eq!(policy, [1.0]);
}

#[test]
fn begin_after_reuses_the_subtree() {
    let turns = starts(60);
    for noise in [Noise::None, DIRICHLET, GUMBEL] {
        let mut batch = search_race(
            &turns,
            options(100, Chance::LowDiscrepancy, noise),
            None,
            &mut RandomEvaluator::default(),
        );
        let mut reused = 0;
        for (i, turn) in turns.iter().enumerate() {
            let play = batch.root(i).best();
            let play_made = batch.root(i).plays()[play];
            if Race.terminal_value(&play_made).is_some() {
                continue;
            }
            // Chance outcome 0 is the most likely roll.
            let next = Race.next_state(&play_made, 0);
            assert_ne!(next, *turn);
            batch.begin_after(&Race, i, play, 0, 1000 + i as u64);
            let reused_visits = batch.root(i).visits().iter().sum::<u32>();
            let is_reused = batch.root(i).value().is_some();
            reused += u32::from(is_reused);
            // The best play has a large part of the 100 visits, and the most likely roll half of those.
            assert!(!is_reused || reused_visits > 10, "{reused_visits}");
            let busy = batch.busy(i);
            batch.run(&Race, &mut RandomEvaluator::default());
            let visits = batch.root(i).visits();
            assert_eq!(visits.iter().sum::<u32>(), if busy { reused_visits + 100 } else { reused_visits });
            let mut plays = Vec::new();
            Race.plays(&next, &mut (), &mut plays);
            assert_eq!(plays, batch.root(i).plays());
        }
        assert!(reused > 30, "{reused}");
    }
}

/// A reused root that was evaluated but has no edges yet gives the same search as a new tree.
#[test]
fn reused_root_without_edges_equals_a_new_root() {
    let turn = Race::turn([9, 5], [8, 7], 3);
    let one_simulation = options(1, Chance::Sampled, Noise::None);
    let mut reused = 0;
    // Identifies the second search, and so selects its random numbers.
    let next_index = 77;
    for index in 0..20 {
        let mut batch = SearchBatch::new(&Race, 1, one_simulation, EMBEDDING_SIZE, None);
        batch.begin(&Race, 0, turn, index);
        batch.run(&Race, &mut RandomEvaluator::default());
        let play = batch.root(0).best();
        let play_made = batch.root(0).plays()[play];
        for chance in 0..3 {
            let next = Race.next_state(&play_made, chance);
            batch.begin(&Race, 0, turn, index);
            batch.run(&Race, &mut RandomEvaluator::default());
            // The single simulation evaluated the state after one of the three rolls, so that state is
            // reused.
            batch.begin_after(&Race, 0, play, chance, next_index);
            if batch.root(0).value().is_some() {
                assert_eq!(batch.root(0).value(), Some(random_value(&next)));
                reused += 1;
            }
            batch.run(&Race, &mut RandomEvaluator::default());
            let mut fresh = SearchBatch::new(&Race, 1, one_simulation, EMBEDDING_SIZE, None);
            fresh.begin(&Race, 0, next, next_index);
            fresh.run(&Race, &mut RandomEvaluator::default());
            assert_eq!(root_statistics(&batch, 0), root_statistics(&fresh, 0));
        }
    }
    assert!(reused > 10, "{reused}");
}

/// The mean difference between the exact values of the best plays and of the chosen plays.
fn regret(turns: &[Turn], options: Options) -> f64 {
    let batch = search_race(turns, options, Some(12), &mut ExactEvaluator);
    let losses = turns.iter().enumerate().map(|(i, turn)| {
        let root = batch.root(i);
        f64::from(Race.exact(turn) - Race.exact_after(&root.plays()[root.best()]))
    });
    losses.sum::<f64>() / turns.len() as f64
}

#[test]
fn search_with_exact_values_never_gets_worse_with_more_simulations() {
    let turns: Vec<Turn> = Race::turns(7).into_iter().step_by(17).collect();
    for chance in CHANCES {
        for noise in [Noise::None, DIRICHLET, GUMBEL] {
            let options = |simulations| Options { cpuct: 0.5, ..options(simulations, chance, noise) };
            let regrets = [1, 4, 16, 64, 256, 1024].map(|n| regret(&turns, options(n)));
            // Exhaustive chance nodes have no sampling error, so without Dirichlet noise the regret is zero
            // but for rounding. The other bounds were measured.
            let is_exact = chance == Chance::Exhaustive && noise != DIRICHLET;
            let slack = if is_exact { 1e-6 } else { 3e-3 };
            assert!(
                regrets.windows(2).all(|pair| pair[1] <= pair[0] + slack),
                "{chance:?} {noise:?} {regrets:?}"
            );
            let [.., last] = regrets;
            assert!(last < if is_exact { 1e-6 } else { 2e-3 }, "{chance:?} {noise:?} {regrets:?}");
        }
    }
}

#[test]
fn exhaustive_search_with_exact_values_finds_the_exact_value() {
    let turns = starts(50);
    let options = Options { cpuct: 0.5, ..options(300, Chance::Exhaustive, Noise::None) };
    let batch = search_race(&turns, options, Some(12), &mut ExactEvaluator);
    for (i, turn) in turns.iter().enumerate() {
        let root = batch.root(i);
        let best = root.value_of(root.best()).expect("the best play was visited");
        assert!((best - Race.exact(turn)).abs() < 1e-5, "{best} and {}", Race.exact(turn));
    }
}
