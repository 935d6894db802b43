//! The cube lab keeps the contract that all labs keep (`learnery_lab::contract`).

use learnery_cube::Cube;
use learnery_lab::Entry;
use learnery_lab::contract::{self, Case};
use serde_json::{Value, json};

const LAB: Entry = Entry::of::<Cube>();

fn check(settings: Value) {
    let case = Case::new(LAB, settings.clone(), json!({"games": 2}));
    let is_large = settings["puzzle"] == "3x3x3";
    let evaluated = if is_large {
        json!({"beam": 3, "sample": 2, "first": 7, "metric": "half"})
    } else {
        json!({"beam": 3, "sample": 40, "within": 2})
    };
    let case = case.with_tool("solve", json!({"cube": "R U' F2", "beam": 8}));
    contract::check(&case.with_tool("eval", evaluated));
}

/// Value iteration with batches that are split for two threads (300 samples, 256 per part), and with
/// evaluations.
#[test]
fn value_iteration_keeps_the_contract() {
    check(json!({
        "hidden_1": 12, "hidden_2": 8, "batch": 300, "updates": 3, "renew_every": 8, "focus": 0.4, "judge_every": 2,
        "judge_within": 3
    }));
}

#[test]
fn deep_q_learning_keeps_the_contract() {
    check(json!({
        "learner": "dqn", "encoding": "stickers", "hidden_1": 12, "hidden_2": 8, "hidden_3": 6, "batch": 300,
        "updates": 3, "worlds": 300, "act_every": 2, "replay": 1500, "warm_up": 400, "target_every": 2,
        "turn_cost": 0.01, "explore_updates": 5, "level_window": 20, "level_up": 0.01, "retry": 0.5, "patience": 1,
        "pretrain": 2, "judge_every": 2, "judge_within": 2
    }));
}

/// The 3x3x3: minibatches that cut walks, and that are split for two threads; the distillation begins in the
/// second unit.
#[test]
fn large_puzzles_keep_the_contract() {
    for learner in ["cayleypy", "davi", "efficientcube"] {
        check(json!({
            "puzzle": "3x3x3", "learner": learner, "hidden_1": 12, "hidden_2": 8, "batch": 300, "updates": 3, "scramble": 7,
            "renew_every": 8, "anneal": 4, "distil": 5, "judge_every": 2, "evaluate_states": 2, "evaluate_beam": 3,
            "evaluate_scramble": 2
        }));
    }
}

#[test]
fn efficientcube_and_cayleypy_keep_the_contract() {
    for learner in ["efficientcube", "cayleypy"] {
        check(json!({
            "learner": learner, "metric": "half", "hidden_1": 12, "hidden_2": 0, "batch": 300, "updates": 3,
            "anneal": 8, "judge_every": 2, "judge_within": 2
        }));
    }
}
