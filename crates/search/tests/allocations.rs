//! Test that a search does not allocate memory after its first run.

#[path = "search/exact_evaluator.rs"]
mod exact_evaluator;
#[path = "search/race.rs"]
mod race;

use exact_evaluator::ExactEvaluator;
use learnery_search::{Chance, Expectimax, Game, Noise, Options, Plies, SearchBatch};
use race::{Race, Turn};

#[global_allocator]
static COUNTING: dhat::Alloc = dhat::Alloc;

#[test]
fn warm_search_does_not_allocate() {
    let _profiler = dhat::Profiler::builder().testing().build();
    // A sample of the positions with at most eight steps to go for each runner, and one that is farther.
    let turns: Vec<Turn> =
        Race::turns(8).into_iter().step_by(97).chain([Race::turn([9, 5], [8, 7], 3)]).collect();
    let chances = [Chance::Sampled, Chance::LowDiscrepancy, Chance::Exhaustive];
    let noises =
        [Noise::None, Noise::Dirichlet { alpha: 0.3, fraction: 0.25 }, Noise::Gumbel { considered: 4 }];
    for (chance, noise) in chances.into_iter().flat_map(|chance| noises.map(|noise| (chance, noise))) {
        let options = Options { simulations: 50, in_flight: 2, chance, noise, ..Options::default() };
        // No embeddings, and a cache of 2^6 evaluations.
        let mut batch = SearchBatch::new(&Race, turns.len(), options, 0, Some(6));
        let mut expectimax = Expectimax::default();
        // Tree searches of all positions, then of the positions after the best plays, and expectimax. `index`
        // selects the random numbers.
        let mut run_all_searches = |index: u64| {
            for (i, turn) in turns.iter().enumerate() {
                batch.begin(&Race, i, *turn, index);
            }
            batch.run(&Race, &mut ExactEvaluator);
            for (i, turn) in turns.iter().enumerate() {
                let play = batch.root(i).best();
                if Race.terminal_value(&batch.root(i).plays()[play]).is_none() {
                    batch.begin_after(&Race, i, play, 0, index + 1);
                }
                expectimax.search(&Race, &mut ExactEvaluator, turn, Plies::Two { plays: 2 });
            }
            batch.run(&Race, &mut ExactEvaluator);
        };
        // Warm-up: the evaluator's memo table and the buffers grow.
        run_all_searches(0);
        run_all_searches(10);
        // The counter is global, and the test harness's own thread sometimes allocates, so the minimum of
        // three counts decides.
        let allocated = (0..3).map(|_| {
            let before = dhat::HeapStats::get().total_blocks;
            // The warm-up allocated, so zero would mean that the counter does not work.
            assert!(before > 0, "allocations are not counted");
            run_all_searches(0);
            run_all_searches(10);
            dhat::HeapStats::get().total_blocks - before
        });
        assert_eq!(allocated.min(), Some(0), "{chance:?} {noise:?}");
    }
}
