//! Sums in a fixed order, so that the same input gives the same bits everywhere on one target.

/// Sum of squares, accumulated in f64.
pub fn sum_squares(x: &[f32]) -> f64 {
    x.iter().map(|&v| f64::from(v) * f64::from(v)).sum()
}

/// `out += x`, element by element.
pub fn add_assign(out: &mut [f32], x: &[f32]) {
    for (o, v) in out.iter_mut().zip(x) {
        *o += v;
    }
}

/// Adds the column sums of `x` `[rows, out.len()]` to `out`, row by row.
pub fn add_column_sums(out: &mut [f32], x: &[f32]) {
    for row in x.chunks_exact(out.len()) {
        add_assign(out, row);
    }
}
