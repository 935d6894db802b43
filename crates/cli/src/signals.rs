//! Being asked to stop. The first Ctrl-C (or a request to terminate) lets the current unit end and the
//! run be saved; the second ends at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result};

use crate::display;

/// Exit code of a program that was ended by Ctrl-C.
const ENDED_BY_CTRL_C: i32 = 130;

/// True from the first request to stop on.
#[derive(Clone, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Listens from now on; once per process.
    pub fn listen() -> Result<Self> {
        let stop = Self::default();
        let asked = stop.clone();
        ctrlc::set_handler(move || {
            if asked.0.swap(true, Ordering::Relaxed) {
                display::give_back_cursor();
                std::process::exit(ENDED_BY_CTRL_C);
            }
        })
        .context("Ctrl-C cannot be listened for")?;
        Ok(stop)
    }

    /// True once someone has asked.
    pub fn asked(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
