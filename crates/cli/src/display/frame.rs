//! One frame of the live display: state of the run, curve of the watched metric, progress bar, counts and
//! speed. A *unit* is one training iteration (a round in backgammon); *work* is the amount processed, such as
//! world steps or tokens.

use learnery_lab::About;

use super::chart::{self, Curve};
use super::metric::WatchedMetric;
use super::styled_line::{Style, StyledLine};
use super::{RunInfo, RunState, Snapshot};
use crate::limits::EndReason;
use crate::terminal::numbers;

const SPINNER: [&str; 10] = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];

/// The minimum height of the curve in lines: its labels, the highest and the lowest value, need one each.
const MIN_CHART_LINES: usize = 2;

/// The maximum height of the curve in lines.
const MAX_CHART_LINES: usize = 6;

/// The minimum width of the frame, in characters, at which the curve has labels.
const MIN_COLUMNS_FOR_LABELS: usize = 44;

/// The maximum width of the frame in characters. Wider frames are hard to read.
const MAX_COLUMNS: usize = 110;

/// The minimum width of the progress bar in characters.
const MIN_BAR_COLUMNS: usize = 4;

/// What separates the progress bar from the value before it.
const BAR_GAP: &str = "  ";

/// What one frame shows.
pub struct Frame<'a> {
    pub run: &'a RunInfo,
    pub metric: Option<&'a WatchedMetric>,
    pub snapshot: &'a Snapshot<'a>,
    /// The number of this frame, which selects the symbol of the animated spinner.
    pub frame_number: usize,
}

impl Frame<'_> {
    fn about(&self) -> &'static About {
        self.snapshot.session.entry().about
    }

    /// The lines of the frame for a terminal of this size.
    pub fn lines(&self, columns: usize, rows: usize) -> Vec<StyledLine> {
        let columns = columns.min(MAX_COLUMNS);
        let mut lines = vec![self.heading(columns)];
        let lines_below: Vec<StyledLine> =
            self.progress(columns).into_iter().chain(self.counts(columns)).collect();
        // Rows other than the curve's and `lines_below`: the heading, the line of the cursor, and an empty
        // one.
        const OTHER_ROWS: usize = 3;
        let chart_lines = rows.saturating_sub(lines_below.len() + OTHER_ROWS).min(MAX_CHART_LINES);
        if chart_lines >= MIN_CHART_LINES {
            lines.extend(self.curve(columns, chart_lines));
        }
        lines.extend(lines_below);
        lines
    }

    /// The state of the run as (symbol, description, shorter description for narrow terminals).
    fn state(&self) -> (&'static str, String, &'static str) {
        let unit = self.about().unit;
        let spinner = SPINNER[self.frame_number % SPINNER.len()];
        match (self.snapshot.state, self.snapshot.session.solved_at()) {
            (RunState::Learning, Some(n)) => {
                (spinner, format!("learning on, goal reached at {unit} {}", numbers::count(n)), "learning on")
            }
            (RunState::Learning, None) => (spinner, "learning".into(), "learning"),
            (RunState::Stopping, _) => (spinner, format!("finishing this {unit}, then saving"), "stopping"),
            (RunState::Ended(EndReason::Goal), _) => ("✓", "goal reached".into(), "goal reached"),
            (RunState::Ended(EndReason::Units | EndReason::Time | EndReason::Schedule), Some(_)) => {
                ("✓", "done, goal reached".into(), "goal reached")
            }
            (RunState::Ended(EndReason::Units | EndReason::Time | EndReason::Schedule), None) => {
                ("■", "done".into(), "done")
            }
            (
                RunState::Ended(EndReason::Interrupted | EndReason::StdoutClosed | EndReason::StdoutFailed),
                _,
            ) => ("■", "stopped".into(), "stopped"),
        }
    }

    fn heading(&self, columns: usize) -> StyledLine {
        let (symbol, long, short) = self.state();
        let line_with = |state: &str| {
            StyledLine::new()
                .with(Style::Accent, symbol)
                .with(Style::Strong, format!(" {}", self.about().title))
                .with(Style::Plain, format!("  {state}"))
        };
        let mut line = if line_with(&long).width() <= columns { line_with(&long) } else { line_with(short) };
        line.push_right(Style::Quiet, &self.run.path.display().to_string(), columns);
        line
    }

    fn curve(&self, columns: usize, height: usize) -> Vec<StyledLine> {
        let Some(metric) = self.metric else { return Vec::new() };
        let points = metric.points(self.snapshot.session);
        let target = metric.goal.as_ref().map(|goal| goal.target);
        let last = self.snapshot.session.units().max(1);
        let curve = Curve { points: &points, target, first: 1, last };
        if columns < MIN_COLUMNS_FOR_LABELS {
            return chart::draw(&curve, columns, height);
        }
        // The width of the labels with the axis, as formatted below.
        const LABEL_AND_AXIS_COLUMNS: usize = 9;
        let labels = chart::line_labels(&curve, height);
        let drawn = chart::draw(&curve, columns - LABEL_AND_AXIS_COLUMNS, height);
        let with_label = |(label, line): (Option<f64>, StyledLine)| {
            let label = label.map_or(String::new(), numbers::axis_label);
            let mut labelled = StyledLine::new().with(Style::Quiet, format!("{label:>7} │"));
            labelled.append(line);
            labelled
        };
        labels.into_iter().zip(drawn).map(with_label).collect()
    }

    /// The watched metric with a progress bar. The bar shows the progress to the goal. Without a goal, or
    /// before its metric has a value, it shows the fraction of the limits that is used up.
    fn progress(&self, columns: usize) -> Option<StyledLine> {
        let metric = self.metric?;
        // A fixed width of 18, so that the bar does not move when the value gets longer.
        let value = format!("{:<18}", metric.text());
        let fraction = metric.goal_fraction().or_else(|| self.limit_fraction());
        let percent = fraction.map_or(String::new(), |fraction| format!(" {:>3.0} %", 100.0 * fraction));
        let room = columns.saturating_sub(value.chars().count() + percent.len() + 1);
        let label = fit_label(metric.spec.label, room);
        let mut line = StyledLine::new().with(Style::Quiet, format!("{label} ")).with(Style::Strong, value);
        if let Some(fraction) = fraction {
            let width = columns.saturating_sub(line.width() + BAR_GAP.len() + percent.len());
            if width >= MIN_BAR_COLUMNS {
                // In half characters: the bar may end with the left half of a character.
                let done = (2.0 * width as f64 * fraction).round() as usize;
                line.push(Style::Plain, BAR_GAP);
                line.push(Style::Accent, "━".repeat(done / 2));
                line.push(Style::Accent, "╸".repeat(done % 2));
                line.push(Style::Quiet, "─".repeat(width - done / 2 - done % 2));
            }
            line.push(Style::Plain, percent);
        }
        Some(line)
    }

    /// The fraction of the limit of units or of time that is used up, whichever is larger; `None` without a
    /// limit.
    fn limit_fraction(&self) -> Option<f64> {
        let limits = &self.run.limits;
        let first = self.run.first_unit;
        let units = limits.last_unit.or(limits.schedule).map(|last| {
            (self.snapshot.session.units() - first) as f64 / (last.saturating_sub(first)).max(1) as f64
        });
        let time = limits.seconds.map(|limit| self.snapshot.seconds / limit.max(1e-9));
        units.into_iter().chain(time).reduce(f64::max).map(|fraction| fraction.min(1.0))
    }

    /// Units and work with their speeds, and the time, on as many lines as they need.
    fn counts(&self, columns: usize) -> Vec<StyledLine> {
        let session = self.snapshot.session;
        let Snapshot { units_per_second, work_per_second, .. } = *self.snapshot;
        let limits = &self.run.limits;
        let of_limit = |limit: Option<String>| limit.map_or(String::new(), |limit| format!(" of {limit}"));
        let unit = format!(
            "{}{}",
            numbers::count(session.units()),
            of_limit(limits.last_unit.or(limits.schedule).map(numbers::count))
        );
        let elapsed = numbers::clock(self.snapshot.seconds);
        let time = format!("{elapsed}{}", of_limit(limits.seconds.map(numbers::clock)));
        // The value is padded to `width`, so that `speed` stays in its place as long as the value is not
        // wider. A value with a limit often is.
        let item = |label: &str, value: String, width: usize, speed: String| {
            StyledLine::new()
                .with(Style::Quiet, format!("{label} "))
                .with(Style::Plain, format!("{value:<width$}"))
                .with(Style::Quiet, speed)
        };
        let items = [
            item(self.about().unit, unit, 6, format!("{:>8}/s", numbers::si(units_per_second))),
            item(
                self.about().work,
                numbers::si(session.work() as f64),
                6,
                format!("{:>8}/s", numbers::si(work_per_second)),
            ),
            item("time", time, 5, String::new()),
        ];
        flow(items, columns)
    }

    /// The content of the frame without the curve, as one line of plain text.
    pub fn plain_line(&self) -> String {
        let session = self.snapshot.session;
        let Snapshot { units_per_second, work_per_second, .. } = *self.snapshot;
        let about = self.about();
        let mut parts = vec![format!("{} {}", about.unit, numbers::count(session.units()))];
        if let Some(metric) = self.metric {
            parts.push(format!("{} {}", metric.spec.label, metric.text()));
        }
        if units_per_second > 0.0 {
            parts.push(format!("{} {}s/s", numbers::si(units_per_second), about.unit));
            parts.push(format!("{} {}/s", numbers::si(work_per_second), about.work));
        }
        parts.push(numbers::duration(self.snapshot.seconds));
        parts.join(", ")
    }
}

/// A label in at most `room` characters, of which there is at least one. If it does not fit, it loses its
/// part in brackets; if that does not suffice, the rest is cut.
pub fn fit_label(label: &str, room: usize) -> String {
    let short = label.split(" (").next().unwrap_or(label);
    if label.chars().count() <= room {
        label.into()
    } else if short.chars().count() <= room {
        short.into()
    } else {
        short.chars().take(room.saturating_sub(1)).chain(['…']).collect()
    }
}

/// Puts items side by side, and starts a new line whenever the next one does not fit.
fn flow(items: impl IntoIterator<Item = StyledLine>, columns: usize) -> Vec<StyledLine> {
    const GAP: usize = 4;
    let mut lines: Vec<StyledLine> = Vec::new();
    for item in items {
        match lines.last_mut() {
            Some(line) if line.width() + GAP + item.width() <= columns => {
                line.push(Style::Plain, " ".repeat(GAP));
                line.append(item);
            }
            _ => lines.push(item),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use learnery_lab::{Limits, Session};
    use serde_json::json;

    use super::*;

    /// Frames of 20 successive units for a terminal of this size.
    fn frames(columns: usize, rows: usize) -> Vec<Vec<StyledLine>> {
        let settings = json!({ "worlds": 8, "horizon": 8, "minibatches": 1, "eval_episodes": 4 });
        let mut session = Session::start(*learnery_labs::find("control").unwrap(), &settings, 0).unwrap();
        let limits = Limits { last_unit: Some(100), ..Limits::default() };
        let run = RunInfo { path: "runs/control-0-1".into(), limits, first_unit: 0 };
        let mut metric = WatchedMetric::of(&session).unwrap();
        let mut frames = Vec::new();
        for n in 0..20 {
            // Speeds of all magnitudes, with more and fewer digits.
            let snapshot = Snapshot {
                session: &session,
                seconds: f64::from(n),
                units_per_second: 1.7f64.powi(n),
                work_per_second: 3.1f64.powi(n),
                state: RunState::Learning,
            };
            let frame =
                Frame { run: &run, metric: Some(&metric), snapshot: &snapshot, frame_number: n as usize };
            frames.push(frame.lines(columns, rows));
            session.advance_unit();
            metric.record(&session);
        }
        frames
    }

    #[test]
    fn frame_keeps_its_layout_while_its_numbers_change() {
        for (columns, rows) in [(109, 40), (79, 24), (49, 24)] {
            let frames = frames(columns, rows);
            for frame in &frames {
                assert_eq!(frame.len(), frames[0].len(), "{columns} columns: the frame changed its height");
                assert!(frame.iter().all(|line| line.width() <= columns), "{columns} columns: too wide");
            }
            // The line with the bar is the one with the percentage.
            let bar_end = |frame: &[StyledLine]| {
                frame.iter().find(|l| l.render(columns, false).contains('%')).map(StyledLine::width)
            };
            assert!(frames[1..].iter().all(|frame| bar_end(frame) == Some(columns)), "the bar moved");
        }
    }

    #[test]
    fn frame_fits_the_terminal_or_has_at_most_five_lines() {
        for (columns, rows) in [(79, 5), (20, 24), (1, 1)] {
            // The heading, the metric and three counts stay, even if they do not fit.
            assert!(frames(columns, rows).iter().all(|frame| frame.len() < rows.max(6)));
        }
    }
}
