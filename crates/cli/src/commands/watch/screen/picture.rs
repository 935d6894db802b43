//! Draws the curves with their axes.

use learnery_lab::MetricSpec;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::{Color, Style};
use ratatui::symbols::Marker;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Axis as ChartAxis, Chart, Dataset, GraphType};

use super::super::run::WatchedRun;
use super::curves::Curves;
use super::view::{Axis, View};
use super::{QUIET, colour};
use crate::terminal::numbers;

/// The width from which on the horizontal axis has a third label, in its middle.
const MIN_COLUMNS_FOR_THREE_LABELS: u16 = 50;

/// Draws the chosen metric of the shown runs. The first line says what is drawn.
pub fn draw(frame: &mut Frame, area: Rect, runs: &[WatchedRun], view: &View) {
    let metric = view.metric(runs).unwrap_or_default();
    // A character has two columns of dots.
    let curves = Curves::new(runs, view, &metric, 2 * usize::from(area.width));
    let top = Rect { height: area.height.min(1), ..area };
    frame.render_widget(title(runs, view, &metric, &curves, area.width), top);
    let below = Rect { y: area.y + top.height, height: area.height - top.height, ..area };
    if below.height < 2 {
        return;
    }
    let (left, right) = curves.horizontal;
    let goal = curves.target.map(|target| [(left, target), (right, target)]);
    // What is drawn later is on top.
    let mut sets = Vec::new();
    let line = |points, style| {
        Dataset::default().marker(Marker::Braille).graph_type(GraphType::Line).style(style).data(points)
    };
    if let Some(goal) = &goal {
        sets.push(line(goal, Style::new().fg(Color::DarkGray)));
    }
    for curve in &curves.curves {
        sets.push(line(&curve.measured, Style::new().fg(Color::DarkGray)));
    }
    for curve in curves.curves.iter().filter(|curve| curve.run != view.selected) {
        sets.push(line(&curve.points, Style::new().fg(colour(curve.run))));
    }
    // The selected one is on top.
    for curve in curves.curves.iter().filter(|curve| curve.run == view.selected) {
        sets.push(line(&curve.points, Style::new().fg(colour(curve.run))));
    }
    let (low, high) = curves.vertical;
    let places = if area.width < MIN_COLUMNS_FOR_THREE_LABELS {
        vec![left, right]
    } else {
        vec![left, (left + right) / 2.0, right]
    };
    let labels = places.into_iter().map(|x| Span::styled(format_place(x, view.axis), QUIET));
    let values = [low, (low + high) / 2.0, high]
        .map(|y| Span::styled(format!("{:>7}", numbers::axis_label(y)), QUIET));
    let chart = Chart::new(sets)
        .legend_position(None)
        .x_axis(
            // Before the first value both ends are 0, but an axis needs a length.
            ChartAxis::default()
                .bounds([left, right.max(left + f64::MIN_POSITIVE)])
                .labels(labels)
                .style(QUIET),
        )
        .y_axis(ChartAxis::default().bounds([low, high]).labels(values).style(QUIET));
    frame.render_widget(chart, below);
}

/// A place on the horizontal axis.
fn format_place(x: f64, axis: Axis) -> String {
    match axis {
        Axis::Units | Axis::Work => numbers::si(if x < 100.0 { x } else { x.round() }),
        Axis::Seconds => numbers::clock(x),
    }
}

/// What is drawn: metric, goal, smoothing, axis. On a narrow screen the smoothing comes first, so that it is
/// always stated.
fn title(runs: &[WatchedRun], view: &View, metric: &str, curves: &Curves, width: u16) -> Line<'static> {
    let spec: Option<&MetricSpec> = runs.iter().find_map(|run| run.metadata.metric(metric));
    let bold = Style::new().bold();
    let mut name = match spec {
        _ if metric.is_empty() => vec![Span::styled("no metric yet", QUIET)],
        Some(spec) if spec.unit.is_empty() => vec![Span::styled(spec.label, bold)],
        Some(spec) => vec![Span::styled(spec.label, bold), Span::raw(format!(" in {}", spec.unit))],
        None => vec![Span::styled(metric.to_owned(), bold)],
    };
    if let Some(target) = curves.target {
        name.push(Span::raw(format!(", goal {}", numbers::target(target))));
    }
    let zoom = match view.zoom.shows_all() {
        true => String::new(),
        false => format!(", zoom {}", numbers::si(view.zoom.times(view.newest(runs)).round())),
    };
    let quiet = |text: String| Span::styled(text, QUIET);
    let axis = format!(" │ {}{zoom}", axis_name(runs, view.axis));
    let with_smoothing = |smoothing: String| {
        let parts = [quiet(format!(" │ {smoothing}")), quiet(axis.clone())];
        Line::from_iter(name.iter().cloned().chain(parts))
    };
    let lines = [true, false].map(|is_long| with_smoothing(smoothing_text(view, curves, is_long)));
    let fitting = lines.into_iter().find(|line| line.width() <= usize::from(width));
    fitting.unwrap_or_else(|| {
        let first = quiet(format!("{}{zoom} │ ", smoothing_text(view, curves, false)));
        Line::from_iter([first].into_iter().chain(name))
    })
}

/// What the horizontal axis counts, in the words of the first lab.
fn axis_name(runs: &[WatchedRun], axis: Axis) -> String {
    let about = runs.iter().find_map(|run| Some(run.metadata.entry?.about));
    match axis {
        Axis::Units => format!("{}s", about.map_or("unit", |about| about.unit)),
        Axis::Work => about.map_or("work", |about| about.work).to_owned(),
        Axis::Seconds => "time of training".to_owned(),
    }
}

/// What was done to the values before they are drawn, in a long or a short form.
fn smoothing_text(view: &View, curves: &Curves, is_long: bool) -> String {
    let mut text = match view.smoothing() {
        0.0 => "as measured".to_owned(),
        factor if is_long => format!("EMA {factor} per value; grey: as measured"),
        factor => format!("EMA {factor}"),
    };
    if curves.values_per_point > 1 {
        let values = numbers::count(curves.values_per_point);
        text.push_str(&if is_long {
            format!(", means of {values} values")
        } else {
            format!(", means of {values}")
        });
    }
    text
}
