//! Tokenizers, which turn text into the numbers that a language model reads: one token for each byte, one for
//! each character, or byte pair encoding (frequent sequences of bytes become one token).

use serde::{Deserialize, Serialize};

use super::byte_pairs::{self, Merges};
use super::vocabulary::Vocabulary;

/// The largest vocabulary.
pub const MAX_TOKENS: usize = 16_384;

/// The character that replaces characters outside the vocabulary.
const UNKNOWN: char = char::REPLACEMENT_CHARACTER;

/// Encodes text as tokens and decodes tokens. A checkpoint contains the tokenizer, because a network works
/// only with the tokenizer of its training.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "Saved", try_from = "Saved")]
pub struct Tokenizer {
    kind: Kind,
    vocabulary: Vocabulary,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    Bytes,
    /// The characters, sorted. The token of a character is its index, and one more token means "any other
    /// character".
    Characters(Vec<char>),
    Pairs(Merges),
}

/// The serialised form.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
enum Saved {
    Bytes,
    Characters(String),
    /// The merges: left, right, left, right, ...
    Pairs(Vec<u16>),
}

impl Tokenizer {
    /// A tokenizer with one token for each of the 256 bytes.
    pub fn bytes() -> Self {
        Self { kind: Kind::Bytes, vocabulary: Vocabulary::bytes() }
    }

    /// A tokenizer with one token for each character of `text`, and one for all other characters. If `text`
    /// has more characters than [`MAX_TOKENS`], the rarest get no token.
    pub fn characters(text: &str) -> Self {
        let mut all: Vec<char> = text.chars().collect();
        all.sort_unstable();
        let mut counted: Vec<(usize, char)> =
            all.chunk_by(|a, b| a == b).map(|same| (same.len(), same[0])).collect();
        // The most frequent characters first.
        counted.sort_by(|a, b| b.cmp(a));
        counted.truncate(MAX_TOKENS - 1);
        let mut characters: Vec<char> = counted.into_iter().map(|(_, character)| character).collect();
        characters.sort_unstable();
        Self::of_characters(characters)
    }

    /// Byte pair encoding learned from `text`. The vocabulary begins with the 256 bytes. The most frequent
    /// pair of adjacent tokens is merged into a new token, until there are `vocabulary` tokens or no pair
    /// occurs twice.
    pub fn byte_pairs(text: &str, vocabulary: usize) -> Self {
        Self::of_pairs(byte_pairs::learn(text, vocabulary.min(MAX_TOKENS)))
    }

    fn of_characters(characters: Vec<char>) -> Self {
        let mut vocabulary = Vocabulary::default();
        let mut buffer = [0; 4];
        for character in characters.iter().chain(&[UNKNOWN]) {
            vocabulary.push(character.encode_utf8(&mut buffer).as_bytes());
        }
        Self { kind: Kind::Characters(characters), vocabulary }
    }

    fn of_pairs(merges: Merges) -> Self {
        let mut vocabulary = Vocabulary::bytes();
        for pair in merges.pairs() {
            vocabulary.push_pair(*pair);
        }
        Self { kind: Kind::Pairs(merges), vocabulary }
    }

    /// The size of the vocabulary.
    #[expect(clippy::len_without_is_empty, reason = "no vocabulary is empty")]
    pub fn len(&self) -> usize {
        self.vocabulary.len()
    }

    /// Appends the tokens of `text` to `out`. The encoding is lossless if [`Tokenizer::covers`] the text.
    pub fn encode(&self, text: &str, out: &mut Vec<u16>) {
        match &self.kind {
            Kind::Bytes => out.extend(text.bytes().map(u16::from)),
            Kind::Characters(all) => out.extend(
                text.chars().map(|character| all.binary_search(&character).unwrap_or(all.len()) as u16),
            ),
            Kind::Pairs(merges) => merges.encode(text, out),
        }
    }

    /// The bytes of `tokens`. They are not valid UTF-8 if a token sequence begins or ends inside a character.
    /// Unknown tokens are ignored.
    pub fn decode(&self, tokens: &[u16]) -> Vec<u8> {
        tokens.iter().flat_map(|token| self.piece(*token)).copied().collect()
    }

    /// The bytes of one token; none if the token is unknown.
    pub fn piece(&self, token: u16) -> &[u8] {
        self.vocabulary.get(token)
    }

    /// Whether `text` can be encoded without loss. Only a vocabulary of characters can lack one.
    pub fn covers(&self, text: &str) -> bool {
        match &self.kind {
            Kind::Characters(all) => text.chars().all(|character| all.binary_search(&character).is_ok()),
            Kind::Bytes | Kind::Pairs(_) => true,
        }
    }
}

impl From<Tokenizer> for Saved {
    fn from(tokenizer: Tokenizer) -> Self {
        match tokenizer.kind {
            Kind::Bytes => Self::Bytes,
            Kind::Characters(characters) => Self::Characters(characters.into_iter().collect()),
            Kind::Pairs(merges) => Self::Pairs(merges.pairs().concat()),
        }
    }
}

impl TryFrom<Saved> for Tokenizer {
    type Error = String;

    fn try_from(saved: Saved) -> Result<Self, String> {
        match saved {
            Saved::Bytes => Ok(Self::bytes()),
            Saved::Characters(text) => {
                let characters: Vec<char> = text.chars().collect();
                if characters.len() >= MAX_TOKENS || !characters.is_sorted_by(|a, b| a < b) {
                    return Err("the tokenizer's characters are damaged".to_owned());
                }
                Ok(Self::of_characters(characters))
            }
            Saved::Pairs(numbers) => {
                let (pairs, rest) = numbers.as_chunks();
                // A merge may only join tokens that exist before it: the 256 bytes and earlier merges.
                let is_defined = |i: usize| pairs[i].iter().all(|part| usize::from(*part) < 256 + i);
                if pairs.len() > MAX_TOKENS - 256 || !rest.is_empty() || !(0..pairs.len()).all(is_defined) {
                    return Err("the tokenizer's byte pairs are damaged".to_owned());
                }
                Ok(Self::of_pairs(Merges::new(pairs.to_vec())))
            }
        }
    }
}
