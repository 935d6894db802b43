//! What is known of a text without a network, in bits a byte: what gzip leaves of it, and how well an order-3 model that was
//! fitted to other text foretells each byte from the three before it.
//!
//! The model interpolates: having seen a context n times and t different bytes after it, it trusts its counts with weight n
//! and the shorter context with weight t (Witten and Bell, "The zero-frequency problem", 1991, method C). So every byte
//! has a probability, and they sum to one.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::DeflateEncoder;

/// The header and the checksum of a gzip file.
const GZIP_FRAME: usize = 18;

/// How many bytes before one the model looks at.
const ORDER: usize = 3;

/// Bits that gzip at its best needs for a byte of `text`.
pub fn gzip_bits_per_byte(text: &[u8]) -> f64 {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    let written = encoder.write_all(text).and_then(|()| encoder.finish());
    let bytes = written.expect("a vector takes all that is written to it").len() + GZIP_FRAME;
    bytes as f64 * 8.0 / text.len().max(1) as f64
}

/// How often each byte followed each context of up to three.
#[derive(Clone, Debug)]
pub struct OrderThree {
    /// For each length of context.
    tables: [Table; ORDER + 1],
}

/// Contexts and the byte after them, packed into a number, the byte lowest; in order, each with how often it occurred.
#[derive(Clone, Debug, Default)]
struct Table {
    keys: Vec<u32>,
    counts: Vec<u32>,
}

impl Table {
    /// How often a context occurred, how many different bytes followed it, and how often `byte` did.
    fn look_up(&self, context: u32, byte: u8) -> [u32; 3] {
        let begin = self.keys.partition_point(|key| *key < context << 8);
        let same = self.keys[begin..].iter().take_while(|key| *key >> 8 == context);
        let counts = &self.counts[begin..begin + same.count()];
        let place = self.keys[begin..begin + counts.len()].binary_search(&(context << 8 | u32::from(byte)));
        [counts.iter().sum(), counts.len() as u32, place.map_or(0, |place| counts[place])]
    }
}

impl OrderThree {
    /// Fitted to `text`.
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

    /// Bits a byte of `text`.
    pub fn bits_per_byte(&self, text: &[u8]) -> f64 {
        let bits = |end: usize| -self.probability(&text[end.saturating_sub(ORDER)..end], text[end]).log2();
        (0..text.len()).map(bits).sum::<f64>() / text.len().max(1) as f64
    }

    /// Of `byte` after `context`, of which at most three bytes are given.
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
