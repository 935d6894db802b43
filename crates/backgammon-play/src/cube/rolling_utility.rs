//! The utility of rolling without a double and without lookahead.

use learnery_worlds::backgammon::matches::{CubeOwner, Scoring, Stakes};
use learnery_worlds::backgammon::{BearOffEquities, Board, TwoSidedBearOff};

use super::janowski::cubeful;
use super::life::cube_life;
use super::match_equity::MatchEquityTable;
use crate::outcomes::Outcomes;

/// The highest cube for which the bear-off database is used. In the database the cube can be turned without
/// end, which is right only as long as the highest cube of the rules is far away.
const MAX_CUBE: u32 = 64;

/// The utility for the side on roll at each of the stakes: for money in the two-sided bear-off database the
/// exact one, otherwise Janowski's estimate from the cubeless chances.
pub fn rolling_utilities(
    table: &MatchEquityTable,
    board: &Board,
    outcomes: &Outcomes,
    stakes: &[Stakes],
) -> Vec<f64> {
    let has_stakes =
        |stakes: &Stakes| matches!(stakes.scoring, Scoring::Money { .. }) && stakes.cube() <= MAX_CUBE;
    // The database is computed only when it is needed.
    let is_covered = stakes.iter().all(has_stakes) && TwoSidedBearOff::covers(board);
    if let Some(equities) = is_covered.then(|| TwoSidedBearOff::table().equities(board)).flatten() {
        return stakes
            .iter()
            .map(|stakes| f64::from(stakes.cube()) * equity_at_cube_1(&equities, stakes.owner))
            .collect();
    }
    let life = cube_life(board);
    stakes.iter().map(|stakes| cubeful(table, stakes, outcomes, life)).collect()
}

/// The equity at a cube of 1 that belongs to `owner`.
fn equity_at_cube_1(equities: &BearOffEquities, owner: CubeOwner) -> f64 {
    f64::from(match owner {
        CubeOwner::Centred => equities.centred,
        CubeOwner::Own => equities.own,
        CubeOwner::Other => equities.other,
    })
}
