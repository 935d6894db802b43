//! A table: up to [`GAMES_PER_GROUP`](super::self_play::GAMES_PER_GROUP) self-play games with their records,
//! as the learner keeps them. At the end of a unit it replays what was played, and sets the targets of the
//! games that ended.

use learnery_backgammon_play::game::MAX_POINTS;
use learnery_backgammon_play::outcomes::Outcomes;
use learnery_lab::LabError;
use learnery_nn::Tensors;
use learnery_worlds::backgammon::{Board, Plays};

use super::network::{
    NetworkEvaluator, ROWS_PER_PASS, Scratch, encode_before_roll, encode_turn, policy_head,
};
use super::sample::{self, Sample};
use super::self_play::Context;
use super::self_play_counts::SelfPlayCounts;
use super::turns::{GameState, PlayedTurn, replay};

/// Initial capacity of a game's record, in turns. Few games are so long.
const RECORD_CAPACITY: usize = 400;
/// Initial capacity for the samples of the games that end in a unit, for each game of the table. It grows if
/// it must.
const FINISHED_CAPACITY_PER_GAME: usize = 128;

/// A game with a sample for each of its turns.
struct RecordedGame {
    state: GameState,
    record: Vec<Sample>,
}

/// The games.
pub struct Table {
    games: Vec<RecordedGame>,
    /// Samples of the games that ended in the last unit, in the order in which they ended, each in reverse
    /// order of its turns.
    finished: Vec<Sample>,
    /// Counts of the last unit.
    counts: SelfPlayCounts,
    endings: Endings,
    plays: Plays,
}

/// The games that end in a unit.
struct Endings {
    /// Their samples with targets, each game in reverse order of its turns.
    samples: Vec<Sample>,
    /// In the order of the rounds of searches in which games end, and in a round in that of their slots: so
    /// the order does not depend on how games are divided into tables.
    ends: Vec<Ending>,
    scratch: Scratch,
    /// The values of the turns of one game.
    values: Vec<Outcomes>,
}

#[derive(Clone, Copy)]
struct Ending {
    /// The round of searches within the unit.
    round: u32,
    slot: usize,
    /// Where its samples begin in [`Endings::samples`], and their number: one for each turn of the game.
    first: usize,
    turns: usize,
}

impl Table {
    /// New games with the numbers from `first` to before `first + games`.
    pub fn new(context: &Context, first: u64, games: usize) -> Self {
        let game = |i| RecordedGame {
            state: GameState::new(first + i),
            record: Vec::with_capacity(RECORD_CAPACITY),
        };
        let finished = FINISHED_CAPACITY_PER_GAME * games;
        Self {
            games: (0..games as u64).map(game).collect(),
            finished: Vec::with_capacity(finished),
            counts: SelfPlayCounts::default(),
            endings: Endings {
                samples: Vec::with_capacity(finished),
                ends: Vec::with_capacity(games),
                scratch: Scratch::for_values(&context.network.plan),
                values: Vec::with_capacity(RECORD_CAPACITY),
            },
            plays: Plays::new(),
        }
    }

    pub fn len(&self) -> usize {
        self.games.len()
    }

    /// The games as they are between two units.
    pub fn games(&self) -> impl ExactSizeIterator<Item = GameState> {
        self.games.iter().map(|game| game.state)
    }

    /// Takes the turns of a unit: for each game, in the order of slots, bytes that [`replay`] accepts. The
    /// network of `context` must be the one that played, because targets use its values.
    pub fn take<'a>(&mut self, context: &Context, turns: impl IntoIterator<Item = &'a [u8]>) {
        let Self { games, finished, counts, endings, plays } = self;
        *counts = SelfPlayCounts::default();
        endings.samples.clear();
        endings.ends.clear();
        for (slot, (game, turns)) in games.iter_mut().zip(turns).enumerate() {
            let RecordedGame { state, record } = game;
            let visit = |turn: &PlayedTurn| {
                counts.turns_played += 1;
                record.push(turn.sample);
                if let Some(end) = turn.end {
                    counts.games += 1;
                    counts.turns += record.len() as u64;
                    counts.gammons += u64::from(end.points > 1);
                    endings.finish(context, slot, end.round, end.points, record);
                }
                Ok(())
            };
            let Ok(after) = replay(&context.rules(), *state, turns, plays, visit) else {
                unreachable!("turns of our own, or that were checked")
            };
            *state = after;
        }
        finished.clear();
        for end in &endings.ends {
            finished.extend_from_slice(&endings.samples[end.first..][..end.turns]);
        }
    }

    /// Samples of the games that ended in the last unit.
    pub fn finished(&self) -> &[Sample] {
        &self.finished
    }

    /// Statistics of the last unit, without those of the searches.
    pub fn counts(&self) -> &SelfPlayCounts {
        &self.counts
    }

    /// Saves the games in progress.
    pub fn to_tensors(&self) -> Tensors {
        let numbers: Vec<u64> = self.games().map(|game| game.number).collect();
        let lengths: Vec<u64> = self.games.iter().map(|game| game.record.len() as u64).collect();
        let boards: Vec<u64> = self
            .games()
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

    /// Restores what [`Table::to_tensors`] saved. The numbers of the games are checked by `finished_games` of
    /// the learner.
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
            let turns = u32::try_from(length).map_err(|_| impossible())?;
            // Each side's key is two numbers, the low half first.
            let side = |k: usize| u128::from(boards[4 * i + k]) | u128::from(boards[4 * i + k + 1]) << 64;
            let board = Board::from_key((side(0), side(2))).map_err(|_| impossible())?;
            // `from_key` ignores the key's number of checkers borne off and computes it, so a key with a
            // wrong one differs from that of its board.
            if board.result().is_some() || board.key() != (side(0), side(2)) {
                return Err(impossible());
            }
            game.state = GameState { number: numbers[i], board, turns };
        }
        if rest.is_empty() { Ok(()) } else { Err(impossible()) }
    }
}

impl Endings {
    /// Sets the targets of a finished game, whose record it empties. `points` is the result for the side that
    /// made the last play, and positive. Targets are lambda returns (Sutton, 1988): the result, mixed with
    /// the values of the later turns. Each target is seen from the side on roll.
    fn finish(&mut self, context: &Context, slot: usize, round: u32, points: i8, record: &mut Vec<Sample>) {
        let lambda = context.settings.lambda;
        self.values.clear();
        if lambda < 1.0 {
            self.compute_values_of_turns(context, record);
        }
        let ending = Ending { round, slot, first: self.samples.len(), turns: record.len() };
        let at = self.ends.partition_point(|other| (other.round, other.slot) <= (round, slot));
        self.ends.insert(at, ending);
        // From the last turn, whose target is the result, to the first. `values` is empty if lambda is 1.
        let mut target = Outcomes::from_points(points);
        for mut sample in record.drain(..).rev() {
            sample.set_target(&target);
            self.samples.push(sample);
            // In the turn before, the other side was on roll.
            target = self.values.pop().map_or(target, |value| target.mixed(lambda, &value)).flipped();
        }
    }

    /// Computes the values of the turns of a game: the outcomes that the network expects. Where
    /// `search_values` is set and a turn was searched, they are shifted to the equity of the search.
    fn compute_values_of_turns(&mut self, context: &Context, record: &[Sample]) {
        let Self { scratch, values, .. } = self;
        let Context { settings, network, .. } = context;
        let evaluates_only_after_roll = policy_head(&network.plan).is_some();
        let search_value = |sample: &Sample| sample.search_value().filter(|_| settings.search_values);
        let mut evaluator = NetworkEvaluator { plan: &network.plan, weights: &network.weights, scratch };
        for samples in record.chunks(ROWS_PER_PASS) {
            for (sample, row) in samples.iter().zip(evaluator.scratch.rows()) {
                // The value before the roll is the better target, because it does not vary with the roll. But
                // a network with a policy knows only positions with a roll, as a search does.
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
}
