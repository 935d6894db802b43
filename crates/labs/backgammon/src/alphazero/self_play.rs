//! Self-play guided by tree search: one search a turn, and a play sampled from the search's policy.
//!
//! Games are divided into fixed groups of up to 64, whose searches share the network's batches. One thread
//! plays a group. All random numbers of a game depend on the seed, its number and the turn alone, so neither
//! the grouping nor the number of threads changes a game, nor the machine that plays it. What is played is
//! written as bytes (`turns.rs`), which a table (`table.rs`) takes at the end of the unit. Within a unit (one
//! iteration of self-play and learning), the subtree of the play and the next roll is reused in the next
//! turn. At the end of a unit, all search trees are dropped.

use learnery_backgammon_play::game::{Backgammon, Turn};
use learnery_kernels::math::double;
use learnery_kernels::rng::Stream;
use learnery_search::SearchBatch;
use learnery_worlds::backgammon::Dice;

use super::network::{Network, NetworkEvaluator, Scratch, embedding_size};
use super::sample::{INITIAL_PLAYS, Sample};
use super::self_play_counts::SelfPlayCounts;
use super::settings::AlphaZeroSettings;
use super::turns::{GameState, Rules, points_after, write_end, write_turn};
use crate::purpose;

/// The longest unit that buffers are made for in advance, in turns; a bench has longer ones.
const MAX_HORIZON: u32 = 256;
/// The maximum number of games in a group.
pub const GAMES_PER_GROUP: usize = 64;
/// The searches have no cache of evaluations, because only one state in four hundred occurs again.
const CACHE_BITS: Option<u32> = None;
/// Bytes for each turn in the initial capacity of a game's buffer. Few turns take more.
const INITIAL_BYTES_PER_TURN: usize = 64;
/// The index of a search, which selects its random numbers, is the number of its game times this, plus the
/// turn. No game has so many turns, so all indices differ.
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

    /// Whether a turn has a full search, whose policy is a target. The other turns have a smaller search
    /// (playout-cap randomisation, Wu, 2019).
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

impl<'a> Context<'a> {
    pub fn rules(&self) -> Rules<'a> {
        Rules { settings: self.settings, streams: self.streams }
    }
}

/// A game in progress.
struct ActiveGame {
    state: GameState,
    /// The roll of the current turn.
    dice: Dice,
    /// Turns still to be played in this unit.
    turns_left: u32,
    /// The turns of this unit.
    played: Vec<u8>,
    /// The round in which a game in this slot ended last; 0 at the beginning of a unit.
    last_end: u32,
}

/// Games that are searched together.
pub struct GameGroup {
    /// Search `i` belongs to the game in slot `i` of `games`.
    pub(super) batch: SearchBatch<Backgammon>,
    games: Vec<ActiveGame>,
    /// The number of games of this unit: the first of `games`.
    playing: usize,
    scratch: Scratch,
    /// Rounds of all searches since the unit began.
    round: u32,
    pub(super) counts: SelfPlayCounts,
    /// The policy of one turn: the share of each play in the search's visits, or Gumbel AlphaZero's improved
    /// policy.
    policy: Vec<f32>,
    /// A buffer for [`Sample::new`], which sorts plays in it.
    order: Vec<u16>,
}

impl GameGroup {
    /// A group of up to `games` games, without any yet.
    pub fn new(context: &Context, games: usize) -> Self {
        let Context { settings, streams, network } = context;
        let game = |_| ActiveGame {
            // Replaced by a game and its roll when a unit begins.
            state: GameState::new(0),
            dice: Dice::ALL[0],
            turns_left: 0,
            played: Vec::with_capacity(INITIAL_BYTES_PER_TURN * settings.turns.min(MAX_HORIZON) as usize),
            last_end: 0,
        };
        Self {
            batch: SearchBatch::new(
                &Backgammon,
                games,
                settings.search_options(streams.search()),
                embedding_size(&network.plan),
                CACHE_BITS,
            ),
            games: (0..games).map(game).collect(),
            playing: 0,
            scratch: Scratch::new(&network.plan),
            round: 0,
            counts: SelfPlayCounts::default(),
            policy: Vec::with_capacity(INITIAL_PLAYS),
            order: Vec::with_capacity(INITIAL_PLAYS),
        }
    }

    /// Begins a unit of these games, at most as many as the group was made for. The weights have changed
    /// since the last one, so no tree is kept.
    pub fn begin_unit(&mut self, context: &Context, games: impl IntoIterator<Item = GameState>) {
        self.batch.set_options(context.settings.search_options(context.streams.search()));
        self.batch.clear();
        self.counts = SelfPlayCounts::default();
        self.round = 0;
        self.playing = 0;
        for (i, state) in games.into_iter().take(self.games.len()).enumerate() {
            self.playing = i + 1;
            let game = &mut self.games[i];
            game.state = state;
            game.turns_left = context.settings.turns;
            game.played.clear();
            game.last_end = 0;
            self.roll(context.streams, i);
            let (turn, index) = (self.turn(i), self.games[i].search_index());
            self.set_effort(context, i);
            self.batch.begin(&Backgammon, i, turn, index);
            self.play_forced_turns(context, i);
        }
    }

    /// The position and roll of the game in slot `i`.
    fn turn(&self, i: usize) -> Turn {
        Turn { board: self.games[i].state.board, dice: self.games[i].dice }
    }

    /// Rolls the dice of the current turn in slot `i`.
    fn roll(&mut self, streams: &Streams, i: usize) {
        let game = &mut self.games[i];
        game.dice = streams.roll(game.state.number, game.state.turns.into());
    }

    /// Sets the number of simulations and the noise of the next search in slot `i`.
    fn set_effort(&mut self, context: &Context, i: usize) {
        let (simulations, noise) = context.settings.effort(self.games[i].has_full_search(context));
        self.batch.set_effort(i, simulations, noise);
    }

    /// Runs at most `rounds` rounds of all searches, and plays the turns whose searches are complete. Returns
    /// whether turns of this unit remain to be played.
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

    /// Plays the turns whose searches are complete. Returns whether turns of this unit remain to be played.
    pub(super) fn play_searched_turns(&mut self, context: &Context) -> bool {
        self.round += 1;
        let mut turns_remain = false;
        for i in 0..self.playing {
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
        let turn_number = u64::from(game.state.turns);
        let u = context.streams.plays.uniform(game.state.number, turn_number);
        let play = match context.settings.temperature_at(turn_number) {
            0.0 => root.best(),
            temperature => sample_play(&self.policy, temperature, u),
        };
        let afterstate = root.plays()[play];
        let rules = context.rules();
        let has_policy_target = rules.has_policy_target(game.state.number, turn_number);
        let policy = if has_policy_target { &self.policy[..] } else { &[] };
        let mut sample = Sample::new(turn, policy, &mut self.order);
        if context.settings.search_values {
            // The value of the play that was made; if it has no visits, that of the root.
            sample.set_search_value(root.value_of(play).or(root.value()));
        }
        write_turn(&rules, &game.state, &sample, root.plays().len(), play, &mut game.played);
        game.turns_left -= 1;
        self.counts.turns_played += 1;
        let end = points_after(&afterstate);
        match end {
            Some(points) => {
                write_end(self.round, game.last_end, &mut game.played);
                game.last_end = self.round;
                self.counts.games += 1;
                self.counts.turns += turn_number + 1;
                self.counts.gammons += u64::from(points > 1);
                game.state = game.state.next(context.settings.games);
            }
            None => {
                game.state.board = afterstate;
                game.state.turns += 1;
            }
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

    /// The turns of this unit, game by game; see `turns.rs`.
    pub fn played(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        self.games[..self.playing].iter().map(|game| &game.played[..])
    }

    /// The games as they are now.
    pub fn games(&self) -> impl ExactSizeIterator<Item = GameState> {
        self.games[..self.playing].iter().map(|game| game.state)
    }

    /// Statistics of this unit.
    pub fn counts(&self) -> &SelfPlayCounts {
        &self.counts
    }

    /// The number of turns that all games still have to play in this unit.
    pub fn turns_left(&self) -> u32 {
        self.games[..self.playing].iter().map(|game| game.turns_left).sum()
    }

    /// For each game with turns left in this unit: the position and roll of its current turn, and the number
    /// of that turn in the game. The others have no roll yet; theirs is that of the turn before.
    pub fn turns(&self) -> impl Iterator<Item = (Turn, u32)> {
        (0..self.playing).map(|i| (self.turn(i), self.games[i].state.turns))
    }
}

impl ActiveGame {
    /// Whether the current turn has a full search.
    fn has_full_search(&self, context: &Context) -> bool {
        context.streams.has_full_search(context.settings, self.state.number, self.state.turns.into())
    }

    /// The index of the current turn's search among all of the run, which selects its random numbers.
    fn search_index(&self) -> u64 {
        search_index(self.state.number, self.state.turns.into())
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
    // Inversion of the cumulative distribution. If rounding leaves the sum too small, the last play with a
    // positive probability is taken.
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
