//! The data exchanged with the page: what the page draws, and the commands that a user can send. The *stage*
//! is the interactive part of the page, apart from training. In TypeScript all of these types have names that
//! begin with `Language`.

use learnery_lab::Bytes;
use serde::{Deserialize, Serialize};

use super::config::Source;

/// A user's command. `SetText` (type `text`) changes what the network is trained on; all others concern the
/// stage only.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(tag = "type"))]
pub enum LanguageCommand {
    /// Train on this text from now on. The network keeps what it has learned. Before the first update, the
    /// text also determines the tokenizer.
    #[serde(rename = "text")]
    SetText {
        /// The text's name, such as its file name.
        name: String,
        /// The text.
        text: String,
    },
    /// Set the prompt of samples, and start the current sample again with it.
    #[serde(rename = "prompt")]
    SetPrompt {
        /// The prompt.
        text: String,
    },
    /// Set how tokens are sampled.
    #[serde(rename = "dials")]
    SetSampling {
        /// 0 always takes the most likely token, 1 samples from the network's own probabilities; at most 2.
        temperature: f32,
        /// Sample only among this many of the most likely tokens; 0 for all.
        top_k: u32,
    },
    /// Generate another sample now.
    #[serde(rename = "again")]
    Regenerate,
    /// Inspect this text.
    #[serde(rename = "read")]
    Inspect {
        /// The text. What exceeds the context length is cut off at its end.
        text: String,
    },
    /// Choose a token of the inspected text.
    #[serde(rename = "token")]
    ChooseToken {
        /// Its index, counted from 0.
        index: u32,
    },
    /// Answer a problem of the user's own, where the network learns a task.
    #[serde(rename = "ask")]
    AnswerProblem {
        /// The question in the task's notation, such as `12+34=`.
        question: String,
    },
}

/// The state of the run and of its stage.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub struct LanguageView {
    /// What the network is trained on now.
    pub source: Source,
    /// The name of the user's text; empty where there is none.
    pub text_name: String,
    /// Tokens trained on so far.
    pub tokens_seen: f64,
    /// Number of different tokens.
    pub vocabulary: u32,
    /// Context length in tokens.
    pub context: u32,
    /// Width of the residual stream.
    pub width: u32,
    /// Transformer blocks.
    pub layers: u32,
    /// Attention heads of each block.
    pub heads: u32,
    /// Trained parameters.
    pub parameters: u32,
    /// Floating-point operations of training per token.
    pub operations: f64,
    /// The entropy in bits per byte, which no predictor can beat; 0 for the answers of a task, and unknown
    /// for the user's text.
    pub floor: Option<f64>,
    /// What gzip needs for the held-out text, in bits per byte.
    pub gzip: Option<f64>,
    /// What an order-3 model (three bytes of context) fitted to training data needs for it, in bits per byte.
    pub order3: Option<f64>,
    /// What the network needed for it at the last evaluation, in bits per byte.
    pub bits: Option<f64>,
    /// The prompt of samples.
    pub prompt: String,
    /// The temperature of samples.
    pub temperature: f32,
    /// Samples use only this many of the most likely tokens; 0 for all.
    pub top_k: u32,
    /// The current sample, perhaps unfinished.
    pub sample: SampleView,
    /// Samples from one prompt after 1, 2, 4, 8, ... iterations.
    pub earlier: Vec<EarlierSampleView>,
    /// The inspected text.
    pub reading: InspectionView,
    /// Held-out problems of a task.
    pub grid: Option<ProblemGridView>,
}

/// A text generated on the stage.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(rename = "LanguageSample"))]
pub struct SampleView {
    /// Iterations completed when the sample was started.
    pub unit: u32,
    /// Tokens trained on by then.
    pub tokens_seen: f64,
    /// The prompt and what was generated.
    pub text: String,
    /// The same text token by token. A character that several tokens make up is in the piece of its last
    /// token.
    pub pieces: Vec<TokenView>,
    /// How many of the pieces are the prompt.
    pub prompt_pieces: u32,
    /// Whether the sample is finished.
    pub done: bool,
}

/// A sample of an earlier iteration.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(rename = "LanguageEarlier"))]
pub struct EarlierSampleView {
    /// The iteration, counted from 1.
    pub unit: u32,
    /// Tokens trained on by then.
    pub tokens_seen: f64,
    /// The prompt and what was generated.
    pub text: String,
    /// Length of the prompt in UTF-16 code units, as JavaScript counts.
    pub prompt_length: u32,
}

/// A token of a sample.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(rename = "LanguagePiece"))]
pub struct TokenView {
    /// Its text.
    pub text: String,
    /// The probability the network gave it at temperature 1; 1 for the prompt.
    pub probability: f32,
}

/// A text and what the network makes of it.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(rename = "LanguageReading"))]
pub struct InspectionView {
    /// The text of each token.
    pub pieces: Vec<String>,
    /// Surprisal of each token in bits, given the tokens before it; 0 for the first.
    pub surprise: Vec<f32>,
    /// The index of the chosen token.
    pub chosen: u32,
    /// The twelve most likely tokens after the chosen one, most likely first.
    pub next: Vec<NextTokenView>,
    /// Attention weights from the chosen token to every token before it and to itself, for each head of each
    /// layer.
    // [layers, heads, chosen + 1]
    pub attention: Vec<f32>,
}

/// A token that may come next.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(rename = "LanguageGuess"))]
pub struct NextTokenView {
    /// Its text.
    pub text: String,
    /// Its probability.
    pub probability: f32,
}

/// Held-out problems that the network keeps answering while it learns.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(rename = "LanguageGrid"))]
pub struct ProblemGridView {
    /// Problems in each row and column.
    pub side: u32,
    /// The state of each problem: 0 wrong, 1 right, 2 not answered yet.
    pub right: Bytes,
    /// The problems.
    pub problems: Vec<ProblemView>,
    /// Fraction of the answered problems that are right.
    pub share: f32,
    /// The user's problem, which is answered again too.
    pub own: Option<ProblemView>,
}

/// A problem of a task.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(rename = "LanguageProblem"))]
pub struct ProblemView {
    /// The question in the task's notation.
    pub question: String,
    /// The correct answer.
    pub answer: String,
    /// The network's last answer; empty where there is none yet.
    pub given: String,
}
