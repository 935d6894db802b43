//! A corpus (a text to learn from) that the user provides: its validation, its split into training and
//! held-out text, and the drawing of training rows (sequences of consecutive tokens).
//!
//! The text is cut into blocks, and a random tenth of the blocks is held out. Adjacent blocks of the same
//! split form a *passage*. Training rows never cross the end of a passage, so they contain no held-out text.

use std::ops::Range;

use learnery_kernels::rng::Stream;

use super::{TextError, Tokenizer};

/// Lower bound of the length of a text in bytes.
pub const MIN_BYTES: usize = 2048;
/// Upper bound of the length of a text in bytes.
pub const MAX_BYTES: usize = 1 << 28;

/// The target number of blocks. A block has `MIN_BLOCK_BYTES` to `MAX_BLOCK_BYTES`, so a very short text has
/// fewer blocks and a long text has more.
const TARGET_BLOCKS: usize = 40;
const MIN_BLOCK_BYTES: usize = 256;
const MAX_BLOCK_BYTES: usize = 8192;
/// One of this many blocks is held out, up to `MAX_HELD_OUT_BYTES` in total.
const HELD_OUT_EVERY: usize = 10;
const MAX_HELD_OUT_BYTES: usize = 1 << 20;

/// A validated text and its splits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Corpus {
    text: String,
    /// Byte ranges of the passages of each split, ascending.
    training: Vec<Range<usize>>,
    held_out: Vec<Range<usize>>,
}

impl Corpus {
    /// Validates and splits a text. `name` is the name of the text in error messages. The split is a pure
    /// function of the text and the stream of random numbers.
    pub fn new(name: &str, bytes: &[u8], stream: Stream) -> Result<Self, TextError> {
        let text = validate(name, bytes)?.to_owned();
        let block_bytes = (text.len() / TARGET_BLOCKS).clamp(MIN_BLOCK_BYTES, MAX_BLOCK_BYTES);
        let mut ends: Vec<usize> =
            (1..text.len() / block_bytes).map(|i| text.floor_char_boundary(i * block_bytes)).collect();
        // The last block also has the bytes that are too few for a block of their own.
        ends.push(text.len());
        let mut order: Vec<u32> = (0..ends.len() as u32).collect();
        stream.shuffle(0, &mut order);
        let held_out_count = (ends.len() / HELD_OUT_EVERY).clamp(1, MAX_HELD_OUT_BYTES / block_bytes);
        let mut corpus = Self { text, training: Vec::new(), held_out: Vec::new() };
        let mut is_held_out = vec![false; ends.len()];
        for block in &order[..held_out_count] {
            is_held_out[*block as usize] = true;
        }
        let mut begin = 0;
        for (end, is_held_out) in ends.into_iter().zip(is_held_out) {
            let ranges = if is_held_out { &mut corpus.held_out } else { &mut corpus.training };
            match ranges.last_mut() {
                // The block before belongs to the same split, so both form one passage.
                Some(last) if last.end == begin => last.end = end,
                _ => ranges.push(begin..end),
            }
            begin = end;
        }
        Ok(corpus)
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    /// The passages of the training split.
    pub fn training(&self) -> impl Iterator<Item = &str> {
        self.training.iter().map(|range| &self.text[range.clone()])
    }

    /// The passages of the held-out split.
    pub fn held_out(&self) -> impl Iterator<Item = &str> {
        self.held_out.iter().map(|range| &self.text[range.clone()])
    }

    /// Encodes the training split, for drawing rows of `length` tokens.
    pub fn passages(&self, tokenizer: &Tokenizer, length: usize) -> Result<Passages, TextError> {
        let mut passages = Passages { tokens: Vec::new(), ends: Vec::new(), starts: Vec::new(), length };
        for passage in self.training() {
            let begin = passages.tokens.len();
            tokenizer.encode(passage, &mut passages.tokens);
            let starts = (passages.tokens.len() - begin + 1).saturating_sub(length);
            passages.ends.push(passages.tokens.len());
            passages.starts.push(passages.starts.last().copied().unwrap_or(0) + starts as u64);
        }
        if passages.starts.last() == Some(&0) {
            return Err(TextError(format!(
                "this text is too short: no passage of it has the {length} tokens of a row"
            )));
        }
        Ok(passages)
    }
}

/// Returns the text in `bytes` without a byte order mark, or the reason why it cannot be used.
fn validate<'a>(name: &str, bytes: &'a [u8]) -> Result<&'a str, TextError> {
    let reject = |problem: String| Err(TextError(format!("{name} cannot be used: {problem}")));
    if bytes.is_empty() {
        return reject("it is empty".to_owned());
    }
    if bytes.len() > MAX_BYTES {
        return reject(format!("it has {} bytes, but at most {MAX_BYTES} are allowed", bytes.len()));
    }
    if bytes.contains(&0) {
        return reject("it contains zero bytes, so it is a binary file and not text".to_owned());
    }
    let text = match str::from_utf8(bytes) {
        Ok(text) => text.strip_prefix('\u{feff}').unwrap_or(text),
        Err(error) => {
            return reject(format!(
                "it is not UTF-8 text (byte {} is wrong); save it as UTF-8",
                error.valid_up_to() + 1
            ));
        }
    };
    if text.trim().len() < MIN_BYTES {
        return reject(format!(
            "it has {} bytes of text, but at least {MIN_BYTES} are needed",
            text.trim().len()
        ));
    }
    Ok(text)
}

/// The tokens of the training split of a corpus, from which rows are drawn.
#[derive(Clone, Debug)]
pub struct Passages {
    /// The tokens of all passages, concatenated.
    tokens: Vec<u16>,
    /// The end of each passage in `tokens`.
    ends: Vec<usize>,
    /// For each passage: the number of positions at which a row can start, in this passage and all passages
    /// before it.
    starts: Vec<u64>,
    /// The number of tokens in a row.
    length: usize,
}

impl Passages {
    /// The number of tokens of the training split.
    pub fn tokens(&self) -> usize {
        self.tokens.len()
    }

    /// Draws row `row` of training step `step`: `length` consecutive tokens of one passage, uniform over all
    /// starts.
    pub fn row(&self, stream: Stream, step: u64, row: u64) -> &[u16] {
        let start_count = self.starts.last().copied().unwrap_or(0);
        let [low, high, ..] = stream.block(step, row).map(u64::from);
        // A random 64-bit fraction times the number of starts.
        let start = ((u128::from(high << 32 | low) * u128::from(start_count)) >> 64) as u64;
        let passage = self.starts.partition_point(|starts| *starts <= start);
        // Counted from the last possible start of the passage, which is also the distance of the row's end
        // from the end of the passage.
        let back = (self.starts[passage] - 1 - start) as usize;
        let end = self.ends[passage] - back;
        &self.tokens[end - self.length..end]
    }
}
