//! The dials of the language lab.

use learnery_worlds::text::Task;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(rename = "LanguageSource"))]
pub enum Source {
    /// Small stories, never the same twice, from a grammar whose entropy is known.
    Stories,
    /// Say it again.
    Copy,
    /// Say it backwards.
    Reverse,
    /// Put it in order.
    Sort,
    /// Add two numbers.
    Addition,
    /// Add two numbers and keep the remainder.
    Modular,
    /// Close the brackets that are open.
    Brackets,
    /// Is the number of ones odd?
    Parity,
    /// A text that somebody brings; stories until it is there.
    Text,
}

impl Source {
    /// The task, where it is one.
    pub fn task(self) -> Option<Task> {
        Some(match self {
            Self::Stories | Self::Text => return None,
            Self::Copy => Task::Copy,
            Self::Reverse => Task::Reverse,
            Self::Sort => Task::Sort,
            Self::Addition => Task::Addition,
            Self::Modular => Task::ModularAddition,
            Self::Brackets => Task::Brackets,
            Self::Parity => Task::Parity,
        })
    }
}

/// What a text is cut into.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(rename = "LanguageTokens"))]
pub enum Tokens {
    /// Its bytes.
    Bytes,
    /// The characters that occur in it.
    Characters,
    /// Frequent sequences of bytes, found in it by merging pairs again and again.
    Pairs,
}

/// Who follows the gradient.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Optimiser {
    /// Adam with decoupled weight decay.
    Adamw,
    /// Steps of one length in all directions for the matrices inside the blocks, AdamW for the rest.
    Muon,
}

/// Settings of the network, of its training and of its judge.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LanguageConfig {
    /// What it reads: stories, one of the tasks with an exact answer, or a text that somebody brings.
    pub source: Source,
    /// How large the problems of a task are: the digits of a number, the most letters or brackets, the bits, or the modulus.
    #[schemars(range(min = 1, max = 997))]
    pub size: u32,
    /// Whether sums are written from the last digit to the first, as they are worked out.
    pub backwards: bool,
    /// What a text is cut into. Tasks have the few characters they need.
    pub tokens: Tokens,
    /// How many different tokens pairs are merged into.
    #[schemars(range(min = 257, max = 16_384), extend("x-unit" = "tokens", "x-log" = true))]
    pub vocabulary: u32,
    /// Numbers that the network keeps about each token.
    #[schemars(range(min = 8, max = 1024), extend("x-log" = true))]
    pub width: u32,
    /// Blocks of attention and perceptron, one after the other.
    #[schemars(range(min = 1, max = 24), extend("x-unit" = "blocks"))]
    pub layers: u32,
    /// Heads of each attention; they share the width.
    #[schemars(range(min = 1, max = 32), extend("x-unit" = "heads"))]
    pub heads: u32,
    /// Whether attention sees how far apart two tokens are (rotary positions) and what stood before each, and not only where
    /// each stands.
    pub rotary: bool,
    /// How many tokens of a text it sees at once. A task's problems are as long as they are.
    #[schemars(range(min = 8, max = 1024), extend("x-unit" = "tokens", "x-log" = true))]
    pub length: u32,
    /// Sequences that are learned from together.
    #[schemars(range(min = 1, max = 1024), extend("x-unit" = "sequences", "x-log" = true))]
    pub batch: u32,
    /// Updates in each iteration.
    #[schemars(range(min = 1, max = 1000), extend("x-live" = true, "x-unit" = "updates", "x-log" = true))]
    pub updates: u32,
    /// Share of the first batch's rows that say the same again after some tokens, so that looking back is learned early; of
    /// stories and texts.
    #[schemars(range(min = 0.0, max = 1.0), extend("x-live" = true))]
    pub echoes: f64,
    /// Updates after which no row does so any more: they become fewer evenly.
    #[schemars(range(min = 0, max = 10_000_000), extend("x-live" = true, "x-unit" = "updates"))]
    pub echo_until: u32,
    /// Who follows the gradient: AdamW, or Muon with AdamW for what is no matrix inside a block.
    pub optimiser: Optimiser,
    /// How far each update moves what AdamW changes.
    #[schemars(range(min = 0.0, max = 0.1), extend("x-live" = true, "x-log" = true))]
    pub learning_rate: f64,
    /// How far each update moves what Muon changes.
    #[schemars(range(min = 0.0, max = 0.5), extend("x-live" = true, "x-log" = true))]
    pub muon_rate: f64,
    /// Updates in which the rates climb to what is set.
    #[schemars(range(min = 0, max = 100_000), extend("x-live" = true, "x-unit" = "updates"))]
    pub warm_up: u32,
    /// Updates after which they have fallen, along half a wave, to a twentieth; 0 for never.
    #[schemars(range(min = 0, max = 10_000_000), extend("x-live" = true, "x-unit" = "updates"))]
    pub anneal: u32,
    /// How much of every matrix goes in each update, times the rate.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub weight_decay: f64,
    /// Longest gradient allowed; longer ones are shortened to this.
    #[schemars(range(min = 0.001, max = 1000.0), extend("x-live" = true, "x-log" = true))]
    pub clip: f64,
    /// It is judged, on what it never learned from, every so many iterations; 0 for never.
    #[schemars(range(min = 0, max = 100_000), extend("x-live" = true, "x-unit" = "iterations"))]
    pub judge_every: u32,
    /// How much it is judged on: bytes of text, or problems.
    #[schemars(range(min = 16, max = 1_000_000), extend("x-log" = true))]
    pub judge_size: u32,
    /// Of problems, how many must be answered exactly; of stories, how many bits a byte may cost above their entropy.
    #[schemars(range(min = 0.0, max = 100.0), extend("x-unit" = "%"))]
    pub goal: f64,
}

impl Default for LanguageConfig {
    fn default() -> Self {
        Self {
            source: Source::Addition,
            size: 2,
            backwards: false,
            tokens: Tokens::Bytes,
            vocabulary: 4096,
            width: 64,
            layers: 2,
            heads: 4,
            rotary: true,
            length: 128,
            batch: 128,
            updates: 10,
            echoes: 0.0,
            echo_until: 500,
            optimiser: Optimiser::Muon,
            learning_rate: 4e-3,
            muon_rate: 0.02,
            warm_up: 20,
            anneal: 800,
            weight_decay: 0.1,
            clip: 1.0,
            judge_every: 5,
            judge_size: 512,
            goal: 99.0,
        }
    }
}
