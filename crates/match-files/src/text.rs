//! The bytes of a file as text, whatever program on whatever system wrote it.

use super::file_error::FileError;

/// The largest file that is read. A long match with GNU Backgammon's analysis of every play takes about two megabytes.
pub const MAX_BYTES: usize = 16 << 20;

/// What Windows-1252 has in place of Latin-1's control characters 0x80 to 0x9f.
const WINDOWS_1252: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}', '\u{90}',
    '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

/// Decodes UTF-8 and UTF-16 with or without a byte order mark (UTF-16 only with one), and anything else as
/// Windows-1252, which contains Latin-1. All line ends become `\n`.
pub(super) fn decode(bytes: &[u8]) -> Result<String, FileError> {
    if bytes.len() > MAX_BYTES {
        return Err(FileError::new(1, "the file is larger than 16 MiB, too large for a match", ""));
    }
    let text = match bytes {
        [0xef, 0xbb, 0xbf, rest @ ..] => decode_bytes(rest),
        [0xff, 0xfe, rest @ ..] => decode_utf16(rest, u16::from_le_bytes),
        [0xfe, 0xff, rest @ ..] => decode_utf16(rest, u16::from_be_bytes),
        _ => decode_bytes(bytes),
    };
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    if let Some(place) = text.find('\0') {
        let line = 1 + text[..place].matches('\n').count();
        return Err(FileError::at(line, "this is not a text file", &text));
    }
    Ok(text)
}

fn decode_bytes(bytes: &[u8]) -> String {
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

/// Characters that are broken in the file become U+FFFD.
fn decode_utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> String {
    let units = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
    char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
}
