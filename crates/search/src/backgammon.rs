//! Backgammon as a [`Game`]: a state is a board and a roll, and a play is the board after the turn (its afterstate), seen from the
//! other side.

use learnery_worlds::backgammon::{Board, Dice, Plays};

use crate::Game;

/// Money play without the cube. Values are points divided by [`MAX_POINTS`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Backgammon;

/// The state at the beginning of a turn, after the roll.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn {
    /// Seen from the side that rolled.
    pub board: Board,
    pub dice: Dice,
}

/// The probability of each of [`Dice::ALL`].
const CHANCES: [f32; 21] = {
    let mut chances = [2.0 / 36.0; 21];
    let (mut i, mut high) = (0, 1);
    while high <= 6 {
        // Rolls are ordered by their larger number; the last of each group is the double.
        i += high;
        chances[i - 1] = 1.0 / 36.0;
        high += 1;
    }
    chances
};

/// Points of a backgammon, the largest win.
pub const MAX_POINTS: f32 = 3.0;

impl Game for Backgammon {
    type State = Turn;
    type Play = Board;
    type Scratch = Plays;

    fn chance_probabilities(&self) -> &[f32] {
        &CHANCES
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
        /// Odd multiples of the golden ratio.
        const FACTORS: [u64; 3] = [0x9E37_79B9_7F4A_7C15, 0x3C6E_F372_FE94_F82B, 0xDAA6_6D2C_7DDF_743F];
        let (own, other) = turn.board.key();
        let halves = [own as u64, (own >> 64) as u64, other as u64];
        let mut key = ((other >> 64) as u64) ^ ((turn.dice.index() as u64 + 1) << 48);
        for (half, factor) in halves.into_iter().zip(FACTORS) {
            key = (key ^ half).wrapping_mul(factor);
            key ^= key >> 32;
        }
        key
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use learnery_kernels::rng::Stream;

    use super::*;

    #[test]
    fn chance_probabilities_agree_with_the_dice() {
        for (dice, chance) in Dice::ALL.iter().zip(CHANCES) {
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
            for number in 0.. {
                let turn = Turn { board, dice: Dice::for_turn(stream, game, number) };
                assert_eq!(*seen.entry(Backgammon.key(&turn)).or_insert(turn), turn);
                plays.clear();
                Backgammon.plays(&turn, &mut scratch, &mut plays);
                board = plays[stream.below(game, number + (1 << 32), plays.len() as u32) as usize];
                if let Some(end) = Backgammon.terminal_value(&board) {
                    assert_eq!(board.result(), Some(-(end * MAX_POINTS) as i32));
                    break;
                }
            }
        }
        assert!(seen.len() > 10_000);
    }
}
