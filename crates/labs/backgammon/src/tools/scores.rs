//! The tool `scores`: what to do with the doubling cube in one position, at every score of a match.

use learnery_backgammon_play::Oracle;
use learnery_backgammon_play::cube::{Action, Analysis, Response};
use learnery_backgammon_play::players::MAX_PLIES;
use learnery_lab::{LabError, NamedText, Source, Tool, ToolAbout, ToolProgress, ToolStatus};
use learnery_worlds::backgammon::matches::{LONGEST_MATCH, Stakes};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{MAX_POSITION, oracle_of, refuse_position};
use crate::Backgammon;
use crate::networks::TrainedNetwork;

/// Which position, and how far the scores go.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(rename = "BackgammonScoresInput"))]
pub struct ScoresInput {
    /// A position before the roll: an XGID or a position ID. Its own cube and score do not matter.
    #[schemars(length(max = MAX_POSITION))]
    pub position: String,
    /// Plies of lookahead.
    #[schemars(range(min = 0, max = MAX_PLIES), extend("x-unit" = "plies"))]
    pub plies: u8,
    /// The most points that a side needs to win the match.
    #[schemars(range(min = 1, max = LONGEST_MATCH), extend("x-unit" = "points"))]
    pub away: u8,
}

impl Default for ScoresInput {
    fn default() -> Self {
        Self { position: String::new(), plies: 0, away: 7 }
    }
}

/// The decision at a score, with the cube in the middle. Where a side needs one point, the Crawford game, in
/// which nobody may double, is over.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(rename = "BackgammonScoreDecision"))]
pub struct ScoreDecision {
    /// Points that the side on roll needs, and the other one.
    pub away: [u8; 2],
    /// In the words of players, such as "Double, take".
    pub verdict: String,
    /// "double", "no double" or "too good", and "take" or "pass"; none where the rules allow no double or it
    /// could win nothing.
    pub action: Option<&'static str>,
    pub response: Option<&'static str>,
    /// Equities where 1 is a single game.
    pub no_double: f64,
    pub double_take: Option<f64>,
}

/// All decisions.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(rename = "BackgammonScoresOutput"))]
pub struct ScoresOutput {
    /// Row by row: the side on roll needs one point in the first row, the other one in the first column.
    pub decisions: Vec<ScoreDecision>,
    /// A table of letters, as several lines of text.
    pub text: String,
}

/// One decision after the other.
pub struct CubeAtScores {
    oracle: Oracle<TrainedNetwork>,
    input: ScoresInput,
    decisions: Vec<ScoreDecision>,
}

impl CubeAtScores {
    fn all(&self) -> u64 {
        u64::from(self.input.away).pow(2)
    }

    fn output(&self) -> ScoresOutput {
        ScoresOutput { decisions: self.decisions.clone(), text: text(&self.decisions, self.input.away) }
    }
}

impl Tool for CubeAtScores {
    const ABOUT: ToolAbout = ToolAbout {
        id: "scores",
        title: "Cube at every score",
        help: "Decides about the doubling cube in one position at every score of a match.",
        counts: "scores",
        in_tab: true,
    };
    type Lab = Backgammon;
    type Input = ScoresInput;
    const INPUT: &'static str = include_str!("scores.json");
    /// Each decision, as soon as it has been made.
    type Event = ScoreDecision;
    type Output = ScoresOutput;
    const COUNT_HAS_TOTAL: bool = true;

    fn begin(source: Source<Backgammon>, input: ScoresInput, _: Option<NamedText>) -> Result<Self, LabError> {
        let oracle = oracle_of(&source, &input.position, input.plies)?;
        Ok(Self { oracle, input, decisions: Vec::new() })
    }

    fn step(&mut self, report: &mut dyn FnMut(ScoreDecision)) -> Result<ToolStatus<ScoresOutput>, LabError> {
        let (next, away) = (self.decisions.len(), usize::from(self.input.away));
        let score = [next / away + 1, next % away + 1].map(|points| points as u8);
        let stakes = Stakes::match_play(score[0].into(), score[1].into(), false)
            .map_err(|problem| LabError::input("away", problem.to_string()))?;
        let analysis = self.oracle.cube_at(&self.input.position, &stakes).map_err(refuse_position)?;
        let decision = decision(score, &analysis);
        self.decisions.push(decision.clone());
        report(decision);
        Ok(if (self.decisions.len() as u64) < self.all() {
            ToolStatus::Ready
        } else {
            ToolStatus::Done(self.output())
        })
    }

    fn progress(&self) -> ToolProgress {
        ToolProgress::of(self.decisions.len() as u64, self.all())
    }

    fn partial(&self) -> Option<ScoresOutput> {
        (!self.decisions.is_empty()).then(|| self.output())
    }
}

fn decision(away: [u8; 2], analysis: &Analysis) -> ScoreDecision {
    let best = analysis.decision.best();
    ScoreDecision {
        away,
        verdict: analysis.verdict(),
        action: best.map(|(action, _)| match action {
            Action::Double => "double",
            Action::NoDouble => "no double",
            Action::TooGood => "too good",
        }),
        response: best.map(|(_, response)| match response {
            Response::Take | Response::Beaver => "take",
            Response::Pass => "pass",
        }),
        no_double: analysis.equity(analysis.decision.no_double),
        double_take: analysis.decision.double_take.map(|utility| analysis.equity(utility)),
    }
}

/// A letter for each score.
fn text(decisions: &[ScoreDecision], away: u8) -> String {
    let mut text = String::from(
        "Rows: points that the side on roll needs. Columns: those that the other side needs.\n\n    ",
    );
    (1..=away).for_each(|other| text += &format!("{other:>3}"));
    for row in decisions.chunks(usize::from(away)) {
        text += &format!("\n{:>4}", row[0].away[0]);
        for decision in row {
            let letter = match (decision.action, decision.response) {
                (Some("double"), Some("pass")) => 'P',
                (Some("double"), _) => 'T',
                (Some("too good"), _) => 'G',
                (Some(_), _) => 'N',
                (None, _) => '-',
            };
            text += &format!("{letter:>3}");
        }
    }
    text + "\n\nN no double, T double and take, P double and pass, G too good to double, - a double is not \
            allowed or could win nothing.\nThe cube is in the middle. Where a side needs one point, the Crawford game is over.\n"
}
