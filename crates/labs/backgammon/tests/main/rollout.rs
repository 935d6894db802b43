//! Rollouts with the shipped network: subtracted luck leaves the mean and takes most of the variance.

use learnery_backgammon_play::rollout::{Rollout, RolloutOptions};
use learnery_worlds::backgammon::Board;

use crate::shipped;

#[test]
fn variance_is_reduced_by_half_of_the_factors_of_the_readme_or_more() {
    let network = shipped::network();
    // About half of the factors in the README of backgammon-play, which were measured over 1,296 games.
    for (truncate, games, factor) in [(Some(7), 432, 35.0), (None, 288, 10.0)] {
        let options = RolloutOptions { games, truncate, ..RolloutOptions::default() };
        let mut rollout = Rollout::new(&network, &Board::START, None, options).expect("good options");
        while rollout.ending().is_none() {
            rollout.step(&network, u64::MAX, &|| false, &mut |_| {});
        }
        let (plain, reduced) = (rollout.plain(0), rollout.estimates()[0]);
        assert!(plain.variance > factor * reduced.variance, "{truncate:?}: {plain:?} {reduced:?}");
        let error = plain.error.hypot(reduced.error);
        assert!((plain.equity - reduced.equity).abs() < 3.0 * error, "{truncate:?}: {plain:?} {reduced:?}");
    }
}
