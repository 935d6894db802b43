//! Games against itself, many at once, and what is learned from them.
//!
//! Every game advances a turn a step: the throw, all plays, their values, and the play that leaves the opponent least. After
//! some turns each position on the way gets its target, the lambda return (Sutton, 1988): what the end of the game
//! says, mixed with the values the player itself gave on the way, and nothing but values where the turns end before the
//! game does. A game is over for learning where both sides bear off, since from there on its value is known.
//!
//! Nothing is drawn but the dice, which explore enough (Tesauro, 1995), with two exceptions. Two untrained players can go on
//! for ever, and where no game ends there is nothing to learn from: so a run begins with plays drawn at random, which then
//! become fewer, and a game of several times the usual length is played on at random until it ends.
//!
//! Games are dealt into fixed chunks, each with its own scratch, so the number of threads changes nothing.

use learnery_kernels::rng::Stream;
use learnery_lab::LabError;
use learnery_nn::{Tensors, Weights};
use learnery_worlds::backgammon::{Board, Dice, Plays};
use rayon::prelude::*;

use super::network::{Network, Work};
use super::outcomes::Outcomes;
use super::replay::{Replay, board_of_bytes, bytes_of_board};

/// Games in a chunk: enough work for a thread to be worth waking.
const CHUNK: usize = 16;
/// Turns after which a game is played on at random. Of games between players who know how, one in thousands is as long.
const PATIENCE: u32 = 200;

/// All games, and the positions since the last learning.
pub struct SelfPlay {
    chunks: Vec<Chunk>,
    games: u64,
    horizon: usize,
    /// Turns of the present round that are played.
    turn: usize,
    stream: Stream,
    /// Positions played from since the run began.
    positions: u64,
}

struct Chunk {
    games: Vec<Game>,
    horizon: usize,
    plays: Plays,
    work: Work,
    values: Vec<Outcomes>,
    /// // [horizon, games]
    boards: Vec<Board>,
    /// What the position after each of them was thought to be worth, seen from there.
    next: Vec<Outcomes>,
    /// Whether the game ended with that turn.
    ended: Vec<bool>,
    targets: Vec<Outcomes>,
    counts: Counts,
}

#[derive(Clone, Copy, Debug)]
struct Game {
    /// Which game of the run it is: the index of its dice.
    number: u64,
    turn: u32,
    board: Board,
}

/// What happened in a round.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    /// Games that ended.
    pub games: u64,
    /// Turns of those.
    pub turns: u64,
    /// Gammons and backgammons among their ends, as shares where the end is known by its chances.
    pub gammons: f64,
    /// Values that were asked for.
    pub evaluations: u64,
    /// Squared differences between a position's target and the value it had been given, in points.
    pub surprise: f64,
    /// Positions among them.
    pub surprised: u64,
}

impl Counts {
    fn add(&mut self, other: &Self) {
        self.games += other.games;
        self.turns += other.turns;
        self.gammons += other.gammons;
        self.evaluations += other.evaluations;
        self.surprise += other.surprise;
        self.surprised += other.surprised;
    }
}

impl SelfPlay {
    /// Fresh games.
    pub fn new(games: usize, horizon: usize, stream: Stream, network: &Network) -> Self {
        let chunks = (0..games)
            .step_by(CHUNK)
            .map(|first| {
                let game = |number: usize| Game { number: number as u64, turn: 0, board: Board::START };
                let games: Vec<Game> = (first..(first + CHUNK).min(games)).map(game).collect();
                let size = games.len() * horizon;
                Chunk {
                    games,
                    horizon,
                    plays: Plays::new(),
                    work: network.work(),
                    values: Vec::with_capacity(4096),
                    boards: vec![Board::START; size],
                    next: vec![Outcomes::default(); size],
                    ended: vec![false; size],
                    targets: vec![Outcomes::default(); size],
                    counts: Counts::default(),
                }
            })
            .collect();
        Self { chunks, games: games as u64, horizon, turn: 0, stream, positions: 0 }
    }

    /// Plays a turn of every game; true when the round is complete. Plays are drawn at random at first, fewer and fewer
    /// until so many positions as `exploration` says are behind it.
    pub fn step(&mut self, network: &Network, weights: &Weights, exploration: u32) -> bool {
        let (turn, stream, games) = (self.turn, self.stream, self.games);
        let random = 1.0 - self.positions as f64 / f64::from(exploration.max(1));
        let random = (random.max(0.0) * f64::from(u32::MAX)) as u32;
        self.chunks.par_iter_mut().for_each(|chunk| {
            if turn == 0 {
                chunk.counts = Counts::default();
            }
            chunk.step(network, weights, turn, stream, games, random);
        });
        self.turn += 1;
        self.positions += self.games;
        self.turn == self.horizon
    }

    /// Works out the targets of a complete round, remembers it, and begins the next.
    pub fn finish(&mut self, lambda: f32, replay: &mut Replay) {
        self.chunks.par_iter_mut().for_each(|chunk| chunk.judge(lambda));
        for chunk in &self.chunks {
            replay.extend(&chunk.boards, &chunk.targets);
        }
        self.turn = 0;
    }

    /// How much of the round is done.
    pub fn share(&self) -> f32 {
        self.turn as f32 / self.horizon as f32
    }

    /// Positions of a round.
    pub fn round(&self) -> u64 {
        self.games * self.horizon as u64
    }

    /// Positions played from since the run began.
    pub fn positions(&self) -> u64 {
        self.positions
    }

    /// What happened in the last round.
    pub fn counts(&self) -> Counts {
        let mut sum = Counts::default();
        self.chunks.iter().for_each(|chunk| sum.add(&chunk.counts));
        sum
    }

    /// The games as they stand between two rounds.
    pub fn to_tensors(&self) -> Tensors {
        let games = || self.chunks.iter().flat_map(|chunk| &chunk.games);
        let boards: Vec<u8> = games().flat_map(|game| bytes_of_board(&game.board)).collect();
        let numbers: Vec<u64> = games().map(|game| game.number).collect();
        let turns: Vec<u32> = games().map(|game| game.turn).collect();
        let n = self.games as usize;
        let mut tensors = Tensors::new();
        tensors.insert("boards", &[n, 32], &boards);
        tensors.insert("numbers", &[n], &numbers);
        tensors.insert("turns", &[n], &turns);
        tensors.insert("positions", &[1], &[self.positions]);
        tensors
    }

    /// Puts back the games of [`SelfPlay::to_tensors`].
    pub fn restore(&mut self, tensors: &Tensors) -> Result<(), LabError> {
        let n = self.games as usize;
        let boards: Vec<u8> = tensors.get("boards", &[n, 32])?;
        let numbers: Vec<u64> = tensors.get("numbers", &[n])?;
        let turns: Vec<u32> = tensors.get("turns", &[n])?;
        self.positions = tensors.get("positions", &[1])?[0];
        let games = self.chunks.iter_mut().flat_map(|chunk| &mut chunk.games);
        for (i, (game, bytes)) in games.zip(boards.as_chunks().0).enumerate() {
            *game = Game { number: numbers[i], turn: turns[i], board: board_of_bytes(bytes)? };
        }
        Ok(())
    }
}

impl Chunk {
    fn step(
        &mut self,
        network: &Network,
        weights: &Weights,
        turn: usize,
        stream: Stream,
        games: u64,
        random: u32,
    ) {
        let n = self.games.len();
        for (i, game) in self.games.iter_mut().enumerate() {
            let dice = Dice::for_turn(stream, game.number, u64::from(game.turn));
            self.plays.find(&game.board, dice);
            network.plays(weights, &game.board, &self.plays, &mut self.work, &mut self.values);
            let [_, word, chance, _] = stream.block(game.number, u64::from(game.turn));
            let (choice, value) = if chance < random || game.turn >= PATIENCE {
                let any = ((u64::from(word) * self.values.len() as u64) >> 32) as usize;
                (any, self.values[any])
            } else {
                best(&self.values)
            };
            let at = turn * n + i;
            self.boards[at] = game.board;
            self.next[at] = value;
            self.counts.evaluations += self.plays.len() as u64;
            game.board = self.plays.get(choice);
            game.turn += 1;
            let ended = Outcomes::exact(&game.board).is_some();
            self.ended[at] = ended;
            if ended {
                self.counts.games += 1;
                self.counts.turns += u64::from(game.turn);
                self.counts.gammons += f64::from(value.0[1] + value.0[3]);
                *game = Game { number: game.number + games, turn: 0, board: Board::START };
            }
        }
    }

    /// Lambda returns, from the last turn back.
    fn judge(&mut self, lambda: f32) {
        let n = self.games.len();
        for at in (0..n * self.horizon).rev() {
            let value = self.next[at];
            let cut = self.ended[at] || at + n >= self.targets.len();
            // Seen from the side that rolled next.
            let what_came = if cut { value } else { self.targets[at + n].mixed(lambda, &value) };
            self.targets[at] = what_came.flipped();
            // What this position had been thought worth, one turn before.
            if at >= n && !self.ended[at - n] {
                let surprise = self.next[at - n].equity() - self.targets[at].equity();
                self.counts.surprise += f64::from(surprise * surprise);
                self.counts.surprised += 1;
            }
        }
    }
}

/// The play that leaves the side rolling next the least, and what that is.
pub fn best(values: &[Outcomes]) -> (usize, Outcomes) {
    let mut best = (f32::INFINITY, 0);
    for (i, value) in values.iter().enumerate() {
        let equity = value.equity();
        if equity < best.0 {
            best = (equity, i);
        }
    }
    (best.1, values.get(best.1).copied().unwrap_or_default())
}
