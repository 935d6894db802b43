//! No allocation in a warm training step, counted over whole units of every phase.

use learnery_lab::{Budget, Lab, Status};
use learnery_labs::backgammon::az::{AlphaZero, Dials};
use learnery_labs::backgammon::{Backgammon, BackgammonConfig};
use learnery_labs::control::{Control, ControlConfig};
use learnery_labs::cube::{Cube, CubeConfig, Method};
use learnery_labs::language::{Language, LanguageConfig, Source};
use learnery_labs::logic::{Experiment, Logic, LogicConfig};

#[global_allocator]
static COUNTING: dhat::Alloc = dhat::Alloc;

fn train<L: Lab>(lab: &mut L, units: u64) {
    for _ in 0..units {
        while lab.advance(&mut Budget::unlimited()) != Status::Unit {}
    }
}

/// Some units to warm up, and some in which nothing may be allocated.
fn allocates_nothing(mut lab: impl Lab, warm: u64, units: u64) {
    counted(warm, units, |n| train(&mut lab, n));
}

fn counted(warm: u64, units: u64, mut train: impl FnMut(u64)) {
    train(warm);
    let before = dhat::HeapStats::get().total_blocks;
    assert!(before > 0, "nothing is counted");
    train(units);
    assert_eq!(dhat::HeapStats::get().total_blocks - before, 0, "allocations in a warm unit");
}

#[test]
fn a_warm_unit_allocates_nothing() {
    let _profiler = dhat::Profiler::builder().testing().build();
    // One thread: with more, rayon's own queues may grow while it hands out work.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread can start");
    pool.install(|| {
        let config = ControlConfig { worlds: 70, horizon: 16, eval_episodes: 40, ..Default::default() };
        allocates_nothing(Control::new(config, 1).expect("good settings"), 2, 5);
        let config =
            BackgammonConfig { games: 20, hidden: 24, eval_every: 2, eval_games: 8, ..Default::default() };
        allocates_nothing(Backgammon::new(config, 1).expect("good settings"), 4, 16);
        let dials = Dials { games: 6, turns: 20, simulations: 8, batch: 40, memory: 900, ..Dials::default() };
        let mut run = AlphaZero::new(dials, 1);
        counted(12, 12, |n| {
            for _ in 0..n {
                while run.advance(&mut Budget::unlimited()) != Status::Unit {}
            }
        });
        for learner in [Method::Dqn, Method::Davi, Method::Efficientcube] {
            let small = CubeConfig { learner, hidden_1: 12, hidden_2: 8, batch: 300, ..Default::default() };
            let config = CubeConfig {
                updates: 9,
                refresh_every: 8,
                residual_fraction: 0.5,
                evaluate_every: 1,
                evaluate_within: 3,
                ..small
            };
            allocates_nothing(Cube::new(config, 1).expect("good settings"), 2, 5);
        }
        for experiment in [Experiment::Life, Experiment::Async] {
            let small = LogicConfig { experiment, batch: 1, steps: 1, epochs: 2, ..Default::default() };
            allocates_nothing(Logic::new(small, 1).expect("good settings"), 2, 5);
        }
        let small =
            LanguageConfig { width: 8, layers: 1, heads: 2, batch: 30, evaluation_size: 40, ..Default::default() };
        for source in [Source::Addition, Source::Sort, Source::Brackets, Source::Stories] {
            let config =
                LanguageConfig { source, updates: 2, length: 16, evaluate_every: 2, size: 4, ..small.clone() };
            // Samples of the diary are written after 1, 2, 4, 8, 16 iterations, and kept.
            allocates_nothing(Language::new(config, 1).expect("good settings"), 17, 10);
        }
    });
}
