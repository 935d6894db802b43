//! A match from a file with its analysis as the page draws it. Sides: 0 is south, the file's first player,
//! and 1 north.

use learnery_backgammon_play::analysis::{Judged, Judgement, MatchAnalysis, Mistake, PlayerReport};
use learnery_backgammon_play::cube::{Decision, MatchEquityTable, Payoffs, Response};
use learnery_match_files::GameRecord;
use learnery_worlds::backgammon::matches::{Answer, CubeOwner, Rules, Stakes};
use learnery_worlds::backgammon::{moves, notation};
use serde::Serialize;

use crate::match_view::{CubeChoice, CubeReview};
use crate::stage::{checkers, flat_moves};

/// A match and what every decision in it cost.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[cfg_attr(feature = "bindings", ts(rename = "BackgammonAnalysedMatch"))]
pub struct AnalysedMatch {
    /// The names of both players.
    pub players: [String; 2],
    /// Points that win the match; 0 for a money session.
    pub length: u8,
    pub games: Vec<AnalysedGame>,
    /// All plays, and the cube decisions that were actual, close or wrong, in the order of the match.
    pub decisions: Vec<AnalysedDecision>,
    pub reports: [PlayerReport; 2],
    /// The rules of a money session; none in a match.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "bindings", ts(optional))]
    pub money_rules: Option<MoneyRules>,
}

/// The rules of a money session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[cfg_attr(feature = "bindings", ts(rename = "BackgammonMoneyRules"))]
pub struct MoneyRules {
    /// The Jacoby rule: gammons and backgammons count as single games until the cube is turned.
    pub jacoby: bool,
    /// Whether beavers are allowed.
    pub beavers: bool,
}

/// A game of a match.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[cfg_attr(feature = "bindings", ts(rename = "BackgammonAnalysedGame"))]
pub struct AnalysedGame {
    /// The score when the game began.
    pub score: [u32; 2],
    /// Whether this is the Crawford game, in which nobody may double.
    pub crawford: bool,
    /// The side that won; none if the record stops before the end of the game.
    pub winner: Option<u8>,
    /// Points that it won.
    pub points: u32,
}

/// A decision of a match from a file, compared with the best one.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[cfg_attr(feature = "bindings", ts(rename = "BackgammonAnalysedDecision"))]
pub struct AnalysedDecision {
    /// The side that decided.
    pub player: u8,
    /// The number of the game, and of the turn in it, from 0.
    pub game: u32,
    pub turn: u32,
    /// The score when the game began.
    pub score: [u32; 2],
    /// The position, as in `BackgammonStage.board`, and the cube with its owner.
    pub board: Vec<i8>,
    pub cube: u32,
    pub owner: Option<u8>,
    /// The error: equity lost beside the best decision.
    pub cost: f32,
    /// The roll that was played; zeros for a cube decision.
    pub dice: [u8; 2],
    /// Of a play: in standard notation, what was played and what is best.
    pub notations: [String; 2],
    /// Their moves, as those of a candidate.
    pub moves: [Vec<u8>; 2],
    /// Of a cube decision: what was chosen and what is best.
    pub cube_review: Option<CubeReview>,
    /// The probabilities of the side that decided after the play and after the best one, as in the outlook;
    /// for a cube decision both are those before it.
    pub outcomes: [[f32; 5]; 2],
    /// Whether the file has the roll but no play of it, because its player resigned or the record ends.
    pub unplayed: bool,
    /// The equity of the play and of the best one; zeros unless the decision is a play.
    pub equities: [f32; 2],
    /// Number of legal plays; 0 for a cube decision.
    pub plays: u32,
    /// The luck of the roll: its value minus the mean of all possible rolls; none for a cube decision.
    pub luck: Option<f32>,
    /// The equities of a cube decision.
    pub cube_equities: Option<CubeEquities>,
}

/// The equities of the actions of a cube decision for the side on roll, where 1 is a single game at the cube
/// before it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[cfg_attr(feature = "bindings", ts(rename = "BackgammonCubeEquities"))]
pub struct CubeEquities {
    pub no_double: f32,
    pub double_take: f32,
    pub double_pass: f32,
}

/// What is judged so far.
pub fn analysed_match(analysis: &MatchAnalysis) -> AnalysedMatch {
    let record = analysis.record();
    let reports = analysis.statistics().players.map(|player| player.report());
    let mut decisions = Vec::new();
    let (mut game, mut turn) = (0, 0);
    for judgement in analysis.judgements() {
        if judgement.game != game {
            (game, turn) = (judgement.game, 0);
        }
        let score = record.games()[game].start().score();
        decisions.extend(analysed_decision(judgement, turn, score));
        // A roll ends the turn; a cube decision comes before it.
        turn += u32::from(judgement.luck().is_some());
    }
    let (length, money_rules) = match record.rules() {
        Rules::Match { length } => (length, None),
        Rules::Money { jacoby, beavers } => (0, Some(MoneyRules { jacoby, beavers })),
    };
    AnalysedMatch {
        players: record.players().clone(),
        length,
        games: record.games().iter().map(analysed_game).collect(),
        decisions,
        reports,
        money_rules,
    }
}

fn analysed_game(game: &GameRecord) -> AnalysedGame {
    AnalysedGame {
        score: game.start().score(),
        crawford: game.start().is_crawford(),
        winner: game.end().map(|end| end.winner as u8),
        points: game.end().map_or(0, |end| end.points),
    }
}

/// The side that owns the cube; `None` while it is in the middle. The stakes are seen from `side`.
fn cube_owner(stakes: &Stakes, side: u8) -> Option<u8> {
    match stakes.owner {
        CubeOwner::Centred => None,
        CubeOwner::Own => Some(side),
        CubeOwner::Other => Some(1 - side),
    }
}

/// A decision as the page shows it; `None` for a decision not to double that is neither close nor wrong.
fn analysed_decision(judgement: &Judgement, turn: u32, score: [u32; 2]) -> Option<AnalysedDecision> {
    let Judgement { game, player, board, stakes, judged, .. } = judgement;
    let player = *player as u8;
    // An answer is given by the side that is not on roll.
    let on_roll = if matches!(judged, Judged::Answer(_)) { 1 - player } else { player };
    let mut decision = AnalysedDecision {
        player,
        game: *game as u32,
        turn,
        score,
        board: checkers(board, on_roll),
        cube: stakes.cube(),
        owner: cube_owner(stakes, on_roll),
        cost: judgement.error().equity as f32,
        dice: [0; 2],
        notations: Default::default(),
        moves: Default::default(),
        cube_review: None,
        outcomes: Default::default(),
        unplayed: false,
        equities: [0.0; 2],
        plays: 0,
        luck: judgement.luck().map(|luck| luck.equity as f32),
        cube_equities: None,
    };
    match judged {
        Judged::Play(play) => {
            let values = [&play.played, &play.best];
            // Judged plays are legal, so their moves are found.
            let both_moves = values.map(|value| moves(board, play.dice, &value.after).unwrap_or_default());
            decision.dice = [play.dice.high(), play.dice.low()];
            decision.notations = both_moves.each_ref().map(|play_moves| notation(play_moves));
            decision.moves = both_moves.each_ref().map(|play_moves| flat_moves(play_moves));
            decision.outcomes = values.map(|value| value.outcomes.0);
            decision.equities = values.map(|value| value.value.equity as f32);
            decision.plays = play.plays as u32;
        }
        Judged::Roll { dice, .. } => {
            decision.dice = [dice.high(), dice.low()];
            decision.unplayed = true;
        }
        Judged::Cube(cube) => {
            if !cube.counts && cube.mistake.is_none() {
                return None;
            }
            let chosen = if cube.doubled { CubeChoice::Double } else { CubeChoice::Roll };
            decision.cube_review = Some(review(chosen, cube.mistake, &cube.decision, decision.cost));
            decision.outcomes = [cube.outcomes.0; 2];
            decision.cube_equities = cube_equities(&cube.decision, stakes);
        }
        Judged::Answer(answer) => {
            let chosen = answer_choice(answer.answer);
            decision.cube_review = Some(review(chosen, answer.mistake, &answer.decision, decision.cost));
            decision.outcomes = [answer.outcomes.flipped().0; 2];
            decision.cube_equities = cube_equities(&answer.decision, stakes);
        }
    }
    Some(decision)
}

fn answer_choice(answer: Answer) -> CubeChoice {
    match answer {
        Answer::Take => CubeChoice::Take,
        Answer::Pass => CubeChoice::Pass,
        Answer::Beaver => CubeChoice::Beaver,
    }
}

fn review(chosen: CubeChoice, mistake: Option<Mistake>, decision: &Decision, cost: f32) -> CubeReview {
    let best_answer = match decision.response() {
        Some((Response::Pass, _)) => CubeChoice::Pass,
        Some((Response::Beaver, _)) => CubeChoice::Beaver,
        Some((Response::Take, _)) | None => CubeChoice::Take,
    };
    let best = match mistake {
        None => chosen,
        Some(Mistake::MissedDouble) => CubeChoice::Double,
        Some(Mistake::WrongDouble) => CubeChoice::Roll,
        Some(Mistake::WrongTake | Mistake::WrongPass | Mistake::MissedBeaver | Mistake::WrongBeaver) => {
            best_answer
        }
    };
    CubeReview { chosen, best, cost }
}

/// The equities of a cube decision; `None` without the value of a double, which decisions of a match always
/// have.
fn cube_equities(decision: &Decision, stakes: &Stakes) -> Option<CubeEquities> {
    let payoffs = Payoffs::new(MatchEquityTable::shared(), stakes);
    let equity = |utility: f64| payoffs.equity(utility) as f32;
    Some(CubeEquities {
        no_double: equity(decision.no_double),
        double_take: equity(decision.double_take?),
        double_pass: equity(decision.double_pass),
    })
}

#[cfg(test)]
#[path = "analysed_match_tests.rs"]
mod tests;
