//! Backgammon as a [`Game`] of the searches: a state is a board and a roll, and a play is the board after the
//! turn (the afterstate of the play), seen from the opponent of the side that played.

use learnery_search::Game;
use learnery_worlds::backgammon::{Board, Dice, Plays};

/// Money play without the doubling cube. Values are points divided by [`MAX_POINTS`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Backgammon;

/// The state at the beginning of a turn, after the roll.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn {
    /// Seen from the side that rolled.
    pub board: Board,
    pub dice: Dice,
}

/// The probability of each roll of [`Dice::ALL`]: 1/36 for a double, 2/36 for any other roll.
const ROLL_PROBABILITIES: [f32; 21] = {
    let mut probabilities = [2.0 / 36.0; 21];
    // Rolls are ordered by their larger number; the last roll of each group is the double.
    let (mut end_of_group, mut larger_number) = (0, 1);
    while larger_number <= 6 {
        end_of_group += larger_number;
        probabilities[end_of_group - 1] = 1.0 / 36.0;
        larger_number += 1;
    }
    probabilities
};

/// The largest win in points: a "backgammon" (triple game) counts three.
pub const MAX_POINTS: f32 = 3.0;

impl Game for Backgammon {
    type State = Turn;
    type Play = Board;
    type Scratch = Plays;

    fn chance_probabilities(&self) -> &[f32] {
        &ROLL_PROBABILITIES
    }

    fn plays(&self, turn: &Turn, scratch: &mut Plays, plays: &mut Vec<Board>) {
        scratch.find(&turn.board, turn.dice);
        plays.extend(scratch.iter());
    }

    fn terminal_value(&self, play: &Board) -> Option<f32> {
        play.other_won().map(|win| win.points() as f32 / MAX_POINTS)
    }

    fn next_state(&self, play: &Board, chance: usize) -> Turn {
        Turn { board: *play, dice: Dice::ALL[chance] }
    }

    fn key(&self, turn: &Turn) -> u64 {
        /// The golden ratio as a 64-bit fraction, times 1, 2 and 3: constants of multiplicative hashing.
        const FACTORS: [u64; 3] = [0x9E37_79B9_7F4A_7C15, 0x3C6E_F372_FE94_F82B, 0xDAA6_6D2C_7DDF_743F];
        // Each side's checkers, four bits for each of 26 places, in 128 bits. So the top bits of the last of
        // the four words are free for the roll.
        let (own, opponent) = turn.board.key();
        let words = [own as u64, (own >> 64) as u64, opponent as u64];
        let mut key = ((opponent >> 64) as u64) ^ ((turn.dice.index() as u64 + 1) << 48);
        for (word, factor) in words.into_iter().zip(FACTORS) {
            key = (key ^ word).wrapping_mul(factor);
            key ^= key >> 32;
        }
        key
    }
}

#[cfg(test)]
mod bearoff_tests;

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use learnery_kernels::rng::Stream;

    use super::*;

    #[test]
    fn chance_probabilities_agree_with_the_dice() {
        for (dice, chance) in Dice::ALL.iter().zip(ROLL_PROBABILITIES) {
            assert_eq!(f32::from(dice.ways()) / 36.0, chance, "{dice:?}");
        }
    }

    #[test]
    fn keys_do_not_collide_within_random_games() {
        let stream = Stream::new(1, 1);
        let mut seen: HashMap<u64, Turn> = HashMap::new();
        let (mut scratch, mut plays) = (Plays::new(), Vec::new());
        for game in 0..200 {
            let mut board = Board::START;
            for turn_index in 0.. {
                let turn = Turn { board, dice: Dice::for_turn(stream, game, turn_index) };
                assert_eq!(*seen.entry(Backgammon.key(&turn)).or_insert(turn), turn);
                plays.clear();
                Backgammon.plays(&turn, &mut scratch, &mut plays);
                // Dice use the counters from 0, choices of plays the counters from 2^32.
                board = plays[stream.below(game, turn_index + (1 << 32), plays.len() as u32) as usize];
                if let Some(value) = Backgammon.terminal_value(&board) {
                    // `result` is for the side to move, here the loser; the value is for the winner.
                    assert_eq!(board.result(), Some(-(value * MAX_POINTS) as i32));
                    break;
                }
            }
        }
        assert!(seen.len() > 10_000);
    }
}
