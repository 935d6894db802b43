//! What the language lab shows, and what a visitor may do.

use learnery_lab::Bytes;
use serde::{Deserialize, Serialize};

use super::config::Source;

/// What a visitor may do. A text of one's own is learned from; all else concerns the stage, which nothing is learned from.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub enum LanguageCommand {
    /// Learn from this text from now on. What has been learned stays; before the first iteration, the text decides which
    /// tokens there are.
    Text {
        /// What it is called.
        name: String,
        /// The text.
        text: String,
    },
    /// What samples begin with. The sample that is being written begins anew.
    Prompt {
        /// The beginning.
        text: String,
    },
    /// How daring samples are.
    Dials {
        /// 0 for always the likeliest token, 1 for as the network guesses; at most 2.
        temperature: f32,
        /// Only so many of the likeliest are drawn from; 0 for all.
        top_k: u32,
    },
    /// Write another sample now.
    Again,
    /// Look into this text.
    Read {
        /// The text; what the context does not hold is cut off at its end.
        text: String,
    },
    /// Choose a token of the text that is looked into.
    Token {
        /// Its place, counted from 0.
        index: u32,
    },
    /// Of a task, ask a problem of one's own.
    Ask {
        /// The question as the task writes it, such as `12+34=`.
        question: String,
    },
}

/// What can be drawn now.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub struct LanguageView {
    /// What is being read now.
    pub source: Source,
    /// What the text of one's own is called; empty where there is none.
    pub text_name: String,
    /// Tokens learned from so far.
    pub tokens_seen: f64,
    /// How many different tokens there are.
    pub vocabulary: u32,
    /// How many tokens the network sees at once.
    pub context: u32,
    /// Numbers it keeps about each.
    pub width: u32,
    /// Its blocks.
    pub layers: u32,
    /// Heads of each.
    pub heads: u32,
    /// Numbers that are learned.
    pub parameters: u32,
    /// Floating-point operations that learning takes for each token.
    pub operations: f64,
    /// What no reader can do better than, in bits a byte: the entropy of the stories; 0 for the answers of a task.
    pub floor: Option<f64>,
    /// What gzip makes of the held-out text, in bits a byte.
    pub gzip: Option<f64>,
    /// The same of a model that knows three bytes before each, fitted to the text that is learned from.
    pub order3: Option<f64>,
    /// The same of the network, as last judged.
    pub bits: Option<f64>,
    /// What samples begin with.
    pub prompt: String,
    /// How daring they are.
    pub temperature: f32,
    /// How many of the likeliest tokens they are drawn from; 0 for all.
    pub top_k: u32,
    /// The newest, perhaps still being written.
    pub sample: LanguageSample,
    /// How samples from one prompt read after 1, 2, 4, 8 and so on iterations.
    pub earlier: Vec<LanguageEarlier>,
    /// A text that is looked into.
    pub reading: LanguageReading,
    /// Problems of a task that nothing is learned from.
    pub grid: Option<LanguageGrid>,
}

/// A text that the network wrote.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub struct LanguageSample {
    /// Iterations that were over when it was begun.
    pub unit: u32,
    /// Tokens learned from by then.
    pub tokens_seen: f64,
    /// All of it, the prompt included.
    pub text: String,
    /// The same token by token. A character of several bytes stands in the piece that it ends with.
    pub pieces: Vec<LanguagePiece>,
    /// How many of the pieces are the prompt.
    pub prompt_pieces: u32,
    /// Whether it is finished.
    pub done: bool,
}

/// How a sample read earlier.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub struct LanguageEarlier {
    /// Iterations that were over.
    pub unit: u32,
    /// Tokens learned from by then.
    pub tokens_seen: f64,
    /// All of it, the prompt included.
    pub text: String,
    /// How long the prompt is at its beginning, as JavaScript counts characters.
    pub prompt_length: u32,
}

/// A token of a sample.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub struct LanguagePiece {
    /// Its text.
    pub text: String,
    /// How likely the network held it to be, whatever the temperature; 1 in the prompt.
    pub probability: f32,
}

/// A text that is looked into.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub struct LanguageReading {
    /// Its tokens.
    pub pieces: Vec<String>,
    /// How many bits each costs after those before it; 0 for the first, which nothing is before.
    pub surprise: Vec<f32>,
    /// The token that was chosen.
    pub chosen: u32,
    /// What the network expects after it: the likeliest dozen, the likeliest first.
    pub next: Vec<LanguageGuess>,
    /// How much of itself and of each token before it reaches the chosen token. // [layers, heads, chosen + 1]
    pub attention: Vec<f32>,
}

/// A token that may follow.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub struct LanguageGuess {
    /// Its text.
    pub text: String,
    /// How likely.
    pub probability: f32,
}

/// Problems that nothing is learned from, asked again and again while the network learns.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub struct LanguageGrid {
    /// Problems along and down.
    pub side: u32,
    /// What became of each: 0 wrong, 1 right, 2 not asked yet.
    pub right: Bytes,
    /// The problems.
    pub problems: Vec<LanguageProblem>,
    /// Share of those asked that were right.
    pub share: f32,
    /// A visitor's own problem, which is asked again too.
    pub own: Option<LanguageProblem>,
}

/// A problem of a task.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub struct LanguageProblem {
    /// As the task writes it.
    pub question: String,
    /// What is right.
    pub answer: String,
    /// What the network answered last; empty before.
    pub given: String,
}
