//! The contract test over every lab in the list.

use learnery_lab::contract::{self, Case};
use serde_json::{Value, json};

/// Settings that keep a lab's unit short; a lab without a line here is tested with its defaults.
fn small(lab: &str) -> Value {
    match lab {
        // Three chunks of worlds, the last one not full; the last minibatch not full either.
        "control" => json!({"worlds": 70, "horizon": 9, "epochs": 2, "minibatches": 4, "eval_episodes": 30}),
        // Two pieces a batch, and judgements in between.
        "cube" => json!({
            "hidden_1": 12, "hidden_2": 8, "batch": 300, "updates": 3, "renew_every": 8, "focus": 0.4, "judge_every": 2,
            "judge_within": 3
        }),
        // Two chunks of games, the second not full; rounds that end in the middle of games; a replay that runs over.
        "backgammon" => json!({
            "games": 20, "horizon": 12, "hidden": 12, "second": 6, "race": 6, "batch": 70, "reuse": 1.3, "replay": 500,
            "eval_every": 2, "eval_games": 6
        }),
        // Six tiles, the last one not full; more than one round of neighbourhoods would take longer.
        "logic" => json!({"experiment": "life", "batch": 20, "steps": 1, "epochs": 2, "prove_every": 2}),
        // A wave of the judge that is not full, and a rate that falls.
        "language" => json!({
            "width": 8, "layers": 1, "heads": 2, "batch": 30, "updates": 2, "anneal": 5, "judge_every": 2, "judge_size": 40
        }),
        _ => json!({}),
    }
}

#[test]
fn every_lab_keeps_the_contract() {
    assert!(!learnery_labs::LABS.is_empty());
    for entry in learnery_labs::LABS {
        contract::check(&Case { entry: *entry, settings: small(entry.about.id) });
    }
}

/// The control lab in its other worlds, with every dial away from where it does nothing.
#[test]
fn control_keeps_the_contract_in_every_world() {
    let control = learnery_labs::find("control").expect("it is in the list");
    for world in ["mountaincar", "pendulum", "acrobot"] {
        let settings = json!({
            "world": world, "worlds": 70, "horizon": 9, "hidden": 12, "epochs": 3, "minibatches": 4,
            "eval_episodes": 30, "normalise_observations": true, "reward_scale": 0.1, "shaping": 5.0, "anneal": 4,
            "value_clip": 0.2, "target_kl": 0.02, "entropy_weight": 0.01, "initial_spread": 0.7
        });
        contract::check(&Case { entry: *control, settings });
    }
}

/// The cube lab with its other learners, with dials away from where they do nothing.
#[test]
fn cube_keeps_the_contract_with_every_learner() {
    let cube = learnery_labs::find("cube").expect("it is in the list");
    let dqn = json!({
        "learner": "dqn", "encoding": "stickers", "hidden_1": 12, "hidden_2": 8, "hidden_3": 6, "batch": 300, "updates": 3,
        "worlds": 300, "act_every": 2, "replay": 1500, "warm_up": 400, "target_every": 2, "turn_cost": 0.01,
        "explore_updates": 5, "level_window": 20, "level_up": 0.01, "retry": 0.5, "patience": 1, "pretrain": 2, "judge_every": 2, "judge_within": 2
    });
    let others = ["efficientcube", "cayleypy"].map(|learner| {
        json!({
            "learner": learner, "metric": "half", "hidden_1": 12, "hidden_2": 0, "batch": 300, "updates": 3, "anneal": 8,
            "judge_every": 2, "judge_within": 2
        })
    });
    for settings in [dqn].into_iter().chain(others) {
        contract::check(&Case { entry: *cube, settings });
    }
}

/// Backgammon learned by searches, the memory running over, with noise and with tournaments.
#[test]
fn backgammon_keeps_the_contract_as_alphazero() {
    let backgammon = learnery_labs::find("backgammon").expect("it is in the list");
    for (alpha, throws, eval_every) in [(0.3, "even", 3), (0.0, "sampled", 0)] {
        let settings = json!({
            "learner": "alphazero", "games": 4, "horizon": 60, "batch": 40, "reuse": 0.7, "replay": 150, "simulations": 2,
            "dirichlet_alpha": alpha, "throws": throws, "temperature_turns": 12, "late_temperature": 0.0,
            "eval_every": eval_every, "eval_games": 2
        });
        contract::check(&Case { entry: *backgammon, settings });
    }
}

/// The logic lab with grids of many tiles, with cells that sleep, with tables in place of kinds, and where it begins anew after
/// every proof.
#[test]
fn logic_keeps_the_contract_in_other_experiments() {
    let logic = learnery_labs::find("logic").expect("it is in the list");
    let settings = json!({
        "experiment": "async", "parameters": "table", "batch": 1, "steps": 1, "fire_rate": 0.6, "epochs": 1, "prove_every": 2,
        "decided": 0.3, "settle_below": 1.0, "anew_after": 2, "scatter": 0.5
    });
    contract::check(&Case { entry: *logic, settings });
}

/// The language lab with stories, in bytes and in pairs: batches of several waves, another optimiser.
#[test]
fn language_keeps_the_contract_with_stories() {
    let language = learnery_labs::find("language").expect("it is in the list");
    let bytes = json!({
        "source": "stories", "width": 8, "layers": 1, "heads": 2, "length": 130, "batch": 9, "updates": 1, "judge_every": 2,
        "judge_size": 600, "optimiser": "muon", "echoes": 0.6, "echo_until": 5
    });
    let pairs = json!({
        "source": "stories", "tokens": "pairs", "vocabulary": 300, "width": 8, "layers": 1, "heads": 1, "length": 16,
        "batch": 3, "updates": 1, "judge_every": 3, "judge_size": 300
    });
    for settings in [bytes, pairs] {
        contract::check(&Case { entry: *language, settings });
    }
}

#[test]
fn ids_are_unique_and_found() {
    for entry in learnery_labs::LABS {
        let same = learnery_labs::LABS.iter().filter(|other| other.about.id == entry.about.id);
        assert_eq!(same.count(), 1);
        assert!(learnery_labs::find(entry.about.id).is_ok());
    }
    let sentence = learnery_labs::find("nonsense").err().map(|e| e.to_string());
    assert!(sentence.is_some_and(|s| s.contains("no lab `nonsense`") && s.contains("control")));
}
