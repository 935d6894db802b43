//! Text generation on the device with a KV cache, as [`learnery_nn::Generator`] and
//! [`learnery_nn::transformer::Sampler`] do it on the CPU. A *decoding step* generates the next token of
//! every text of a batch: it feeds the tokens that the step before sampled, so any number of steps can be
//! submitted before a result is read back.
//!
//! The CPU knows the length of every text without reading anything back. When a text fills the network's
//! context, only its last tokens, half a context, are kept and processed again from position 0, as the
//! generator on the CPU does. These tokens and prompts are processed in batches of rows, which may belong to
//! different texts.
//!
//! Native only: the page generates its texts on the CPU.

mod layers;

use std::collections::VecDeque;

use learnery_kernels::rng::Stream;
use learnery_nn::Transformer;

use super::Progress;
use super::network::check_heads;
use crate::GpuError;
use crate::buffer::{Buffer, ReadBack};
use crate::device::Gpu;
use crate::plan::Plan;
use layers::Layers;

/// Steps whose results are read back together. The result of a step has a place of its own, a slot, in the
/// buffer of results.
const SLOTS: usize = 16;

/// The most dispatches of one submission. By published measurements of other projects, each takes 10 to 40
/// microseconds, however small it is, so that a submission takes at most some 10 milliseconds.
const MAX_DISPATCHES: usize = 256;

/// The rows of a small batch of prompt tokens.
const SMALL_BATCH: usize = 32;

/// The most rows of a large batch of prompt tokens.
const LARGE_BATCH: usize = 1024;

/// How tokens are sampled, see [`learnery_nn::transformer::Sampler::draw`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sampling {
    /// 0 takes the most likely token.
    pub temperature: f32,
    /// 0 for all tokens.
    pub top_k: usize,
    pub stream: Stream,
}

/// The beginning of a text.
#[derive(Clone, Copy, Debug)]
pub struct Prompt<'a> {
    /// At least one token.
    pub tokens: &'a [u16],
    /// The number of the text, which selects its random numbers: token i uses number `(number << 32) + i` of
    /// the stream.
    pub number: u32,
}

/// A token, and the probability that the network gave it at temperature 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Generated {
    pub token: u16,
    pub probability: f32,
}

/// A text as the CPU knows it. All but the last of its tokens are or will be in the cache; the next step
/// feeds the last.
#[derive(Clone, Copy, Debug, Default)]
struct Text {
    /// The position at which the last token is fed.
    position: usize,
    /// The index of the last token in the text.
    index: usize,
}

/// A row of tokens to process: `Row` in `wgsl/generator_row.wgsl`, which says what its fields are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Row {
    sequence: usize,
    position: usize,
    index: usize,
    slot: usize,
}

impl Row {
    fn words(self) -> [u32; 4] {
        [self.sequence, self.position, self.index, self.slot].map(|value| value as u32)
    }
}

/// What is being submitted.
#[derive(Clone, Copy, Debug)]
enum Work {
    /// A batch of rows with the plan of this number, from this dispatch on.
    Rows { plan: usize, dispatch: usize },
    /// A step, from this dispatch on.
    Step { dispatch: usize },
}

/// A plan that processes rows without sampling.
#[derive(Debug)]
struct BatchPlan {
    rows: usize,
    plan: Plan,
}

/// Generates a batch of texts.
#[derive(Debug)]
pub struct Generator {
    gpu: Gpu,
    layers: Layers,
    context: usize,
    step: Plan,
    /// For different numbers of rows, the largest first.
    batches: Vec<BatchPlan>,
    texts: Vec<Text>,
    /// Rows of prompts, and of texts that were cut, that are not submitted yet.
    rows: VecDeque<Row>,
    /// Steps that are requested and not submitted yet.
    steps: usize,
    /// What is submitted in part; the next [`Generator::advance`] goes on with it.
    work: Option<Work>,
    /// The slot of the results that the next step writes.
    slot: usize,
    /// The first slot whose result is not being read back.
    unread_slot: usize,
    results: VecDeque<ReadBack>,
}

impl Generator {
    /// A generator of `sequences` texts at a time with a copy of these parameters. Only the first `tokens`
    /// tokens of the network's vocabulary are sampled.
    pub fn new(
        gpu: &Gpu,
        net: &Transformer,
        weights: &[f32],
        sequences: usize,
        tokens: usize,
    ) -> Result<Self, GpuError> {
        let parameters = gpu.buffer(weights.len())?;
        gpu.write(&parameters, 0, weights);
        Self::of_parameters(gpu, net, parameters, sequences, tokens)
    }

    /// Like [`Generator::new`], with parameters that are on the device.
    pub(crate) fn of_parameters(
        gpu: &Gpu,
        net: &Transformer,
        parameters: Buffer,
        sequences: usize,
        tokens: usize,
    ) -> Result<Self, GpuError> {
        check_heads(net)?;
        let context = net.shape().context;
        let large = (sequences * context / 2).clamp(SMALL_BATCH, LARGE_BATCH).next_multiple_of(SMALL_BATCH);
        let layers = Layers::new(gpu, net, parameters, sequences, tokens, large)?;
        let new_batch = |rows: usize| -> Result<BatchPlan, GpuError> {
            Ok(BatchPlan { rows, plan: layers.batch_plan(gpu, rows)? })
        };
        let mut batches = vec![new_batch(large)?];
        if large > SMALL_BATCH {
            batches.push(new_batch(SMALL_BATCH)?);
        }
        Ok(Self {
            gpu: gpu.clone(),
            context,
            step: layers.step_plan(gpu)?,
            batches,
            layers,
            texts: vec![Text::default(); sequences],
            rows: VecDeque::new(),
            steps: 0,
            work: None,
            slot: 0,
            unread_slot: 0,
            results: VecDeque::new(),
        })
    }

    /// The dispatches of a step.
    pub fn dispatches(&self) -> usize {
        self.step.len()
    }

    /// Bytes that a step reads: the parameters once, and the keys and values of each text if it has `length`
    /// tokens in the cache.
    pub fn bytes_per_step(&self, length: usize) -> usize {
        self.layers.bytes_per_step(length)
    }

    /// The times of the kernels of one step. Afterwards, texts must be started anew.
    #[cfg(not(target_family = "wasm"))]
    pub fn profile(&self) -> Result<Vec<crate::KernelTime>, GpuError> {
        self.step.profile()
    }

    /// Starts new texts. What was requested before is dropped.
    ///
    /// # Panics
    /// If there are not as many prompts as texts, or one is empty.
    pub fn start(&mut self, prompts: &[Prompt], sampling: Sampling) {
        assert_eq!(prompts.len(), self.texts.len(), "another number of texts");
        let context = self.context;
        self.rows.clear();
        self.results.clear();
        (self.steps, self.work, self.slot, self.unread_slot) = (0, None, 0, 0);
        let mut history = vec![0u32; self.texts.len() * context];
        for (sequence, (prompt, text)) in prompts.iter().zip(&mut self.texts).enumerate() {
            let length = prompt.tokens.len();
            assert!(length > 0, "an empty prompt");
            // A longer prompt loses its beginning.
            let first = length.saturating_sub(context);
            for (index, token) in prompt.tokens.iter().enumerate().skip(first) {
                history[sequence * context + index % context] = u32::from(*token);
            }
            *text = Text { position: length - 1 - first, index: length - 1 };
            self.rows.extend((0..text.position).map(|position| Row {
                sequence,
                position,
                index: first + position,
                slot: 0,
            }));
        }
        self.gpu.write(&self.layers.history, 0, &history);
        let [key_0, key_1] = sampling.stream.key();
        let top_k = u32::try_from(sampling.top_k).unwrap_or(u32::MAX);
        // A temperature that is not a number samples the most likely token, as on the CPU.
        let temperature = if sampling.temperature > 0.0 { sampling.temperature } else { 0.0 };
        let mut options = vec![temperature.to_bits(), top_k, key_0, key_1];
        options.extend(prompts.iter().map(|prompt| prompt.number));
        self.gpu.write(&self.layers.options, 0, &options);
        self.write_rows();
    }

    /// Requests `steps` further tokens of every text. [`Generator::advance`] submits the work.
    pub fn request(&mut self, steps: usize) {
        self.steps += steps;
    }

    /// Submits the next part of what is requested unless the device is busy. [`Progress::Finished`] means
    /// that all of it is submitted.
    pub fn advance(&mut self) -> Result<Progress, GpuError> {
        let is_busy = self.gpu.is_busy()?;
        if self.steps == 0 && self.work.is_none() {
            return Ok(Progress::Finished);
        }
        if is_busy {
            return Ok(Progress::Waiting);
        }
        let cost = self.gpu.slice_cost();
        let work = self.work.take().unwrap_or_else(|| self.begin());
        match work {
            Work::Rows { plan, dispatch } => {
                let batch = &self.batches[plan].plan;
                let dispatch = batch.submit(dispatch, cost);
                if dispatch < batch.len() {
                    self.work = Some(Work::Rows { plan, dispatch });
                }
            }
            Work::Step { dispatch } => {
                let steps = if dispatch == 0 { self.steps_at_once(cost) } else { 0 };
                if steps > 0 {
                    self.step.submit_repeated(steps);
                    self.count_steps(steps);
                } else {
                    // Not even one step fits into this submission.
                    let dispatch = self.step.submit(dispatch, cost);
                    if dispatch < self.step.len() {
                        self.work = Some(Work::Step { dispatch });
                    } else {
                        self.count_steps(1);
                    }
                }
            }
        }
        let finished = self.steps == 0 && self.work.is_none();
        Ok(if finished { Progress::Finished } else { Progress::Submitted })
    }

    /// The results that have arrived since the last call: for each step in order, a token of every text.
    /// Empty if nothing has arrived.
    pub fn poll(&mut self) -> Result<Vec<Generated>, GpuError> {
        let mut arrived = Vec::new();
        while let Some(reading) = self.results.front() {
            let Some(words) = reading.poll::<[u32; 2]>()? else { break };
            arrived.extend(words.into_iter().map(|[token, probability]| Generated {
                token: token as u16,
                probability: f32::from_bits(probability),
            }));
            self.results.pop_front();
        }
        Ok(arrived)
    }

    /// Whether everything that was requested has been returned by [`Generator::poll`].
    pub fn is_idle(&self) -> bool {
        self.steps == 0 && self.work.is_none() && self.results.is_empty()
    }

    /// Begins to read the logits of the last step.
    /// Shape: `[sequences, vocabulary]`.
    pub fn read_logits(&self) -> ReadBack {
        self.gpu.read_back(&self.layers.logits, 0, self.layers.logits.words())
    }

    /// Generates `steps` tokens of every text and blocks until they are there.
    /// Shape: `[steps, sequences]`.
    #[cfg(not(target_family = "wasm"))]
    pub fn generate(&mut self, steps: usize) -> Result<Vec<Generated>, GpuError> {
        self.request(steps);
        let mut generated = Vec::with_capacity(steps * self.texts.len());
        while !self.is_idle() {
            if self.advance()? != Progress::Submitted {
                // Short beside a submission, and on a software adapter the core has other work.
                std::thread::sleep(std::time::Duration::from_micros(50));
            }
            generated.extend(self.poll()?);
        }
        Ok(generated)
    }

    /// Decides what is submitted next: rows that are not in the cache, otherwise a step.
    fn begin(&mut self) -> Work {
        if self.rows.is_empty() {
            self.shorten_full_texts();
        }
        if self.rows.is_empty() {
            return Work::Step { dispatch: 0 };
        }
        // The smallest batch that takes all rows, or else the largest.
        let fitting = self.batches.iter().rposition(|batch| batch.rows >= self.rows.len());
        let plan = fitting.unwrap_or(0);
        let size = self.batches[plan].rows;
        let taken = self.rows.drain(..size.min(self.rows.len()));
        let mut words: Vec<[u32; 4]> = taken.map(Row::words).collect();
        // Rows beyond the context fill the batch up.
        words.resize(size, Row { position: self.context, ..Row::default() }.words());
        self.gpu.write(&self.layers.batch_rows, 0, words.as_flattened());
        Work::Rows { plan, dispatch: 0 }
    }

    /// Cuts texts that fill the context: only their last tokens, half a context, stay. The positions of these
    /// begin at 0, so their keys and values are computed again.
    fn shorten_full_texts(&mut self) {
        // One less than half a context: the next step feeds the last token itself.
        let kept = (self.context / 2).saturating_sub(1);
        for (sequence, text) in self.texts.iter_mut().enumerate() {
            if text.position < self.context {
                continue;
            }
            let first = text.index - kept;
            self.rows.extend((0..kept).map(|position| Row {
                sequence,
                position,
                index: first + position,
                slot: 0,
            }));
            text.position = kept;
            let row = Row { sequence, position: kept, index: text.index, slot: self.slot };
            self.gpu.write(&self.layers.rows, 4 * sequence, &row.words());
        }
    }

    /// Writes the row that each text feeds next. From then on the sampler moves these rows to the next token.
    fn write_rows(&self) {
        let row = |(sequence, text): (usize, &Text)| {
            Row { sequence, position: text.position, index: text.index, slot: self.slot }.words()
        };
        let words: Vec<[u32; 4]> = self.texts.iter().enumerate().map(row).collect();
        self.gpu.write(&self.layers.rows, 0, words.as_flattened());
    }

    /// Whole steps that fit into one submission of this cost, before results are read back or a text is full.
    fn steps_at_once(&self, cost: f64) -> usize {
        let longest = self.texts.iter().map(|text| text.position).max().unwrap_or(0);
        let until_full = self.context - longest;
        let fitting = (cost / self.step.cost()) as usize;
        let dispatches = MAX_DISPATCHES / self.step.len();
        [self.steps, SLOTS - self.slot, until_full, fitting, dispatches].into_iter().min().unwrap_or(0)
    }

    /// Counts steps that were submitted, and begins to read their results if they are many or the last.
    fn count_steps(&mut self, steps: usize) {
        for text in &mut self.texts {
            text.position += steps;
            text.index += steps;
        }
        self.steps -= steps;
        self.slot += steps;
        if self.slot == SLOTS || self.steps == 0 {
            // A result is a token and its probability.
            let words_per_slot = 2 * self.texts.len();
            let (first, words) =
                (words_per_slot * self.unread_slot, words_per_slot * (self.slot - self.unread_slot));
            let reading = self.gpu.read_back(&self.layers.results, first, words);
            self.results.push_back(reading);
            self.slot %= SLOTS;
            self.unread_slot = self.slot;
        }
    }
}
