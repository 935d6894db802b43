//! Who keeps the run that a host computes, and shows how far it is.

use learnery_lab::{LabError, Session};

use super::terminal::Terminal;
use crate::trust::Trust;

/// Keeps a run in its folder.
pub trait Keeper {
    /// A unit (training iteration) has ended, whose row of metrics the session has.
    fn unit_finished(&mut self, session: &Session) -> Result<(), LabError>;
    /// The run went back to its last checkpoint: what came after it is no longer true.
    fn went_back(&mut self);
    /// Writes a checkpoint file.
    fn save(&mut self, checkpoint: &[u8]) -> Result<(), LabError>;
    /// Tells the user that the folder could not be written, or (`None`) that it could be; nothing if that is
    /// as before.
    fn note_save(&mut self, error: Option<&LabError>);
    /// Writes what is known of actors.
    fn save_trust(&mut self, trust: &Trust) -> Result<(), LabError>;
    fn terminal(&mut self) -> &mut dyn Terminal;
}
