//! Plays what is written in the text format through a [`Recorder`], so that everything is checked.

use super::cells::{Cell, CellAction};
use super::play_text::{Written, choose_play};
use super::read::{WrittenGame, WrittenMatch};
use crate::file_error::FileError;
use crate::record::{Ending, GameEnd, MatchRecord};
use crate::recorder::{Recorder, Refusal};
use learnery_worlds::backgammon::Win;
use learnery_worlds::backgammon::matches::{Answer, Rules, Session};

/// How a file counts the points in `Wins 2 points`. By the Jacoby rule of money sessions, a gammon counts as
/// a single game until the cube is turned. The file does not say it, so `read.rs` tries one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Results {
    /// As they are scored.
    AsScored,
    /// As they would be scored without the Jacoby rule.
    WithoutJacoby,
}

/// Plays a match by `rules`. `text` is quoted in errors.
pub(super) fn replay(
    written: &WrittenMatch,
    rules: Rules,
    results: Results,
    text: &str,
) -> Result<MatchRecord, FileError> {
    let Some(first) = written.games.first() else {
        return Err(FileError::at(text.lines().count(), "the file ends before the first game", text));
    };
    let session = Session::at_score(rules, first.score, starts_with_crawford(first))
        .map_err(|problem| FileError::at(first.line, problem, text))?;
    let mut recorder = Recorder::continued([&first.players[0], &first.players[1]], session);
    for (name, value) in &written.tags {
        recorder.tag(name, value);
    }
    for (number, game) in written.games.iter().enumerate() {
        let players = game.players.each_ref().map(String::as_str);
        recorder.check_players(players).map_err(|problem| FileError::at(game.line, problem, text))?;
        settle(&mut recorder, game.score).map_err(|problem| FileError::at(game.line, problem, text))?;
        recorder.begin_game().map_err(|problem| FileError::at(game.line, problem, text))?;
        let mut state = GameState {
            recorder: &mut recorder,
            results,
            resigned: None,
            result: None,
            beaver: None,
            has_accepted_beaver: false,
            has_swapped_columns: false,
        };
        for cell in &game.cells {
            state.act(cell).map_err(|problem| FileError::at(cell.line, problem, text))?;
        }
        let is_last = number + 1 == written.games.len();
        state.finish(is_last).map_err(|problem| FileError::at(last_line(game), problem, text))?;
    }
    Ok(recorder.finish())
}

fn last_line(game: &WrittenGame) -> usize {
    game.cells.last().map_or(game.line, |cell| cell.line)
}

/// A file that starts within a match does not say whether its first game is the Crawford game. A double shows
/// that it is not.
fn starts_with_crawford(game: &WrittenGame) -> bool {
    !game.cells.iter().any(|cell| matches!(cell.action, CellAction::Double { .. }))
}

/// Before a game: checks that the score follows from the games before. If the last game has no result,
/// somebody resigned it, and the score says who and what.
fn settle(recorder: &mut Recorder, score: [u32; 2]) -> Result<(), String> {
    if recorder.board().is_some() {
        let before = recorder.session().score();
        let won: Vec<usize> = (0..2).filter(|player| score[*player] > before[*player]).collect();
        let [winner] = won[..] else {
            return Err("the game before has no result, and the score does not show one".into());
        };
        let points = score[winner] - before[winner];
        let win = win_of(recorder, winner, points)?;
        recorder.resign(winner, win).map_err(|problem| problem.to_string())?;
    }
    let expected = recorder.session().score();
    if score != expected {
        return Err(format!("after the games before, the score is {} : {}", expected[0], expected[1]));
    }
    Ok(())
}

/// What must be resigned for this many points. A winner of a match may be given only the points that were
/// missing.
fn win_of(recorder: &Recorder, winner: usize, points: u32) -> Result<Win, String> {
    let stakes = recorder.session().stakes(winner).map_err(|problem| problem.to_string())?;
    let wins = [Win::Single, Win::Gammon, Win::Backgammon];
    let exact = wins.into_iter().find(|win| stakes.points(*win) == points);
    let enough =
        || wins.into_iter().find(|win| is_capped(recorder.session(), winner, stakes.points(*win), points));
    exact.or_else(enough).ok_or_else(|| {
        format!("with the cube at {}, nobody can win {points} points", recorder.session().cube())
    })
}

/// Whether `points` are what the winner still needed of `full` points.
fn is_capped(session: &Session, winner: usize, full: u32, points: u32) -> bool {
    let Rules::Match { length } = session.rules() else { return false };
    let needed = u32::from(length).saturating_sub(session.score()[winner]);
    points == needed && full >= needed
}

/// A game under way. A *beaver* answers a double: it takes, turns the cube once more and keeps it.
struct GameState<'a> {
    recorder: &'a mut Recorder,
    results: Results,
    /// The player who resigned, and what.
    resigned: Option<(usize, Win)>,
    /// The session before the game ended, and its result.
    result: Option<(Session, GameEnd)>,
    /// The player whose beaver was just recorded; the other one may accept it.
    beaver: Option<usize>,
    /// Whether the cell before accepted a beaver.
    has_accepted_beaver: bool,
    /// Whether the columns are exchanged. Versions of GNU Backgammon older than 1.07.001 write cells
    /// alternately, but an accepted beaver has three of them, so the doubler's roll and everything behind it
    /// stand in the other column.
    has_swapped_columns: bool,
}

impl GameState<'_> {
    /// Plays a cell.
    fn act(&mut self, cell: &Cell) -> Result<(), String> {
        if matches!(cell.action, CellAction::Lose) {
            return Ok(());
        }
        if let CellAction::Win { points } = cell.action {
            return self.win(cell, points);
        }
        // Some files leave out a play that is the only one. Any action but a resignation shows that it was
        // made.
        if self.recorder.is_unplayed()
            && self.resigned.is_none()
            && !matches!(cell.action, CellAction::Resign(_))
        {
            self.play_forced()?;
        }
        if self.result.is_some() {
            return Err("the game has ended before".into());
        }
        self.swap_columns(cell);
        let player = self.player(cell)?;
        if let (Some((resigner, win)), CellAction::Take) = (self.resigned, &cell.action) {
            return if resigner == player {
                Err("nobody accepts his own resignation".into())
            } else {
                self.resign(1 - resigner, win)
            };
        }
        if let (Some(_), CellAction::Pass) = (self.resigned, &cell.action) {
            // The resignation is rejected, and the game goes on.
            self.resigned = None;
            return Ok(());
        }
        if self.resigned.is_some() {
            return Err("after a resignation only its answer or the result can follow".into());
        }
        let beaver = self.beaver.take();
        let before = *self.recorder.session();
        let recorded = match &cell.action {
            CellAction::Roll { dice, play } => return self.roll(player, *dice, play),
            CellAction::Double { cube } | CellAction::Beaver { cube } => {
                return self.double(player, *cube, &cell.action);
            }
            CellAction::Take if beaver == Some(1 - player) => {
                self.has_accepted_beaver = true;
                Ok(())
            }
            CellAction::Take => self.recorder.answer(player, Answer::Take),
            CellAction::Pass if beaver == Some(1 - player) => {
                return Err(
                    "a beaver cannot be passed here: who doubles accepts that the cube may be turned back"
                        .into(),
                );
            }
            CellAction::Pass => self.recorder.answer(player, Answer::Pass),
            CellAction::Resign(win) => {
                self.resigned = Some((player, *win));
                Ok(())
            }
            // Handled above.
            CellAction::Win { .. } | CellAction::Lose => Ok(()),
        };
        recorded.map_err(|problem| problem.to_string())?;
        self.note_end(before);
        Ok(())
    }

    /// Notes that the columns are exchanged, if the roll behind an accepted beaver shows it.
    fn swap_columns(&mut self, cell: &Cell) {
        let is_roll = matches!(cell.action, CellAction::Roll { .. });
        if std::mem::take(&mut self.has_accepted_beaver) && is_roll {
            let doubler = self.recorder.on_turn();
            // A further accepted beaver exchanges them again.
            self.has_swapped_columns ^= doubler.is_some_and(|doubler| doubler != self.player_of_column(cell));
        }
    }

    /// The player in whose column a cell stands. The columns may be exchanged by then.
    fn player_of_column(&self, cell: &Cell) -> usize {
        if self.has_swapped_columns { 1 - cell.side } else { cell.side }
    }

    /// Who acts in a cell: the player whose turn it is. If the column is certain, it must be that player's. A
    /// resignation and its answer are by the player of the column, whoever is on turn.
    fn player(&self, cell: &Cell) -> Result<usize, String> {
        let on_turn = match (self.beaver, &cell.action) {
            (Some(beaver), CellAction::Take | CellAction::Pass) => Some(1 - beaver),
            _ => self.recorder.on_turn(),
        };
        let side = self.player_of_column(cell);
        match (on_turn, &cell.action) {
            // Anybody may resign at any time.
            (_, CellAction::Resign(_)) => Ok(side),
            (_, CellAction::Take | CellAction::Pass) if self.resigned.is_some() => Ok(side),
            _ if self.recorder.is_unplayed() => Err("the play of the roll before is missing".into()),
            (Some(on_turn), _) if !cell.is_certain || on_turn == side => Ok(on_turn),
            (Some(_), _) => Err(Refusal::NotOnTurn.to_string()),
            (None, _) => Ok(side),
        }
    }

    fn roll(
        &mut self,
        player: usize,
        dice: learnery_worlds::backgammon::Dice,
        play: &str,
    ) -> Result<(), String> {
        let before = *self.recorder.session();
        let board = self.recorder.board().ok_or_else(|| Refusal::NoGame.to_string())?;
        let recorded = match Written::parse(play)? {
            Written::Paths { paths, hits } => {
                let after = choose_play(&board, dice, &paths, hits)
                    .ok_or_else(|| format!("this is no legal play of {}{}", dice.high(), dice.low()))?;
                self.recorder.play(player, dice, after)
            }
            Written::NoPlay => match self.recorder.play(player, dice, board.flipped()) {
                Err(Refusal::IllegalPlay) => return Err("a play is possible here".into()),
                other => other,
            },
            Written::Nothing | Written::Unknown => self.recorder.roll(player, dice),
        };
        recorded.map_err(|problem| problem.to_string())?;
        self.note_end(before);
        Ok(())
    }

    fn double(&mut self, player: usize, cube: Option<u32>, action: &CellAction) -> Result<(), String> {
        let is_beaver = self.recorder.session().doubler() == Some(1 - player);
        if !is_beaver && matches!(action, CellAction::Beaver { .. }) {
            return Err("a beaver answers a double, and nobody has doubled".into());
        }
        // The session turns the cube only when the double is answered, so a beaver comes on top of a double.
        let expected = self.recorder.session().cube() * if is_beaver { 4 } else { 2 };
        if cube.is_some_and(|cube| cube != expected) {
            return Err(format!("the cube would go to {expected}"));
        }
        let recorded = if is_beaver {
            self.beaver = Some(player);
            self.recorder.answer(player, Answer::Beaver)
        } else {
            self.recorder.double(player)
        };
        recorded.map_err(|problem| problem.to_string())
    }

    fn resign(&mut self, winner: usize, win: Win) -> Result<(), String> {
        let before = *self.recorder.session();
        self.recorder.resign(winner, win).map_err(|problem| problem.to_string())?;
        self.note_end(before);
        Ok(())
    }

    /// Plays the roll before if its play was left out because it is the only one.
    fn play_forced(&mut self) -> Result<(), String> {
        let before = *self.recorder.session();
        self.recorder.play_forced().map_err(|problem| problem.to_string())?;
        self.note_end(before);
        Ok(())
    }

    /// Keeps the result if the game has just ended.
    fn note_end(&mut self, before: Session) {
        if self.recorder.board().is_none() {
            self.result = self.recorder.last_end().map(|end| (before, end));
        }
    }

    /// A cell with the result: it confirms how the game ended, or tells who resigned.
    fn win(&mut self, cell: &Cell, points: Option<u32>) -> Result<(), String> {
        if self.result.is_none() {
            // Who won: the opponent of the player who resigned. If no cell says so, but columns are
            // exchanged, the player on turn resigned: there GNU Backgammon writes the result in the winner's
            // own column, or right behind a roll, so that its column says nothing. Otherwise the player in
            // whose column the result is.
            let resigner = self.recorder.on_turn().filter(|_| self.has_swapped_columns);
            let resigner = self.resigned.map(|(resigner, _)| resigner).or(resigner);
            let winner = resigner.map_or(cell.side, |resigner| 1 - resigner);
            if self.recorder.session().doubler() == Some(winner) {
                // The double was passed without a word.
                let before = *self.recorder.session();
                let passed = self.recorder.answer(1 - winner, Answer::Pass);
                passed.map_err(|problem| problem.to_string())?;
                self.note_end(before);
            } else {
                let win = match (points, self.resigned) {
                    (Some(points), _) => self.win_worth(winner, points)?,
                    (None, resigned) => resigned.map_or(Win::Single, |(_, win)| win),
                };
                self.resign(winner, win)?;
            }
        }
        let Some((before, end)) = self.result else { return Err(Refusal::NoGame.to_string()) };
        if cell.is_certain && !self.has_swapped_columns && cell.side != end.winner {
            return Err("the other player has won this game".into());
        }
        match points {
            Some(points)
                if points != end.points
                    && !is_capped(&before, end.winner, end.points, points)
                    && !self.is_without_jacoby(&before, end.ending, points) =>
            {
                Err(format!(
                    "the winner of this game gets {} {}",
                    end.points,
                    if end.points == 1 { "point" } else { "points" }
                ))
            }
            _ => Ok(()),
        }
    }

    /// What must be resigned for `points`.
    fn win_worth(&self, winner: usize, points: u32) -> Result<Win, String> {
        let before = self.recorder.session();
        let wins = [Win::Single, Win::Gammon, Win::Backgammon];
        let is_meant = |win: &Win| self.is_without_jacoby(before, Ending::Resigned(*win), points);
        wins.into_iter().find(is_meant).map_or_else(|| win_of(self.recorder, winner, points), Ok)
    }

    /// Whether `points` are those of this end without the Jacoby rule, if the file counts so.
    fn is_without_jacoby(&self, before: &Session, ending: Ending, points: u32) -> bool {
        let (Results::WithoutJacoby, Ending::Won(win) | Ending::Resigned(win)) = (self.results, ending)
        else {
            return false;
        };
        before.cube() * win.points() as u32 == points
    }

    /// Called after the last cell of a game. If the file ends it with a resignation, that was accepted. A
    /// double without an answer is an error, except in the last game, which may be unfinished.
    fn finish(&mut self, is_last: bool) -> Result<(), String> {
        if let (Some((resigner, win)), None) = (self.resigned, self.result) {
            return self.resign(1 - resigner, win);
        }
        if self.result.is_none() && !is_last && self.recorder.session().doubler().is_some() {
            return Err("the double was not answered".into());
        }
        Ok(())
    }
}
