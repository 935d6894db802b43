//! Guides of searches that are elsewhere, such as on a GPU, and follow a network that learns.

use learnery_lab::LabError;

use super::network::Network;
use crate::beam::RemoteGuide;

/// A guide with a copy of a network.
pub trait NetworkGuide: RemoteGuide<Error = LabError> + Send {
    /// Takes over the present weights of the network. Returns false, and takes over nothing, if the outputs
    /// of the network mean something else than before.
    fn set_network(&mut self, network: &Network) -> bool;
}

/// Makes a guide with a copy of this network.
pub type MakeGuide = Box<dyn Fn(&Network) -> Result<Box<dyn NetworkGuide>, LabError> + Send>;
