//! Evaluation on held-out data: bits per byte of text, or the fraction of problems answered exactly (exact
//! match).
//!
//! Text is evaluated in overlapping windows (sliding-window evaluation, as is usual for perplexity). All
//! targets count in the first window. Each later window begins a *stride* (a fraction of a window) after the
//! one before it, and only its last stride of targets counts. So every token counts once, and beyond the
//! first window all but a stride of the context precedes it.
//!
//! Problems are evaluated by teacher forcing: the network reads question and correct answer in one pass. The
//! greedy answer is exact if and only if each token of the correct answer is the most likely one after the
//! correct tokens before it.

mod window;

use learnery_nn::Trainer;
use learnery_nn::transformer::IGNORE;
use learnery_worlds::text::Split;

use super::network::Network;
use super::tokenizer::{line_break, target_bytes};
use super::training_data::{Baselines, HeldOutText, TrainingData};

/// Strides per window in the evaluations during a run. More strides give each token more context, but need
/// more windows.
pub const TRAINING_STRIDES: usize = 8;
/// Strides per window in the tool `evaluate`, which may take longer.
#[cfg(not(target_family = "wasm"))]
pub const EVAL_TOOL_STRIDES: usize = 16;

/// Bytes of held-out text on which the baselines (gzip, order-3 model) are measured.
const BASELINE_BYTES: usize = 1 << 16;

/// The result of an evaluation.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct EvaluationResult {
    /// Cross-entropy of held-out text in bits per byte. `None` for a task.
    pub bits: Option<f64>,
    /// How far `bits` lies above the text's entropy, as a fraction of the entropy. `None` where the entropy
    /// is unknown.
    pub excess: Option<f64>,
    /// Fraction of problems answered exactly. `None` for stories and texts.
    pub exact: Option<f64>,
}

/// Held-out data and the progress of an evaluation over it.
pub struct Evaluator {
    /// The tokens of a line break and the held-out text; empty for a task.
    tokens: Vec<u16>,
    /// Bits that an ideal predictor, which knows the true distribution, needs for the held-out text.
    entropy_bits: Option<f64>,
    /// What simple compressors need for the held-out text.
    baselines: Option<Baselines>,
    /// Strides per window.
    strides: usize,
    /// The number of rows in an evaluation: windows of a text, or problems of a task.
    rows: usize,
    /// Rows that the current evaluation has processed; 0 between two evaluations.
    evaluated_rows: usize,
    /// Sum of the cross-entropy over the targets so far, in nats.
    loss: f64,
    /// Bytes of the targets that `loss` counts.
    bytes: usize,
    /// Problems answered exactly so far.
    exact_count: usize,
    /// The input tokens of the rows of the current step.
    // inputs, targets, predicted [rows, length]
    pub(super) inputs: Vec<u16>,
    /// The token after each input, or [`IGNORE`] where it does not count.
    pub(super) targets: Vec<u16>,
    /// The most likely token after each input, for a task.
    pub(super) predicted: Vec<u16>,
}

impl Evaluator {
    /// An evaluation on `size` bytes of text in windows of `strides` strides, or on `size` problems.
    pub fn new(network: &Network, data: &TrainingData, size: usize, strides: usize) -> Self {
        let length = network.net.shape().context;
        let (mut tokens, mut entropy_bits, mut rows) = (Vec::new(), None, size);
        if let Some(held_out) = data.held_out(size) {
            // The first token needs a token before it to be predicted from.
            tokens.push(line_break(&network.tokenizer));
            network.tokenizer.encode(&held_out.text, &mut tokens);
            entropy_bits = held_out.entropy_bits;
            rows = window::count(tokens.len() - 1, length, strides);
        }
        Self {
            tokens,
            entropy_bits,
            baselines: None,
            strides,
            rows,
            evaluated_rows: 0,
            loss: 0.0,
            bytes: 0,
            exact_count: 0,
            inputs: Vec::new(),
            targets: Vec::new(),
            predicted: Vec::new(),
        }
    }

    /// The baselines on the held-out text; `None` for a task, and before the first evaluation has begun.
    pub fn baselines(&self) -> Option<Baselines> {
        self.baselines
    }

    /// Evaluates one micro-batch of rows (as many as the trainer processes at a time), or computes the
    /// baselines. Returns the result after the last micro-batch.
    pub fn step(
        &mut self,
        network: &Network,
        trainer: &mut Trainer,
        data: &mut TrainingData,
    ) -> Option<EvaluationResult> {
        if !self.prepare(network, trainer.micro_batch(), data) {
            return None;
        }
        let Network { net, weights, .. } = network;
        let loss = if data.is_task() {
            trainer.likeliest(net, weights, &self.inputs, &mut self.predicted);
            0.0
        } else {
            trainer.loss(net, weights, &self.inputs, &self.targets).sum
        };
        self.complete(network, loss)
    }

    /// Writes the rows of the next micro-batch, of at most `tokens` tokens, to `inputs` and `targets`.
    /// Returns false if the step computed the baselines instead.
    pub(super) fn prepare(&mut self, network: &Network, tokens: usize, data: &mut TrainingData) -> bool {
        if self.evaluated_rows == 0 {
            if self.baselines.is_none()
                && let Some(HeldOutText { text, .. }) = data.held_out(BASELINE_BYTES)
            {
                // The baselines are a step by themselves, because fitting the order-3 model to megabytes of
                // text takes half a second.
                self.baselines = data.baselines(&text);
                return false;
            }
            (self.loss, self.bytes, self.exact_count) = (0.0, 0, 0);
        }
        let length = network.net.shape().context;
        let rows = (tokens / length).min(self.rows - self.evaluated_rows);
        self.inputs.resize(rows * length, 0);
        self.targets.resize(rows * length, IGNORE);
        let rows = self.inputs.chunks_exact_mut(length).zip(self.targets.chunks_exact_mut(length));
        match data {
            TrainingData::Task(problems) => {
                for (index, (inputs, targets)) in (self.evaluated_rows as u64..).zip(rows) {
                    problems.row(&network.tokenizer, index, Split::HeldOut, inputs, targets);
                }
                self.predicted.resize(self.inputs.len(), 0);
            }
            TrainingData::Stories(_) | TrainingData::OwnText(_) => {
                for (index, (inputs, targets)) in (self.evaluated_rows..).zip(rows) {
                    window::fill(&self.tokens, index, self.strides, inputs, targets);
                    self.bytes += target_bytes(&network.tokenizer, targets);
                }
            }
        }
        true
    }

    /// Adds what was computed from the prepared rows: for a text `loss`, for a task the tokens in
    /// `predicted`. Returns the result if these rows were the last.
    pub(super) fn complete(&mut self, network: &Network, loss: f64) -> Option<EvaluationResult> {
        let length = network.net.shape().context;
        // A task has no text.
        if self.tokens.is_empty() {
            let rows = self.targets.chunks_exact(length).zip(self.predicted.chunks_exact(length));
            let is_exact = |(targets, predicted): &(&[u16], &[u16])| {
                let mut pairs = targets.iter().zip(*predicted);
                pairs.all(|(target, token)| *target == IGNORE || target == token)
            };
            self.exact_count += rows.filter(is_exact).count();
        }
        self.loss += loss;
        self.evaluated_rows += self.inputs.len() / length;
        (self.evaluated_rows == self.rows).then(|| self.finish())
    }

    /// The result on the rows that the current evaluation has processed; `None` if there are none. Its
    /// `excess` is `None`, because the entropy is known for the whole text only.
    #[cfg(not(target_family = "wasm"))]
    pub fn result_so_far(&self) -> Option<EvaluationResult> {
        let result = || EvaluationResult { excess: None, ..self.result_on(self.evaluated_rows) };
        (self.evaluated_rows > 0).then(result)
    }

    /// Rows that the current evaluation has processed; 0 before it begins and once it has ended.
    #[cfg(not(target_family = "wasm"))]
    pub fn evaluated_rows(&self) -> usize {
        self.evaluated_rows
    }

    /// Computes the result, and prepares for the next evaluation.
    fn finish(&mut self) -> EvaluationResult {
        self.evaluated_rows = 0;
        self.result_on(self.rows)
    }

    /// Computes the result on this many rows.
    fn result_on(&self, rows: usize) -> EvaluationResult {
        if self.tokens.is_empty() {
            let exact = self.exact_count as f64 / rows as f64;
            return EvaluationResult { exact: Some(exact), ..EvaluationResult::default() };
        }
        let bits = self.loss / std::f64::consts::LN_2;
        EvaluationResult {
            bits: Some(bits / self.bytes.max(1) as f64),
            // Both are for the whole text, so no division by its bytes is needed.
            excess: self.entropy_bits.map(|entropy_bits| bits / entropy_bits - 1.0),
            exact: None,
        }
    }

    /// Bytes of the targets that the current evaluation has counted, or the last one if it has ended.
    #[cfg(not(target_family = "wasm"))]
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Problems or windows of an evaluation.
    pub fn rows(&self) -> usize {
        self.rows
    }
}
