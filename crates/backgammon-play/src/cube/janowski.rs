//! The utility of a position with the cube, from its cubeless chances (Janowski, "Take-points in money
//! games", 1993).
//!
//! A *dead* cube is never turned again. A *live* cube is turned at the best moment: the chances move without
//! jumps, and whoever may double does so exactly where the other side no longer gains by taking, the *cash
//! point*. Between those points the utility is a straight line in the chance to win, because nobody acts
//! there. A real cube is between the two, and its *life* says where: 1 is live, 0 is dead.
//!
//! In a match the cash points follow from those of the next higher cube, up to the cube that is dead for both
//! sides. For money every level is the double of the level before, which gives Janowski's closed formulas.

use learnery_worlds::backgammon::matches::{CubeOwner, Scoring, Stakes};

use super::match_equity::MatchEquityTable;
use super::payoffs::{Ends, Payoffs};
use crate::outcomes::Outcomes;

/// The utility for the side on roll, which does not double now. `life` is the cube's life.
pub fn cubeful(table: &MatchEquityTable, stakes: &Stakes, outcomes: &Outcomes, life: f64) -> f64 {
    let win = f64::from(outcomes.0[0]);
    let level = Level::new(table, stakes, outcomes);
    let live = level.live(stakes.owner, win);
    life * live + (1.0 - life) * dead(table, stakes, outcomes, &level)
}

/// A point of the live utility as a function of the chance to win.
#[derive(Clone, Copy)]
struct Corner {
    win: f64,
    utility: f64,
}

/// Utilities at a value of the cube, for given chances of gammons.
struct Level {
    ends: Ends,
    payoffs: Payoffs,
    /// The chance to win from which the other side passes a double of this side; `None` if this side would
    /// gain nothing by a double.
    cash_point: Option<f64>,
    /// The chance to win below which this side passes a double of the other side; `None` if the other side
    /// would gain nothing by a double.
    take_point: Option<f64>,
}

impl Level {
    fn new(table: &MatchEquityTable, stakes: &Stakes, outcomes: &Outcomes) -> Self {
        let payoffs = Payoffs::new(table, stakes);
        let ends = payoffs.ends(outcomes);
        let (cash_point, take_point) = match stakes.scoring {
            Scoring::Money { .. } => money_points(table, stakes, outcomes),
            Scoring::Match { crawford: true, .. } => (None, None),
            Scoring::Match { own_away, other_away, .. } => {
                // Whether each side gains anything by a double: its present cube does not yet win the match.
                let [own_gains, other_gains] =
                    [own_away, other_away].map(|away| u32::from(away) > stakes.cube());
                // Computed only if somebody can use the cube, so that the recursion ends.
                let next = (own_gains || other_gains).then(|| Self::new(table, &stakes.doubled(), outcomes));
                let point = |gains: bool, owner, utility| {
                    next.as_ref().filter(|_| gains).map(|next| next.win_at(owner, utility))
                };
                // Whoever takes owns the cube.
                (
                    point(own_gains, CubeOwner::Other, payoffs.cash),
                    point(other_gains, CubeOwner::Own, payoffs.dropped),
                )
            }
        };
        Self { ends, payoffs, cash_point, take_point }
    }

    /// The corners of the live utility as a function of the chance to win, from chance 0 to chance 1.
    fn corners(&self, owner: CubeOwner) -> [Corner; 4] {
        let Ends { won, lost } = self.ends;
        let utility_without_cube = |win: f64| win * won + (1.0 - win) * lost;
        let first = Corner { win: 0.0, utility: lost };
        let last = Corner { win: 1.0, utility: won };
        // Where gammons matter more than the cube, playing on can be better than a cash.
        let cash_point = self.cash_point.filter(|_| owner != CubeOwner::Other);
        let cash = cash_point
            .map_or(last, |win| Corner { win, utility: utility_without_cube(win).max(self.payoffs.cash) });
        let take_point = self.take_point.filter(|_| owner != CubeOwner::Own);
        let take = take_point.map_or(first, |win| Corner {
            win,
            utility: utility_without_cube(win).min(self.payoffs.dropped),
        });
        [first, take, cash, last]
    }

    /// The utility with a live cube.
    fn live(&self, owner: CubeOwner, win: f64) -> f64 {
        let corners = self.corners(owner);
        // The segment that ends at or behind `win`; the last one ends at 1.
        let segment = corners.windows(2).find(|pair| win <= pair[1].win && pair[1].win > pair[0].win);
        match segment {
            Some([Corner { win: x0, utility: y0 }, Corner { win: x1, utility: y1 }]) => {
                y0 + (y1 - y0) * (win - x0) / (x1 - x0)
            }
            // The chance is above 1 by rounding.
            _ => corners[3].utility,
        }
    }

    /// The chance to win at which the live utility is `utility`.
    fn win_at(&self, owner: CubeOwner, utility: f64) -> f64 {
        let corners = self.corners(owner);
        let segment =
            corners.windows(2).find(|pair| utility <= pair[1].utility && pair[1].utility > pair[0].utility);
        match segment {
            Some([Corner { win: x0, utility: y0 }, Corner { win: x1, utility: y1 }]) => {
                (x0 + (x1 - x0) * (utility - y0) / (y1 - y0)).clamp(0.0, 1.0)
            }
            // No chance to win is worth so much.
            _ => 1.0,
        }
    }
}

/// Janowski's cash point and take point for a live cube: (L + 1) / (W + L + 1/2) and
/// (L - 1/2) / (W + L + 1/2), with W the mean points of a win and L those of a loss, in units of the cube.
/// They are the same at every value of the cube.
fn money_points(
    table: &MatchEquityTable,
    stakes: &Stakes,
    outcomes: &Outcomes,
) -> (Option<f64>, Option<f64>) {
    // After a double gammons count, whatever the Jacoby rule says about a cube in the middle.
    let turned = stakes.doubled();
    let Ends { won, lost } = Payoffs::new(table, &turned).ends(outcomes);
    let cube = f64::from(turned.cube());
    // Points of a win and of a loss, in units of the cube.
    let (won, lost) = (won / cube, -lost / cube);
    let sum = won + lost + 0.5;
    (Some((lost + 1.0) / sum), Some((lost - 0.5) / sum))
}

/// The utility with a dead cube. A side whose loss at the present cube already loses the match turns the cube
/// at its next turn, because that costs nothing; so its cube is worth one double more.
fn dead(table: &MatchEquityTable, stakes: &Stakes, outcomes: &Outcomes, level: &Level) -> f64 {
    let win = f64::from(outcomes.0[0]);
    let value = |ends: Ends| win * ends.won + (1.0 - win) * ends.lost;
    let now = value(level.ends);
    let Scoring::Match { own_away, other_away, crawford: false } = stakes.scoring else { return now };
    // Whether each side gains anything by a double. If only one does, a double costs it nothing.
    let [own_gains, other_gains] = [own_away, other_away].map(|away| u32::from(away) > stakes.cube());
    if own_gains == other_gains {
        return now;
    }
    let turned = value(Payoffs::new(table, &stakes.doubled()).ends(outcomes));
    let Payoffs { cash, dropped, .. } = level.payoffs;
    match stakes.owner {
        CubeOwner::Own | CubeOwner::Centred if own_gains => now.max(turned.min(cash)),
        CubeOwner::Other | CubeOwner::Centred if other_gains => now.min(turned.max(dropped)),
        _ => now,
    }
}
