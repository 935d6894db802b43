//! Repeated-segment rows: training rows that repeat their own beginning, so that the network forms induction heads early
//! (Olsson et al., "In-context learning and induction heads", 2022). The settings call them `echoes`.
//!
//! Recalling a name from a hundred characters ago needs heads that work together before any of them is of use, and stories
//! reward it in only a few dozen targets of a batch. In a repeating row every target after the first segment rewards it. So
//! some rows of the first batches repeat themselves, and their number falls to zero.

use crate::config::LanguageConfig;

/// Multiples of the golden section modulo one are spread evenly however many there are (a low-discrepancy sequence).
const GOLDEN: f64 = 0.618_033_988_749_895;

/// How many rows of batch `index` repeat themselves. At least one row does not, so that there is a loss to report.
pub fn repeating_rows(config: &LanguageConfig, index: u64) -> usize {
    let remaining = 1.0 - index as f64 / f64::from(config.repeat_updates.max(1));
    let fraction = config.repeat_fraction * remaining.max(0.0);
    ((fraction * f64::from(config.batch)).round() as usize).min(config.batch as usize - 1)
}

/// Makes row `row` of batch `index` repeat its beginning with a period between one and seven eighths of its length.
pub fn repeat_beginning(index: u64, row: u64, inputs: &mut [u16], targets: &mut [u16]) {
    let length = inputs.len();
    let min_period = (length / 8).max(1);
    let position = ((index << 10) + row) as f64 * GOLDEN % 1.0;
    let period = min_period + (position * (length - 2 * min_period + 1) as f64) as usize;
    for i in period..length {
        inputs[i] = inputs[i - period];
    }
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
                let mut inputs: Vec<u16> = (0..length as u16).collect();
                let mut targets: Vec<u16> = (1..=length as u16).collect();
                repeat_beginning(index, index % 3, &mut inputs, &mut targets);
                assert_eq!(inputs[1..], targets[..length - 1]);
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
        assert_eq!(repeating_rows(&LanguageConfig { repeat_fraction: 1.0, ..config.clone() }, 0), 31);
        let first_only = LanguageConfig { repeat_updates: 0, ..config };
        assert_eq!((repeating_rows(&first_only, 0), repeating_rows(&first_only, 1)), (16, 0));
    }
}
