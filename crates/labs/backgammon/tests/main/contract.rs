//! The backgammon lab keeps the contract that all labs keep (`learnery_lab::contract`): among others, a run
//! is the same bits for any number of threads and after saving and loading.

use learnery_backgammon::Backgammon;
use learnery_lab::Entry;
use learnery_lab::contract::{self, Case};
use serde_json::{Value, json};

use crate::shipped;

const LAB: Entry = Entry::of::<Backgammon>();

/// The position ID of the start, and a position with its dice.
const START: &str = "4HPwATDgc/ABMA";
const START_WITH_DICE: &str = "4HPwATDgc/ABMA 3 1";

/// One play, and a double that is passed.
const MATCH: &[u8] = b" 3 point match

 Game 1
 Ada : 0                        Ben : 0
  1) 21: 6/4 4/3                 Doubles => 2
  2)  Drops
                                  Wins 1 point
";

fn case(settings: Value) -> Case {
    Case::new(LAB, settings, json!({"games": 2}))
        .with_tool("eval", json!({"position": START}))
        .with_tool("plays", json!({"position": START_WITH_DICE}))
        .with_tool("cube", json!({"position": START}))
        .with_tool("rollout", json!({"position": START, "games": 2, "truncate": 1}))
        .with_tool_and_file("analyse", json!({"file": "match.mat"}), MATCH)
        .with_tool("best", json!({"position": START_WITH_DICE}))
        .with_tool("rates", json!({"games": 1}))
        .with_tool("scores", json!({"position": START, "away": 2}))
        .with_tool("table", json!({}))
        .with_tool("legal-plays", json!({"position": START_WITH_DICE}))
        .with_tool_and_file("duel", json!({"against": "other.safetensors", "games": 4}), shipped::FILE)
        .with_tool_and_file("match", json!({"against": "other.safetensors", "length": 1}), shipped::FILE)
}

/// 20 games are a full chunk of 16 and one of 4. Rounds of 12 turns end in the middle of games, and three
/// rounds (720 positions) fill the replay buffer.
#[test]
fn afterstate_learner_keeps_the_contract() {
    contract::check(&case(json!({
        "games": 20, "horizon": 12, "hidden": 12, "second": 6, "race": 6, "batch": 70, "reuse": 1.3, "replay": 500,
        "eval_every": 2, "eval_games": 6
    })));
}

/// With pruning, lookahead, alternative plays and exploration, as the shipped network was trained, and a warm
/// restart before the second round.
#[test]
fn afterstate_learner_with_lookahead_and_a_warm_restart_keeps_the_contract() {
    contract::check(&case(json!({
        "games": 7, "horizon": 4, "hidden": 6, "second": 4, "race": 4, "batch": 10, "reuse": 1.3, "replay": 40,
        "inputs": "full", "pruning": 3, "lookahead_from": 2, "alternatives": 0.3, "exploration": 40,
        "warm_restart_at": 2, "eval_every": 0
    })));
}

/// With a replay buffer that fills up. First with Dirichlet noise; then with Gumbel sampling and sequential
/// halving (an alpha of 0), sampled dice and no evaluation. That changes nothing that files or tools depend
/// on, so only the checks of runs are repeated.
#[test]
fn alphazero_keeps_the_contract() {
    let settings = |alpha: f64, dice_sampling: &str, eval_every: u32| {
        json!({
            "learner": "alphazero", "games": 4, "horizon": 60, "batch": 40, "reuse": 0.7, "replay": 150,
            "simulations": 2, "dirichlet_alpha": alpha, "throws": dice_sampling, "temperature_turns": 12,
            "late_temperature": 0.0, "eval_every": eval_every, "eval_games": 2
        })
    };
    contract::check(&case(settings(0.3, "even", 3)));
    contract::check_runs(&case(settings(0.0, "sampled", 0)));
}

/// With full and quick searches. First with targets from the search, then from the network, for which only
/// the checks of runs are repeated, as above.
#[test]
fn alphazero_with_a_policy_from_values_keeps_the_contract() {
    let settings = |search_values: bool| {
        json!({
            "learner": "alphazero", "policy": "values", "games": 4, "horizon": 60, "batch": 40, "reuse": 0.7,
            "replay": 150, "simulations": 4, "full_search_every": 3, "quick_simulations": 1, "lambda": 0.7,
            "search_values": search_values, "dirichlet_alpha": 0.0, "temperature": 0.0, "eval_every": 0
        })
    };
    contract::check(&case(settings(true)));
    contract::check_runs(&case(settings(false)));
}

/// Three groups of games for the machines (64, 64 and 2), then two (64 and 6). Most units end in the middle
/// of games, so games are handed from unit to unit.
#[test]
fn alphazero_keeps_the_contract_of_fleets() {
    const LABS: &[Entry] = &[LAB];
    let with_policy_head = json!({
        "learner": "alphazero", "games": 130, "horizon": 60, "batch": 64, "reuse": 0.2, "replay": 4000, "simulations": 2,
        "lambda": 0.8, "eval_every": 2, "eval_games": 2
    });
    let with_policy_from_values = json!({
        "learner": "alphazero", "policy": "values", "games": 70, "horizon": 60, "batch": 64, "reuse": 0.2, "replay": 4000,
        "simulations": 2, "full_search_every": 3, "quick_simulations": 1, "lambda": 0.7, "search_values": true,
        "dirichlet_alpha": 0.0, "temperature": 0.0, "eval_every": 0
    });
    for settings in [with_policy_head, with_policy_from_values] {
        contract::check_fleet(&Case::new(LAB, settings, json!({"games": 2})), LABS);
    }
}
