//! Judges the cube decisions of a match on the stage, by the values of positions before the roll.

use learnery_backgammon_play::cube::{Action, Analysis, MatchEquityTable};
use learnery_worlds::backgammon::matches::Answer;

use super::SOUTH;
use super::match_play::MatchTurn;
use crate::match_view::{CubeChoice, CubeReview};

/// The analysis of a turn's position before the roll; `None` until it is valued.
pub fn analysis(turn: &MatchTurn) -> Option<Analysis> {
    let valued = turn.value.value()?;
    Some(Analysis::of(MatchEquityTable::shared(), turn.value.stakes(), valued))
}

/// The best cube actions of a turn.
pub struct AgentsCubeChoice {
    /// Whether the side on roll doubles.
    pub doubles: bool,
    /// What the other side answers to a double.
    pub answer: Answer,
}

/// The best cube actions of a turn, for either side; `None` until its position is valued, and where nobody
/// may double.
pub fn agents_cube_choice(turn: &MatchTurn) -> Option<AgentsCubeChoice> {
    let (action, response) = analysis(turn)?.decision.best()?;
    Some(AgentsCubeChoice { doubles: action == Action::Double, answer: response.into() })
}

/// The last cube decision of the user in these turns, as soon as it is judged.
pub fn users_cube_review(turns: &[MatchTurn]) -> Option<CubeReview> {
    // The newest decision counts even if it is not judged yet: then there is no review.
    turns.iter().rev().find_map(|turn| {
        let has_decided = if turn.side == SOUTH { turn.doubled.is_some() } else { turn.answer.is_some() };
        has_decided.then(|| if turn.side == SOUTH { judge_double(turn) } else { judge_answer(turn) })
    })?
}

/// Judges what the side on roll did with the cube.
pub fn judge_double(turn: &MatchTurn) -> Option<CubeReview> {
    let doubled = turn.doubled?;
    let analysis = analysis(turn)?;
    let (action, _) = analysis.decision.best()?;
    let (_, after_double) = analysis.decision.response()?;
    let chosen = if doubled { after_double } else { analysis.decision.no_double };
    let choice = |doubles| if doubles { CubeChoice::Double } else { CubeChoice::Roll };
    Some(review(
        &analysis,
        [choice(doubled), choice(action == Action::Double)],
        analysis.decision.utility(),
        chosen,
    ))
}

/// Judges how the other side answered.
pub fn judge_answer(turn: &MatchTurn) -> Option<CubeReview> {
    let answer = turn.answer?;
    let analysis = analysis(turn)?;
    let (response, best) = analysis.decision.response()?;
    // Utilities are those of the side that doubled, so the answering side's best answer has the lowest one.
    let chosen = match answer {
        Answer::Take => analysis.decision.double_take?,
        Answer::Pass => analysis.decision.double_pass,
        Answer::Beaver => analysis.decision.double_beaver?,
    };
    let choice = |answer| match answer {
        Answer::Take => CubeChoice::Take,
        Answer::Pass => CubeChoice::Pass,
        Answer::Beaver => CubeChoice::Beaver,
    };
    Some(review(&analysis, [choice(answer), choice(response.into())], chosen, best))
}

/// The review of a decision that gave away the difference of two utilities of the side on roll, `high` and
/// `low`. Answers that are equal up to rounding can have a difference below 0.
fn review(analysis: &Analysis, [chosen, best]: [CubeChoice; 2], high: f64, low: f64) -> CubeReview {
    let cost = (analysis.equity(high) - analysis.equity(low)).max(0.0);
    CubeReview { chosen, best, cost: if chosen == best { 0.0 } else { cost as f32 } }
}
