//! An analysis as a table of both players, with the worst decisions of each.

// Writing to a `String` cannot fail, so the results of `write!` are ignored here.
use std::fmt::Write;

use learnery_worlds::backgammon::matches::Rules;
use learnery_worlds::backgammon::{Board, Dice, moves, notation};

use super::MatchAnalysis;
use super::judgement::{Amount, Judged, Judgement, Mistake};
use super::ratings::{LuckClass, Severity};
use super::statistics::{Count, PlayerStatistics};

/// Characters of the first column, and of each of the others: together a terminal of 80 columns.
pub(super) const LABEL_WIDTH: usize = 38;
pub(super) const COLUMN_WIDTH: usize = 21;
/// Decisions that are listed for each player.
const MAX_LISTED_DECISIONS: usize = 3;
/// A smaller error is not listed.
const MIN_LISTED_ERROR: f64 = 0.0005;

impl MatchAnalysis {
    /// The points of the match; `None` for money.
    pub(super) fn match_length(&self) -> Option<u8> {
        match self.record.rules() {
            Rules::Match { length } => Some(length),
            Rules::Money { .. } => None,
        }
    }

    /// What was judged and how, in a line.
    pub(super) fn heading(&self) -> String {
        let what = match self.match_length() {
            Some(1) => "Match to 1 point".into(),
            Some(length) => format!("Match to {length} points"),
            None => String::from("Money session"),
        };
        let judged = match self.is_finished() {
            true => format!("all {} decisions judged", self.decisions()),
            false => format!("stopped after {} of {} decisions", self.judgements.len(), self.decisions()),
        };
        let plies = if self.plies == 1 { "1 ply".into() } else { format!("{} plies", self.plies) };
        format!("{what}; {judged} with {plies} of lookahead")
    }

    /// The report in several lines.
    pub fn text(&self) -> String {
        let statistics = self.statistics();
        let mut table = Table { text: format!("{}\n", self.heading()), players: &statistics.players };
        let unit = if self.match_length().is_some() { "% match" } else { "points" };
        let amounts = Amounts { is_percent: self.match_length().is_some() };
        let names = self.record.players().each_ref().map(|name| short_name(name));
        table.put_heading("", &names.each_ref().map(String::as_str));
        table.put_heading("Checker play", &["", ""]);
        table.put_row("Plays", |player| player.plays.to_string());
        table.put_row("Unforced plays", |player| player.unforced.number.to_string());
        for severity in Severity::ALL {
            table.put_row(&format!("  {}", severity.words()), |player| {
                player.bad_plays[severity as usize].to_string()
            });
        }
        table.put_row(&format!("Error, equity ({unit})"), |player| amounts.total(player.unforced.total));
        table.put_row("Error for each unforced play", |player| amounts.rate(player.play_error_rate()));
        table.put_heading("Cube", &["", ""]);
        table.put_row("Cube decisions", |player| player.cube_decisions.to_string());
        table.put_row("Close or actual decisions", |player| player.close_or_actual.to_string());
        table.put_row("Doubles, takes, passes", |player| {
            format!("{}, {}, {}", player.doubles, player.takes + player.beavers, player.passes)
        });
        for mistake in Mistake::ALL {
            let count = |player: &PlayerStatistics| player.mistakes[mistake as usize];
            let is_beaver = matches!(mistake, Mistake::MissedBeaver | Mistake::WrongBeaver);
            if is_beaver && statistics.players.iter().all(|player| count(player).number == 0) {
                continue;
            }
            table.put_row(&format!("  {}", plural(mistake)), |player| amounts.count(count(player)));
        }
        table.put_row(&format!("Error, equity ({unit})"), |player| amounts.total(player.cube_error()));
        table.put_row("Error for each such decision", |player| amounts.rate(player.cube_error_rate()));
        table.put_heading("Luck", &["", ""]);
        for class in LuckClass::ALL.into_iter().rev().filter(|class| *class != LuckClass::Neither) {
            table.put_row(&format!("  {} rolls", class.words()), |player| {
                player.rolls[class as usize].to_string()
            });
        }
        table.put_row(&format!("Luck, equity ({unit})"), |player| amounts.signed(player.luck.total));
        table.put_row("Luck for each roll", |player| {
            player.luck_rate().map_or("-".into(), |rate| format!("{:+.1}", 1000.0 * rate.equity))
        });
        table.put_heading("All decisions", &["", ""]);
        table.put_row(&format!("Error, equity ({unit})"), |player| amounts.total(player.error()));
        table.put_row("Error for each decision", |player| amounts.rate(player.error_rate()));
        let snowie = [0, 1].map(|player| statistics.snowie_error_rate(player));
        table.put_line("Snowie error rate", &snowie.map(|rate| optional(rate.map(|rate| 1000.0 * rate))));
        table.put_row("Rating", |player| player.rating().map_or("-", |rating| rating.words()).into());
        if let Some(length) = self.match_length() {
            table.put_row("Estimated rating on FIBS", |player| optional(player.fibs_rating(length)));
        }
        if let Some(result) = self.result() {
            let both = |own: f64| match amounts.is_percent {
                true => [own, 1.0 - own].map(|chance| format!("{:.2} %", 100.0 * chance)),
                false => [own, -own].map(|points| format!("{points:+.3}")),
            };
            table.put_line(&format!("Result ({unit})"), &both(result.actual));
            table.put_line("Result without luck", &both(result.luck_adjusted));
        }
        let mut text = table.text;
        text.push_str("\nErrors and luck for each play, decision or roll: in thousandths of a point.\n");
        for player in [0, 1] {
            self.put_worst(&mut text, player, &amounts);
        }
        text
    }

    /// Lists the worst decisions of a player.
    fn put_worst(&self, text: &mut String, player: usize, amounts: &Amounts) {
        let mut worst: Vec<&Judgement> = self
            .judgements
            .iter()
            .filter(|judgement| judgement.player == player && judgement.error().equity > MIN_LISTED_ERROR)
            .collect();
        worst.sort_by(|a, b| b.error().equity.total_cmp(&a.error().equity));
        worst.truncate(MAX_LISTED_DECISIONS);
        if worst.is_empty() {
            return;
        }
        let _ = write!(text, "\nWorst decisions of {}\n", self.record.players()[player]);
        for judgement in worst {
            let (game, action) = (judgement.game + 1, judgement.entry + 1);
            let error = amounts.total(judgement.error());
            let (position, what) = (judgement.board.position_id(), judgement.words());
            let _ = writeln!(text, "  game {game}, action {action}: {position}\n    {what}; loses {error}");
        }
    }
}

impl Judgement {
    /// What was done and what was better, in a few words.
    pub(super) fn words(&self) -> String {
        match &self.judged {
            Judged::Play(play) => {
                let [own, best] =
                    [play.played, play.best].map(|value| play_text(&self.board, play.dice, &value.after));
                let (high, low) = (play.dice.high(), play.dice.low());
                if own == best {
                    format!("{high}{low}: {own}")
                } else {
                    format!("{high}{low}: {own}, best {best}")
                }
            }
            Judged::Roll { dice, .. } => format!("{}{}, not played", dice.high(), dice.low()),
            Judged::Cube(cube) => match (cube.mistake, cube.doubled) {
                (Some(mistake), _) => mistake.words().into(),
                (None, true) => "double".into(),
                (None, false) => "no double".into(),
            },
            Judged::Answer(answer) => answer.mistake.map_or("answer", Mistake::words).into(),
        }
    }
}

/// A play in standard notation.
pub fn play_text(board: &Board, dice: Dice, after: &Board) -> String {
    moves(board, dice, after).map_or_else(String::new, |moves| notation(&moves))
}

/// A name that fits into a column.
fn short_name(name: &str) -> String {
    match name.chars().count() {
        length if length >= COLUMN_WIDTH => name.chars().take(COLUMN_WIDTH - 2).chain(['…']).collect(),
        _ => name.into(),
    }
}

fn plural(mistake: Mistake) -> String {
    match mistake {
        Mistake::WrongPass => "wrong passes".into(),
        _ => format!("{}s", mistake.words()),
    }
}

fn optional(value: Option<f64>) -> String {
    value.map_or("-".into(), |value| format!("{value:.1}"))
}

/// Writes amounts.
pub struct Amounts {
    /// Whether utilities are chances, which are written in percent.
    pub is_percent: bool,
}

impl Amounts {
    fn utility(&self, amount: Amount) -> f64 {
        if self.is_percent { 100.0 * amount.utility } else { amount.utility }
    }

    /// `0.123 (1.234 %)`, for money `0.123 (0.246)`.
    pub fn total(&self, amount: Amount) -> String {
        let unit = if self.is_percent { " %" } else { "" };
        format!("{:.3} ({:.3}{unit})", amount.equity, self.utility(amount))
    }

    pub fn signed(&self, amount: Amount) -> String {
        let unit = if self.is_percent { " %" } else { "" };
        format!("{:+.3} ({:+.3}{unit})", amount.equity, self.utility(amount))
    }

    /// The number and, if it is not zero, the sum.
    fn count(&self, count: Count) -> String {
        match count.number {
            0 => "0".into(),
            number => format!("{number}, {}", self.total(count.total)),
        }
    }

    fn rate(&self, amount: Option<Amount>) -> String {
        optional(amount.map(|amount| 1000.0 * amount.equity))
    }
}

/// A table under construction.
struct Table<'a> {
    text: String,
    players: &'a [PlayerStatistics; 2],
}

impl Table<'_> {
    fn put_heading(&mut self, label: &str, cells: &[&str; 2]) {
        self.text.push('\n');
        self.put_line(label, &cells.map(str::to_owned));
    }

    fn put_row(&mut self, label: &str, cell: impl Fn(&PlayerStatistics) -> String) {
        let cells = self.players.each_ref().map(cell);
        self.put_line(label, &cells);
    }

    fn put_line(&mut self, label: &str, cells: &[String; 2]) {
        let [first, second] = cells;
        let line = format!("{label:<LABEL_WIDTH$}{first:<COLUMN_WIDTH$}{second}");
        self.text.push_str(line.trim_end());
        self.text.push('\n');
    }
}
