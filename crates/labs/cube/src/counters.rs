//! Checks of the counters in a checkpoint (a saved run). A checkpoint with a valid checksum may still hold
//! impossible counters.

use learnery_lab::LabError;
use learnery_nn::Tensors;

/// Upper bound of a counter. No run reaches it, and the product of such a counter and the size of a
/// minibatch (at most 2^14) fits into 64 bits.
const MAX_COUNT: u64 = 1 << 48;

/// Returns a counter, or an error if no run can have reached it.
pub fn checked(name: &str, value: u64) -> Result<u64, LabError> {
    if value > MAX_COUNT {
        return Err(LabError::Checkpoint(format!("its counter `{name}` is {value}, which no run can reach")));
    }
    Ok(value)
}

/// Returns a number of updates, or an error if no run can have reached it, or if the optimiser in `tensors`
/// has made more steps than that. The optimiser may have made fewer: a run that starts from a trained network
/// continues its count of updates with a new optimiser.
pub fn checked_updates(updates: u64, tensors: &Tensors) -> Result<u64, LabError> {
    let adam_steps: u64 = tensors.get("adam/t", &[1])?[0];
    if adam_steps > updates {
        return Err(LabError::Checkpoint(format!(
            "its optimiser made {adam_steps} steps, but it has made only {updates} updates"
        )));
    }
    checked("updates", updates)
}
