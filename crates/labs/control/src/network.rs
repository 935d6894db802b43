//! The actor-critic network: two separate MLPs with tanh activations, and the running normalisation of their
//! inputs. The actor chooses actions, the critic predicts the discounted future reward of a state (its
//! *value*). The parameters of both lie in one flat vector.

use std::ops::Range;

use learnery_kernels::math::double;
use learnery_kernels::rng::Stream;
use learnery_lab::LabError;
use learnery_nn::{Hidden, Layout, Mlp, MlpTape, Tensors, Weights};

use crate::bounds::Bounds;
use crate::config::ControlConfig;
use crate::normaliser::Normaliser;
use crate::policy::{LogStds, Policy};
use crate::purpose;
use crate::task::Task;

/// Gain of the actor's initial output weights. With small logits, the policy starts close to uniform.
const ACTOR_OUTPUT_GAIN: f32 = 0.01;
/// Gain of the critic's initial output weights.
const CRITIC_OUTPUT_GAIN: f32 = 1.0;

/// Actor, critic, their parameters, and the observation normaliser.
pub struct Network {
    task: Task,
    actor: Mlp,
    critic: Mlp,
    /// Where the logarithms of the policy's standard deviations lie among the parameters; `None` for discrete
    /// actions.
    log_std: Option<Range<usize>>,
    bounds: Bounds,
    /// The parameters of actor and critic, and `log_std`.
    pub weights: Weights,
    /// Callers must apply it to observations before they pass them to either network.
    pub normaliser: Normaliser,
}

/// Buffers for inference on one thread.
pub struct Scratch {
    hidden: learnery_nn::Scratch,
    /// Outputs of the actor.
    /// Shape: `[rows, outputs]`.
    outputs: Vec<f32>,
}

/// Activations of a forward pass on one thread, which the backward pass reads.
pub struct Tapes {
    pub actor: MlpTape,
    pub critic: MlpTape,
}

impl Network {
    /// A network of these settings with all parameters zero.
    fn zeroed(config: &ControlConfig, task: Task) -> Self {
        let (inputs, hidden) = (task.inputs(), config.hidden as usize);
        let mut layout = Layout::default();
        let sizes = |outputs| [inputs, hidden, hidden, outputs];
        // `false`: the gradient with respect to the observations is not needed.
        let actor = Mlp::new(&mut layout, "actor", &sizes(task.outputs()), Hidden::TANH, false);
        let critic = Mlp::new(&mut layout, "critic", &sizes(1), Hidden::TANH, false);
        // Old checkpoints use this name, which says "spread" for the standard deviation.
        let log_std = (!task.is_discrete()).then(|| layout.add("actor/log_spread".into(), &[task.outputs()]));
        let normaliser = Normaliser::new(inputs, config.normalise_observations);
        let bounds = Bounds::new(config.action_bounds, &task);
        Self { task, actor, critic, log_std, bounds, weights: Weights::new(layout), normaliser }
    }

    /// A randomly initialised network.
    pub fn new(config: &ControlConfig, task: Task, seed: u32) -> Self {
        let mut network = Self::zeroed(config, task);
        network.weights.update(|params| {
            network.actor.init(params, ACTOR_OUTPUT_GAIN, Stream::new(seed, purpose::ACTOR));
            network.critic.init(params, CRITIC_OUTPUT_GAIN, Stream::new(seed, purpose::CRITIC));
            if let Some(log_std) = &network.log_std {
                params[log_std.clone()].fill(double::log(config.initial_spread) as f32);
            }
        });
        network
    }

    /// Restores the network of a checkpoint.
    pub fn from_tensors(config: &ControlConfig, tensors: &Tensors) -> Result<Self, LabError> {
        let mut network = Self::zeroed(config, Task::of_network(config.world, tensors)?);
        network.weights = Weights::from_tensors(network.weights.layout().clone(), tensors)?;
        if network.normaliser.is_enabled() {
            network.normaliser.restore(&tensors.under("normaliser/"))?;
        }
        Ok(network)
    }

    pub fn to_tensors(&self) -> Tensors {
        let mut tensors = self.weights.to_tensors();
        self.task.write_tensors(&mut tensors);
        if self.normaliser.is_enabled() {
            tensors.absorb("normaliser/", self.normaliser.to_tensors());
        }
        tensors
    }

    pub fn task(&self) -> &Task {
        &self.task
    }

    /// Goes on with another world that has the same observations and actions, so that its bounds in the
    /// policy's unit are the same.
    #[cfg(any(feature = "own-worlds", not(target_family = "wasm")))]
    pub fn set_task(&mut self, task: Task) {
        self.task = task;
    }

    #[cfg(not(target_family = "wasm"))]
    pub fn actor(&self) -> &Mlp {
        &self.actor
    }

    #[cfg(not(target_family = "wasm"))]
    pub fn critic(&self) -> &Mlp {
        &self.critic
    }

    /// Width of an observation.
    pub fn inputs(&self) -> usize {
        self.actor.inputs()
    }

    /// Outputs of the actor: a logit for each discrete action, or the mean of each number of a continuous
    /// one.
    pub fn outputs(&self) -> usize {
        self.actor.outputs()
    }

    /// Numbers of an action.
    pub fn numbers(&self) -> usize {
        self.policy().numbers()
    }

    /// Where the logarithms of the policy's standard deviations lie among the parameters; `None` for
    /// discrete actions.
    pub fn log_std_range(&self) -> Option<Range<usize>> {
        self.log_std.clone()
    }

    /// The action distribution whose parameters are the actor's outputs.
    pub fn policy(&self) -> Policy {
        match &self.log_std {
            None => Policy::Categorical(self.outputs()),
            Some(range) => Policy::Normal(LogStds::new(&self.weights.flat()[range.clone()])),
        }
    }

    /// How the policy's numbers become those that worlds take.
    pub fn bounds(&self) -> &Bounds {
        &self.bounds
    }

    /// Inference buffers for up to `rows` observations.
    pub fn scratch(&self, rows: usize) -> Scratch {
        Scratch { hidden: self.actor.scratch(), outputs: vec![0.0; rows * self.outputs()] }
    }

    /// Training buffers for up to `rows` observations.
    pub fn tapes(&self, rows: usize) -> Tapes {
        Tapes { actor: self.actor.tape(rows), critic: self.critic.tape(rows) }
    }

    /// Computes the actor's outputs for normalised observations.
    ///
    /// Shapes: `x [rows, inputs] -> [rows, outputs]`.
    pub fn actor_outputs<'s>(&self, x: &[f32], rows: usize, scratch: &'s mut Scratch) -> &'s [f32] {
        let outputs = &mut scratch.outputs[..rows * self.outputs()];
        self.actor.infer(&self.weights, x, rows, &mut scratch.hidden, outputs);
        outputs
    }

    /// Computes the critic's values of normalised observations.
    ///
    /// Shapes: `x [rows, inputs] -> out [rows]`.
    pub fn values(&self, x: &[f32], rows: usize, scratch: &mut Scratch, out: &mut [f32]) {
        self.critic.infer(&self.weights, x, rows, &mut scratch.hidden, out);
    }

    /// Runs both networks and keeps activations and outputs on the tapes for [`Network::backward`].
    pub fn forward(&self, x: &[f32], rows: usize, tapes: &mut Tapes) {
        self.actor.forward(&self.weights, x, rows, &mut tapes.actor);
        self.critic.forward(&self.weights, x, rows, &mut tapes.critic);
    }

    /// Adds the gradients of both networks to `grads`. Before this call, the caller must run
    /// [`Network::forward`] with the same `x` and write the gradients with respect to the outputs to the
    /// tapes.
    pub fn backward(&self, x: &[f32], rows: usize, tapes: &mut Tapes, grads: &mut [f32]) {
        // `None`: the gradient with respect to the observations is not needed.
        self.actor.backward(&self.weights, x, rows, &mut tapes.actor, grads, None);
        self.critic.backward(&self.weights, x, rows, &mut tapes.critic, grads, None);
    }
}
