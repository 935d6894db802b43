//! Standard error, where all messages for people go. Errors while writing to it are ignored, so that a closed
//! terminal does not stop a run.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether the live display has hidden the terminal's cursor.
static IS_CURSOR_HIDDEN: AtomicBool = AtomicBool::new(false);

/// Whether only errors are written.
static IS_QUIET: AtomicBool = AtomicBool::new(false);

const HIDE_CURSOR: &str = "\x1b[?25l";
const SHOW_CURSOR: &str = "\x1b[?25h";

/// From now on writes only errors.
pub fn be_quiet() {
    IS_QUIET.store(true, Ordering::Relaxed);
}

/// Writes text and flushes, unless only errors are wanted.
pub fn write(text: &str) {
    if !IS_QUIET.load(Ordering::Relaxed) {
        write_always(text);
    }
}

/// Writes the sentence of an error.
pub fn write_error(sentence: &str) {
    write_always(&format!("error: {sentence}\n"));
}

/// Writes what belongs to an error, and flushes.
pub fn write_always(text: &str) {
    let mut err = io::stderr().lock();
    let _ = err.write_all(text.as_bytes()).and_then(|()| err.flush());
}

/// Hides the cursor, so that it does not flicker over the live display.
pub fn hide_cursor() {
    IS_CURSOR_HIDDEN.store(true, Ordering::Relaxed);
    write(HIDE_CURSOR);
}

/// Shows the cursor again if it was hidden.
pub fn show_cursor() {
    if IS_CURSOR_HIDDEN.swap(false, Ordering::Relaxed) {
        write(SHOW_CURSOR);
    }
}
