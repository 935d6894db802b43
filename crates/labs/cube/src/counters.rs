//! A check of counters that come from a checkpoint.

use learnery_lab::LabError;

/// More than any run reaches, and so little that adding to a counter, or multiplying it with the size of a minibatch, stays
/// within 64 bits.
const MAX_COUNT: u64 = 1 << 48;

/// Refuses a counter that no run can have reached.
pub fn checked(name: &str, value: u64) -> Result<u64, LabError> {
    if value > MAX_COUNT {
        return Err(LabError::Checkpoint(format!("its counter `{name}` is {value}, which no run can reach")));
    }
    Ok(value)
}
