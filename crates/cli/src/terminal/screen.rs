//! The whole screen of the terminal: taken over by a command, and given back whatever happens. Keys are read
//! in a thread of their own. If the terminal hangs up, reading may never come back (crossterm then asks again
//! and again); the program ends without that thread.

use std::io;
use std::mem::ManuallyDrop;
use std::sync::mpsc::{Receiver, channel};
use std::thread;

use anyhow::{Result, anyhow};
use ratatui::DefaultTerminal;
use ratatui::crossterm::event::{self, Event};

use crate::failure::io_reason;

/// The terminal with its alternate screen.
pub struct Screen {
    /// Never dropped: its `drop` reports a terminal that is gone on standard error, and panics if that is
    /// gone too.
    pub terminal: ManuallyDrop<DefaultTerminal>,
}

impl Screen {
    /// Takes the terminal over. A panic gives it back before its message.
    pub fn open() -> Result<Self> {
        let terminal = ratatui::try_init().map_err(|e| {
            // A part may have been changed.
            _ = ratatui::try_restore();
            anyhow!("the terminal cannot be used: {}", io_reason(&e))
        })?;
        Ok(Self { terminal: ManuallyDrop::new(terminal) })
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        // After a hang-up there is nothing to give back.
        _ = self.terminal.show_cursor();
        _ = ratatui::try_restore();
    }
}

/// Keys and changes of size as they come. An error is the last.
pub fn events() -> Receiver<io::Result<Event>> {
    let (sender, receiver) = channel();
    thread::spawn(move || {
        loop {
            let event = event::read();
            let is_last = event.is_err();
            if sender.send(event).is_err() || is_last {
                return;
            }
        }
    });
    receiver
}
