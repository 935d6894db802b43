//! A text that a network writes token by token, on the stage, in the diary and on a command line.

use learnery_kernels::rng::Stream;
use learnery_nn::Generator;
use learnery_nn::transformer::Sampler;

use super::network::Network;

/// How daring a writer is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dials {
    /// 0 for always the likeliest, 1 for as the network guesses.
    pub temperature: f32,
    /// Only so many of the likeliest are drawn from; 0 for all.
    pub top_k: usize,
}

/// A text on its way.
#[derive(Clone, Debug)]
pub struct Writer {
    generator: Generator,
    sampler: Sampler,
    /// The prompt, and what was written.
    tokens: Vec<u16>,
    /// How likely each token was held to be; 1 in the prompt.
    probabilities: Vec<f32>,
    prompt: usize,
    /// How many of the tokens the generator knows.
    fed: usize,
}

impl Writer {
    /// Nothing written yet.
    pub fn new(network: &Network) -> Self {
        Self {
            generator: Generator::new(&network.net),
            sampler: Sampler::new(network.tokenizer.len()),
            tokens: Vec::new(),
            probabilities: Vec::new(),
            prompt: 0,
            fed: 0,
        }
    }

    /// Begins anew behind a prompt; behind a line break where there is none.
    pub fn begin(&mut self, network: &Network, prompt: &[u16]) {
        self.tokens.clear();
        self.tokens.extend_from_slice(prompt);
        if prompt.is_empty() {
            self.tokens.push(line_break(network));
        }
        self.prompt = self.tokens.len();
        self.probabilities.clear();
        self.probabilities.resize(self.prompt, 1.0);
        self.forget();
    }

    /// To be called when the weights have changed: what was written is taken in again.
    pub fn forget(&mut self) {
        self.generator.clear();
        self.fed = 0;
    }

    /// Writes the next token of a text that has been begun. What is drawn for token `i` of text `text` is always the same.
    pub fn write(&mut self, network: &Network, dials: Dials, stream: Stream, text: u64) -> u16 {
        let Network { tokenizer, net, weights, .. } = network;
        let logits = self.generator.feed(net, weights, &self.tokens[self.fed..]);
        self.fed = self.tokens.len();
        // Where the text had fewer tokens to offer than there is room for, the rest stand for nothing.
        let logits = &mut logits[..tokenizer.len()];
        let Dials { temperature, top_k } = dials;
        let index = (text << 32) + self.tokens.len() as u64;
        let token = self.sampler.draw(logits, temperature, top_k, stream, index);
        self.probabilities.push(probability(logits, token));
        self.tokens.push(token);
        token
    }

    /// All tokens, those of the prompt first.
    pub fn tokens(&self) -> &[u16] {
        &self.tokens
    }

    /// How likely each was.
    pub fn probabilities(&self) -> &[f32] {
        &self.probabilities
    }

    /// Tokens of the prompt.
    pub fn prompt(&self) -> usize {
        self.prompt
    }
}

/// The token of a line break, or the first there is.
pub fn line_break(network: &Network) -> u16 {
    let tokenizer = &network.tokenizer;
    (0..tokenizer.len() as u16).find(|token| tokenizer.piece(*token) == b"\n").unwrap_or(0)
}

/// How likely these logits hold a token to be.
pub fn probability(logits: &[f32], token: u16) -> f32 {
    let most = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let all: f32 = logits.iter().map(|logit| (logit - most).exp()).sum();
    (logits[usize::from(token)] - most).exp() / all
}
