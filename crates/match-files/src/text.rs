//! Decodes the bytes of a match file, whatever program on whatever system wrote it.

use super::file_error::FileError;

/// The maximum size in bytes. A long SGF match with GNU Backgammon's analysis of every play takes about two
/// megabytes.
pub const MAX_BYTES: usize = 16 << 20;

/// Windows-1252 for the bytes 0x80 to 0x9f, which are control characters in Latin-1. Its other bytes are as
/// in Latin-1.
const WINDOWS_1252: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}', '\u{90}',
    '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

/// Decodes UTF-8 (with or without a byte order mark), UTF-16 (only with one), and anything else as
/// Windows-1252. All line endings become `\n`. A text with a NUL character is rejected, because it is a
/// binary file.
pub(super) fn decode(bytes: &[u8]) -> Result<String, FileError> {
    if bytes.len() > MAX_BYTES {
        return Err(FileError::new(1, "the file is larger than 16 MiB, too large for a match", ""));
    }
    let text = match bytes {
        [0xef, 0xbb, 0xbf, rest @ ..] => decode_8_bit(rest),
        [0xff, 0xfe, rest @ ..] => decode_utf16(rest, u16::from_le_bytes),
        [0xfe, 0xff, rest @ ..] => decode_utf16(rest, u16::from_be_bytes),
        _ => decode_8_bit(bytes),
    };
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    if let Some(index) = text.find('\0') {
        let line = 1 + text[..index].matches('\n').count();
        return Err(FileError::at(line, "this is not a text file", &text));
    }
    Ok(text)
}

/// Decodes UTF-8, or else Windows-1252.
fn decode_8_bit(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().map(|byte| windows_1252(*byte)).collect(),
    }
}

fn windows_1252(byte: u8) -> char {
    match byte {
        0x80..=0x9f => WINDOWS_1252[usize::from(byte - 0x80)],
        _ => char::from(byte),
    }
}

/// Unpaired surrogates become U+FFFD. `to_u16` reads two bytes in their order.
fn decode_utf16(bytes: &[u8], to_u16: fn([u8; 2]) -> u16) -> String {
    let units = bytes.chunks_exact(2).map(|pair| to_u16([pair[0], pair[1]]));
    char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
}
