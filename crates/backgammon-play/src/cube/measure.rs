//! Measures how games of an evaluator end, for the match equity table.
//!
//! Games are played without the cube, of four kinds. In the first, for money, both sides gain by gammons. In
//! the others only the first side does, at three prices of a gammon ([`GAMMON_PRICES`]), as in a match whose
//! other side needs one point. Each game has dice of its own, and the sides begin in turn.

use learnery_kernels::rng::Stream;
use learnery_worlds::backgammon::{Board, Dice, Plays};
use rayon::prelude::*;

use super::rates::{GAMMON_PRICES, MeasuredRates, Rates, SWING_GROUPS};
use crate::Evaluator;
use crate::outcomes::Outcomes;
use crate::purpose;

/// Games that a thread plays at a time. Chunks are fixed, so the result does not depend on threads.
const GAMES_PER_CHUNK: u64 = 8;
/// A game that takes more turns is given up and not counted, because some games might never end.
const MAX_TURNS: u64 = 4096;

/// The number of kinds: money, then one for each price.
const KINDS: usize = 1 + GAMMON_PRICES.len();

/// A measurement, complete or under way. Games are numbered and a number determines its dice, so how the work
/// is divided changes no result.
pub struct RatesMeasurement {
    /// Games of each kind when the measurement is complete.
    games: u64,
    stream: Stream,
    /// Games of each kind that have been played.
    played: u64,
    counts: [Counts; KINDS],
    opening_swings: [f64; SWING_GROUPS],
}

impl RatesMeasurement {
    /// A measurement by `games` games of each kind, none of which is played yet.
    pub fn new(evaluator: &impl Evaluator, seed: u32, games: u64) -> Self {
        Self {
            games,
            stream: Stream::new(seed, purpose::RATES),
            played: 0,
            counts: [Counts::default(); KINDS],
            opening_swings: opening_swings(evaluator),
        }
    }

    /// Games of each kind that have been played.
    pub fn played(&self) -> u64 {
        self.played
    }

    /// Whether all games are played.
    pub fn is_finished(&self) -> bool {
        self.played == self.games
    }

    /// Plays the next games of each kind, at most `most`, on all threads of the pool. `stop` is asked before
    /// each turn: once it answers true, the games of this step do not count.
    pub fn step(&mut self, evaluator: &impl Evaluator, most: u64, stop: &(dyn Fn() -> bool + Sync)) {
        let end = self.games.min(self.played.saturating_add(most));
        let mut added = [Counts::default(); KINDS];
        for (kind, counts) in (0..).zip(&mut added) {
            // The first kind is money, where a gammon has the price 1/2 for both sides.
            let prices = match kind {
                0 => [0.5, 0.5],
                one_sided => [GAMMON_PRICES[one_sided as usize - 1] as f32, 0.0],
            };
            // Each kind has numbers, and so dice, of its own.
            let first = kind * self.games;
            *counts = play_games(evaluator, self.stream, first + self.played..first + end, prices, stop);
        }
        if !stop() {
            self.counts.iter_mut().zip(added).for_each(|(counts, added)| counts.add(added));
            self.played = end;
        }
    }

    /// The rates by the games that are played; `None` before the first.
    pub fn rates(&self) -> Option<MeasuredRates> {
        let [money, one_sided @ ..] = &self.counts;
        if self.counts.iter().any(|counts| counts.games == 0) {
            return None;
        }
        // Both sides are equal, so the mean of the two has less noise than one of them. The arguments are the
        // indices in `Counts::occurred` of what the first side won and of what it lost.
        let mean = |won: usize, lost: usize| {
            (money.occurred[won] + money.occurred[lost]) as f64 / (2.0 * money.games as f64)
        };
        Some(MeasuredRates {
            money: Rates { win: 0.5, gammon: mean(1, 3), backgammon: mean(2, 4) },
            one_sided: one_sided.each_ref().map(Counts::first_side),
            opening_swings: self.opening_swings,
        })
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    games: u64,
    /// Games that the first side won, with a gammon, a backgammon; those it lost with a gammon, a backgammon.
    occurred: [u64; 5],
}

impl Counts {
    fn add(&mut self, other: Self) {
        self.games += other.games;
        self.occurred.iter_mut().zip(other.occurred).for_each(|(sum, n)| *sum += n);
    }

    fn first_side(&self) -> Rates {
        let rate = |i: usize| self.occurred[i] as f64 / self.games as f64;
        Rates { win: rate(0), gammon: rate(1), backgammon: rate(2) }
    }
}

/// Plays games in which the sides have these prices of gammons, until `stop` answers true.
fn play_games(
    evaluator: &impl Evaluator,
    stream: Stream,
    numbers: std::ops::Range<u64>,
    prices: [f32; 2],
    stop: &(dyn Fn() -> bool + Sync),
) -> Counts {
    let starts: Vec<u64> = numbers.clone().step_by(GAMES_PER_CHUNK as usize).collect();
    let counts: Vec<Counts> = starts
        .into_par_iter()
        .with_max_len(1)
        .map(|start| {
            let (mut scratch, mut plays, mut values) = (evaluator.scratch(), Plays::new(), Vec::new());
            let mut counts = Counts::default();
            for number in start..(start + GAMES_PER_CHUNK).min(numbers.end) {
                let mut board = Board::START;
                let first = number % 2;
                for turn in (0..MAX_TURNS).take_while(|_| !stop()) {
                    let side = ((first + turn) % 2) as usize;
                    plays.find(&board, Dice::for_turn(stream, number, turn));
                    evaluator.values_of_plays(&board, &plays, &mut scratch, &mut values);
                    // The values belong to the other side.
                    let choice = lowest(&values, prices[1 - side], prices[side]);
                    board = plays.get(choice);
                    let Some(win) = board.other_won() else { continue };
                    let points = if side == 0 { win.points() } else { -win.points() };
                    let occurred = Outcomes::from_points(points as i8).0;
                    counts.games += 1;
                    counts.occurred.iter_mut().zip(occurred).for_each(|(n, p)| *n += u64::from(p > 0.5));
                    break;
                }
            }
            counts
        })
        .collect();
    counts.into_iter().fold(Counts::default(), |mut sum, counts| {
        sum.add(counts);
        sum
    })
}

/// The index of the lowest value for a side whose gammons have the price `own_price`, and those of the other
/// side `other_price`.
fn lowest(values: &[Outcomes], own_price: f32, other_price: f32) -> usize {
    let worth = |value: &Outcomes| {
        let [win, gammon, backgammon, lost_gammon, lost_backgammon] = value.0;
        win + own_price * (gammon + backgammon) - other_price * (lost_gammon + lost_backgammon)
    };
    let worths: Vec<f32> = values.iter().map(worth).collect();
    (0..worths.len()).fold(0, |best, i| if worths[i] < worths[best] { i } else { best })
}

/// How far the first rolls move a side's chance to win until it may double for the first time: before its
/// first roll if the other side begins, before its second if it begins itself.
fn opening_swings(evaluator: &impl Evaluator) -> [f64; SWING_GROUPS] {
    let mut scratch = evaluator.scratch();
    // Chances to win, and their weights. For each opening roll both cases weigh the same, 18: in the second
    // one there is an entry for each of the 21 rolls, and half of their 36 ways is 18.
    let mut chances: Vec<(f64, f64)> = Vec::new();
    for opening in Dice::ALL.into_iter().filter(|dice| !dice.is_double()) {
        let (board, value) = best_play(evaluator, &mut scratch, &Board::START, opening);
        // The other side began: this side is on roll now.
        chances.push((f64::from(value.0[0]), 18.0));
        for dice in Dice::ALL {
            let (_, value) = best_play(evaluator, &mut scratch, &board, dice);
            chances.push((f64::from(value.0[0]), f64::from(dice.ways()) / 2.0));
        }
    }
    chances.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    let total: f64 = chances.iter().map(|(_, weight)| weight).sum();
    let mean = chances.iter().map(|(chance, weight)| chance * weight).sum::<f64>() / total;
    let (group, mut sums, mut before) = (total / SWING_GROUPS as f64, [0.0; SWING_GROUPS], 0.0);
    for (chance, weight) in chances {
        // A chance whose weight crosses the border of a group is divided between the groups.
        let end = before + weight;
        for (i, sum) in sums.iter_mut().enumerate() {
            let from = (group * i as f64).max(before);
            let to = (group * (i + 1) as f64).min(end);
            *sum += (to - from).max(0.0) * (chance - mean) / group;
        }
        before = end;
    }
    sums
}

/// The board after the best play for money, and its value for the side that rolls next.
fn best_play<E: Evaluator>(
    evaluator: &E,
    scratch: &mut E::Scratch,
    board: &Board,
    dice: Dice,
) -> (Board, Outcomes) {
    let (mut plays, mut values) = (Plays::new(), Vec::new());
    plays.find(board, dice);
    evaluator.values_of_plays(board, &plays, scratch, &mut values);
    let choice = lowest(&values, 0.5, 0.5);
    (plays.get(choice), values[choice])
}
