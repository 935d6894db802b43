//! The curves of the shown runs, thinned to what the terminal can draw, and the ranges of the axes.

use super::super::run::WatchedRun;
use super::super::series::Point;
use super::view::View;

/// A curve, ready to be drawn. Points are pairs of place and value, as ratatui takes them.
pub struct Curve {
    /// The index of its run.
    pub run: usize,
    /// The moving average, or the values as measured if there is none.
    pub points: Vec<(f64, f64)>,
    /// The values as measured, if `points` is an average and the run is the selected one: the lowest and
    /// highest of each column.
    pub measured: Vec<(f64, f64)>,
}

/// All curves with the ranges of the axes.
pub struct Curves {
    pub curves: Vec<Curve>,
    /// The ends of the horizontal axis.
    pub horizontal: (f64, f64),
    /// The ends of the vertical axis.
    pub vertical: (f64, f64),
    /// The value of the goal, if it is within the range.
    pub target: Option<f64>,
    /// How many values a point stands for, at most.
    pub values_per_point: u64,
}

impl Curves {
    /// The curves of a metric, for a picture of this many columns of dots.
    pub fn new(runs: &[WatchedRun], view: &View, metric: &str, columns: usize) -> Self {
        let horizontal = view.zoom.edges(view.newest(runs));
        let (mut curves, mut values_per_point) = (Vec::new(), 1);
        for (i, run) in runs.iter().enumerate().filter(|(i, _)| !view.hidden.contains(i)) {
            let Some(series) = run.series(metric) else { continue };
            values_per_point = values_per_point.max(series.values_per_point());
            let place = |point: &Point| point.at[view.axis as usize];
            let measured = series.points().iter().map(|point| (place(point), point.value));
            let shown = if view.smoothing() > 0.0 {
                let averages = series.smoothed(view.smoothing());
                within(series.points().iter().map(place).zip(averages), horizontal)
            } else {
                within(measured.clone(), horizontal)
            };
            let has_measured_too = view.smoothing() > 0.0 && i == view.selected;
            let measured = if has_measured_too { within(measured, horizontal) } else { Vec::new() };
            curves.push(Curve {
                run: i,
                points: means(&shown, horizontal, columns),
                measured: extremes(&measured, horizontal, columns),
            });
        }
        let shown = runs.iter().enumerate().filter(|(i, _)| !view.hidden.contains(i));
        let target = shown.filter_map(|(_, run)| run.target(metric)).next();
        let shows_all = view.zoom.shows_all();
        let vertical = vertical_range(&curves, target.filter(|_| shows_all), shows_all);
        let target = target.filter(|target| (vertical.0..=vertical.1).contains(target));
        Self { curves, horizontal, vertical, target, values_per_point }
    }
}

/// The points of a part of the axis, with a neighbour on either side, so that lines go on to the edges.
/// Points whose place is unknown are left out.
fn within(points: impl Iterator<Item = (f64, f64)>, (from, to): (f64, f64)) -> Vec<(f64, f64)> {
    let mut shown: Vec<(f64, f64)> = Vec::new();
    for point in points.filter(|(x, y)| x.is_finite() && y.is_finite()) {
        // Of the points before the part, the last one stays.
        if point.0 < from {
            shown.clear();
        }
        shown.push(point);
        if point.0 > to {
            break;
        }
    }
    shown
}

/// The column of a place. Neighbours outside of the range are in columns of their own, left and right of
/// those that are shown.
fn column(x: f64, (from, to): (f64, f64), columns: usize) -> i64 {
    let share = (x - from) / (to - from).max(f64::MIN_POSITIVE);
    (share * columns as f64).floor().clamp(-1.0, columns as f64 + 1.0) as i64
}

/// The mean of the points in each column.
fn means(points: &[(f64, f64)], range: (f64, f64), columns: usize) -> Vec<(f64, f64)> {
    let is_same = |a: &(f64, f64), b: &(f64, f64)| column(a.0, range, columns) == column(b.0, range, columns);
    let mean = |part: &[(f64, f64)]| {
        let (x_sum, y_sum) = part.iter().fold((0.0, 0.0), |(x_sum, y_sum), &(x, y)| (x_sum + x, y_sum + y));
        (x_sum / part.len() as f64, y_sum / part.len() as f64)
    };
    points.chunk_by(is_same).map(mean).collect()
}

/// The lowest and the highest point in each column.
fn extremes(points: &[(f64, f64)], range: (f64, f64), columns: usize) -> Vec<(f64, f64)> {
    let is_same = |a: &(f64, f64), b: &(f64, f64)| column(a.0, range, columns) == column(b.0, range, columns);
    let lowest_and_highest = |part: &[(f64, f64)]| {
        let low = part.iter().copied().min_by(|(_, a), (_, b)| a.total_cmp(b));
        let high = part.iter().copied().max_by(|(_, a), (_, b)| a.total_cmp(b));
        [low, high].into_iter().flatten().collect::<Vec<_>>()
    };
    points.chunk_by(is_same).flat_map(lowest_and_highest).collect()
}

/// The range of the vertical axis: all points and the target. With `starts_at_zero` it begins at 0 if nothing
/// is below and the lowest value is below half of the highest.
fn vertical_range(curves: &[Curve], target: Option<f64>, starts_at_zero: bool) -> (f64, f64) {
    let values = curves.iter().flat_map(|curve| curve.points.iter().chain(&curve.measured)).map(|(_, y)| *y);
    let range = (f64::INFINITY, f64::NEG_INFINITY);
    let (low, high) = values.chain(target).fold(range, |(low, high), y| (low.min(y), high.max(y)));
    if !low.is_finite() || !high.is_finite() {
        return (0.0, 1.0);
    }
    let low = if starts_at_zero && low > 0.0 && low < 0.5 * high { 0.0 } else { low };
    // Equal values are drawn in the middle.
    if high > low { (low, high) } else { (low - 0.5, high + 0.5) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_have_a_neighbour_on_either_side() {
        let points = || (0..10).map(|i| (f64::from(i), 0.0));
        let places = |shown: Vec<(f64, f64)>| shown.iter().map(|point| point.0).collect::<Vec<_>>();
        assert_eq!(places(within(points(), (3.0, 5.0))), [2.0, 3.0, 4.0, 5.0, 6.0]);
        assert_eq!(places(within(points(), (2.5, 3.5))), [2.0, 3.0, 4.0]);
        assert_eq!(places(within([(f64::NAN, 1.0), (1.0, 2.0)].into_iter(), (0.0, 9.0))), [1.0]);
    }

    #[test]
    fn columns_keep_means_and_extremes() {
        let points: Vec<_> = [1.0, 5.0, 3.0, 7.0].iter().enumerate().map(|(i, y)| (i as f64, *y)).collect();
        assert_eq!(means(&points, (0.0, 4.0), 2), [(0.5, 3.0), (2.5, 5.0)]);
        assert_eq!(extremes(&points, (0.0, 4.0), 1), [(0.0, 1.0), (3.0, 7.0)]);
        assert_eq!(means(&points[..1], (0.0, 0.0), 2).len(), 1, "an axis without length");
    }
}
