//! Runs the contract test, which every lab must pass, on the lab bandit.

use learnery_bandit::Bandit;
use learnery_lab::Entry;
use learnery_lab::contract::{self, Case};
use serde_json::json;

#[test]
fn bandit_keeps_the_contract() {
    let evaluation = json!({"games": 10});
    contract::check(&Case::new(Entry::of::<Bandit>(), json!({}), evaluation));
}
