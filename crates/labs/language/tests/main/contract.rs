//! The language lab keeps the contract that all labs keep (`learnery_lab::contract`): among others, a run is
//! the same bits for any number of threads and after saving and loading.

use learnery_lab::Entry;
use learnery_lab::contract::{self, Case};
use learnery_language::Language;
use serde_json::{Value, json};

const LAB: Entry = Entry::of::<Language>();

fn check(settings: Value) {
    let case = Case::new(LAB, settings, json!({"games": 2}));
    contract::check(&case.with_tool("sample", json!({"tokens": 12, "texts": 2, "seed": 3})));
}

/// An evaluation whose last batch is not full, and a learning rate that falls.
#[test]
fn tasks_keep_the_contract() {
    check(json!({
        "width": 8, "layers": 1, "heads": 2, "batch": 30, "updates": 2, "anneal": 5, "judge_every": 2, "judge_size": 40
    }));
}

/// Stories as bytes, with several micro-batches in each batch, the optimiser Muon, and rows that repeat their
/// own beginning (the setting `echoes`); then stories as byte pairs.
#[test]
fn stories_keep_the_contract() {
    check(json!({
        "source": "stories", "width": 8, "layers": 1, "heads": 2, "length": 130, "batch": 9, "updates": 1,
        "judge_every": 2, "judge_size": 600, "optimiser": "muon", "echoes": 0.6, "echo_until": 5
    }));
    check(json!({
        "source": "stories", "tokens": "pairs", "vocabulary": 300, "width": 8, "layers": 1, "heads": 1, "length": 16,
        "batch": 3, "updates": 1, "judge_every": 3, "judge_size": 300
    }));
}
