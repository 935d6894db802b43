//! The monitor's screen: curves on top, a table below, the load of the machine and the keys at the bottom. It
//! is drawn again when something has changed.

mod curves;
mod fleet;
mod load;
mod panels;
mod picture;
#[cfg(test)]
mod tests;
mod view;
mod zoom;

use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};

use anyhow::Result;
use ratatui::Frame;
use ratatui::crossterm::event::{Event, KeyEventKind};
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style, Stylize};
use ratatui::text::Line;
use ratatui::widgets::{Block, Clear, Paragraph};

use super::run::WatchedRun;
use super::runs::Runs;
use crate::run::stop::StopSignal;
use crate::terminal::screen::{Screen, events};
use load::Load;
use view::{KEYS, Panel, View};

/// The time between two looks at the files.
const FILE_POLL_INTERVAL: Duration = Duration::from_millis(500);
/// The most time that reading takes before keys are looked at again.
const MAX_READING_TIME: Duration = Duration::from_millis(50);
/// The time between two looks for new runs.
const RUN_SEARCH_INTERVAL: Duration = Duration::from_secs(2);
/// The shortest time between two pictures of new values. A key is answered at once.
const MIN_FRAME_INTERVAL: Duration = Duration::from_millis(200);
/// How long to wait for a key before looking whether the program was told to stop.
const KEY_WAIT: Duration = Duration::from_millis(100);

/// The lowest screen on which the footer has the load of the machine.
const MIN_ROWS_FOR_LOAD: u16 = 16;
/// The most rows of the settings of a single run.
const SINGLE_RUN_SETTINGS_ROWS: u16 = 10;
/// The most rows of the panel of a fleet.
const FLEET_ROWS: u16 = 12;
/// The width of the help: room for the longest line of [`KEYS`] and the border.
const HELP_COLUMNS: u16 = 44;

/// The style of what is less important.
const QUIET: Style = Style::new().add_modifier(Modifier::DIM);

/// The colours of the runs.
const COLOURS: [Color; 8] = [
    Color::Cyan,
    Color::Yellow,
    Color::Magenta,
    Color::Green,
    Color::Blue,
    Color::Red,
    Color::LightCyan,
    Color::LightMagenta,
];

/// The colour of a run.
fn colour(run: usize) -> Color {
    COLOURS[run % COLOURS.len()]
}

/// Shows the runs until the viewer leaves, the program is told to stop, or the terminal is gone.
pub fn show(mut runs: Runs, metric: Option<String>) -> Result<()> {
    let stop = StopSignal::listen()?;
    let mut screen = Screen::open()?;
    let events = events();
    let (mut view, mut load) = (View::new(metric), Load::new());
    let (mut reading, mut last_search) = (Reading::default(), Instant::now());
    // When the screen was last drawn, and whether it has changed since. `None` has it drawn at once.
    let (mut last_drawn, mut is_stale) = (None::<Instant>, true);
    while !stop.requested() {
        if last_search.elapsed() >= RUN_SEARCH_INTERVAL {
            is_stale |= runs.search();
            last_search = Instant::now();
        }
        // `|`, not `||`: both have to be called.
        is_stale |= reading.go_on(&mut runs.runs) | load.update();
        if is_stale && last_drawn.is_none_or(|drawn| drawn.elapsed() >= MIN_FRAME_INTERVAL) {
            let load_text = load.text();
            // If the screen cannot be drawn, the terminal is gone.
            if screen.terminal.draw(|frame| draw(frame, &runs, &view, &load_text)).is_err() {
                break;
            }
            (last_drawn, is_stale) = (Some(Instant::now()), false);
        }
        let wait = if reading.has_more { Duration::ZERO } else { KEY_WAIT };
        match events.recv_timeout(wait) {
            Ok(Ok(Event::Key(key))) if key.kind != KeyEventKind::Release => {
                if !view.handle_key(key, &runs.runs) {
                    break;
                }
                (last_drawn, is_stale) = (None, true);
            }
            Ok(Ok(Event::Resize(..))) => (last_drawn, is_stale) = (None, true),
            // No key, or an event that is not handled, such as one of the mouse.
            Ok(Ok(_)) | Err(RecvTimeoutError::Timeout) => {}
            // The terminal is gone.
            Ok(Err(_)) | Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    // Otherwise a stop would end the process while the terminal is given back.
    stop.begin_saving();
    Ok(())
}

/// Reads the runs in rounds, each run once. A round is interrupted after `MAX_READING_TIME` to look at the
/// keys.
#[derive(Default)]
struct Reading {
    /// When the last round ended.
    last_end: Option<Instant>,
    /// The index of the run that is read next.
    next_run: usize,
    /// Whether to go on at once: the round was interrupted, or a run has more than was read of it.
    has_more: bool,
    /// Whether a run has more than was read of it in this round, so that the next round begins at once.
    needs_another_round: bool,
}

impl Reading {
    /// Goes on with the round, or begins the next one if it is due. Returns whether something has changed.
    fn go_on(&mut self, runs: &mut [WatchedRun]) -> bool {
        if !self.has_more && self.last_end.is_some_and(|end| end.elapsed() < FILE_POLL_INTERVAL) {
            return false;
        }
        let (begin, mut is_new) = (Instant::now(), false);
        for run in runs.iter_mut().skip(self.next_run) {
            let outcome = run.read_on();
            is_new |= outcome.is_new;
            self.needs_another_round |= outcome.has_more;
            self.next_run += 1;
            if begin.elapsed() >= MAX_READING_TIME {
                break;
            }
        }
        if self.next_run < runs.len() {
            self.has_more = true;
        } else {
            self.has_more = std::mem::take(&mut self.needs_another_round);
            self.next_run = 0;
            self.last_end = Some(Instant::now());
        }
        is_new
    }
}

/// Draws everything.
fn draw(frame: &mut Frame, runs: &Runs, view: &View, load: &str) {
    let area = frame.area();
    let panel = view.panel(&runs.runs);
    // The load of the machine and the keys, or the keys alone.
    let footer_rows = if area.height >= MIN_ROWS_FOR_LOAD { 2 } else { 1 };
    let [picture, heading, table, bottom] = Layout::vertical([
        Constraint::Fill(1),
        Constraint::Length(1),
        Constraint::Length(panel_height(panel, &runs.runs, area.height)),
        Constraint::Length(footer_rows),
    ])
    .areas(area);
    picture::draw(frame, picture, &runs.runs, view);
    frame.render_widget(heading_line(runs, panel, usize::from(area.width)).style(QUIET), heading);
    let fleet =
        fleet_run(&runs.runs, view).and_then(|run| Some((run.fleet.as_ref()?, run.problem.as_deref())));
    match (panel, fleet) {
        (Panel::Fleet, Some((status, problem))) => fleet::draw(frame, table, status, problem),
        (Panel::Settings, _) => panels::draw_settings(frame, table, &runs.runs, view),
        (Panel::Runs, _) | (Panel::Fleet, None) => panels::draw_runs(frame, table, &runs.runs, view),
    }
    let keys = "q leave  h keys  m metric  s smooth  +/- zoom  x axis  Tab table";
    let lines =
        if footer_rows == 2 { vec![Line::from(load), Line::from(keys)] } else { vec![Line::from(keys)] };
    frame.render_widget(Paragraph::new(lines).style(QUIET), bottom);
    if view.shows_help {
        draw_help(frame, area);
    }
}

/// The height of the table: what it needs, but at most half of the screen.
fn panel_height(panel: Panel, runs: &[WatchedRun], height: u16) -> u16 {
    let needed = match panel {
        // A row for each run, and the heading.
        Panel::Runs => runs.len() as u16 + 1,
        // A row for each setting of the run. Their number is not known here.
        Panel::Settings if runs.len() == 1 => SINGLE_RUN_SETTINGS_ROWS,
        Panel::Settings => runs.len() as u16 + 1,
        Panel::Fleet => FLEET_ROWS,
    };
    // The heading line and the footer have three rows.
    needed.min(height.saturating_sub(3) / 2)
}

/// The run whose fleet is shown: the selected one, or else the first with a fleet.
fn fleet_run<'a>(runs: &'a [WatchedRun], view: &View) -> Option<&'a WatchedRun> {
    let selected = runs.get(view.selected).filter(|run| run.fleet.is_some());
    selected.or_else(|| runs.iter().find(|run| run.fleet.is_some()))
}

/// A line that says which table is below.
fn heading_line(runs: &Runs, panel: Panel, width: usize) -> Line<'static> {
    let title = match panel {
        Panel::Runs if runs.left_out > 0 => {
            format!("The first {} runs of {}", runs.runs.len(), runs.runs.len() + runs.left_out)
        }
        Panel::Runs => "Runs".to_owned(),
        Panel::Settings if runs.runs.len() == 1 => "Settings that are not the lab's defaults".to_owned(),
        Panel::Settings => "Settings in which the runs differ".to_owned(),
        Panel::Fleet => "Fleet".to_owned(),
    };
    // Four characters stand around the title.
    let rest = "─".repeat(width.saturating_sub(title.chars().count() + 4));
    Line::from(format!("── {title} {rest}"))
}

/// Draws the keys over everything else.
fn draw_help(frame: &mut Frame, area: Rect) {
    let lines: Vec<Line> = KEYS.iter().map(|(key, what)| Line::from(format!("{key:>8}  {what}"))).collect();
    // The border takes two rows.
    let (width, height) = (HELP_COLUMNS.min(area.width), (lines.len() as u16 + 2).min(area.height));
    let middle =
        Rect { x: area.x + (area.width - width) / 2, y: area.y + (area.height - height) / 2, width, height };
    frame.render_widget(Clear, middle);
    frame.render_widget(Paragraph::new(lines).block(Block::bordered().title(" Keys ".bold())), middle);
}
