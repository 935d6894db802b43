//! Values of the plays of a roll, and the outlook. In a match or a money session plays are ordered by their
//! utility with the cube, elsewhere by their equity without it.

use learnery_backgammon_play::Evaluator;
use learnery_backgammon_play::cube::{MatchEquityTable, Payoffs, utility_after_play};
use learnery_backgammon_play::outcomes::Outcomes;
use learnery_worlds::backgammon::{Board, playable_moves};

use super::stage_view::candidate;
use super::{SOUTH, Stage, StageNetwork, playing_network};

/// The maximum number of plays that the page lists.
const MAX_CANDIDATES: usize = 8;

/// A play with its value for the side that makes it.
#[derive(Clone, Copy, Debug)]
pub struct RatedPlay {
    /// The afterstate, seen from the other side.
    pub after: Board,
    pub outcomes: Outcomes,
    /// By which plays are ordered: points of the game; in a match or a money session with the cube, where 1
    /// is a single game at the present value of the cube.
    pub equity: f32,
}

impl Stage {
    /// Computes the value of every play of the roll, and the outlook. If the game is over, the outlook is its
    /// result.
    pub(super) fn evaluate(&mut self, learner: StageNetwork) {
        let result = self.result();
        let StageNetwork { network, version } = playing_network(self.players, &self.invited, learner);
        self.valued_version = version;
        let side_is_south = self.side == SOUTH;
        let for_south = |value: Outcomes| if side_is_south { value } else { value.flipped() };
        self.plays.clear();
        self.candidates.clear();
        if result != 0 {
            self.outlook = Outcomes::from_points(result);
            return;
        }
        let mut scratch = network.scratch();
        let Some(dice) = self.dice else {
            // Before the roll, while somebody thinks about the cube.
            self.outlook = for_south(network.value(&self.board, &mut scratch));
            return;
        };
        self.list.find(&self.board, dice);
        network.values_of_plays(&self.board, &self.list, &mut scratch, &mut self.values);
        let stakes = self.match_play.as_ref().and_then(|match_play| match_play.stakes(self.side));
        let with_cube = stakes.map(|stakes| {
            let table = MatchEquityTable::shared();
            (table, stakes, Payoffs::new(table, &stakes))
        });
        self.plays.extend(self.list.iter().zip(&self.values).map(|(after, value)| {
            let equity = match &with_cube {
                None => value.flipped().equity(),
                Some((table, stakes, payoffs)) => {
                    payoffs.equity(utility_after_play(table, &after, value, stakes)) as f32
                }
            };
            RatedPlay { after, outcomes: value.flipped(), equity }
        }));
        // A stable sort: plays of equal value keep their order, as in `best_play`.
        self.plays.sort_by(|a, b| b.equity.total_cmp(&a.equity));
        self.outlook = for_south(self.plays[0].outcomes);
        if playable_moves(&self.board, dice) > 0 {
            let best = self.plays.iter().take(MAX_CANDIDATES);
            self.candidates.extend(best.map(|play| candidate(&self.board, dice, play)));
        }
    }
}
