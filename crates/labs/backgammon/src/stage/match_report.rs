//! Makes the report of a match from its turns, which are all valued: what both sides gave away, their luck,
//! and the user's worst decisions. Counted are plays with a choice, and cube decisions that were actual or
//! close, as GNU Backgammon counts them.

use learnery_backgammon_play::analysis::PlayerReport;
use learnery_backgammon_play::cube::{MatchEquityTable, Payoffs};
use learnery_match_files::{MatchRecord, write_mat};
use learnery_worlds::backgammon::matches::{Answer, CubeOwner, Stakes};
use learnery_worlds::backgammon::{moves, notation};

use super::SOUTH;
use super::judgement::{analysis, judge_answer, judge_double};
use super::match_play::{MatchTurn, MatchTurnPlay};
use super::stage_view::{checkers, flat_moves};
use crate::match_report::{JudgedDecision, MatchReport};
use crate::match_view::{CubeChoice, CubeReview};

/// Not doubling is a close decision if a double would have lost less than this.
const MAX_CLOSE_CUBE_LOSS: f64 = 0.16;
/// The most decisions that are shown.
const MAX_SHOWN_DECISIONS: usize = 3;
/// The least equity that a decision has to lose to be shown.
const MIN_SHOWN_LOSS: f32 = 0.02;

pub fn match_report(record: &MatchRecord, turns: &[MatchTurn]) -> MatchReport {
    let mut players = [PlayerReport::default(); 2];
    let mut worst: Vec<JudgedDecision> = Vec::new();
    for turn in turns {
        let (on_roll, opponent) = (usize::from(turn.side), usize::from(1 - turn.side));
        let mut judge = |player: usize, cost: f32, decision: &dyn Fn() -> JudgedDecision| {
            players[player].decisions += 1;
            players[player].cost += cost;
            if player == usize::from(SOUTH) && cost >= MIN_SHOWN_LOSS {
                // The worst decision is first. Equally bad ones stay in the order of the match.
                let place = worst.partition_point(|worse| worse.cost >= cost);
                if place < MAX_SHOWN_DECISIONS {
                    worst.insert(place, decision());
                    worst.truncate(MAX_SHOWN_DECISIONS);
                }
            }
        };
        if let Some(review) = judge_double(turn).filter(|review| is_close_or_actual(turn, review)) {
            judge(on_roll, review.cost, &|| cube_decision(turn, &review));
        }
        if let Some(review) = judge_answer(turn) {
            judge(opponent, review.cost, &|| cube_decision(turn, &review));
        }
        if let Some(play) = &turn.play {
            if play.legal_plays > 1 {
                let cost = play.best.equity - play.played.equity;
                judge(on_roll, cost, &|| play_decision(turn, play));
            }
            players[on_roll].luck += luck(turn, play).unwrap_or(0.0) as f32;
        }
    }
    let players = players.map(|PlayerReport { decisions, cost, luck, .. }| {
        PlayerReport::new(decisions, f64::from(cost), f64::from(luck))
    });
    let mut file = String::from("; Judged by Learnery as it was played.\n");
    for (name, player) in record.players().iter().zip(&players) {
        file += &player.comment(name);
    }
    file += &write_mat(record, None);
    MatchReport { players, worst, file }
}

/// Whether the side on roll doubled, or its decision not to double was close.
fn is_close_or_actual(turn: &MatchTurn, review: &CubeReview) -> bool {
    let lost_by_doubling = || {
        let analysis = analysis(turn)?;
        let (_, doubled) = analysis.decision.response()?;
        Some(analysis.equity(analysis.decision.no_double) - analysis.equity(doubled))
    };
    review.chosen == CubeChoice::Double || lost_by_doubling().is_some_and(|lost| lost < MAX_CLOSE_CUBE_LOSS)
}

/// The stakes when the turn was played, without a beaver, which changes no equity.
fn stakes_of_play(turn: &MatchTurn) -> Stakes {
    match turn.answer {
        Some(Answer::Take | Answer::Beaver) => turn.value.stakes().doubled(),
        _ => *turn.value.stakes(),
    }
}

/// How much more the roll was worth than the mean of all rolls. The opening roll has no luck: it is never a
/// double, so the mean of all 21 rolls is not its baseline.
fn luck(turn: &MatchTurn, play: &MatchTurnPlay) -> Option<f64> {
    let valued = turn.value.value().filter(|_| turn.turn > 0)?;
    // `SlicedValue::new` puts no double first and a double that is taken second.
    let before = if turn.answer.is_some() { valued.utilities.get(1)? } else { &valued.utilities[0] };
    let payoffs = Payoffs::new(MatchEquityTable::shared(), &stakes_of_play(turn));
    Some(f64::from(play.best.equity) - payoffs.equity(*before))
}

/// The side that owns the cube. The stakes are seen from `side`.
pub fn cube_owner(stakes: &Stakes, side: u8) -> Option<u8> {
    match stakes.owner {
        CubeOwner::Centred => None,
        CubeOwner::Own => Some(side),
        CubeOwner::Other => Some(1 - side),
    }
}

/// What a play and a cube decision of the user have in common.
fn decision(turn: &MatchTurn, stakes: &Stakes, cost: f32) -> JudgedDecision {
    JudgedDecision {
        player: SOUTH,
        game: turn.game as u32,
        turn: turn.turn as u32,
        score: turn.score,
        board: checkers(turn.value.board(), turn.side),
        cube: stakes.cube(),
        owner: cube_owner(stakes, turn.side),
        cost,
        dice: [0; 2],
        notations: Default::default(),
        moves: Default::default(),
        cube_review: None,
        outcomes: Default::default(),
    }
}

/// A play of the user.
fn play_decision(turn: &MatchTurn, play: &MatchTurnPlay) -> JudgedDecision {
    let plays = [&play.played, &play.best];
    // Rated plays are legal, so their moves are found.
    let both_moves =
        plays.map(|rated| moves(turn.value.board(), play.dice, &rated.after).unwrap_or_default());
    JudgedDecision {
        dice: [play.dice.high(), play.dice.low()],
        notations: [notation(&both_moves[0]), notation(&both_moves[1])],
        moves: [flat_moves(&both_moves[0]), flat_moves(&both_moves[1])],
        outcomes: plays.map(|rated| rated.outcomes.0),
        ..decision(turn, &stakes_of_play(turn), play.best.equity - play.played.equity)
    }
}

/// A double, a roll without one, or an answer of the user.
fn cube_decision(turn: &MatchTurn, review: &CubeReview) -> JudgedDecision {
    // A decision is judged only if its position is valued.
    let outcomes_on_roll = turn.value.value().map(|valued| valued.outcomes).unwrap_or_default();
    let outcomes = if turn.side == SOUTH { outcomes_on_roll } else { outcomes_on_roll.flipped() };
    JudgedDecision {
        cube_review: Some(review.clone()),
        outcomes: [outcomes.0; 2],
        ..decision(turn, turn.value.stakes(), review.cost)
    }
}
