//! The contract test over every lab in the list.

use learnery_lab::contract::{self, Case};
use serde_json::{Value, json};

/// Settings that keep a lab's unit short; a lab without a line here is tested with its defaults.
fn small(lab: &str) -> Value {
    match lab {
        // Three chunks of worlds, the last one not full; the last minibatch not full either.
        "control" => json!({"worlds": 70, "horizon": 9, "epochs": 2, "minibatches": 4, "eval_episodes": 30}),
        // Two chunks of games, the second not full; rounds that end in the middle of games; a replay that runs over.
        "backgammon" => json!({
            "games": 20, "horizon": 12, "hidden": 12, "second": 6, "race": 6, "batch": 70, "reuse": 1.3, "replay": 500,
            "eval_every": 2, "eval_games": 6
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
