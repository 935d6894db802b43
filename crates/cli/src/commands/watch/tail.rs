//! Reads a file of lines while another program writes it. Every call gets the lines that are complete since
//! the last one; half a line waits for its rest. The file is opened for each call, read-only and without a
//! lock, so its writer never notices.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::PathBuf;

/// The most that a call reads, so that a large file does not hold up the screen.
const MAX_READ_BYTES: u64 = 1 << 20;
/// A line of more bytes is cut; its pieces are no rows.
const MAX_LINE_BYTES: usize = 1 << 20;
/// How many bytes before the place of reading are compared with what was read there.
const MARK_BYTES: u64 = 64;

/// A place in a file that grows.
pub struct Tail {
    path: PathBuf,
    /// Bytes read so far.
    offset: u64,
    /// The last bytes before `offset`. If the file has others there, it was cut and has grown again.
    mark: Vec<u8>,
    /// What was read of the last line, if the line is not complete.
    rest: Vec<u8>,
}

/// What a call got.
#[derive(Debug, Default, PartialEq)]
pub struct Batch {
    /// Whether the file is another one than before, or was cut. Then `lines` begin at its beginning, and
    /// earlier lines no longer count.
    pub is_new: bool,
    /// Complete lines, each with its line break.
    pub lines: Vec<u8>,
    /// Whether the file has more.
    pub has_more: bool,
}

impl Tail {
    pub fn new(path: PathBuf) -> Self {
        Self { path, offset: 0, mark: Vec::new(), rest: Vec::new() }
    }

    /// Whether the file ends within a line, as far as it was read.
    pub fn ends_within_a_line(&self) -> bool {
        !self.rest.is_empty()
    }

    /// Reads on. A file that does not exist (yet) has no lines.
    pub fn read(&mut self) -> io::Result<Batch> {
        match fs::metadata(&self.path) {
            // Opening a pipe would wait for its writer.
            Ok(metadata) if metadata.is_file() => {}
            Ok(_) => return Err(io::Error::other("it is no file")),
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(Batch::default()),
            Err(e) => return Err(e),
        }
        let mut file = File::open(&self.path)?;
        let length = file.metadata()?.len();
        let is_new = !self.is_where_it_was(&mut file, length)?;
        if is_new {
            *self = Self::new(std::mem::take(&mut self.path));
        }
        file.seek(SeekFrom::Start(self.offset))?;
        let mut read = Vec::new();
        file.take(MAX_READ_BYTES).read_to_end(&mut read)?;
        self.offset += read.len() as u64;
        self.remember(&read);
        let mut bytes = std::mem::take(&mut self.rest);
        bytes.append(&mut read);
        let mut complete = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |last| last + 1);
        // An endless line is ended here, so that it does not fill the memory.
        if bytes.len() - complete > MAX_LINE_BYTES {
            bytes.push(b'\n');
            complete = bytes.len();
        }
        self.rest = bytes.split_off(complete);
        Ok(Batch { is_new, lines: bytes, has_more: self.offset < length })
    }

    /// Whether the file still has what was read last.
    fn is_where_it_was(&self, file: &mut File, length: u64) -> io::Result<bool> {
        if length < self.offset {
            return Ok(false);
        }
        let mut now = vec![0; self.mark.len()];
        file.seek(SeekFrom::Start(self.offset - self.mark.len() as u64))?;
        match file.read_exact(&mut now) {
            Ok(()) => Ok(now == self.mark),
            // The file was cut just now.
            Err(e) if e.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
            Err(e) => Err(e),
        }
    }

    /// Keeps the last bytes that were read, for [`Tail::is_where_it_was`].
    fn remember(&mut self, read: &[u8]) {
        self.mark.extend(&read[read.len().saturating_sub(MARK_BYTES as usize)..]);
        self.mark.drain(..self.mark.len().saturating_sub(MARK_BYTES as usize));
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn text(tail: &mut Tail) -> (bool, String) {
        let batch = tail.read().unwrap();
        (batch.is_new, String::from_utf8_lossy(&batch.lines).into_owned())
    }

    #[test]
    fn lines_are_read_once_and_only_when_they_are_complete() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        let mut tail = Tail::new(path.clone());
        assert_eq!(text(&mut tail), (false, String::new()), "there is no file yet");
        let mut file = File::create(&path).unwrap();
        let mut write = |text: &str| file.write_all(text.as_bytes()).unwrap();
        write("one\ntw");
        assert_eq!(text(&mut tail), (false, "one\n".into()));
        assert!(tail.ends_within_a_line());
        assert_eq!(text(&mut tail), (false, String::new()));
        write("o\nthree\n");
        assert_eq!(text(&mut tail), (false, "two\nthree\n".into()));
        assert!(!tail.ends_within_a_line());
    }

    #[test]
    fn file_that_was_cut_or_replaced_is_read_from_its_beginning() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        let mut tail = Tail::new(path.clone());
        fs::write(&path, "one\ntwo\nthr").unwrap();
        assert_eq!(text(&mut tail), (false, "one\ntwo\n".into()));
        fs::write(&path, "one\n").unwrap();
        assert_eq!(text(&mut tail), (true, "one\n".into()));
        // Cut and longer than before, as after a run was continued from an earlier unit.
        fs::write(&path, "1\n2\n3\n4\n").unwrap();
        assert_eq!(text(&mut tail), (true, "1\n2\n3\n4\n".into()));
        fs::remove_file(&path).unwrap();
        assert_eq!(text(&mut tail), (false, String::new()));
    }

    #[test]
    fn large_files_are_read_in_parts_and_endless_lines_are_cut() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        fs::write(&path, "0123456\n".repeat(200_000)).unwrap();
        let mut tail = Tail::new(path.clone());
        let (mut lines, mut calls) = (0, 0);
        loop {
            let batch = tail.read().unwrap();
            (lines, calls) = (lines + batch.lines.iter().filter(|byte| **byte == b'\n').count(), calls + 1);
            if !batch.has_more {
                break;
            }
        }
        assert_eq!((lines, calls), (200_000, 2));

        fs::write(&path, vec![b'x'; 5 << 20]).unwrap();
        let mut tail = Tail::new(path);
        while tail.read().unwrap().has_more {
            assert!(tail.rest.len() <= MAX_LINE_BYTES + MAX_READ_BYTES as usize);
        }
    }

    #[test]
    fn folder_in_place_of_the_file_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        assert!(Tail::new(folder.path().to_owned()).read().is_err());
    }
}
