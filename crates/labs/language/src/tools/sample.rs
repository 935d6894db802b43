//! The tool `sample`: continues a text, several times if asked.

use std::ops::RangeInclusive;
use std::sync::Arc;

use learnery_kernels::rng::Stream;
use learnery_lab::{LabError, NamedText, Source, Tool, ToolAbout, ToolProgress, ToolStatus};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::generation::{SamplingOptions, TextGenerator};
use crate::network::Network;
use crate::purpose::sampling_stream;
use crate::run::Language;
use crate::tokenizer::Utf8Decoder;

/// Tokens of each text that a GPU generates in one step.
const TOKENS_AT_ONCE: u32 = 32;

/// What to write.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(rename = "LanguageSampleInput"))]
pub struct SampleInput {
    /// The text to continue. If it is empty, a text begins after a line break.
    #[schemars(length(max = 1_000_000))]
    pub prompt: String,
    /// Tokens to write. A network that was trained on a task stops at the end of the answer.
    #[schemars(range(min = 1, max = 10_000_000), extend("x-unit" = "tokens"))]
    pub tokens: u32,
    /// 0 always writes the most probable token, 1 samples in proportion to the probabilities.
    #[schemars(range(min = 0.0, max = 100.0))]
    pub temperature: f64,
    /// Samples only among this many of the most probable tokens; 0 for all.
    #[schemars(range(min = 0, max = 4_294_967_295_u32), extend("x-unit" = "tokens"))]
    pub top_k: u32,
    /// Seed of the sampling.
    #[schemars(range(min = 0, max = 4_294_967_295_u32))]
    pub seed: u32,
    /// Texts to write.
    #[schemars(range(min = 1, max = 4096), extend("x-unit" = "texts"))]
    pub texts: u32,
    /// The number of the first text among those of the seed, each with random numbers of its own.
    #[schemars(range(min = 0, max = 4_294_967_295_u32))]
    pub first: u32,
}

impl Default for SampleInput {
    fn default() -> Self {
        Self { prompt: String::new(), tokens: 400, temperature: 0.8, top_k: 0, seed: 0, texts: 1, first: 0 }
    }
}

/// A text has grown by a token.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(rename = "LanguageSampleEvent"))]
pub struct SampleEvent {
    /// The index of the text among those that were asked for.
    pub text: u32,
    /// What it has grown by. Empty while a token ends in the middle of a character, and for the token that
    /// ends an answer.
    pub piece: String,
    /// Whether the text is complete.
    pub is_end: bool,
}

/// A text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(rename = "LanguageSampledText"))]
pub struct SampledText {
    /// The number of the text among those of the seed.
    pub number: u32,
    /// What was written after the prompt.
    pub text: String,
    /// Tokens that were generated, with the one that ends an answer.
    pub tokens: u32,
}

/// What the tool returns.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(rename = "LanguageSampleOutput"))]
pub struct SampleOutput {
    pub texts: Vec<SampledText>,
}

/// A text while it grows.
#[derive(Default)]
struct Growing {
    written: SampledText,
    /// Holds back the bytes of a character that is not complete.
    decoder: Utf8Decoder,
    has_ended: bool,
}

/// Texts being written.
pub struct Sample {
    network: Arc<Network>,
    prompt: Vec<u16>,
    input: SampleInput,
    stream: Stream,
    texts: Vec<Growing>,
    /// On the CPU texts grow one after the other: the index of the one that grows.
    current: usize,
    /// Whether `generator` has read the prompt for the text that grows.
    is_started: bool,
    generator: TextGenerator,
    /// What generates on a GPU; `None` on the CPU.
    next_on_gpu: Option<NextTokens>,
}

/// Generates so many next tokens of every text.
/// Shape: `[steps, texts]`.
type NextTokens = Box<dyn FnMut(usize) -> Result<Vec<u16>, LabError> + Send>;

impl Sample {
    /// Begins with a network that is loaded, and that others may use at the same time.
    pub fn with_network(network: Arc<Network>, input: SampleInput) -> Result<Self, LabError> {
        let prompt = network.encode(&input.prompt).map_err(|e| LabError::input("prompt", e.to_string()))?;
        let growing = |number| Growing {
            written: SampledText { number, ..SampledText::default() },
            ..Growing::default()
        };
        Ok(Self {
            generator: TextGenerator::new(&network),
            stream: sampling_stream(input.seed),
            texts: input.numbers()?.map(growing).collect(),
            network,
            prompt,
            input,
            current: 0,
            is_started: false,
            next_on_gpu: None,
        })
    }

    fn options(&self) -> SamplingOptions {
        SamplingOptions { temperature: self.input.temperature as f32, top_k: self.input.top_k as usize }
    }

    /// Adds a token to a text that has not ended, and reports it.
    fn push(&mut self, index: usize, token: u16, report: &mut dyn FnMut(SampleEvent)) {
        let Self { network, input, texts, .. } = self;
        let text = &mut texts[index];
        text.written.tokens += 1;
        // The token that ends an answer; `None` for networks that were trained on stories or a text.
        let is_end_of_answer = Some(token) == network.end_of_answer();
        text.has_ended = is_end_of_answer || text.written.tokens == input.tokens;
        let mut piece = String::new();
        if !is_end_of_answer {
            piece = text.decoder.push(network.tokenizer.piece(token));
        }
        if text.has_ended {
            piece.push_str(text.decoder.finish());
        }
        text.written.text.push_str(&piece);
        report(SampleEvent { text: index as u32, piece, is_end: text.has_ended });
    }

    /// Generates the next tokens of all texts on the GPU. Returns false without a GPU.
    fn step_on_gpu(&mut self, report: &mut dyn FnMut(SampleEvent)) -> Result<bool, LabError> {
        let Some(next_tokens) = &mut self.next_on_gpu else { return Ok(false) };
        // All texts that have not ended have the same length, which is the longest.
        let done = self.texts.iter().map(|text| text.written.tokens).max().unwrap_or(0);
        let steps = TOKENS_AT_ONCE.min(self.input.tokens - done);
        let tokens = next_tokens(steps as usize)?;
        // One token of each text. The GPU goes on with texts that have ended; their tokens are left out.
        for step in tokens.chunks_exact(self.texts.len()) {
            for (index, token) in step.iter().enumerate() {
                if !self.texts[index].has_ended {
                    self.push(index, *token, report);
                }
            }
        }
        Ok(true)
    }

    /// Generates the next token of the text that grows on the CPU.
    fn step_on_cpu(&mut self, report: &mut dyn FnMut(SampleEvent)) {
        let index = self.current;
        if !std::mem::replace(&mut self.is_started, true) {
            self.generator.start(&self.network, &self.prompt);
        }
        let number = u64::from(self.texts[index].written.number);
        let (options, stream) = (self.options(), self.stream);
        let token = self.generator.next_token(&self.network, options, stream, number);
        self.push(index, token, report);
        if self.texts[index].has_ended {
            self.current += 1;
            self.is_started = false;
        }
    }

    fn output(&self) -> SampleOutput {
        SampleOutput { texts: self.texts.iter().map(|text| text.written.clone()).collect() }
    }
}

impl SampleInput {
    /// The numbers of the texts; an error if they exceed `u32::MAX`.
    fn numbers(&self) -> Result<RangeInclusive<u32>, LabError> {
        let last = self.first.checked_add(self.texts - 1);
        let last =
            last.ok_or_else(|| LabError::input("first", format!("texts have numbers up to {}", u32::MAX)))?;
        Ok(self.first..=last)
    }
}

impl Tool for Sample {
    const ABOUT: ToolAbout = ToolAbout {
        id: "sample",
        title: "Sample",
        help: "Continues a text with a trained network.",
        counts: "tokens",
        in_tab: false,
    };
    type Lab = Language;
    type Input = SampleInput;
    const INPUT: &'static str = include_str!("sample.json");
    type Event = SampleEvent;
    type Output = SampleOutput;
    const COUNT_HAS_TOTAL: bool = true;

    fn begin(source: Source<Language>, input: SampleInput, _: Option<NamedText>) -> Result<Self, LabError> {
        Self::with_network(Arc::new(Network::from_tensors(&source.config, &source.network)?), input)
    }

    fn step(&mut self, report: &mut dyn FnMut(SampleEvent)) -> Result<ToolStatus<SampleOutput>, LabError> {
        if !self.step_on_gpu(report)? {
            self.step_on_cpu(report);
        }
        let has_ended = self.texts.iter().all(|text| text.has_ended);
        Ok(if has_ended { ToolStatus::Done(self.output()) } else { ToolStatus::Ready })
    }

    fn progress(&self) -> ToolProgress {
        let count: u64 = self.texts.iter().map(|text| u64::from(text.written.tokens)).sum();
        ToolProgress::of(count, u64::from(self.input.tokens) * self.texts.len() as u64)
    }

    fn partial(&self) -> Option<SampleOutput> {
        Some(self.output())
    }

    /// On the CPU all threads compute each token together, in matrix products of a few microseconds.
    fn wants_spinning_threads(&self) -> bool {
        self.next_on_gpu.is_none()
    }

    fn prefers_gpu(&self) -> bool {
        self.network.prefers_gpu()
    }

    #[cfg(feature = "gpu")]
    fn use_gpu(&mut self, gpu: &learnery_gpu::Gpu) -> Result<(), LabError> {
        let numbers: Vec<u32> = self.texts.iter().map(|text| text.written.number).collect();
        let (options, stream) = (self.options(), self.stream);
        let (network, prompt) = (&self.network, &self.prompt);
        let mut generator = crate::GpuTextGenerator::new(gpu, network, prompt, options, stream, &numbers)?;
        self.next_on_gpu = Some(Box::new(move |steps| Ok(generator.next_tokens(steps)?)));
        Ok(())
    }
}
