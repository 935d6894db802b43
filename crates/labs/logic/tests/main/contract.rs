//! The logic lab keeps the contract that all labs keep (`learnery_lab::contract`).

use learnery_lab::Entry;
use learnery_lab::contract::{self, Case};
use learnery_logic::Logic;
use serde_json::{Value, json};

const LAB: Entry = Entry::of::<Logic>();

fn check(settings: Value) {
    let case = Case::new(LAB, settings, json!({"games": 2}));
    contract::check(&case.with_tool("export", json!({"format": "c"})));
}

/// The cells of 20 grids fill six tiles (blocks of cells in memory), the last one only in part.
#[test]
fn life_keeps_the_contract() {
    check(json!({"experiment": "life", "batch": 20, "steps": 1, "epochs": 2, "prove_every": 2}));
}

/// Grids of many tiles, asynchronous cells, truth tables as parameters, and a restart after every evaluation.
#[test]
fn asynchronous_cells_keep_the_contract() {
    check(json!({
        "experiment": "async", "parameters": "table", "batch": 1, "steps": 1, "fire_rate": 0.6, "epochs": 1,
        "prove_every": 2, "decided": 0.3, "settle_below": 1.0, "anew_after": 2, "scatter": 0.5
    }));
}
