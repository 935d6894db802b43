//! Rolls of two dice. There are 21 distinct rolls, because the order of the dice does not matter.

use learnery_kernels::rng::Stream;

/// A roll of two dice, the larger number first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Dice {
    high: u8,
    low: u8,
}

impl Dice {
    /// All distinct rolls, ordered by the larger number, then by the smaller one.
    pub const ALL: [Self; 21] = {
        let mut all = [Self { high: 1, low: 1 }; 21];
        let (mut i, mut high) = (0, 1);
        while high <= 6 {
            let mut low = 1;
            while low <= high {
                all[i] = Self { high, low };
                i += 1;
                low += 1;
            }
            high += 1;
        }
        all
    };

    /// A roll from its two numbers, in any order; `None` unless both are 1 to 6.
    pub fn new(a: u8, b: u8) -> Option<Self> {
        let is_valid = |n| (1..=6).contains(&n);
        (is_valid(a) && is_valid(b)).then_some(Self { high: a.max(b), low: a.min(b) })
    }

    pub fn high(self) -> u8 {
        self.high
    }

    pub fn low(self) -> u8 {
        self.low
    }

    /// Whether both numbers are equal; the number is then played up to four times.
    pub const fn is_double(self) -> bool {
        self.high == self.low
    }

    /// Index in [`Dice::ALL`].
    pub fn index(self) -> usize {
        let (high, low) = (usize::from(self.high), usize::from(self.low));
        high * (high - 1) / 2 + low - 1
    }

    /// The number of ordered outcomes of two dice that are this roll. Its probability is `ways / 36`.
    pub fn ways(self) -> u8 {
        if self.is_double() { 1 } else { 2 }
    }

    /// Converts a uniformly random word into a roll.
    pub fn from_random_word(word: u32) -> Self {
        // A number from 0 to 35, one for each ordered outcome.
        let n = ((u64::from(word) * 36) >> 32) as u8;
        let (a, b) = (n / 6 + 1, n % 6 + 1);
        Self { high: a.max(b), low: a.min(b) }
    }

    /// Converts a uniformly random word into an opening roll: each side rolls one die, and equal dice are
    /// rolled again, so an opening roll is never a double.
    pub fn opening_from_random_word(word: u32) -> Self {
        // A number from 0 to 29: six values of one die, and five other values of the second.
        let n = ((u64::from(word) * 30) >> 32) as u8;
        let (a, b) = (n / 5, n % 5);
        let b = b + u8::from(b >= a);
        Self { high: a.max(b) + 1, low: a.min(b) + 1 }
    }

    /// The roll of turn `turn` of game `game`; turn 0 has an opening roll.
    pub fn for_turn(stream: Stream, game: u64, turn: u64) -> Self {
        let word = stream.block(game, turn)[0];
        if turn == 0 { Self::opening_from_random_word(word) } else { Self::from_random_word(word) }
    }
}
