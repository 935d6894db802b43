//! What a session does for a run that a fleet computes, see [`crate::fleet`].

use serde_json::{Map, Value};

use super::Session;
use crate::LabError;
use crate::fleet::Learner;

impl Session {
    /// Leaves to a fleet the part of the next units that can be computed on other machines. Must be called
    /// between two units.
    pub(crate) fn share(&mut self) -> Result<(), LabError> {
        if self.is_mid_unit {
            return Err(LabError::Fleet("a run is shared between two units only".into()));
        }
        self.lab.share(self.units)
    }

    /// The learner's side of a run that is shared; `None` if it is not.
    pub(crate) fn learner(&mut self) -> Option<&mut dyn Learner> {
        self.lab.learner()
    }

    /// All settings of the unit in progress.
    pub(crate) fn unit_config(&self) -> &Map<String, Value> {
        &self.unit_config
    }
}
