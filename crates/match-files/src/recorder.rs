//! Records a match action by action and refuses what is against the rules. The readers of files play their
//! matches through a [`Recorder`]; so can a match that is played here.

use std::fmt;

use super::record::{Action, Ending, Entry, GameEnd, GameRecord, MatchRecord};
use learnery_worlds::backgammon::Dice;
use learnery_worlds::backgammon::matches::{Answer, GameResult, Illegal, Rules, Session};
use learnery_worlds::backgammon::moves;
use learnery_worlds::backgammon::playable_moves;
use learnery_worlds::backgammon::{Board, Plays, Win};

/// The most actions of a game.
const MAX_ENTRIES: usize = 5000;
/// The most games of a record.
const MAX_GAMES: usize = 2000;
/// The most characters of a name, or of a tag's name or value, that are kept.
const MAX_NAME_CHARS: usize = 100;
/// The most tags that are kept.
const MAX_TAGS: usize = 100;
/// Stands for a name that is missing.
const UNNAMED: &str = "?";

/// Why an action cannot be recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The rules of the match or of the cube forbid it.
    Rules(Illegal),
    /// No game is under way.
    NoGame,
    /// The game before is still under way.
    GameUnderWay,
    /// It is the other player's turn.
    NotOnTurn,
    /// The opening roll cannot be a double, because each player rolls one die.
    OpeningDouble,
    /// Nobody doubles before the opening roll.
    CubeBeforeOpening,
    /// The board after the play is not that of a legal play.
    IllegalPlay,
    /// A roll was not played, so only a resignation can follow.
    NotPlayed,
    /// The players of a game are not those of the first one, or stand in another order.
    OtherPlayers,
    /// More games, or more actions in a game, than any match has.
    TooLong,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Rules(illegal) => write!(f, "{illegal}"),
            Self::NoGame => f.write_str("no game is under way"),
            Self::GameUnderWay => f.write_str("the game before has not ended"),
            Self::NotOnTurn => f.write_str("it is the other player's turn"),
            Self::OpeningDouble => f.write_str("the opening roll cannot be two equal numbers"),
            Self::CubeBeforeOpening => f.write_str("nobody may double before the opening roll"),
            Self::IllegalPlay => f.write_str("this play is illegal"),
            Self::NotPlayed => {
                f.write_str("the roll before was not played, so only a resignation can follow")
            }
            Self::OtherPlayers => {
                f.write_str("the first game has other players, or the same ones in another order")
            }
            Self::TooLong => f.write_str("no match has so many games, and no game so many turns"),
        }
    }
}

impl std::error::Error for Refusal {}

impl From<Illegal> for Refusal {
    fn from(illegal: Illegal) -> Self {
        Self::Rules(illegal)
    }
}

/// A match under way.
#[derive(Clone, Debug)]
pub struct Recorder {
    record: MatchRecord,
    session: Session,
    /// The game under way: the board, seen from the player on roll, and this player, who is unknown before
    /// the opening roll.
    game: Option<(Board, Option<usize>)>,
}

impl Recorder {
    /// Begins a match or a session between two players.
    pub fn new(players: [&str; 2], rules: Rules) -> Result<Self, Illegal> {
        Ok(Self::continued(players, Session::new(rules)?))
    }

    /// Continues a match whose first games are not recorded.
    pub fn continued(players: [&str; 2], session: Session) -> Self {
        let players = players.map(|name| shortened(name, UNNAMED));
        let record = MatchRecord { players, rules: session.rules(), tags: Vec::new(), games: Vec::new() };
        Self { record, session, game: None }
    }

    /// Adds a tag like `EventDate` with its value. Only the first of equal names is kept.
    pub fn tag(&mut self, name: &str, value: &str) {
        let tags = &mut self.record.tags;
        let (name, value) = (shortened(name, ""), shortened(value, ""));
        if tags.len() < MAX_TAGS && !name.is_empty() && tags.iter().all(|(other, _)| *other != name) {
            tags.push((name, value));
        }
    }

    pub fn session(&self) -> &Session {
        &self.session
    }

    /// The board of the game under way, seen from the player on roll.
    pub fn board(&self) -> Option<Board> {
        self.game.map(|(board, _)| board)
    }

    /// The player who must act: to roll or double, or to answer a double. `None` before the opening roll, and
    /// without a game.
    pub fn on_turn(&self) -> Option<usize> {
        self.session.doubler().map(|doubler| 1 - doubler).or(self.game.and_then(|(_, on_roll)| on_roll))
    }

    /// Whether the last roll of the game under way was not played; only a resignation can follow.
    pub fn is_unplayed(&self) -> bool {
        let last = self.record.games.last().and_then(|game| game.entries.last());
        self.game.is_some() && matches!(last, Some(Entry { action: Action::Roll { .. }, .. }))
    }

    /// The result of the last game.
    pub fn last_end(&self) -> Option<GameEnd> {
        self.record.games.last().and_then(|game| game.end)
    }

    /// Checks that a further game has the same players in the same order. A name may be missing, and ratings
    /// may differ.
    pub fn check_players(&self, players: [&str; 2]) -> Result<(), Refusal> {
        let is_same = |name: &str, known: &str| {
            let name = shortened(name, UNNAMED);
            [name.as_str(), known].contains(&UNNAMED) || without_rating(&name) == without_rating(known)
        };
        let known = &self.record.players;
        let are_same = is_same(players[0], &known[0]) && is_same(players[1], &known[1]);
        if are_same { Ok(()) } else { Err(Refusal::OtherPlayers) }
    }

    pub fn begin_game(&mut self) -> Result<(), Refusal> {
        if self.game.is_some() {
            return Err(Refusal::GameUnderWay);
        }
        if self.session.winner().is_some() {
            return Err(Illegal::MatchOver.into());
        }
        if self.record.games.len() >= MAX_GAMES {
            return Err(Refusal::TooLong);
        }
        self.record.games.push(GameRecord { start: self.session, entries: Vec::new(), end: None });
        self.game = Some((Board::START, None));
        Ok(())
    }

    /// `player` rolls `dice` and plays to `after`, which is seen from the opponent.
    pub fn play(&mut self, player: usize, dice: Dice, after: Board) -> Result<(), Refusal> {
        let board = self.check_roll(player, dice)?;
        let play_moves = moves(&board, dice, &after).ok_or(Refusal::IllegalPlay)?;
        self.push(player, Action::Play { dice, moves: play_moves, after })?;
        self.game = Some((after, Some(1 - player)));
        match after.other_won() {
            Some(win) => self.end(player, Ending::Won(win)),
            None => Ok(()),
        }
    }

    /// `player` rolls `dice`, and how they were played is not known. Only a resignation can follow.
    pub fn roll(&mut self, player: usize, dice: Dice) -> Result<(), Refusal> {
        let board = self.check_roll(player, dice)?;
        if playable_moves(&board, dice) == 0 {
            return self.play(player, dice, board.flipped());
        }
        self.push(player, Action::Roll { dice })?;
        self.game = Some((board, Some(player)));
        Ok(())
    }

    /// Records the play of the last roll if it is missing and only one is legal. Nothing changes otherwise.
    pub fn play_forced(&mut self) -> Result<(), Refusal> {
        let unplayed = self.record.games.last_mut().filter(|_| self.game.is_some());
        let Some(entries) = unplayed.map(|game| &mut game.entries) else { return Ok(()) };
        let (Some((board, _)), Some(Entry { player, action: Action::Roll { dice } })) =
            (self.game, entries.last())
        else {
            return Ok(());
        };
        let (player, dice) = (*player, *dice);
        let mut plays = Plays::new();
        plays.find(&board, dice);
        if plays.len() > 1 {
            return Ok(());
        }
        entries.pop();
        self.play(player, dice, plays.get(0))
    }

    pub fn double(&mut self, player: usize) -> Result<(), Refusal> {
        let (_, on_roll) = self.check_open()?;
        match on_roll {
            None => return Err(Refusal::CubeBeforeOpening),
            Some(on_roll) if on_roll != player && self.session.doubler().is_none() => {
                return Err(Refusal::NotOnTurn);
            }
            // While a double awaits its answer, the session refuses another one.
            Some(_) => {}
        }
        self.session.double(player)?;
        self.push(player, Action::Double)
    }

    /// `player` answers a double.
    pub fn answer(&mut self, player: usize, answer: Answer) -> Result<(), Refusal> {
        self.check_open()?;
        if self.session.doubler() == Some(player) {
            return Err(Refusal::NotOnTurn);
        }
        let before = self.session;
        self.session.answer(answer)?;
        self.push(player, Action::Answer(answer))?;
        if answer == Answer::Pass {
            self.close(before, 1 - player, Ending::Passed);
        }
        Ok(())
    }

    /// The player who is not `winner` resigns a single game, a gammon or a backgammon.
    pub fn resign(&mut self, winner: usize, win: Win) -> Result<(), Refusal> {
        if self.game.is_none() {
            return Err(Refusal::NoGame);
        }
        self.end(winner, Ending::Resigned(win))
    }

    /// The record so far.
    pub fn record(&self) -> &MatchRecord {
        &self.record
    }

    /// The record so far, without the recorder.
    pub fn finish(self) -> MatchRecord {
        self.record
    }

    /// Checks that a game is under way and that its last roll was played.
    fn check_open(&self) -> Result<(Board, Option<usize>), Refusal> {
        let game = self.game.ok_or(Refusal::NoGame)?;
        let entries = self.record.games.last().map_or(0, |game| game.entries.len());
        match entries {
            _ if self.is_unplayed() => Err(Refusal::NotPlayed),
            MAX_ENTRIES.. => Err(Refusal::TooLong),
            _ => Ok(game),
        }
    }

    /// Checks that `player` may roll `dice`. Returns the board.
    fn check_roll(&self, player: usize, dice: Dice) -> Result<Board, Refusal> {
        let (board, on_roll) = self.check_open()?;
        if self.session.doubler().is_some() {
            return Err(Illegal::DoubleOffered.into());
        }
        match on_roll {
            None if dice.is_double() => Err(Refusal::OpeningDouble),
            Some(on_roll) if on_roll != player => Err(Refusal::NotOnTurn),
            _ => Ok(board),
        }
    }

    fn push(&mut self, player: usize, action: Action) -> Result<(), Refusal> {
        let game = self.record.games.last_mut().ok_or(Refusal::NoGame)?;
        game.entries.push(Entry { player, action });
        Ok(())
    }

    /// Ends the game other than by a pass.
    fn end(&mut self, winner: usize, ending: Ending) -> Result<(), Refusal> {
        let before = self.session;
        let result = match ending {
            Ending::Won(win) | Ending::Resigned(win) => GameResult::Won(win),
            Ending::Passed => GameResult::Passed,
        };
        self.session.end_game(winner, result)?;
        self.close(before, winner, ending);
        Ok(())
    }

    /// Notes the result of a game that the session has scored. `before` is the session before that.
    fn close(&mut self, before: Session, winner: usize, ending: Ending) {
        let points = self.session.score()[winner] - before.score()[winner];
        if let Some(game) = self.record.games.last_mut() {
            game.end = Some(GameEnd { winner, ending, points });
        }
        self.game = None;
    }
}

/// The part of a name before a comma. The game server GamesGrid appends a rating, which changes from game to
/// game.
pub(super) fn without_rating(name: &str) -> &str {
    name.split(',').next().unwrap_or(name).trim()
}

/// A name without control characters, of bounded length; `otherwise` if nothing is left.
fn shortened(name: &str, otherwise: &str) -> String {
    let clean: String = name.trim().chars().filter(|c| !c.is_control()).take(MAX_NAME_CHARS).collect();
    if clean.trim().is_empty() { otherwise.to_owned() } else { clean.trim().to_owned() }
}
