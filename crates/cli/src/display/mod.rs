//! The display of a training run on standard error. On a terminal it is a picture that is redrawn in place;
//! otherwise it writes a line of text every few seconds, or a table of all metrics if that is wanted. A
//! *unit* is one training iteration, *work* is what the lab counts, such as games, and an *invocation* is one
//! start of this program: a run may be continued by several.

mod chart;
mod frame;
pub mod metric;
mod plain_table;
mod styled_line;

use std::io::{self, IsTerminal};
use std::path::PathBuf;

use learnery_lab::{Limits, Session};

use crate::limits::EndReason;
use crate::terminal::stderr;
use frame::Frame;
use metric::WatchedMetric;
use plain_table::NewestValues;
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
    pub units_per_second: f64,
    pub work_per_second: f64,
    pub state: RunState,
}

/// The form of the display.
enum Output {
    /// A picture that is redrawn in place. `line_widths` are those of the lines that are on the screen now.
    Live { line_widths: Vec<usize>, has_colour: bool },
    /// Lines of text, or tables of these values. The next one is due this many seconds after the invocation
    /// began.
    Text { next_due_seconds: f64, table: Option<NewestValues> },
}

/// The display of one run.
pub struct Display {
    run: RunInfo,
    metric: Option<WatchedMetric>,
    output: Output,
    /// When the last frame was drawn, in seconds since the invocation began.
    drawn_at_seconds: f64,
    frames_drawn: usize,
}

const FRAME_INTERVAL_SECONDS: f64 = 0.1;

/// Seconds between two lines of text or tables. The interval is the largest of these that does not exceed the
/// age of the invocation, so lines become rarer.
const LINE_INTERVALS_SECONDS: [f64; 4] = [2.0, 5.0, 10.0, 30.0];

impl Display {
    /// `json` means that events are written to standard output. If that is the same terminal, the display
    /// writes lines of text, because a picture would overwrite the events. With `plain` it writes tables.
    pub fn new(run: RunInfo, session: &Session, json: bool, plain: bool) -> Self {
        // `dumb` is the conventional name of terminals without control sequences.
        let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        let has_events_on_terminal = json && io::stdout().is_terminal();
        let output = if io::stderr().is_terminal() && !is_dumb && !has_events_on_terminal && !plain {
            // On Windows, this call enables control sequences.
            #[cfg(windows)]
            crossterm::ansi_support::supports_ansi();
            stderr::hide_cursor();
            Output::Live { line_widths: Vec::new(), has_colour: is_colour_wanted() }
        } else {
            let table = plain.then(|| NewestValues::of(session));
            Output::Text { next_due_seconds: LINE_INTERVALS_SECONDS[0], table }
        };
        // The first frame is due at once.
        let drawn_at_seconds = f64::NEG_INFINITY;
        Self { run, metric: WatchedMetric::of(session), output, drawn_at_seconds, frames_drawn: 0 }
    }

    pub fn metric(&self) -> Option<&WatchedMetric> {
        self.metric.as_ref()
    }

    /// Records the metrics of the unit that has just ended.
    pub fn record(&mut self, session: &Session) {
        if let Some(metric) = &mut self.metric {
            metric.record(session);
        }
        if let Output::Text { table: Some(values), .. } = &mut self.output {
            values.record(session);
        }
    }

    /// Draws a frame or writes a line, if one is due.
    pub fn update(&mut self, snapshot: &Snapshot) {
        let age_seconds = snapshot.seconds;
        match &mut self.output {
            Output::Live { .. } if age_seconds - self.drawn_at_seconds >= FRAME_INTERVAL_SECONDS => {
                self.draw(snapshot);
            }
            Output::Text { next_due_seconds, .. } if age_seconds >= *next_due_seconds => {
                let mut from_the_largest = LINE_INTERVALS_SECONDS.into_iter().rev();
                let interval = from_the_largest.find(|interval| age_seconds >= *interval);
                *next_due_seconds = age_seconds + interval.unwrap_or(LINE_INTERVALS_SECONDS[0]);
                self.write_text(snapshot);
            }
            // Nothing is due yet.
            Output::Live { .. } | Output::Text { .. } => {}
        }
    }

    /// Writes a sentence above what is drawn.
    pub fn tell(&mut self, sentence: &str) {
        if let Output::Live { line_widths, has_colour } = &mut self.output {
            // As if no line was wrapped. `repaint` adds one to the number of columns.
            stderr::write(&repaint(line_widths, &[], usize::MAX - 1, *has_colour));
            line_widths.clear();
        }
        stderr::write(&format!("{sentence}\n"));
    }

    /// Draws the last frame, which stays on the screen, or writes the last line or table.
    pub fn finish(&mut self, snapshot: &Snapshot) {
        match self.output {
            Output::Live { .. } => self.draw(snapshot),
            Output::Text { .. } => self.write_text(snapshot),
        }
        // Messages follow while the display still exists; `drop` shows the cursor after an error.
        stderr::show_cursor();
    }

    fn draw(&mut self, snapshot: &Snapshot) {
        self.drawn_at_seconds = snapshot.seconds;
        self.frames_drawn += 1;
        // 80 by 24 is the traditional size of a terminal.
        let (columns, rows) = crossterm::terminal::size().unwrap_or((80, 24));
        // The last column stays empty: some terminals wrap a line as soon as it is filled.
        let (columns, rows) = (usize::from(columns).max(2) - 1, usize::from(rows));
        let lines = self.frame(snapshot).lines(columns, rows);
        let Output::Live { line_widths, has_colour } = &mut self.output else { return };
        stderr::write(&repaint(line_widths, &lines, columns, *has_colour));
        *line_widths = lines.iter().map(|line| line.width().min(columns)).collect();
    }

    fn write_text(&mut self, snapshot: &Snapshot) {
        stderr::write(&match &self.output {
            Output::Text { table: Some(values), .. } => values.table(snapshot),
            _ => self.frame(snapshot).plain_line() + "\n",
        });
    }

    fn frame<'a>(&'a self, snapshot: &'a Snapshot<'a>) -> Frame<'a> {
        Frame { run: &self.run, metric: self.metric.as_ref(), snapshot, frame_number: self.frames_drawn }
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        stderr::show_cursor();
    }
}

/// The control sequences and text that replace the lines drawn before, in one write and (where the terminal
/// supports synchronised output) without flicker.
fn repaint(old_line_widths: &[usize], lines: &[StyledLine], columns: usize, has_colour: bool) -> String {
    // The screen is one column wider than the frame. If it has become narrower, it has wrapped the old lines
    // over several rows.
    let old_rows: usize = old_line_widths.iter().map(|width| width.div_ceil(columns + 1).max(1)).sum();
    const BEGIN_SYNCHRONISED: &str = "\x1b[?2026h";
    const END_SYNCHRONISED: &str = "\x1b[?2026l";
    const CLEAR_REST_OF_LINE: &str = "\x1b[K";
    const CLEAR_BELOW: &str = "\x1b[J";
    let mut out = format!("{BEGIN_SYNCHRONISED}\r");
    // Moves the cursor up to the first old line. With the number 0 it would move by one row.
    if old_rows > 0 {
        out.push_str(&format!("\x1b[{old_rows}A"));
    }
    for line in lines {
        out.push_str(&line.render(columns, has_colour));
        out.push_str(CLEAR_REST_OF_LINE);
        out.push('\n');
    }
    out.push_str(CLEAR_BELOW);
    out.push_str(END_SYNCHRONISED);
    out
}

/// False if the environment variable NO_COLOR is set and not empty (no-color.org).
fn is_colour_wanted() -> bool {
    std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}
