//! Evaluation on a GPU: the data that the device starts from, and the results that it sends back.

use super::Evaluator;
use crate::gpu::ppo::EvaluationStart;
use crate::gpu::{normaliser, push_states};
use crate::network::Network;

impl Evaluator {
    /// What the device starts from. `seed` is the run's, for the random numbers of steps; the states in which the
    /// episodes begin are drawn already.
    pub fn start_for_device(&self, network: &Network, seed: u32) -> EvaluationStart {
        let mut start = EvaluationStart {
            seed,
            first: self.first,
            normaliser: normaliser(network),
            ..Default::default()
        };
        for chunk in &self.chunks {
            // A fault of the rules in its first state ends an episode at once, with a return of 0.
            let have_faults = push_states(&*chunk.worlds, network.task(), &mut start.states);
            start.ended.extend(have_faults.into_iter().map(u32::from));
        }
        start
    }

    /// Takes over the results from the device: the return of each episode, and whether it ended as a success.
    /// All episodes are finished then.
    pub fn put_results(&mut self, returns: &[f32], succeeded: &[bool]) {
        let mut rest = (returns, succeeded);
        for chunk in &mut self.chunks {
            let n = chunk.returns.len();
            chunk.returns.copy_from_slice(&rest.0[..n]);
            chunk.succeeded.copy_from_slice(&rest.1[..n]);
            chunk.finished.fill(true);
            rest = (&rest.0[n..], &rest.1[n..]);
        }
    }
}
