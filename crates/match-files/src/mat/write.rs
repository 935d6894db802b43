//! Writes the text format as GNU Backgammon and eXtreme Gammon read it. Larger functions are never
//! inlined, because the page's bundle contains this code and its speed does not matter.

// Writing to a `String` cannot fail, so the results of `write!` are ignored here.
use std::fmt::Write;

use crate::decisions::Decision;
use crate::record::{Action, Ending, GameRecord, MatchRecord};
use learnery_worlds::backgammon::BAR;
use learnery_worlds::backgammon::Move;
use learnery_worlds::backgammon::matches::{Answer, Rules, Session};

/// The columns of both players in a row.
const COLUMNS: [usize; 2] = [5, 33];
/// The columns of a result on a line of its own: one further than those of plays, as for cube actions, whose
/// texts begin with a space.
const RESULT_COLUMNS: [usize; 2] = [6, 34];

/// Tags that say by which rules a money session is played. They follow from the rules of the record.
const RULE_TAGS: [&str; 3] = ["Jacoby", "Beaver", "Beavers"];

/// What is to be written about the decisions of a match; see [`write_mat`].
pub type Annotation<'a> = &'a dyn Fn(&Decision<'_>) -> Option<String>;

/// Writes a match in the text format. `annotate` may say something about each decision. It becomes a comment
/// below the row of the decision, which other programs skip (GNU Backgammon with one warning for the file),
/// with the number of the game, of the row and of the player:
///
/// ```text
///   8) 52: 25/20 5/3                Doubles => 2
/// ; 1.8 Ben: error 0.120, no double
/// ```
pub fn write_mat(record: &MatchRecord, annotate: Option<Annotation>) -> String {
    let mut text = String::new();
    for (name, value) in record.tags() {
        if !RULE_TAGS.iter().any(|rule| name.eq_ignore_ascii_case(rule)) {
            let _ = writeln!(text, "; [{} \"{}\"]", plain(name), plain(value));
        }
    }
    let length = match record.rules() {
        Rules::Match { length } => length,
        Rules::Money { jacoby, beavers } => {
            let word = |on| if on { "On" } else { "Off" };
            let _ = writeln!(text, "; [Jacoby \"{}\"]\n; [Beaver \"{}\"]", word(jacoby), word(beavers));
            // The format has a money session as a match to 0 points.
            0
        }
    };
    let _ = writeln!(text, "{}{length} point match", if text.is_empty() { " " } else { "\n " });
    let decisions = if annotate.is_some() { record.decisions() } else { Vec::new() };
    for (number, game) in record.games().iter().enumerate() {
        let comments = |entry: usize| -> Vec<String> {
            // Decisions are in the order of the games and of their entries.
            let place = |decision: &Decision| (decision.game, decision.entry);
            let begin = decisions.partition_point(|decision| place(decision) < (number, entry));
            let of_entry =
                decisions[begin..].iter().take_while(|decision| place(decision) == (number, entry));
            of_entry.filter_map(|decision| annotate.and_then(|annotate| annotate(decision))).collect()
        };
        put_game(&mut text, record, number, game, &comments);
    }
    text
}

/// Text in one line without characters that could end a tag or a comment.
fn plain(text: &str) -> String {
    text.chars().map(|c| if c.is_control() || c == '"' { '\'' } else { c }).collect()
}

/// A name without what separates names from scores or begins a comment.
#[inline(never)]
fn plain_name(name: &str) -> String {
    let is_plain = |c: char| !c.is_control() && !matches!(c, ':' | ';' | '#');
    let name: String = name.chars().map(|c| if is_plain(c) { c } else { '_' }).collect();
    // Programs that read the format could take the second word of a name for the second column.
    name.split_whitespace().collect::<Vec<_>>().join("_")
}

#[inline(never)]
fn put_game(
    text: &mut String,
    record: &MatchRecord,
    number: usize,
    game: &GameRecord,
    comments: &dyn Fn(usize) -> Vec<String>,
) {
    let score = game.start().score();
    let [first, second] =
        [0, 1].map(|player: usize| format!("{} : {}", plain_name(&record.players()[player]), score[player]));
    let _ = write!(text, "\n Game {}\n {first:<30} {second}\n", number + 1);
    let mut rows =
        Rows { text, game: number + 1, row: 1, line: String::new(), next_column: 0, comments: Vec::new() };
    let mut session = game.start();
    for (index, entry) in game.entries().iter().enumerate() {
        let cell = cell(&mut session, entry.player, &entry.action);
        let name = plain_name(&record.players()[entry.player]);
        rows.put(entry.player, &cell, &name, comments(index));
        // After a beaver the format has a take of the player who doubled, which the record does not have.
        if matches!(entry.action, Action::Answer(Answer::Beaver)) {
            rows.put(1 - entry.player, " Takes", &name, Vec::new());
        }
    }
    if let Some(end) = game.end() {
        let finished = match record.rules() {
            Rules::Match { length } => score[end.winner] + end.points >= u32::from(length),
            Rules::Money { .. } => false,
        };
        let plural = if end.points == 1 { "" } else { "s" };
        let result =
            format!("Wins {} point{plural}{}", end.points, if finished { " and the match" } else { "" });
        rows.result(end.winner, &result, end.ending == Ending::Passed);
    } else {
        rows.flush();
    }
}

/// The text of an action. Doubles and answers are also applied to `session`, which keeps the value of the
/// cube; plays do not change that.
#[inline(never)]
fn cell(session: &mut Session, player: usize, action: &Action) -> String {
    match action {
        Action::Play { dice, moves, .. } => {
            let mut text = format!("{}{}:", dice.high(), dice.low());
            moves.iter().for_each(|step| put_move(&mut text, *step));
            text
        }
        // The usual sign for a play that is not recorded.
        Action::Roll { dice } => format!("{}{}: ????", dice.high(), dice.low()),
        Action::Double => {
            let text = format!(" Doubles => {}", 2 * session.cube());
            // A recorded double is legal, so it is not refused.
            let _ = session.double(player);
            text
        }
        Action::Answer(answer) => {
            let text = match answer {
                Answer::Take => " Takes".to_owned(),
                Answer::Pass => " Drops".to_owned(),
                Answer::Beaver => format!(" Beavers => {}", 4 * session.cube()),
            };
            // A pass ends the game, so the session is not needed any more. A recorded answer is legal, so it
            // is not refused.
            if *answer != Answer::Pass {
                let _ = session.answer(*answer);
            }
            text
        }
    }
}

/// One move as the format has it: the bar is 25, and 0 is off.
#[inline(never)]
fn put_move(text: &mut String, step: Move) {
    let _ = write!(text, " {}/{}{}", step.from.min(BAR as u8), step.to, if step.hit { "*" } else { "" });
}

/// Rows of two cells under construction.
struct Rows<'a> {
    /// The file so far.
    text: &'a mut String,
    /// The number of the game, from 1.
    game: usize,
    /// The number of the present row, from 1, and its line so far.
    row: usize,
    line: String,
    /// The first column that is still free: 0, 1, or 2 if the row is full. The first cell may have been left
    /// empty.
    next_column: usize,
    /// Lines that follow the present row.
    comments: Vec<String>,
}

impl Rows<'_> {
    /// Writes a player's cell, in the next row if this one has it already or is past it.
    #[inline(never)]
    fn put(&mut self, player: usize, cell: &str, name: &str, comments: Vec<String>) {
        if self.next_column > player {
            self.flush();
        }
        if self.line.is_empty() {
            self.line = format!("{:>3})", self.row);
        }
        self.pad(COLUMNS[player]);
        self.line.push_str(cell);
        self.next_column = player + 1;
        for comment in comments {
            self.comments.push(format!("; {}.{} {name}: {}", self.game, self.row, plain(&comment)));
        }
    }

    /// Fills the line with spaces up to a column.
    #[inline(never)]
    fn pad(&mut self, column: usize) {
        let width = self.line.chars().count();
        // At least one space separates two cells.
        let spaces = column.saturating_sub(width).max(1);
        self.line.extend(std::iter::repeat_n(' ', spaces));
    }

    /// Writes the result: behind the pass of the first player, or on a line of its own.
    fn result(&mut self, winner: usize, result: &str, passed: bool) {
        if passed && winner == 1 && self.next_column == 1 {
            self.pad(RESULT_COLUMNS[1]);
            self.line.push_str(result);
            self.flush();
            return;
        }
        self.flush();
        self.pad(RESULT_COLUMNS[winner]);
        self.line.push_str(result);
        let _ = writeln!(self.text, "{}", self.line);
        self.line.clear();
    }

    /// Ends the present row: writes its line and its comments.
    #[inline(never)]
    fn flush(&mut self) {
        if self.next_column > 0 {
            let _ = writeln!(self.text, "{}", self.line.trim_end());
            self.row += 1;
        }
        for comment in self.comments.drain(..) {
            let _ = writeln!(self.text, "{comment}");
        }
        self.line.clear();
        self.next_column = 0;
    }
}
