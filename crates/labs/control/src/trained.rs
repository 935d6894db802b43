//! A trained network for other programs, such as Python: its outputs and actions for many observations at
//! once.

use learnery_lab::{Checkpoint, LabError};
use rayon::prelude::*;

use crate::network::{Network, Scratch};
use crate::task::Task;
use crate::training::Control;

/// Observations that one thread computes together.
const ROWS_PER_CHUNK: usize = 256;

/// The actor and the critic of a checkpoint.
pub struct TrainedNetwork {
    network: Network,
}

impl TrainedNetwork {
    /// Reads a checkpoint of this lab: that of a run, or one with a network alone.
    pub fn from_checkpoint(checkpoint: &Checkpoint) -> Result<Self, LabError> {
        let config = checkpoint.settings::<Control>()?;
        Ok(Self { network: Network::from_tensors(&config, &checkpoint.network())? })
    }

    /// The world that the network was trained for.
    pub fn task(&self) -> &Task {
        self.network.task()
    }

    /// Numbers of an action.
    pub fn numbers(&self) -> usize {
        self.network.numbers()
    }

    /// The actor's outputs for an observation.
    pub fn outputs(&self) -> usize {
        self.network.outputs()
    }

    /// Width of an observation.
    pub fn inputs(&self) -> usize {
        self.network.inputs()
    }

    /// The actor's outputs: a logit for each discrete action, or the mean of each number of a continuous one
    /// before it is brought within its bounds.
    ///
    /// Shapes: `observations [rows, inputs] -> [rows, outputs]`.
    pub fn actor(&self, observations: &[f32]) -> Vec<f32> {
        let outputs = self.network.outputs();
        self.compute(observations, outputs, |x, rows, scratch, out| {
            out.copy_from_slice(self.network.actor_outputs(x, rows, scratch));
        })
    }

    /// The critic's values: the discounted return that it expects.
    ///
    /// Shapes: `observations [rows, inputs] -> [rows]`.
    pub fn critic(&self, observations: &[f32]) -> Vec<f32> {
        self.compute(observations, 1, |x, rows, scratch, out| self.network.values(x, rows, scratch, out))
    }

    /// The actions that evaluations take, in the units of the world: the most probable ones, and continuous
    /// ones within their bounds.
    ///
    /// Shapes: `observations [rows, inputs] -> [rows, numbers]`.
    pub fn act(&self, observations: &[f32]) -> Vec<f32> {
        let actor = self.actor(observations);
        let mut actions = vec![0.0; actor.len() / self.outputs() * self.numbers()];
        self.network.bounds().greedy(self.network.policy(), &actor, &mut actions);
        self.task().actions_in_units(&mut actions);
        actions
    }

    /// Normalises the observations and computes `width` numbers for each with `infer`, on all threads of the
    /// pool.
    fn compute(
        &self,
        observations: &[f32],
        width: usize,
        infer: impl Fn(&[f32], usize, &mut Scratch, &mut [f32]) + Sync,
    ) -> Vec<f32> {
        let inputs = self.inputs();
        let mut out = vec![0.0; observations.len() / inputs * width];
        let chunks =
            observations.par_chunks(ROWS_PER_CHUNK * inputs).zip(out.par_chunks_mut(ROWS_PER_CHUNK * width));
        chunks.for_each_init(
            || (self.network.scratch(ROWS_PER_CHUNK), Vec::new()),
            |(scratch, x), (observations, out)| {
                x.clear();
                x.extend_from_slice(observations);
                self.network.normaliser.apply(x);
                infer(x, x.len() / inputs, scratch, out);
            },
        );
        out
    }
}

#[cfg(test)]
mod tests {
    use learnery_lab::{Entry, Session};
    use serde_json::json;

    use super::*;

    /// A network after one training iteration.
    fn trained(world: &str, bounds: &str) -> TrainedNetwork {
        let settings = json!({
            "world": world, "worlds": 16, "horizon": 8, "hidden": 8, "minibatches": 1, "action_bounds": bounds
        });
        let mut session = Session::start(Entry::of::<Control>(), &settings, 3).expect("good settings");
        session.advance_unit();
        TrainedNetwork::from_checkpoint(&session.save()).expect("its own checkpoint")
    }

    #[test]
    fn many_observations_give_what_each_gives_alone() {
        for (world, bounds) in [("cartpole", "clipped"), ("pendulum", "clipped"), ("pendulum", "squashed")] {
            let network = trained(world, bounds);
            let inputs = network.inputs();
            let observations: Vec<f32> =
                (0..(2 * ROWS_PER_CHUNK + 7) * inputs).map(|i| (i * 37 % 101) as f32 * 0.1 - 5.0).collect();
            let compute = |observations: &[f32]| {
                [network.actor(observations), network.critic(observations), network.act(observations)]
            };
            let all = compute(&observations);
            for (i, observation) in observations.chunks_exact(inputs).enumerate() {
                for (all, one) in all.iter().zip(compute(observation)) {
                    assert_eq!(all[i * one.len()..(i + 1) * one.len()], one, "{world} {i}");
                }
            }
            if world == "pendulum" {
                for (mean, torque) in all[0].iter().zip(&all[2]) {
                    let expected = match bounds {
                        "squashed" => 2.0 * learnery_kernels::math::tanh(*mean),
                        _ => mean.clamp(-2.0, 2.0),
                    };
                    assert_eq!(*torque, expected, "{bounds}");
                }
            }
        }
    }
}
