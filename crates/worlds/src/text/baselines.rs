//! Baselines for language models, in bits per byte: gzip, and an order-3 Markov model that predicts each byte from the
//! three before it.
//!
//! The model uses Witten-Bell smoothing ("The zero-frequency problem", 1991, method C): if a context was seen `n` times
//! with `t` distinct bytes after it, its counts get weight `n` and the prediction of the next shorter context gets
//! weight `t`. So every byte has a positive probability, and they sum to one.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::DeflateEncoder;

/// Bytes of the header and the trailer of a gzip file.
const GZIP_FRAME: usize = 18;

/// Bytes of context of the Markov model.
const ORDER: usize = 3;

/// Bits per byte of `text` compressed by gzip at its highest level.
pub fn gzip_bits_per_byte(text: &[u8]) -> f64 {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    let written = encoder.write_all(text).and_then(|()| encoder.finish());
    let bytes = written.expect("writing to a vector cannot fail").len() + GZIP_FRAME;
    bytes as f64 * 8.0 / text.len().max(1) as f64
}

/// The order-3 Markov model.
#[derive(Clone, Debug)]
pub struct OrderThree {
    /// One for each context length from 0 to 3.
    tables: [Table; ORDER + 1],
}

/// Counts of n-grams. A key packs the context and the byte after it, the byte lowest; keys are sorted.
#[derive(Clone, Debug, Default)]
struct Table {
    keys: Vec<u32>,
    counts: Vec<u32>,
}

impl Table {
    /// The count of a context, the number of distinct bytes after it, and the count of `byte` after it.
    fn look_up(&self, context: u32, byte: u8) -> [u32; 3] {
        let begin = self.keys.partition_point(|key| *key < context << 8);
        let same = self.keys[begin..].iter().take_while(|key| *key >> 8 == context);
        let counts = &self.counts[begin..begin + same.count()];
        let place = self.keys[begin..begin + counts.len()].binary_search(&(context << 8 | u32::from(byte)));
        [counts.iter().sum(), counts.len() as u32, place.map_or(0, |place| counts[place])]
    }
}

impl OrderThree {
    /// Counts the n-grams of `text`.
    pub fn fit(text: &[u8]) -> Self {
        let tables = std::array::from_fn(|length| {
            let mut all: Vec<u32> = text.windows(length + 1).map(pack).collect();
            all.sort_unstable();
            let mut table = Table::default();
            for same in all.chunk_by(|a, b| a == b) {
                table.keys.push(same[0]);
                table.counts.push(same.len() as u32);
            }
            table
        });
        Self { tables }
    }

    /// The cross entropy of `text` in bits per byte.
    pub fn bits_per_byte(&self, text: &[u8]) -> f64 {
        let bits = |end: usize| -self.probability(&text[end.saturating_sub(ORDER)..end], text[end]).log2();
        (0..text.len()).map(bits).sum::<f64>() / text.len().max(1) as f64
    }

    /// The probability of `byte` after `context`, which has at most three bytes.
    pub(super) fn probability(&self, context: &[u8], byte: u8) -> f64 {
        let mut probability = 1.0 / 256.0;
        for (length, table) in self.tables.iter().enumerate().take(context.len() + 1) {
            let [seen, kinds, count] =
                table.look_up(pack(&context[context.len() - length..]), byte).map(f64::from);
            if seen == 0.0 {
                break;
            }
            probability = (count + kinds * probability) / (seen + kinds);
        }
        probability
    }
}

fn pack(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0, |packed, byte| packed << 8 | u32::from(*byte))
}
