//! Rows that say again what they have just said.
//!
//! A network that is to bring back a name from a hundred letters ago must first learn to look back at all, and stories
//! seldom ask for it: a few dozen letters of a batch depend on it, and heads that would answer must work together
//! before any of them is of use. In an echo every letter behind the first few does. So some rows of the first
//! updates are echoes, fewer and fewer, and what they taught is there when stories ask.

use super::config::LanguageConfig;

/// The golden section: steps of it modulo one are spread evenly however many there are.
const GOLDEN: f64 = 0.618_033_988_749_895;

/// How many rows of batch `index` are echoes. One row at least is none, so that there is a loss to tell.
pub fn echoes(config: &LanguageConfig, index: u64) -> usize {
    let left = 1.0 - index as f64 / f64::from(config.echo_until.max(1));
    let share = config.echoes * left.max(0.0);
    ((share * f64::from(config.batch)).round() as usize).min(config.batch as usize - 1)
}

/// Makes row `row` of batch `index` an echo: after an eighth of its tokens to seven eighths it begins again.
pub fn echo(index: u64, row: u64, inputs: &mut [u16], targets: &mut [u16]) {
    let length = inputs.len();
    let least = (length / 8).max(1);
    let spread = ((index << 10) + row) as f64 * GOLDEN % 1.0;
    let period = least + (spread * (length - 2 * least + 1) as f64) as usize;
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
    fn an_echo_goes_round_in_all_periods() {
        for length in [8, 13, 128] {
            let mut periods = std::collections::BTreeSet::new();
            for index in 0..2000 {
                let mut inputs: Vec<u16> = (0..length as u16).collect();
                let mut targets: Vec<u16> = (1..=length as u16).collect();
                echo(index, index % 3, &mut inputs, &mut targets);
                assert_eq!(inputs[1..], targets[..length - 1]);
                let period = 1 + targets.iter().position(|token| *token == 0).expect("it begins again");
                let round = |i: usize| (i % period) as u16;
                assert!((0..length).all(|i| inputs[i] == round(i) && targets[i] == round(i + 1)));
                periods.insert(period);
            }
            let least = (length / 8).max(1);
            assert!(periods.into_iter().eq(least..=length - least));
        }
    }

    #[test]
    fn echoes_become_fewer_and_end() {
        let config = LanguageConfig { echoes: 0.5, echo_until: 100, batch: 32, ..LanguageConfig::default() };
        let all: Vec<usize> = (0..200).map(|index| echoes(&config, index)).collect();
        assert_eq!((all[0], all[50], all[100], all[199]), (16, 8, 0, 0));
        assert!(all.is_sorted_by(|a, b| a >= b));
        assert_eq!(echoes(&LanguageConfig { echoes: 1.0, ..config.clone() }, 0), 31);
        assert_eq!(echoes(&LanguageConfig { echo_until: 0, ..config }, 0), 16, "the first update alone");
    }
}
