//! Generated stories, as training batches and as held-out text.

use std::sync::LazyLock;

use learnery_kernels::rng::Stream;
use learnery_worlds::text::Tokenizer;
use learnery_worlds::text::stories::Stories;

use super::HeldOutText;

/// Upper bound on the bytes of one story; used to reserve memory once.
const MAX_STORY_BYTES: usize = 4096;

/// A row begins before this token of its sequence of stories, which is about four stories long.
const MAX_OFFSET: u32 = 2048;

/// The grammar, parsed once.
static GRAMMAR: LazyLock<Stories> = LazyLock::new(Stories::new);

/// An endless supply of stories in rows.
pub struct StoryBatches {
    stream: Stream,
    offsets: Stream,
    held_out: Stream,
    /// The story and the tokens of the row drawn last, kept so that drawing does not allocate.
    story: String,
    tokens: Vec<u16>,
}

impl StoryBatches {
    /// Stories to train on from `stream`, rows that begin at `offsets`, and stories to evaluate on from `held_out`.
    pub fn new(stream: Stream, offsets: Stream, held_out: Stream) -> Self {
        Self { stream, offsets, held_out, story: String::new(), tokens: Vec::new() }
    }

    /// Row `row` of batch `index`, cut from a sequence of stories of its own: rows from the same story would teach less.
    /// The random offset makes nearly every position of a story equally likely to begin a row.
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
        let first = offsets.below(index, row, MAX_OFFSET) as usize;
        tokens.clear();
        // Enough for every row, so that warm updates do not allocate.
        tokens.reserve(MAX_OFFSET as usize + length + MAX_STORY_BYTES);
        story.reserve(MAX_STORY_BYTES);
        for story_index in (index << 24) + (row << 12).. {
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

    /// Whole held-out stories: as many as fit in `bytes`, but at least one.
    pub fn held_out(&self, bytes: usize) -> HeldOutText {
        let (mut text, mut entropy_bits, mut story) = (String::new(), 0.0, String::new());
        for index in 0.. {
            story.clear();
            GRAMMAR.write_story(self.held_out, index, &mut story);
            if index > 0 && text.len() + story.len() > bytes {
                break;
            }
            text.push_str(&story);
            entropy_bits += GRAMMAR.surprisal(&story).unwrap_or(GRAMMAR.entropy());
        }
        HeldOutText { text, entropy_bits: Some(entropy_bits) }
    }
}

/// At least `bytes` bytes of consecutive stories.
pub fn example_stories(stream: Stream, bytes: usize) -> String {
    let mut text = String::with_capacity(bytes + 1024);
    for index in 0.. {
        if text.len() >= bytes {
            break;
        }
        GRAMMAR.write_story(stream, index, &mut text);
    }
    text
}

/// The entropy of stories in bits per byte.
pub fn entropy() -> f64 {
    GRAMMAR.entropy_rate()
}

#[cfg(test)]
mod tests {
    use super::super::TrainingData;
    use crate::config::{LanguageConfig, Source, Tokens};
    use crate::tokenizer::build_tokenizer;

    #[test]
    fn story_rows_are_never_the_same_and_depend_on_seed_and_index_only() {
        for tokens in [Tokens::Bytes, Tokens::Pairs] {
            let config = LanguageConfig {
                source: Source::Stories,
                tokens,
                vocabulary: 400,
                ..LanguageConfig::default()
            };
            let tokenizer = build_tokenizer(&config, None).expect("valid settings");
            let mut data = TrainingData::new(&config, 3).expect("valid settings");
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
            assert_eq!(inputs[..24], seen[0], "a batch depends on the batches drawn before");
        }
    }
}
