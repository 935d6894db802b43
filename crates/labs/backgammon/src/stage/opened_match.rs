//! The analysis of a match file that the user has opened.

use learnery_backgammon_play::analysis::{Judged, Judgement, MAX_DECISIONS, MatchAnalysis, Mistake};
use learnery_backgammon_play::cube::{Decision, MatchEquityTable, Payoffs, Response};
use learnery_lab::LabError;
use learnery_match_files::GameRecord;
use learnery_worlds::backgammon::matches::{Answer, Rules, Stakes};
use learnery_worlds::backgammon::{moves, notation};

use super::invited_player::decode_base64;
use super::match_report::cube_owner;
use super::stage_view::{checkers, flat_moves};
use crate::match_report::JudgedDecision;
use crate::match_view::{CubeChoice, CubeReview};
use crate::networks::TrainedNetwork;
use crate::opened_match::{AnalysedDecision, AnalysedGame, AnalysedMatch, CubeEquities, OpenedMatch};

/// Plies of lookahead: with one, a decision would take longer than a frame.
const PLIES: u8 = 0;
/// Decisions that are judged in each frame.
const DECISIONS_PER_FRAME: usize = 2;

/// The largest file in bytes. The longest matches have about 100 kB.
const MAX_FILE_BYTES: usize = 4 << 20;

/// An analysis under way, or its result.
pub struct MatchFileAnalysis {
    analysis: MatchAnalysis,
    /// `Some` once every decision is judged.
    analysed: Option<AnalysedMatch>,
}

impl MatchFileAnalysis {
    /// Reads a `.mat` or `.sgf` file in base 64. An error about its content names the line.
    pub fn read(text: &str) -> Result<Self, LabError> {
        let refuse = |problem: String| LabError::Command(format!("the match: {problem}"));
        let bytes = decode_base64(text).ok_or_else(|| refuse("its file is not in base 64".into()))?;
        if bytes.len() > MAX_FILE_BYTES {
            let limit_mb = MAX_FILE_BYTES >> 20;
            return Err(refuse(format!("its file is larger than {limit_mb} MB, the limit for match files")));
        }
        let analysis = MatchAnalysis::read(&bytes, PLIES).map_err(|e| refuse(e.to_string()))?;
        match analysis.decisions() {
            0 => return Err(refuse("it has no decision to judge".into())),
            1..=MAX_DECISIONS => {}
            decisions => {
                let limit = MAX_DECISIONS;
                return Err(refuse(format!("it has {decisions} decisions; at most {limit} are judged")));
            }
        }
        Ok(Self { analysis, analysed: None })
    }

    /// Judges the next decisions. The network is the same in every call.
    pub fn judge_further(&mut self, network: &TrainedNetwork) {
        for _ in 0..DECISIONS_PER_FRAME {
            if self.analysis.step(network).is_none() {
                self.analysed.get_or_insert_with(|| analysed_match(&self.analysis));
            }
        }
    }

    /// The data that the page shows.
    pub fn view(&self) -> OpenedMatch {
        OpenedMatch {
            judged: self.analysis.judgements().len() as u32,
            decisions: self.analysis.decisions() as u32,
            analysed: self.analysed.clone(),
        }
    }
}

fn analysed_match(analysis: &MatchAnalysis) -> AnalysedMatch {
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
    AnalysedMatch {
        players: record.players().clone(),
        length: match record.rules() {
            Rules::Match { length } => length,
            Rules::Money { .. } => 0,
        },
        games: record.games().iter().map(analysed_game).collect(),
        decisions,
        reports,
        file: analysis.mat(),
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

/// A decision as the page shows it; `None` for a decision not to double that is neither close nor wrong.
fn analysed_decision(judgement: &Judgement, turn: u32, score: [u32; 2]) -> Option<AnalysedDecision> {
    let Judgement { game, player, board, stakes, judged, .. } = judgement;
    let player = *player as u8;
    // An answer is given by the side that is not on roll.
    let on_roll = if matches!(judged, Judged::Answer(_)) { 1 - player } else { player };
    let mut decision = AnalysedDecision {
        decision: JudgedDecision {
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
        },
        unplayed: false,
        equities: [0.0; 2],
        plays: 0,
        luck: judgement.luck().map(|luck| luck.equity as f32),
        cube_equities: None,
    };
    let shown = &mut decision.decision;
    match judged {
        Judged::Play(play) => {
            let values = [&play.played, &play.best];
            // Judged plays are legal, so their moves are found.
            let both_moves = values.map(|value| moves(board, play.dice, &value.after).unwrap_or_default());
            shown.dice = [play.dice.high(), play.dice.low()];
            shown.notations = both_moves.each_ref().map(|play_moves| notation(play_moves));
            shown.moves = both_moves.each_ref().map(|play_moves| flat_moves(play_moves));
            shown.outcomes = values.map(|value| value.outcomes.0);
            decision.equities = values.map(|value| value.value.equity as f32);
            decision.plays = play.plays as u32;
        }
        Judged::Roll { dice, .. } => {
            shown.dice = [dice.high(), dice.low()];
            decision.unplayed = true;
        }
        Judged::Cube(cube) => {
            if !cube.counts && cube.mistake.is_none() {
                return None;
            }
            let chosen = if cube.doubled { CubeChoice::Double } else { CubeChoice::Roll };
            shown.cube_review = Some(review(chosen, cube.mistake, &cube.decision, shown.cost));
            shown.outcomes = [cube.outcomes.0; 2];
            decision.cube_equities = cube_equities(&cube.decision, stakes);
        }
        Judged::Answer(answer) => {
            let chosen = answer_choice(answer.answer);
            shown.cube_review = Some(review(chosen, answer.mistake, &answer.decision, shown.cost));
            shown.outcomes = [answer.outcomes.flipped().0; 2];
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
