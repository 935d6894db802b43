//! A text that is looked into: what each of its tokens cost, what is expected after a chosen one, and where the heads look
//! from there.

use learnery_lab::LabError;
use learnery_nn::Reader;

use super::network::Network;
use super::spelling::Spelling;
use super::view::{LanguageGuess, LanguageReading};
use super::writer::probability;

/// How many guesses are shown.
const GUESSES: usize = 12;
/// Seconds between two looks while the network learns.
const PAUSE: f64 = 0.4;

/// A text and what was seen in it.
pub struct Reading {
    reader: Reader,
    context: usize,
    tokens: Vec<u16>,
    chosen: usize,
    /// Updates that the reader knows of; none before the first look.
    updates: Option<u64>,
    since: f64,
    /// // [tokens, vocabulary]
    logits: Vec<f32>,
    /// Of one head. // [tokens, tokens]
    weights: Vec<f32>,
    surprise: Vec<f32>,
    next: Vec<(u16, f32)>,
    /// // [layers, heads, chosen + 1]
    attention: Vec<f32>,
}

impl Reading {
    /// Nothing to look into yet.
    pub fn new(network: &Network) -> Self {
        Self {
            reader: Reader::new(&network.net),
            context: network.net.shape().context,
            tokens: Vec::new(),
            chosen: 0,
            updates: None,
            since: 0.0,
            logits: Vec::new(),
            weights: Vec::new(),
            surprise: Vec::new(),
            next: Vec::new(),
            attention: Vec::new(),
        }
    }

    /// Takes in a text, as much as the context holds.
    pub fn open(&mut self, mut tokens: Vec<u16>) {
        tokens.truncate(self.context);
        self.chosen = tokens.len().saturating_sub(1);
        self.tokens = tokens;
        self.updates = None;
    }

    /// Looks again where the network has changed since, and it has not just been done.
    pub fn look(&mut self, network: &Network, updates: u64, seconds: f64) {
        self.since += seconds;
        let due = match self.updates {
            None => true,
            Some(known) => known != updates && self.since >= PAUSE,
        };
        if !due || self.tokens.is_empty() {
            return;
        }
        (self.updates, self.since) = (Some(updates), 0.0);
        let Network { tokenizer, net, weights, .. } = network;
        self.reader.read(net, weights, &self.tokens);
        let vocabulary = net.shape().vocabulary;
        self.logits.resize(self.tokens.len() * vocabulary, 0.0);
        self.reader.logits(net, weights, &mut self.logits);
        let rows = self.logits.chunks_exact(vocabulary).map(|row| &row[..tokenizer.len()]);
        self.surprise.clear();
        self.surprise.push(0.0);
        let costs = rows.zip(&self.tokens[1..]).map(|(row, token)| -probability(row, *token).log2());
        self.surprise.extend(costs);
        self.focus(network);
    }

    /// Chooses a token.
    pub fn choose(&mut self, network: &Network, index: usize) -> Result<(), LabError> {
        if index >= self.tokens.len() {
            let message = format!("there is no token {index} in a text of {}", self.tokens.len());
            return Err(LabError::Command(message));
        }
        self.chosen = index;
        if self.updates.is_some() {
            self.focus(network);
        }
        Ok(())
    }

    /// What is seen from the chosen token.
    fn focus(&mut self, network: &Network) {
        let shape = network.net.shape();
        let row = &self.logits[self.chosen * shape.vocabulary..][..network.tokenizer.len()];
        let mut order: Vec<u16> = (0..row.len() as u16).collect();
        let at = |token: &u16| row[usize::from(*token)];
        order.sort_unstable_by(|a, b| at(b).total_cmp(&at(a)).then(a.cmp(b)));
        order.truncate(GUESSES);
        self.next = order.into_iter().map(|token| (token, probability(row, token))).collect();
        let count = self.tokens.len();
        self.weights.resize(count * count, 0.0);
        self.attention.clear();
        for layer in 0..shape.layers {
            for head in 0..shape.heads {
                self.reader.attention(&network.net, layer, head, &mut self.weights);
                self.attention.extend(&self.weights[self.chosen * count..][..=self.chosen]);
            }
        }
    }

    /// What can be drawn.
    pub fn view(&self, network: &Network) -> LanguageReading {
        let mut spelling = Spelling::default();
        let pieces = self.tokens.iter().map(|token| spelling.push(network.tokenizer.piece(*token)));
        let guess = |(token, probability): &(u16, f32)| LanguageGuess {
            text: String::from_utf8_lossy(network.tokenizer.piece(*token)).into_owned(),
            probability: *probability,
        };
        LanguageReading {
            pieces: pieces.collect(),
            surprise: self.surprise.clone(),
            chosen: self.chosen as u32,
            next: self.next.iter().map(guess).collect(),
            attention: self.attention.clone(),
        }
    }
}
