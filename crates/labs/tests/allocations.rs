//! No allocation in a warm training step, counted over whole units of every phase.

use learnery_lab::{Budget, Lab, Status};
use learnery_labs::control::{Control, ControlConfig};
use learnery_labs::cube::{Cube, CubeConfig, Learner};

#[global_allocator]
static COUNTING: dhat::Alloc = dhat::Alloc;

fn train<L: Lab>(lab: &mut L, units: u64) {
    for _ in 0..units {
        while lab.advance(&mut Budget::unlimited()) != Status::Unit {}
    }
}

/// Warms a lab up, and then counts.
fn check<L: Lab>(config: L::Config) {
    let mut lab = L::new(config, 1).expect("good settings");
    train(&mut lab, 2);
    let before = dhat::HeapStats::get().total_blocks;
    assert!(before > 0, "nothing is counted");
    train(&mut lab, 5);
    let count = dhat::HeapStats::get().total_blocks - before;
    assert_eq!(count, 0, "allocations in a warm unit of {}", L::ABOUT.id);
}

#[test]
fn a_warm_unit_allocates_nothing() {
    let _profiler = dhat::Profiler::builder().testing().build();
    // One thread: with more, rayon's own queues may grow while it hands out work.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread can start");
    pool.install(|| {
        let config = ControlConfig { worlds: 70, horizon: 16, eval_episodes: 40, ..Default::default() };
        check::<Control>(config);
        for learner in [Learner::Dqn, Learner::Davi, Learner::Efficientcube] {
            let small = CubeConfig { learner, hidden_1: 12, hidden_2: 8, batch: 300, ..Default::default() };
            let config = CubeConfig { updates: 9, renew_every: 8, judge_every: 1, judge_within: 3, ..small };
            check::<Cube>(config);
        }
    });
}
