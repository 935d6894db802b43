//! The learner: gradient accumulation over the micro-batches of a batch, then an update by AdamW or Muon.
//!
//! A micro-batch is the part of a batch that one step processes. Steps are short, so that the page can draw,
//! and a run can stop, in the middle of a large batch. The result is bit-identical for any division into
//! micro-batches.

use std::ops::Range;

use learnery_lab::LabError;
use learnery_nn::transformer::{IGNORE, Loss};
use learnery_nn::{Adam, AdamOptions, Decay, Muon, MuonOptions, Schedule, Tensors, Trainer};

use super::config::{LanguageConfig, Optimiser};
use super::network::Network;
use super::tokenizer::target_bytes;
use super::training_data::{TrainingData, repeat_beginning, repeating_rows};

/// The learning rates at the end of the schedule, as a fraction of their full values.
const FINAL_RATE_FRACTION: f64 = 0.05;

/// Adam's decay rates of the first and second moment, as is usual for language models (Brown et al., 2020).
/// Adam's default for the second is 0.999.
const ADAM_BETAS: (f32, f32) = (0.9, 0.95);

/// The maximum number of updates that a checkpoint may claim. At a thousand updates a second, a run would
/// take 35 years to make them. Computations with counters up to this, such as updates times the tokens of a
/// batch, cannot overflow.
const MAX_UPDATES: u64 = 1 << 40;

/// The number of shards in a micro-batch. Each shard is processed by one thread. In a browser tab there is
/// one shard per thread, which keeps steps short and memory small. Natively there are eight.
fn shards_per_micro_batch() -> usize {
    if cfg!(target_arch = "wasm32") { rayon::current_num_threads() } else { 8 }
}

/// The optimiser and its state.
enum OptimiserState {
    Adamw(Box<Adam>),
    Muon(Box<Muon>),
}

/// What forward and backward passes on the CPU need.
struct Passes {
    /// Runs the passes over micro-batches.
    trainer: Trainer,
    /// The gradient of the current batch, one number for each parameter.
    grads: Vec<f32>,
}

impl Passes {
    /// Returns `made`, and makes it first if it is `None`: for this network, and for micro-batches of this
    /// many sequences.
    fn of<'a>(made: &'a mut Option<Self>, network: &Network, sequences: usize) -> &'a mut Self {
        let Network { net, weights, .. } = network;
        made.get_or_insert_with(|| Self {
            trainer: Trainer::new(net, net.shape().context, sequences),
            grads: vec![0.0; weights.len()],
        })
    }
}

/// Turns batches into updates. Owns the gradient, the optimiser state and the batch in progress.
pub struct Learner {
    /// `None` until the first pass on the CPU. A run on a GPU makes none: their memory is several times that
    /// of the network, which a tab with a large network does not have.
    passes: Option<Passes>,
    /// Sequences of a micro-batch.
    sequences: usize,
    /// The number of parameters of the network.
    parameters: usize,
    optimiser: OptimiserState,
    /// Ranges that cover all parameters, each with its weight decay.
    parameter_groups: Vec<(Range<usize>, f32)>,
    /// The current batch.
    // inputs, targets [batch, length]
    pub(super) inputs: Vec<u16>,
    pub(super) targets: Vec<u16>,
    /// Tokens of the current batch that have been processed; 0 between two batches.
    processed: usize,
    /// The number of tokens in repeated-segment rows: rows that repeat their own beginning, which teaches the
    /// network to copy. They come first in a batch. They count in the gradient, but not in the reported loss.
    pub(super) repeated_tokens: usize,
    /// Cross-entropy of the current batch, in nats.
    loss: Loss,
    /// Bytes of the targets that `loss` counts.
    pub(super) bytes: usize,
    /// Updates since the run began.
    updates: u64,
    /// Tokens of all completed batches: always `updates` times the tokens of a batch.
    tokens: u64,
}

/// Statistics of one update.
#[derive(Clone, Copy, Debug)]
pub struct UpdateStatistics {
    /// Cross-entropy of all counted targets, in bits.
    pub bits: f64,
    /// Bytes of those targets.
    pub bytes: usize,
    /// Norm of the gradient before clipping.
    pub gradient_norm: f32,
}

impl Learner {
    pub fn new(config: &LanguageConfig, network: &Network) -> Self {
        let length = network.net.shape().context;
        let batch = config.batch as usize;
        let sequences = Trainer::sequences(length, shards_per_micro_batch()).min(batch);
        let parameter_groups = network.net.parameter_groups(config.weight_decay as f32);
        let optimiser = match config.optimiser {
            Optimiser::Adamw => OptimiserState::Adamw(Box::new(Adam::new(network.weights.len()))),
            Optimiser::Muon => {
                OptimiserState::Muon(Box::new(Muon::new(network.net.hidden_matrices(), &parameter_groups)))
            }
        };
        Self {
            passes: None,
            sequences,
            parameters: network.weights.len(),
            optimiser,
            parameter_groups,
            inputs: vec![0; batch * length],
            targets: vec![IGNORE; batch * length],
            processed: 0,
            repeated_tokens: 0,
            loss: Loss::default(),
            bytes: 0,
            updates: 0,
            tokens: 0,
        }
    }

    /// Processes the next micro-batch. When that completes a batch, makes an update and returns its
    /// statistics.
    pub fn step(
        &mut self,
        config: &LanguageConfig,
        network: &mut Network,
        data: &mut TrainingData,
    ) -> Option<UpdateStatistics> {
        if self.processed == 0 {
            self.begin_batch(config, network, data);
            self.loss = Loss::default();
            let Passes { trainer, grads } = Passes::of(&mut self.passes, network, self.sequences);
            trainer.begin(grads);
        }
        let scale = 1.0 / self.target_count();
        let Passes { trainer, grads } = Passes::of(&mut self.passes, network, self.sequences);
        let span = self.processed..(self.processed + trainer.micro_batch()).min(self.inputs.len());
        let (inputs, targets) = (&self.inputs[span.clone()], &self.targets[span.clone()]);
        let Network { net, weights, .. } = &*network;
        // How many tokens of repeated rows are in this micro-batch. They come first in the batch, and do not
        // count in the reported loss.
        let uncounted = self.repeated_tokens.clamp(span.start, span.end) - span.start;
        trainer.add(net, weights, inputs, targets, uncounted, scale, grads, &mut self.loss);
        self.processed = span.end;
        (self.processed == self.inputs.len()).then(|| self.finish_batch(config, network))
    }

    /// The number of targets in the batch that count.
    pub(super) fn target_count(&self) -> f32 {
        self.targets.iter().filter(|target| **target != IGNORE).count().max(1) as f32
    }

    /// Writes the next batch, some of whose rows repeat themselves.
    pub(super) fn begin_batch(
        &mut self,
        config: &LanguageConfig,
        network: &Network,
        data: &mut TrainingData,
    ) {
        let length = network.net.shape().context;
        let index = self.updates;
        data.batch(&network.tokenizer, index, length, &mut self.inputs, &mut self.targets);
        self.repeated_tokens = if data.is_task() { 0 } else { repeating_rows(config, index) * length };
        let repeated = ..self.repeated_tokens;
        let (inputs, targets) = (&mut self.inputs[repeated], &mut self.targets[repeated]);
        let rows = inputs.chunks_exact_mut(length).zip(targets.chunks_exact_mut(length));
        (0..).zip(rows).for_each(|(row, (inputs, targets))| repeat_beginning(index, row, inputs, targets));
        self.bytes = target_bytes(&network.tokenizer, &self.targets[self.repeated_tokens..]);
    }

    /// Updates the weights with the gradient of the batch.
    fn finish_batch(&mut self, config: &LanguageConfig, network: &mut Network) -> UpdateStatistics {
        self.processed = 0;
        let options = self.options(config);
        let Passes { trainer, grads } = Passes::of(&mut self.passes, network, self.sequences);
        trainer.finish(&network.net, grads);
        let (optimiser, parameter_groups) = (&mut self.optimiser, &self.parameter_groups);
        let gradient_norm = network.weights.update_parallel(|params| match optimiser {
            OptimiserState::Adamw(optimiser) => {
                optimiser.step_groups(params, grads, &options.adam, parameter_groups)
            }
            OptimiserState::Muon(optimiser) => optimiser.step(params, grads, &options),
        });
        self.count_update();
        let bits = self.loss.sum / std::f64::consts::LN_2;
        UpdateStatistics { bits, bytes: self.bytes, gradient_norm }
    }

    pub(super) fn count_update(&mut self) {
        self.updates += 1;
        self.tokens += self.inputs.len() as u64;
    }

    /// The hyperparameters of the next update. Those of AdamW are a part of those of Muon, which leaves some
    /// parameters to AdamW.
    pub(super) fn options(&self, config: &LanguageConfig) -> MuonOptions {
        let factor = self.rate_factor(config);
        let adam = AdamOptions {
            lr: (config.learning_rate * factor) as f32,
            betas: ADAM_BETAS,
            max_norm: config.clip as f32,
            ..AdamOptions::default()
        };
        let (lr, weight_decay) = ((config.muon_rate * factor) as f32, config.weight_decay as f32);
        MuonOptions { lr, weight_decay, adam, ..MuonOptions::default() }
    }

    /// The factor by which the schedule multiplies the learning rates in the next update: linear warm-up,
    /// then cosine decay.
    pub fn rate_factor(&self, config: &LanguageConfig) -> f64 {
        let (steps, decay) = match config.anneal {
            0 => (0, Decay::Constant),
            steps => (u64::from(steps), Decay::Cosine),
        };
        let warm_up = u64::from(config.warm_up);
        Schedule { warm_up, steps, floor: FINAL_RATE_FRACTION, decay }.at(self.updates)
    }

    pub fn updates(&self) -> u64 {
        self.updates
    }

    /// Tokens of all completed batches.
    pub fn tokens(&self) -> u64 {
        self.tokens
    }

    /// Tokens processed so far, including those of the current batch. (A batch of a large network takes
    /// seconds.)
    pub fn processed_tokens(&self) -> u64 {
        self.tokens + self.processed as u64
    }

    /// Sets the counters to those of a run that has been trained on `tokens` tokens, rounded down to whole
    /// batches.
    pub fn resume_at(&mut self, tokens: u64) -> Result<(), LabError> {
        let batch_tokens = self.inputs.len() as u64;
        self.set_counters(tokens / batch_tokens, tokens - tokens % batch_tokens)
    }

    /// Sets the counters, or rejects them if they are impossible.
    fn set_counters(&mut self, updates: u64, tokens: u64) -> Result<(), LabError> {
        if updates > MAX_UPDATES {
            return Err(LabError::Checkpoint(format!(
                "it claims {updates} updates (its counter `updates`), more than any run can make"
            )));
        }
        let batch_tokens = self.inputs.len() as u64;
        if tokens != updates * batch_tokens {
            return Err(LabError::Checkpoint(format!(
                "its counters contradict each other: {updates} `updates` of {batch_tokens} tokens are not {tokens} `tokens`"
            )));
        }
        (self.updates, self.tokens) = (updates, tokens);
        Ok(())
    }

    /// The trainer of this network. The evaluation uses it too, between two batches.
    pub fn trainer(&mut self, network: &Network) -> &mut Trainer {
        &mut Passes::of(&mut self.passes, network, self.sequences).trainer
    }

    /// Replaces the state of the optimiser.
    pub(super) fn load_optimiser(&mut self, tensors: &Tensors) -> Result<(), LabError> {
        match &mut self.optimiser {
            OptimiserState::Adamw(optimiser) => **optimiser = Adam::from_tensors(self.parameters, tensors)?,
            OptimiserState::Muon(optimiser) => optimiser.load(tensors)?,
        }
        Ok(())
    }

    /// Saves the state. Must be called between two batches.
    pub fn to_tensors(&self) -> Tensors {
        let mut tensors = match &self.optimiser {
            OptimiserState::Adamw(optimiser) => optimiser.to_tensors(),
            OptimiserState::Muon(optimiser) => optimiser.to_tensors(),
        };
        tensors.insert("updates", &[1], &[self.updates]);
        tensors.insert("tokens", &[1], &[self.tokens]);
        tensors
    }

    /// Restores what [`Self::to_tensors`] saved. Rejects counters that contradict each other.
    pub fn restore(&mut self, tensors: &Tensors) -> Result<(), LabError> {
        self.load_optimiser(tensors)?;
        let counter = |name: &str| tensors.get::<u64>(name, &[1]).map(|values| values[0]);
        self.set_counters(counter("updates")?, counter("tokens")?)?;
        // The optimiser may have made fewer steps than there were updates: it skips gradients that are not
        // finite, and a run that was resumed from a network alone began with a new optimiser.
        let optimiser_steps = counter("t")?; // the name in the optimisers' own tensors
        if optimiser_steps > self.updates {
            return Err(LabError::Checkpoint(format!(
                "its counters contradict each other: its optimiser made {optimiser_steps} steps (`t`) in {} `updates`",
                self.updates
            )));
        }
        Ok(())
    }
}
