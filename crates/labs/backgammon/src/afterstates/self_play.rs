//! Self-play of many games at once, and lambda returns as targets.
//!
//! A step plays one turn of every game: roll the dice, value the positions that the plays lead to (the
//! afterstates), and make the play that leaves the opponent the lowest equity (expected points). After
//! `horizon` steps a *round* is complete, and every position of the round gets its target, the lambda return
//! (Sutton, "Learning to predict by the methods of temporal differences", 1988): the result of the game,
//! mixed with the values that the network gave to the positions on the way. Where the round ends before the
//! game does, the return bootstraps from the value of the last position. A game ends for learning as soon as
//! both sides bear off, because the value of such a position is known exactly.
//!
//! With *lookahead*, a step values the plays of all 21 rolls, not only of the one that was rolled. The mean
//! over the rolls takes the place of the value after the roll, and the luck of the roll, the difference of
//! the two, is subtracted from the return. So the roll of a turn no longer makes its target noisy: variance
//! reduction by a control variate, as in rollouts.
//!
//! Because the dice explore enough, plays are greedy (Tesauro, 1995), with three exceptions. Games of two
//! untrained players might never end, and without finished games there is nothing to learn from. So at first
//! some plays are random, with a probability that falls to zero; and from turn 200 of a game on, all plays
//! are random. With lookahead, the setting `alternatives` makes some plays almost the best ones: a play that
//! the network wrongly values a little below the best is never made by a greedy player, so the network would
//! never learn from the position after it.
//!
//! Games are divided into fixed chunks, each with buffers of its own, so the result is bit-identical for any
//! number of threads.

use learnery_backgammon_play::outcomes::{Outcomes, best_play};
use learnery_backgammon_play::players::RolledPlays;
use learnery_kernels::rng::Stream;
use learnery_lab::LabError;
use learnery_nn::{Tensors, Weights};
use learnery_worlds::backgammon::{Board, Dice};
use rayon::prelude::*;

use super::network::{Network, Scratch};
use super::replay::{BOARD_BYTES, ReplayBuffer, board_from_bytes, board_to_bytes};
use crate::counters::{check, check_equal, finished_games, read_tensor_counter};

/// Games of a chunk: enough work to be worth waking a thread for.
const GAMES_PER_CHUNK: usize = 16;
/// From this turn of a game on, all plays are random, so that every game ends. With trained players, one game
/// in thousands is so long.
const RANDOM_FROM_TURN: u32 = 200;
/// An alternative play loses less than this by the network's values, in points.
const MAX_ALTERNATIVE_LOSS: f32 = 0.08;

/// All games, and the positions of the round.
pub struct SelfPlay {
    chunks: Vec<Chunk>,
    /// Games that are played side by side.
    games: u64,
    /// Turns of each game in a round.
    horizon: usize,
    /// Turns already played in this round.
    turn: usize,
    /// Random numbers for dice and exploring plays.
    stream: Stream,
    /// Positions played since the run began.
    positions: u64,
    /// Positions that had been played when these games began, which is more than 0 after a restart.
    first_position: u64,
}

/// A part of the games, and their positions of the round, turn by turn.
struct Chunk {
    games: Vec<Game>,
    horizon: usize,
    plays: RolledPlays,
    scratch: Scratch,
    /// The board before each turn, seen from the side on roll.
    // [horizon, games]
    boards: Vec<Board>,
    /// The network's value of each turn's afterstate, for the side that rolls after the turn.
    // [horizon, games]
    next_values: Vec<Outcomes>,
    /// With lookahead, the mean over all rolls of the value after the best play, for the side on roll.
    // [horizon, games]
    means: Vec<Option<Outcomes>>,
    /// Whether the play was not the best one: random, or an alternative.
    // [horizon, games]
    exploring: Vec<bool>,
    /// Whether the game ended with the turn.
    // [horizon, games]
    ended: Vec<bool>,
    /// The lambda returns, for the side on roll.
    // [horizon, games]
    targets: Vec<Outcomes>,
    counts: SelfPlayCounts,
}

#[derive(Clone, Copy, Debug)]
struct Game {
    /// Number of the game in the run, or since its restart; it selects the dice.
    number: u64,
    /// Turns played.
    turn: u32,
    /// Seen from the side on roll.
    board: Board,
}

/// How many plays are not the best ones.
#[derive(Clone, Copy, Debug)]
pub struct Exploration {
    /// The probability of a random play falls linearly from 1 to 0 over this many positions of the run.
    pub positions: u32,
    /// The probability of an alternative play in a turn with lookahead, if there is one.
    pub alternatives: f64,
}

/// How a turn is played.
struct TurnRules {
    /// Random numbers for dice and exploring plays.
    stream: Stream,
    /// The number of games in all chunks.
    games: u64,
    /// A play is random where a random word is below this.
    random_threshold: u32,
    /// A play is an alternative to the best where another random word is below this.
    alternative_threshold: u32,
    has_lookahead: bool,
}

/// Statistics of a round.
#[derive(Clone, Copy, Debug, Default)]
pub struct SelfPlayCounts {
    /// Games that ended.
    pub games: u64,
    /// Turns of the games that ended.
    pub turns: u64,
    /// Gammons and backgammons among the games that ended. A game that ends in the bear-off table counts with
    /// its probability of a gammon, so the sum is fractional.
    pub gammons: f64,
    /// Sum of squared differences, in points, between the target of a position and the network's value of it
    /// (TD errors).
    pub squared_error: f64,
    /// Positions in that sum.
    pub errors: u64,
}

impl SelfPlayCounts {
    fn add(&mut self, other: &Self) {
        self.games += other.games;
        self.turns += other.turns;
        self.gammons += other.gammons;
        self.squared_error += other.squared_error;
        self.errors += other.errors;
    }
}

impl SelfPlay {
    /// Games from the opening. In earlier games of the run `first_position` positions have been played.
    pub fn new(games: usize, horizon: usize, stream: Stream, network: &Network, first_position: u64) -> Self {
        let chunks = (0..games)
            .step_by(GAMES_PER_CHUNK)
            .map(|first| {
                let game = |number: usize| Game { number: number as u64, turn: 0, board: Board::START };
                let games: Vec<Game> = (first..(first + GAMES_PER_CHUNK).min(games)).map(game).collect();
                let size = games.len() * horizon;
                Chunk {
                    games,
                    horizon,
                    plays: RolledPlays::default(),
                    scratch: network.scratch(),
                    boards: vec![Board::START; size],
                    next_values: vec![Outcomes::default(); size],
                    means: vec![None; size],
                    exploring: vec![false; size],
                    ended: vec![false; size],
                    targets: vec![Outcomes::default(); size],
                    counts: SelfPlayCounts::default(),
                }
            })
            .collect();
        let positions = first_position;
        Self { chunks, games: games as u64, horizon, turn: 0, stream, positions, first_position }
    }

    /// Plays a turn of every game, and returns whether the round is complete. `has_lookahead` must be the
    /// same in all turns of a round.
    pub fn step(
        &mut self,
        network: &Network,
        weights: &Weights,
        exploration: &Exploration,
        has_lookahead: bool,
    ) -> bool {
        let (turn, games) = (self.turn, self.games);
        let random_probability = match exploration.positions {
            0 => 0.0,
            positions => 1.0 - self.positions as f64 / f64::from(positions),
        };
        // The threshold below which a random word has this probability.
        let threshold = |probability: f64| (probability.max(0.0) * f64::from(u32::MAX)) as u32;
        let rules = TurnRules {
            stream: self.stream,
            games,
            random_threshold: threshold(random_probability),
            alternative_threshold: if has_lookahead { threshold(exploration.alternatives) } else { 0 },
            has_lookahead,
        };
        self.chunks.par_iter_mut().for_each(|chunk| {
            if turn == 0 {
                chunk.counts = SelfPlayCounts::default();
            }
            chunk.step(network, weights, turn, &rules);
        });
        self.turn += 1;
        self.positions += self.games;
        self.turn == self.horizon
    }

    /// Computes the targets of a complete round, copies positions and targets to the replay buffer, and
    /// begins the next round.
    pub fn finish(&mut self, lambda: f32, replay: &mut ReplayBuffer) {
        self.chunks.par_iter_mut().for_each(|chunk| chunk.compute_lambda_returns(lambda));
        for chunk in &self.chunks {
            replay.extend(&chunk.boards, &chunk.targets);
        }
        self.turn = 0;
    }

    /// The played fraction of the round, 0 to 1.
    pub fn fraction(&self) -> f32 {
        self.turn as f32 / self.horizon as f32
    }

    pub fn positions_per_round(&self) -> u64 {
        self.games * self.horizon as u64
    }

    /// Positions played since the run began.
    pub fn positions(&self) -> u64 {
        self.positions
    }

    /// Games that have ended since the run began, or since its restart.
    pub fn finished_games(&self) -> Result<u64, LabError> {
        finished_games(self.all_games().map(|game| game.number), self.games)
    }

    fn all_games(&self) -> impl Iterator<Item = &Game> {
        self.chunks.iter().flat_map(|chunk| &chunk.games)
    }

    /// Statistics of the last round.
    pub fn counts(&self) -> SelfPlayCounts {
        let mut sum = SelfPlayCounts::default();
        self.chunks.iter().for_each(|chunk| sum.add(&chunk.counts));
        sum
    }

    /// Saves the games under way. Must be called between two rounds.
    pub fn to_tensors(&self) -> Tensors {
        let boards: Vec<u8> = self.all_games().flat_map(|game| board_to_bytes(&game.board)).collect();
        let numbers: Vec<u64> = self.all_games().map(|game| game.number).collect();
        let turns: Vec<u32> = self.all_games().map(|game| game.turn).collect();
        let n = self.games as usize;
        let mut tensors = Tensors::new();
        tensors.insert("boards", &[n, BOARD_BYTES], &boards);
        tensors.insert("numbers", &[n], &numbers);
        tensors.insert("turns", &[n], &turns);
        tensors.insert("positions", &[1], &[self.positions]);
        tensors
    }

    /// Restores what [`SelfPlay::to_tensors`] gave after `rounds` rounds of these games.
    pub fn restore(&mut self, tensors: &Tensors, rounds: u64) -> Result<(), LabError> {
        let n = self.games as usize;
        let boards: Vec<u8> = tensors.get("boards", &[n, BOARD_BYTES])?;
        let numbers: Vec<u64> = tensors.get("numbers", &[n])?;
        let turns: Vec<u32> = tensors.get("turns", &[n])?;
        self.positions = read_tensor_counter(tensors, "positions")?;
        let played = rounds.checked_mul(self.positions_per_round());
        let expected = played.and_then(|played| played.checked_add(self.first_position));
        check_equal("positions", self.positions, expected)?;
        let turns_played = (self.positions - self.first_position) / self.games;
        let games = self.chunks.iter_mut().flat_map(|chunk| &mut chunk.games);
        for (i, (game, bytes)) in games.zip(boards.as_chunks().0).enumerate() {
            *game = Game { number: numbers[i], turn: turns[i], board: board_from_bytes(bytes)? };
            check(u64::from(game.turn) <= turns_played, || {
                format!("a game under way has {} turns, but only {turns_played} were played", game.turn)
            })?;
            // Games end for learning when the result is known, so such a game cannot be under way.
            check(Outcomes::exact(&game.board).is_none(), || {
                "a game under way is one whose result is already known".into()
            })?;
        }
        Ok(())
    }
}

impl Chunk {
    /// Plays one turn of every game.
    fn step(&mut self, network: &Network, weights: &Weights, turn: usize, rules: &TurnRules) {
        let TurnRules { stream, games, has_lookahead, .. } = *rules;
        let n = self.games.len();
        for (i, game) in self.games.iter_mut().enumerate() {
            let dice = Dice::for_turn(stream, game.number, u64::from(game.turn));
            let rolls = if has_lookahead { &Dice::ALL[..] } else { std::slice::from_ref(&dice) };
            self.plays.find(&game.board, rolls);
            let near = game.board.flipped();
            if has_lookahead {
                let (boards, ends) = self.plays.to_prune();
                network.prune(weights, &near, boards, ends, &mut self.scratch);
            }
            let (boards, values) = self.plays.to_value();
            network.values_near(weights, &near, &|i| boards[i], &mut self.scratch, values);
            let mean = has_lookahead.then(|| Outcomes(self.plays.mean().map(|p| p as f32)));
            // With lookahead, all 21 rolls were found in the order of their indices, else only this one.
            let (boards, values) = self.plays.of_roll(if has_lookahead { dice.index() } else { 0 });
            // Word 0 of the block determines the dice.
            let [_, play_word, random_word, alternative_word] =
                stream.block(game.number, u64::from(game.turn));
            let is_random = random_word < rules.random_threshold || game.turn >= RANDOM_FROM_TURN;
            let explored = if is_random {
                Some(scaled(play_word, values.len()))
            } else if alternative_word < rules.alternative_threshold {
                alternative_play(values, play_word)
            } else {
                None
            };
            let (best, _) = best_play(values);
            let choice = explored.unwrap_or(best);
            let value = values[choice];
            // The arrays of the chunk have a row for each turn, with an entry for each game.
            let at = turn * n + i;
            self.boards[at] = game.board;
            self.next_values[at] = value;
            self.means[at] = mean;
            self.exploring[at] = explored.is_some();
            game.board = boards[choice];
            game.turn += 1;
            let ended = Outcomes::exact(&game.board).is_some();
            self.ended[at] = ended;
            if ended {
                self.counts.games += 1;
                self.counts.turns += u64::from(game.turn);
                // Gammons won and gammons lost; both include backgammons.
                self.counts.gammons += f64::from(value.0[1] + value.0[3]);
                // The slot goes on with its next game.
                *game = Game { number: game.number + games, turn: 0, board: Board::START };
            }
        }
    }

    /// Lambda returns, computed backwards from the last turn. Index `at + n` is the next turn of the same
    /// game.
    fn compute_lambda_returns(&mut self, lambda: f32) {
        let n = self.games.len();
        for at in (0..n * self.horizon).rev() {
            let value = self.next_values[at];
            // Whether the return ends here, with this value alone: at the end of a game it is the exact
            // result, at the end of the round an estimate.
            let bootstrap = self.ended[at] || at + n >= self.targets.len();
            // `value` and the return belong to the side that rolls after this turn, the target to the side
            // before it.
            self.targets[at] = match self.means[at] {
                None if bootstrap => value.flipped(),
                None => self.targets[at + n].mixed(lambda, &value).flipped(),
                // What follows another play tells nothing of the best one.
                Some(mean) if bootstrap || self.exploring[at] => mean,
                Some(mean) => {
                    let (next, value) = (self.targets[at + n].flipped(), value.flipped());
                    let sum = |i: usize| mean.0[i] + lambda * (next.0[i] - value.0[i]);
                    Outcomes(std::array::from_fn(|i| sum(i).clamp(0.0, 1.0)))
                        .clamped_to_possible(&self.boards[at])
                }
            };
            // The network's value of this position was computed one turn before, as that of an afterstate.
            // It is missing in the first turn of a round and in the first turn of a game.
            if at >= n && !self.ended[at - n] {
                let error = self.next_values[at - n].equity() - self.targets[at].equity();
                self.counts.squared_error += f64::from(error * error);
                self.counts.errors += 1;
            }
        }
    }
}

/// Scales a random word to an index below `n`.
fn scaled(word: u32, n: usize) -> usize {
    ((u64::from(word) * n as u64) >> 32) as usize
}

/// Returns a play that is almost the best one, drawn evenly with a random word, or `None` if there is no such
/// play. `values` are those of the afterstates for the opponent, as in [`best_play`].
fn alternative_play(values: &[Outcomes], word: u32) -> Option<usize> {
    let (best, value) = best_play(values);
    let limit = value.equity() + MAX_ALTERNATIVE_LOSS;
    let is_alternative = |&i: &usize| i != best && values[i].equity() < limit;
    let count = (0..values.len()).filter(is_alternative).count();
    (0..values.len()).filter(is_alternative).nth(scaled(word, count))
}

#[cfg(test)]
mod tests {
    use super::super::network::NetworkShape;
    use super::*;
    use crate::networks::NetworkRef;
    use learnery_backgammon_play::players::{Lookahead, LookaheadPlayer};

    const TURNS: usize = 60;

    /// Rounds of a few games with random weights, all plays with lookahead, and the lambda returns.
    fn round(lambda: f32) -> (SelfPlay, Network, Weights) {
        let shape = NetworkShape::raw([8, 4], [8, 4]);
        let (network, layout) = Network::new(shape);
        let mut weights = Weights::new(layout);
        weights.update(|params| {
            Stream::new(3, 4).fill_normal(0, params);
            params.iter_mut().for_each(|p| *p *= 0.2);
        });
        let mut games = SelfPlay::new(3, TURNS, Stream::new(7, 0), &network, 0);
        // The first plays are random, then fewer and fewer.
        let exploration = Exploration { positions: 3 * TURNS as u32, alternatives: 0.2 };
        while !games.step(&network, &weights, &exploration, true) {}
        games.finish(lambda, &mut ReplayBuffer::new(1));
        (games, network, weights)
    }

    #[test]
    fn alternative_plays_are_drawn_from_those_that_lose_little() {
        // Equities of the opponent after each play; the lowest is the best for the player.
        let values =
            [0.2, 0.03, -0.02, 0.1, 0.05].map(|equity| Outcomes([(equity + 1.0) / 2.0, 0.0, 0.0, 0.0, 0.0]));
        let drawn = |word| alternative_play(&values, word);
        let quarter = u32::MAX / 4;
        assert_eq!([0, quarter, 3 * quarter, u32::MAX].map(drawn), [1, 1, 4, 4].map(Some));
        // A single play, and a best play that all others are far from.
        assert_eq!(alternative_play(&values[..1], 7), None);
        assert_eq!(alternative_play(&[values[2], values[0]], 7), None);
    }

    #[test]
    fn targets_with_lookahead_and_lambda_0_are_values_with_one_ply() {
        let (games, network, weights) = round(0.0);
        let network = NetworkRef::Afterstates(&network, &weights);
        let mut player = LookaheadPlayer::new(&network, Lookahead { plies: 1 });
        let chunk = &games.chunks[0];
        for (board, target) in chunk.boards.iter().zip(&chunk.targets) {
            let expected = player.value(&network, board);
            let pairs = expected.0.iter().zip(target.0);
            assert!(pairs.into_iter().all(|(a, b)| (a - b).abs() < 1e-5), "{expected:?} {target:?}");
        }
    }

    #[test]
    fn returns_with_lookahead_subtract_the_luck_of_each_roll() {
        const LAMBDA: f32 = 0.7;
        let (games, network, weights) = round(LAMBDA);
        let network = NetworkRef::Afterstates(&network, &weights);
        let mut player = LookaheadPlayer::new(&network, Lookahead { plies: 1 });
        let chunk = &games.chunks[0];
        let n = chunk.games.len();
        let (mut followed, mut cut) = (0, 0);
        for at in 0..n * TURNS {
            let mut expected = player.value(&network, &chunk.boards[at]);
            let next = at + n;
            if next < n * TURNS && !chunk.ended[at] && !chunk.exploring[at] {
                // What followed for the side on roll, minus the value after its play.
                let (target, value) = (chunk.targets[next].flipped(), chunk.next_values[at].flipped());
                for i in 0..expected.0.len() {
                    expected.0[i] = (expected.0[i] + LAMBDA * (target.0[i] - value.0[i])).clamp(0.0, 1.0);
                }
                followed += 1;
            }
            cut += u32::from(chunk.exploring[at]);
            let expected = expected.clamped_to_possible(&chunk.boards[at]);
            let pairs = expected.0.iter().zip(chunk.targets[at].0);
            assert!(pairs.into_iter().all(|(a, b)| (a - b).abs() < 1e-5), "{at}: {expected:?}");
        }
        assert!(followed > 30 && cut > 30, "{followed} {cut}");
    }
}
