//! Data of the user's own in a link: the command that gives them to a run as JSON, compressed (raw deflate,
//! RFC 1951) and in base64 with the alphabet for addresses (RFC 4648, section 5) without padding.
//! `www/core/packed.ts` reads and writes the same.

use std::io::{Read as _, Write as _};

use flate2::Compression;
use flate2::bufread::DeflateDecoder;
use flate2::write::DeflateEncoder;
use serde_json::Value;

/// The most characters of all packed data of a link. Some programs cut longer links.
pub(super) const MAX_PACKED: usize = 8_000;
/// The most bytes of a command. A short link could hold many megabytes.
const MAX_COMMAND_BYTES: usize = 262_144;

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// A command as a part of a link.
pub(super) fn pack(command: &Value) -> String {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    let written = encoder.write_all(command.to_string().as_bytes());
    let packed = written.and_then(|()| encoder.finish()).expect("a vector takes every byte");
    to_base64(&packed)
}

/// The command of a part of a link; `None` if it is damaged or too long.
pub(super) fn unpack(packed: &str) -> Option<Value> {
    if packed.len() > MAX_PACKED {
        return None;
    }
    let bytes = from_base64(packed)?;
    let mut decoder = DeflateDecoder::new(&bytes[..]).take(MAX_COMMAND_BYTES as u64 + 1);
    let mut text = Vec::new();
    decoder.read_to_end(&mut text).ok()?;
    let is_whole = decoder.into_inner().total_in() == bytes.len() as u64;
    if !is_whole || text.len() > MAX_COMMAND_BYTES {
        return None;
    }
    serde_json::from_slice(&text).ok()
}

/// Whether a text looks like packed data, whole or damaged, and not like words that somebody wrote.
pub(super) fn is_packed(text: &str) -> bool {
    const MIN_CHARS: usize = 16;
    text.len() >= MIN_CHARS && text.bytes().all(|byte| ALPHABET.contains(&byte))
}

fn to_base64(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let mut word = 0_u32;
        for (i, byte) in group.iter().enumerate() {
            word |= u32::from(*byte) << (16 - 8 * i);
        }
        // A group of n bytes has n + 1 characters.
        for i in 0..=group.len() {
            text.push(char::from(ALPHABET[((word >> (18 - 6 * i)) & 63) as usize]));
        }
    }
    text
}

fn from_base64(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len());
    for group in text.as_bytes().chunks(4) {
        let mut word = 0_u32;
        for (i, character) in group.iter().enumerate() {
            let digit = ALPHABET.iter().position(|each| each == character)? as u32;
            word |= digit << (18 - 6 * i);
        }
        // A group of n + 1 characters has n bytes.
        if group.len() == 1 {
            return None;
        }
        bytes.extend_from_slice(&word.to_be_bytes()[1..group.len()]);
    }
    Some(bytes)
}
