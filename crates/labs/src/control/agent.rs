//! The actor and the critic: two small tanh networks over one flat parameter vector.

use learnery_kernels::rng::Stream;
use learnery_nn::{Hidden, Layout, Mlp, MlpTape, TensorError, Tensors, Weights};

use super::purpose;

/// Numbers the agent sees.
pub const INPUTS: usize = 4;
/// Actions it chooses from.
pub const ACTIONS: usize = 2;
const HIDDEN: usize = 64;

/// Both networks and their parameters.
pub struct Agent {
    actor: Mlp,
    critic: Mlp,
    /// All parameters of both.
    pub weights: Weights,
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
    fn untrained() -> Self {
        let mut layout = Layout::default();
        let sizes = |outputs| [INPUTS, HIDDEN, HIDDEN, outputs];
        let actor = Mlp::new(&mut layout, "actor", &sizes(ACTIONS), Hidden::TANH, false);
        let critic = Mlp::new(&mut layout, "critic", &sizes(1), Hidden::TANH, false);
        Self { actor, critic, weights: Weights::new(layout) }
    }

    /// A fresh agent: nearly undecided, expecting nothing in particular.
    pub fn new(seed: u32) -> Self {
        let mut agent = Self::untrained();
        agent.weights.update(|params| {
            // A last layer a hundred times smaller starts the actor close to a coin toss.
            agent.actor.init(params, 0.01, Stream::new(seed, purpose::ACTOR));
            agent.critic.init(params, 1.0, Stream::new(seed, purpose::CRITIC));
        });
        agent
    }

    /// An agent with the parameters of a checkpoint.
    pub fn from_tensors(tensors: &Tensors) -> Result<Self, TensorError> {
        let mut agent = Self::untrained();
        agent.weights = Weights::from_tensors(agent.weights.layout().clone(), tensors)?;
        Ok(agent)
    }

    /// Scratch to act with up to `rows` rows at a time.
    pub fn scratch(&self, rows: usize) -> Scratch {
        Scratch { networks: self.actor.scratch(), answers: vec![0.0; rows * ACTIONS] }
    }

    /// Room to learn from up to `rows` rows at a time.
    pub fn tapes(&self, rows: usize) -> Tapes {
        Tapes { actor: self.actor.tape(rows), critic: self.critic.tape(rows) }
    }

    /// Preferences for each action. // x [rows, INPUTS] -> [rows, ACTIONS]
    pub fn logits<'s>(&self, x: &[f32], rows: usize, scratch: &'s mut Scratch) -> &'s [f32] {
        let answers = &mut scratch.answers[..rows * ACTIONS];
        self.actor.infer(&self.weights, x, rows, &mut scratch.networks, answers);
        answers
    }

    /// Expected returns. // x [rows, INPUTS] -> [rows]
    pub fn values<'s>(&self, x: &[f32], rows: usize, scratch: &'s mut Scratch) -> &'s [f32] {
        let answers = &mut scratch.answers[..rows];
        self.critic.infer(&self.weights, x, rows, &mut scratch.networks, answers);
        answers
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

/// Log-probabilities of both actions from their preferences, without overflow.
pub fn log_probabilities(logits: &[f32]) -> [f32; ACTIONS] {
    let gap = logits[1] - logits[0];
    [-softplus(gap), -softplus(-gap)]
}

/// `ln(1 + e^x)`.
fn softplus(x: f32) -> f32 {
    x.max(0.0) + (-x.abs()).exp().ln_1p()
}

/// The better of both actions.
pub fn greedy(logits: &[f32]) -> u8 {
    u8::from(logits[1] > logits[0])
}
