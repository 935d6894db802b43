//! Sums of weighted table rows (the first layer of NNUE) against sums in double precision.

use learnery_kernels::rng::Stream;
use learnery_kernels::simd::{Isa, force_isa};
use learnery_kernels::weighted_rows::{WeightedRow, add_weighted_rows};

#[test]
fn add_weighted_rows_matches_the_sum_in_double_precision() {
    for isa in Isa::available() {
        force_isa(Some(isa));
        for (case, width) in [1, 7, 16, 40, 128, 200, 256].into_iter().enumerate() {
            let stream = Stream::new(1, case as u32);
            let table_rows = 9;
            let mut numbers = vec![0.0; (table_rows + 1) * width];
            stream.fill_normal(0, &mut numbers);
            let (base, table) = numbers.split_at(width);
            let (mut ends, mut rows) = (Vec::new(), Vec::new());
            // `below(index, sub, n)` is a random number in 0..n. Each number has an index and sub-index of
            // its own.
            for list in 0..12u64 {
                for k in 0..u64::from(stream.below(1, list, 9)) {
                    let weight = [1.0, -1.0, 0.5][stream.below(2 + list, 2 * k, 3) as usize];
                    rows.push(WeightedRow {
                        row: stream.below(2 + list, 2 * k + 1, table_rows as u32),
                        weight,
                    });
                }
                ends.push(rows.len());
            }
            let mut out = vec![9.0; ends.len() * width];
            // A ReLU, or no activation.
            let floor = [0.0, f32::NEG_INFINITY][case % 2];
            add_weighted_rows(&mut out, base, table, &ends, &rows, floor);
            let mut begin = 0;
            for (row, end) in out.chunks_exact(width).zip(&ends) {
                for (column, value) in row.iter().enumerate() {
                    let list = rows[begin..*end].iter();
                    let sum = list
                        .map(|entry| f64::from(entry.weight * table[entry.row as usize * width + column]));
                    let sum = (f64::from(base[column]) + sum.sum::<f64>()).max(floor.into()) as f32;
                    assert!((value - sum).abs() < 1e-5, "{}, width {width}: {value} {sum}", isa.name());
                }
                begin = *end;
            }
        }
        force_isa(None);
    }
}
