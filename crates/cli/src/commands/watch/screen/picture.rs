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

/// Draws the chosen metric of the shown runs. The first line says what is drawn.
pub fn draw(frame: &mut Frame, area: Rect, runs: &[WatchedRun], view: &View) {
    let metric = view.metric(runs).unwrap_or_default();
    // A character has two columns of dots.
    let curves = Curves::new(runs, view, &metric, 2 * usize::from(area.width));
    let title = Rect { height: area.height.min(1), ..area };
    frame.render_widget(Line::from(title_spans(runs, view, &metric, &curves)), title);
    let below = Rect { y: area.y + title.height, height: area.height - title.height, ..area };
    if below.height < 2 {
        return;
    }
    let goal = curves.target.map(|target| [(curves.horizontal.0, target), (curves.horizontal.1, target)]);
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
    let (left, right) = curves.horizontal;
    let (low, high) = curves.vertical;
    let places = if area.width < 50 { vec![left, right] } else { vec![left, (left + right) / 2.0, right] };
    let labels = places.into_iter().map(|x| Span::styled(place(x, view.axis), QUIET));
    let values = [low, (low + high) / 2.0, high]
        .map(|y| Span::styled(format!("{:>7}", numbers::axis_label(y)), QUIET));
    let chart = Chart::new(sets)
        .legend_position(None)
        .x_axis(
            ChartAxis::default()
                .bounds([left, right.max(left + f64::MIN_POSITIVE)])
                .labels(labels)
                .style(QUIET),
        )
        .y_axis(ChartAxis::default().bounds([low, high]).labels(values).style(QUIET));
    frame.render_widget(chart, below);
}

/// A place on the horizontal axis.
fn place(x: f64, axis: Axis) -> String {
    match axis {
        Axis::Units | Axis::Work => numbers::si(if x < 100.0 { x } else { x.round() }),
        Axis::Seconds => numbers::clock(x),
    }
}

/// What is drawn: metric, goal, smoothing, axis.
fn title_spans(runs: &[WatchedRun], view: &View, metric: &str, curves: &Curves) -> Vec<Span<'static>> {
    let spec: Option<&MetricSpec> = runs.iter().find_map(|run| run.facts.metric(metric));
    let mut spans = match spec {
        _ if metric.is_empty() => vec![Span::styled("no metric yet", QUIET)],
        Some(spec) => vec![
            Span::styled(spec.label, Style::new().bold()),
            Span::raw(if spec.unit.is_empty() { String::new() } else { format!(" in {}", spec.unit) }),
        ],
        None => vec![Span::styled(metric.to_owned(), Style::new().bold())],
    };
    if let Some(target) = curves.target {
        spans.push(Span::raw(format!(", goal {}", numbers::target(target))));
    }
    spans.push(Span::styled(format!(" │ {}", smoothing(view, curves)), QUIET));
    let about = runs.iter().find_map(|run| Some(run.facts.entry?.about));
    let axis = match (view.axis, about) {
        (Axis::Units, about) => format!("{}s", about.map_or("unit", |about| about.unit)),
        (Axis::Work, about) => about.map_or("work", |about| about.work).to_owned(),
        (Axis::Seconds, _) => "time of training".to_owned(),
    };
    spans.push(Span::styled(format!(" │ {axis}"), QUIET));
    if !view.zoom.shows_all() {
        spans.push(Span::raw(format!(", zoom {}", numbers::si(view.zoom.times(view.newest(runs)).round()))));
    }
    spans
}

/// What was done to the values before they are drawn.
fn smoothing(view: &View, curves: &Curves) -> String {
    let mut text = match view.smoothing() {
        0.0 => "as measured".to_owned(),
        factor => format!("EMA {factor} per value; grey: as measured"),
    };
    if curves.values_per_point > 1 {
        text.push_str(&format!(", means of {} values", numbers::count(curves.values_per_point)));
    }
    text
}
