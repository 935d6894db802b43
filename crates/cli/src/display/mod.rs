//! The display of a run in training, on standard error: a live picture on a terminal, otherwise a line now and then.

mod chart;
mod frame;
pub mod metric;
mod styled_line;

use std::io::{self, IsTerminal};
use std::path::PathBuf;

use learnery_lab::Session;

use crate::limits::{EndReason, Limits};
use crate::terminal::stderr;
use frame::Frame;
use metric::WatchedMetric;
use styled_line::StyledLine;

/// What a run is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunState {
    Learning,
    /// It was asked to stop and finishes its unit.
    Stopping,
    Over(EndReason),
}

/// What does not change while a run goes on.
pub struct RunInfo {
    /// The folder of the run.
    pub path: PathBuf,
    pub limits: Limits,
    /// Units of the run when this invocation began.
    pub first_unit: u64,
}

/// What changes while a run goes on.
pub struct Snapshot<'a> {
    pub session: &'a Session,
    /// Seconds of this invocation.
    pub seconds: f64,
    /// Units and work per second.
    pub pace: (f64, f64),
    pub state: RunState,
}

enum Output {
    /// Redrawn in place. `drawn` holds the widths of the lines on the screen.
    Live { drawn: Vec<usize>, colour: bool },
    /// A line of text at the time `next`, in seconds.
    Lines { next: f64 },
}

/// The display of one run.
pub struct Display {
    run: RunInfo,
    metric: Option<WatchedMetric>,
    output: Output,
    /// When the last frame was drawn, in seconds.
    drawn_at: f64,
    /// Frames drawn so far.
    frames: usize,
}

/// Seconds between two frames.
const REDRAW: f64 = 0.1;

/// Seconds between two lines of text. The intervals grow with the age of the run.
const LINE_INTERVALS: [f64; 4] = [2.0, 5.0, 10.0, 30.0];

impl Display {
    /// `json`: events are written to standard output, so a live picture must not share the terminal with them.
    pub fn new(run: RunInfo, session: &Session, json: bool) -> Self {
        let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        let shared = json && io::stdout().is_terminal();
        let output = if io::stderr().is_terminal() && !dumb && !shared {
            #[cfg(windows)]
            crossterm::ansi_support::supports_ansi();
            stderr::hide_cursor();
            Output::Live { drawn: Vec::new(), colour: colour_is_wanted() }
        } else {
            Output::Lines { next: LINE_INTERVALS[0] }
        };
        Self { run, metric: WatchedMetric::of(session), output, drawn_at: f64::NEG_INFINITY, frames: 0 }
    }

    pub fn metric(&self) -> Option<&WatchedMetric> {
        self.metric.as_ref()
    }

    /// Takes the metrics of the unit that has just ended.
    pub fn record(&mut self, session: &Session) {
        if let Some(metric) = &mut self.metric {
            metric.record(session);
        }
    }

    /// Draws a frame or writes a line, if one is due.
    pub fn update(&mut self, now: &Snapshot) {
        match &mut self.output {
            Output::Live { .. } if now.seconds - self.drawn_at >= REDRAW => self.draw(now),
            Output::Lines { next } if now.seconds >= *next => {
                let interval = LINE_INTERVALS.into_iter().rev().find(|interval| now.seconds >= *interval);
                *next = now.seconds + interval.unwrap_or(LINE_INTERVALS[0]);
                self.write_line(now);
            }
            _ => {}
        }
    }

    /// Draws the last frame, which stays on the screen.
    pub fn finish(&mut self, now: &Snapshot) {
        match self.output {
            Output::Live { .. } => self.draw(now),
            Output::Lines { .. } => self.write_line(now),
        }
        stderr::show_cursor();
    }

    fn draw(&mut self, now: &Snapshot) {
        self.drawn_at = now.seconds;
        self.frames += 1;
        let (columns, rows) = crossterm::terminal::size().unwrap_or((80, 24));
        // The last column stays empty: some terminals wrap a line as soon as it is filled.
        let (columns, rows) = (usize::from(columns).max(2) - 1, usize::from(rows));
        let lines = self.frame(now).lines(columns, rows);
        let Output::Live { drawn, colour } = &mut self.output else { return };
        stderr::write(&repaint(drawn, &lines, columns, *colour));
        *drawn = lines.iter().map(|line| line.width().min(columns)).collect();
    }

    fn write_line(&mut self, now: &Snapshot) {
        stderr::write(&(self.frame(now).plain_line() + "\n"));
    }

    fn frame<'a>(&'a self, now: &'a Snapshot<'a>) -> Frame<'a> {
        Frame { run: &self.run, metric: self.metric.as_ref(), now, spinner: self.frames }
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        stderr::show_cursor();
    }
}

/// The control sequences and text that replace the lines drawn before, in one write and (where the terminal supports
/// synchronised output) without flicker. `drawn` holds the widths of the old lines.
fn repaint(drawn: &[usize], lines: &[StyledLine], columns: usize, colour: bool) -> String {
    // If the terminal has become narrower, it has wrapped the old lines over several rows.
    let rows: usize = drawn.iter().map(|width| width.div_ceil(columns + 1).max(1)).sum();
    let mut out = String::from("\x1b[?2026h\r");
    if rows > 0 {
        out.push_str(&format!("\x1b[{rows}A"));
    }
    for line in lines {
        out.push_str(&line.render(columns, colour));
        out.push_str("\x1b[K\n");
    }
    out.push_str("\x1b[J\x1b[?2026l");
    out
}

/// False if NO_COLOR is set (no-color.org).
fn colour_is_wanted() -> bool {
    std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}
