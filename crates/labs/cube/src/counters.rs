//! Checks of counters that come from a checkpoint.

use learnery_lab::LabError;
use learnery_nn::Tensors;

/// More than any run reaches, and so little that adding to a counter, or multiplying it with the size of a minibatch,
/// stays within 64 bits.
const MAX_COUNT: u64 = 1 << 48;

/// Refuses a counter that no run can have reached.
pub fn checked(name: &str, value: u64) -> Result<u64, LabError> {
    if value > MAX_COUNT {
        return Err(LabError::Checkpoint(format!("its counter `{name}` is {value}, which no run can reach")));
    }
    Ok(value)
}

/// Refuses a number of updates that no run can have reached, or that is less than the number of steps of the optimiser
/// in `tensors`, those of the learner. It may be more: a run that starts from a trained network has a new optimiser.
pub fn checked_updates(updates: u64, tensors: &Tensors) -> Result<u64, LabError> {
    let adam_steps: u64 = tensors.get("adam/t", &[1])?[0];
    if adam_steps > updates {
        return Err(LabError::Checkpoint(format!(
            "its optimiser made {adam_steps} steps, but it has made only {updates} updates"
        )));
    }
    checked("updates", updates)
}
