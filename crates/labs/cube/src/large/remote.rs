//! Guides of searches that are elsewhere, such as on a GPU, and follow a network that learns.

use learnery_lab::LabError;

use super::network::Network;
use crate::beam::RemoteGuide;

/// A guide with a copy of a network.
pub trait NetworkGuide: RemoteGuide<Error = LabError> + Send {
    /// Takes the network as it is now. Returns false if it computes something else than before.
    fn set_network(&mut self, network: &Network) -> bool;
}

/// Makes a guide with a copy of this network.
pub type MakeGuide = Box<dyn Fn(&Network) -> Result<Box<dyn NetworkGuide>, LabError> + Send>;
