//! Matches between two players: games for money without the cube, each throw twice, with the seats swapped.
//!
//! Luck is most of a single game. Where both players get each other's dice, most of what a throw is worth cancels, and the
//! mean over such pairs has a smaller error than that over as many games.

use std::sync::OnceLock;

use learnery_kernels::rng::Stream;
use learnery_lab::Program;
use learnery_nn::Weights;
use learnery_worlds::backgammon::{Board, Dice, Plays, Win};
use rayon::prelude::*;

use super::brain::Brain;
use super::lookahead::{Lookahead, Thinker};
use super::pubeval;

/// Pairs that a thread plays in one go.
const CHUNK: u64 = 4;
/// A game longer than this is called off and counts nothing, so that two closed boards cannot hold anybody up.
const MOST_TURNS: u64 = 4096;

/// Who plays.
#[derive(Clone, Copy)]
pub enum Player<'a> {
    /// Any play.
    Random,
    /// The public benchmark player.
    Pubeval,
    /// A network.
    Trained(&'a Brain, &'a Weights, Lookahead),
    /// Another program: asked `POSITION D1 D2`, it answers with the position it plays to. The first thing that goes wrong
    /// is kept, and from then on it takes any play.
    Program(&'a Program, &'a OnceLock<String>),
}

/// What a number of pairs have brought, in whole points, so that their order does not matter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Score {
    /// Games that were finished.
    pub games: u64,
    /// Pairs.
    pub pairs: u64,
    /// Points of the first player.
    pub points: i64,
    /// Sum of the squares of the points of a pair.
    pub squares: u64,
    /// Games the first player won.
    pub wins: u64,
    /// Gammons and backgammons it won.
    pub gammons_won: u64,
    /// Gammons and backgammons it lost.
    pub gammons_lost: u64,
}

impl Score {
    /// Adds others.
    pub fn add(&mut self, other: &Self) {
        self.games += other.games;
        self.pairs += other.pairs;
        self.points += other.points;
        self.squares += other.squares;
        self.wins += other.wins;
        self.gammons_won += other.gammons_won;
        self.gammons_lost += other.gammons_lost;
    }

    /// Points a game.
    pub fn mean(&self) -> f64 {
        self.points as f64 / self.games as f64
    }

    /// Half the width of the interval that holds the true mean 95 times of 100.
    pub fn margin(&self) -> f64 {
        let pairs = self.pairs as f64;
        let mean = self.points as f64 / pairs;
        let variance = (self.squares as f64 / pairs - mean * mean).max(0.0) * pairs / (pairs - 1.0).max(1.0);
        1.96 * (variance / pairs).sqrt() / 2.0
    }

    /// Share of games.
    pub fn share(&self, games: u64) -> f64 {
        games as f64 / self.games as f64
    }
}

/// A match that can be held after any number of pairs.
pub struct Duel {
    stream: Stream,
    /// The pairs still to be played.
    pairs: std::ops::Range<u64>,
    total: u64,
    score: Score,
    seats: Vec<Seat>,
}

/// What a thread plays with.
struct Seat {
    plays: Plays,
    thinkers: [Option<Thinker>; 2],
    score: Score,
}

impl Duel {
    /// A match of `pairs` pairs for as many threads as there can be, `at_once` chunks in a step.
    pub fn new(players: [Player; 2], at_once: usize) -> Self {
        let seat =
            || Seat { plays: Plays::new(), thinkers: players.map(|p| p.thinker()), score: Score::default() };
        Self {
            stream: Stream::new(0, 0),
            pairs: 0..0,
            total: 0,
            score: Score::default(),
            seats: (0..at_once).map(|_| seat()).collect(),
        }
    }

    /// Begins the pairs with these numbers, which are the indices of their dice.
    pub fn begin(&mut self, stream: Stream, pairs: std::ops::Range<u64>) {
        self.total = pairs.end - pairs.start;
        (self.stream, self.pairs, self.score) = (stream, pairs, Score::default());
    }

    /// Plays a few pairs; true when none is left.
    pub fn step(&mut self, players: [Player; 2]) -> bool {
        let (first, end, stream) = (self.pairs.start, self.pairs.end, self.stream);
        self.seats.par_iter_mut().with_max_len(1).enumerate().for_each(|(i, seat)| {
            let begin = (first + i as u64 * CHUNK).min(end);
            seat.score = Score::default();
            for pair in begin..(begin + CHUNK).min(end) {
                seat.pair(players, stream, pair);
            }
        });
        self.seats.iter().for_each(|seat| self.score.add(&seat.score));
        self.pairs.start = (first + self.seats.len() as u64 * CHUNK).min(end);
        self.pairs.is_empty()
    }

    /// The score so far.
    pub fn score(&self) -> Score {
        self.score
    }

    /// How much of it is done.
    pub fn share(&self) -> f32 {
        1.0 - (self.pairs.end - self.pairs.start) as f32 / self.total.max(1) as f32
    }
}

impl Player<'_> {
    fn thinker(&self) -> Option<Thinker> {
        match self {
            Self::Trained(network, _, lookahead) => Some(Thinker::new(network, *lookahead)),
            Self::Random | Self::Pubeval | Self::Program(..) => None,
        }
    }
}

impl Seat {
    fn pair(&mut self, players: [Player; 2], stream: Stream, pair: u64) {
        let mut points = 0;
        for first in 0..2 {
            let Some((winner, win)) = self.game(players, stream, pair, first) else { continue };
            let score = &mut self.score;
            let won = i64::from(win.points()) * if winner == 0 { 1 } else { -1 };
            score.games += 1;
            score.wins += u64::from(won > 0);
            score.gammons_won += u64::from(won > 1);
            score.gammons_lost += u64::from(won < -1);
            points += won;
        }
        self.score.pairs += 1;
        self.score.points += points;
        self.score.squares += points.unsigned_abs().pow(2);
    }

    /// Plays a game in which player `first` begins; who won, and how.
    fn game(
        &mut self,
        players: [Player; 2],
        stream: Stream,
        pair: u64,
        first: usize,
    ) -> Option<(usize, Win)> {
        let mut board = Board::START;
        for turn in 0..MOST_TURNS {
            let seat = (first + turn as usize) % 2;
            self.plays.find(&board, Dice::for_turn(stream, pair, turn));
            let choice = match players[seat] {
                _ if self.plays.len() == 1 => 0,
                Player::Random => {
                    // The other player's dice are the same; its choice need not be.
                    let word = stream.block(pair, turn)[1 + seat];
                    ((u64::from(word) * self.plays.len() as u64) >> 32) as usize
                }
                Player::Pubeval => pubeval::choose(&board, &self.plays),
                Player::Trained(network, weights, _) => match &mut self.thinkers[seat] {
                    Some(thinker) => thinker.choose(network, weights, &board, &self.plays).0,
                    None => 0,
                },
                Player::Program(program, failure) if failure.get().is_none() => {
                    let dice = Dice::for_turn(stream, pair, turn);
                    ask(program, &board, dice, &self.plays).unwrap_or_else(|error| {
                        // Only the first is worth telling.
                        let _ = failure.set(error);
                        0
                    })
                }
                Player::Program(..) => 0,
            };
            board = self.plays.get(choice);
            if let Some(win) = board.other_won() {
                return Some((seat, win));
            }
        }
        None
    }
}

/// Which of the plays another program takes.
fn ask(program: &Program, board: &Board, dice: Dice, plays: &Plays) -> Result<usize, String> {
    let question = format!("{} {} {}", board.position_id(), dice.high(), dice.low());
    let answer = program.ask(&question)?;
    let to = Board::from_position_id(&answer)
        .map_err(|e| format!("{question} was answered with `{answer}`: {e}"))?;
    let illegal = || format!("{question} was answered with {answer}, to which no play leads");
    plays.iter().position(|after| after == to).ok_or_else(illegal)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn played(players: [Player; 2], pairs: u64) -> Score {
        let mut duel = Duel::new(players, 8);
        duel.begin(Stream::new(3, 0), 0..pairs);
        while !duel.step(players) {}
        duel.score()
    }

    /// As an independent implementation has measured it over 2,000 games: +2.48 within 0.03.
    #[test]
    fn pubeval_beats_a_random_player_as_it_should() {
        let score = played([Player::Pubeval, Player::Random], 1000);
        assert_eq!((score.games, score.pairs), (2000, 1000));
        assert!(
            (score.mean() - 2.48).abs() < 0.06 && score.margin() < 0.05,
            "{} {}",
            score.mean(),
            score.margin()
        );
        let other = played([Player::Random, Player::Pubeval], 200);
        assert!(other.mean() < -2.3, "{other:?}");
    }

    #[test]
    fn a_player_is_as_good_as_itself() {
        // With the same dice and no choice of their own, the games of a pair are each other's mirror image.
        let score = played([Player::Pubeval, Player::Pubeval], 100);
        assert_eq!((score.points, score.squares, score.wins), (0, 0, 100));
    }

    #[test]
    fn another_program_is_asked_and_its_mistakes_are_told() {
        // One that always makes the first play.
        let first = Program::new(|question| {
            let answer = super::super::lines::plays(question, true)?;
            Ok(answer.split(' ').nth(4).unwrap_or_default().to_owned())
        });
        let failure = OnceLock::new();
        let score = played([Player::Program(&first, &failure), Player::Pubeval], 20);
        assert!(score.games == 40 && score.mean() < -1.0 && failure.get().is_none(), "{score:?} {failure:?}");
        let stubborn = Program::new(|_| Ok(Board::START.position_id()));
        played([Player::Program(&stubborn, &failure), Player::Pubeval], 2);
        assert!(failure.get().is_some_and(|e| e.contains("to which no play leads")), "{failure:?}");
    }

    #[test]
    fn the_interval_is_that_of_the_pairs() {
        // Pairs that brought 4 and -2 points.
        let score = Score { games: 4, pairs: 2, points: 2, squares: 20, ..Score::default() };
        assert!((score.mean() - 0.5).abs() < 1e-12);
        // The mean of a pair is 1, its variance 18; of a game in it, half.
        assert!((score.margin() - 1.96 * (18.0f64 / 2.0).sqrt() / 2.0).abs() < 1e-12);
    }
}
