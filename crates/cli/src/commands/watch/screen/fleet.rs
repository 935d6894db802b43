//! The panel of a fleet: its unit (training iteration), jobs, learner, machines, and what was refused.

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
/// The rows that the table of machines keeps: its heading and one machine.
const MIN_TABLE_ROWS: u16 = 2;

/// Draws a fleet. `problem` says why nothing is heard of it any more.
pub fn draw(frame: &mut Frame, area: Rect, fleet: &FleetStatus, problem: Option<&str>) {
    let mut lines: Vec<Line> = problem.map(|problem| Line::from(problem.to_owned())).into_iter().collect();
    lines.extend(summary_lines(fleet));
    let refusal_lines = refusal_and_quarantine_lines(fleet);
    // The refusals give way, so that the table of machines keeps at least its heading and one machine.
    let max_bottom_rows = area.height.saturating_sub(lines.len() as u16 + MIN_TABLE_ROWS);
    let bottom_rows = (refusal_lines.len() as u16).min(max_bottom_rows);
    lines.truncate(usize::from(area.height));
    let top = Rect { height: lines.len() as u16, ..area };
    let bottom = Rect { y: area.bottom() - bottom_rows, height: bottom_rows, ..area };
    let middle = Rect { y: top.bottom(), height: area.height - top.height - bottom_rows, ..area };
    frame.render_widget(Paragraph::new(lines), top);
    draw_machines(frame, middle, fleet);
    frame.render_widget(Paragraph::new(refusal_lines), bottom);
}

/// The state of the whole fleet, in three lines.
fn summary_lines(fleet: &FleetStatus) -> Vec<Line<'static>> {
    let jobs = fleet.jobs;
    let learner = match fleet.learner.state {
        LearnerState::Busy => "busy",
        LearnerState::Waiting => "waits for results",
        LearnerState::NoActors => "waits for actors",
    };
    let of_last_unit = fleet.last_unit.map_or(String::new(), |last| format!(" of {}", count(last)));
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |time| time.as_secs_f64());
    let age_seconds = now - fleet.time;
    let age = if age_seconds > STALE_AFTER_SECONDS {
        format!(", as of {} ago", numbers::duration(age_seconds))
    } else {
        String::new()
    };
    let rate = fleet.rate.map_or("–".into(), |rate| format!("{} {}/s", numbers::si(rate), fleet.work));
    vec![
        Line::from(format!(
            "Unit {}{of_last_unit}, learner {learner} (waiting {:.0} % of the time){age}",
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
            number_before_unit(fleet.bytes_in_per_second),
            number_before_unit(fleet.bytes_out_per_second)
        )),
    ]
}

/// A number with a blank where the letter of its unit can follow: `1.20 k`, `12 `.
fn number_before_unit(value: f64) -> String {
    let text = numbers::si(value.round());
    if text.contains(' ') { text } else { text + " " }
}

/// Draws the table of machines, in the order of the status: those with the most results first.
fn draw_machines(frame: &mut Frame, area: Rect, fleet: &FleetStatus) {
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
            // The class of bits, `fused` or `plain`.
            Line::from(machine.bits.clone()),
            right(format!("{}/{}", machine.working, machine.threads)),
            right(machine.rate.map_or("–".into(), numbers::si)),
            right(number_before_unit(machine.bytes_per_second) + "B/s"),
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
    let left_titles = ["machine", "class"].map(Line::from);
    let right_titles = ["busy", "rate/s", "bytes", "accepted"].map(|title| right(title.to_owned()));
    let heading = left_titles.into_iter().chain(right_titles);
    frame.render_widget(Table::new(rows, widths).header(Row::new(heading).style(QUIET)), area);
}

/// Who is in quarantine, then what was refused.
fn refusal_and_quarantine_lines(fleet: &FleetStatus) -> Vec<Line<'static>> {
    let refused = fleet.refusals.iter().map(|refusal| {
        Line::from(format!("Refused {}: {}", count_of(refusal.count, "time"), refusal.reason))
    });
    let quarantined = fleet
        .quarantined
        .iter()
        .map(|quarantine| Line::from(format!("In quarantine: {}, {}", quarantine.actor, quarantine.reason)));
    quarantined.chain(refused).collect()
}
