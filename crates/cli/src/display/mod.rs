//! What a person sees while a lab trains, always on standard error: a live picture on a terminal, plain
//! lines now and then elsewhere.

pub mod chart;
mod frame;
pub mod numbers;
pub mod text;

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use learnery_lab::{Better, Goal, MetricSpec, Session};

use crate::limits::{Limits, Reason};
use frame::Frame;
use text::Line;

/// What the run is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// It learns.
    Learning,
    /// It was asked to stop and finishes its unit.
    Stopping,
    /// It is over.
    Over(Reason),
}

/// What stays the same while a run goes on.
pub struct Run {
    /// Its folder.
    pub path: PathBuf,
    /// What ends it.
    pub limits: Limits,
    /// The unit at which this sitting began.
    pub first_unit: u64,
}

/// What changes.
pub struct Now<'a> {
    /// The run itself.
    pub session: &'a Session,
    /// Seconds of this sitting.
    pub seconds: f64,
    /// Units and work a second.
    pub pace: (f64, f64),
    /// What it is doing.
    pub phase: Phase,
}

/// The metric to watch: the goal's, or the lab's most telling one.
pub struct Watched {
    /// What the metric is.
    pub spec: &'static MetricSpec,
    /// The goal, where there is one.
    pub goal: Option<Goal>,
    /// What was measured last.
    pub latest: Option<f64>,
    /// What was measured first.
    first: Option<f64>,
}

impl Watched {
    /// The metric to watch in this run.
    pub fn of(session: &Session) -> Option<Self> {
        let about = session.entry().about;
        let goal = session.goal();
        let name = goal.as_ref().map(|goal| goal.metric).or(about.charts.first().copied())?;
        let spec = about.metrics.iter().find(|spec| spec.name == name)?;
        let mut watched = Self { spec, goal, latest: None, first: None };
        let points = watched.points(session);
        watched.first = points.first().map(|(_, v)| *v);
        watched.latest = points.last().map(|(_, v)| *v);
        watched.note(session);
        Some(watched)
    }

    /// Takes note of the unit that has just ended.
    pub fn note(&mut self, session: &Session) {
        self.goal = session.goal();
        let (about, row) = (session.entry().about, session.row());
        if self.goal.is_none() && self.latest.is_none() {
            // What the lab would rather show may never be measured with these settings.
            let measured = about.charts.iter().find(|name| row.get(name).is_finite());
            let spec = about.metrics.iter().find(|spec| measured.is_some_and(|name| spec.name == *name));
            self.spec = spec.unwrap_or(self.spec);
        }
        let value = row.get(self.spec.name);
        if value.is_finite() {
            self.latest = Some(value);
            self.first = self.first.or(self.latest);
        }
    }

    /// Everything measured so far, as far as the history keeps it.
    pub fn points(&self, session: &Session) -> Vec<(u64, f64)> {
        let metrics = session.entry().about.metrics;
        let Some(index) = metrics.iter().position(|spec| spec.name == self.spec.name) else { return vec![] };
        let history = session.history();
        let column = history.columns()[index].iter().copied();
        history.units().iter().copied().zip(column).filter(|(_, v)| v.is_finite()).collect()
    }

    /// How much of the way from the first value to the goal is behind.
    pub fn share(&self) -> Option<f64> {
        let goal = self.goal.as_ref()?;
        let latest = self.latest?;
        let reached = match self.spec.better {
            Better::Lower => latest <= goal.target,
            _ => latest >= goal.target,
        };
        let first = self.first.unwrap_or(latest);
        Some(if reached { 1.0 } else { ((latest - first) / (goal.target - first)).clamp(0.0, 0.99) })
    }

    /// `examination 312.4 of 475 steps`, without the label.
    pub fn words(&self) -> String {
        let value = self.latest.map_or("–".into(), numbers::value);
        let unit = if self.spec.unit.is_empty() { String::new() } else { format!(" {}", self.spec.unit) };
        match &self.goal {
            Some(goal) => format!("{value} of {}{unit}", numbers::target(goal.target)),
            None => format!("{value}{unit}"),
        }
    }
}

/// How it is shown.
enum Kind {
    Live { drawn: Vec<usize>, colour: bool },
    Lines { next: f64 },
}

/// The display of one run.
pub struct Display {
    run: Run,
    watched: Option<Watched>,
    kind: Kind,
    drawn_at: f64,
    frames: usize,
}

/// Seconds between two pictures.
const REDRAW: f64 = 0.1;

/// Seconds between two lines: the first comes soon, then they thin out.
const LINES: [f64; 4] = [2.0, 5.0, 10.0, 30.0];

static CURSOR_HIDDEN: AtomicBool = AtomicBool::new(false);

/// Shows the cursor again where it was hidden.
pub fn give_back_cursor() {
    if CURSOR_HIDDEN.swap(false, Ordering::Relaxed) {
        put("\x1b[?25h");
    }
}

/// Writes to standard error. That nobody reads it is no reason to stop.
pub fn put(text: &str) {
    let mut err = io::stderr().lock();
    let _ = err.write_all(text.as_bytes()).and_then(|()| err.flush());
}

impl Display {
    /// A display of this run. `json` says that standard output carries a stream of its own.
    pub fn new(run: Run, session: &Session, json: bool) -> Self {
        let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        let mixed = json && io::stdout().is_terminal();
        let kind = if io::stderr().is_terminal() && !dumb && !mixed {
            #[cfg(windows)]
            crossterm::ansi_support::supports_ansi();
            CURSOR_HIDDEN.store(true, Ordering::Relaxed);
            put("\x1b[?25l");
            Kind::Live { drawn: Vec::new(), colour: colour() }
        } else {
            Kind::Lines { next: LINES[0] }
        };
        Self { run, watched: Watched::of(session), kind, drawn_at: f64::NEG_INFINITY, frames: 0 }
    }

    /// The metric that is watched.
    pub fn watched(&self) -> Option<&Watched> {
        self.watched.as_ref()
    }

    /// Takes note of the unit that has just ended.
    pub fn note(&mut self, session: &Session) {
        if let Some(watched) = &mut self.watched {
            watched.note(session);
        }
    }

    /// Shows where the run stands, where it is time to.
    pub fn tick(&mut self, now: &Now) {
        match &mut self.kind {
            Kind::Live { .. } if now.seconds - self.drawn_at >= REDRAW => self.draw(now),
            Kind::Lines { next } if now.seconds >= *next => {
                let gap = LINES.into_iter().rev().find(|gap| now.seconds >= *gap).unwrap_or(LINES[0]);
                *next = now.seconds + gap;
                self.line(now);
            }
            _ => {}
        }
    }

    /// Shows the last picture and leaves it standing.
    pub fn finish(&mut self, now: &Now) {
        match self.kind {
            Kind::Live { .. } => self.draw(now),
            Kind::Lines { .. } => self.line(now),
        }
        give_back_cursor();
    }

    fn draw(&mut self, now: &Now) {
        self.drawn_at = now.seconds;
        self.frames += 1;
        let (columns, rows) = crossterm::terminal::size().unwrap_or((80, 24));
        // The last column stays empty: some terminals wrap as soon as it is filled.
        let (columns, rows) = (usize::from(columns).max(2) - 1, usize::from(rows));
        let frame = Frame { run: &self.run, watched: self.watched.as_ref(), now, spin: self.frames };
        let lines = frame.lines(columns, rows);
        let Kind::Live { drawn, colour } = &mut self.kind else { return };
        put(&repaint(drawn, &lines, columns, *colour));
        *drawn = lines.iter().map(|line| line.width().min(columns)).collect();
    }

    fn line(&mut self, now: &Now) {
        let frame = Frame { run: &self.run, watched: self.watched.as_ref(), now, spin: 0 };
        put(&(frame.sentence() + "\n"));
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        give_back_cursor();
    }
}

/// One write that replaces the lines drawn before by `lines`.
fn repaint(drawn: &[usize], lines: &[Line], columns: usize, colour: bool) -> String {
    // A terminal made narrower since has broken the old lines over several rows.
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

/// Colours are left out where NO_COLOR asks for it (no-color.org).
fn colour() -> bool {
    std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}
