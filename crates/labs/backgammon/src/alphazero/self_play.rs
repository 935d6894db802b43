//! Self-play guided by tree search: one search a turn, and a play sampled from the search's policy.
//!
//! Games are divided into fixed groups of up to 64, whose searches share the network's batches. One thread plays a group. All
//! random numbers of a game depend on the seed, its number and the turn alone, so neither the grouping nor the number of
//! threads changes a game. Within a unit (one iteration of self-play and learning), the subtree of the play and the next roll is reused
//! in the next turn. At the end of a unit, all search trees are dropped.

use learnery_kernels::math::double;
use learnery_kernels::rng::Stream;
use learnery_lab::LabError;
use learnery_nn::Tensors;
#[cfg(feature = "gpu")]
use learnery_search::PolicyRequest;
use learnery_search::{Backgammon, Evaluator, Game as _, MAX_POINTS, SearchBatch, Turn};
use learnery_worlds::backgammon::{Board, Dice};

use super::network::{
    Network, NetworkEvaluator, ROWS, Scratch, encode_before_roll, encode_turn, policy_head,
};
use super::sample::{self, INITIAL_PLAYS, Sample};
use super::self_play_counts::SelfPlayCounts;
use super::settings::AlphaZeroSettings;
use crate::outcomes::Outcomes;
use crate::purpose;

/// The maximum number of games in a group.
pub const GROUP: usize = 64;
/// The searches have no cache of evaluations, because only one state in four hundred occurs again.
const CACHE: Option<u32> = None;
/// Initial capacity of a game's record, in turns.
const RECORD_CAPACITY: usize = 400;
/// Initial capacity of the record of finished games, in turns for each game of the group.
const FINISHED_CAPACITY_PER_GAME: usize = 128;
/// The index of a search is the number of its game times this, plus the turn. No game has so many turns, so all indices
/// differ.
const SEARCH_INDEX_STRIDE: u64 = 1 << 20;

/// The random-number streams of self-play.
#[derive(Clone, Copy)]
pub struct Streams {
    dice: Stream,
    search: Stream,
    plays: Stream,
    full_searches: Stream,
}

impl Streams {
    pub fn new(seed: u32) -> Self {
        Self {
            dice: Stream::new(seed, purpose::ALPHAZERO_DICE),
            search: Stream::new(seed, purpose::ALPHAZERO_SEARCH),
            plays: Stream::new(seed, purpose::ALPHAZERO_PLAYS),
            full_searches: Stream::new(seed, purpose::ALPHAZERO_FULL_SEARCHES),
        }
    }

    /// The stream of all searches.
    pub fn search(&self) -> Stream {
        self.search
    }

    /// Whether a turn has a full search, whose policy is a target. The other turns have a smaller search (playout-cap
    /// randomisation, Wu, 2019).
    pub fn has_full_search(&self, settings: &AlphaZeroSettings, game: u64, turn: u64) -> bool {
        self.full_searches.below(game, turn, settings.full_search_every.max(1)) == 0
    }

    /// The roll of a turn.
    pub fn roll(&self, game: u64, turn: u64) -> Dice {
        Dice::for_turn(self.dice, game, turn)
    }
}

/// What self-play reads, but does not change, during a unit.
pub struct Context<'a> {
    pub settings: &'a AlphaZeroSettings,
    pub streams: &'a Streams,
    pub network: &'a Network,
}

/// A game in progress.
struct ActiveGame {
    /// Number of the game in the run.
    number: u64,
    /// Seen from the side on roll.
    board: Board,
    /// The roll of the current turn.
    dice: Dice,
    /// A sample for each turn played.
    record: Vec<Sample>,
    /// Turns still to be played in this unit.
    turns_left: u32,
}

/// Games that are searched together.
pub struct GameGroup {
    /// Search `i` belongs to the game in slot `i` of `games`.
    batch: SearchBatch<Backgammon>,
    games: Vec<ActiveGame>,
    /// The number of games in progress in all groups. When game number `n` ends, number `n + concurrent_games` takes its slot.
    concurrent_games: u64,
    scratch: Scratch,
    /// Samples of the games that ended in this unit, each game in reverse order of its turns.
    finished: Vec<Sample>,
    counts: SelfPlayCounts,
    /// The policy of one turn: the share of each play in the search's visits, or Gumbel AlphaZero's improved policy.
    policy: Vec<f32>,
    /// A buffer for [`Sample::new`], which sorts plays in it.
    order: Vec<u16>,
    /// The values of the turns of one game.
    values: Vec<Outcomes>,
}

impl GameGroup {
    /// New games with the numbers from `first` to before `first + games`, of `concurrent_games` in all groups.
    pub fn new(context: &Context, first: u64, games: usize, concurrent_games: u64) -> Self {
        let Context { settings, streams, network } = context;
        let mut scratch = Scratch::new(&network.plan);
        let evaluator =
            NetworkEvaluator { plan: &network.plan, weights: &network.weights, scratch: &mut scratch };
        let embedding_size = evaluator.embedding_size();
        let game = |i| ActiveGame {
            number: first + i,
            board: Board::START,
            // Replaced by a roll when a unit begins.
            dice: Dice::ALL[0],
            record: Vec::with_capacity(RECORD_CAPACITY),
            turns_left: 0,
        };
        Self {
            batch: SearchBatch::new(
                &Backgammon,
                games,
                settings.search_options(streams.search()),
                embedding_size,
                CACHE,
            ),
            games: (0..games as u64).map(game).collect(),
            concurrent_games,
            scratch,
            finished: Vec::with_capacity(FINISHED_CAPACITY_PER_GAME * games),
            counts: SelfPlayCounts::default(),
            policy: Vec::with_capacity(INITIAL_PLAYS),
            order: Vec::with_capacity(INITIAL_PLAYS),
            values: Vec::with_capacity(RECORD_CAPACITY),
        }
    }

    /// Begins a unit. The weights have changed since the last one, so no tree is kept.
    pub fn begin_unit(&mut self, context: &Context) {
        self.batch.set_options(context.settings.search_options(context.streams.search()));
        self.batch.clear();
        self.finished.clear();
        self.counts = SelfPlayCounts::default();
        for i in 0..self.games.len() {
            self.games[i].turns_left = context.settings.turns;
            self.roll(context.streams, i);
            let (turn, index) = (self.turn(i), self.games[i].search_index());
            self.set_effort(context, i);
            self.batch.begin(&Backgammon, i, turn, index);
            self.play_forced_turns(context, i);
        }
    }

    /// The position and roll of the game in slot `i`.
    fn turn(&self, i: usize) -> Turn {
        Turn { board: self.games[i].board, dice: self.games[i].dice }
    }

    /// Rolls the dice of the current turn in slot `i`.
    fn roll(&mut self, streams: &Streams, i: usize) {
        let game = &mut self.games[i];
        game.dice = streams.roll(game.number, game.record.len() as u64);
    }

    /// Sets the number of simulations and the noise of the next search in slot `i`.
    fn set_effort(&mut self, context: &Context, i: usize) {
        let (simulations, noise) = context.settings.effort(self.games[i].has_full_search(context));
        self.batch.set_effort(i, simulations, noise);
    }

    /// Runs at most `rounds` rounds of all searches, and plays the turns whose searches are complete. Returns whether turns of
    /// this unit remain to be played.
    pub fn step(&mut self, context: &Context, rounds: u32) -> bool {
        let network = context.network;
        let mut turns_remain = true;
        for _ in 0..rounds {
            let mut evaluator = NetworkEvaluator {
                plan: &network.plan,
                weights: &network.weights,
                scratch: &mut self.scratch,
            };
            self.batch.round(&Backgammon, &mut evaluator);
            turns_remain = self.play_searched_turns(context);
            if !turns_remain {
                break;
            }
        }
        self.counts.search += self.batch.take_counts();
        turns_remain
    }

    /// The first part of a round of all searches, see [`SearchBatch::begin_round`].
    #[cfg(feature = "gpu")]
    pub fn begin_round(&mut self) {
        self.batch.begin_round(&Backgammon);
    }

    /// See [`SearchBatch::requests`].
    #[cfg(feature = "gpu")]
    pub fn requests(&self) -> (&[Turn], PolicyRequest<'_, Backgammon>) {
        self.batch.requests()
    }

    /// The second part of a round: gives the answers of `evaluator` to the searches, and plays the turns whose searches are
    /// complete. Returns whether turns of this unit remain to be played.
    #[cfg(feature = "gpu")]
    pub fn end_round(&mut self, context: &Context, evaluator: &mut impl Evaluator<Backgammon>) -> bool {
        self.batch.end_round(&Backgammon, evaluator);
        self.counts.search += self.batch.take_counts();
        self.play_searched_turns(context)
    }

    /// Plays the turns whose searches are complete. Returns whether turns of this unit remain to be played.
    fn play_searched_turns(&mut self, context: &Context) -> bool {
        let mut turns_remain = false;
        for i in 0..self.games.len() {
            if self.games[i].turns_left > 0 && !self.batch.busy(i) {
                self.play(context, i);
                self.play_forced_turns(context, i);
            }
            turns_remain |= self.games[i].turns_left > 0;
        }
        turns_remain
    }

    /// Plays the turns that need no search: those with only one play, or none.
    fn play_forced_turns(&mut self, context: &Context, i: usize) {
        while self.games[i].turns_left > 0 && !self.batch.busy(i) {
            self.play(context, i);
        }
    }

    /// Makes a play in slot `i` and begins the next turn.
    fn play(&mut self, context: &Context, i: usize) {
        let turn = self.turn(i);
        let root = self.batch.root(i);
        self.policy.resize(root.plays().len(), 0.0);
        root.policy(&mut self.policy);
        // The game's number and the number of the turn select the random number.
        let game = &mut self.games[i];
        let turn_number = game.record.len() as u64;
        let u = context.streams.plays.uniform(game.number, turn_number);
        let play = match context.settings.temperature_at(turn_number) {
            0.0 => root.best(),
            temperature => sample_play(&self.policy, temperature, u),
        };
        let afterstate = root.plays()[play];
        let has_policy_target = game.has_full_search(context) && policy_head(&context.network.plan).is_some();
        let policy = if has_policy_target { &self.policy[..] } else { &[] };
        let mut sample = Sample::new(turn, policy, &mut self.order);
        if context.settings.search_values {
            // The value of what was played; a play without visits has none.
            sample.set_search_value(root.value_of(play).or(root.value()));
        }
        game.record.push(sample);
        game.turns_left -= 1;
        self.counts.turns_played += 1;
        let end = Backgammon.terminal_value(&afterstate);
        match end {
            Some(value) => self.finish_game(context, i, (value * MAX_POINTS).round() as i8),
            None => self.games[i].board = afterstate,
        }
        if self.games[i].turns_left == 0 {
            return;
        }
        self.roll(context.streams, i);
        let (turn, index) = (self.turn(i), self.games[i].search_index());
        self.set_effort(context, i);
        match end {
            Some(_) => self.batch.begin(&Backgammon, i, turn, index),
            // The index of a roll is that of the search's chance outcome.
            None => self.batch.begin_after(&Backgammon, i, play, turn.dice.index(), index),
        }
    }

    /// Sets the targets of a finished game and begins the next game of its slot. `points` is the result for the side
    /// that made the last play, and positive. Targets are lambda returns (Sutton, 1988): the result, mixed with the values
    /// of the later turns. Each target is seen from the side on roll.
    fn finish_game(&mut self, context: &Context, i: usize, points: i8) {
        let lambda = context.settings.lambda;
        self.values.clear();
        if lambda < 1.0 {
            self.compute_values_of_turns(context, i);
        }
        let Self { games, values, .. } = self;
        let game = &mut games[i];
        // From the last turn, whose target is the result, to the first. `values` is empty if lambda is 1.
        let mut target = Outcomes::from_points(points);
        for mut sample in game.record.drain(..).rev() {
            sample.set_target(&target);
            self.finished.push(sample);
            self.counts.turns += 1;
            // In the turn before, the other side was on roll.
            target = values.pop().map_or(target, |value| target.mixed(lambda, &value)).flipped();
        }
        self.counts.games += 1;
        self.counts.gammons += u64::from(points > 1);
        game.number += self.concurrent_games;
        game.board = Board::START;
    }

    /// Computes the values of the turns in slot `i`: the outcomes that the network expects. Where `search_values` is set and a
    /// turn was searched, they are shifted to the equity of the search.
    fn compute_values_of_turns(&mut self, context: &Context, i: usize) {
        let Self { games, scratch, values, .. } = self;
        let Context { settings, network, .. } = context;
        let evaluates_only_after_roll = policy_head(&network.plan).is_some();
        let search_value = |sample: &Sample| sample.search_value().filter(|_| settings.search_values);
        let mut evaluator = NetworkEvaluator { plan: &network.plan, weights: &network.weights, scratch };
        for samples in games[i].record.chunks(ROWS) {
            for (sample, row) in samples.iter().zip(evaluator.scratch.rows()) {
                // The value before the roll is the better target, because it does not vary with the roll. But a network with a
                // policy knows only positions with a roll, as a search does.
                if evaluates_only_after_roll || search_value(sample).is_some() {
                    encode_turn(&sample.turn, row);
                } else {
                    encode_before_roll(&sample.turn.board, row);
                }
            }
            evaluator.run(samples.len());
            let rows = samples.iter().zip(evaluator.outcomes(samples.len()));
            values.extend(rows.map(|(sample, outcomes)| match search_value(sample) {
                Some(value) => outcomes.with_equity(value * MAX_POINTS),
                None => outcomes,
            }));
        }
    }

    /// Samples of the games that ended in this unit.
    pub fn finished(&self) -> &[Sample] {
        &self.finished
    }

    /// Statistics of this unit.
    pub fn counts(&self) -> &SelfPlayCounts {
        &self.counts
    }

    /// The number of turns that all games still have to play in this unit.
    pub fn turns_left(&self) -> u32 {
        self.games.iter().map(|game| game.turns_left).sum()
    }

    /// The number of each game in progress.
    pub fn numbers(&self) -> impl Iterator<Item = u64> {
        self.games.iter().map(|game| game.number)
    }

    /// For each game with turns left in this unit: the position and roll of its current turn, and the number of that turn in the
    /// game. The others have no roll yet; theirs is that of the turn before.
    pub fn turns(&self) -> impl Iterator<Item = (Turn, u32)> {
        (0..self.games.len()).map(|i| (self.turn(i), self.games[i].record.len() as u32))
    }

    /// Saves the games in progress. Must be called between two units.
    pub fn to_tensors(&self) -> Tensors {
        let numbers: Vec<u64> = self.numbers().collect();
        let lengths: Vec<u64> = self.games.iter().map(|game| game.record.len() as u64).collect();
        let boards: Vec<u64> = self
            .games
            .iter()
            .flat_map(|game| {
                let (own, other) = game.board.key();
                [own, own >> 64, other, other >> 64].map(|half| half as u64)
            })
            .collect();
        let records: Vec<&Sample> = self.games.iter().flat_map(|game| &game.record).collect();
        let mut tensors = Tensors::new();
        tensors.insert("numbers", &[numbers.len()], &numbers);
        tensors.insert("lengths", &[lengths.len()], &lengths);
        tensors.insert("boards", &[boards.len()], &boards);
        tensors.absorb("records/", sample::to_tensors(records.into_iter()));
        tensors
    }

    /// Restores what [`GameGroup::to_tensors`] saved. The numbers of the games are checked by `finished_games` of the learner.
    pub fn restore(&mut self, tensors: &Tensors) -> Result<(), LabError> {
        let impossible = || LabError::Checkpoint("its games in progress are not possible".into());
        let n = self.games.len();
        let numbers: Vec<u64> = tensors.get("numbers", &[n])?;
        let lengths: Vec<u64> = tensors.get("lengths", &[n])?;
        let boards: Vec<u64> = tensors.get("boards", &[4 * n])?;
        let records = sample::from_tensors(&tensors.under("records/"))?;
        let mut rest = &records[..];
        for (i, game) in self.games.iter_mut().enumerate() {
            let length = usize::try_from(lengths[i]).map_err(|_| impossible())?;
            let (record, after) = rest.split_at_checked(length).ok_or_else(impossible)?;
            rest = after;
            game.record.clear();
            game.record.extend_from_slice(record);
            game.number = numbers[i];
            // Each side's key is two numbers, the low half first.
            let side = |k: usize| u128::from(boards[4 * i + k]) | u128::from(boards[4 * i + k + 1]) << 64;
            let board = Board::from_key((side(0), side(2))).map_err(|_| impossible())?;
            // `from_key` computes the number of checkers borne off. A key that encodes another number is not possible.
            if board.result().is_some() || board.key() != (side(0), side(2)) {
                return Err(impossible());
            }
            game.board = board;
        }
        if rest.is_empty() { Ok(()) } else { Err(impossible()) }
    }
}

impl ActiveGame {
    /// Whether the current turn has a full search.
    fn has_full_search(&self, context: &Context) -> bool {
        context.streams.has_full_search(context.settings, self.number, self.record.len() as u64)
    }

    /// The index of the current turn's search among all of the run, which selects its random numbers.
    fn search_index(&self) -> u64 {
        search_index(self.number, self.record.len() as u64)
    }
}

/// The index of the search of a turn.
pub fn search_index(game: u64, turn: u64) -> u64 {
    game * SEARCH_INDEX_STRIDE + turn
}

/// Samples a play with probability proportional to `policy^(1 / temperature)`. `u` is a uniform
/// random number in [0, 1).
fn sample_play(policy: &[f32], temperature: f32, u: f32) -> usize {
    let max = policy.iter().copied().fold(0.0, f32::max);
    let weight = |p: f32| match temperature {
        1.0 => p,
        // The largest weight is 1, so that a low temperature does not make all weights 0.
        t => double::pow(f64::from(p / max), f64::from(1.0 / t)) as f32,
    };
    let sum: f32 = policy.iter().map(|p| weight(*p)).sum();
    // Inversion of the cumulative distribution. If rounding leaves the sum too small, the last play with a positive probability is taken.
    let mut cumulative = 0.0;
    let mut last = 0;
    for (play, p) in policy.iter().enumerate().filter(|(_, p)| **p > 0.0) {
        cumulative += weight(*p);
        last = play;
        if u * sum < cumulative {
            break;
        }
    }
    last
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plays_are_sampled_in_proportion_to_visits() {
        let policy = [0.0, 0.5, 0.125, 0.375, 0.0];
        for (u, play) in [(0.0, 1), (0.49, 1), (0.51, 2), (0.62, 2), (0.63, 3), (0.9999999, 3)] {
            assert_eq!(sample_play(&policy, 1.0, u), play, "{u}");
        }
    }

    #[test]
    fn lower_temperature_samples_the_best_play_more_often() {
        let policy = [0.0, 0.5, 0.125, 0.375, 0.0];
        let count = |temperature| {
            (0..1000).filter(|i| sample_play(&policy, temperature, *i as f32 / 1000.0) == 1).count()
        };
        // At temperature 0.5 the weights are squared: 0.25 / (0.25 + 0.015625 + 0.140625).
        assert_eq!((count(1.0), count(0.5)), (500, 616));
        assert!(count(0.05) > 990);
    }
}
