//! The network: a decoder-only transformer, its weights, and the tokenizer it was trained with. Checkpoints
//! contain the tokenizer, so an exported network can generate text without its run.

use learnery_kernels::rng::Stream;
use learnery_lab::LabError;
use learnery_nn::{Layout, Tensors, Transformer, Weights};
use learnery_worlds::text::Tokenizer;

use super::config::{LanguageConfig, Tokens};
use super::tokenizer::line_break;
use super::{MIN_GPU_PARAMETERS, purpose};

/// Version of the positional encoding, which is stored with the network (tensor `places`). Weights trained
/// with another encoding have the same shapes: without this check they would load, but generate nonsense.
const POSITION_ENCODING: u8 = 2;

/// A transformer, its weights and its tokenizer.
#[derive(Clone, Debug)]
pub struct Network {
    pub tokenizer: Tokenizer,
    /// The shape, and the position of each layer's parameters in `weights`.
    pub net: Transformer,
    pub weights: Weights,
    /// True for a network that answers problems of a task, false for one that continues text.
    answers_problems: bool,
}

/// The number of rows of the embedding table.
fn vocabulary_size(config: &LanguageConfig, tokenizer: &Tokenizer) -> usize {
    match config.tokens {
        // As configured, even if a short text yields fewer tokens, so that the settings alone determine all
        // shapes.
        Tokens::Pairs if config.source.task().is_none() => config.vocabulary as usize,
        _ => tokenizer.len(),
    }
}

impl Network {
    /// The transformer for these settings, and the layout of its parameters.
    fn transformer(
        config: &LanguageConfig,
        tokenizer: &Tokenizer,
    ) -> Result<(Transformer, Layout), LabError> {
        let shape = config.shape(vocabulary_size(config, tokenizer))?;
        let mut layout = Layout::default();
        let net = Transformer::new(&mut layout, "transformer", &shape);
        Ok((net, layout))
    }

    /// An untrained network.
    pub fn new(config: &LanguageConfig, tokenizer: Tokenizer, seed: u32) -> Result<Self, LabError> {
        let (net, layout) = Self::transformer(config, &tokenizer)?;
        let mut weights = Weights::new(layout);
        // The purpose selects one of the seed's streams of random numbers.
        weights.update_parallel(|params| net.init(params, Stream::new(seed, purpose::INITIALISATION)));
        Ok(Self { tokenizer, net, weights, answers_problems: config.source.task().is_some() })
    }

    pub fn to_tensors(&self) -> Tensors {
        let mut tensors = self.weights.to_tensors();
        // Writing plain data as JSON cannot fail.
        let tokenizer = serde_json::to_vec(&self.tokenizer).unwrap_or_default();
        tensors.insert("tokenizer", &[tokenizer.len()], &tokenizer);
        tensors.insert("places", &[1], &[POSITION_ENCODING]);
        tensors
    }

    /// Restores a network of a checkpoint with these settings.
    pub fn from_tensors(config: &LanguageConfig, tensors: &Tensors) -> Result<Self, LabError> {
        if tensors.get_vec::<u8>("places").ok() != Some(vec![POSITION_ENCODING]) {
            let message =
                "its network encodes positions (`places`) differently from this version of Learnery";
            return Err(LabError::Checkpoint(message.into()));
        }
        let damaged = |what: &str| LabError::Checkpoint(format!("its `tokenizer` {what}"));
        let tokenizer: Vec<u8> = tensors.get_vec("tokenizer")?;
        let tokenizer: Tokenizer =
            serde_json::from_slice(&tokenizer).map_err(|_| damaged("cannot be read"))?;
        let fits_settings = match (config.exercise()?, config.tokens) {
            (Some(exercise), _) => tokenizer == Tokenizer::characters(exercise.task().alphabet()),
            (None, Tokens::Bytes) => tokenizer == Tokenizer::bytes(),
            // The characters are those of a text that the settings do not contain.
            (None, Tokens::Characters) => true,
            // At least the 256 bytes, at most the configured number of tokens.
            (None, Tokens::Pairs) => (256..=config.vocabulary as usize).contains(&tokenizer.len()),
        };
        if !fits_settings {
            return Err(damaged("contradicts its settings"));
        }
        let (net, layout) = Self::transformer(config, &tokenizer)?;
        let weights = Weights::from_tensors(layout, tensors)?;
        Ok(Self { tokenizer, net, weights, answers_problems: config.source.task().is_some() })
    }

    /// Whether the network is so large that a GPU is likely to be faster.
    pub fn prefers_gpu(&self) -> bool {
        self.weights.len() >= MIN_GPU_PARAMETERS
    }

    /// The token that ends an answer; `None` for a network that continues text.
    pub fn end_of_answer(&self) -> Option<u16> {
        self.answers_problems.then(|| line_break(&self.tokenizer))
    }

    /// Splits a text into tokens; the error names the first character that is not in the vocabulary.
    pub fn encode(&self, text: &str) -> Result<Vec<u16>, LabError> {
        if !self.tokenizer.covers(text) {
            let is_unknown = |c: &char| !self.tokenizer.covers(c.encode_utf8(&mut [0; 4]));
            let character = text.chars().find(is_unknown).unwrap_or_default();
            return Err(LabError::Command(format!(
                "the character {character:?} is not in this network's vocabulary"
            )));
        }
        let mut tokens = Vec::new();
        self.tokenizer.encode(text, &mut tokens);
        Ok(tokens)
    }
}
