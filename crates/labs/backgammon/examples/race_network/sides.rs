//! The checkers of one side of a race, and where races begin in games of the shipped network.

use std::ops::Range;

use learnery_backgammon::networks::TrainedNetwork;
use learnery_backgammon::one_sided::{FIRST_FAR, LAST_HOME, Side, highest, pips_beyond};
use learnery_backgammon_play::Evaluator;
use learnery_backgammon_play::outcomes::Outcomes;
use learnery_kernels::rng::Stream;
use learnery_worlds::backgammon::{Board, Dice, Plays};
use rayon::prelude::*;

use crate::{DICE, NOISE, SEED, SIDES};

/// The scales in points of the Gumbel noise that the equity of each play gets. Games take them in turn.
const NOISE_SCALES: [f32; 4] = [0.0, 0.05, 0.1, 0.2];
/// Games are given up after this many turns, because some might never end.
const MAX_TURNS: u64 = 300;
/// How often each side of a race plays on alone, each time with other dice.
const REPEATS: u64 = 4;
/// How many plays of a roll are kept: those best by the adjusted pip count, by the pips to the home board, by
/// the pips to leave the opponent's.
const MAX_KEPT: [usize; 3] = [10, 6, 3];
/// The probability of a random one of the kept plays is one in this many.
const RANDOM_ONE_IN: u32 = 3;
/// The probability that a side alone stops in a turn once all its checkers are at home is one in this many.
/// The bear-off table knows such sides exactly, so few of them are needed.
const STOP_ONE_IN: u32 = 4;
/// A side alone stops at home in any case after this many turns.
const LAST_TURN_AT_HOME: u64 = 12;
/// How much a pip outside weighs beside waste at home.
const OUTSIDE_WEIGHT: i32 = 8;

/// A pip count that punishes waste in the bear-off, after Tom Keith's.
fn adjusted_pips(side: &Side) -> i32 {
    let beyond = |point: usize, n: u8| i32::from(side[point].saturating_sub(n));
    let gaps = (4..=6).filter(|point| side[*point] == 0).count() as i32;
    pips_beyond(side, 0) as i32 + 2 * beyond(1, 1) + beyond(2, 1) + beyond(3, 3) + gaps
}

/// The plays of each roll for a side alone, as the sides that they lead to. Of many plays only some that
/// rules of thumb like are kept.
#[derive(Default)]
pub struct SidePlays {
    plays: Plays,
    ranked: Vec<(i32, Side)>,
    pub sides: Vec<Side>,
}

impl SidePlays {
    pub fn find(&mut self, side: &Side, dice: Dice) {
        let board = Board::new(side, &[0; 26]).expect("at most fifteen checkers, nobody in the way");
        self.plays.find(&board, dice);
        self.sides.clear();
        // After a play the board is seen from the opponent.
        let all = self.plays.iter().map(|after| after.other_places());
        if self.plays.len() <= MAX_KEPT.iter().sum() {
            self.sides.extend(all);
            return;
        }
        let all: Vec<Side> = all.collect();
        let scores: [&dyn Fn(&Side) -> i32; 3] = [
            &adjusted_pips,
            &|side| pips_beyond(side, LAST_HOME) as i32 * OUTSIDE_WEIGHT + adjusted_pips(side),
            &|side| {
                pips_beyond(side, FIRST_FAR - 1) as i32 * OUTSIDE_WEIGHT + pips_beyond(side, LAST_HOME) as i32
            },
        ];
        for (score, kept) in scores.iter().zip(MAX_KEPT) {
            self.ranked.clear();
            self.ranked.extend(all.iter().map(|side| (score(side), *side)));
            self.ranked.sort_unstable();
            for (_, side) in self.ranked.iter().take(kept) {
                if !self.sides.contains(side) {
                    self.sides.push(*side);
                }
            }
        }
    }
}

/// The first position without contact of a game that the network plays with itself, with noise. `None` if the
/// exact value of that position is known, or if none comes before the game ends or is given up.
fn race_start(network: &TrainedNetwork, game: u64) -> Option<Board> {
    let (mut plays, mut values, mut scratch) = (Plays::new(), Vec::new(), network.scratch());
    let noise = NOISE_SCALES[game as usize % NOISE_SCALES.len()];
    let (mut board, mut noises) = (Board::START, Vec::new());
    for turn in 0..MAX_TURNS {
        // A game can end with a checker on the bar, which counts as contact.
        if board.is_race() || board.other_won().is_some() {
            return Outcomes::exact(&board).is_none().then_some(board);
        }
        plays.find(&board, Dice::for_turn(Stream::new(SEED, DICE), game, turn));
        network.values_of_plays(&board, &plays, &mut scratch, &mut values);
        noises.resize(values.len(), 0.0);
        Stream::new(SEED, NOISE).fill_gumbel((game << 16) + turn, &mut noises);
        // The values are the opponent's: the lowest is the best.
        let noisy = values.iter().zip(&noises).map(|(value, x)| value.equity() - noise * x);
        let best = noisy.enumerate().min_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |(i, _)| i);
        board = plays.get(best);
    }
    None
}

/// The races with which these games begin.
pub fn race_starts(network: &TrainedNetwork, games: Range<u64>) -> Vec<Board> {
    games.into_par_iter().filter_map(|game| race_start(network, game)).collect()
}

/// Sides of races: those with which races begin, and those to which they come when each plays alone.
pub fn pool(network: &TrainedNetwork, games: u64) -> Vec<Side> {
    let starts = race_starts(network, 0..games);
    let of_start = |(number, start): (usize, &Board)| {
        let (mut plays, mut pool) = (SidePlays::default(), Vec::new());
        for (seat, first) in [start.own_places(), start.other_places()].into_iter().enumerate() {
            for repeat in 0..REPEATS {
                let mut side = first;
                let game = (number as u64 * 2 + seat as u64) * REPEATS + repeat;
                let stream = Stream::new(SEED, SIDES);
                for turn in 0.. {
                    // The first side of a race counts once.
                    if turn > 0 || repeat == 0 {
                        pool.push(side);
                    }
                    let [dice, choice, which, _] = stream.block(game, turn);
                    let stops = turn > LAST_TURN_AT_HOME || choice % STOP_ONE_IN == 0;
                    if highest(&side) <= LAST_HOME && stops {
                        break;
                    }
                    plays.find(&side, Dice::from_random_word(dice));
                    // Of many plays the first has the lowest adjusted pip count. Of few it is any: the sides
                    // need to be varied, not well played.
                    let n = if choice % RANDOM_ONE_IN == 0 { plays.sides.len() as u32 } else { 1 };
                    side = plays.sides[(which % n) as usize];
                    if side[0] == 15 {
                        break;
                    }
                }
            }
        }
        pool
    };
    let pools: Vec<Vec<Side>> = starts.par_iter().enumerate().map(of_start).collect();
    let mut pool: Vec<Side> = pools.concat();
    pool.sort_unstable();
    pool.dedup();
    pool
}

/// A side with the listed (place, checkers); the rest of its fifteen checkers are off.
#[cfg(test)]
pub fn side(list: &[(usize, u8)]) -> Side {
    let mut places = [0; 26];
    list.iter().for_each(|(place, n)| places[*place] = *n);
    places[0] = 15 - places.iter().sum::<u8>();
    places
}

#[cfg(test)]
mod tests {
    use learnery_worlds::backgammon::BearOff;

    use super::*;

    #[test]
    fn pips_are_counted_beyond_a_place() {
        let side = side(&[(20, 1), (8, 2), (3, 4)]);
        let beyond = [0, LAST_HOME, FIRST_FAR - 1].map(|place| pips_beyond(&side, place));
        assert_eq!((beyond, highest(&side)), ([20 + 16 + 12, 14 + 4, 2], 20));
        assert_eq!(highest(&[0; 26]), 0);
    }

    #[test]
    fn plays_that_are_kept_are_some_of_all() {
        let (mut kept, mut all) = (SidePlays::default(), Plays::new());
        let crowded = side(&[(18, 2), (14, 3), (11, 2), (8, 3), (6, 3), (4, 2)]);
        let few = side(&[(9, 1), (2, 3)]);
        let mut fewer = 0;
        for dice in Dice::ALL {
            for side in [crowded, few] {
                kept.find(&side, dice);
                all.find(&Board::new(&side, &[0; 26]).expect("a good side"), dice);
                let all: Vec<Side> = all.iter().map(|after| after.other_places()).collect();
                assert!(!kept.sides.is_empty() && kept.sides.iter().all(|side| all.contains(side)));
                assert!(side != few || kept.sides == all);
                fewer += usize::from(kept.sides.len() < all.len());
            }
        }
        assert!(fewer > 3, "{fewer}");
    }

    /// In the bear-off, where the table knows the best play.
    #[test]
    fn plays_that_are_kept_lose_little() {
        let (mut kept, mut all, table) = (SidePlays::default(), Plays::new(), BearOff::table());
        let (mut lost, mut most) = (0.0, 0.0f32);
        let sides = 60;
        for draw in 0..sides {
            let mut side = [0; 26];
            let point = |i| 1 + Stream::new(1, 4).below(draw, i, LAST_HOME as u32) as usize;
            (0..15).for_each(|i| side[point(i)] += 1);
            for dice in Dice::ALL {
                kept.find(&side, dice);
                all.find(&Board::new(&side, &[0; 26]).expect("a good side"), dice);
                let least = |means: &mut dyn Iterator<Item = f32>| means.fold(f32::INFINITY, f32::min);
                let of_kept = least(&mut kept.sides.iter().filter_map(|side| table.mean(side)));
                let of_all = least(&mut all.iter().filter_map(|after| table.mean(&after.other_places())));
                lost += f32::from(dice.ways()) / 36.0 * (of_kept - of_all);
                most = most.max(of_kept - of_all);
            }
        }
        let mean = lost / sides as f32;
        // Shown only if the test fails or with `--nocapture`.
        println!("a roll costs {mean:.5} turns on average, {most:.4} at most");
        assert!(mean < 0.001 && most < 0.2, "{mean} {most}");
    }
}
