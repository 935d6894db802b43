//! Games that the learner plays against itself, many at a table, a table a thread.
//!
//! Every game has its seat, its number, and dice of its own by that number, so what happens at a table depends on
//! nothing else. All games of a table search together: the network sees a row of each. Trees last for a unit; what a
//! play and the dice lead to is kept from turn to turn.

use learnery_kernels::rng::Stream;
use learnery_lab::LabError;
use learnery_nn::Tensors;
use learnery_search::{Backgammon, Evaluator, Game as _, MAX_POINTS, SearchBatch, SearchCounts, Turn};
use learnery_worlds::backgammon::{Board, Dice};

use super::config::Dials;
use super::judge::{Judge, Network, ROWS, Work, outcomes, see};
use super::sample::{self, MOST_PLAYS, Sample};
use crate::outcomes::Outcomes;

/// Games at a table: rows that go through the network together.
pub const SEATS: usize = 64;
/// Answers of the network that a table remembers: none, since one state in four hundred comes up again.
const CACHE: Option<u32> = None;
/// Turns after which the record of a game has to grow.
const LONG: usize = 400;
/// Turns for each seat of the games that end in a unit, after which their record has to grow.
const TURNS: usize = 128;

/// Streams of random numbers.
#[derive(Clone, Copy)]
pub struct Luck {
    /// Dice.
    pub dice: Stream,
    /// Everything in a search.
    pub search: Stream,
    /// Which play is drawn.
    pub plays: Stream,
}

/// What was played, added up.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tally {
    /// Turns that were made.
    pub made: u64,
    /// Games that ended.
    pub games: u64,
    /// Their turns.
    pub turns: u64,
    /// Those won with a gammon or a backgammon.
    pub gammons: u64,
    /// What the searches did.
    pub counts: SearchCounts,
}

impl Tally {
    /// Adds another.
    pub fn add(&mut self, other: &Self) {
        self.made += other.made;
        self.games += other.games;
        self.turns += other.turns;
        self.gammons += other.gammons;
        self.counts += other.counts;
    }
}

impl Tally {
    /// What was played since there was only `before`.
    #[must_use]
    pub fn since(&self, before: &Self) -> Self {
        let (now, then) = (self.counts, before.counts);
        Self {
            made: self.made - before.made,
            games: self.games - before.games,
            turns: self.turns - before.turns,
            gammons: self.gammons - before.gammons,
            counts: SearchCounts {
                values: now.values - then.values,
                policies: now.policies - then.policies,
                cache_hits: now.cache_hits - then.cache_hits,
                simulations: now.simulations - then.simulations,
            },
        }
    }
}

/// A game that goes on.
struct Seat {
    /// Which of all games.
    number: u64,
    board: Board,
    /// The turns so far.
    record: Vec<Sample>,
    /// Turns to go in this unit.
    left: u32,
    /// What was thrown for the turn that is searched.
    dice: Dice,
}

/// Games that are searched together.
pub struct Table {
    batch: SearchBatch<Backgammon>,
    seats: Vec<Seat>,
    /// Games played side by side, at all tables: the next game of a seat is so many on.
    all: u64,
    work: Work,
    /// The turns of the games that ended in this unit.
    finished: Vec<Sample>,
    tally: Tally,
    policy: Vec<f32>,
    order: Vec<u16>,
    /// What the network says of the turns of a game.
    told: Vec<Outcomes>,
}

impl Table {
    /// Seats for games `first` to `first + seats` of `all`, all about to begin.
    pub fn new(dials: &Dials, network: &Network, luck: &Luck, first: u64, seats: usize, all: u64) -> Self {
        let mut work = Work::new(&network.plan);
        let judge = Judge { plan: &network.plan, weights: &network.weights, work: &mut work };
        let kept = judge.embedding_size();
        let seat = |i| Seat {
            number: first + i,
            board: Board::START,
            record: Vec::with_capacity(LONG),
            left: 0,
            dice: Dice::ALL[0],
        };
        Self {
            batch: SearchBatch::new(&Backgammon, seats, dials.options(luck.search), kept, CACHE),
            seats: (0..seats as u64).map(seat).collect(),
            all,
            work,
            finished: Vec::with_capacity(TURNS * seats),
            tally: Tally::default(),
            policy: Vec::with_capacity(MOST_PLAYS),
            order: Vec::with_capacity(MOST_PLAYS),
            told: Vec::with_capacity(LONG),
        }
    }

    /// Begins a unit, for which the network has changed.
    pub fn begin(&mut self, dials: &Dials, luck: &Luck, network: &Network) {
        self.batch.set_options(dials.options(luck.search));
        self.batch.clear();
        self.finished.clear();
        self.tally = Tally::default();
        for i in 0..self.seats.len() {
            self.seats[i].left = dials.turns;
            self.throw(luck, i);
            let (turn, index) = (self.turn(i), self.seats[i].index());
            self.batch.begin(&Backgammon, i, turn, index);
            self.play_what_needs_no_search(dials, luck, network, i);
        }
    }

    fn turn(&self, i: usize) -> Turn {
        Turn { board: self.seats[i].board, dice: self.seats[i].dice }
    }

    fn throw(&mut self, luck: &Luck, i: usize) {
        let seat = &mut self.seats[i];
        seat.dice = Dice::for_turn(luck.dice, seat.number, seat.record.len() as u64);
    }

    /// Lets all games go on for so many rounds of the search. Returns whether there is more to do in this unit.
    pub fn go_on(&mut self, dials: &Dials, luck: &Luck, network: &Network, rounds: u32) -> bool {
        for _ in 0..rounds {
            let mut judge = Judge { plan: &network.plan, weights: &network.weights, work: &mut self.work };
            self.batch.round(&Backgammon, &mut judge);
            let mut more = false;
            for i in 0..self.seats.len() {
                if self.seats[i].left > 0 && !self.batch.busy(i) {
                    self.play(dials, luck, network, i);
                    self.play_what_needs_no_search(dials, luck, network, i);
                }
                more |= self.seats[i].left > 0;
            }
            if !more {
                self.tally.counts += self.batch.take_counts();
                return false;
            }
        }
        self.tally.counts += self.batch.take_counts();
        true
    }

    /// Turns with one play, until there is something to choose.
    fn play_what_needs_no_search(&mut self, dials: &Dials, luck: &Luck, network: &Network, i: usize) {
        while self.seats[i].left > 0 && !self.batch.busy(i) {
            self.play(dials, luck, network, i);
        }
    }

    /// Makes a play and begins the next turn.
    fn play(&mut self, dials: &Dials, luck: &Luck, network: &Network, i: usize) {
        let turn = self.turn(i);
        let root = self.batch.root(i);
        self.policy.resize(root.plays().len(), 0.0);
        root.policy(&mut self.policy);
        let seat = &mut self.seats[i];
        let number = seat.record.len() as u64;
        let u = luck.plays.uniform(seat.number, number);
        let play = match dials.temperature_at(number) {
            0.0 => root.best(),
            temperature => drawn(&self.policy, temperature, u),
        };
        let left = root.plays()[play];
        seat.record.push(Sample::new(turn, &self.policy, &mut self.order));
        seat.left -= 1;
        self.tally.made += 1;
        let end = Backgammon.terminal_value(&left);
        match end {
            Some(value) => self.finish(dials, network, i, (value * MAX_POINTS).round() as i8),
            None => self.seats[i].board = left,
        }
        if self.seats[i].left == 0 {
            return;
        }
        self.throw(luck, i);
        let (turn, index) = (self.turn(i), self.seats[i].index());
        match end {
            Some(_) => self.batch.begin(&Backgammon, i, turn, index),
            None => self.batch.begin_after(&Backgammon, i, play, turn.dice.index(), index),
        }
    }

    /// Closes a game that was won with so many points by the side that played last. What came of its turns are lambda
    /// returns (Sutton, 1988): how it ended, mixed with what the network says of the turns on the way there.
    fn finish(&mut self, dials: &Dials, network: &Network, i: usize, points: i8) {
        let Self { seats, work, told, .. } = self;
        let seat = &mut seats[i];
        told.clear();
        if dials.lambda < 1.0 {
            let mut judge = Judge { plan: &network.plan, weights: &network.weights, work };
            for samples in seat.record.chunks(ROWS) {
                let rows = judge.work.rows();
                samples.iter().zip(rows).for_each(|(sample, row)| see(&sample.turn, row));
                judge.run(samples.len());
                told.extend(judge.told(samples.len()));
            }
        }
        let mut came = Outcomes(outcomes(points));
        for mut sample in seat.record.drain(..).rev() {
            sample.close(&came);
            self.finished.push(sample);
            self.tally.turns += 1;
            // The turn before was the other side's.
            came = told.pop().map_or(came, |told| came.mixed(dials.lambda, &told)).flipped();
        }
        self.tally.games += 1;
        self.tally.gammons += u64::from(points > 1);
        seat.number += self.all;
        seat.board = Board::START;
    }

    /// The turns of the games that ended in this unit, and what was played.
    pub fn harvest(&self) -> (&[Sample], &Tally) {
        (&self.finished, &self.tally)
    }

    /// Turns to go in this unit.
    pub fn turns_left(&self) -> u32 {
        self.seats.iter().map(|seat| seat.left).sum()
    }

    /// The game at a seat.
    #[cfg(test)]
    pub fn number(&self, i: usize) -> u64 {
        self.seats[i].number
    }

    /// Turns as they are, for whoever watches: of each seat, with its number in the game.
    pub fn turns(&self) -> impl Iterator<Item = (Turn, u32)> {
        (0..self.seats.len()).map(|i| (self.turn(i), self.seats[i].record.len() as u32))
    }

    /// What is under way, between two units.
    pub fn to_tensors(&self) -> Tensors {
        let numbers: Vec<u64> = self.seats.iter().map(|seat| seat.number).collect();
        let lengths: Vec<u64> = self.seats.iter().map(|seat| seat.record.len() as u64).collect();
        let boards: Vec<u64> = self
            .seats
            .iter()
            .flat_map(|seat| {
                let (own, other) = seat.board.key();
                [own, own >> 64, other, other >> 64].map(|half| half as u64)
            })
            .collect();
        let records: Vec<&Sample> = self.seats.iter().flat_map(|seat| &seat.record).collect();
        let mut tensors = Tensors::new();
        tensors.insert("numbers", &[numbers.len()], &numbers);
        tensors.insert("lengths", &[lengths.len()], &lengths);
        tensors.insert("boards", &[boards.len()], &boards);
        tensors.absorb("records/", sample::to_tensors(records.into_iter()));
        tensors
    }

    /// Puts back what [`Table::to_tensors`] gave.
    pub fn restore(&mut self, tensors: &Tensors) -> Result<(), LabError> {
        let broken = || LabError::Checkpoint("it holds a game that cannot be under way".into());
        let n = self.seats.len();
        let numbers: Vec<u64> = tensors.get("numbers", &[n])?;
        let lengths: Vec<u64> = tensors.get("lengths", &[n])?;
        let boards: Vec<u64> = tensors.get("boards", &[4 * n])?;
        let records = sample::from_tensors(&tensors.under("records/"))?;
        let mut rest = &records[..];
        for (i, seat) in self.seats.iter_mut().enumerate() {
            let length = usize::try_from(lengths[i]).map_err(|_| broken())?;
            let (record, after) = rest.split_at_checked(length).ok_or_else(broken)?;
            rest = after;
            seat.record.clear();
            seat.record.extend_from_slice(record);
            if numbers[i] % self.all != seat.number % self.all {
                return Err(broken());
            }
            seat.number = numbers[i];
            let side = |k: usize| u128::from(boards[4 * i + k]) | u128::from(boards[4 * i + k + 1]) << 64;
            let board = Board::from_key((side(0), side(2))).map_err(|_| broken())?;
            if board.result().is_some() || board.key() != (side(0), side(2)) {
                return Err(broken());
            }
            seat.board = board;
        }
        if rest.is_empty() { Ok(()) } else { Err(broken()) }
    }
}

impl Seat {
    /// Which of all searches the next is.
    fn index(&self) -> u64 {
        /// No game has so many turns.
        const MOST: u64 = 1 << 20;
        self.number * MOST + self.record.len() as u64
    }
}

/// The play for a number `u` in [0, 1), drawn by the policy raised to one over the temperature.
fn drawn(policy: &[f32], temperature: f32, u: f32) -> usize {
    let most = policy.iter().copied().fold(0.0, f32::max);
    let weight = |p: f32| match temperature {
        1.0 => p,
        t => (p / most).powf(1.0 / t),
    };
    let sum: f32 = policy.iter().map(|p| weight(*p)).sum();
    let mut below = 0.0;
    let mut last = 0;
    for (play, p) in policy.iter().enumerate().filter(|(_, p)| **p > 0.0) {
        below += weight(*p);
        last = play;
        if u * sum < below {
            break;
        }
    }
    last
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plays_are_drawn_by_their_shares() {
        let policy = [0.0, 0.5, 0.125, 0.375, 0.0];
        for (u, play) in [(0.0, 1), (0.49, 1), (0.51, 2), (0.62, 2), (0.63, 3), (0.9999999, 3)] {
            assert_eq!(drawn(&policy, 1.0, u), play, "{u}");
        }
        // The colder, the more the best has.
        let count =
            |temperature| (0..1000).filter(|i| drawn(&policy, temperature, *i as f32 / 1000.0) == 1).count();
        assert!(
            (count(1.0), count(0.5)) == (500, 616) && count(0.05) > 990,
            "{} {}",
            count(0.5),
            count(0.05)
        );
    }
}
