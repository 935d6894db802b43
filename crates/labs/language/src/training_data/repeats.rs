//! Repeated-segment rows: training rows that repeat their own beginning, so that the network forms induction
//! heads early (Olsson et al., "In-context learning and induction heads", 2022). The settings call them
//! `echoes`.
//!
//! To copy a name from a hundred characters ago, the network needs two attention heads that work together,
//! and neither head is useful alone. Stories reward such copying in only a few dozen targets of a batch. In a
//! row that repeats itself, every target after the first segment rewards copying. So some rows of the first
//! batches repeat themselves. Their number falls to zero.

use crate::config::LanguageConfig;

/// The golden ratio minus one. Its multiples modulo 1 are evenly distributed in [0, 1), for any number of
/// multiples (a low-discrepancy sequence).
const GOLDEN: f64 = 0.618_033_988_749_895;

/// Repeated rows are numbered for the choice of their periods. The number has this many low bits for the row
/// in its batch, which has at most 1024 rows.
const ROW_BITS: u32 = 10;

/// The number of rows of batch `index` that repeat themselves. At least one row does not, because the
/// reported loss is computed from such rows only.
pub fn repeating_rows(config: &LanguageConfig, index: u64) -> usize {
    let remaining = 1.0 - index as f64 / f64::from(config.repeat_updates.max(1));
    let fraction = config.repeat_fraction * remaining.max(0.0);
    ((fraction * f64::from(config.batch)).round() as usize).min(config.batch as usize - 1)
}

/// Makes row `row` of batch `index` repeat its beginning. The period lies between one and seven eighths of
/// the row's length.
pub fn repeat_beginning(index: u64, row: u64, inputs: &mut [u16], targets: &mut [u16]) {
    let length = inputs.len();
    let min_period = (length / 8).max(1);
    let fraction = ((index << ROW_BITS) + row) as f64 * GOLDEN % 1.0;
    // The number of possible periods: from one to seven eighths of the length, both included.
    let periods = length - 2 * min_period + 1;
    let period = min_period + (fraction * periods as f64) as usize;
    for i in period..length {
        inputs[i] = inputs[i - period];
    }
    // Target `i` is the input after input `i`. The last one lies beyond the row, hence one period earlier.
    for i in period - 1..length {
        targets[i] = inputs[i + 1 - period];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_rows_are_periodic_and_cover_every_period() {
        for length in [8, 13, 128] {
            let mut periods = std::collections::BTreeSet::new();
            for index in 0..2000 {
                // Each token is its place in the row, and the target the next number.
                let mut inputs: Vec<u16> = (0..length as u16).collect();
                let mut targets: Vec<u16> = (1..=length as u16).collect();
                repeat_beginning(index, index % 3, &mut inputs, &mut targets);
                assert_eq!(inputs[1..], targets[..length - 1]);
                // Token 0 is the first input, so it becomes a target where the row begins again.
                let period = 1 + targets.iter().position(|token| *token == 0).expect("the row repeats");
                let expected = |i: usize| (i % period) as u16;
                assert!((0..length).all(|i| inputs[i] == expected(i) && targets[i] == expected(i + 1)));
                periods.insert(period);
            }
            let min_period = (length / 8).max(1);
            assert!(periods.into_iter().eq(min_period..=length - min_period));
        }
    }

    #[test]
    fn repeating_rows_decrease_linearly_to_none() {
        let config = LanguageConfig {
            repeat_fraction: 0.5,
            repeat_updates: 100,
            batch: 32,
            ..LanguageConfig::default()
        };
        let counts: Vec<usize> = (0..200).map(|index| repeating_rows(&config, index)).collect();
        assert_eq!((counts[0], counts[50], counts[100], counts[199]), (16, 8, 0, 0));
        assert!(counts.is_sorted_by(|a, b| a >= b));
        // Of 32 rows, one never repeats.
        assert_eq!(repeating_rows(&LanguageConfig { repeat_fraction: 1.0, ..config.clone() }, 0), 31);
        // With 0 updates, the first batch still repeats, and no other does.
        let first_only = LanguageConfig { repeat_updates: 0, ..config };
        assert_eq!((repeating_rows(&first_only, 0), repeating_rows(&first_only, 1)), (16, 0));
    }
}
