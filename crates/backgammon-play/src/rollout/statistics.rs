//! Means of games and their standard errors.
//!
//! Standard errors are those of independent games. The first two rolls are stratified, which makes the true
//! errors a little smaller.

use super::game::{Chances, GameResult};
use crate::Worth;
use crate::outcomes::OUTCOMES;

/// The number of means that a rollout estimates: the five outcome probabilities and the equity.
const MEAN_COUNT: usize = OUTCOMES + 1;
/// The index of the equity.
const EQUITY_INDEX: usize = OUTCOMES;
/// Standard errors on each side of a 95 % confidence interval.
pub(super) const ERRORS_IN_95_PERCENT: f64 = 1.96;

/// What a rollout says about a position, for the side that asks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// To win, to win a gammon or more, a backgammon; to lose a gammon or more, a backgammon.
    pub chances: Chances,
    pub chance_errors: Chances,
    /// Cubeless, in points of the rollout's worth.
    pub equity: f64,
    /// The standard error of the equity.
    pub error: f64,
    /// The variance of the equity of one game.
    pub variance: f64,
}

impl Estimate {
    /// The 95 % confidence interval of the equity.
    pub fn interval(&self) -> [f64; 2] {
        [self.equity - ERRORS_IN_95_PERCENT * self.error, self.equity + ERRORS_IN_95_PERCENT * self.error]
    }
}

/// Sums over games.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Sums {
    sums: [f64; MEAN_COUNT],
    squares: [f64; MEAN_COUNT],
}

impl Sums {
    fn add(&mut self, chances: &Chances, worth: &Worth) {
        for i in 0..MEAN_COUNT {
            let x = if i == EQUITY_INDEX { worth.equity_of_chances(chances) } else { chances[i] };
            self.sums[i] += x;
            self.squares[i] += x * x;
        }
    }

    fn estimate(&self, games: u64) -> Estimate {
        let n = games.max(1) as f64;
        let variance = |i: usize| variance(self.sums[i], self.squares[i], n);
        let error = |i: usize| (variance(i) / n).sqrt();
        Estimate {
            chances: std::array::from_fn(|i| self.sums[i] / n),
            chance_errors: std::array::from_fn(error),
            equity: self.sums[EQUITY_INDEX] / n,
            error: error(EQUITY_INDEX),
            variance: variance(EQUITY_INDEX),
        }
    }
}

/// The results of games from several candidates with the same dice.
#[derive(Clone, Debug, PartialEq)]
pub struct Tally {
    worth: Worth,
    games: u64,
    plain: Vec<Sums>,
    reduced: Vec<Sums>,
    /// Sums of the products of two candidates' reduced equities.
    // [candidates * candidates]
    products: Vec<f64>,
}

impl Tally {
    pub fn new(candidates: usize, worth: Worth) -> Self {
        let sums = vec![Sums::default(); candidates];
        let products = vec![0.0; candidates * candidates];
        Self { worth, games: 0, plain: sums.clone(), reduced: sums, products }
    }

    pub fn games(&self) -> u64 {
        self.games
    }

    /// Adds one game of each candidate.
    pub fn add(&mut self, results: &[GameResult]) {
        self.games += 1;
        let (candidates, worth) = (self.plain.len(), self.worth);
        let equity = |result: &GameResult| worth.equity_of_chances(&result.reduced);
        for (i, result) in results.iter().enumerate() {
            self.plain[i].add(&result.plain, &worth);
            self.reduced[i].add(&result.reduced, &worth);
            for (j, other) in results.iter().enumerate() {
                self.products[i * candidates + j] += equity(result) * equity(other);
            }
        }
    }

    pub fn plain(&self, candidate: usize) -> Estimate {
        self.plain[candidate].estimate(self.games)
    }

    pub fn reduced(&self, candidate: usize) -> Estimate {
        self.reduced[candidate].estimate(self.games)
    }

    /// Forgets all candidates that `is_kept` does not name.
    pub fn retain(&mut self, is_kept: &dyn Fn(usize) -> bool) {
        let before = self.plain.len();
        let kept: Vec<usize> = (0..before).filter(|i| is_kept(*i)).collect();
        let product = |i: usize, j: usize| self.products[i * before + j];
        self.products = kept
            .iter()
            .flat_map(|i| kept.iter().map(move |j| (*i, *j)))
            .map(|(i, j)| product(i, j))
            .collect();
        self.plain = kept.iter().map(|i| self.plain[*i]).collect();
        self.reduced = kept.iter().map(|i| self.reduced[*i]).collect();
    }

    /// The equity of candidate `a` minus that of `b`, and the standard error of this difference.
    pub fn difference(&self, a: usize, b: usize) -> (f64, f64) {
        let n = self.games.max(1) as f64;
        let product = |i: usize, j: usize| self.products[i * self.plain.len() + j];
        let sum = self.reduced[a].sums[EQUITY_INDEX] - self.reduced[b].sums[EQUITY_INDEX];
        let squares = product(a, a) + product(b, b) - 2.0 * product(a, b);
        (sum / n, (variance(sum, squares, n) / n).sqrt())
    }
}

/// The sample variance, with Bessel's correction.
fn variance(sum: f64, squares: f64, n: f64) -> f64 {
    let mean = sum / n;
    (squares / n - mean * mean).max(0.0) * n / (n - 1.0).max(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(win: f64, reduced: f64) -> GameResult {
        let chances = |win: f64| [win, 0.0, 0.0, 0.0, 0.0];
        GameResult { plain: chances(win), reduced: chances(reduced) }
    }

    #[test]
    fn means_and_errors_are_those_of_the_games() {
        let mut tally = Tally::new(2, Worth::MONEY);
        for (a, b) in [(1.0, 1.0), (0.0, 0.0), (1.0, 0.0), (0.0, 0.0)] {
            tally.add(&[result(a, 0.5), result(b, b)]);
        }
        let plain = tally.plain(0);
        // Two of four games are won: sample variance of the wins 1/3, of the equity four times that.
        assert_eq!((plain.chances[0], plain.equity), (0.5, 0.0));
        assert!((plain.chance_errors[0] - (1.0f64 / 12.0).sqrt()).abs() < 1e-12);
        assert!((plain.error - 2.0 * plain.chance_errors[0]).abs() < 1e-12);
        assert!((plain.interval()[1] - 1.96 * plain.error).abs() < 1e-12);
        assert_eq!((tally.reduced(0).equity, tally.reduced(0).error), (0.0, 0.0));
        // Equities 0 and 1, -1, -1, -1: the mean difference is a half, its sample variance one.
        let (difference, error) = tally.difference(0, 1);
        assert!((difference - 0.5).abs() < 1e-12 && (error - 0.5).abs() < 1e-12, "{difference} {error}");
        // What is left knows nothing of what was forgotten.
        let mut alone = Tally::new(1, Worth::MONEY);
        for b in [1.0, 0.0, 0.0, 0.0] {
            alone.add(&[result(b, b)]);
        }
        let mut other = Tally::new(3, Worth::MONEY);
        for (a, b) in [(1.0, 1.0), (0.0, 0.0), (1.0, 0.0), (0.0, 0.0)] {
            other.add(&[result(a, 0.2), result(b, b), result(a, a)]);
        }
        other.retain(&|i| i == 1);
        assert_eq!(other, alone);
    }
}
