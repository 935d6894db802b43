//! Files of matches. A [`MatchRecord`] is a match game by game, action by action; every record is legal,
//! because only a [`Recorder`] makes one and it checks each action. [`read`] reads the two formats in use:
//! the text format of Jellyfish, GNU Backgammon and eXtreme Gammon (`.mat`, `.txt`) and GNU Backgammon's
//! Smart Game Format (`.sgf`). [`write_mat`] writes the text format.

mod decisions;
mod file_error;
mod mat;
mod record;
mod recorder;
mod sgf;
mod text;

#[cfg(test)]
mod tests;

pub use decisions::{Choice, Decision};
pub use file_error::{FileError, excerpt};
pub use mat::{Annotation, write_mat};
pub use record::{Action, Ending, Entry, GameEnd, GameRecord, MatchRecord};
pub use recorder::{Recorder, Refusal};
pub use sgf::{Analysis, PlayAnalysis};
pub use text::MAX_BYTES;

/// The most parts that a file is split into before they are checked: cells of rows, or properties and their
/// values. A long match with analysis has tens of thousands.
const MAX_PARTS: usize = 500_000;

/// A match that was read from a file.
#[derive(Clone, Debug, PartialEq)]
pub struct MatchFile {
    pub record: MatchRecord,
    /// What another program wrote about the decisions of the match, if the format has room for it.
    pub analysis: Vec<Analysis>,
}

/// Reads a file of a match in either format, which is recognised by its content. An error names the first
/// line that cannot be understood or is against the rules.
pub fn read(bytes: &[u8]) -> Result<MatchFile, FileError> {
    let text = text::decode(bytes)?;
    if text.trim_start().starts_with('(') {
        sgf::read(&text)
    } else {
        Ok(MatchFile { record: mat::read(&text)?, analysis: Vec::new() })
    }
}
