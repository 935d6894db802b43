//! Generated stories, as training batches and as held-out text.

use std::sync::LazyLock;

use learnery_kernels::rng::Stream;
use learnery_worlds::text::Tokenizer;
use learnery_worlds::text::stories::Stories;

use super::HeldOutText;

/// Upper bound on the bytes of one story; used to reserve memory once.
const MAX_STORY_BYTES: usize = 4096;

/// A row begins at a random token of its sequence of stories, with an index below this. If tokens are bytes,
/// that is about four stories.
const MAX_OFFSET: u32 = 2048;

/// The grammar, parsed once.
static GRAMMAR: LazyLock<Stories> = LazyLock::new(Stories::new);

// The number of a story has three parts, from the lowest bits on: the story in its row, the row in its batch,
// the batch.
/// Bits for the story in its row.
const STORY_BITS: u32 = 12;
/// Bits for the row in its batch.
const ROW_BITS: u32 = 12;

/// Generates rows of stories, each row from stories of its own.
pub struct StoryBatches {
    /// Random numbers of the training stories.
    stream: Stream,
    /// Random numbers of the tokens at which rows begin.
    offsets: Stream,
    /// Random numbers of the held-out stories.
    held_out: Stream,
    /// Buffers for one story and for the tokens of a row, so that generating a row does not allocate.
    story: String,
    tokens: Vec<u16>,
}

impl StoryBatches {
    pub fn new(stream: Stream, offsets: Stream, held_out: Stream) -> Self {
        Self { stream, offsets, held_out, story: String::new(), tokens: Vec::new() }
    }

    /// Writes row `row` of batch `index`. It is cut from a sequence of stories that no other row uses,
    /// because rows of the same story would be correlated. The random offset makes nearly every position of a
    /// story equally likely to begin a row.
    pub fn row(
        &mut self,
        tokenizer: &Tokenizer,
        index: u64,
        row: u64,
        inputs: &mut [u16],
        targets: &mut [u16],
    ) {
        let Self { stream, offsets, story, tokens, .. } = self;
        let length = inputs.len();
        // The token at which the row begins.
        let first = offsets.below(index, row, MAX_OFFSET) as usize;
        tokens.clear();
        // Enough for every row, so that only the first one allocates.
        tokens.reserve(MAX_OFFSET as usize + length + MAX_STORY_BYTES);
        story.reserve(MAX_STORY_BYTES);
        for story_index in (index << (ROW_BITS + STORY_BITS)) + (row << STORY_BITS).. {
            if tokens.len() > first + length {
                break;
            }
            story.clear();
            GRAMMAR.write_story(*stream, story_index, story);
            tokenizer.encode(story, tokens);
        }
        inputs.copy_from_slice(&tokens[first..first + length]);
        targets.copy_from_slice(&tokens[first + 1..=first + length]);
    }

    /// Returns whole held-out stories: as many as fit into `bytes` bytes, but at least one.
    pub fn held_out(&self, bytes: usize) -> HeldOutText {
        let (mut text, mut entropy_bits, mut story) = (String::new(), 0.0, String::new());
        for index in 0.. {
            story.clear();
            GRAMMAR.write_story(self.held_out, index, &mut story);
            if index > 0 && text.len() + story.len() > bytes {
                break;
            }
            text.push_str(&story);
            // The exact surprisal of the story. Should the grammar not recognise its own story, the mean is
            // used instead.
            entropy_bits += GRAMMAR.surprisal(&story).unwrap_or(GRAMMAR.entropy());
        }
        HeldOutText { text, entropy_bits: Some(entropy_bits) }
    }
}

/// Returns consecutive stories with at least `bytes` bytes.
pub fn example_stories(stream: Stream, bytes: usize) -> String {
    // The last story can go beyond `bytes`.
    let mut text = String::with_capacity(bytes + MAX_STORY_BYTES);
    for index in 0.. {
        if text.len() >= bytes {
            break;
        }
        GRAMMAR.write_story(stream, index, &mut text);
    }
    text
}

/// The entropy rate of stories in bits per byte.
pub fn entropy() -> f64 {
    GRAMMAR.entropy_rate()
}

#[cfg(test)]
mod tests {
    use super::super::TrainingData;
    use crate::config::{LanguageConfig, Source, Tokens};
    use crate::tokenizer::build_tokenizer;

    #[test]
    fn story_rows_are_all_different_and_depend_on_seed_and_index_only() {
        for tokens in [Tokens::Bytes, Tokens::Pairs] {
            let config = LanguageConfig {
                source: Source::Stories,
                tokens,
                vocabulary: 400,
                ..LanguageConfig::default()
            };
            let tokenizer = build_tokenizer(&config, None).expect("valid settings");
            let mut data = TrainingData::new(&config, 3).expect("valid settings");
            // Four rows of 24 tokens in each batch.
            let (mut inputs, mut targets) = (vec![0; 96], vec![0; 96]);
            let mut seen: Vec<Vec<u16>> = Vec::new();
            for batch in 2..12 {
                data.batch(&tokenizer, batch, 24, &mut inputs, &mut targets);
                for (inputs, targets) in inputs.chunks(24).zip(targets.chunks(24)) {
                    assert_eq!(inputs[1..], targets[..23]);
                    assert!(!seen.contains(&inputs.to_vec()), "the same row again");
                    seen.push(inputs.to_vec());
                }
            }
            data.batch(&tokenizer, 2, 24, &mut inputs, &mut targets);
            assert_eq!(inputs[..24], seen[0], "a batch depends on earlier batches");
        }
    }
}
