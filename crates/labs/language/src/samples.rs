//! The samples that belong to a run: texts that the network generates after 1, 2, 4, 8, ... training
//! iterations. They have the same prompt and the same random numbers, so they differ only by what the network
//! has learned. Checkpoints contain them (tensors under `diary/`).

use learnery_kernels::rng::Stream;
use learnery_lab::LabError;
use learnery_nn::Tensors;

use super::generation::{SamplingOptions, TextGenerator};
use super::network::Network;
use super::view::EarlierSampleView;

/// A sample of text ends after this many tokens or [`MAX_BYTES`] bytes, whichever comes first.
const MAX_TOKENS: usize = 240;
const MAX_BYTES: usize = 240;
/// Tokens generated in one step of the run.
const TOKENS_PER_STEP: usize = 32;
/// The maximum number of samples: one for each power of two below 2^64.
const MAX_SAMPLES: usize = 64;

/// The text number that selects the random numbers of all samples, see [`TextGenerator::next_token`].
const TEXT_NUMBER: u64 = 0;

/// How the samples are generated: a little less random than the network's own probabilities, from all tokens.
const OPTIONS: SamplingOptions = SamplingOptions { temperature: 0.8, top_k: 0 };

/// A finished sample.
#[derive(Clone, Debug, PartialEq)]
struct Sample {
    /// The iteration (a unit of the run) in which the sample was generated, counted from 1.
    unit: u64,
    /// Tokens trained on until then.
    tokens_seen: u64,
    /// Tokens of the prompt.
    prompt_length: u64,
    /// The prompt and the generated text.
    tokens: Vec<u16>,
}

/// The samples of a run, and the one being generated.
pub struct SampleHistory {
    generator: TextGenerator,
    stream: Stream,
    samples: Vec<Sample>,
    prompt: Vec<u16>,
    /// The token that ends a sample early: the end of a task's answer.
    end: Option<u16>,
    /// Whether a sample has been started and is not finished.
    generating: bool,
}

impl SampleHistory {
    pub fn new(network: &Network, prompt: Vec<u16>, end: Option<u16>, stream: Stream) -> Self {
        let generator = TextGenerator::new(network);
        Self { generator, stream, samples: Vec::new(), prompt, end, generating: false }
    }

    /// Whether iteration `unit`, counted from 1, ends with a sample.
    pub fn is_due(unit: u64) -> bool {
        unit.is_power_of_two()
    }

    /// Generates a few tokens of the sample that is due, and returns whether the sample is finished.
    pub fn step(&mut self, network: &Network, unit: u64, tokens_seen: u64) -> bool {
        if !self.generating {
            self.generator.start(network, &self.prompt);
            self.generating = true;
        }
        for _ in 0..TOKENS_PER_STEP {
            let token = self.generator.next_token(network, OPTIONS, self.stream, TEXT_NUMBER);
            if Some(token) == self.end || is_full_length(network, &self.generator) {
                self.generating = false;
                let prompt_length = self.generator.prompt_length() as u64;
                let tokens = self.generator.tokens().to_vec();
                self.samples.push(Sample { unit, tokens_seen, prompt_length, tokens });
                return true;
            }
        }
        false
    }

    /// The samples as the page shows them.
    pub fn view(&self, network: &Network) -> Vec<EarlierSampleView> {
        let decode = |tokens: &[u16]| {
            String::from_utf8_lossy(&network.tokenizer.decode(tokens)).trim_end_matches('\n').to_owned()
        };
        let view = |sample: &Sample| EarlierSampleView {
            unit: sample.unit as u32,
            tokens_seen: sample.tokens_seen as f64,
            prompt_length: decode(&sample.tokens[..sample.prompt_length as usize]).encode_utf16().count()
                as u32,
            text: decode(&sample.tokens),
        };
        self.samples.iter().map(view).collect()
    }

    /// Saves all samples. `pages` has a column for each sample; its four rows are unit, tokens seen, prompt
    /// length and number of tokens. `tokens` has the tokens of all samples, one sample after the other.
    // pages [4, samples]
    pub fn to_tensors(&self) -> Tensors {
        let mut tensors = Tensors::new();
        let row = |field: fn(&Sample) -> u64| self.samples.iter().map(field).collect::<Vec<_>>();
        let pages = [
            row(|sample| sample.unit),
            row(|sample| sample.tokens_seen),
            row(|sample| sample.prompt_length),
            row(|sample| sample.tokens.len() as u64),
        ];
        tensors.insert("pages", &[4, self.samples.len()], &pages.concat());
        let tokens: Vec<u32> =
            self.samples.iter().flat_map(|sample| sample.tokens.iter().copied().map(u32::from)).collect();
        tensors.insert("tokens", &[tokens.len()], &tokens);
        tensors
    }

    /// Restores the samples that [`Self::to_tensors`] saved, of a run of `units` iterations and `tokens_seen`
    /// tokens.
    pub fn restore(
        &mut self,
        network: &Network,
        tensors: &Tensors,
        units: u64,
        tokens_seen: u64,
    ) -> Result<(), LabError> {
        let damaged =
            || LabError::Checkpoint("its samples (`pages` and `tokens`) contradict each other".into());
        let all_tokens: Vec<u32> = tensors.get_vec("tokens")?;
        let in_vocabulary = |token: &u32| {
            u16::try_from(*token).ok().filter(|token| usize::from(*token) < network.tokenizer.len())
        };
        let all_tokens: Vec<u16> =
            all_tokens.iter().map(in_vocabulary).collect::<Option<_>>().ok_or_else(damaged)?;
        let shape = tensors.iter().find(|(name, _)| *name == "pages").map(|(_, tensor)| tensor.shape());
        // The second dimension of the tensor is the number of samples.
        let count = shape.and_then(|shape| shape.get(1).copied()).unwrap_or(0);
        let pages: Vec<u64> = tensors.get("pages", &[4, count])?;
        if count > MAX_SAMPLES {
            return Err(damaged());
        }
        let mut rest = &all_tokens[..];
        let mut samples: Vec<Sample> = Vec::with_capacity(count);
        for i in 0..count {
            let [unit, seen, prompt_length, length] = std::array::from_fn(|row| pages[row * count + i]);
            let fits = usize::try_from(length)
                .ok()
                .filter(|length| *length <= rest.len() && prompt_length <= *length as u64);
            let (tokens, after) = rest.split_at(fits.ok_or_else(damaged)?);
            rest = after;
            let is_later = samples.last().is_none_or(|last| last.unit < unit && last.tokens_seen <= seen);
            if !Self::is_due(unit) || !is_later || unit > units || seen > tokens_seen {
                return Err(LabError::Checkpoint(
                    "its samples (`pages`) are of iterations that contradict its counters".into(),
                ));
            }
            samples.push(Sample { unit, tokens_seen: seen, prompt_length, tokens: tokens.to_vec() });
        }
        if !rest.is_empty() {
            return Err(damaged());
        }
        self.samples = samples;
        Ok(())
    }
}

/// Whether the generated part has reached the maximum length of a sample.
pub fn is_full_length(network: &Network, generator: &TextGenerator) -> bool {
    let generated = &generator.tokens()[generator.prompt_length()..];
    generated.len() >= MAX_TOKENS
        || generated.iter().map(|token| network.tokenizer.piece(*token).len()).sum::<usize>() >= MAX_BYTES
}
