//! A corpus provided by a person: validated, and split into training and held-out text.
//!
//! The text is cut into blocks of which a random tenth is held out. Adjacent blocks of the same split form a *passage*.
//! Training rows never cross the end of a passage, so they contain no held-out text.

use std::ops::Range;

use learnery_kernels::rng::Stream;

use super::{TextError, Tokenizer};

pub const MIN_BYTES: usize = 2048;
pub const MAX_BYTES: usize = 1 << 28;

/// The target number of blocks of a short text; blocks have `MIN_BLOCK` to `MAX_BLOCK` bytes.
const BLOCKS: usize = 40;
const MIN_BLOCK: usize = 256;
const MAX_BLOCK: usize = 8192;
/// One block of so many is held out, up to `MAX_HELD_OUT` bytes in total.
const HELD_OUT_EVERY: usize = 10;
const MAX_HELD_OUT: usize = 1 << 20;

/// A validated text and its splits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Corpus {
    text: String,
    /// Byte ranges of the passages of each split, ascending.
    training: Vec<Range<usize>>,
    held_out: Vec<Range<usize>>,
}

impl Corpus {
    /// Validates and splits a text. `name` stands for it in errors. The split is a pure function of the text and the
    /// stream.
    pub fn new(name: &str, bytes: &[u8], stream: Stream) -> Result<Self, TextError> {
        let text = validate(name, bytes)?.to_owned();
        let length = (text.len() / BLOCKS).clamp(MIN_BLOCK, MAX_BLOCK);
        let mut ends: Vec<usize> =
            (1..text.len() / length).map(|i| text.floor_char_boundary(i * length)).collect();
        ends.push(text.len());
        let mut order: Vec<u32> = (0..ends.len() as u32).collect();
        stream.shuffle(0, &mut order);
        let held = (ends.len() / HELD_OUT_EVERY).clamp(1, MAX_HELD_OUT / length);
        let mut corpus = Self { text, training: Vec::new(), held_out: Vec::new() };
        let mut is_held_out = vec![false; ends.len()];
        for block in &order[..held] {
            is_held_out[*block as usize] = true;
        }
        let mut begin = 0;
        for (end, is_held_out) in ends.into_iter().zip(is_held_out) {
            let ranges = if is_held_out { &mut corpus.held_out } else { &mut corpus.training };
            match ranges.last_mut() {
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

    /// The tokens of the training split, for drawing rows of `length` tokens.
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

/// The text in `bytes`, without a byte order mark.
fn validate<'a>(name: &str, bytes: &'a [u8]) -> Result<&'a str, TextError> {
    let refuse = |problem: String| Err(TextError(format!("{name} cannot be used: {problem}")));
    if bytes.is_empty() {
        return refuse("it is empty".to_owned());
    }
    if bytes.len() > MAX_BYTES {
        return refuse(format!("it has {} bytes, but at most {MAX_BYTES} are allowed", bytes.len()));
    }
    if bytes.contains(&0) {
        return refuse("it contains zero bytes, so it is a binary file and not text".to_owned());
    }
    let text = match str::from_utf8(bytes) {
        Ok(text) => text.strip_prefix('\u{feff}').unwrap_or(text),
        Err(error) => {
            return refuse(format!(
                "it is not UTF-8 text (byte {} is wrong); save it as UTF-8",
                error.valid_up_to() + 1
            ));
        }
    };
    if text.trim().len() < MIN_BYTES {
        return refuse(format!(
            "it has {} bytes of text, but at least {MIN_BYTES} are needed",
            text.trim().len()
        ));
    }
    Ok(text)
}

/// The tokens of a corpus's training split, from which rows are drawn.
#[derive(Clone, Debug)]
pub struct Passages {
    /// The tokens of all passages, concatenated.
    tokens: Vec<u16>,
    /// The end of each passage in `tokens`.
    ends: Vec<usize>,
    /// For each passage: the number of positions at which a row can start, in it and all passages before it.
    starts: Vec<u64>,
    length: usize,
}

impl Passages {
    /// The number of tokens.
    pub fn tokens(&self) -> usize {
        self.tokens.len()
    }

    /// Row `row` of step `step`: `length` consecutive tokens, uniform over all possible starts.
    pub fn row(&self, stream: Stream, step: u64, row: u64) -> &[u16] {
        let places = self.starts.last().copied().unwrap_or(0);
        let [low, high, ..] = stream.block(step, row).map(u64::from);
        let place = ((u128::from(high << 32 | low) * u128::from(places)) >> 64) as u64;
        let passage = self.starts.partition_point(|starts| *starts <= place);
        // The distance from the last possible start in the passage.
        let back = (self.starts[passage] - 1 - place) as usize;
        let end = self.ends[passage] - back;
        &self.tokens[end - self.length..end]
    }
}
