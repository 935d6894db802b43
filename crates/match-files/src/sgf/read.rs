//! Reads the games of a Smart Game Format file through a [`Recorder`], so that everything is checked.

use super::analysis::{self, Analysis};
use super::tree::{GameTree, Node, Property, parse_games};
use crate::file_error::FileError;
use crate::mat::choose_play;
use crate::recorder::{Recorder, Refusal};
use crate::{MatchFile, record::GameEnd};
use learnery_worlds::backgammon::Dice;
use learnery_worlds::backgammon::matches::{Answer, LONGEST_MATCH, Rules, Session};
use learnery_worlds::backgammon::{BAR, Board, Win};

/// The number of backgammon in property `GM`.
const BACKGAMMON: &str = "6";
/// Properties of a game that are kept as tags, and the names of these tags in the text format.
const TAGS: [(&str, &str); 6] = [
    ("DT", "EventDate"),
    ("EV", "Event"),
    ("RO", "Round"),
    ("PC", "Site"),
    ("AN", "Annotator"),
    ("GC", "Comment"),
];

/// Properties that set up a position or a cube.
const SETUP: [&str; 6] = ["AW", "AB", "AE", "CV", "CP", "CO"];
const SETUP_PROBLEM: &str = "games that start from another position or cube cannot be read";

/// What the first node of a game says.
struct Heading {
    line: usize,
    players: [String; 2],
    /// 0 for a money session.
    length: u8,
    score: [u32; 2],
    jacoby: bool,
    crawford: bool,
    /// `None` for an unfinished game.
    result: Option<WrittenResult>,
}

/// The result of a game as property `RE` says it.
#[derive(Clone, Copy)]
struct WrittenResult {
    winner: usize,
    points: u32,
    is_resigned: bool,
}

/// Reads a match.
pub(crate) fn read(text: &str) -> Result<MatchFile, FileError> {
    let games = parse_games(text)?;
    let respects_jacoby = true;
    // By the Jacoby rule, a gammon counts as a single game until the cube is turned. GNU Backgammon writes
    // that the rule was in use if it has read a session that says nothing about it. A gammon that counts
    // without a turned cube shows that it was not, so a file that breaks the rule is read again without it.
    replay(&games, text, respects_jacoby)
        .or_else(|error| replay(&games, text, !respects_jacoby).map_err(|other| error.or_further(other)))
}

fn replay(games: &[GameTree], text: &str, respects_jacoby: bool) -> Result<MatchFile, FileError> {
    let mut recorder: Option<Recorder> = None;
    let mut found = Vec::new();
    for (number, game) in games.iter().enumerate() {
        let Some((first, nodes)) = game.nodes.split_first() else {
            return Err(FileError::at(game.line, "a game without a node", text));
        };
        let mut heading =
            read_heading(first, game.line).map_err(|(line, problem)| FileError::at(line, problem, text))?;
        heading.jacoby &= respects_jacoby;
        let at_heading = |problem: String| FileError::at(heading.line, problem, text);
        let recorder = match &mut recorder {
            Some(recorder) => {
                check_same_match(recorder, &heading).map_err(at_heading)?;
                recorder
            }
            none => none.insert(begin(first, &heading, has_beaver(games)).map_err(at_heading)?),
        };
        let expected = recorder.session().score();
        if heading.score != expected {
            let [white, black] = expected;
            return Err(at_heading(format!("after the games before, the score is {white} : {black}")));
        }
        recorder.begin_game().map_err(|problem| at_heading(problem.to_string()))?;
        let mut state = Game { recorder, number, entries: 0, dice: None, beaver: None, found: &mut found };
        for node in nodes {
            state.act_on_node(node).map_err(|(line, problem)| FileError::at(line, problem, text))?;
        }
        state.finish(&heading).map_err(at_heading)?;
    }
    let record = recorder.ok_or_else(|| FileError::at(1, "the file has no game", text))?.finish();
    Ok(MatchFile { record, analysis: found })
}

/// A result, or a problem and its line.
type OrLineAndProblem<T> = Result<T, (usize, String)>;

/// Begins the record of a match with the first node of its first game.
fn begin(first: &Node, heading: &Heading, beavers: bool) -> Result<Recorder, String> {
    let rules = match heading.length {
        0 => Rules::Money { jacoby: heading.jacoby, beavers },
        length => Rules::Match { length },
    };
    let session =
        Session::at_score(rules, heading.score, heading.crawford).map_err(|problem| problem.to_string())?;
    let mut recorder = Recorder::continued([&heading.players[0], &heading.players[1]], session);
    for (property, tag) in TAGS {
        if let Some(value) = first.iter().find(|p| p.name == property).and_then(|p| p.values.first()) {
            recorder.tag(tag, value);
        }
    }
    Ok(recorder)
}

/// Checks that a further game belongs to the match of the first one.
fn check_same_match(recorder: &Recorder, heading: &Heading) -> Result<(), String> {
    let length = match recorder.session().rules() {
        Rules::Match { length } => length,
        Rules::Money { .. } => 0,
    };
    if heading.length != length {
        return Err("the first game belongs to a match of another length".into());
    }
    let players = heading.players.each_ref().map(String::as_str);
    recorder.check_players(players).map_err(|problem| problem.to_string())
}

/// Whether a double is answered by another one anywhere: a beaver.
fn has_beaver(games: &[GameTree]) -> bool {
    let is_double =
        |node: &Node| node.iter().any(|p| matches!(p.name.as_str(), "B" | "W") && p.values[0] == "double");
    games.iter().any(|game| game.nodes.windows(2).any(|pair| pair.iter().all(is_double)))
}

/// Reads the first node of a game that begins on `line`.
fn read_heading(node: &Node, line: usize) -> OrLineAndProblem<Heading> {
    let line = node.first().map_or(line, |property| property.line);
    let value = |name: &str| node.iter().find(|p| p.name == name).map(|p| (p.line, p.values[0].as_str()));
    if let Some((line, game)) = value("GM").filter(|(_, game)| game.trim() != BACKGAMMON) {
        return Err((line, format!("this is a file of another game: GM is {game:?}, and backgammon is 6")));
    }
    if value("GM").is_none() {
        return Err((line, "the property GM[6] is missing, so this is no game of backgammon".into()));
    }
    let is_default =
        |p: &Property| matches!((p.name.as_str(), p.values[0].trim()), ("CV", "1") | ("CP" | "CO", "c"));
    if let Some(setup) = node.iter().find(|p| SETUP.contains(&p.name.as_str()) && !is_default(p)) {
        return Err((setup.line, SETUP_PROBLEM.into()));
    }
    let name = |property| value(property).map_or("?", |(_, name)| name).to_owned();
    let mut heading = Heading {
        line,
        players: [name("PW"), name("PB")],
        length: 0,
        score: [0; 2],
        jacoby: false,
        crawford: false,
        result: None,
    };
    for property in node.iter().filter(|p| p.name == "MI") {
        for pair in &property.values {
            let (key, number) = pair.split_once(':').unwrap_or((pair, ""));
            let number = || {
                number
                    .trim()
                    .parse::<u32>()
                    .map_err(|_| (property.line, "a number is expected in MI".to_owned()))
            };
            match key.trim().to_lowercase().as_str() {
                "length" => {
                    let length = u8::try_from(number()?).ok().filter(|length| *length <= LONGEST_MATCH);
                    heading.length = length
                        .ok_or((property.line, format!("a match has at most {LONGEST_MATCH} points")))?;
                }
                "ws" => heading.score[0] = number()?,
                "bs" => heading.score[1] = number()?,
                // Other keys, such as the number of the game, are not needed.
                _ => {}
            }
        }
    }
    if let Some((line, rules)) = value("RU") {
        for rule in rules.split(':') {
            match rule.trim() {
                "Jacoby" => heading.jacoby = true,
                "CrawfordGame" => heading.crawford = true,
                "Nackgammon" | "NackGammon" | "Hypergammon1" | "Hypergammon2" | "Hypergammon3" => {
                    return Err((line, "only standard backgammon can be read, no variant of it".into()));
                }
                // Other rules change nothing that is read here.
                _ => {}
            }
        }
    }
    if let Some((line, result)) = value("RE") {
        heading.result = parse_result(result).map_err(|problem| (line, problem))?;
    }
    Ok(heading)
}

/// Reads `B+2R`: Black won two points because White resigned. Results without a winner are those of
/// unfinished games.
fn parse_result(result: &str) -> Result<Option<WrittenResult>, String> {
    let Some((winner, points)) = result.trim().split_once('+') else { return Ok(None) };
    let winner = match winner {
        "W" => 0,
        "B" => 1,
        _ => return Err("a result is written like B+2".into()),
    };
    let number = points.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let points_won = number.parse().map_err(|_| "a result is written like B+2".to_owned())?;
    Ok(Some(WrittenResult { winner, points: points_won, is_resigned: points.ends_with('R') }))
}

/// A game under way.
struct Game<'a> {
    recorder: &'a mut Recorder,
    /// The index of the game in the match.
    number: usize,
    /// Entries recorded so far.
    entries: usize,
    /// A roll that was set without a play.
    dice: Option<(usize, Dice)>,
    /// The player whose beaver (a double that answers a double) was just recorded; the other one may accept
    /// it.
    beaver: Option<usize>,
    /// The analyses of the match so far.
    found: &'a mut Vec<Analysis>,
}

impl Game<'_> {
    fn act_on_node(&mut self, node: &Node) -> OrLineAndProblem<()> {
        for property in node {
            let at = |problem: String| (property.line, problem);
            match property.name.as_str() {
                "W" | "B" => self.act(property, node).map_err(at)?,
                "DI" => self.set_dice(property, node).map_err(at)?,
                name if SETUP.contains(&name) => return Err(at(SETUP_PROBLEM.into())),
                // `act` and `set_dice` read the properties that belong to theirs. Comments are skipped.
                _ => {}
            }
        }
        Ok(())
    }

    /// `PL[W]DI[61]`: a roll that was not played, because the record ends or the player resigned.
    fn set_dice(&mut self, property: &Property, node: &Node) -> Result<(), String> {
        let dice = parse_dice(&property.values[0])?;
        let named = node.iter().find(|p| p.name == "PL").map(|p| usize::from(p.values[0].starts_with('B')));
        let player = named.or(self.recorder.on_turn()).ok_or("PL must say who rolls first")?;
        self.dice = Some((player, dice));
        Ok(())
    }

    /// Records the action of a property `W` or `B`.
    fn act(&mut self, property: &Property, node: &Node) -> Result<(), String> {
        let player = usize::from(property.name == "B");
        let beaver = self.beaver.take();
        let text = property.values[0].trim();
        let session = *self.recorder.session();
        let mut analysed = Analysis { game: self.number, entry: self.entries, plays: Vec::new(), cube: None };
        match text {
            "double" if session.doubler() == Some(1 - player) => {
                self.answer(player, Answer::Beaver)?;
                self.beaver = Some(player);
            }
            "double" => self.recorder.double(player).map_err(|problem| problem.to_string())?,
            // The player who doubled accepts the beaver.
            "take" if beaver == Some(1 - player) => return Ok(()),
            "take" => self.answer(player, Answer::Take)?,
            "drop" if beaver == Some(1 - player) => return Err("a beaver cannot be passed".into()),
            "drop" => self.answer(player, Answer::Pass)?,
            _ => {
                let (dice, letters) =
                    text.split_at_checked(2).ok_or("a roll and a play are expected, like 61mghg")?;
                let dice = parse_dice(dice)?;
                let board = self.recorder.board().ok_or_else(|| Refusal::NoGame.to_string())?;
                let after = after_letters(letters, &board, dice, player);
                let after =
                    after.ok_or_else(|| format!("this is no legal play of {}{}", dice.high(), dice.low()))?;
                self.recorder.play(player, dice, after).map_err(|problem| problem.to_string())?;
                if let Some(plays) = node.iter().find(|p| p.name == "A") {
                    analysed.plays = analysis::read_plays(&plays.values, &board, dice, player);
                }
            }
        }
        self.dice = None;
        self.entries += 1;
        analysed.cube = node.iter().find(|p| p.name == "DA").and_then(|p| analysis::read_cube(&p.values[0]));
        if !analysed.plays.is_empty() || analysed.cube.is_some() {
            self.found.push(analysed);
        }
        Ok(())
    }

    fn answer(&mut self, player: usize, answer: Answer) -> Result<(), String> {
        self.recorder.answer(player, answer).map_err(|problem| problem.to_string())
    }

    /// Compares the result with how the game ended, or records a resignation.
    fn finish(&mut self, heading: &Heading) -> Result<(), String> {
        let is_unfinished = self.recorder.board().is_some();
        if let (true, Some((player, dice))) = (is_unfinished, self.dice) {
            self.recorder.roll(player, dice).map_err(|problem| problem.to_string())?;
        }
        let Some(WrittenResult { winner, points, is_resigned }) = heading.result else { return Ok(()) };
        if self.recorder.board().is_some() {
            if self.recorder.session().doubler() == Some(winner) {
                self.answer(1 - winner, Answer::Pass)?;
            } else if is_resigned {
                let stakes = self.recorder.session().stakes(winner).map_err(|problem| problem.to_string())?;
                let wins = [Win::Single, Win::Gammon, Win::Backgammon];
                let win = wins.into_iter().find(|win| stakes.points(*win) == points);
                let win = win.ok_or_else(|| {
                    format!("with the cube at {}, nobody can win {points} points", stakes.cube())
                })?;
                self.recorder.resign(winner, win).map_err(|problem| problem.to_string())?;
            } else {
                return Err("the result says that the game was won, but its moves stop before that".into());
            }
        }
        match self.recorder.last_end() {
            Some(end) if (end.winner, end.points) == (winner, points) => Ok(()),
            Some(GameEnd { winner, points, .. }) => {
                Err(format!("by its moves, this game ends {}+{points}", ["W", "B"][winner]))
            }
            None => Ok(()),
        }
    }
}

fn parse_dice(text: &str) -> Result<Dice, String> {
    let [a @ b'1'..=b'6', b @ b'1'..=b'6'] = text.trim().as_bytes() else {
        return Err("a roll is two numbers from 1 to 6".into());
    };
    Dice::new(a - b'0', b - b'0').ok_or_else(|| "a roll is two numbers from 1 to 6".into())
}

/// The board after the play that is written with two letters for each move: `a` is White's point 1 and
/// Black's point 24, `x` the other way round, `y` is the bar and `z` is off.
pub(super) fn after_letters(letters: &str, board: &Board, dice: Dice, player: usize) -> Option<Board> {
    let place = |letter: u8| match letter {
        b'a'..=b'x' if player == 0 => Some(letter - b'a' + 1),
        b'a'..=b'x' => Some(b'x' - letter + 1),
        b'y' => Some(BAR as u8),
        b'z' => Some(0),
        _ => None,
    };
    let letters = letters.trim().as_bytes();
    // At most four moves of two letters each.
    if letters.len() > 8 || !letters.len().is_multiple_of(2) {
        return None;
    }
    let mut paths = Vec::new();
    for pair in letters.chunks_exact(2) {
        let path = vec![place(pair[0])?, place(pair[1])?];
        // A checker only moves to lower places.
        if path[0] <= path[1] {
            return None;
        }
        paths.push(path);
    }
    choose_play(board, dice, &paths, 0)
}
