//! An analysis as JSON. Its fields are an interface: they stay, and new ones may come.
//!
//! Errors are at least 0. Amounts have an `equity` (normalised to the cube) and a `chance` (to win the match)
//! or, for money, `points`. Games and the actions in them are counted from 1, players from 0.

use learnery_worlds::backgammon::matches::{Answer, CubeOwner, Rules, Scoring};
use serde_json::{Map, Value, json};

use super::MatchAnalysis;
use super::judgement::{
    Amount, AnswerJudgement, CubeJudgement, Judged, Judgement, Mistake, PlayJudgement, PlayValue,
};
use super::ratings::{LuckClass, Rating, Severity};
use super::report::play_text;
use super::statistics::PlayerStatistics;
use crate::cube::Decision;
use crate::outcomes::Outcomes;

impl MatchAnalysis {
    pub fn json(&self) -> Value {
        let rules = match self.record.rules() {
            Rules::Match { length } => json!({ "length": length }),
            Rules::Money { jacoby, beavers } => json!({ "length": 0, "jacoby": jacoby, "beavers": beavers }),
        };
        let units = self.units();
        let statistics = self.statistics();
        let player = |player: usize| {
            let mut fields = units.player(&statistics.players[player]);
            fields.insert("name".into(), json!(self.record.players()[player]));
            fields.insert("snowie_error_rate".into(), json!(statistics.snowie_error_rate(player)));
            let length = self.match_length();
            let fibs = length.and_then(|length| statistics.players[player].fibs_rating(length));
            fields.insert("fibs_rating".into(), json!(fibs));
            Value::Object(fields)
        };
        json!({
            "rules": rules,
            "plies": self.plies,
            "decisions": self.decisions(),
            "judged": self.judgements.len(),
            "complete": self.is_finished(),
            "players": [player(0), player(1)],
            "result": self.result().map(|result| json!({
                "actual": result.actual,
                "luck_adjusted": result.luck_adjusted,
            })),
            "judgements": self.judgements.iter().map(|judgement| units.judgement(judgement)).collect::<Vec<_>>(),
        })
    }

    fn units(&self) -> Units {
        Units { utility: if self.match_length().is_some() { "chance" } else { "points" } }
    }
}

/// How amounts are named.
struct Units {
    utility: &'static str,
}

impl Units {
    fn amount(&self, amount: Amount) -> Value {
        json!({ "equity": amount.equity, self.utility: amount.utility })
    }

    fn rate(&self, amount: Option<Amount>) -> Value {
        amount.map_or(Value::Null, |amount| self.amount(amount))
    }

    fn player(&self, player: &PlayerStatistics) -> Map<String, Value> {
        let mistakes: Map<String, Value> = Mistake::ALL
            .iter()
            .zip(player.mistakes)
            .map(|(mistake, count)| {
                let fields = json!({ "number": count.number, "error": self.amount(count.total) });
                (mistake.words().replace(' ', "_"), fields)
            })
            .collect();
        let bad: Map<String, Value> = Severity::ALL
            .iter()
            .zip(player.bad_plays)
            .map(|(severity, number)| (severity.words().replace(' ', "_"), json!(number)))
            .collect();
        let rolls: Map<String, Value> = LuckClass::ALL
            .iter()
            .zip(player.rolls)
            .map(|(class, number)| (class.words().replace(' ', "_"), json!(number)))
            .collect();
        let fields = json!({
            "plays": player.plays,
            "unforced_plays": player.unforced.number,
            "play_error": self.amount(player.unforced.total),
            "play_error_rate": self.rate(player.play_error_rate()),
            "bad_plays": bad,
            "cube_decisions": player.cube_decisions,
            "close_or_actual_cube_decisions": player.close_or_actual,
            "doubles": player.doubles,
            "takes": player.takes,
            "passes": player.passes,
            "beavers": player.beavers,
            "mistakes": mistakes,
            "cube_error": self.amount(player.cube_error()),
            "cube_error_rate": self.rate(player.cube_error_rate()),
            "decisions": player.decisions(),
            "error": self.amount(player.error()),
            "error_rate": self.rate(player.error_rate()),
            "rating": player.rating().map(Rating::words),
            "luck": self.amount(player.luck.total),
            "luck_rate": self.rate(player.luck_rate()),
            "luck_class": player.luck_class().map(LuckClass::words),
            "rolls": rolls,
        });
        match fields {
            Value::Object(fields) => fields,
            _ => Map::new(),
        }
    }

    fn judgement(&self, judgement: &Judgement) -> Value {
        let Judgement { stakes, board, .. } = judgement;
        let (away, crawford) = match stakes.scoring {
            Scoring::Match { own_away, other_away, crawford } => (json!([own_away, other_away]), crawford),
            Scoring::Money { .. } => (Value::Null, false),
        };
        let mut fields = Map::new();
        let mut put = |name: &str, value: Value| fields.insert(name.into(), value);
        put("game", json!(judgement.game + 1));
        put("action", json!(judgement.entry + 1));
        put("player", json!(judgement.player));
        put("position", json!(board.position_id()));
        put("away", away);
        put("crawford", json!(crawford));
        put("cube", json!(stakes.cube()));
        put(
            "owner",
            match stakes.owner {
                CubeOwner::Centred => Value::Null,
                CubeOwner::Own => json!("own"),
                CubeOwner::Other => json!("other"),
            },
        );
        let (kind, rest) = match &judgement.judged {
            Judged::Play(play) => ("play", self.play(judgement, play)),
            Judged::Roll { dice, luck } => {
                ("roll", json!({ "dice": [dice.high(), dice.low()], "luck": self.amount(*luck) }))
            }
            Judged::Cube(cube) => ("cube", self.cube(cube)),
            Judged::Answer(answer) => ("answer", self.answer(answer)),
        };
        put("kind", json!(kind));
        if let Value::Object(rest) = rest {
            fields.extend(rest);
        }
        Value::Object(fields)
    }

    fn play(&self, judgement: &Judgement, play: &PlayJudgement) -> Value {
        let value = |value: &PlayValue| {
            json!({
                "play": play_text(&judgement.board, play.dice, &value.after),
                "position": value.after.position_id(),
                "value": self.amount(value.value),
                "chances": chances(&value.outcomes),
            })
        };
        json!({
            "dice": [play.dice.high(), play.dice.low()],
            "plays": play.plays,
            "forced": play.plays == 1,
            "played": value(&play.played),
            "best": value(&play.best),
            "error": self.amount(play.error),
            "severity": Severity::of(play.error.equity).map(Severity::words),
            "luck": self.amount(play.luck),
        })
    }

    fn cube(&self, cube: &CubeJudgement) -> Value {
        json!({
            "doubled": cube.doubled,
            "close_or_actual": cube.counts,
            "mistake": cube.mistake.map(Mistake::words),
            "error": self.amount(cube.error),
            "severity": Severity::of(cube.error.equity).map(Severity::words),
            "utilities": utilities(&cube.decision),
            "chances": chances(&cube.outcomes),
        })
    }

    fn answer(&self, answer: &AnswerJudgement) -> Value {
        json!({
            "answer": match answer.answer {
                Answer::Take => "take",
                Answer::Pass => "pass",
                Answer::Beaver => "beaver",
            },
            "mistake": answer.mistake.map(Mistake::words),
            "error": self.amount(answer.error),
            "severity": Severity::of(answer.error.equity).map(Severity::words),
            "utilities": utilities(&answer.decision),
            "chances": chances(&answer.outcomes),
        })
    }
}

/// The chance to win the match, or points, of the side on roll after each cube action.
fn utilities(decision: &Decision) -> Value {
    json!({
        "no_double": decision.no_double,
        "double_take": decision.double_take,
        "double_beaver": decision.double_beaver,
        "double_pass": decision.double_pass,
    })
}

fn chances(outcomes: &Outcomes) -> Value {
    let [win, gammon, backgammon, lost_gammon, lost_backgammon] = outcomes.0;
    json!({
        "win": win, "gammon": gammon, "backgammon": backgammon,
        "lost_gammon": lost_gammon, "lost_backgammon": lost_backgammon,
    })
}
