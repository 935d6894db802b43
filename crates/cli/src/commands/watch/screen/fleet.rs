//! The panel of a fleet: its unit, jobs, learner, machines, and what was refused.

use std::time::{SystemTime, UNIX_EPOCH};

use learnery_fleet::status::{FleetStatus, LearnerState, MachineStatus};
use ratatui::Frame;
use ratatui::layout::{Constraint, Rect};
use ratatui::style::Stylize;
use ratatui::text::Line;
use ratatui::widgets::{Paragraph, Row, Table};

use super::QUIET;
use crate::terminal::numbers::{self, count, count_of};

/// A status that is older than this is shown with its age.
const STALE_AFTER_SECONDS: f64 = 5.0;

/// Draws a fleet. `problem` says why nothing is heard of it any more.
pub fn draw(frame: &mut Frame, area: Rect, fleet: &FleetStatus, problem: Option<&str>) {
    let mut lines: Vec<Line> = problem.map(|problem| Line::from(problem.to_owned())).into_iter().collect();
    lines.extend(summary_lines(fleet));
    let refusals = refusals(fleet);
    // The machines have the middle, at least a heading and a line of it.
    let bottom = (refusals.len() as u16).min(area.height.saturating_sub(lines.len() as u16 + 2));
    lines.truncate(usize::from(area.height));
    let top = Rect { height: lines.len() as u16, ..area };
    let end = Rect { y: area.bottom() - bottom, height: bottom, ..area };
    let middle = Rect { y: top.bottom(), height: area.height - top.height - bottom, ..area };
    frame.render_widget(Paragraph::new(lines), top);
    machines(frame, middle, fleet);
    frame.render_widget(Paragraph::new(refusals), end);
}

/// The state of the whole fleet, in three lines.
fn summary_lines(fleet: &FleetStatus) -> Vec<Line<'static>> {
    let jobs = fleet.jobs;
    let learner = match fleet.learner.state {
        LearnerState::Busy => "busy",
        LearnerState::Waiting => "waits for results",
        LearnerState::NoActors => "waits for actors",
    };
    let of = fleet.last_unit.map_or(String::new(), |last| format!(" of {}", count(last)));
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |time| time.as_secs_f64());
    let age = now - fleet.time;
    let age = if age > STALE_AFTER_SECONDS {
        format!(", as of {} ago", numbers::duration(age))
    } else {
        String::new()
    };
    let rate = fleet.rate.map_or("–".into(), |rate| format!("{} {}/s", numbers::si(rate), fleet.work));
    vec![
        Line::from(format!(
            "Unit {}{of}, learner {learner} (waiting {:.0} % of the time){age}",
            count(fleet.unit),
            100.0 * fleet.learner.waiting_share
        ))
        .bold(),
        Line::from(format!(
            "Jobs: {} of {} done, {} open, {} leased, {} in check; {} late",
            jobs.done,
            jobs.all,
            jobs.open,
            jobs.leased,
            jobs.in_check,
            count(fleet.late)
        )),
        Line::from(format!(
            "{rate}, {} accepted, in {}B/s, out {}B/s",
            count_of(fleet.accepted, "result"),
            spaced(fleet.bytes_in_per_second),
            spaced(fleet.bytes_out_per_second)
        )),
    ]
}

/// A number before the letter of a unit: `1.20 k`, `12 `.
fn spaced(value: f64) -> String {
    let text = numbers::si(value.round());
    if text.contains(' ') { text } else { text + " " }
}

/// The machines with their actors, those with the most results first.
fn machines(frame: &mut Frame, area: Rect, fleet: &FleetStatus) {
    if area.height == 0 {
        return;
    }
    if fleet.machines.is_empty() {
        frame.render_widget(Paragraph::new("Nobody computes for the fleet.").style(QUIET), area);
        return;
    }
    let right = |text: String| Line::from(text).right_aligned();
    let row = |machine: &MachineStatus| {
        Row::new([
            Line::from(machine.label.clone()),
            Line::from(machine.bits.clone()),
            right(format!("{}/{}", machine.working, machine.threads)),
            right(machine.rate.map_or("–".into(), numbers::si)),
            right(spaced(machine.bytes_per_second) + "B/s"),
            right(count(machine.accepted)),
        ])
    };
    let rows = fleet.machines.iter().map(row);
    let widths = [
        Constraint::Fill(1),
        Constraint::Length(6),
        Constraint::Length(6),
        Constraint::Length(8),
        Constraint::Length(10),
        Constraint::Length(9),
    ];
    let heading = ["machine", "class", "  busy", "  rate/s", "     bytes", " accepted"];
    frame.render_widget(Table::new(rows, widths).header(Row::new(heading).style(QUIET)), area);
}

/// What was refused and who is in quarantine.
fn refusals(fleet: &FleetStatus) -> Vec<Line<'static>> {
    let refused = fleet
        .refusals
        .iter()
        .map(|refusal| Line::from(format!("Refused {} times: {}", count(refusal.count), refusal.reason)));
    let quarantined = fleet
        .quarantined
        .iter()
        .map(|quarantine| Line::from(format!("In quarantine: {}, {}", quarantine.actor, quarantine.reason)));
    quarantined.chain(refused).collect()
}
