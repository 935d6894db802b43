//! The tables below the curves: the runs, and the settings in which they differ.

use ratatui::Frame;
use ratatui::layout::{Constraint, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Row, Table, TableState};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::super::run::WatchedRun;
use super::super::settings_table::{SettingRow, SettingsTable};
use super::view::View;
use super::{QUIET, colour};
use crate::terminal::numbers;

/// The width of the mark in a run's colour.
const MARK_COLUMNS: u16 = 2;
/// The least width of the names of runs.
const MIN_NAME_COLUMNS: u16 = 6;
/// The most width of a setting's column.
const MAX_SETTING_COLUMNS: usize = 20;
/// The width of the note that some settings have no room, such as `+12 more`.
const MORE_COLUMNS: u16 = 8;
/// From this width on there is room for all columns.
const MIN_COLUMNS_FOR_ALL: u16 = 70;

/// Draws a table whose first two columns are the mark and the name of a run. `widths` are those of the other
/// columns; the last of them takes what is left.
fn draw_run_table(
    frame: &mut Frame,
    area: Rect,
    view: &View,
    name_columns: u16,
    headings: Vec<String>,
    rows: Vec<Row>,
    widths: &[u16],
) {
    let constraints =
        [MARK_COLUMNS, name_columns].into_iter().chain(widths.iter().copied()).map(Constraint::Length);
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
    // With a blank between two columns.
    let others: u16 = widths.iter().map(|width| width + 1).sum::<u16>() + MARK_COLUMNS + 1;
    // No terminal is as wide as the limit, which keeps the number within 16 bits.
    let longest = runs.iter().map(|run| run.name.width()).max().unwrap_or(0).min(1000) as u16;
    longest.min(area.width.saturating_sub(others).max(MIN_NAME_COLUMNS))
}

/// A run's name in this many columns. Of a long one the end is kept, because names of runs differ there.
fn fitted_name(run: &WatchedRun, width: u16) -> Line<'static> {
    let name = &run.name;
    if name.width() <= usize::from(width) {
        return Line::from(name.clone());
    }
    // The ellipsis takes a column.
    let mut room = usize::from(width).saturating_sub(1);
    let is_kept = |c: &char| {
        let columns = c.width().unwrap_or(0);
        let fits = columns <= room;
        // After a character that is too wide nothing more is kept, even if it would fit.
        room = if fits { room - columns } else { 0 };
        fits
    };
    let end: Vec<char> = name.chars().rev().take_while(is_kept).collect();
    Line::from(format!("…{}", end.into_iter().rev().collect::<String>()))
}

/// The mark of a run in its colour; none if it is hidden.
fn mark(i: usize, view: &View) -> Span<'static> {
    let text = if view.hidden.contains(&i) { "  " } else { "━━" };
    Span::styled(text, Style::new().fg(colour(i)))
}

/// Draws the table of runs: their units and speed, the drawn metric, and their state.
pub fn draw_runs(frame: &mut Frame, area: Rect, runs: &[WatchedRun], view: &View) {
    let metric = view.metric(runs).unwrap_or_default();
    let value = |value: Option<f64>| value.map_or("–".to_owned(), numbers::value);
    let is_wide = area.width >= MIN_COLUMNS_FOR_ALL;
    let (headings, widths): (&[&str], &[u16]) = if is_wide {
        (&["unit", "value", "best", "speed", "time", "state"], &[7, 8, 8, 8, 7, 17])
    } else {
        (&["unit", "value", "state"], &[6, 7, 9])
    };
    let name_columns = name_width(area, runs, widths);
    let row = |(i, run): (usize, &WatchedRun)| {
        let (units, _) = run.history.per_second();
        let mut cells = vec![
            Line::from(mark(i, view)),
            fitted_name(run, name_columns),
            right(numbers::si(run.history.unit() as f64)),
            right(value(run.series(&metric).map(|series| series.latest))),
        ];
        if is_wide {
            let time = run.history.last.as_ref().and_then(|last| last.seconds);
            cells.push(right(value(run.best(&metric))));
            cells.push(right(if units > 0.0 { format!("{}/s", numbers::si(units)) } else { "–".into() }));
            cells.push(right(time.map_or("–".into(), numbers::clock)));
        }
        cells.push(Line::from(state_text(run)));
        Row::new(cells)
    };
    let rows = runs.iter().enumerate().map(row).collect();
    let is_number = |heading: &&str| *heading != "state";
    let headings = headings.iter().zip(widths).map(|(heading, width)| {
        let width = usize::from(*width);
        if is_number(heading) { format!("{heading:>width$}") } else { (*heading).to_owned() }
    });
    draw_run_table(frame, area, view, name_columns, headings.collect(), rows, widths);
}

fn right(text: String) -> Line<'static> {
    Line::from(text).right_aligned()
}

/// The state of a run; if it is quiet, since when; and what is wrong with its files.
fn state_text(run: &WatchedRun) -> String {
    let mut text = run.problem.clone().unwrap_or_else(|| run.state().to_owned());
    if let Some(age) = run.age().filter(|_| !run.is_growing()) {
        text.push_str(&format!(" {}", numbers::clock(age.as_secs_f64())));
    }
    if run.history.damaged > 0 {
        text.push_str(&format!(", {} bad lines", numbers::count(run.history.damaged)));
    }
    text
}

/// How many of the columns of settings fit beside the mark and the shortest names.
fn columns_that_fit(area_width: u16, widths: &[u16]) -> usize {
    // With a blank between two columns.
    let fits = |columns: &[u16], last: u16| {
        let all: u16 = columns.iter().map(|width| width + 1).sum();
        MARK_COLUMNS + 1 + MIN_NAME_COLUMNS + 1 + all + last <= area_width
    };
    if fits(widths, 0) {
        return widths.len();
    }
    (0..widths.len()).rev().find(|count| fits(&widths[..*count], MORE_COLUMNS)).unwrap_or(0)
}

/// The text in at most this many columns. Of a longer one the beginning is kept: the end of a number says
/// nothing without it.
fn shortened(text: &str, columns: usize) -> String {
    if text.width() <= columns {
        return text.to_owned();
    }
    let mut used = 1; // the ellipsis
    let kept = text.chars().take_while(|c| {
        used += c.width().unwrap_or(0);
        used <= columns
    });
    kept.chain(['…']).collect()
}

/// Draws the settings that differ, between runs or from the defaults.
pub fn draw_settings(frame: &mut Frame, area: Rect, runs: &[WatchedRun], view: &View) {
    let all: Vec<&WatchedRun> = runs.iter().collect();
    let table = SettingsTable::of(&all);
    if table.rows.is_empty() {
        let text = if table.has_defaults {
            "All settings are the lab's defaults."
        } else {
            "The runs have the same settings and the same seed."
        };
        frame.render_widget(Paragraph::new(text), area);
        return;
    }
    if table.has_defaults {
        let rows = table.rows.iter().map(|SettingRow { name, values }| {
            // The values of a table with defaults.
            let (default, value) = (&values[0], &values[1]);
            Row::new([name.clone(), value.clone(), format!("default {default}")])
        });
        let widths = [Constraint::Max(24), Constraint::Max(16), Constraint::Fill(1)];
        let heading = Row::new(["setting", "value", ""]).style(QUIET);
        frame.render_widget(Table::new(rows, widths).header(heading), area);
        return;
    }
    let width = |SettingRow { name, values }: &SettingRow| {
        let widest = values.iter().chain([name]).map(|text| text.chars().count()).max();
        widest.unwrap_or(0).min(MAX_SETTING_COLUMNS) as u16
    };
    let widths: Vec<u16> = table.rows.iter().map(width).collect();
    let shown = columns_that_fit(area.width, &widths);
    let hidden = widths.len() - shown;
    // The last column takes what is left. It says how many settings have no room.
    let last = if hidden > 0 { MORE_COLUMNS } else { 0 };
    let widths: Vec<u16> = widths[..shown].iter().copied().chain([last]).collect();
    let name_columns = name_width(area, runs, &widths);
    let rows = runs.iter().enumerate().map(|(i, run)| {
        let cells = [Line::from(mark(i, view)), fitted_name(run, name_columns)];
        let values = table.rows.iter().zip(&widths[..shown]);
        let values = values.map(|(row, width)| right(shortened(&row.values[i], (*width).into())));
        Row::new(cells.into_iter().chain(values))
    });
    let headings = table.rows.iter().zip(&widths[..shown]).map(|(row, width)| {
        let width = usize::from(*width);
        format!("{:>width$}", shortened(&row.name, width))
    });
    let more = if hidden > 0 { format!("+{hidden} more") } else { String::new() };
    let headings = headings.chain([more]);
    draw_run_table(frame, area, view, name_columns, headings.collect(), rows.collect(), &widths);
}
