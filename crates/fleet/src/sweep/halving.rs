//! Successive halving: all combinations of settings are trained for a part of their units (training
//! iterations), and only the best go on, several times as long, until the last have had all their units.

use learnery_lab::Better;

use super::quartiles;

/// The rounds of a sweep with successive halving.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Halving {
    /// Of so many combinations one goes on to the next round, which trains it to so many times as many units.
    eta: u64,
    rounds: u32,
}

/// A run at the end of a round.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Standing {
    /// The index of its configuration in the sweep.
    pub configuration: usize,
    /// The last measured value of the metric of the goal; NaN if it was never measured.
    pub value: f64,
    /// The number of completed units when the goal was first reached, if it was in this round or before.
    pub solved_at: Option<u64>,
}

impl Halving {
    /// As many rounds as leave one of the configurations at the end, but no more than give the first round a
    /// unit. `units` are those of the shortest run.
    pub fn new(eta: u32, configurations: usize, units: u64) -> Self {
        let mut halving = Self { eta: u64::from(eta.max(2)), rounds: 1 };
        // By how much the first round would be shorter than the last with one round more.
        let mut parts = halving.eta;
        while halving.size(halving.rounds - 1, configurations) > 1 && parts <= units {
            halving.rounds += 1;
            parts = parts.saturating_mul(halving.eta);
        }
        halving
    }

    pub fn rounds(&self) -> u32 {
        self.rounds
    }

    /// The part of its units that a run has had at the end of a round, which counts from 0.
    pub fn share(&self, round: u32) -> f64 {
        1.0 / self.parts(round) as f64
    }

    /// The units that a run with `all` units in the last round has had at the end of a round.
    pub fn units(&self, round: u32, all: u64) -> u64 {
        (all / self.parts(round)).max(1).min(all)
    }

    /// How many times as many units a run has had at the end of the last round as at the end of this one.
    fn parts(&self, round: u32) -> u64 {
        self.eta.saturating_pow(self.rounds.saturating_sub(round + 1))
    }

    /// How many of the configurations are in a round.
    pub fn size(&self, round: u32, configurations: usize) -> usize {
        (0..round).fold(configurations, |left, _| self.kept(left))
    }

    /// How many configurations of a round go on.
    fn kept(&self, configurations: usize) -> usize {
        (configurations / self.eta as usize).max(1)
    }

    /// The configurations that go on after a round, in ascending order: those with the best medians. Of equal
    /// ones those that reached the goal first go on, then the first. If nothing was measured, all go on.
    pub fn survivors(&self, standings: &[Standing], better: Better) -> Vec<usize> {
        let mut configurations: Vec<usize> = standings.iter().map(|run| run.configuration).collect();
        configurations.sort_unstable();
        configurations.dedup();
        if standings.iter().all(|run| run.value.is_nan()) {
            return configurations;
        }
        // The lower, the better; what was not measured is the worst.
        let rank = |configuration: usize| {
            let runs = || standings.iter().filter(move |run| run.configuration == configuration);
            let values = quartiles(runs().map(|run| run.value)).map(|values| values.median);
            let value =
                values.map_or(f64::INFINITY, |value| if better == Better::Lower { value } else { -value });
            let to_goal = runs().map(|run| run.solved_at.map_or(f64::INFINITY, |unit| unit as f64));
            (value, quartiles(to_goal).map_or(f64::INFINITY, |units| units.median))
        };
        let mut ranked: Vec<_> = configurations.iter().map(|index| (rank(*index), *index)).collect();
        ranked.sort_by(|((value, units), index), ((other_value, other_units), other)| {
            value.total_cmp(other_value).then(units.total_cmp(other_units)).then(index.cmp(other))
        });
        let best = ranked.iter().take(self.kept(configurations.len()));
        let mut survivors: Vec<usize> = best.map(|(_, index)| *index).collect();
        survivors.sort_unstable();
        survivors
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The number of configurations and the units at the end of each round.
    fn plan(eta: u32, configurations: usize, units: u64) -> Vec<(usize, u64)> {
        let halving = Halving::new(eta, configurations, units);
        let rounds = 0..halving.rounds();
        rounds.map(|round| (halving.size(round, configurations), halving.units(round, units))).collect()
    }

    #[test]
    fn rounds_leave_one_configuration_with_all_its_units() {
        assert_eq!(plan(3, 9, 81), [(9, 9), (3, 27), (1, 81)]);
        assert_eq!(plan(2, 8, 80), [(8, 10), (4, 20), (2, 40), (1, 80)]);
        assert_eq!(plan(3, 10, 100), [(10, 11), (3, 33), (1, 100)]);
        assert_eq!(plan(3, 2, 6), [(2, 2), (1, 6)]);
        // The first round has a unit at least.
        assert_eq!(plan(3, 1000, 10), [(1000, 1), (333, 3), (111, 10)]);
        assert_eq!(plan(2, 4, 1), [(4, 1)]);
        assert_eq!(plan(3, 1, 10), [(1, 10)]);
        assert_eq!(Halving::new(3, 9, 81).share(0), 1.0 / 9.0);
    }

    #[test]
    fn the_best_medians_go_on() {
        let run = |configuration, value| Standing { configuration, value, solved_at: None };
        let halving = Halving::new(2, 4, 80);
        let standings =
            [run(0, 1.0), run(1, 5.0), run(1, 9.0), run(2, 6.0), run(2, 6.0), run(3, f64::NAN), run(0, 2.0)];
        assert_eq!(halving.survivors(&standings, Better::Higher), [1, 2]);
        assert_eq!(halving.survivors(&standings, Better::Lower), [0, 2]);
        // Equal values: who reached the goal, and then the first.
        let equal = [run(0, 1.0), run(1, 1.0), run(2, 1.0), Standing { solved_at: Some(4), ..run(3, 1.0) }];
        assert_eq!(halving.survivors(&equal, Better::Higher), [0, 3]);
        assert_eq!(halving.survivors(&[run(0, f64::NAN), run(2, f64::NAN)], Better::Higher), [0, 2]);
        assert_eq!(halving.survivors(&[run(1, 3.0), run(2, 4.0)], Better::Higher), [2]);
    }
}
