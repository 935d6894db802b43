//! A file to which bytes are appended. What cannot be written, because the disk is full, stays in memory and
//! is written later.

use std::fs::File;
use std::io::{self, Write};

/// From this many bytes on, what was appended is written.
const BUFFER_BYTES: usize = 1 << 16;
/// The most that waits for a disk with room.
const MAX_PENDING_BYTES: usize = 1 << 26;

/// The file, with what is not written yet. `F` is [`File`] except in tests.
pub struct PendingFile<F: Write = File> {
    file: F,
    pending: Vec<u8>,
    /// The number of pending bytes from which on the next attempt to write is due.
    due_at: usize,
}

impl<F: Write> PendingFile<F> {
    pub fn new(file: F) -> Self {
        Self { file, pending: Vec::new(), due_at: BUFFER_BYTES }
    }

    pub fn file(&self) -> &F {
        &self.file
    }

    /// Appends bytes. Returns an error only if they wait for room in memory, which is full.
    pub fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.pending.extend_from_slice(bytes);
        if self.pending.len() < self.due_at {
            return Ok(());
        }
        let written = self.flush();
        self.due_at = self.pending.len() + BUFFER_BYTES;
        if self.pending.len() < MAX_PENDING_BYTES { Ok(()) } else { written }
    }

    /// Passes all bytes to the operating system. What it refuses is kept.
    pub fn flush(&mut self) -> io::Result<()> {
        let mut written = 0;
        let result = loop {
            if written == self.pending.len() {
                break Ok(());
            }
            match self.file.write(&self.pending[written..]) {
                Ok(0) => break Err(io::ErrorKind::WriteZero.into()),
                Ok(n) => written += n,
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) => break Err(e),
            }
        };
        self.pending.drain(..written);
        result
    }
}

impl<F: Write> Drop for PendingFile<F> {
    fn drop(&mut self) {
        // Whoever needs to know calls `flush` before.
        let _ = self.flush();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A disk with room for this many bytes.
    struct Disk {
        content: Vec<u8>,
        room: usize,
    }

    impl Write for Disk {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let n = bytes.len().min(self.room - self.content.len());
            if n == 0 {
                return Err(io::ErrorKind::StorageFull.into());
            }
            self.content.extend_from_slice(&bytes[..n]);
            Ok(n)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn what_a_full_disk_refuses_is_written_later_and_once() {
        let mut file = PendingFile::new(Disk { content: Vec::new(), room: 7 });
        file.append(b"one\n").unwrap();
        file.flush().unwrap();
        file.append(b"two\n").unwrap();
        assert_eq!(file.flush().unwrap_err().kind(), io::ErrorKind::StorageFull);
        file.append(b"three\n").unwrap();
        assert!(file.flush().is_err());
        assert_eq!(file.file.content, b"one\ntwo");
        file.file.room = 100;
        file.flush().unwrap();
        assert_eq!(file.file.content, b"one\ntwo\nthree\n");
    }

    #[test]
    fn much_that_waits_is_an_error() {
        let mut file = PendingFile::new(Disk { content: Vec::new(), room: 0 });
        let megabyte = vec![0; 1 << 20];
        let accepted = (0..100).take_while(|_| file.append(&megabyte).is_ok()).count();
        assert_eq!(accepted, (MAX_PENDING_BYTES >> 20) - 1);
    }
}
