//! Learning: a batch goes through in waves, its gradient adds up, and at the end of it AdamW or Muon moves the parameters.
//! A wave is the smallest step, so that a page can draw before a batch is over.

use std::ops::Range;

use learnery_lab::LabError;
use learnery_nn::transformer::{IGNORE, Loss};
use learnery_nn::{Adam, AdamOptions, Decay, Muon, MuonOptions, Schedule, Tensors, Trainer};

use super::config::{LanguageConfig, Optimiser};
use super::echo::{echo, echoes};
use super::material::Material;
use super::network::Network;

/// What is left of the rates in the end.
const FLOOR: f64 = 0.05;

/// Slots of a wave: natively as many as a wave can have; in a tab one for each thread, to hold memory and steps small.
/// No bit depends on it.
fn slots() -> usize {
    if cfg!(target_arch = "wasm32") { rayon::current_num_threads() } else { 8 }
}

/// What follows the gradient.
enum Rule {
    Adamw(Box<Adam>),
    Muon(Box<Muon>),
}

/// A network's learner.
pub struct Learner {
    trainer: Trainer,
    rule: Rule,
    /// The parameters in parts, each with its weight decay.
    decays: Vec<(Range<usize>, f32)>,
    grads: Vec<f32>,
    /// The batch that is being learned from. // [batch, length]
    inputs: Vec<u16>,
    targets: Vec<u16>,
    /// How far it is.
    done: usize,
    /// Its first tokens are those of echoes, which are learned from but not counted.
    echoed: usize,
    loss: Loss,
    /// Bytes of the other targets that say something.
    bytes: usize,
    updates: u64,
    tokens: u64,
}

/// What an update found.
#[derive(Clone, Copy, Debug)]
pub struct Update {
    /// What the targets cost, in bits.
    pub bits: f64,
    /// How many bytes they are.
    pub bytes: usize,
    /// The length of the gradient before it was shortened.
    pub norm: f32,
}

impl Learner {
    /// No update done yet.
    pub fn new(config: &LanguageConfig, network: &Network) -> Self {
        let length = network.net.shape().context;
        let batch = config.batch as usize;
        let most = Trainer::sequences(length, slots()).min(batch);
        let decays = network.net.parameter_groups(config.weight_decay as f32);
        let rule = match config.optimiser {
            Optimiser::Adamw => Rule::Adamw(Box::new(Adam::new(network.weights.len()))),
            Optimiser::Muon => Rule::Muon(Box::new(Muon::new(network.net.hidden_matrices(), &decays))),
        };
        Self {
            trainer: Trainer::new(&network.net, length, most),
            rule,
            decays,
            grads: vec![0.0; network.weights.len()],
            inputs: vec![0; batch * length],
            targets: vec![IGNORE; batch * length],
            done: 0,
            echoed: 0,
            loss: Loss::default(),
            bytes: 0,
            updates: 0,
            tokens: 0,
        }
    }

    /// A wave of the present batch, or of the next one; the update where that was its last.
    pub fn step(
        &mut self,
        config: &LanguageConfig,
        network: &mut Network,
        material: &mut Material,
    ) -> Option<Update> {
        if self.done == 0 {
            self.begin(config, network, material);
        }
        let span = self.done..(self.done + self.trainer.micro_batch()).min(self.inputs.len());
        let (inputs, targets) = (&self.inputs[span.clone()], &self.targets[span.clone()]);
        let scale = 1.0 / self.scale();
        let Network { net, weights, .. } = &*network;
        let uncounted = self.echoed.clamp(span.start, span.end) - span.start;
        let (grads, loss) = (&mut self.grads, &mut self.loss);
        self.trainer.add(net, weights, inputs, targets, uncounted, scale, grads, loss);
        self.done = span.end;
        (self.done == self.inputs.len()).then(|| self.finish(config, network))
    }

    fn scale(&self) -> f32 {
        self.targets.iter().filter(|target| **target != IGNORE).count().max(1) as f32
    }

    fn begin(&mut self, config: &LanguageConfig, network: &Network, material: &mut Material) {
        let length = network.net.shape().context;
        let index = self.updates;
        material.batch(&network.tokenizer, index, length, &mut self.inputs, &mut self.targets);
        self.echoed = if matches!(material, Material::Task(_)) { 0 } else { echoes(config, index) * length };
        let (inputs, targets) = (&mut self.inputs[..self.echoed], &mut self.targets[..self.echoed]);
        let rows = inputs.chunks_exact_mut(length).zip(targets.chunks_exact_mut(length));
        (0..).zip(rows).for_each(|(row, (inputs, targets))| echo(index, row, inputs, targets));
        self.bytes = bytes_of(network, &self.targets[self.echoed..]);
        self.loss = Loss::default();
        self.trainer.begin(&mut self.grads);
    }

    fn finish(&mut self, config: &LanguageConfig, network: &mut Network) -> Update {
        self.done = 0;
        self.trainer.finish(&network.net, &mut self.grads);
        let factor = self.factor(config);
        let adam = AdamOptions {
            lr: (config.learning_rate * factor) as f32,
            betas: (0.9, 0.95),
            max_norm: config.clip as f32,
            ..AdamOptions::default()
        };
        let (rule, grads, decays) = (&mut self.rule, &self.grads, &self.decays);
        let norm = network.weights.update_parallel(|params| match rule {
            Rule::Adamw(rule) => rule.step_groups(params, grads, &adam, decays),
            Rule::Muon(rule) => {
                let lr = (config.muon_rate * factor) as f32;
                let weight_decay = config.weight_decay as f32;
                let options = MuonOptions { lr, weight_decay, adam, ..MuonOptions::default() };
                rule.step(params, grads, &options)
            }
        });
        self.updates += 1;
        self.tokens += self.inputs.len() as u64;
        Update { bits: self.loss.sum / std::f64::consts::LN_2, bytes: self.bytes, norm }
    }

    /// What the schedule leaves of the rates in the next update.
    pub fn factor(&self, config: &LanguageConfig) -> f64 {
        let (steps, decay) = match config.anneal {
            0 => (0, Decay::Constant),
            steps => (u64::from(steps), Decay::Cosine),
        };
        Schedule { warm_up: u64::from(config.warm_up), steps, floor: FLOOR, decay }.at(self.updates)
    }

    /// True where no batch is half done.
    pub fn is_between(&self) -> bool {
        self.done == 0
    }

    /// Updates so far.
    pub fn updates(&self) -> u64 {
        self.updates
    }

    /// Tokens learned from so far.
    pub fn tokens(&self) -> u64 {
        self.tokens
    }

    /// The same with those of the batch that is under way: a large network takes seconds for one.
    pub fn work(&self) -> u64 {
        self.tokens + self.done as u64
    }

    /// Goes on where `tokens` have been learned from.
    pub fn resume_at(&mut self, tokens: u64) {
        self.updates = tokens / self.inputs.len() as u64;
        self.tokens = self.updates * self.inputs.len() as u64;
    }

    /// What the judge may use between batches.
    pub fn trainer(&mut self) -> &mut Trainer {
        &mut self.trainer
    }

    /// The state between two batches.
    pub fn to_tensors(&self) -> Tensors {
        let mut tensors = match &self.rule {
            Rule::Adamw(rule) => rule.to_tensors(),
            Rule::Muon(rule) => rule.to_tensors(),
        };
        tensors.insert("updates", &[1], &[self.updates]);
        tensors.insert("tokens", &[1], &[self.tokens]);
        tensors
    }

    /// Takes over a state.
    pub fn restore(&mut self, tensors: &Tensors) -> Result<(), LabError> {
        match &mut self.rule {
            Rule::Adamw(rule) => **rule = Adam::from_tensors(self.grads.len(), tensors)?,
            Rule::Muon(rule) => rule.load(tensors)?,
        }
        self.updates = tensors.get("updates", &[1])?[0];
        self.tokens = tensors.get("tokens", &[1])?[0];
        Ok(())
    }
}

/// The bytes that targets stand for.
pub fn bytes_of(network: &Network, targets: &[u16]) -> usize {
    let said = targets.iter().filter(|target| **target != IGNORE);
    said.map(|target| network.tokenizer.piece(*target).len()).sum()
}
