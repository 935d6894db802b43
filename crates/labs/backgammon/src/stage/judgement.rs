//! Judges the cube decisions of a match on the stage, by the values of positions before the roll.

use learnery_worlds::backgammon::matches::Answer;

use super::SOUTH;
use super::match_play::MatchTurn;
use crate::cube::{Action, Analysis, MatchEquityTable, Response};
use crate::match_view::{CubeChoice, CubeReview};

/// The analysis of a turn's position before the roll; `None` until it is valued.
pub fn analysis(turn: &MatchTurn) -> Option<Analysis> {
    let valued = turn.value.value()?;
    Some(Analysis::of(MatchEquityTable::shared(), turn.value.stakes(), valued))
}

/// Whether the side on roll should double, and the best answer.
pub fn agents_choice(turn: &MatchTurn) -> Option<(bool, Answer)> {
    let (action, response) = analysis(turn)?.decision.best()?;
    Some((action == Action::Double, best_answer(response)))
}

fn best_answer(response: Response) -> Answer {
    match response {
        Response::Take => Answer::Take,
        Response::Pass => Answer::Pass,
        Response::Beaver => Answer::Beaver,
    }
}

/// The last cube decision of the user in these turns, as soon as it is judged.
pub fn users_cube_review(turns: &[MatchTurn]) -> Option<CubeReview> {
    turns.iter().rev().find_map(|turn| {
        let decides = if turn.side == SOUTH { turn.doubled.is_some() } else { turn.answer.is_some() };
        decides.then(|| if turn.side == SOUTH { judge_double(turn) } else { judge_answer(turn) })
    })?
}

/// What the side on roll did with the cube.
pub fn judge_double(turn: &MatchTurn) -> Option<CubeReview> {
    let doubled = turn.doubled?;
    let analysis = analysis(turn)?;
    let (action, _) = analysis.decision.best()?;
    let (_, after_double) = analysis.decision.response()?;
    let chosen = if doubled { after_double } else { analysis.decision.no_double };
    let words = |doubles| if doubles { CubeChoice::Double } else { CubeChoice::Roll };
    Some(review(
        &analysis,
        [words(doubled), words(action == Action::Double)],
        analysis.decision.utility(),
        chosen,
    ))
}

/// How the other side answered.
pub fn judge_answer(turn: &MatchTurn) -> Option<CubeReview> {
    let answer = turn.answer?;
    let analysis = analysis(turn)?;
    let (response, best) = analysis.decision.response()?;
    // Utilities belong to the side that doubled.
    let chosen = match answer {
        Answer::Take => analysis.decision.double_take?,
        Answer::Pass => analysis.decision.double_pass,
        Answer::Beaver => analysis.decision.double_beaver?,
    };
    let words = |answer| match answer {
        Answer::Take => CubeChoice::Take,
        Answer::Pass => CubeChoice::Pass,
        Answer::Beaver => CubeChoice::Beaver,
    };
    Some(review(&analysis, [words(answer), words(best_answer(response))], chosen, best))
}

/// `high` and `low` are utilities of the side on roll; their difference was given away.
fn review(analysis: &Analysis, [chosen, best]: [CubeChoice; 2], high: f64, low: f64) -> CubeReview {
    let cost = (analysis.equity(high) - analysis.equity(low)).max(0.0);
    CubeReview { chosen, best, cost: if chosen == best { 0.0 } else { cost as f32 } }
}
