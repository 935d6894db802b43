//! Autoregressive generation: samples a text token by token. A KV cache keeps the keys and values of earlier
//! tokens, so each token costs a forward pass over one row only. Used by the stage (the interactive part of
//! the page), by the samples that are saved with a run, and by the command line.

use learnery_kernels::math;
use learnery_kernels::rng::Stream;
use learnery_nn::Generator;
use learnery_nn::transformer::Sampler;

use super::network::Network;
use super::tokenizer::line_break;

/// The index of a random number has this many low bits for the index of the token in its text. The higher
/// bits are the number of the text.
const TOKEN_BITS: u32 = 32;

/// How the next token is sampled.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SamplingOptions {
    /// 0 always takes the most likely token, 1 samples from the network's own probabilities.
    pub temperature: f32,
    /// Sample only among this many of the most likely tokens; 0 for all.
    pub top_k: usize,
}

/// A text being generated.
#[derive(Clone, Debug)]
pub struct TextGenerator {
    generator: Generator,
    sampler: Sampler,
    /// The prompt and the tokens generated so far.
    tokens: Vec<u16>,
    /// The probability that the network gave each of `tokens`, at temperature 1. It is 1 for the prompt.
    probabilities: Vec<f32>,
    /// Tokens of the prompt.
    prompt_length: usize,
    /// How many of `tokens`, from the first on, are in the KV cache.
    cached: usize,
}

impl TextGenerator {
    pub fn new(network: &Network) -> Self {
        Self {
            generator: Generator::new(&network.net),
            sampler: Sampler::new(network.tokenizer.len()),
            tokens: Vec::new(),
            probabilities: Vec::new(),
            prompt_length: 0,
            cached: 0,
        }
    }

    /// Starts a new text that continues a prompt, or a line break if it is empty.
    pub fn start(&mut self, network: &Network, prompt: &[u16]) {
        self.tokens = prompt_or_line_break(network, prompt);
        self.prompt_length = self.tokens.len();
        self.probabilities.clear();
        self.probabilities.resize(self.prompt_length, 1.0);
        self.clear_cache();
    }

    /// Empties the KV cache. Callers must do this whenever the weights have changed. The next token fills the
    /// cache again.
    pub fn clear_cache(&mut self) {
        self.generator.clear();
        self.cached = 0;
    }

    /// Generates the next token. Its random number depends only on the stream, on `text_number` (which the
    /// caller chooses) and on the token's index in the text.
    pub fn next_token(
        &mut self,
        network: &Network,
        options: SamplingOptions,
        stream: Stream,
        text_number: u64,
    ) -> u16 {
        let Network { tokenizer, net, weights, .. } = network;
        // Feeds the tokens that are not in the cache yet: usually the last one only.
        let logits = self.generator.feed(net, weights, &self.tokens[self.cached..]);
        self.cached = self.tokens.len();
        // The embedding table can have more rows than there are tokens (see `vocabulary_size`). Ignore the
        // rest.
        let logits = &mut logits[..tokenizer.len()];
        let SamplingOptions { temperature, top_k } = options;
        let index = (text_number << TOKEN_BITS) + self.tokens.len() as u64;
        let token = self.sampler.draw(logits, temperature, top_k, stream, index);
        self.probabilities.push(probability(logits, token));
        self.tokens.push(token);
        token
    }

    /// The prompt and the tokens generated so far.
    pub fn tokens(&self) -> &[u16] {
        &self.tokens
    }

    /// The tokens generated so far.
    pub fn generated(&self) -> &[u16] {
        &self.tokens[self.prompt_length..]
    }

    /// The probability that the network gave each of [`Self::tokens`] at temperature 1.
    pub fn probabilities(&self) -> &[f32] {
        &self.probabilities
    }

    /// Tokens of the prompt, which come first.
    pub fn prompt_length(&self) -> usize {
        self.prompt_length
    }
}

/// The logits of the token after each of `tokens`, of which there may be at most as many as the context has.
/// Shape: `[tokens, vocabulary]`.
pub fn logits(network: &Network, tokens: &[u16]) -> Vec<f32> {
    let Network { tokenizer, net, weights, .. } = network;
    assert!(tokens.len() <= net.shape().context, "more tokens than the network sees");
    let mut generator = Generator::new(net);
    let after = |token| generator.feed(net, weights, &[token])[..tokenizer.len()].to_vec();
    tokens.iter().copied().flat_map(after).collect()
}

/// The tokens that a text begins with. An empty prompt is replaced by a line break, because the network needs
/// at least one token to predict from.
pub fn prompt_or_line_break(network: &Network, prompt: &[u16]) -> Vec<u16> {
    if prompt.is_empty() { vec![line_break(&network.tokenizer)] } else { prompt.to_vec() }
}

/// The softmax probability of one token.
pub fn probability(logits: &[f32], token: u16) -> f32 {
    let max = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let sum: f32 = logits.iter().map(|logit| math::exp(logit - max)).sum();
    math::exp(logits[usize::from(token)] - max) / sum
}
