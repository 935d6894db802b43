//! What a lab implements so that many machines can train one of its runs.

use learnery_nn::Tensors;

use super::Actor;
#[cfg(not(target_family = "wasm"))]
use super::Learner;
use crate::{Context, Lab, LabError};

/// A lab of which one run trains on many machines.
pub trait FleetLab: Lab {
    /// From the next unit (training iteration) on, leaves to other machines what does not depend on the learning
    /// in it, such as self-play. Called between two units.
    #[cfg(not(target_family = "wasm"))]
    fn share(&mut self, cx: Context<Self::Config>) -> Result<(), LabError>;

    /// The learner's side of a run that is shared; `None` if it is not.
    #[cfg(not(target_family = "wasm"))]
    fn learner(&mut self) -> Option<&mut dyn Learner>;

    /// An actor for runs with these settings and this seed, with the weights from [`super::Learner::weights`].
    fn actor(cx: Context<Self::Config>, network: &Tensors) -> Result<Box<dyn Actor>, LabError>;
}

type MadeActor = Result<Box<dyn Actor>, LabError>;

/// The methods of a [`FleetLab`], which a lab names in [`Lab::FLEET`]: most labs have none, and code that serves
/// every lab finds them there. A tab only computes jobs, so it has no more than the actor.
pub struct FleetEntry<L: Lab> {
    #[cfg(not(target_family = "wasm"))]
    pub(crate) share: fn(&mut L, Context<L::Config>) -> Result<(), LabError>,
    #[cfg(not(target_family = "wasm"))]
    pub(crate) learner: fn(&mut L) -> Option<&mut dyn Learner>,
    pub(crate) actor: fn(Context<L::Config>, &Tensors) -> MadeActor,
}

impl<L: FleetLab> FleetEntry<L> {
    /// The methods of lab `L`.
    pub const fn of() -> Self {
        Self {
            #[cfg(not(target_family = "wasm"))]
            share: L::share,
            #[cfg(not(target_family = "wasm"))]
            learner: L::learner,
            actor: L::actor,
        }
    }
}
