//! An evaluation that a GPU plays: its start on the way to the device, and the returns on their way back.

use super::Evaluator;
use crate::gpu::ppo::EvaluationStart;
use crate::gpu::{normaliser, push_states};
use crate::network::Network;

impl Evaluator {
    /// The start of the evaluation as a device takes it. `seed` is that of the evaluation's random numbers.
    pub fn start_for_device(&self, network: &Network, seed: u32) -> EvaluationStart {
        let mut start = EvaluationStart {
            seed,
            first: self.first,
            normaliser: normaliser(network),
            ..Default::default()
        };
        for chunk in &self.chunks {
            // Worlds whose rules failed at the start have ended without a reward.
            let failed = push_states(&*chunk.worlds, network.task(), &mut start.states);
            start.ended.extend(failed.into_iter().map(u32::from));
        }
        start
    }

    /// Sets the returns of all episodes and whether they ended as a success, after a device has played them.
    pub fn put_returns(&mut self, returns: &[f32], successes: &[bool]) {
        let mut rest = (returns, successes);
        for chunk in &mut self.chunks {
            let n = chunk.returns.len();
            chunk.returns.copy_from_slice(&rest.0[..n]);
            chunk.succeeded.copy_from_slice(&rest.1[..n]);
            chunk.finished.fill(true);
            rest = (&rest.0[n..], &rest.1[n..]);
        }
    }
}
