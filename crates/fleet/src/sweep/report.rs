//! The HTML report of a sweep: the learning curve of every run (the goal's metric against training
//! iterations), coloured by configuration, and a table. It is one file without scripts and loads nothing. It
//! contains no dates or durations, so a sweep that was interrupted and resumed ends with the same report.

use std::fmt::Write;

use learnery_lab::MetricSpec;

use super::Configuration;
use super::summary::{Best, CompletedRun, Quartiles, Summary, find_best, summarise};

/// What the page shows.
pub struct Page<'a> {
    /// The lab's name for people.
    pub title: &'a str,
    /// What the lab calls a unit, such as `iteration`.
    pub unit: &'a str,
    /// The metric of the goal.
    pub metric: &'a MetricSpec,
    /// The value of the goal, if the runs have one.
    pub target: Option<f64>,
    pub configurations: &'a [Configuration],
    /// Sorted by configuration and seed, so that the page does not depend on the order in which runs ended.
    pub completed: &'a [CompletedRun],
    /// The number of runs of the sweep, completed or not.
    pub all: usize,
}

/// Width and height of the coordinates in which curves are drawn. The page stretches the picture, but not the
/// width of its lines (`vector-effect` in `report.css`).
const CHART_SIZE: f64 = 1000.0;
/// About how many intervals an axis has between its marks.
const AXIS_INTERVALS: f64 = 5.0;
/// The most intervals of an axis, whatever its values are.
const MAX_AXIS_INTERVALS: f64 = 20.0;
/// Values beyond this are drawn at the edge.
const LARGEST_VALUE: f64 = 1e300;
/// The hue of the first configuration: blue.
const FIRST_HUE_DEGREES: f64 = 210.0;
/// Multiples of this angle are spread evenly over the circle, however many there are.
const GOLDEN_ANGLE_DEGREES: f64 = 137.508;

const STYLE: &str = include_str!("report.css");

/// The page as HTML.
pub fn page(page: &Page) -> String {
    let summaries = summarise(page.configurations, page.completed);
    let best = find_best(&summaries, page.metric.name, page.metric.better);
    let title = format!("Sweep: {}", escape(page.title));
    let progress = match page.completed.len() {
        n if n == page.all => format!("All {n} runs are complete."),
        n => format!("{n} of {} runs are complete.", page.all),
    };
    let progress = match page.completed.iter().filter(|run| run.is_dropped).count() {
        0 => progress,
        1 => format!("{progress} 1 of them was stopped early, because others were better."),
        n => format!("{progress} {n} of them were stopped early, because others were better."),
    };
    let best_paragraph = best
        .as_ref()
        .map_or(String::new(), |best| format!("<p class=\"best\">{}</p>\n", escape(&best.sentence)));
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{title}</title>\n\
         <style>\n{STYLE}{}</style>\n<main>\n<h1>{title}</h1>\n<p>{progress}</p>\n{best_paragraph}{}{}</main>\n</html>\n",
        colour_rules(page.configurations.len()),
        chart_html(page, best.as_ref()),
        table_html(page, &summaries, best.as_ref()),
    )
}

/// One CSS rule for each configuration, which sets its hue.
fn colour_rules(configurations: usize) -> String {
    (0..configurations).fold(String::new(), |mut css, i| {
        let hue = (FIRST_HUE_DEGREES + i as f64 * GOLDEN_ANGLE_DEGREES) % 360.0;
        _ = writeln!(css, ".s{i} {{ --hue: {hue:.0} }}");
        css
    })
}

/// An axis: its range and its ticks (`marks`).
#[derive(Debug, PartialEq)]
struct Axis {
    low: f64,
    high: f64,
    marks: Vec<f64>,
}

impl Axis {
    /// An axis with round marks that has room for these values; from 0 to 1 if there are none.
    fn around(values: impl Iterator<Item = f64> + Clone) -> Self {
        // Clamped so that no sum or difference below overflows.
        let finite =
            values.filter(|value| value.is_finite()).map(|value| value.clamp(-LARGEST_VALUE, LARGEST_VALUE));
        let (low, high) =
            (finite.clone().fold(f64::INFINITY, f64::min), finite.fold(f64::NEG_INFINITY, f64::max));
        let (low, high) = match (low <= high, low < high) {
            (false, _) => (0.0, 1.0),
            (true, false) => {
                // A huge number would be the same with a half added to it.
                let margin = (4.0 * f64::EPSILON * low.abs()).max(0.5);
                (low - margin, high + margin)
            }
            (true, true) => (low, high),
        };
        let rough = ((high - low) / AXIS_INTERVALS).max(f64::MIN_POSITIVE);
        let power = 10_f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * power).into_iter().find(|step| *step >= rough);
        // Without a step only if rounding has made even ten powers too small.
        let step = step.unwrap_or(rough);
        let (first, last) = ((low / step).floor(), (high / step).ceil());
        let marks = (0..=(last - first).clamp(1.0, MAX_AXIS_INTERVALS) as u32)
            .map(|i| (first + f64::from(i)) * step)
            .collect();
        Self { low: first * step, high: last * step, marks }
    }

    /// The position of a value on the axis: 0 at its low end, 1 at its high end.
    fn place(&self, value: f64) -> f64 {
        ((value - self.low) / (self.high - self.low)).clamp(0.0, 1.0)
    }
}

/// A number with up to four decimals, or with an exponent if it is very small or large.
fn format_number(value: f64) -> String {
    match value.abs() {
        0.0 => "0".into(),
        1e-3..1e7 => {
            let text = format!("{value:.4}");
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        }
        _ => format!("{value:.2e}"),
    }
}

/// The chart with the curves of all runs.
fn chart_html(page: &Page, best: Option<&Best>) -> String {
    let points = || page.completed.iter().flat_map(|run| &run.curve);
    let x_axis = Axis::around(points().map(|(unit, _)| *unit as f64).chain([0.0]));
    let y_axis = Axis::around(points().map(|(_, value)| *value).chain(page.target));
    let top_percent = |value: f64| 100.0 * (1.0 - y_axis.place(value));
    let mut lines = String::new();
    // The best are drawn last, over the others.
    let is_best = |run: &&CompletedRun| best.is_some_and(|best| best.configuration == run.configuration);
    let (front, back): (Vec<&CompletedRun>, Vec<&CompletedRun>) = page.completed.iter().partition(is_best);
    for mark in &y_axis.marks {
        let y = CHART_SIZE * (1.0 - y_axis.place(*mark));
        _ = writeln!(lines, "<path class=\"mark\" d=\"M0 {y:.0}H{CHART_SIZE:.0}\"/>");
    }
    if let Some(target) = page.target {
        let y = CHART_SIZE * (1.0 - y_axis.place(target));
        _ = writeln!(lines, "<path class=\"goal\" d=\"M0 {y:.0}H{CHART_SIZE:.0}\"/>");
    }
    for (run, class) in back.iter().map(|run| (run, "")).chain(front.iter().map(|run| (run, " front"))) {
        let points = run.curve.iter().filter(|(_, value)| value.is_finite()).map(|(unit, value)| {
            let (x, y) = (CHART_SIZE * x_axis.place(*unit as f64), CHART_SIZE * (1.0 - y_axis.place(*value)));
            format!("{x:.0} {y:.0}")
        });
        let path = points.collect::<Vec<_>>().join("L");
        if !path.is_empty() {
            let label = escape(&page.configurations[run.configuration].label());
            let (configuration, seed) = (run.configuration, run.seed);
            // A single point gets a line of no length (`h0`), of which the round ends are drawn.
            _ = writeln!(
                lines,
                "<path class=\"s{configuration}{class}\" d=\"M{path}{}\"><title>{label}, seed {seed}</title></path>",
                if path.contains('L') { "" } else { "h0" }
            );
        }
    }
    let mut labels = String::new();
    for mark in &y_axis.marks {
        _ = writeln!(
            labels,
            "<span class=\"y\" style=\"top:{:.1}%\">{}</span>",
            top_percent(*mark),
            format_number(*mark)
        );
    }
    for mark in &x_axis.marks {
        let left_percent = 100.0 * x_axis.place(*mark);
        _ = writeln!(
            labels,
            "<span class=\"x\" style=\"left:{left_percent:.1}%\">{}</span>",
            format_number(*mark)
        );
    }
    if let Some(target) = page.target {
        _ = writeln!(
            labels,
            "<span class=\"aim\" style=\"top:{:.1}%\">goal {}</span>",
            top_percent(target),
            format_number(target)
        );
    }
    let (metric, unit) = (escape(page.metric.label), escape(page.unit));
    format!(
        "<figure>\n<figcaption>{metric} of every run, by {unit}</figcaption>\n<div class=\"plot\">\n\
         <svg viewBox=\"0 0 {CHART_SIZE:.0} {CHART_SIZE:.0}\" preserveAspectRatio=\"none\" role=\"img\" \
         aria-label=\"{metric} of every run, by {unit}\">\n{lines}</svg>\n{labels}</div>\n</figure>\n"
    )
}

/// The table with a row for each configuration.
fn table_html(page: &Page, summaries: &[Summary], best: Option<&Best>) -> String {
    let mut rows = String::new();
    for (i, summary) in summaries.iter().enumerate().filter(|(_, summary)| summary.runs > 0) {
        let is_best = best.is_some_and(|best| best.configuration == i);
        let (class, mark) = if is_best { (" class=\"best\"", " <b>best</b>") } else { ("", "") };
        let share = 100.0 * summary.solved as f64 / summary.runs as f64;
        let stopped = match summary.is_dropped {
            true => format!(", stopped after {} {}s", summary.units, escape(page.unit)),
            false => String::new(),
        };
        _ = writeln!(
            rows,
            "<tr{class}><th scope=\"row\"><i class=\"s{i}\"></i>{}{stopped}{mark}</th><td>{}</td><td>{share:.0} %</td><td>{}</td><td>{}</td></tr>",
            escape(&summary.label),
            summary.runs,
            quartiles_cell(summary.units_to_goal),
            quartiles_cell(summary.value)
        );
    }
    format!(
        "<div class=\"table\">\n<table>\n<thead><tr><th scope=\"col\">settings</th><th scope=\"col\">runs</th>\
         <th scope=\"col\">solved</th><th scope=\"col\">{}s to the goal</th><th scope=\"col\">{} at the end</th></tr></thead>\n\
         <tbody>\n{rows}</tbody>\n</table>\n</div>\n<p class=\"note\">Medians, with quartiles in brackets. Every run is a line of \
         results.csv.</p>\n",
        escape(page.unit),
        escape(page.metric.label)
    )
}

/// `median (lower to upper)`, with a dash for what is missing or infinite, such as the units to a goal that
/// was not reached.
fn quartiles_cell(quartiles: Option<Quartiles>) -> String {
    let text = |value: f64| if value.is_finite() { format_number(value) } else { "–".into() };
    quartiles.map_or("–".into(), |q| format!("{} ({} to {})", text(q.median), text(q.lower), text(q.upper)))
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use learnery_lab::Better;

    use super::*;
    use crate::sweep::parse_configurations;

    const METRIC: MetricSpec =
        MetricSpec { name: "return", label: "return <mean>", help: "", unit: "", better: Better::Higher };

    fn run(configuration: usize, seed: u32, curve: Vec<(u64, f64)>) -> CompletedRun {
        let value = curve.last().map_or(f64::NAN, |(_, value)| *value);
        CompletedRun {
            configuration,
            seed,
            units: 9,
            work: 90,
            solved_at: None,
            value,
            curve,
            fingerprint: "f00d".into(),
            is_dropped: false,
        }
    }

    #[test]
    fn page_has_every_curve_marks_the_best_and_loads_nothing() {
        let configurations = parse_configurations(&["a=1,<2>".into()]).unwrap();
        let completed = [
            run(0, 0, vec![(1, 10.0), (9, 20.0)]),
            run(1, 0, vec![(1, 10.0), (9, f64::NAN)]),
            run(1, 1, vec![(4, 30.0)]),
            run(0, 1, vec![]),
        ];
        let show = |completed: &[CompletedRun]| {
            page(&Page {
                title: "Control & co",
                unit: "iteration",
                metric: &METRIC,
                target: Some(25.0),
                configurations: &configurations,
                completed,
                all: 4,
            })
        };
        let html = show(&completed);
        assert_eq!(html.matches("<title>").count(), 1 + 3, "{html}");
        assert!(html.contains("<path class=\"s1 front\"") && html.contains("<path class=\"s0\""), "{html}");
        assert!(html.contains("Best settings: a=_2_;") && html.contains("Control &amp; co"), "{html}");
        assert!(html.contains("return &lt;mean&gt; of every run, by iteration"), "{html}");
        for foreign in ["http", "src=", "href=", "url(", "<script", "NaN", "inf"] {
            assert!(!html.contains(foreign), "{foreign}: {html}");
        }
        assert!(show(&[]).contains("0 of 4 runs are complete."));
        let stopped = completed.clone().map(|run| CompletedRun { is_dropped: run.configuration == 0, ..run });
        let html = show(&stopped);
        assert!(html.contains("runs are complete. 2 of them were stopped early, because"), "{html}");
        assert!(html.contains("a=1, stopped after 9 iterations</th>"), "{html}");
    }

    #[test]
    fn axes_have_round_marks_around_all_values() {
        let axis = Axis::around([3.0, 197.0].into_iter());
        assert_eq!(axis, Axis { low: 0.0, high: 200.0, marks: vec![0.0, 50.0, 100.0, 150.0, 200.0] });
        assert_eq!((axis.place(50.0), axis.place(-9.0), axis.place(999.0)), (0.25, 0.0, 1.0));
        for values in [
            vec![],
            vec![f64::NAN],
            vec![7.0],
            vec![-1e300, 1e300],
            vec![1e-300, 2e-300],
            vec![f64::MAX, f64::MIN],
            vec![1e17],
        ] {
            let Axis { low, high, marks } = Axis::around(values.iter().copied());
            assert!((high - low).is_finite());
            assert!(low < high && (2..=21).contains(&marks.len()), "{values:?}: {low} {high} {marks:?}");
        }
        assert_eq!(
            [0.0, 0.25, 1234.0, 1e9, -1e-9].map(format_number),
            ["0", "0.25", "1234", "1.00e9", "-1.00e-9"]
        );
    }
}
