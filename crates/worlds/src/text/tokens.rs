//! What a text is cut into for a network: its bytes, its characters, or pieces that occur often.

use serde::{Deserialize, Serialize};

use super::pairs::{self, Merges};
use super::pieces::Pieces;

/// The most tokens a vocabulary may have.
pub const MOST_TOKENS: usize = 16_384;

/// What a character that the vocabulary lacks is shown as.
const UNKNOWN: char = char::REPLACEMENT_CHARACTER;

/// Cuts text into tokens and puts tokens together again. It belongs to the network that learned with it, so it is kept in
/// checkpoints.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "Saved", try_from = "Saved")]
pub struct Tokenizer {
    kind: Kind,
    pieces: Pieces,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    Bytes,
    /// In order; the token of a character is its place, and the last token stands for all others.
    Characters(Vec<char>),
    Pairs(Merges),
}

/// What of a tokenizer is written down: all else follows from it.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
enum Saved {
    Bytes,
    Characters(String),
    /// Left, right, left, right, ...
    Pairs(Vec<u16>),
}

impl Tokenizer {
    /// A token for each of the 256 bytes: any text has its tokens.
    pub fn bytes() -> Self {
        Self { kind: Kind::Bytes, pieces: Pieces::bytes() }
    }

    /// A token for each character of `text`, and one more that stands for every other character. Of a text with more
    /// than fit into a vocabulary, the rarest are left out.
    pub fn characters(text: &str) -> Self {
        let mut all: Vec<char> = text.chars().collect();
        all.sort_unstable();
        let mut counted: Vec<(usize, char)> =
            all.chunk_by(|a, b| a == b).map(|same| (same.len(), same[0])).collect();
        counted.sort_by(|a, b| b.cmp(a));
        counted.truncate(MOST_TOKENS - 1);
        let mut characters: Vec<char> = counted.into_iter().map(|(_, character)| character).collect();
        characters.sort_unstable();
        Self::of_characters(characters)
    }

    /// Byte pair encoding learned from `text`: the 256 bytes, and then, again and again, the two neighbours that occur most
    /// often become one more token, until there are `vocabulary` of them or no two neighbours occur twice.
    pub fn byte_pairs(text: &str, vocabulary: usize) -> Self {
        Self::of_pairs(pairs::learn(text, vocabulary.min(MOST_TOKENS)))
    }

    fn of_characters(characters: Vec<char>) -> Self {
        let mut pieces = Pieces::default();
        let mut buffer = [0; 4];
        for character in characters.iter().chain(&[UNKNOWN]) {
            pieces.push(character.encode_utf8(&mut buffer).as_bytes());
        }
        Self { kind: Kind::Characters(characters), pieces }
    }

    fn of_pairs(merges: Merges) -> Self {
        let mut pieces = Pieces::bytes();
        for pair in merges.pairs() {
            pieces.push_pair(*pair);
        }
        Self { kind: Kind::Pairs(merges), pieces }
    }

    /// How many tokens there are.
    #[expect(clippy::len_without_is_empty, reason = "every tokenizer has a token")]
    pub fn len(&self) -> usize {
        self.pieces.len()
    }

    /// Adds the tokens of `text` to `out`. Any text has some; only characters that a vocabulary of characters lacks are lost.
    pub fn encode(&self, text: &str, out: &mut Vec<u16>) {
        match &self.kind {
            Kind::Bytes => out.extend(text.bytes().map(u16::from)),
            Kind::Characters(all) => out.extend(
                text.chars().map(|character| all.binary_search(&character).unwrap_or(all.len()) as u16),
            ),
            Kind::Pairs(merges) => merges.encode(text, out),
        }
    }

    /// The bytes that `tokens` stand for: no UTF-8 where a part of a character is missing. Tokens that are not there stand for
    /// nothing.
    pub fn decode(&self, tokens: &[u16]) -> Vec<u8> {
        tokens.iter().flat_map(|token| self.piece(*token)).copied().collect()
    }

    /// The bytes that one token stands for.
    pub fn piece(&self, token: u16) -> &[u8] {
        self.pieces.get(token)
    }

    /// Whether a vocabulary of characters has them all; others have every text.
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
                if characters.len() >= MOST_TOKENS || !characters.is_sorted_by(|a, b| a < b) {
                    return Err("the vocabulary of characters is damaged".to_owned());
                }
                Ok(Self::of_characters(characters))
            }
            Saved::Pairs(numbers) => {
                let (pairs, rest) = numbers.as_chunks();
                let made = |i: usize| pairs[i].iter().all(|part| usize::from(*part) < 256 + i);
                if pairs.len() > MOST_TOKENS - 256 || !rest.is_empty() || !(0..pairs.len()).all(made) {
                    return Err("the vocabulary of pairs is damaged".to_owned());
                }
                Ok(Self::of_pairs(Merges::new(pairs.to_vec())))
            }
        }
    }
}
