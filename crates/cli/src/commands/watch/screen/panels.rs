//! The tables below the curves: the runs, and the settings in which they differ.

use ratatui::Frame;
use ratatui::layout::{Constraint, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Row, Table, TableState};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::super::run::WatchedRun;
use super::super::settings_table::SettingsTable;
use super::view::View;
use super::{QUIET, colour};
use crate::terminal::numbers;

/// From this width on there is room for all columns.
const MIN_COLUMNS_FOR_ALL: u16 = 70;

/// A table whose first two columns are the mark and the name of a run. The last of `widths` is at least that
/// wide, and takes what is left.
fn run_table(
    frame: &mut Frame,
    area: Rect,
    view: &View,
    names: u16,
    headings: Vec<String>,
    rows: Vec<Row>,
    widths: &[u16],
) {
    let constraints = [2, names].into_iter().chain(widths.iter().copied()).map(Constraint::Length);
    let mut constraints: Vec<Constraint> = constraints.collect();
    if let Some(last) = constraints.last_mut() {
        *last = Constraint::Fill(1);
    }
    let heading = ["".to_owned(), "run".to_owned()].into_iter().chain(headings);
    let table = Table::new(rows, constraints)
        .header(Row::new(heading).style(QUIET))
        .row_highlight_style(Style::new().reversed());
    frame.render_stateful_widget(table, area, &mut TableState::default().with_selected(view.selected));
}

/// The width of the names: that of the longest, as far as there is room beside the mark and the other
/// columns.
fn name_width(area: Rect, runs: &[WatchedRun], widths: &[u16]) -> u16 {
    let others: u16 = widths.iter().map(|width| width + 1).sum::<u16>() + 3;
    let longest = runs.iter().map(|run| run.name.width()).max().unwrap_or(0).min(1000) as u16;
    longest.min(area.width.saturating_sub(others).max(6))
}

/// A name in this many columns: the end of a long one, in which names of runs differ.
fn name(run: &WatchedRun, width: u16) -> Line<'static> {
    let name = &run.name;
    if name.width() <= usize::from(width) {
        return Line::from(name.clone());
    }
    let mut room = usize::from(width).saturating_sub(1);
    let is_kept = |c: &char| {
        let columns = c.width().unwrap_or(0);
        let fits = columns <= room;
        room = if fits { room - columns } else { 0 };
        fits
    };
    let end: Vec<char> = name.chars().rev().take_while(is_kept).collect();
    Line::from(format!("…{}", end.into_iter().rev().collect::<String>()))
}

/// The mark of a run in its colour; none if it is hidden.
fn mark(i: usize, view: &View) -> Span<'static> {
    let mark = if view.hidden.contains(&i) { "  " } else { "━━" };
    Span::styled(mark, Style::new().fg(colour(i)))
}

/// The runs: where they are, how fast, and the drawn metric.
pub fn runs(frame: &mut Frame, area: Rect, runs: &[WatchedRun], view: &View) {
    let metric = view.metric(runs).unwrap_or_default();
    let value = |value: Option<f64>| value.map_or("–".to_owned(), numbers::value);
    let is_wide = area.width >= MIN_COLUMNS_FOR_ALL;
    let (headings, widths): (&[&str], &[u16]) = if is_wide {
        (&["unit", "value", "best", "speed", "time", "state"], &[7, 8, 8, 8, 7, 17])
    } else {
        (&["unit", "value", "state"], &[6, 7, 9])
    };
    let names = name_width(area, runs, widths);
    let row = |(i, run): (usize, &WatchedRun)| {
        let (units, _) = run.history.per_second();
        let mut cells = vec![
            Line::from(mark(i, view)),
            name(run, names),
            right(numbers::si(run.history.unit() as f64)),
            right(value(run.series(&metric).map(|series| series.latest))),
        ];
        if is_wide {
            let time = run.history.last.as_ref().and_then(|last| last.seconds);
            cells.push(right(value(run.best(&metric))));
            cells.push(right(if units > 0.0 { format!("{}/s", numbers::si(units)) } else { "–".into() }));
            cells.push(right(time.map_or("–".into(), numbers::clock)));
        }
        cells.push(Line::from(state(run)));
        Row::new(cells)
    };
    let rows = runs.iter().enumerate().map(row).collect();
    let is_number = |heading: &&str| *heading != "state";
    let headings = headings.iter().zip(widths).map(|(heading, width)| {
        let width = usize::from(*width);
        if is_number(heading) { format!("{heading:>width$}") } else { (*heading).to_owned() }
    });
    run_table(frame, area, view, names, headings.collect(), rows, widths);
}

fn right(text: String) -> Line<'static> {
    Line::from(text).right_aligned()
}

/// The state of a run; if it is quiet, since when; and what is wrong with its files.
fn state(run: &WatchedRun) -> String {
    let mut text = run.problem.clone().unwrap_or_else(|| run.state().to_owned());
    if let Some(age) = run.age().filter(|_| !run.is_growing()) {
        text.push_str(&format!(" {}", numbers::clock(age.as_secs_f64())));
    }
    if run.history.damaged > 0 {
        text.push_str(&format!(", {} bad lines", numbers::count(run.history.damaged)));
    }
    text
}

/// The settings that differ, between runs or from the defaults.
pub fn settings(frame: &mut Frame, area: Rect, runs: &[WatchedRun], view: &View) {
    let all: Vec<&WatchedRun> = runs.iter().collect();
    let table = SettingsTable::of(&all);
    if table.rows.is_empty() {
        let text = if table.with_defaults {
            "All settings are the lab's defaults."
        } else {
            "The runs have the same settings and the same seed."
        };
        frame.render_widget(Paragraph::new(text), area);
        return;
    }
    if table.with_defaults {
        let rows = table.rows.iter().map(|(name, values)| {
            Row::new([name.clone(), values[1].clone(), format!("default {}", values[0])])
        });
        let widths = [Constraint::Max(24), Constraint::Max(16), Constraint::Fill(1)];
        let heading = Row::new(["setting", "value", ""]).style(QUIET);
        frame.render_widget(Table::new(rows, widths).header(heading), area);
        return;
    }
    let width = |(name, values): &(String, Vec<String>)| {
        let widest = values.iter().chain([name]).map(|text| text.chars().count()).max();
        widest.unwrap_or(0).min(20) as u16
    };
    // An empty column takes what is left.
    let widths: Vec<u16> = table.rows.iter().map(width).chain([0]).collect();
    let names = name_width(area, runs, &widths);
    let rows = runs.iter().enumerate().map(|(i, run)| {
        let cells = [Line::from(mark(i, view)), name(run, names)];
        let values = table.rows.iter().map(|(_, values)| right(values[i].clone()));
        Row::new(cells.into_iter().chain(values))
    });
    let headings = table.rows.iter().zip(&widths).map(|((name, _), width)| {
        let width = usize::from(*width);
        format!("{name:>width$}")
    });
    run_table(frame, area, view, names, headings.collect(), rows.collect(), &widths);
}
