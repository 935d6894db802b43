//! Scores of a beam search from the GPU. The search itself, which ranks the candidates and drops repeated
//! states, runs on the CPU.

use learnery_gpu::{Gpu, GpuError, Pending};
use learnery_lab::LabError;
use rayon::prelude::*;

use super::{SCALE, packed, rules};
use crate::beam::{Packed, RemoteGuide};
use crate::gpu::{PackedState, Scorer, Scores};
use crate::large::network::{Network, Outputs};
use crate::large::remote::{MakeGuide, NetworkGuide};

/// A network on the GPU that guides searches.
#[derive(Debug)]
pub struct DeviceGuide {
    scorer: Scorer,
    outputs: Outputs,
    /// The scores that are on their way; `None` if none were asked for.
    pending: Option<Pending>,
}

impl DeviceGuide {
    /// Moves a network to the device.
    pub fn new(gpu: &Gpu, network: &Network) -> Result<Self, GpuError> {
        let outputs = network.outputs();
        let scores = match outputs {
            Outputs::Distance => Scores::Distance(SCALE),
            Outputs::DistancesAfterTurns => Scores::DistancesAfterTurns(SCALE),
            Outputs::Logits => Scores::Logits,
        };
        let scorer = Scorer::new(gpu, &rules(network), network.net(), network.weights.len(), scores)?;
        scorer.set_weights(network.weights.flat());
        Ok(Self { scorer, outputs, pending: None })
    }

    /// Takes over the present weights of the network. Returns false, and takes over nothing, if the outputs
    /// of the network mean something else than before.
    pub fn set_network(&mut self, network: &Network) -> bool {
        if network.outputs() != self.outputs {
            return false;
        }
        self.scorer.set_weights(network.weights.flat());
        self.pending = None;
        true
    }

    /// Blocks until the device has answered.
    #[cfg(not(target_family = "wasm"))]
    pub fn wait(&self) {
        self.scorer.wait();
    }
}

/// A [`DeviceGuide`] with [`LabError`] for its errors, as [`NetworkGuide`] has them. So code that is also
/// compiled without GPUs can hold it.
struct Erased(DeviceGuide);

impl DeviceGuide {
    /// Returns a function that makes guides on this device.
    pub fn maker(gpu: &Gpu) -> MakeGuide {
        let gpu = gpu.clone();
        Box::new(move |network| Ok(Box::new(Erased(Self::new(&gpu, network)?))))
    }
}

impl RemoteGuide for Erased {
    type Error = LabError;

    fn adds_scores(&self) -> bool {
        self.0.adds_scores()
    }

    fn submit(&mut self, states: &[Packed]) {
        self.0.submit(states);
    }

    fn poll(&mut self) -> Result<Option<Vec<f32>>, LabError> {
        Ok(self.0.poll()?)
    }
}

impl NetworkGuide for Erased {
    fn set_network(&mut self, network: &Network) -> bool {
        self.0.set_network(network)
    }
}

impl RemoteGuide for DeviceGuide {
    type Error = GpuError;

    fn adds_scores(&self) -> bool {
        self.outputs == Outputs::Logits
    }

    fn submit(&mut self, states: &[Packed]) {
        let states: Vec<PackedState> = states.par_iter().map(|state| packed(&state.state())).collect();
        self.pending = Some(self.scorer.submit(&states));
    }

    fn poll(&mut self) -> Result<Option<Vec<f32>>, GpuError> {
        let Some(pending) = &mut self.pending else {
            return Err(GpuError::Failed("no states were submitted".into()));
        };
        let scores = pending.poll()?;
        if scores.is_some() {
            self.pending = None;
        }
        Ok(scores)
    }
}
