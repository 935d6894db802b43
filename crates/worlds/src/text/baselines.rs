//! Baselines for language models, in bits per byte: gzip, and an order-3 Markov model that predicts each byte
//! from the three bytes before it.
//!
//! The model uses Witten-Bell smoothing (Witten and Bell, "The zero-frequency problem", 1991, method C). If a
//! context was followed by `n` bytes, `t` of them distinct, then the observed frequencies get the weight `n /
//! (n + t)`, and the prediction of the next shorter context gets the weight `t / (n + t)`. The shortest
//! prediction is uniform over the 256 bytes. So every byte has a positive probability, and the probabilities
//! sum to one.

use learnery_kernels::math::double;
use std::io::Write as _;

use flate2::Compression;
use flate2::write::DeflateEncoder;

/// Bytes of the header and the trailer of a gzip file.
const GZIP_FRAME_BYTES: usize = 18;

/// Bytes of context of the Markov model.
const MAX_CONTEXT_BYTES: usize = 3;

/// Bits per byte of `text` compressed by gzip at its highest level.
pub fn gzip_bits_per_byte(text: &[u8]) -> f64 {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    let compressed = encoder.write_all(text).and_then(|()| encoder.finish());
    let bytes = compressed.expect("writing to a vector cannot fail").len() + GZIP_FRAME_BYTES;
    bytes as f64 * 8.0 / text.len().max(1) as f64
}

/// The order-3 Markov model, which predicts a byte from the three bytes before it.
#[derive(Clone, Debug)]
pub struct OrderThree {
    /// The n-gram counts for each context length from 0 to 3.
    tables: [NgramTable; MAX_CONTEXT_BYTES + 1],
}

/// Counts of the n-grams of one length, sorted by key. A key packs the n - 1 bytes of the context and, as its
/// lowest byte, the byte after the context.
#[derive(Clone, Debug, Default)]
struct NgramTable {
    keys: Vec<u32>,
    counts: Vec<u32>,
}

/// What a table contains about a byte after a context.
struct ContextStatistics {
    /// Bytes that followed the context: `n` of Witten-Bell smoothing.
    total: u32,
    /// Distinct bytes that followed the context: `t`.
    distinct: u32,
    /// How often the byte in question followed the context.
    count: u32,
}

impl NgramTable {
    /// Finds the range of n-grams that begin with the context, and in it the one that ends with the byte.
    fn look_up(&self, context: u32, byte: u8) -> ContextStatistics {
        let begin = self.keys.partition_point(|key| *key < context << 8);
        let end = begin + self.keys[begin..].iter().take_while(|key| *key >> 8 == context).count();
        let counts = &self.counts[begin..end];
        let index = self.keys[begin..end].binary_search(&(context << 8 | u32::from(byte)));
        ContextStatistics {
            total: counts.iter().sum(),
            distinct: counts.len() as u32,
            count: index.map_or(0, |index| counts[index]),
        }
    }
}

impl OrderThree {
    /// Counts the n-grams of `text`.
    pub fn fit(text: &[u8]) -> Self {
        let tables = std::array::from_fn(|context_length| {
            let mut ngrams: Vec<u32> = text.windows(context_length + 1).map(pack).collect();
            ngrams.sort_unstable();
            let mut table = NgramTable::default();
            for equal_ngrams in ngrams.chunk_by(|a, b| a == b) {
                table.keys.push(equal_ngrams[0]);
                table.counts.push(equal_ngrams.len() as u32);
            }
            table
        });
        Self { tables }
    }

    /// The cross-entropy of `text` in bits per byte.
    pub fn bits_per_byte(&self, text: &[u8]) -> f64 {
        let bits = |i: usize| {
            -double::log2(self.probability(&text[i.saturating_sub(MAX_CONTEXT_BYTES)..i], text[i]))
        };
        (0..text.len()).map(bits).sum::<f64>() / text.len().max(1) as f64
    }

    /// The probability of `byte` after `context`, which has at most three bytes.
    pub(super) fn probability(&self, context: &[u8], byte: u8) -> f64 {
        // From the shortest context to the longest.
        let mut probability = 1.0 / 256.0;
        for (length, table) in self.tables.iter().enumerate().take(context.len() + 1) {
            let context = pack(&context[context.len() - length..]);
            let ContextStatistics { total, distinct, count } = table.look_up(context, byte);
            if total == 0 {
                // Longer contexts did not occur either.
                break;
            }
            let [total, distinct, count] = [total, distinct, count].map(f64::from);
            probability = (count + distinct * probability) / (total + distinct);
        }
        probability
    }
}

/// Packs up to four bytes into a number, the first byte highest.
fn pack(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0, |packed, byte| packed << 8 | u32::from(*byte))
}
