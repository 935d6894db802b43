//! The user's own text, split into passages to train on and blocks that are held out for evaluations.

use learnery_kernels::rng::Stream;
use learnery_lab::LabError;
use learnery_worlds::text::{Corpus, Passages, Tokenizer};

use super::{command_error, purpose};

/// A text and its tokens.
pub struct OwnText {
    name: String,
    /// The text with its split.
    corpus: Corpus,
    /// The tokens of the training part.
    passages: Passages,
    /// Random numbers that select where rows begin.
    stream: Stream,
}

/// Checks a text and splits it into training and held-out parts. The split does not depend on the run's seed,
/// so the `eval` command finds the same held-out part without the run.
pub fn split_corpus(name: &str, text: &[u8]) -> Result<Corpus, LabError> {
    // Seed 0 for every run, see above.
    Corpus::new(name, text, Stream::new(0, purpose::SPLIT)).map_err(command_error)
}

/// Joins the parts of a text, and cuts the result at a character boundary if it exceeds `max_bytes`.
pub fn concatenate<'t>(parts: impl Iterator<Item = &'t str>, max_bytes: usize) -> String {
    let mut joined = String::new();
    for part in parts {
        let kept_bytes = part.floor_char_boundary(max_bytes.saturating_sub(joined.len()));
        joined.push_str(&part[..kept_bytes]);
    }
    joined
}

impl OwnText {
    /// Encodes a text for rows of `length` tokens.
    pub fn new(
        name: &str,
        corpus: Corpus,
        tokenizer: &Tokenizer,
        length: usize,
        stream: Stream,
    ) -> Result<Self, LabError> {
        // A passage has one more token than a row, because its targets are shifted by one.
        let passages = corpus.passages(tokenizer, length + 1).map_err(command_error)?;
        Ok(Self { name: name.into(), corpus, passages, stream })
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn corpus(&self) -> &Corpus {
        &self.corpus
    }

    /// Writes row `row` of batch `index`. It begins at a uniformly random token of the training part.
    pub fn row(&self, index: u64, row: u64, inputs: &mut [u16], targets: &mut [u16]) {
        let tokens = self.passages.row(self.stream, index, row);
        inputs.copy_from_slice(&tokens[..inputs.len()]);
        targets.copy_from_slice(&tokens[1..]);
    }
}
