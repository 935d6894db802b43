//! Two dice, and the twenty-one ways in which they fall.

use learnery_kernels::rng::Stream;

/// A throw of two dice, the larger number first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Dice {
    high: u8,
    low: u8,
}

impl Dice {
    /// All throws: six doubles, fifteen mixed ones.
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

    /// A throw from its two numbers in any order.
    pub fn new(a: u8, b: u8) -> Option<Self> {
        let good = |n| (1..=6).contains(&n);
        (good(a) && good(b)).then_some(Self { high: a.max(b), low: a.min(b) })
    }

    /// The larger number.
    pub fn high(self) -> u8 {
        self.high
    }

    /// The smaller number.
    pub fn low(self) -> u8 {
        self.low
    }

    /// Whether both are the same, which is then played four times.
    pub fn is_double(self) -> bool {
        self.high == self.low
    }

    /// Its place in [`Dice::ALL`].
    pub fn index(self) -> usize {
        let (high, low) = (usize::from(self.high), usize::from(self.low));
        high * (high - 1) / 2 + low - 1
    }

    /// In how many of thirty-six it falls.
    pub fn ways(self) -> u8 {
        if self.is_double() { 1 } else { 2 }
    }

    /// The throw of a random word.
    pub fn from_random_word(word: u32) -> Self {
        let n = ((u64::from(word) * 36) >> 32) as u8;
        let (a, b) = (n / 6 + 1, n % 6 + 1);
        Self { high: a.max(b), low: a.min(b) }
    }

    /// The mixed throw of a random word: a game begins with one die each, and again where they are the same.
    pub fn opening_from_random_word(word: u32) -> Self {
        let n = ((u64::from(word) * 30) >> 32) as u8;
        let (a, b) = (n / 5, n % 5);
        let b = b + u8::from(b >= a);
        Self { high: a.max(b) + 1, low: a.min(b) + 1 }
    }

    /// The throw of turn `turn` of game `game`; the first turn's is mixed.
    pub fn for_turn(stream: Stream, game: u64, turn: u64) -> Self {
        let word = stream.block(game, turn)[0];
        if turn == 0 { Self::opening_from_random_word(word) } else { Self::from_random_word(word) }
    }
}
