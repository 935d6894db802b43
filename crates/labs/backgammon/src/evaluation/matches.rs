//! Matches between two players: a fixed number of games without the doubling cube (not a match to a number of
//! points), in *pairs*. Both games of a pair have the same dice, and the players exchange sides between them.
//!
//! Luck dominates a single game. In the second game of a pair, each player gets the dice that the other had
//! in the first, so most of the luck cancels. The mean over pairs has a smaller error than the mean over as
//! many independent games (duplicate play as variance reduction).
//!
//! What is left can be subtracted: see [`super::luck`].
//!
//! A match plays several games side by side. A *seat* is one of these places: it plays its pairs one after
//! the other, and threads share the seats.

use std::ops::Range;
use std::sync::OnceLock;

use learnery_backgammon_play::game::Turn;
use learnery_backgammon_play::players::{Lookahead, LookaheadPlayer, SearchPlayer, pubeval};
use learnery_kernels::rng::Stream;
use learnery_lab::{Interrupt, Program};
use learnery_worlds::backgammon::{Board, Dice, Plays, Win};
use rayon::prelude::*;

use super::luck::LuckMeter;
use crate::networks::{NetworkRef, Scratch};

/// Pairs of games that are assigned to a seat at a time.
const PAIRS_PER_SEAT: u64 = 4;
/// A game is cancelled and not scored after this many turns, because some games might never end.
pub const MAX_TURNS: u64 = 4096;
/// Units of [`MatchScore::points`] in a point.
const UNITS_PER_POINT: f64 = 10_000.0;

/// How a network chooses its plays.
#[derive(Clone, Copy, Debug)]
pub enum Choice {
    /// By its values of afterstates, optionally with lookahead.
    Lookahead(Lookahead),
    TreeSearch {
        simulations: u32,
    },
}

/// Who chooses the plays.
#[derive(Clone, Copy)]
pub enum Player<'a> {
    /// Takes any play with equal probability.
    Random,
    /// The public benchmark player.
    Pubeval,
    /// A trained network.
    Network(NetworkRef<'a>, Choice),
    /// Another program. It receives `POSITION D1 D2` (a position ID and two dice) and answers with the
    /// position that its play leads to. The first error of the program is stored in the cell; from then on,
    /// the match makes the first legal play instead of asking.
    Program(&'a Program, &'a OnceLock<String>),
}

/// Who plays a match, and how its games are scored.
#[derive(Clone, Copy)]
pub struct Setup<'a> {
    pub players: [Player<'a>; 2],
    /// The network that measures luck, which is then subtracted from the results; `None` if luck counts.
    pub luck: Option<NetworkRef<'a>>,
}

/// The score of a match, or of a part of it. All fields are integers, so their sums do not depend on the
/// order in which pairs end. Points are counted in units of 1/10,000 point, and with luck subtracted each
/// game is rounded to that.
///
/// `pairs`, `points` and `squares` count a pair when its second game has ended. `games`, `wins` and the
/// gammons count a game when it ends. So during a match they also contain the first games of pairs whose
/// second game is still being played, and [`MatchScore::mean`] is exact only at the end of a match.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MatchScore {
    /// Games that were won. A cancelled game counts for its pair only, with 0 points, from which no luck is
    /// subtracted.
    pub games: u64,
    /// Pairs of which both games have ended.
    pub pairs: u64,
    /// Points of the first player, minus those of the second, in these pairs, in units of 1/10,000 point.
    pub points: i64,
    /// Sum over these pairs of the squared points of a pair, in squared units.
    pub squares: u128,
    /// Games that the first player won.
    pub wins: u64,
    /// Games that the first player won with a gammon or a backgammon.
    pub gammons_won: u64,
    /// Games that the first player lost with a gammon or a backgammon.
    pub gammons_lost: u64,
}

impl MatchScore {
    fn add(&mut self, other: &Self) {
        self.games += other.games;
        self.pairs += other.pairs;
        self.points += other.points;
        self.squares += other.squares;
        self.wins += other.wins;
        self.gammons_won += other.gammons_won;
        self.gammons_lost += other.gammons_lost;
    }

    /// The first player's mean points per game, at the end of a match.
    pub fn mean(&self) -> f64 {
        self.points as f64 / UNITS_PER_POINT / self.games as f64
    }

    /// The first player's mean points per game over pairs that have ended, during a match.
    pub fn mean_of_pairs(&self) -> f64 {
        self.points as f64 / UNITS_PER_POINT / (2.0 * self.pairs as f64)
    }

    /// Half the width of the 95 % confidence interval of [`MatchScore::mean`], from the variance over pairs.
    pub fn margin(&self) -> f64 {
        let pairs = self.pairs as f64;
        let (mean, squares) = (
            self.points as f64 / UNITS_PER_POINT / pairs,
            self.squares as f64 / (UNITS_PER_POINT * UNITS_PER_POINT),
        );
        // The sample variance, with Bessel's correction.
        let variance = (squares / pairs - mean * mean).max(0.0) * pairs / (pairs - 1.0).max(1.0);
        // 1.96 standard errors of a pair's points, divided by the two games of a pair.
        1.96 * (variance / pairs).sqrt() / 2.0
    }

    /// `games` (a count such as `wins`) as a fraction of all games.
    pub fn fraction(&self, games: u64) -> f64 {
        games as f64 / self.games as f64
    }
}

/// A match that is played in small steps.
pub struct Match {
    stream: Stream,
    /// Numbers of the pairs that are not assigned to a seat yet. The number of a pair selects its dice.
    waiting: Range<u64>,
    /// Number of pairs in the match.
    total: u64,
    score: MatchScore,
    seats: Vec<Seat>,
    /// Ends a step early.
    interrupt: Interrupt,
}

/// A seat: its pairs, of which the first is being played, and its buffers.
struct Seat {
    pairs: Range<u64>,
    game: GameUnderWay,
    /// The first player's points in the finished game of the current pair, in units of 1/10,000 point.
    pair_points: i64,
    /// Score of the games that this seat has finished since the match last collected it.
    score: MatchScore,
    plays: Plays,
    /// Buffers of the players that use a network; `None` for all others.
    networks: [Option<NetworkPlayer>; 2],
    /// Measures luck; `None` if luck counts.
    luck: Option<LuckMeter>,
}

/// The buffers of a network that plays.
enum NetworkPlayer {
    Lookahead(Box<LookaheadPlayer<Scratch>>),
    TreeSearch(Box<SearchPlayer<Scratch>>),
}

#[derive(Clone, Copy)]
struct GameUnderWay {
    /// Index of the player who has the first turn: 0 in the first game of a pair, 1 in the second.
    first: usize,
    /// Turns played so far.
    turn: u64,
    /// Seen from the player to move.
    board: Board,
    /// Luck of the first player, minus that of the second, in points; 0 if luck counts.
    luck: f64,
}

impl GameUnderWay {
    fn new(first: usize) -> Self {
        Self { first, turn: 0, board: Board::START, luck: 0.0 }
    }
}

impl Match {
    /// A match with this many seats and no games yet; [`Match::begin`] gives it pairs.
    pub fn new(setup: Setup, seats: usize) -> Self {
        let seat = || Seat {
            pairs: 0..0,
            game: GameUnderWay::new(0),
            pair_points: 0,
            score: MatchScore::default(),
            plays: Plays::new(),
            networks: setup.players.map(|player| player.network_player()),
            luck: setup.luck.map(|network| LuckMeter::new(&network)),
        };
        Self {
            stream: Stream::new(0, 0),
            waiting: 0..0,
            total: 0,
            score: MatchScore::default(),
            seats: (0..seats).map(|_| seat()).collect(),
            interrupt: Interrupt::default(),
        }
    }

    /// Begins a match of the pairs with these numbers.
    pub fn begin(&mut self, stream: Stream, pairs: Range<u64>) {
        self.total = pairs.end - pairs.start;
        (self.stream, self.waiting, self.score) = (stream, pairs, MatchScore::default());
        for seat in &mut self.seats {
            (seat.pairs, seat.game, seat.pair_points) = (0..0, GameUnderWay::new(0), 0);
        }
    }

    /// Lets the step in which the interrupt is raised end early, with what is played by then. Searches are
    /// broken off, and the turns for which they are count for nothing.
    pub fn interrupt_by(&mut self, interrupt: Interrupt) {
        self.interrupt = interrupt;
    }

    /// Plays at most `turns` turns at every seat, and returns whether all pairs are finished. `setup` must be
    /// that of [`Match::new`], but weights may have changed.
    pub fn step(&mut self, setup: Setup, turns: u32) -> bool {
        let (stream, waiting, interrupt) = (self.stream, &mut self.waiting, &self.interrupt);
        // Seats without a pair get the next ones.
        for seat in self.seats.iter_mut().filter(|seat| seat.pairs.is_empty()) {
            let end = (waiting.start + PAIRS_PER_SEAT).min(waiting.end);
            seat.pairs = waiting.start..end;
            waiting.start = end;
        }
        self.seats.par_iter_mut().with_max_len(1).for_each(|seat| seat.play(setup, stream, turns, interrupt));
        for seat in &mut self.seats {
            self.score.add(&std::mem::take(&mut seat.score));
        }
        self.waiting.is_empty() && self.seats.iter().all(|seat| seat.pairs.is_empty())
    }

    /// The score so far; see [`MatchScore`] for what it contains of pairs that have not ended.
    pub fn score(&self) -> MatchScore {
        self.score
    }

    /// How much of the match is played, 0 to 1.
    pub fn fraction(&self) -> f32 {
        self.score.pairs as f32 / self.total.max(1) as f32
    }
}

impl Player<'_> {
    fn network_player(&self) -> Option<NetworkPlayer> {
        match self {
            Self::Network(network, Choice::Lookahead(lookahead)) => {
                Some(NetworkPlayer::Lookahead(Box::new(LookaheadPlayer::new(network, *lookahead))))
            }
            Self::Network(network, Choice::TreeSearch { simulations }) => {
                Some(NetworkPlayer::TreeSearch(Box::new(SearchPlayer::new(network, *simulations))))
            }
            Self::Random | Self::Pubeval | Self::Program(..) => None,
        }
    }
}

impl Seat {
    /// Plays `turns` turns, or fewer if the seat's pairs are finished or the interrupt is raised before.
    fn play(&mut self, setup: Setup, stream: Stream, turns: u32, interrupt: &Interrupt) {
        for _ in 0..turns {
            if self.pairs.is_empty() || interrupt.is_raised() {
                return;
            }
            self.play_turn(setup, stream, interrupt);
        }
    }

    /// Plays one turn of the current game, or none if the interrupt is raised meanwhile.
    fn play_turn(&mut self, setup: Setup, stream: Stream, interrupt: &Interrupt) {
        let is_over = || interrupt.is_raised();
        let pair = self.pairs.start;
        let GameUnderWay { first, turn, board, .. } = self.game;
        let player = (first + turn as usize) % 2;
        let dice = Dice::for_turn(stream, pair, turn);
        self.plays.find(&board, dice);
        let choice = match setup.players[player] {
            // A forced play needs no choice.
            _ if self.plays.len() == 1 => 0,
            Player::Random => {
                // Word 0 of the block determines the dice, words 1 and 2 the choices of the two players.
                let word = stream.block(pair, turn)[1 + player];
                // Scales a word from [0, 2^32) to an index of a play.
                ((u64::from(word) * self.plays.len() as u64) >> 32) as usize
            }
            Player::Pubeval => pubeval::choose(&board, &self.plays),
            Player::Network(network, _) => match &mut self.networks[player] {
                Some(NetworkPlayer::Lookahead(lookahead)) => {
                    let chosen = lookahead.choose_unless(&network, &board, &self.plays, &is_over);
                    let Some((choice, _)) = chosen else { return };
                    choice
                }
                Some(NetworkPlayer::TreeSearch(search)) => {
                    let searched = search.choose_unless(&network, Turn { board, dice }, &is_over);
                    let Some((to, _)) = searched else { return };
                    self.plays.iter().position(|after| after == to).expect("the search knows the same plays")
                }
                // Cannot happen: `Match::new` has created a player for every network.
                None => 0,
            },
            Player::Program(program, failure) if failure.get().is_none() => {
                choose_by_program(program, &board, dice, &self.plays).unwrap_or_else(|error| {
                    // Only the first error is kept.
                    let _ = failure.set(error);
                    0
                })
            }
            // The program has failed before.
            Player::Program(..) => 0,
        };
        if let Some((network, meter)) = setup.luck.zip(self.luck.as_mut()) {
            self.game.luck += sign(player) * meter.luck(&network, &board, dice, turn);
        }
        self.game.board = self.plays.get(choice);
        self.game.turn += 1;
        match self.game.board.other_won() {
            Some(win) => self.end_game(Some((player, win))),
            None if self.game.turn == MAX_TURNS => self.end_game(None),
            None => {}
        }
    }

    /// Scores a game and begins the next one. `result` is the index of the winner and the kind of win; `None`
    /// if the game was cancelled.
    fn end_game(&mut self, result: Option<(usize, Win)>) {
        let score = &mut self.score;
        if let Some((winner, win)) = result {
            let won = f64::from(win.points()) * sign(winner);
            score.games += 1;
            score.wins += u64::from(won > 0.0);
            score.gammons_won += u64::from(won > 1.0);
            score.gammons_lost += u64::from(won < -1.0);
            self.pair_points += ((won - self.game.luck) * UNITS_PER_POINT).round() as i64;
        }
        if self.game.first == 0 {
            self.game = GameUnderWay::new(1);
            return;
        }
        score.pairs += 1;
        score.points += self.pair_points;
        score.squares += u128::from(self.pair_points.unsigned_abs()).pow(2);
        self.pairs.start += 1;
        (self.game, self.pair_points) = (GameUnderWay::new(0), 0);
    }
}

/// The sign of a player's points in the score, which is that of the first player.
fn sign(player: usize) -> f64 {
    if player == 0 { 1.0 } else { -1.0 }
}

/// Asks another program for its play, and returns the index of that play.
fn choose_by_program(program: &Program, board: &Board, dice: Dice, plays: &Plays) -> Result<usize, String> {
    let request = format!("{} {} {}", board.position_id(), dice.high(), dice.low());
    let answer = program.request(&request)?;
    let to = Board::from_position_id(&answer)
        .map_err(|e| format!("{request} was answered with `{answer}`: {e}"))?;
    let illegal = || format!("{request} was answered with {answer}, to which no play leads");
    plays.iter().position(|after| after == to).ok_or_else(illegal)
}

#[cfg(test)]
mod tests {
    use learnery_nn::Weights;

    use super::*;
    use crate::afterstates::{self, NetworkShape};

    /// Plays a match in steps of `turns` turns.
    fn played_in_steps(players: [Player; 2], pairs: u64, seats: usize, turns: u32) -> MatchScore {
        let setup = Setup { players, luck: None };
        let mut games = Match::new(setup, seats);
        games.begin(Stream::new(3, 0), 0..pairs);
        while !games.step(setup, turns) {}
        assert_eq!(games.fraction(), 1.0);
        games.score()
    }

    /// Plays a match at eight seats, with whole games in each step.
    fn played(players: [Player; 2], pairs: u64) -> MatchScore {
        played_in_steps(players, pairs, 8, MAX_TURNS as u32)
    }

    /// An independent implementation measured +2.48 points per game, with a margin of 0.03, over 2,000 games.
    #[test]
    fn pubeval_beats_a_random_player_by_the_known_margin() {
        let score = played([Player::Pubeval, Player::Random], 1000);
        assert_eq!((score.games, score.pairs), (2000, 1000));
        // Twice the known margin.
        assert!((score.mean() - 2.48).abs() < 0.06 && score.margin() < 0.05, "{score:?}");
        let exchanged = played([Player::Random, Player::Pubeval], 200);
        assert!(exchanged.mean() < -2.3, "{exchanged:?}");
    }

    #[test]
    fn match_score_does_not_depend_on_steps_or_seats() {
        let players = [Player::Pubeval, Player::Random];
        let score = played(players, 37);
        for (seats, turns) in [(1, 1), (4, 16), (32, 100)] {
            assert_eq!(played_in_steps(players, 37, seats, turns), score, "{seats} seats, {turns} turns");
        }
    }

    #[test]
    fn deterministic_player_scores_zero_against_itself() {
        // With the same dice, the second game of a pair is the mirror image of the first.
        let score = played([Player::Pubeval, Player::Pubeval], 100);
        assert_eq!((score.points, score.squares, score.wins), (0, 0, 100));
    }

    /// A small network of random weights whose plays with a tree search differ from those without.
    #[test]
    fn tree_search_plays_the_same_at_any_seat() {
        let shape = NetworkShape::raw([8, 4], [8, 4]);
        let (network, layout) = afterstates::Network::new(shape);
        let mut weights = Weights::new(layout);
        weights.update(|params| {
            Stream::new(3, 4).fill_normal(0, params);
            params.iter_mut().for_each(|p| *p *= 0.2);
        });
        let network = NetworkRef::Afterstates(&network, &weights);
        let with = |choice| [Player::Network(network, choice), Player::Pubeval];
        let search = with(Choice::TreeSearch { simulations: 8 });
        let score = played(search, 10);
        assert_eq!(played_in_steps(search, 10, 3, 7), score);
        assert_ne!(played(with(Choice::Lookahead(Lookahead::default())), 10), score);
    }

    #[test]
    fn other_program_plays_and_its_first_error_is_stored() {
        // A program that always makes the first play. The answer with the list of plays is: position, two
        // dice, number of plays, then the positions that the plays lead to.
        let first = Program::new(|request| {
            let lists_positions = true;
            let answer = learnery_backgammon_play::plays(request, lists_positions)?;
            Ok(answer.split(' ').nth(4).unwrap_or_default().to_owned())
        });
        let failure = OnceLock::new();
        let score = played([Player::Program(&first, &failure), Player::Pubeval], 20);
        assert!(score.games == 40 && score.mean() < -1.0 && failure.get().is_none(), "{score:?} {failure:?}");
        let illegal = Program::new(|_| Ok(Board::START.position_id()));
        played([Player::Program(&illegal, &failure), Player::Pubeval], 2);
        assert!(failure.get().is_some_and(|e| e.contains("to which no play leads")), "{failure:?}");
    }

    #[test]
    fn margin_is_that_of_independent_pairs() {
        // Two pairs of 4 and -2 points: the mean of a pair is 1, its variance 18.
        let score = MatchScore {
            games: 4,
            pairs: 2,
            points: 20_000,
            squares: 2_000_000_000,
            ..MatchScore::default()
        };
        assert!((score.mean() - 0.5).abs() < 1e-12);
        // A game's mean is half of a pair's.
        assert!((score.margin() - 1.96 * (18.0f64 / 2.0).sqrt() / 2.0).abs() < 1e-12);
    }
}
