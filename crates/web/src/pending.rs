//! Requests that cannot be answered at once: they wait for the end of a unit or for the GPU.

use std::collections::VecDeque;

use serde_json::Value;

use crate::host::Opening;
use crate::questions::Question;

/// What a request to save asks for.
#[derive(Clone, Debug)]
pub struct SaveRequest {
    pub network_only: bool,
    pub fingerprint: bool,
    /// The class of bits for a recipe; `None` for a checkpoint.
    pub recipe: Option<String>,
}

/// What is done with a run between two units, once everything has been fetched from the GPU.
#[derive(Clone, Debug)]
pub enum BetweenUnits {
    Save(SaveRequest),
    /// The run goes on with another seed.
    Reseed(u32),
    /// A command gives the run data of the user's own.
    SetData(Value),
    /// A tool gets a copy of the network.
    Ask(Question),
}

impl BetweenUnits {
    /// The value of `type` in the request.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Save(_) => "save",
            Self::Reseed(_) => "reseed",
            Self::SetData(_) => "command",
            Self::Ask(_) => "ask",
        }
    }
}

/// A request that waits for the end of a unit.
#[derive(Clone, Debug)]
pub struct WaitingRequest {
    /// The number of the request, which its reply repeats.
    pub id: u32,
    pub work: BetweenUnits,
}

/// What the page asked for with a request `Step`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequestedStep {
    /// One step.
    Step,
    /// The rest of the unit in progress, or a whole unit.
    Unit,
}

/// Work that the page asked for and that takes long, or waits for the GPU. A tab must not block, so it is
/// continued in later slices.
#[derive(Default)]
pub struct PendingWork {
    /// The devices to which the run is to be moved, one after the other, each with the number of the request
    /// for it; `None` if the run returns to its device.
    pub openings: VecDeque<(Option<u32>, Opening)>,
    /// The step or unit that the page asked for and that is not finished, with the number of the request.
    pub step: Option<(u32, RequestedStep)>,
    /// The numbers of the requests for steps that have ended and are not answered yet.
    pub ended_steps: VecDeque<u32>,
    /// Requests that wait for the end of the unit in progress, and for which the run is then fetched from the
    /// GPU.
    pub waiting: VecDeque<WaitingRequest>,
    /// Whether the device was busy when it was asked last.
    pub is_busy: bool,
}

impl PendingWork {
    pub fn is_empty(&self) -> bool {
        self.step.is_none() && self.waiting.is_empty() && !self.opens_device()
    }

    /// Whether a device is being opened.
    pub fn opens_device(&self) -> bool {
        !self.openings.is_empty()
    }
}
