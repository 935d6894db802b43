//! The control lab keeps the contract that all labs keep (`learnery_lab::contract`): among others, a run is
//! the same bits for any number of threads and after saving and loading.

use learnery_control::Control;
use learnery_lab::contract::{self, Case};
use learnery_lab::{Entry, Recipe, Session};
use serde_json::{Value, json};

const LAB: Entry = Entry::of::<Control>();

fn check(settings: Value) {
    let case = Case::new(LAB, settings, json!({"games": 2}));
    let traced =
        json!({"world": "CartPole-v1", "state": [0, 0, 0, 0], "actions": [1, 0, 1, 1], "steps": 497});
    contract::check(&case.with_tool("trace", traced));
}

/// Odd sizes: 70 worlds are two full chunks of 32 and one with 6. 630 samples do not divide evenly into 4
/// minibatches.
#[test]
fn cartpole_keeps_the_contract() {
    check(json!({"worlds": 70, "horizon": 9, "epochs": 2, "minibatches": 4, "eval_episodes": 30}));
}

/// The other worlds, with every optional technique enabled.
#[test]
fn other_worlds_keep_the_contract() {
    for (world, action_bounds) in [
        ("mountaincar", "clipped"),
        ("pendulum", "clipped"),
        ("pendulum", "squashed"),
        ("acrobot", "clipped"),
    ] {
        check(json!({
            "world": world, "worlds": 70, "horizon": 9, "hidden": 12, "epochs": 3, "minibatches": 4,
            "eval_episodes": 30, "normalise_observations": true, "reward_scale": 0.1, "shaping": 5.0, "anneal": 4,
            "value_clip": 0.2, "target_kl": 0.02, "entropy_weight": 0.01, "initial_spread": 0.7,
            "action_bounds": action_bounds
        }));
    }
}

/// How actions are bounded is a later setting: files and fingerprints of runs that clip, as all did before,
/// do not have it, and neither do their recipes. Where it has no effect, it changes nothing that is learned.
#[test]
fn files_of_runs_that_clip_are_what_they_were() {
    let saved = |world: &str, bounds: &str| {
        let settings =
            json!({"world": world, "worlds": 40, "horizon": 9, "hidden": 8, "action_bounds": bounds});
        let mut session = Session::start(LAB, &settings, 1).expect("good settings");
        session.advance_unit();
        assert_eq!(session.config()["action_bounds"], bounds);
        session.save()
    };
    for world in ["cartpole", "pendulum"] {
        let [clipped, squashed] = ["clipped", "squashed"].map(|bounds| saved(world, bounds));
        assert!(!clipped.header.config.contains_key("action_bounds"));
        assert_eq!(squashed.header.config["action_bounds"], "squashed");
        assert_eq!(clipped.tensors == squashed.tensors, world == "cartpole", "{world}");
        assert_ne!(clipped.fingerprint(), squashed.fingerprint());
        for (checkpoint, bounds) in [(&clipped, "clipped"), (&squashed, "squashed")] {
            let resumed = Session::resume(LAB, checkpoint).expect("its own checkpoint");
            assert_eq!(resumed.config()["action_bounds"], bounds);
            let recipe = Recipe::of_checkpoint(&LAB, checkpoint, None).expect("a recipe");
            assert_eq!(recipe.settings.contains_key("action_bounds"), bounds == "squashed");
        }
    }
}

/// An episode of CartPole has at most 500 steps, each with a reward of 1. In the other worlds a step costs
/// something.
#[test]
fn highest_return_is_known_where_it_cannot_be_exceeded() {
    let best = |world: &str| {
        let settings = json!({"world": world});
        let goal = LAB.goal(settings.as_object().expect("an object")).expect("valid settings");
        goal.expect("runs have a goal").best
    };
    assert_eq!(best("cartpole"), Some(500.0));
    for world in ["mountaincar", "pendulum", "acrobot"] {
        assert_eq!(best(world), None, "{world}");
    }
}
