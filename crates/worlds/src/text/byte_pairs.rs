//! Byte pair encoding (BPE; Sennrich, Haddow and Birch, "Neural machine translation of rare words with
//! subword units", 2016) over bytes, as in GPT-2: learning merges and applying them.
//!
//! Every byte is a token at first. A merge makes a new token of a pair of adjacent tokens; learning always
//! merges the most frequent pair of the text.
//!
//! Merges never cross words, so each distinct word is processed once, weighted by its count. Learning keeps
//! the counts of all pairs in a priority queue with lazy updates: an entry whose count has decreased is
//! reinserted when it is popped. So a merge costs time proportional to the number of words that contain the
//! pair.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};
use std::hash::{BuildHasherDefault, Hasher};

/// The maximum number of bytes of a word. Longer words are cut, which bounds the time for text without
/// spaces.
const MAX_WORD_BYTES: usize = 64;

/// The number of single-byte tokens, which come first.
const BYTE_TOKENS: usize = 256;

/// A map with a fast hash function, which does not resist deliberate collisions. No result depends on the
/// map's order.
type Map<K, V> = HashMap<K, V, BuildHasherDefault<FastHasher>>;

/// A hash with one multiplication for every eight bytes.
#[derive(Default)]
struct FastHasher(u64);

impl FastHasher {
    fn add(&mut self, word: u64) {
        // The factor is 2^64 over the golden ratio.
        let mixed = (self.0.rotate_left(5) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.0 = mixed ^ (mixed >> 32);
    }
}

impl Hasher for FastHasher {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.add(u64::from_le_bytes(word));
        }
    }

    fn write_u32(&mut self, word: u32) {
        self.add(u64::from(word));
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// The learned merges, in order of descending priority. Merge `i` replaces the pair `pairs[i]` by token
/// `256 + i`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Merges {
    pairs: Vec<[u16; 2]>,
    /// The token that replaces each pair, by [`pack_pair`].
    tokens: Map<u32, u16>,
}

/// Packs a pair of tokens into one number.
fn pack_pair([left, right]: [u16; 2]) -> u32 {
    u32::from(left) << 16 | u32::from(right)
}

/// The pair of tokens that [`pack_pair`] has packed.
fn unpack_pair(packed: u32) -> [u16; 2] {
    [(packed >> 16) as u16, packed as u16]
}

impl Merges {
    pub(super) fn new(pairs: Vec<[u16; 2]>) -> Self {
        let tokens =
            pairs.iter().zip(BYTE_TOKENS as u16..).map(|(pair, token)| (pack_pair(*pair), token)).collect();
        Self { pairs, tokens }
    }

    pub(super) fn pairs(&self) -> &[[u16; 2]] {
        &self.pairs
    }

    /// Appends the tokens of `text` to `out`.
    pub(super) fn encode(&self, text: &str, out: &mut Vec<u16>) {
        // For each word already encoded: the range of its tokens in `out`.
        let mut encoded: Map<&[u8], (usize, usize)> = Map::default();
        let mut tokens = Vec::with_capacity(MAX_WORD_BYTES);
        for word in words(text) {
            let start = out.len();
            if let Some(&(from, to)) = encoded.get(word) {
                out.extend_from_within(from..to);
                continue;
            }
            tokens.clear();
            tokens.extend(word.iter().copied().map(u16::from));
            self.merge(&mut tokens);
            out.extend_from_slice(&tokens);
            encoded.insert(word, (start, out.len()));
        }
    }

    /// Applies merges to the tokens of a word, always the merge of the highest priority, until none applies.
    fn merge(&self, tokens: &mut Vec<u16>) {
        let token = |two: &[u16]| self.tokens.get(&pack_pair([two[0], two[1]])).copied();
        while let Some(best) = tokens.windows(2).filter_map(token).min() {
            replace(tokens, self.pairs[usize::from(best) - BYTE_TOKENS], best);
        }
    }
}

/// Replaces every occurrence of `pair` by `token`.
fn replace(tokens: &mut Vec<u16>, pair: [u16; 2], token: u16) {
    let (mut read, mut write) = (0, 0);
    while read < tokens.len() {
        let is_pair = tokens[read..].starts_with(&pair);
        tokens[write] = if is_pair { token } else { tokens[read] };
        read += 1 + usize::from(is_pair);
        write += 1;
    }
    tokens.truncate(write);
}

/// Splits a text into words without losing a byte: runs of letters, of digits or of other characters, each
/// with one preceding space; or runs of white space.
fn words(text: &str) -> impl Iterator<Item = &[u8]> {
    let mut rest = text.as_bytes();
    std::iter::from_fn(move || {
        let (word, after) = rest.split_at(word_length(rest));
        rest = after;
        (!word.is_empty()).then_some(word)
    })
}

/// The length in bytes of the first word of `text`.
fn word_length(text: &[u8]) -> usize {
    const WHITE_SPACE: u32 = 0;
    // White space, digits, letters (bytes from 128 on belong to letters beyond ASCII), and everything else.
    let class = |byte: &u8| match byte {
        b' ' | b'\t' | b'\n' | b'\r' => WHITE_SPACE,
        b'0'..=b'9' => 1,
        b'a'..=b'z' | b'A'..=b'Z' | 128.. => 2,
        _ => 3,
    };
    // A space before a character of another class belongs to the word.
    let begin = usize::from(text.len() > 1 && text[0] == b' ' && class(&text[1]) != WHITE_SPACE);
    let Some(first) = text.get(begin) else { return 0 };
    let text = &text[..text.len().min(MAX_WORD_BYTES)];
    let end = begin + text[begin..].iter().take_while(|byte| class(byte) == class(first)).count();
    // The last space of a run of white space belongs to the next word.
    let ends_with_space = class(first) == WHITE_SPACE && end > 1 && end < text.len() && text[end - 1] == b' ';
    end - usize::from(ends_with_space)
}

/// Statistics of a pair of adjacent tokens.
#[derive(Default)]
struct PairCount {
    /// Occurrences in the text.
    count: u64,
    /// Indices of words that contain the pair, or contained it before a merge.
    words: Vec<u32>,
}

/// A distinct word of the text.
struct WordCount {
    /// The word as tokens, after the merges so far.
    tokens: Vec<u16>,
    /// Occurrences in the text.
    count: u64,
}

/// The state of learning merges.
struct MergeLearner {
    words: Vec<WordCount>,
    counts: Map<u32, PairCount>,
    /// Packed pairs by count: the most frequent first, and of equal counts the smaller tokens first. The
    /// count of an entry may be outdated, but then it is too high, never too low.
    queue: BinaryHeap<(u64, Reverse<u32>)>,
}

/// Learns merges until there are `vocabulary` tokens or no pair occurs twice. Ties are broken in favour of
/// the smaller tokens.
pub(super) fn learn(text: &str, vocabulary: usize) -> Merges {
    let mut learner = MergeLearner::new(text);
    let mut pairs = Vec::new();
    while BYTE_TOKENS + pairs.len() < vocabulary {
        let Some(pair) = learner.most_frequent() else { break };
        learner.merge(pair, (BYTE_TOKENS + pairs.len()) as u16);
        pairs.push(pair);
    }
    Merges::new(pairs)
}

impl MergeLearner {
    fn new(text: &str) -> Self {
        let mut indices: Map<&[u8], u32> = Map::default();
        let mut words: Vec<WordCount> = Vec::new();
        for word in self::words(text) {
            let index = *indices.entry(word).or_insert(words.len() as u32) as usize;
            if index == words.len() {
                words.push(WordCount { tokens: word.iter().copied().map(u16::from).collect(), count: 0 });
            }
            words[index].count += 1;
        }
        let mut counts: Map<u32, PairCount> = Map::default();
        for (WordCount { tokens, count }, index) in words.iter().zip(0..) {
            for two in tokens.windows(2) {
                let entry = counts.entry(pack_pair([two[0], two[1]])).or_default();
                entry.count += count;
                entry.words.push(index);
            }
        }
        let queue = counts.iter().map(|(pair, count)| (count.count, Reverse(*pair))).collect();
        Self { words, counts, queue }
    }

    /// The most frequent pair, if it occurs at least twice.
    fn most_frequent(&mut self) -> Option<[u16; 2]> {
        while let Some((count, Reverse(pair))) = self.queue.pop() {
            let current = self.counts.get(&pair).map_or(0, |entry| entry.count);
            if current < 2 {
                continue;
            }
            if current == count {
                return Some(unpack_pair(pair));
            }
            self.queue.push((current, Reverse(pair)));
        }
        None
    }

    /// Replaces `pair` by `token` in all words and updates the counts of the pairs in them.
    fn merge(&mut self, pair: [u16; 2], token: u16) {
        let Some(merged) = self.counts.remove(&pack_pair(pair)) else { return };
        let mut new_pairs = Vec::new();
        for index in merged.words {
            let WordCount { tokens, count } = &mut self.words[index as usize];
            // The list also has words that an earlier merge has taken the pair from.
            if !tokens.windows(2).any(|two| two == pair) {
                continue;
            }
            for two in tokens.windows(2) {
                if let Some(entry) = self.counts.get_mut(&pack_pair([two[0], two[1]])) {
                    entry.count -= *count;
                }
            }
            replace(tokens, pair, token);
            for two in tokens.windows(2) {
                let is_new = two.contains(&token);
                let entry = self.counts.entry(pack_pair([two[0], two[1]])).or_default();
                entry.count += *count;
                if is_new {
                    entry.words.push(index);
                    new_pairs.push(pack_pair([two[0], two[1]]));
                }
            }
        }
        new_pairs.sort_unstable();
        new_pairs.dedup();
        self.queue.extend(new_pairs.into_iter().map(|pair| (self.counts[&pair].count, Reverse(pair))));
    }
}
