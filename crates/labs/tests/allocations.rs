//! After the first units, which allocate all buffers, training allocates no memory. The test counts heap
//! allocations over whole units (training iterations) that contain every phase: collecting data, learning and
//! evaluating.

use learnery_lab::{Budget, Context, Lab, Schema, Status};
use learnery_labs::backgammon::Backgammon;
use learnery_labs::control::Control;
use learnery_labs::cube::Cube;
use learnery_labs::language::Language;
use learnery_labs::logic::Logic;
use serde_json::{Value, json};

#[global_allocator]
static COUNTING: dhat::Alloc = dhat::Alloc;

/// Runs `warm_up` units, then `units` more, in which nothing may be allocated. The settings make the labs as
/// small as possible.
fn check_allocates_nothing<L: Lab>(settings: Value, warm_up: u64, units: u64) {
    // Settings that are not given get their defaults.
    let config = Schema::of::<L::Config>().complete(None, &settings).expect("the settings are good");
    let config: L::Config = serde_json::from_value(Value::Object(config)).expect("a complete table");
    let context = |unit| Context { config: &config, seed: 1, unit };
    let mut lab = L::new(context(0)).expect("the settings are good");
    let mut before = 0;
    for unit in 0..warm_up + units {
        if unit == warm_up {
            before = dhat::HeapStats::get().total_blocks;
        }
        while Budget::unlimited().advance(&mut lab, context(unit)) != Status::UnitFinished {}
    }
    assert!(before > 0, "the allocator counts nothing");
    let allocations = dhat::HeapStats::get().total_blocks - before;
    assert_eq!(allocations, 0, "{}: allocations in a warm unit with {settings}", L::ABOUT.id);
}

#[test]
fn warm_units_allocate_nothing() {
    let _profiler = dhat::Profiler::builder().testing().build();
    // One thread: with more, rayon's own queues may grow while it distributes work.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread can start");
    pool.install(|| {
        // The numbers after the settings: units of warm-up, units in which nothing may be allocated.
        check_allocates_nothing::<Control>(json!({"worlds": 70, "horizon": 16, "eval_episodes": 40}), 2, 5);

        check_allocates_nothing::<Backgammon>(json!({"games": 20, "hidden": 24, "eval_every": 2, "eval_games": 8}), 4, 16);
        let alphazero = json!({
            "learner": "alphazero", "games": 6, "horizon": 20, "simulations": 8, "batch": 40, "replay": 900,
            "eval_every": 0
        });
        let from_values = json!({
            "learner": "alphazero", "policy": "values", "games": 6, "horizon": 20, "simulations": 8, "batch": 40,
            "replay": 900, "full_search_every": 3, "search_values": true, "lambda": 0.7, "eval_every": 0
        });
        // The records of games grow with the longest game so far, so the warm-up is long.
        check_allocates_nothing::<Backgammon>(alphazero, 30, 12);
        check_allocates_nothing::<Backgammon>(from_values, 30, 12);

        for learner in ["dqn", "davi", "efficientcube"] {
            let settings = json!({
                "learner": learner, "hidden_1": 12, "hidden_2": 8, "batch": 300, "updates": 9, "renew_every": 8,
                "focus": 0.5, "judge_every": 1, "judge_within": 3
            });
            check_allocates_nothing::<Cube>(settings, 2, 5);
        }

        for experiment in ["life", "async"] {
            check_allocates_nothing::<Logic>(json!({"experiment": experiment, "batch": 1, "steps": 1, "epochs": 2}), 2, 5);
        }

        for source in ["addition", "sort", "brackets", "stories"] {
            let settings = json!({
                "source": source, "width": 8, "layers": 1, "heads": 2, "batch": 30, "judge_size": 40, "updates": 2,
                "length": 16, "judge_every": 2, "size": 4
            });
            // The warm-up includes iterations 1, 2, 4, 8 and 16, after which the lab stores a sample text.
            check_allocates_nothing::<Language>(settings, 17, 10);
        }
    });
}
