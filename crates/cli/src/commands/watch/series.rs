//! The values of one metric of a run, in bounded memory: when there are too many, every pair of neighbours
//! becomes one point, their mean.

use super::rows::Row;

/// The most points of a series; even, because they are halved in pairs.
const MAX_POINTS: usize = 16_384;

/// A value, and where it was measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Units (training iterations), work and seconds since the beginning of the run; NaN where it is unknown.
    pub at: [f64; 3],
    pub value: f64,
}

impl Point {
    /// The weighted mean of two points: this one is the mean of `n` values, the other the mean of `m`.
    fn mean(self, n: f64, other: Self, m: f64) -> Self {
        let mean = |a: f64, b: f64| (a * n + b * m) / (n + m);
        Self {
            at: std::array::from_fn(|i| mean(self.at[i], other.at[i])),
            value: mean(self.value, other.value),
        }
    }
}

/// The values of a metric, by ascending unit.
#[derive(Clone, Debug)]
pub struct Series {
    /// Every point is the mean of `values_per_point` values, but the last is that of `values_in_last` so far.
    points: Vec<Point>,
    values_per_point: u64,
    values_in_last: u64,
    pub latest: f64,
    pub lowest: f64,
    pub highest: f64,
}

impl Series {
    fn new() -> Self {
        Self {
            points: Vec::new(),
            values_per_point: 1,
            values_in_last: 0,
            latest: f64::NAN,
            lowest: f64::NAN,
            highest: f64::NAN,
        }
    }

    /// The series that begins with this value of a row.
    pub fn starting(row: &Row, value: f64) -> Self {
        let mut series = Self::new();
        series.push(row, value);
        series
    }

    /// Adds the value of a further row.
    pub fn push(&mut self, row: &Row, value: f64) {
        self.latest = value;
        // `min` and `max` prefer a number to NaN.
        (self.lowest, self.highest) = (self.lowest.min(value), self.highest.max(value));
        let at = [row.unit as f64, row.work.unwrap_or(f64::NAN), row.seconds.unwrap_or(f64::NAN)];
        let point = Point { at, value };
        match self.points.last_mut() {
            Some(last) if self.values_in_last < self.values_per_point => {
                *last = last.mean(self.values_in_last as f64, point, 1.0);
                self.values_in_last += 1;
            }
            _ => {
                // All points are complete here, so each pair of them becomes a complete point of twice as
                // many values.
                if self.points.len() == MAX_POINTS {
                    self.points = self.points.chunks(2).map(|pair| pair[0].mean(1.0, pair[1], 1.0)).collect();
                    self.values_per_point *= 2;
                }
                self.points.push(point);
                self.values_in_last = 1;
            }
        }
    }

    // Without the feature `watch` there is no screen, and only the latest, lowest and highest values are
    // shown.
    #[cfg(any(feature = "watch", test))]
    pub fn points(&self) -> &[Point] {
        &self.points
    }

    /// How many values each point is the mean of.
    #[cfg(any(feature = "watch", test))]
    pub fn values_per_point(&self) -> u64 {
        self.values_per_point
    }

    /// The exponential moving average (EMA) at each point: with each value the average becomes `factor *
    /// average + (1 - factor) * value`. A point that is the mean of n values counts as n values. The average
    /// is divided by the sum of its weights, so that it does not begin near zero.
    #[cfg(any(feature = "watch", test))]
    pub fn smoothed(&self, factor: f64) -> Vec<f64> {
        let (mut sum, mut weights) = (0.0, 0.0);
        let last = self.points.len().saturating_sub(1);
        let average = |(i, point): (usize, &Point)| {
            let values = if i == last { self.values_in_last } else { self.values_per_point };
            // The limit only keeps the exponent within 32 bits: for factors up to 0.999, the largest that can
            // be chosen, the power is zero long before.
            let kept = factor.powi(values.min(1 << 20) as i32);
            sum = kept * sum + (1.0 - kept) * point.value;
            weights = kept * weights + (1.0 - kept);
            sum / weights
        };
        self.points.iter().enumerate().map(average).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn series(values: impl IntoIterator<Item = f64>) -> Series {
        let mut series = Series::new();
        for (i, value) in values.into_iter().enumerate() {
            let unit = i as u64 + 1;
            series.push(
                &Row { unit, work: Some(10.0 * unit as f64), seconds: None, values: Vec::new() },
                value,
            );
        }
        series
    }

    #[test]
    fn long_series_keep_means_of_neighbours() {
        let n = 3 * MAX_POINTS;
        let long = series((1..=n).map(|unit| unit as f64));
        assert_eq!((long.points().len(), long.values_per_point()), (3 * MAX_POINTS / 4, 4));
        // Every value is its unit, so means of values and of units agree.
        assert!(
            long.points().iter().all(|point| point.at[0] == point.value && point.at[1] == 10.0 * point.value)
        );
        assert_eq!((long.lowest, long.highest, long.latest), (1.0, n as f64, n as f64));
        assert!(long.points()[0].at[2].is_nan());
        // The last point has a single value so far.
        let odd = series((1..=2 * MAX_POINTS + 1).map(|unit| unit as f64));
        assert_eq!(odd.points().last().unwrap().value, 2.0 * MAX_POINTS as f64 + 1.0);
    }

    #[test]
    fn average_is_exponential_and_begins_with_the_first_value() {
        let ones = series([1.0; 50]);
        assert!(ones.smoothed(0.9).iter().all(|average| (average - 1.0).abs() < 1e-12));
        let few = series([4.0, 0.0, 2.0]);
        assert_eq!(few.smoothed(0.0), [4.0, 0.0, 2.0]);
        // The weights are 1/8, 1/4 and, of the newest value, 1/2; 7/8 is their sum.
        let expected = (0.125 * 4.0 + 0.25 * 0.0 + 0.5 * 2.0) / 0.875;
        assert!((few.smoothed(0.5)[2] - expected).abs() < 1e-12);
        assert!(series([]).smoothed(0.5).is_empty());
    }
}
