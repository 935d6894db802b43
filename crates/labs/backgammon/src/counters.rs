//! Counters of a checkpoint, checked on load.
//!
//! A checkpoint comes from outside. Counters that contradict the settings or each other are refused here, because a unit
//! would otherwise plan an absurd number of updates and never end.

use learnery_lab::LabError;
use learnery_nn::Tensors;
use serde_json::Value;

/// The largest counter that is accepted. A game number times 2^20 turns is the index of a search and must fit 64 bits;
/// a million positions a second would take a hundred days to get here.
const MAX_COUNTER: u64 = 1 << 43;

/// The counter `name` of a table of scalars.
pub fn read_counter(scalars: &Value, name: &str) -> Result<u64, LabError> {
    let missing = || LabError::Checkpoint(format!("its counter `{name}` is missing"));
    bounded(name, scalars[name].as_u64().ok_or_else(missing)?)
}

/// The counter `name` that is kept as a tensor of one number.
pub fn read_tensor_counter(tensors: &Tensors, name: &str) -> Result<u64, LabError> {
    bounded(name, tensors.get::<u64>(name, &[1])?[0])
}

fn bounded(name: &str, value: u64) -> Result<u64, LabError> {
    check(value <= MAX_COUNTER, || format!("its counter `{name}` is {value}, more than any run can reach"))?;
    Ok(value)
}

/// Refuses the checkpoint with the sentence `problem` unless `holds`.
pub fn check(holds: bool, problem: impl FnOnce() -> String) -> Result<(), LabError> {
    if holds { Ok(()) } else { Err(LabError::Checkpoint(problem())) }
}

/// Refuses a counter that is not exactly what the other counters imply.
pub fn check_equal(name: &str, value: u64, expected: Option<u64>) -> Result<(), LabError> {
    check(Some(value) == expected, || match expected {
        Some(expected) => format!("its counter `{name}` is {value}, but the other counters imply {expected}"),
        None => format!(
            "its counter `{name}` is {value}, and the other counters imply more than any run can reach"
        ),
    })
}

/// Refuses a counter above `limit`, the most that the other counters allow.
pub fn check_at_most(name: &str, value: u64, limit: f64) -> Result<(), LabError> {
    check(value as f64 <= limit, || {
        format!("its counter `{name}` is {value}, but the other counters allow {limit:.0} at most")
    })
}

/// Refuses optimiser state (`tensors` of Adam) that counts more steps than updates were made.
pub fn check_adam_steps(tensors: &Tensors, updates: u64) -> Result<(), LabError> {
    check_at_most("adam/t", tensors.get::<u64>("t", &[1])?[0], updates as f64)
}

/// Games that have ended, from the numbers of the games under way: slot `i` of `slots` plays the games `i`, `i + slots`,
/// `i + 2 * slots` and so on. Refuses a number that slot cannot have.
pub fn finished_games(numbers: impl Iterator<Item = u64>, slots: u64) -> Result<u64, LabError> {
    let mut finished = 0;
    for (slot, number) in (0..).zip(numbers) {
        check(number <= MAX_COUNTER && number % slots == slot, || {
            format!("game {number} is under way in slot {slot} of {slots}, where it cannot be")
        })?;
        finished += number / slots;
    }
    Ok(finished)
}
