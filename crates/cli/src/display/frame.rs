//! The picture of a run: what it does, the curve of the metric that counts, how far it is, how fast.

use learnery_lab::About;

use super::chart::{self, Curve};
use super::text::{Line, Style};
use super::{Now, Phase, Run, Watched, numbers};
use crate::limits::Reason;

const SPINNER: [&str; 10] = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];

/// Lines of the curve on a terminal that has room.
const CHART_LINES: usize = 6;

/// Below this width the curve has no labels beside it.
const LABELS_FROM: usize = 44;

/// The widest a picture gets; wider ones are harder to take in.
const WIDEST: usize = 110;

/// Everything a picture shows.
pub struct Frame<'a> {
    pub run: &'a Run,
    pub watched: Option<&'a Watched>,
    pub now: &'a Now<'a>,
    pub spin: usize,
}

impl Frame<'_> {
    fn about(&self) -> &'static About {
        self.now.session.entry().about
    }

    /// The picture for a terminal of this size.
    pub fn lines(&self, columns: usize, rows: usize) -> Vec<Line> {
        let columns = columns.min(WIDEST);
        let mut lines = vec![self.heading(columns)];
        let below: Vec<Line> = self.progress(columns).into_iter().chain(self.counts(columns)).collect();
        // One row for the heading, one for the cursor, one that stays free.
        let room = rows.saturating_sub(below.len() + 3).min(CHART_LINES);
        if room >= 2 {
            lines.extend(self.curve(columns, room));
        }
        lines.extend(below);
        lines
    }

    /// A mark, what it is doing, and the same in fewer words.
    fn doing(&self) -> (&'static str, String, &'static str) {
        let unit = self.about().unit;
        let spinner = SPINNER[self.spin % SPINNER.len()];
        match (self.now.phase, self.now.session.solved_at()) {
            (Phase::Learning, Some(n)) => {
                (spinner, format!("learning on, goal reached at {unit} {}", numbers::count(n)), "learning on")
            }
            (Phase::Learning, None) => (spinner, "learning".into(), "learning"),
            (Phase::Stopping, _) => (spinner, format!("finishing this {unit}, then saving"), "stopping"),
            (Phase::Over(Reason::Goal), _) => ("✓", "goal reached".into(), "goal reached"),
            (Phase::Over(Reason::Units | Reason::Time | Reason::Schedule), Some(_)) => {
                ("✓", "done, goal reached".into(), "goal reached")
            }
            (Phase::Over(Reason::Units | Reason::Time | Reason::Schedule), None) => {
                ("■", "done".into(), "done")
            }
            (Phase::Over(Reason::Interrupted | Reason::Unread), _) => ("■", "stopped".into(), "stopped"),
        }
    }

    fn heading(&self, columns: usize) -> Line {
        let (mark, long, short) = self.doing();
        let line = |doing: &str| {
            Line::new()
                .with(Style::Accent, mark)
                .with(Style::Strong, format!(" {}", self.about().title))
                .with(Style::Plain, format!("  {doing}"))
        };
        let mut line = if line(&long).width() <= columns { line(&long) } else { line(short) };
        line.push_right(Style::Quiet, &self.run.path.display().to_string(), columns);
        line
    }

    fn curve(&self, columns: usize, height: usize) -> Vec<Line> {
        let Some(watched) = self.watched else { return Vec::new() };
        let points = watched.points(self.now.session);
        let target = watched.goal.as_ref().map(|goal| goal.target);
        let last = self.now.session.units().max(1);
        let curve = Curve { points: &points, target, first: 1, last };
        if columns < LABELS_FROM {
            return chart::draw(&curve, columns, height);
        }
        const GUTTER: usize = 9;
        let labels = chart::labels(&curve, height);
        let drawn = chart::draw(&curve, columns - GUTTER, height);
        let with_label = |(label, line): (Option<f64>, Line)| {
            let label = label.map_or(String::new(), numbers::mark);
            let mut whole = Line::new().with(Style::Quiet, format!("{label:>7} │"));
            whole.append(line);
            whole
        };
        labels.into_iter().zip(drawn).map(with_label).collect()
    }

    /// Goal metric and bar; without a goal, the metric and how much of the asked-for run is done.
    fn progress(&self, columns: usize) -> Option<Line> {
        let watched = self.watched?;
        // Wide enough for any value, so that the bar stays where it is.
        let words = format!("{:<18}", watched.words());
        let mut line =
            Line::new().with(Style::Quiet, format!("{} ", watched.spec.label)).with(Style::Strong, words);
        if let Some(share) = watched.share().or_else(|| self.share_of_limits()) {
            let percent = format!(" {:>3.0} %", 100.0 * share);
            let width = columns.saturating_sub(line.width() + 2 + percent.len());
            if width >= 4 {
                let done = (2.0 * width as f64 * share).round() as usize;
                line.push(Style::Plain, "  ");
                line.push(Style::Accent, "━".repeat(done / 2));
                line.push(Style::Accent, "╸".repeat(done % 2));
                line.push(Style::Quiet, "─".repeat(width - done / 2 - done % 2));
            }
            line.push(Style::Plain, percent);
        }
        Some(line)
    }

    fn share_of_limits(&self) -> Option<f64> {
        let limits = &self.run.limits;
        let first = self.run.first_unit;
        let units = limits.last_unit.or(limits.schedule).map(|last| {
            (self.now.session.units() - first) as f64 / (last.saturating_sub(first)).max(1) as f64
        });
        let time = limits.seconds.map(|limit| self.now.seconds / limit.max(1e-9));
        units.into_iter().chain(time).reduce(f64::max).map(|share| share.min(1.0))
    }

    /// Units, work and time, with as many lines as it takes.
    fn counts(&self, columns: usize) -> Vec<Line> {
        let session = self.now.session;
        let (units_per_second, work_per_second) = self.now.pace;
        let limits = &self.run.limits;
        let of = |limit: Option<String>| limit.map_or(String::new(), |limit| format!(" of {limit}"));
        let unit = format!(
            "{}{}",
            numbers::count(session.units()),
            of(limits.last_unit.or(limits.schedule).map(numbers::count))
        );
        let total = numbers::clock(self.now.seconds);
        let time = format!("{total}{}", of(limits.seconds.map(numbers::clock)));
        let item = |label: &str, value: String, width: usize, rest: String| {
            Line::new()
                .with(Style::Quiet, format!("{label} "))
                .with(Style::Plain, format!("{value:<width$}"))
                .with(Style::Quiet, rest)
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

    /// The same in one line of plain text.
    pub fn sentence(&self) -> String {
        let session = self.now.session;
        let (units_per_second, work_per_second) = self.now.pace;
        let about = self.about();
        let mut parts = vec![format!("{} {}", about.unit, numbers::count(session.units()))];
        if let Some(watched) = self.watched {
            parts.push(format!("{} {}", watched.spec.label, watched.words()));
        }
        if units_per_second > 0.0 {
            parts.push(format!("{} {}s/s", numbers::si(units_per_second), about.unit));
            parts.push(format!("{} {}/s", numbers::si(work_per_second), about.work));
        }
        parts.push(numbers::span(self.now.seconds));
        parts.join(", ")
    }
}

/// Items side by side, on a new line where the next one does not fit.
fn flow(items: impl IntoIterator<Item = Line>, columns: usize) -> Vec<Line> {
    const GAP: usize = 4;
    let mut lines: Vec<Line> = Vec::new();
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
    use learnery_lab::Session;
    use serde_json::json;

    use super::*;
    use crate::limits::Limits;

    /// The picture after each of a few units, at this size.
    fn pictures(columns: usize, rows: usize) -> Vec<Vec<Line>> {
        let settings = json!({ "worlds": 8, "horizon": 8, "minibatches": 1, "eval_episodes": 4 });
        let mut session = Session::start(*learnery_labs::find("control").unwrap(), &settings, 0).unwrap();
        let limits = Limits { last_unit: Some(100), ..Limits::default() };
        let run = Run { path: "runs/control-0-1".into(), limits, first_unit: 0 };
        let mut watched = Watched::of(&session).unwrap();
        let mut pictures = Vec::new();
        for n in 0..20 {
            let pace = (1.7f64.powi(n), 3.1f64.powi(n));
            let now = Now { session: &session, seconds: f64::from(n), pace, phase: Phase::Learning };
            let frame = Frame { run: &run, watched: Some(&watched), now: &now, spin: n as usize };
            pictures.push(frame.lines(columns, rows));
            session.advance_unit();
            watched.note(&session);
        }
        pictures
    }

    #[test]
    fn a_picture_keeps_its_place_while_its_numbers_change() {
        for (columns, rows) in [(109, 40), (79, 24), (49, 24)] {
            let pictures = pictures(columns, rows);
            for picture in &pictures {
                assert_eq!(
                    picture.len(),
                    pictures[0].len(),
                    "{columns} columns: the picture changed its height"
                );
                assert!(picture.iter().all(|line| line.width() <= columns), "{columns} columns: too wide");
            }
            // The bar ends where it ended.
            let end = |picture: &[Line]| {
                picture.iter().find(|l| l.render(columns, false).contains('%')).map(Line::width)
            };
            assert!(pictures[1..].iter().all(|picture| end(picture) == Some(columns)), "the bar moved");
        }
    }

    #[test]
    fn a_small_terminal_gets_a_small_picture() {
        for (columns, rows) in [(79, 5), (20, 24), (1, 1)] {
            assert!(pictures(columns, rows).iter().all(|picture| picture.len() < rows.max(6)));
        }
    }
}
