//! The actor and the critic: two small tanh networks over one flat parameter vector, and what they have learned of
//! how things look.

use std::ops::Range;

use learnery_kernels::rng::Stream;
use learnery_nn::{Hidden, Layout, Mlp, MlpTape, TensorError, Tensors, Weights};
use learnery_worlds::control::Actions;

use super::normaliser::Normaliser;
use super::policy::Policy;
use super::{ControlConfig, World, purpose};

/// Both networks, their parameters, and the normaliser before them.
pub struct Agent {
    world: World,
    actor: Mlp,
    critic: Mlp,
    /// Where the logarithm of the policy's spread lies, where it has one.
    spread: Option<Range<usize>>,
    /// All parameters of both.
    pub weights: Weights,
    /// What observations go through first.
    pub normaliser: Normaliser,
}

/// What acting works in, on one thread.
pub struct Scratch {
    networks: learnery_nn::Scratch,
    /// The last answers of either network.
    answers: Vec<f32>,
}

/// What learning works in, on one thread.
pub struct Tapes {
    /// For the actor.
    pub actor: MlpTape,
    /// For the critic.
    pub critic: MlpTape,
}

impl Agent {
    fn untrained(config: &ControlConfig) -> Self {
        let (world, hidden) = (config.world, config.hidden as usize);
        let spec = world.kind().spec();
        let mut layout = Layout::default();
        let sizes = |outputs| [spec.observation.len(), hidden, hidden, outputs];
        let actor = Mlp::new(&mut layout, "actor", &sizes(world.outputs()), Hidden::TANH, false);
        let critic = Mlp::new(&mut layout, "critic", &sizes(1), Hidden::TANH, false);
        let spread = match spec.actions {
            Actions::Discrete(_) => None,
            Actions::Continuous { .. } => Some(layout.add("actor/log_spread".into(), &[1])),
        };
        let normaliser = Normaliser::new(spec.observation.len(), config.normalise_observations);
        Self { world, actor, critic, spread, weights: Weights::new(layout), normaliser }
    }

    /// A fresh agent: nearly undecided, expecting nothing in particular.
    pub fn new(config: &ControlConfig, seed: u32) -> Self {
        let mut agent = Self::untrained(config);
        agent.weights.update(|params| {
            // A last layer a hundred times smaller starts the actor close to a coin toss.
            agent.actor.init(params, 0.01, Stream::new(seed, purpose::ACTOR));
            agent.critic.init(params, 1.0, Stream::new(seed, purpose::CRITIC));
            if let Some(spread) = &agent.spread {
                params[spread.start] = config.initial_spread.ln() as f32;
            }
        });
        agent
    }

    /// An agent with the parameters of a checkpoint.
    pub fn from_tensors(config: &ControlConfig, tensors: &Tensors) -> Result<Self, TensorError> {
        let mut agent = Self::untrained(config);
        agent.weights = Weights::from_tensors(agent.weights.layout().clone(), tensors)?;
        if agent.normaliser.is_on() {
            agent.normaliser.restore(&tensors.under("normaliser/"))?;
        }
        Ok(agent)
    }

    /// All that [`Agent::from_tensors`] wants.
    pub fn to_tensors(&self) -> Tensors {
        let mut tensors = self.weights.to_tensors();
        if self.normaliser.is_on() {
            tensors.absorb("normaliser/", self.normaliser.to_tensors());
        }
        tensors
    }

    /// The world it is made for.
    pub fn world(&self) -> World {
        self.world
    }

    /// Numbers in what it sees.
    pub fn inputs(&self) -> usize {
        self.actor.inputs()
    }

    /// Numbers in an answer of the actor.
    pub fn outputs(&self) -> usize {
        self.actor.outputs()
    }

    /// Where the logarithm of the policy's spread lies among the parameters, where it has one.
    pub fn spread(&self) -> Option<usize> {
        self.spread.as_ref().map(|range| range.start)
    }

    /// What the actor's answers mean.
    pub fn policy(&self) -> Policy {
        let log_spread = self.spread().map_or(0.0, |at| self.weights.flat()[at]);
        Policy::of(self.world.kind().spec().actions, log_spread)
    }

    /// Scratch to act with up to `rows` rows at a time.
    pub fn scratch(&self, rows: usize) -> Scratch {
        Scratch { networks: self.actor.scratch(), answers: vec![0.0; rows * self.outputs()] }
    }

    /// Room to learn from up to `rows` rows at a time.
    pub fn tapes(&self, rows: usize) -> Tapes {
        Tapes { actor: self.actor.tape(rows), critic: self.critic.tape(rows) }
    }

    /// The actor's answers to what is seen, normalised. // x [rows, inputs] -> [rows, outputs]
    pub fn answers<'s>(&self, x: &[f32], rows: usize, scratch: &'s mut Scratch) -> &'s [f32] {
        let answers = &mut scratch.answers[..rows * self.outputs()];
        self.actor.infer(&self.weights, x, rows, &mut scratch.networks, answers);
        answers
    }

    /// Expected returns. // x [rows, inputs] -> out [rows]
    pub fn values(&self, x: &[f32], rows: usize, scratch: &mut Scratch, out: &mut [f32]) {
        self.critic.infer(&self.weights, x, rows, &mut scratch.networks, out);
    }

    /// Runs both networks for [`Agent::backward`]; what they answer is on the tapes.
    pub fn forward(&self, x: &[f32], rows: usize, tapes: &mut Tapes) {
        self.actor.forward(&self.weights, x, rows, &mut tapes.actor);
        self.critic.forward(&self.weights, x, rows, &mut tapes.critic);
    }

    /// Adds the gradients of both networks to `grads`, after [`Agent::forward`] over the same `x` and with the
    /// gradients at the answers written onto the tapes.
    pub fn backward(&self, x: &[f32], rows: usize, tapes: &mut Tapes, grads: &mut [f32]) {
        self.actor.backward(&self.weights, x, rows, &mut tapes.actor, grads, None);
        self.critic.backward(&self.weights, x, rows, &mut tapes.critic, grads, None);
    }
}
