//! The dice of a rollout. The first two rolls are *stratified*: 1,296 games in a row have each of the 36 * 36
//! ordered pairs of rolls once, and 36 games in a row have each first roll and each second roll once. All
//! later rolls are random.
//!
//! The order is shuffled for every 1,296 games, so each game by itself has random dice, and a rollout of
//! fewer games has no bias.

use learnery_kernels::rng::Stream;
use learnery_worlds::backgammon::Dice;

use crate::purpose;

/// Ordered outcomes of two dice.
const ORDERED_ROLLS: u64 = 36;
/// Games that have each pair of rolls once.
const ORDERED_ROLL_PAIRS: u64 = ORDERED_ROLLS * ORDERED_ROLLS;

/// The dice of all games of a seed.
#[derive(Clone, Copy)]
pub struct RolloutDice {
    rolls: Stream,
    strata: Stream,
}

/// The dice of one game.
pub struct GameDice {
    rolls: Stream,
    game: u64,
    /// The rolls of the first two turns.
    first: [Dice; 2],
}

impl RolloutDice {
    pub fn new(seed: u32) -> Self {
        let stream = |id| Stream::new(seed, id);
        Self { rolls: stream(purpose::ROLLOUT_DICE), strata: stream(purpose::ROLLOUT_STRATA) }
    }

    pub fn game(&self, game: u64) -> GameDice {
        let (group, number) = (game / ORDERED_ROLL_PAIRS, game % ORDERED_ROLL_PAIRS);
        // A Latin square: within 36 games both places take each value once; over 36 rows they form all pairs.
        let (row, column) = (number / ORDERED_ROLLS, number % ORDERED_ROLLS);
        let places = [column, (column + row) % ORDERED_ROLLS];
        // Each group and each of the two turns has a shuffled order of the 36 outcomes.
        let roll = |turn: usize| {
            let mut order: [u32; ORDERED_ROLLS as usize] = std::array::from_fn(|i| i as u32);
            self.strata.shuffle(2 * group + turn as u64, &mut order);
            ordered_outcome(order[places[turn] as usize])
        };
        GameDice { rolls: self.rolls, game, first: [roll(0), roll(1)] }
    }
}

impl GameDice {
    pub fn roll(&self, turn: u32) -> Dice {
        match self.first.get(turn as usize) {
            Some(roll) => *roll,
            None => Dice::from_random_word(self.rolls.block(self.game, u64::from(turn))[0]),
        }
    }
}

/// The roll of an ordered outcome, 0 to 35.
fn ordered_outcome(n: u32) -> Dice {
    // `Dice::ALL` has each roll once, in the order of the larger number; `ways` says how many outcomes it
    // stands for.
    let mut outcomes =
        Dice::ALL.into_iter().flat_map(|dice| std::iter::repeat_n(dice, usize::from(dice.ways())));
    outcomes.nth(n as usize).unwrap_or(Dice::ALL[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether each roll occurs `times` times for each of the ordered outcomes that it stands for.
    fn is_even(rolls: impl Iterator<Item = Dice>, times: u32) -> bool {
        let mut counts = [0; 21];
        rolls.for_each(|dice| counts[dice.index()] += 1);
        counts.iter().zip(Dice::ALL).all(|(count, dice)| *count == times * u32::from(dice.ways()))
    }

    #[test]
    fn first_two_rolls_are_distributed_evenly() {
        let dice = RolloutDice::new(7);
        for group in 0..2 * ORDERED_ROLLS {
            for turn in 0..2 {
                let games = group * ORDERED_ROLLS..(group + 1) * ORDERED_ROLLS;
                assert!(is_even(games.map(|game| dice.game(game).roll(turn)), 1), "{group} {turn}");
            }
        }
        // The second 1,296 games too.
        for begin in [0, ORDERED_ROLL_PAIRS] {
            let mut counts = [[0u32; 21]; 21];
            for game in begin..begin + ORDERED_ROLL_PAIRS {
                let game = dice.game(game);
                counts[game.roll(0).index()][game.roll(1).index()] += 1;
            }
            for (a, row) in Dice::ALL.into_iter().zip(counts) {
                for (b, count) in Dice::ALL.into_iter().zip(row) {
                    assert_eq!(count, u32::from(a.ways()) * u32::from(b.ways()), "{a:?} {b:?}");
                }
            }
        }
    }

    #[test]
    fn dice_depend_on_the_seed_the_game_and_the_turn() {
        let rolls = |seed, game| -> Vec<Dice> {
            let dice = RolloutDice::new(seed).game(game);
            (0..20).map(|turn| dice.roll(turn)).collect()
        };
        assert_eq!(rolls(1, 5), rolls(1, 5));
        assert_ne!(rolls(1, 5), rolls(2, 5));
        assert_ne!(rolls(1, 5), rolls(1, 5 + ORDERED_ROLL_PAIRS));
    }
}
