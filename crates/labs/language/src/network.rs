//! What is learned: a transformer's parameters, and the tokens that it reads and writes. Both are in every file, so that a
//! network alone can be asked to write.

use learnery_kernels::rng::Stream;
use learnery_lab::{Checkpoint, Entry, LabError, Schema};
use learnery_nn::{Layout, Tensors, Transformer, TransformerShape, Weights};
use learnery_worlds::text::Tokenizer;

use super::config::{LanguageConfig, Tokens};
use super::material::exercise;
use super::writer::line_break;
use super::{Language, purpose};

/// A network and its tokens.
#[derive(Clone, Debug)]
pub struct Network {
    /// What text is cut into.
    pub tokenizer: Tokenizer,
    /// Where its parameters lie.
    pub net: Transformer,
    /// They themselves.
    pub weights: Weights,
    /// Whether it answers problems of a task.
    is_for_a_task: bool,
}

/// How many tokens a network has whose text is cut so.
fn vocabulary(config: &LanguageConfig, tokenizer: &Tokenizer) -> usize {
    match config.tokens {
        // Known beforehand, however many are found: what a network costs follows from its settings.
        Tokens::Pairs if config.source.task().is_none() => config.vocabulary as usize,
        _ => tokenizer.len(),
    }
}

/// The longest sequence of a network.
pub fn context(config: &LanguageConfig) -> Result<usize, LabError> {
    Ok(match exercise(config)? {
        // The last character is never asked what follows.
        Some(exercise) => exercise.max_length() - 1,
        None => config.length as usize,
    })
}

/// How a network is told where a token stands. Written into its file, for one of another way would be read without complaint and
/// talk nonsense.
const PLACES: u8 = 2;

impl Network {
    fn planned(
        config: &LanguageConfig,
        tokenizer: Tokenizer,
    ) -> Result<(Tokenizer, Transformer, Layout), LabError> {
        let shape = TransformerShape {
            vocabulary: vocabulary(config, &tokenizer),
            context: context(config)?,
            width: config.width as usize,
            layers: config.layers as usize,
            heads: config.heads as usize,
            rotary: config.rotary,
        };
        let mut layout = Layout::default();
        let net = Transformer::new(&mut layout, "transformer", &shape);
        Ok((tokenizer, net, layout))
    }

    /// Nothing learned yet.
    pub fn new(config: &LanguageConfig, tokenizer: Tokenizer, seed: u32) -> Result<Self, LabError> {
        let (tokenizer, net, layout) = Self::planned(config, tokenizer)?;
        let mut weights = Weights::new(layout);
        weights.update_parallel(|params| net.init(params, Stream::new(seed, purpose::NETWORK)));
        Ok(Self { tokenizer, net, weights, is_for_a_task: config.source.task().is_some() })
    }

    /// That of a checkpoint, which may hold nothing else.
    pub fn of(checkpoint: &Checkpoint) -> Result<Self, LabError> {
        Entry::of::<Language>().owns(checkpoint)?;
        let config = serde_json::Value::Object(checkpoint.header.config.clone());
        let config = serde_json::Value::Object(Schema::of::<LanguageConfig>().complete(None, &config)?);
        let config = serde_json::from_value(config).map_err(|e| LabError::Settings(e.to_string()))?;
        Self::from_tensors(&config, &checkpoint.tensors.under("network/"))
    }

    /// As tensors.
    pub fn to_tensors(&self) -> Tensors {
        let mut tensors = self.weights.to_tensors();
        let tokenizer = serde_json::to_vec(&self.tokenizer).unwrap_or_default();
        tensors.insert("tokenizer", &[tokenizer.len()], &tokenizer);
        tensors.insert("places", &[1], &[PLACES]);
        tensors
    }

    /// From tensors.
    pub fn from_tensors(config: &LanguageConfig, tensors: &Tensors) -> Result<Self, LabError> {
        if tensors.get_vec::<u8>("places").ok() != Some(vec![PLACES]) {
            let message = "its network was told of places in another way than networks are now";
            return Err(LabError::Checkpoint(message.into()));
        }
        let damaged = |what: &str| LabError::Checkpoint(format!("its `tokenizer` {what}"));
        let tokenizer: Vec<u8> = tensors.get_vec("tokenizer")?;
        let tokenizer: Tokenizer =
            serde_json::from_slice(&tokenizer).map_err(|_| damaged("cannot be read"))?;
        let expected = match (exercise(config)?, config.tokens) {
            (Some(exercise), _) => tokenizer == Tokenizer::characters(exercise.task().alphabet()),
            (None, Tokens::Bytes) => tokenizer == Tokenizer::bytes(),
            (None, Tokens::Characters) => true,
            (None, Tokens::Pairs) => (256..=config.vocabulary as usize).contains(&tokenizer.len()),
        };
        if !expected {
            return Err(damaged("does not go with its settings"));
        }
        let (tokenizer, net, layout) = Self::planned(config, tokenizer)?;
        let weights = Weights::from_tensors(layout, tensors)?;
        Ok(Self { tokenizer, net, weights, is_for_a_task: config.source.task().is_some() })
    }

    /// The token that ends an answer, where it answers problems of a task.
    pub fn end_of_answers(&self) -> Option<u16> {
        self.is_for_a_task.then(|| line_break(self))
    }

    /// The tokens of a text, or a sentence about what this network cannot read.
    pub fn encode(&self, text: &str) -> Result<Vec<u16>, LabError> {
        if !self.tokenizer.covers(text) {
            let strange = |c: &char| !self.tokenizer.covers(c.encode_utf8(&mut [0; 4]));
            let character = text.chars().find(strange).unwrap_or_default();
            return Err(LabError::Command(format!(
                "this network has never seen the character {character:?}"
            )));
        }
        let mut tokens = Vec::new();
        self.tokenizer.encode(text, &mut tokens);
        Ok(tokens)
    }
}
