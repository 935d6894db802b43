//! A text that somebody brought: checked, and cut into what is learned from and what is held out.
//!
//! Blocks of the text are dealt out by counter-based random numbers, about a tenth of them held out. Those that are learned from
//! and lie side by side are one passage; nothing that is drawn reaches over the end of its passage.

use std::ops::Range;

use learnery_kernels::rng::Stream;

use super::{TextError, Tokenizer};

/// The fewest bytes that can be learned from.
pub const LEAST_BYTES: usize = 2048;
/// The most.
pub const MOST_BYTES: usize = 1 << 28;

/// A block is at most so long, and so many of them make a text where it is short.
const LONGEST_BLOCK: usize = 8192;
const BLOCKS: usize = 40;
const SHORTEST_BLOCK: usize = 256;
/// One block in so many is held out, but no more than enough to judge by.
const HELD_OUT: usize = 10;
const ENOUGH: usize = 1 << 20;

/// A text of a person's own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Corpus {
    text: String,
    /// What is learned from, in order.
    training: Vec<Range<usize>>,
    /// What is not.
    held_out: Vec<Range<usize>>,
}

impl Corpus {
    /// Checks a text and deals it out; `name` is what it is called where it cannot be used. A text that has been checked
    /// is the same for the same stream.
    pub fn new(name: &str, bytes: &[u8], stream: Stream) -> Result<Self, TextError> {
        let text = check(name, bytes)?.to_owned();
        let length = (text.len() / BLOCKS).clamp(SHORTEST_BLOCK, LONGEST_BLOCK);
        let mut ends: Vec<usize> =
            (1..text.len() / length).map(|i| text.floor_char_boundary(i * length)).collect();
        ends.push(text.len());
        let mut order: Vec<u32> = (0..ends.len() as u32).collect();
        stream.shuffle(0, &mut order);
        let held = (ends.len() / HELD_OUT).clamp(1, ENOUGH / length);
        let mut corpus = Self { text, training: Vec::new(), held_out: Vec::new() };
        let mut out = vec![false; ends.len()];
        for block in &order[..held] {
            out[*block as usize] = true;
        }
        let mut begin = 0;
        for (end, out) in ends.into_iter().zip(out) {
            let ranges = if out { &mut corpus.held_out } else { &mut corpus.training };
            match ranges.last_mut() {
                Some(last) if last.end == begin => last.end = end,
                _ => ranges.push(begin..end),
            }
            begin = end;
        }
        Ok(corpus)
    }

    /// All of it.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What is learned from, one passage after the other.
    pub fn training(&self) -> impl Iterator<Item = &str> {
        self.training.iter().map(|range| &self.text[range.clone()])
    }

    /// What is held out.
    pub fn held_out(&self) -> impl Iterator<Item = &str> {
        self.held_out.iter().map(|range| &self.text[range.clone()])
    }

    /// What is learned from, in tokens, for rows of `length` tokens.
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
                "this text is too short for rows of {length} tokens: no passage of it has so many"
            )));
        }
        Ok(passages)
    }
}

/// The text in `bytes`, if it is one.
fn check<'a>(name: &str, bytes: &'a [u8]) -> Result<&'a str, TextError> {
    let refuse = |problem: String| Err(TextError(format!("{name} cannot be learned from: {problem}")));
    if bytes.is_empty() {
        return refuse("it is empty".to_owned());
    }
    if bytes.len() > MOST_BYTES {
        return refuse(format!("it has {} bytes, and {MOST_BYTES} are the most", bytes.len()));
    }
    if bytes.contains(&0) {
        return refuse("it holds zero bytes, so it is a binary file and not text".to_owned());
    }
    let text = match str::from_utf8(bytes) {
        // A mark of the byte order says nothing in UTF-8.
        Ok(text) => text.strip_prefix('\u{feff}').unwrap_or(text),
        Err(error) => {
            return refuse(format!(
                "it is not UTF-8 text (byte {} is wrong); save it as UTF-8",
                error.valid_up_to() + 1
            ));
        }
    };
    if text.trim().len() < LEAST_BYTES {
        return refuse(format!(
            "it has {} bytes of text, and at least {LEAST_BYTES} are needed",
            text.trim().len()
        ));
    }
    Ok(text)
}

/// Tokens to draw rows from.
#[derive(Clone, Debug)]
pub struct Passages {
    /// Of all passages, one after the other.
    tokens: Vec<u16>,
    /// Where each passage ends.
    ends: Vec<usize>,
    /// In how many places a row can begin, of each passage and those before it.
    starts: Vec<u64>,
    length: usize,
}

impl Passages {
    /// How many tokens there are.
    pub fn tokens(&self) -> usize {
        self.tokens.len()
    }

    /// Row `row` of step `step`: every place of the text is as likely as any other.
    pub fn row(&self, stream: Stream, step: u64, row: u64) -> &[u16] {
        let places = self.starts.last().copied().unwrap_or(0);
        let [low, high, ..] = stream.block(step, row).map(u64::from);
        let place = ((u128::from(high << 32 | low) * u128::from(places)) >> 64) as u64;
        let passage = self.starts.partition_point(|starts| *starts <= place);
        // Counted from the last place of the passage.
        let back = (self.starts[passage] - 1 - place) as usize;
        let end = self.ends[passage] - back;
        &self.tokens[end - self.length..end]
    }
}
