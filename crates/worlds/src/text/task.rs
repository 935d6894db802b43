//! The kinds of algorithmic exercises for language models (such as sorting letters), with the sizes and
//! characters of each.

use serde::{Deserialize, Serialize};

/// What an exercise asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Task {
    /// Repeat the letters.
    Copy,
    /// Reverse the letters.
    Reverse,
    /// Sort the letters.
    Sort,
    /// Add two numbers.
    Addition,
    /// Add two numbers below a modulus, modulo it.
    ModularAddition,
    /// Close all open brackets.
    Brackets,
    /// Write 1 if the number of ones is odd, else 0.
    Parity,
}

impl Task {
    /// All tasks.
    pub const ALL: [Self; 7] = [
        Self::Copy,
        Self::Reverse,
        Self::Sort,
        Self::Addition,
        Self::ModularAddition,
        Self::Brackets,
        Self::Parity,
    ];

    /// The smallest and the largest size. The size is the maximum number of letters, brackets or digits, the
    /// modulus, or the number of bits.
    pub fn sizes(self) -> [u32; 2] {
        match self {
            Self::Copy | Self::Reverse | Self::Sort => [2, 48],
            Self::Addition => [1, 12],
            Self::ModularAddition => [7, 997],
            Self::Brackets => [4, 48],
            Self::Parity => [6, 48],
        }
    }

    /// All characters of the task's problems.
    pub fn alphabet(self) -> &'static str {
        match self {
            Self::Copy | Self::Reverse | Self::Sort => "\n>abcdefghijklmnopqrstuvwxyz",
            Self::Addition | Self::ModularAddition => "\n+0123456789=",
            Self::Brackets => "\n()>[]{}",
            Self::Parity => "\n01=",
        }
    }

    /// The character that ends the question.
    pub fn sign(self) -> char {
        match self {
            Self::Addition | Self::ModularAddition | Self::Parity => '=',
            Self::Copy | Self::Reverse | Self::Sort | Self::Brackets => '>',
        }
    }
}
