//! What the viewer has chosen to see, and the keys that change it.

use std::collections::BTreeSet;

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::super::run::WatchedRun;
use super::zoom::Zoom;

/// Factors of the exponential moving average: the weight of the old average when a value is added. 0 shows
/// values as measured.
const SMOOTHING_FACTORS: [f64; 9] = [0.0, 0.5, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.999];

/// What the horizontal axis counts, in the order of `series::Point::at`: units (training iterations), work
/// (what the lab counts, such as games), or seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axis {
    Units,
    Work,
    Seconds,
}

/// The table below the curves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Panel {
    Runs,
    Settings,
    Fleet,
}

/// The keys, for the help.
pub const KEYS: [(&str, &str); 10] = [
    ("m M", "next, previous metric"),
    ("s S", "smooth more, less"),
    ("+ -", "zoom in, out"),
    ("← →", "move the part that is shown"),
    ("0", "show all"),
    ("x", "axis: units, work, time"),
    ("Tab", "runs, settings, fleet"),
    ("↑ ↓", "select a run"),
    ("Space a", "hide or show it, show all runs"),
    ("h q", "this help, leave"),
];

/// The viewer's choices.
pub struct View {
    /// `None` for the first main metric that a run has.
    pub metric: Option<String>,
    /// Index of `SMOOTHING_FACTORS`.
    smoothing: usize,
    pub axis: Axis,
    pub zoom: Zoom,
    /// Indices of the runs whose curves are hidden. Runs are only appended.
    pub hidden: BTreeSet<usize>,
    /// Index of the selected run.
    pub selected: usize,
    /// `None` until the viewer has chosen one. Then the fleet is shown if there is one, otherwise the runs.
    panel: Option<Panel>,
    pub shows_help: bool,
}

impl View {
    pub fn new(metric: Option<String>) -> Self {
        Self {
            metric,
            smoothing: 0,
            axis: Axis::Units,
            zoom: Zoom::default(),
            hidden: BTreeSet::new(),
            selected: 0,
            panel: None,
            shows_help: false,
        }
    }

    /// The factor of the moving average.
    pub fn smoothing(&self) -> f64 {
        SMOOTHING_FACTORS[self.smoothing]
    }

    /// The metric that is drawn.
    pub fn metric(&self, runs: &[WatchedRun]) -> Option<String> {
        self.metric.clone().or_else(|| runs.iter().find_map(WatchedRun::main_metric).map(str::to_owned))
    }

    /// The table that is shown.
    pub fn panel(&self, runs: &[WatchedRun]) -> Panel {
        let has_fleet = runs.iter().any(|run| run.fleet.is_some());
        match self.panel {
            Some(Panel::Fleet) | None if has_fleet => Panel::Fleet,
            Some(Panel::Settings) => Panel::Settings,
            // Also if the fleet was chosen and there is none any more.
            _ => Panel::Runs,
        }
    }

    /// Where the newest value of the drawn metric is on the horizontal axis.
    pub fn newest(&self, runs: &[WatchedRun]) -> f64 {
        let Some(metric) = self.metric(runs) else { return 0.0 };
        let shown = runs.iter().enumerate().filter(|(i, _)| !self.hidden.contains(i));
        let ends =
            shown.filter_map(|(_, run)| Some(run.series(&metric)?.points().last()?.at[self.axis as usize]));
        ends.fold(0.0, f64::max)
    }

    /// Handles a key. Returns whether the monitor goes on: false for the keys that leave it.
    pub fn handle_key(&mut self, key: KeyEvent, runs: &[WatchedRun]) -> bool {
        let newest = self.newest(runs);
        let is_control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            // The terminal is in raw mode, so Ctrl-C arrives as a key.
            KeyCode::Char('c' | 'd') if is_control => return false,
            KeyCode::Esc if self.shows_help => self.shows_help = false,
            KeyCode::Char('q') | KeyCode::Esc => return false,
            KeyCode::Char('h' | '?') => self.shows_help = !self.shows_help,
            KeyCode::Char('m') => self.change_metric(runs, true),
            KeyCode::Char('M') => self.change_metric(runs, false),
            KeyCode::Char('s') => self.smoothing = (self.smoothing + 1).min(SMOOTHING_FACTORS.len() - 1),
            KeyCode::Char('S') => self.smoothing = self.smoothing.saturating_sub(1),
            KeyCode::Char('+' | '=') => self.zoom.zoom_in(newest),
            KeyCode::Char('-') => self.zoom.zoom_out(newest),
            KeyCode::Left => self.zoom.pan(newest, false),
            KeyCode::Right => self.zoom.pan(newest, true),
            KeyCode::Char('0') => self.zoom = Zoom::default(),
            KeyCode::Char('x') => {
                self.axis = match self.axis {
                    Axis::Units => Axis::Work,
                    Axis::Work => Axis::Seconds,
                    Axis::Seconds => Axis::Units,
                };
                // The range that was shown is one of the axis before, and means nothing on this one.
                self.zoom = Zoom::default();
            }
            KeyCode::Tab => {
                let has_fleet = runs.iter().any(|run| run.fleet.is_some());
                self.panel = Some(match self.panel(runs) {
                    Panel::Runs => Panel::Settings,
                    Panel::Settings if has_fleet => Panel::Fleet,
                    Panel::Settings | Panel::Fleet => Panel::Runs,
                });
            }
            KeyCode::Up => self.selected = self.selected.saturating_sub(1),
            KeyCode::Down => self.selected = (self.selected + 1).min(runs.len().saturating_sub(1)),
            KeyCode::Char(' ') => self.hide_or_show(),
            KeyCode::Char('a') => self.hidden.clear(),
            // Other keys do nothing.
            _ => {}
        }
        true
    }

    /// Hides the selected run, or shows it if it is hidden.
    fn hide_or_show(&mut self) {
        if !self.hidden.remove(&self.selected) {
            self.hidden.insert(self.selected);
        }
    }

    fn change_metric(&mut self, runs: &[WatchedRun], forward: bool) {
        let metrics = drawable_metrics(runs);
        let current = self.metric(runs);
        let Some(index) = metrics.iter().position(|name| Some(name) == current.as_ref()) else {
            self.metric = metrics.first().cloned();
            return;
        };
        // A step back is `len - 1` steps forward, modulo `len`.
        let step = if forward { 1 } else { metrics.len() - 1 };
        self.metric = metrics.get((index + step) % metrics.len()).cloned();
    }
}

/// The metrics that can be drawn, the most important first: that of the goal, then those of the labs' charts,
/// then the others.
pub fn drawable_metrics(runs: &[WatchedRun]) -> Vec<String> {
    let main = runs.iter().filter_map(WatchedRun::main_metric);
    let abouts = || runs.iter().filter_map(|run| Some(run.metadata.entry?.about));
    let charts = abouts().flat_map(|about| about.charts.iter().copied());
    let listed = abouts().flat_map(|about| about.metrics.iter().map(|spec| spec.name));
    let others = runs.iter().flat_map(|run| run.history.series.keys().map(String::as_str));
    let mut metrics: Vec<String> = Vec::new();
    for name in main.chain(charts).chain(listed).chain(others) {
        let is_measured = runs.iter().any(|run| run.history.series.contains_key(name));
        if is_measured && !metrics.iter().any(|known| known == name) {
            metrics.push(name.to_owned());
        }
    }
    metrics
}
