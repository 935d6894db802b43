//! Training data and held-out data (never trained on): problems of a task, generated stories, or the user's
//! own text, as batches of input and target tokens. A batch is a pure function of the seed and the batch's
//! index, so checkpoints store no position in the data.

mod own_text;
mod problems;
mod repeats;
mod stories;

use learnery_kernels::rng::Stream;
use learnery_lab::LabError;
use learnery_worlds::text::baselines::{OrderThree, gzip_bits_per_byte};
use learnery_worlds::text::{Corpus, Split, TextError, Tokenizer};

use super::config::{LanguageConfig, Source};
use super::purpose;
use own_text::OwnText;

pub use own_text::{concatenate, split_corpus};
pub use problems::Problems;
pub use repeats::{repeat_beginning, repeating_rows};
pub use stories::{StoryBatches, example_stories};

/// Bytes of stories to which byte pair encoding and the order-3 baseline are fitted.
pub const EXAMPLE_BYTES: usize = 1 << 18;

/// The maximum number of bytes of the user's text to which byte pair encoding and the order-3 baseline are
/// fitted.
pub const MAX_FITTED_BYTES: usize = 1 << 22;

/// Where batches and held-out data come from. (Boxed, because the variants differ much in size.)
pub enum TrainingData {
    Task(Box<Problems>),
    Stories(Box<StoryBatches>),
    OwnText(Box<OwnText>),
}

/// Text that is never trained on.
pub struct HeldOutText {
    pub text: String,
    /// Bits that an ideal predictor, which knows the true distribution, needs for `text`. `None` for the
    /// user's text, whose distribution is unknown.
    pub entropy_bits: Option<f64>,
}

/// How many bits per byte two simple compressors need for the held-out text.
#[derive(Clone, Copy, Debug)]
pub struct Baselines {
    pub gzip: f64,
    /// An order-3 model, which predicts each byte from the three bytes before it. It is fitted to training
    /// data.
    pub order3: f64,
}

/// Converts the rejection of a text or a question to the error of a command.
pub fn command_error(error: TextError) -> LabError {
    LabError::Command(error.to_string())
}

impl TrainingData {
    /// The data for these settings. The source `text` gives stories until the user has supplied a text.
    pub fn new(config: &LanguageConfig, seed: u32) -> Result<Self, LabError> {
        // A purpose selects one of the seed's streams of random numbers.
        let stream = Stream::new(seed, purpose::TRAINING);
        Ok(match config.exercise()? {
            Some(exercise) => Self::Task(Box::new(Problems::new(exercise, stream))),
            None => {
                let offsets = Stream::new(seed, purpose::OFFSETS);
                // The same held-out stories for every seed, so that runs are comparable.
                let held_out = Stream::new(0, purpose::HELD_OUT);
                Self::Stories(Box::new(StoryBatches::new(stream, offsets, held_out)))
            }
        })
    }

    /// The user's text, for rows of `length` tokens.
    pub fn own_text(
        name: &str,
        corpus: Corpus,
        tokenizer: &Tokenizer,
        length: usize,
        seed: u32,
    ) -> Result<Self, LabError> {
        let stream = Stream::new(seed, purpose::TRAINING);
        Ok(Self::OwnText(Box::new(OwnText::new(name, corpus, tokenizer, length, stream)?)))
    }

    /// Writes batch `index`. In each row, target `i` is the token that follows input `i`, or `IGNORE` if it
    /// does not count.
    // inputs, targets [batch, length]
    pub fn batch(
        &mut self,
        tokenizer: &Tokenizer,
        index: u64,
        length: usize,
        inputs: &mut [u16],
        targets: &mut [u16],
    ) {
        let rows = (0..).zip(inputs.chunks_exact_mut(length).zip(targets.chunks_exact_mut(length)));
        match self {
            Self::Task(problems) => {
                for (row, (inputs, targets)) in rows {
                    problems.row(
                        tokenizer,
                        problems::training_index(index, row),
                        Split::Training,
                        inputs,
                        targets,
                    );
                }
            }
            Self::OwnText(text) => {
                rows.for_each(|(row, (inputs, targets))| text.row(index, row, inputs, targets));
            }
            Self::Stories(stories) => {
                rows.for_each(|(row, (inputs, targets))| stories.row(tokenizer, index, row, inputs, targets));
            }
        }
    }

    /// The problems of a task; `None` for stories and texts.
    pub fn problems(&mut self) -> Option<&mut Problems> {
        match self {
            Self::Task(problems) => Some(problems),
            _ => None,
        }
    }

    pub fn is_task(&self) -> bool {
        matches!(self, Self::Task(_))
    }

    /// The source of the training data. With the setting `text`, it is stories until the user has supplied a
    /// text.
    pub fn source(&self, config: &LanguageConfig) -> Source {
        match self {
            Self::Task(_) => config.source,
            Self::Stories(_) => Source::Stories,
            Self::OwnText(_) => Source::Text,
        }
    }

    /// Name and content of the user's text.
    pub fn name_and_text(&self) -> Option<(&str, &str)> {
        match self {
            Self::OwnText(text) => Some((text.name(), text.corpus().text())),
            _ => None,
        }
    }

    /// Held-out text of about `bytes` bytes; `None` for a task, whose held-out data are problems.
    pub fn held_out(&self, bytes: usize) -> Option<HeldOutText> {
        match self {
            Self::Task(_) => None,
            Self::Stories(stories) => Some(stories.held_out(bytes)),
            Self::OwnText(text) => {
                Some(HeldOutText { text: concatenate(text.corpus().held_out(), bytes), entropy_bits: None })
            }
        }
    }

    /// The entropy of the targets in bits per byte, which no predictor can beat on average. For a task it is
    /// zero, because the answer follows from the question. `None` for the user's text, whose entropy is
    /// unknown.
    pub fn entropy(&self) -> Option<f64> {
        match self {
            Self::Task(_) => Some(0.0),
            Self::Stories(_) => Some(stories::entropy()),
            Self::OwnText(_) => None,
        }
    }

    /// The baselines on a held-out text; none for a task.
    pub fn baselines(&self, held_out: &str) -> Option<Baselines> {
        let fitted_to = match self {
            Self::Task(_) => return None,
            Self::Stories(_) => example_stories(Stream::new(0, purpose::EXAMPLES), EXAMPLE_BYTES),
            Self::OwnText(text) => concatenate(text.corpus().training(), MAX_FITTED_BYTES),
        };
        let held_out = held_out.as_bytes();
        Some(Baselines {
            gzip: gzip_bits_per_byte(held_out),
            order3: OrderThree::fit(fitted_to.as_bytes()).bits_per_byte(held_out),
        })
    }
}
