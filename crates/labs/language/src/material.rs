//! What is learned from and judged by: problems of a task, stories, or somebody's text, as batches of tokens with what
//! should follow each. Batch `i` is a pure function of the seed and `i`.

use learnery_kernels::rng::Stream;
use learnery_lab::LabError;
use learnery_nn::transformer::IGNORE;
use learnery_worlds::text::baselines::{OrderThree, gzip_bits_per_byte};
use learnery_worlds::text::{Corpus, Exercise, Passages, Problem, Split, TextError, Tokenizer};

use super::config::{LanguageConfig, Source, Tokens};
use super::purpose;
use super::tales::{self, Tales};

/// Bytes of stories from which tokens are learned, and to which the order-3 model is fitted.
const EXAMPLES: usize = 1 << 18;

/// Of somebody's text, no more is put before the order-3 model, and learned tokens from.
const MOST_FITTED: usize = 1 << 22;

/// What is read.
pub enum Material {
    /// Problems of a task.
    Task(Box<Problems>),
    /// Stories of our own.
    Stories(Box<Tales>),
    /// Somebody's text.
    Text(Box<Text>),
}

/// Problems, drawn anew for ever.
pub struct Problems {
    exercise: Exercise,
    stream: Stream,
    problem: Problem,
    tokens: Vec<u16>,
}

/// Somebody's text.
pub struct Text {
    name: String,
    corpus: Corpus,
    passages: Passages,
    stream: Stream,
}

/// The task that these settings ask for.
pub fn exercise(config: &LanguageConfig) -> Result<Option<Exercise>, LabError> {
    let new = |task| {
        Exercise::new(task, config.size, config.backwards)
            .map_err(|e| LabError::setting("size", e.to_string()))
    };
    config.source.task().map(new).transpose()
}

/// A refusal of a text.
pub fn refused(error: TextError) -> LabError {
    LabError::Command(error.to_string())
}

/// Somebody's text, checked and dealt out.
pub fn corpus(name: &str, text: &[u8]) -> Result<Corpus, LabError> {
    // The same parts whatever the seed, so that a text can be judged without its run.
    Corpus::new(name, text, Stream::new(0, purpose::PARTS)).map_err(refused)
}

/// The parts of a text one after the other, up to so many bytes.
pub fn joined<'t>(parts: impl Iterator<Item = &'t str>, most: usize) -> String {
    let mut all = String::new();
    for part in parts {
        let room = part.floor_char_boundary(most.saturating_sub(all.len()));
        all.push_str(&part[..room]);
    }
    all
}

/// What text is cut into; `text` is somebody's, from which tokens are to be learned.
pub fn tokenizer(config: &LanguageConfig, text: Option<&Corpus>) -> Result<Tokenizer, LabError> {
    if let Some(exercise) = exercise(config)? {
        return Ok(Tokenizer::characters(exercise.task().alphabet()));
    }
    let examples = || match text {
        Some(corpus) => joined(corpus.training(), MOST_FITTED),
        None => tales::some(Stream::new(0, purpose::EXAMPLES), EXAMPLES),
    };
    Ok(match config.tokens {
        Tokens::Bytes => Tokenizer::bytes(),
        // Held-out text may have characters that are nowhere else.
        Tokens::Characters => Tokenizer::characters(text.map_or(&examples(), |corpus| corpus.text())),
        Tokens::Pairs => Tokenizer::byte_pairs(&examples(), config.vocabulary as usize),
    })
}

impl Material {
    /// What these settings ask for; stories where a text is still to come.
    pub fn new(config: &LanguageConfig, seed: u32) -> Result<Self, LabError> {
        let stream = Stream::new(seed, purpose::READING);
        Ok(match exercise(config)? {
            Some(exercise) => Self::Task(Box::new(Problems::new(exercise, stream))),
            None => {
                let (offsets, held_out) =
                    (Stream::new(seed, purpose::OFFSETS), Stream::new(0, purpose::HELD_OUT));
                Self::Stories(Box::new(Tales::new(stream, offsets, held_out)))
            }
        })
    }

    /// Somebody's text, for rows of `length` tokens.
    pub fn text(
        name: &str,
        corpus: Corpus,
        tokenizer: &Tokenizer,
        length: usize,
        seed: u32,
    ) -> Result<Self, LabError> {
        let passages = corpus.passages(tokenizer, length + 1).map_err(refused)?;
        let stream = Stream::new(seed, purpose::READING);
        Ok(Self::Text(Box::new(Text { name: name.into(), corpus, passages, stream })))
    }

    /// Batch `index`: rows of `length` tokens, and what should follow each.
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
                    problems.row(tokenizer, (index << 16) + row, Split::Training, inputs, targets);
                }
            }
            Self::Text(text) => {
                for (row, (inputs, targets)) in rows {
                    let tokens = text.passages.row(text.stream, index, row);
                    inputs.copy_from_slice(&tokens[..length]);
                    targets.copy_from_slice(&tokens[1..]);
                }
            }
            Self::Stories(tales) => {
                rows.for_each(|(row, (inputs, targets))| tales.row(tokenizer, index, row, inputs, targets));
            }
        }
    }

    /// The task, where it is one.
    pub fn problems(&mut self) -> Option<&mut Problems> {
        match self {
            Self::Task(problems) => Some(problems),
            _ => None,
        }
    }

    /// What it is.
    pub fn source(&self, config: &LanguageConfig) -> Source {
        match self {
            Self::Task(_) => config.source,
            Self::Stories(_) => Source::Stories,
            Self::Text(_) => Source::Text,
        }
    }

    /// What somebody's text is called, and it itself.
    pub fn own(&self) -> Option<(&str, &str)> {
        match self {
            Self::Text(text) => Some((&text.name, text.corpus.text())),
            _ => None,
        }
    }

    /// Text that is never learned from, up to so many bytes, and what it costs a reader who knows all there is to know, in
    /// bits; nothing of a task.
    pub fn held_out(&self, bytes: usize) -> Option<(String, Option<f64>)> {
        match self {
            Self::Task(_) => None,
            Self::Stories(tales) => {
                let (text, cost) = tales.held_out(bytes);
                Some((text, Some(cost)))
            }
            Self::Text(text) => Some((joined(text.corpus.held_out(), bytes), None)),
        }
    }

    /// What no reader can do better than, in bits a byte: nothing of the answers of a task, which follow from the questions.
    pub fn floor(&self) -> Option<f64> {
        match self {
            Self::Task(_) => Some(0.0),
            Self::Stories(_) => Some(tales::floor()),
            Self::Text(_) => None,
        }
    }

    /// What gzip and an order-3 model need for a byte of held-out text.
    pub fn baselines(&self, held_out: &str) -> Option<[f64; 2]> {
        let known = match self {
            Self::Task(_) => return None,
            Self::Stories(_) => tales::some(Stream::new(0, purpose::EXAMPLES), EXAMPLES),
            Self::Text(text) => joined(text.corpus.training(), MOST_FITTED),
        };
        let held_out = held_out.as_bytes();
        Some([gzip_bits_per_byte(held_out), OrderThree::fit(known.as_bytes()).bits_per_byte(held_out)])
    }
}

impl Problems {
    /// The problems of an exercise.
    pub fn new(exercise: Exercise, stream: Stream) -> Self {
        Self { exercise, stream, problem: Problem::default(), tokens: Vec::new() }
    }

    /// The exercise they are of.
    pub fn exercise(&self) -> &Exercise {
        &self.exercise
    }

    /// Problem `index` of a part.
    pub fn problem(&mut self, index: u64, part: Split) -> &Problem {
        self.exercise.problem(self.stream, index, part, &mut self.problem);
        &self.problem
    }

    /// Problem `index` as a row: what should follow each token of its question is not asked.
    pub fn row(
        &mut self,
        tokenizer: &Tokenizer,
        index: u64,
        part: Split,
        inputs: &mut [u16],
        targets: &mut [u16],
    ) {
        let Self { exercise, stream, problem, tokens } = self;
        exercise.problem(*stream, index, part, problem);
        tokens.clear();
        tokenizer.encode(&problem.question, tokens);
        let asked = tokens.len();
        tokenizer.encode(&problem.answer, tokens);
        tokenizer.encode("\n", tokens);
        let end = tokens[tokens.len() - 1];
        inputs.fill(end);
        targets.fill(IGNORE);
        let known = tokens.len() - 1;
        inputs[..known].copy_from_slice(&tokens[..known]);
        targets[asked - 1..known].copy_from_slice(&tokens[asked..]);
    }
}
