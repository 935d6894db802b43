//! The display of a training run on standard error. On a terminal it is a picture that is redrawn in place;
//! otherwise it writes a line of text every few seconds. A *unit* is one training iteration, *work* is what
//! the lab counts, such as games, and an *invocation* is one start of this program: a run may be continued by
//! several.

mod chart;
mod frame;
pub mod metric;
mod styled_line;

use std::io::{self, IsTerminal};
use std::path::PathBuf;

use learnery_lab::{Limits, Session};

use crate::limits::EndReason;
use crate::terminal::stderr;
use frame::Frame;
use metric::WatchedMetric;
use styled_line::StyledLine;

/// The state of a run, as displayed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunState {
    Learning,
    /// The user has pressed Ctrl-C, and the unit in progress is being finished.
    Stopping,
    Ended(EndReason),
}

/// What is displayed and constant during an invocation.
pub struct RunInfo {
    /// The folder of the run.
    pub path: PathBuf,
    pub limits: Limits,
    /// The number of completed units when this invocation began.
    pub first_unit: u64,
}

/// What is displayed and changes during an invocation.
pub struct Snapshot<'a> {
    pub session: &'a Session,
    /// Seconds since this invocation began.
    pub seconds: f64,
    /// (Units per second, work per second).
    pub pace: (f64, f64),
    pub state: RunState,
}

/// The form of the display.
enum Output {
    /// A picture that is redrawn in place. `drawn` are the widths of the lines that are on the screen now.
    Live { drawn: Vec<usize>, colour: bool },
    /// Lines of text. The next one is due at the time `next`, in seconds since the invocation began.
    Lines { next: f64 },
}

/// The display of one run.
pub struct Display {
    run: RunInfo,
    metric: Option<WatchedMetric>,
    output: Output,
    /// When the last frame was drawn, in seconds since the invocation began.
    drawn_at: f64,
    /// Frames drawn so far.
    frames: usize,
}

/// Seconds between two frames.
const FRAME_INTERVAL: f64 = 0.1;

/// Seconds between two lines of text. Each interval applies once the invocation is at least that old.
const LINE_INTERVALS: [f64; 4] = [2.0, 5.0, 10.0, 30.0];

impl Display {
    /// `json` means that events are written to standard output. If that is the same terminal, the display
    /// writes lines of text, because a picture would overwrite the events.
    pub fn new(run: RunInfo, session: &Session, json: bool) -> Self {
        // `dumb` is the conventional name of terminals without control sequences.
        let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        let shared = json && io::stdout().is_terminal();
        let output = if io::stderr().is_terminal() && !dumb && !shared {
            // On Windows, this call enables control sequences.
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

    /// Records the metrics of the unit that has just ended.
    pub fn record(&mut self, session: &Session) {
        if let Some(metric) = &mut self.metric {
            metric.record(session);
        }
    }

    /// Draws a frame or writes a line, if one is due.
    pub fn update(&mut self, now: &Snapshot) {
        match &mut self.output {
            Output::Live { .. } if now.seconds - self.drawn_at >= FRAME_INTERVAL => self.draw(now),
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

/// The control sequences and text that replace the lines drawn before, in one write and (where the terminal
/// supports synchronised output) without flicker. `drawn` holds the widths of the old lines.
fn repaint(drawn: &[usize], lines: &[StyledLine], columns: usize, colour: bool) -> String {
    // The screen is one column wider than the frame. If it has become narrower, it has wrapped the old lines
    // over several rows.
    let rows: usize = drawn.iter().map(|width| width.div_ceil(columns + 1).max(1)).sum();
    const BEGIN_SYNCHRONISED: &str = "\x1b[?2026h";
    const END_SYNCHRONISED: &str = "\x1b[?2026l";
    const CLEAR_REST_OF_LINE: &str = "\x1b[K";
    const CLEAR_BELOW: &str = "\x1b[J";
    let mut out = format!("{BEGIN_SYNCHRONISED}\r");
    if rows > 0 {
        // Moves the cursor up.
        out.push_str(&format!("\x1b[{rows}A"));
    }
    for line in lines {
        out.push_str(&line.render(columns, colour));
        out.push_str(CLEAR_REST_OF_LINE);
        out.push('\n');
    }
    out.push_str(CLEAR_BELOW);
    out.push_str(END_SYNCHRONISED);
    out
}

/// False if the environment variable NO_COLOR is set and not empty (no-color.org).
fn colour_is_wanted() -> bool {
    std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}
