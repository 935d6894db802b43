//! Stories of our own, as batches and as text to be judged by.

use std::sync::LazyLock;

use learnery_kernels::rng::Stream;
use learnery_worlds::text::Tokenizer;
use learnery_worlds::text::stories::Stories;

/// More bytes than a story has.
const LONGEST: usize = 4096;

/// A row begins before this token of a run of stories: some four of them.
const FARTHEST: u32 = 2048;

/// Who tells them.
static TELLER: LazyLock<Stories> = LazyLock::new(Stories::new);

/// Stories, drawn anew for ever.
pub struct Tales {
    stream: Stream,
    offsets: Stream,
    held_out: Stream,
    written: String,
    tokens: Vec<u16>,
}

impl Tales {
    /// Those of a run, and those that it is judged by.
    pub fn new(stream: Stream, offsets: Stream, held_out: Stream) -> Self {
        Self { stream, offsets, held_out, written: String::new(), tokens: Vec::new() }
    }

    /// Row `row` of batch `index`: a stretch of a run of stories that no other row is cut from, for rows of one story teach
    /// less than those of many. It begins so far into the run that nearly every place of every story is as likely.
    pub fn row(
        &mut self,
        tokenizer: &Tokenizer,
        index: u64,
        row: u64,
        inputs: &mut [u16],
        targets: &mut [u16],
    ) {
        let Self { stream, offsets, written, tokens, .. } = self;
        let length = inputs.len();
        let first = offsets.below(index, row, FARTHEST) as usize;
        tokens.clear();
        // This is all there ever is.
        tokens.reserve(FARTHEST as usize + length + LONGEST);
        written.reserve(LONGEST);
        for story in (index << 24) + (row << 12).. {
            if tokens.len() > first + length {
                break;
            }
            written.clear();
            TELLER.write_story(*stream, story, written);
            tokenizer.encode(written, tokens);
        }
        inputs.copy_from_slice(&tokens[first..first + length]);
        targets.copy_from_slice(&tokens[first + 1..=first + length]);
    }

    /// Whole stories that nobody learns from, up to so many bytes (but one at least), and what they cost a reader who knows
    /// the grammar, in bits.
    pub fn held_out(&self, bytes: usize) -> (String, f64) {
        let (mut all, mut cost, mut story) = (String::new(), 0.0, String::new());
        for index in 0.. {
            story.clear();
            TELLER.write_story(self.held_out, index, &mut story);
            if index > 0 && all.len() + story.len() > bytes {
                break;
            }
            all.push_str(&story);
            cost += TELLER.surprisal(&story).unwrap_or(TELLER.entropy());
        }
        (all, cost)
    }
}

/// Stories one after the other, at least so many bytes of them.
pub fn some(stream: Stream, bytes: usize) -> String {
    let mut all = String::with_capacity(bytes + 1024);
    for index in 0.. {
        if all.len() >= bytes {
            break;
        }
        TELLER.write_story(stream, index, &mut all);
    }
    all
}

/// Bits a byte that nobody can do better than.
pub fn floor() -> f64 {
    TELLER.entropy_rate()
}
