//! Reads and checks the counters of a checkpoint: updates, positions, games and so on.
//!
//! A checkpoint comes from outside. The next unit (one round of training) plans its work from these counters,
//! so a false one could make the unit never end. Each check rejects a counter that contradicts the settings
//! or the other counters, with an error sentence that names it.

use learnery_lab::LabError;
use learnery_nn::Tensors;
use serde_json::Value;

/// The largest counter that is accepted. AlphaZero numbers each search of its self-play with the number of
/// the game times 2^20 plus the turn. This index must fit into 64 bits, so game numbers must stay below 2^44.
/// At a million positions a second, a run takes a hundred days to count this far.
pub const MAX_COUNTER: u64 = 1 << 43;

/// Reads the counter `name` from the scalars of a checkpoint.
pub fn read_counter(scalars: &Value, name: &str) -> Result<u64, LabError> {
    let missing = || LabError::Checkpoint(format!("its counter `{name}` is missing"));
    check_max_counter(name, scalars[name].as_u64().ok_or_else(missing)?)
}

/// Reads the counter `name` that is stored as a tensor with one element.
pub fn read_tensor_counter(tensors: &Tensors, name: &str) -> Result<u64, LabError> {
    check_max_counter(name, tensors.get::<u64>(name, &[1])?[0])
}

fn check_max_counter(name: &str, value: u64) -> Result<u64, LabError> {
    check(value <= MAX_COUNTER, || format!("its counter `{name}` is {value}, more than any run can reach"))?;
    Ok(value)
}

/// Rejects the checkpoint with the sentence `problem` unless `condition` is true.
pub fn check(condition: bool, problem: impl FnOnce() -> String) -> Result<(), LabError> {
    if condition { Ok(()) } else { Err(LabError::Checkpoint(problem())) }
}

/// Rejects a counter that differs from `expected`, the value that the other counters imply. `None` means that
/// computing it overflowed, so the other counters themselves are impossible and every value is rejected.
pub fn check_equal(name: &str, value: u64, expected: Option<u64>) -> Result<(), LabError> {
    check(Some(value) == expected, || match expected {
        Some(expected) => format!("its counter `{name}` is {value}, but the other counters imply {expected}"),
        None => format!(
            "its counter `{name}` is {value}, and the other counters imply more than any run can reach"
        ),
    })
}

/// Rejects a counter above `max`, the maximum that the other counters allow.
pub fn check_at_most(name: &str, value: u64, max: f64) -> Result<(), LabError> {
    check(value as f64 <= max, || {
        format!("its counter `{name}` is {value}, but the other counters allow {max:.0} at most")
    })
}

/// Rejects optimiser state (`tensors` of Adam) that has counted more steps than the run has made updates.
pub fn check_adam_steps(tensors: &Tensors, updates: u64) -> Result<(), LabError> {
    check_at_most("adam/t", tensors.get::<u64>("t", &[1])?[0], updates as f64)
}

/// Returns how many self-play games have finished.
///
/// A run plays `slots` games side by side. Slot `i` plays the games numbered `i`, `i + slots`, `i + 2 *
/// slots`, ... one after the other, so a slot whose active game has number `n` has finished `n / slots`
/// games. `active_games` has that number for each slot; one that does not belong to its slot is rejected.
pub fn finished_games(active_games: impl Iterator<Item = u64>, slots: u64) -> Result<u64, LabError> {
    let mut finished = 0;
    for (slot, number) in (0..).zip(active_games) {
        check(number <= MAX_COUNTER && number % slots == slot, || {
            format!("game {number} is under way in slot {slot} of {slots}, where it cannot be")
        })?;
        finished += number / slots;
    }
    Ok(finished)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finished_games_are_counted_from_the_numbers_of_active_games() {
        // Three slots: the first plays its third game (number 6), the second and third play their first.
        assert_eq!(finished_games([6, 1, 2].into_iter(), 3).ok(), Some(2));
        assert!(finished_games([6, 2, 1].into_iter(), 3).is_err());
    }

    #[test]
    fn counter_without_a_possible_value_is_rejected() {
        assert!(check_equal("games", 0, None).is_err());
        assert!(check_equal("games", 7, Some(8)).is_err());
        assert!(check_equal("games", 8, Some(8)).is_ok());
    }
}
