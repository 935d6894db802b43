//! The actor and the critic: two small tanh networks over one flat parameter vector.

use learnery_kernels::rng::Stream;
use learnery_nn::{Layout, Mlp, MlpWorkspace, TensorError, Tensors};

use super::purpose;

/// Numbers the agent sees.
pub const INPUTS: usize = 4;
/// Actions it chooses from.
pub const ACTIONS: usize = 2;
const HIDDEN: usize = 64;

/// Both networks and their parameters.
pub struct Agent {
    layout: Layout,
    actor: Mlp,
    critic: Mlp,
    /// All parameters of both.
    pub params: Vec<f32>,
}

/// Scratch for both networks on one thread.
pub struct Scratch {
    /// For the actor.
    pub actor: MlpWorkspace,
    /// For the critic.
    pub critic: MlpWorkspace,
}

impl Agent {
    fn untrained() -> Self {
        let mut layout = Layout::default();
        let actor = Mlp::new(&mut layout, "actor", &[INPUTS, HIDDEN, HIDDEN, ACTIONS]);
        let critic = Mlp::new(&mut layout, "critic", &[INPUTS, HIDDEN, HIDDEN, 1]);
        let params = vec![0.0; layout.len()];
        Self { layout, actor, critic, params }
    }

    /// A fresh agent: nearly undecided, expecting nothing in particular.
    pub fn new(seed: u32) -> Self {
        let mut agent = Self::untrained();
        // A last layer a hundred times smaller starts the actor close to a coin toss.
        agent.actor.init(&mut agent.params, 0.01, Stream::new(seed, purpose::ACTOR));
        agent.critic.init(&mut agent.params, 1.0, Stream::new(seed, purpose::CRITIC));
        agent
    }

    /// An agent with the parameters of a checkpoint.
    pub fn from_tensors(tensors: &Tensors) -> Result<Self, TensorError> {
        let mut agent = Self::untrained();
        agent.params = agent.layout.from_tensors(tensors)?;
        Ok(agent)
    }

    /// The parameters under their names.
    pub fn to_tensors(&self) -> Tensors {
        self.layout.to_tensors(&self.params)
    }

    /// Scratch for batches of up to `rows`.
    pub fn scratch(&self, rows: usize) -> Scratch {
        Scratch { actor: self.actor.workspace(rows), critic: self.critic.workspace(rows) }
    }

    /// Preferences for each action. // x [rows, INPUTS] -> [rows, ACTIONS]
    pub fn logits<'s>(&self, x: &[f32], rows: usize, scratch: &'s mut Scratch) -> &'s [f32] {
        self.actor.forward(&self.params, x, rows, &mut scratch.actor)
    }

    /// Expected returns. // x [rows, INPUTS] -> [rows]
    pub fn values<'s>(&self, x: &[f32], rows: usize, scratch: &'s mut Scratch) -> &'s [f32] {
        self.critic.forward(&self.params, x, rows, &mut scratch.critic)
    }

    /// Adds the gradients of both networks to `grads`, after a forward pass of each over the same
    /// `x` and with the gradients at their outputs written into `scratch`.
    pub fn backward(&self, x: &[f32], rows: usize, scratch: &mut Scratch, grads: &mut [f32]) {
        self.actor.backward(&self.params, x, rows, &mut scratch.actor, grads);
        self.critic.backward(&self.params, x, rows, &mut scratch.critic, grads);
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
