//! The statistics of both players, counted as GNU Backgammon counts them (its manual, "Statistics").
//!
//! An error rate for each play divides by *unforced* plays, one for each cube decision by decisions that are
//! *close or actual*: doubles, answers, and decisions not to double where doubling would have lost less than
//! 0.16. The error rate for each decision divides by both together.

use learnery_match_files::MatchRecord;
use learnery_worlds::backgammon::matches::{Answer, NextGame, Rules, Scoring, Stakes};

use super::MatchAnalysis;
use super::judgement::{Amount, Judged, Judgement};
use super::player_report::PlayerReport;
use super::ratings::{LuckClass, Rating, Severity, fibs_rating};
use crate::cube::MatchEquityTable;

/// How often something happened, and what it cost.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Count {
    pub number: u32,
    pub total: Amount,
}

impl Count {
    fn add(&mut self, amount: Amount) {
        self.number += 1;
        self.total += amount;
    }
}

/// The statistics of a player.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlayerStatistics {
    /// Plays, also those without a choice.
    pub plays: u32,
    /// Plays with a choice, and what they lost.
    pub unforced: Count,
    /// Plays by how bad they are, as in [`Severity::ALL`].
    pub bad_plays: [u32; 3],
    /// All cube decisions, answers included.
    pub cube_decisions: u32,
    /// Close or actual cube decisions.
    pub close_or_actual: u32,
    pub doubles: u32,
    pub takes: u32,
    pub passes: u32,
    pub beavers: u32,
    /// Wrong cube decisions, as in [`Mistake::ALL`](super::Mistake::ALL).
    pub mistakes: [Count; 6],
    /// Rolls and their luck.
    pub luck: Count,
    /// Rolls by their luck, as in [`LuckClass::ALL`].
    pub rolls: [u32; 5],
}

impl PlayerStatistics {
    fn add(&mut self, judgement: &Judgement) {
        if let Some(luck) = judgement.luck() {
            self.luck.add(luck);
            self.rolls[LuckClass::of(luck.equity) as usize] += 1;
        }
        let mistake = match &judgement.judged {
            Judged::Roll { .. } => None,
            Judged::Play(play) => {
                self.plays += 1;
                if play.plays > 1 {
                    self.unforced.add(play.error);
                }
                if let Some(severity) = Severity::of(play.error.equity) {
                    self.bad_plays[severity as usize] += 1;
                }
                None
            }
            Judged::Cube(cube) => {
                self.cube_decisions += 1;
                self.close_or_actual += u32::from(cube.counts);
                self.doubles += u32::from(cube.doubled);
                cube.mistake
            }
            Judged::Answer(answer) => {
                self.cube_decisions += 1;
                self.close_or_actual += 1;
                match answer.answer {
                    Answer::Take => self.takes += 1,
                    Answer::Pass => self.passes += 1,
                    Answer::Beaver => self.beavers += 1,
                }
                answer.mistake
            }
        };
        if let Some(mistake) = mistake {
            self.mistakes[mistake as usize].add(judgement.error());
        }
    }

    /// What all cube decisions lost.
    pub fn cube_error(&self) -> Amount {
        let mut sum = Amount::default();
        self.mistakes.iter().for_each(|mistake| sum += mistake.total);
        sum
    }

    /// What all decisions lost.
    pub fn error(&self) -> Amount {
        let mut sum = self.unforced.total;
        sum += self.cube_error();
        sum
    }

    /// Unforced plays, and close or actual cube decisions.
    pub fn decisions(&self) -> u32 {
        self.unforced.number + self.close_or_actual
    }

    /// What an unforced play lost on average; `None` without such plays.
    pub fn play_error_rate(&self) -> Option<Amount> {
        rate(self.unforced.total, self.unforced.number)
    }

    /// What a close or actual cube decision lost on average; `None` without such decisions.
    pub fn cube_error_rate(&self) -> Option<Amount> {
        rate(self.cube_error(), self.close_or_actual)
    }

    /// What an unforced play or a close or actual cube decision lost on average; `None` without both.
    pub fn error_rate(&self) -> Option<Amount> {
        rate(self.error(), self.decisions())
    }

    pub fn luck_rate(&self) -> Option<Amount> {
        rate(self.luck.total, self.luck.number)
    }

    pub fn rating(&self) -> Option<Rating> {
        self.error_rate().map(|rate| Rating::of(rate.equity))
    }

    /// The statistics in short.
    pub fn report(&self) -> PlayerReport {
        PlayerReport::new(self.decisions(), self.error().equity, self.luck.total.equity)
    }

    /// The class of ten times the mean luck.
    pub fn luck_class(&self) -> Option<LuckClass> {
        self.luck_rate().map(|rate| LuckClass::of(10.0 * rate.equity))
    }

    /// The estimated rating on FIBS in matches of `length` points.
    pub fn fibs_rating(&self, length: u8) -> Option<f64> {
        self.error_rate()?;
        // Without an unforced play, or without a cube decision, nothing was lost by such decisions.
        let equity_of = |rate: Option<Amount>| rate.unwrap_or_default().equity;
        Some(fibs_rating(equity_of(self.play_error_rate()), equity_of(self.cube_error_rate()), length))
    }
}

/// The mean of `number` amounts with this total; `None` without any.
fn rate(total: Amount, number: u32) -> Option<Amount> {
    let n = f64::from(number);
    (number > 0).then(|| Amount { equity: total.equity / n, utility: total.utility / n })
}

/// The statistics of both players.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MatchStatistics {
    pub players: [PlayerStatistics; 2],
}

impl MatchStatistics {
    pub fn new(judgements: &[Judgement]) -> Self {
        let mut statistics = Self::default();
        judgements.iter().for_each(|judgement| statistics.players[judgement.player].add(judgement));
        statistics
    }

    /// Snowie's error rate: what a player lost for each play of either player, in equity.
    pub fn snowie_error_rate(&self, player: usize) -> Option<f64> {
        let plays: u32 = self.players.iter().map(|player| player.plays).sum();
        rate(self.players[player].error(), plays).map(|rate| rate.equity)
    }
}

/// The result of a match for player 0: the chance to win it after the last game, or points for money.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MatchResult {
    pub actual: f64,
    /// With the luck of both players taken away: an estimate without bias of what their skill was worth.
    pub luck_adjusted: f64,
}

impl MatchAnalysis {
    /// The result for player 0, once everything is judged.
    pub fn result(&self) -> Option<MatchResult> {
        if !self.is_finished() {
            return None;
        }
        // A game has stakes when it begins, because the match is not over then.
        let at_start =
            self.record.games().first().map_or(0.0, |game| utility_at(&game.start().stakes(0).ok()));
        let actual = at_start + gained(&self.record);
        let [own, other] = self.statistics().players.map(|player| player.luck.total.utility);
        Some(MatchResult { actual, luck_adjusted: actual - own + other })
    }
}

/// The chance of player 0 to win the match when a game begins; 0 for money.
fn utility_at(stakes: &Option<Stakes>) -> f64 {
    match stakes.map(|stakes| stakes.scoring) {
        Some(Scoring::Match { own_away, other_away, crawford }) => {
            MatchEquityTable::shared().chance(NextGame::Score { own_away, other_away, crawford })
        }
        _ => 0.0,
    }
}

/// What player 0 gained by the results of all games.
fn gained(record: &MatchRecord) -> f64 {
    let mut sum = 0.0;
    for game in record.games() {
        let (Some(end), stakes) = (game.end(), game.start().stakes(0).ok()) else { continue };
        let won = end.winner == 0;
        sum += match (record.rules(), stakes.and_then(|stakes| stakes.after(end.points, won))) {
            (Rules::Match { .. }, Some(next)) => {
                MatchEquityTable::shared().chance(next) - utility_at(&stakes)
            }
            (Rules::Match { .. }, None) => 0.0,
            (Rules::Money { .. }, _) if won => f64::from(end.points),
            (Rules::Money { .. }, _) => -f64::from(end.points),
        };
    }
    sum
}
