//! PPO on *external* environments: the caller steps them, all at once, as a vector environment of Gymnasium
//! in Python. Their state cannot be saved and their bits are not ours, so such a run has no exact resume, no
//! recipe and no fingerprint; what is saved of it is the network and the optimiser.

mod batch;
mod run;
mod spaces;
#[cfg(test)]
mod tests;

pub use batch::{Environments, Results};
pub use run::ExternalRun;
pub use spaces::{ExternalActions, ExternalSpaces};
