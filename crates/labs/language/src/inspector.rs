//! The inspector on the stage (the interactive part of the page). For a text, it computes the surprisal of
//! each token. For one chosen token, it computes the most likely next tokens, and the weights with which
//! every head attends from that token.

use learnery_kernels::math::double;
use learnery_lab::LabError;
use learnery_nn::Reader;

use super::generation::probability;
use super::network::Network;
use super::tokenizer::Utf8Decoder;
use super::view::{InspectionView, NextTokenView};

/// The number of next tokens that are shown.
const NEXT_TOKENS: usize = 12;
/// Seconds between two refreshes while the network learns.
const REFRESH_SECONDS: f64 = 0.4;

/// A text, the network's results for it, and the buffers to compute them.
pub struct Inspector {
    /// Runs the network over a whole text and keeps the attention weights.
    reader: Reader,
    /// The maximum number of tokens.
    context: usize,
    tokens: Vec<u16>,
    /// Index of the chosen token.
    chosen: usize,
    /// How many updates had been made to the weights when the results below were computed; `None` before
    /// there are results for this text.
    updates: Option<u64>,
    seconds_since_refresh: f64,
    /// The logits of the next token after each token.
    // [tokens, vocabulary]
    logits: Vec<f32>,
    /// Attention weights of one head, from each token (row) to each token (column).
    // [tokens, tokens]
    head_weights: Vec<f32>,
    /// Surprisal of each token in bits: minus log2 of its probability. It is 0 for the first token.
    surprisal: Vec<f32>,
    /// The most likely tokens after the chosen one, with their probabilities.
    next: Vec<(u16, f32)>,
    /// Attention weights from the chosen token to every token before it and to itself.
    // [layers, heads, chosen + 1]
    attention: Vec<f32>,
}

impl Inspector {
    pub fn new(network: &Network) -> Self {
        Self {
            reader: Reader::new(&network.net),
            context: network.net.shape().context,
            tokens: Vec::new(),
            chosen: 0,
            updates: None,
            seconds_since_refresh: 0.0,
            logits: Vec::new(),
            head_weights: Vec::new(),
            surprisal: Vec::new(),
            next: Vec::new(),
            attention: Vec::new(),
        }
    }

    /// Opens a text, cut to the context length, and chooses its last token.
    pub fn open(&mut self, mut tokens: Vec<u16>) {
        tokens.truncate(self.context);
        self.chosen = tokens.len().saturating_sub(1);
        self.tokens = tokens;
        self.updates = None;
    }

    /// Lets `seconds` pass. Recomputes everything for a new text; or if the network has changed, and the last
    /// refresh is at least `REFRESH_SECONDS` ago. `updates` is the number of updates made to the weights so
    /// far.
    pub fn refresh(&mut self, network: &Network, updates: u64, seconds: f64) {
        self.seconds_since_refresh += seconds;
        let is_due = match self.updates {
            None => true,
            Some(known) => known != updates && self.seconds_since_refresh >= REFRESH_SECONDS,
        };
        if !is_due || self.tokens.is_empty() {
            return;
        }
        (self.updates, self.seconds_since_refresh) = (Some(updates), 0.0);
        let Network { tokenizer, net, weights, .. } = network;
        self.reader.read(net, weights, &self.tokens);
        let vocabulary = net.shape().vocabulary;
        self.logits.resize(self.tokens.len() * vocabulary, 0.0);
        self.reader.logits(net, weights, &mut self.logits);
        // The embedding table can have more rows than there are tokens. Ignore the rest.
        let rows = self.logits.chunks_exact(vocabulary).map(|row| &row[..tokenizer.len()]);
        let surprisal = rows
            .zip(&self.tokens[1..])
            .map(|(row, token)| -double::log2(f64::from(probability(row, *token))) as f32);
        self.surprisal.clear();
        self.surprisal.push(0.0);
        self.surprisal.extend(surprisal);
        self.update_chosen(network);
    }

    /// Chooses a token by its index.
    pub fn choose(&mut self, network: &Network, index: usize) -> Result<(), LabError> {
        if index >= self.tokens.len() {
            let message = format!("there is no token {index} in a text of {} tokens", self.tokens.len());
            return Err(LabError::Command(message));
        }
        self.chosen = index;
        // Without results for this text, the next refresh computes all.
        if self.updates.is_some() {
            self.update_chosen(network);
        }
        Ok(())
    }

    /// Recomputes the likely next tokens and the attention weights of the chosen token from the last results.
    fn update_chosen(&mut self, network: &Network) {
        let shape = network.net.shape();
        let row = &self.logits[self.chosen * shape.vocabulary..][..network.tokenizer.len()];
        let mut order: Vec<u16> = (0..row.len() as u16).collect();
        let logit = |token: &u16| row[usize::from(*token)];
        // From the largest logit down; of equal ones, the token with the lower number comes first.
        order.sort_unstable_by(|a, b| logit(b).total_cmp(&logit(a)).then(a.cmp(b)));
        order.truncate(NEXT_TOKENS);
        self.next = order.into_iter().map(|token| (token, probability(row, token))).collect();
        let count = self.tokens.len();
        self.head_weights.resize(count * count, 0.0);
        self.attention.clear();
        for layer in 0..shape.layers {
            for head in 0..shape.heads {
                self.reader.attention(&network.net, layer, head, &mut self.head_weights);
                self.attention.extend(&self.head_weights[self.chosen * count..][..=self.chosen]);
            }
        }
    }

    pub fn view(&self, network: &Network) -> InspectionView {
        let mut decoder = Utf8Decoder::default();
        let pieces = self.tokens.iter().map(|token| decoder.push(network.tokenizer.piece(*token)));
        let next = |(token, probability): &(u16, f32)| NextTokenView {
            text: String::from_utf8_lossy(network.tokenizer.piece(*token)).into_owned(),
            probability: *probability,
        };
        InspectionView {
            pieces: pieces.collect(),
            surprise: self.surprisal.clone(),
            chosen: self.chosen as u32,
            next: self.next.iter().map(next).collect(),
            attention: self.attention.clone(),
        }
    }
}
