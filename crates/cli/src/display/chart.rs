//! Draws a curve as text with braille characters. Each character has 2 columns by 4 rows of dots, so the
//! curve has that much more resolution than the terminal.

use super::styled_line::{Style, StyledLine};

/// The columns of dots of a character.
const DOT_COLUMNS: usize = 2;
/// The rows of dots of a character.
const DOT_ROWS: usize = 4;

/// A curve over the units (training iterations) of a run.
pub struct Curve<'a> {
    /// Pairs of unit and value, by ascending unit.
    pub points: &'a [(u64, f64)],
    /// The target value of the goal, drawn as a horizontal line.
    pub target: Option<f64>,
    /// The unit at the left edge.
    pub first: u64,
    /// The unit at the right edge.
    pub last: u64,
}

/// The (lowest, highest) value of the vertical axis. It includes all points and the target. It begins at 0 if
/// all values are positive and the lowest is below half of the highest.
fn value_range(curve: &Curve) -> (f64, f64) {
    let values = curve.points.iter().map(|(_, v)| *v).chain(curve.target);
    let (low, high) =
        values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)));
    if !low.is_finite() || !high.is_finite() {
        return (0.0, 1.0);
    }
    let low = if low > 0.0 && low < 0.5 * high { 0.0 } else { low };
    // Equal values are drawn in the middle.
    if high > low { (low, high) } else { (low - 0.5, high + 0.5) }
}

/// Draws the curve in `height` lines of `width` characters.
pub fn draw(curve: &Curve, width: usize, height: usize) -> Vec<StyledLine> {
    let (low, high) = value_range(curve);
    // In dots.
    let (columns, rows) = (DOT_COLUMNS * width, DOT_ROWS * height);
    // The set of dots of each character, as bits (see `BRAILLE_BITS`), line by line.
    let mut cells = vec![0u8; width * height];
    let mut last_row: Option<usize> = None;
    for (x, value) in column_values(curve, columns).into_iter().enumerate() {
        let Some(value) = value else { continue };
        let row = row_of(value, low, high, rows);
        // A vertical stroke connects this dot with that of the previous column.
        let (from, to) = last_row.map_or((row, row), |last| (last.min(row), last.max(row)));
        for y in from..=to {
            let cell = y / DOT_ROWS * width + x / DOT_COLUMNS;
            cells[cell] |= BRAILLE_BITS[y % DOT_ROWS][x % DOT_COLUMNS];
        }
        last_row = Some(row);
    }
    let target_line = curve.target.map(|target| line_of(target, low, high, height));
    (0..height)
        .map(|y| {
            let mut line = StyledLine::new();
            for &cell in &cells[y * width..(y + 1) * width] {
                match cell {
                    0 if target_line == Some(y) => line.push(Style::Quiet, "┄"),
                    0 => line.push(Style::Plain, " "),
                    dots => line.push(
                        Style::Accent,
                        char::from_u32(BRAILLE_BLANK + u32::from(dots)).unwrap_or(' ').to_string(),
                    ),
                }
            }
            line
        })
        .collect()
}

/// The code point of the braille character without dots. Adding a set of dots gives the character with these
/// dots.
const BRAILLE_BLANK: u32 = 0x2800;

/// The bit of each dot in the code point of a braille character (Unicode, "Braille Patterns").
/// Indexed by the row, then by the column of the dot.
const BRAILLE_BITS: [[u8; DOT_COLUMNS]; DOT_ROWS] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]];

/// The mean value of the points in each column of dots. Columns without points are interpolated linearly
/// between their neighbours; before the first and after the last point they are `None`.
fn column_values(curve: &Curve, columns: usize) -> Vec<Option<f64>> {
    // The sum and the number of the points in each column.
    let mut sums = vec![(0.0, 0u32); columns];
    let span = (curve.last.saturating_sub(curve.first)).max(1) as f64;
    for &(unit, value) in curve.points {
        let x = unit.saturating_sub(curve.first) as f64 / span * (columns - 1) as f64;
        let (sum, n) = &mut sums[(x as usize).min(columns - 1)];
        *sum += value;
        *n += 1;
    }
    let mut values: Vec<Option<f64>> =
        sums.iter().map(|(sum, n)| (*n > 0).then(|| sum / f64::from(*n))).collect();
    let known: Vec<(usize, f64)> = values.iter().enumerate().filter_map(|(x, v)| Some((x, (*v)?))).collect();
    for pair in known.windows(2) {
        let [(from, start), (to, end)] = [pair[0], pair[1]];
        for (x, value) in values.iter_mut().enumerate().take(to).skip(from + 1) {
            *value = Some(start + (end - start) * (x - from) as f64 / (to - from) as f64);
        }
    }
    values
}

/// The value to print beside each line of text: the highest at the top, the lowest at the bottom, and the
/// target on its line. `None` means no label.
pub fn line_labels(curve: &Curve, height: usize) -> Vec<Option<f64>> {
    let (low, high) = value_range(curve);
    let mut labels = vec![None; height];
    if let Some(target) = curve.target {
        labels[line_of(target, low, high, height)] = Some(target);
    }
    labels[height - 1] = Some(low);
    labels[0] = Some(high);
    labels
}

/// The row of dots for a value, counted from the top, if the axis reaches from `low` to `high`.
fn row_of(value: f64, low: f64, high: f64, rows: usize) -> usize {
    ((((high - value) / (high - low)) * (rows - 1) as f64).round() as usize).min(rows - 1)
}

/// The line of text for a value, counted from the top.
fn line_of(value: f64, low: f64, high: f64, height: usize) -> usize {
    row_of(value, low, high, DOT_ROWS * height) / DOT_ROWS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn curve_of_rising_values_rises() {
        let points: Vec<(u64, f64)> = (0..8).map(|i| (i, i as f64)).collect();
        let curve = Curve { points: &points, target: None, first: 0, last: 7 };
        let (width, height, colour) = (4, 2, false);
        let lines = draw(&curve, width, height);
        let lines: Vec<String> = lines.iter().map(|line| line.render(80, colour)).collect();
        assert_eq!(lines, ["  ⣠⠞", "⣠⠞⠁ "]);
    }

    #[test]
    fn curve_without_points_or_with_equal_values_is_drawn() {
        let empty = Curve { points: &[], target: Some(3.0), first: 0, last: 0 };
        assert_eq!(draw(&empty, 5, 2).len(), 2);
        let flat = Curve { points: &[(1, 2.0)], target: None, first: 1, last: 1 };
        assert_eq!(draw(&flat, 5, 1)[0].width(), 5);
    }
}
