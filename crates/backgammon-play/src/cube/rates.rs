//! How games of our own network end: the figures that the match equity table is computed from.
//! `learnery backgammon rates` measures them again.

/// The opening swings are the means of this many groups of equal weight.
pub const SWING_GROUPS: usize = 16;

/// Prices of a gammon at which one-sided games (only one side gains by gammons) are measured. The price is
/// what a gammon adds to a win, over what a win adds to a loss: 1/2 for money. None is 0, because then nobody
/// would seek or avoid gammons at all. Where a gammon adds next to nothing (at 3 away in the Crawford game,
/// say), a backgammon still wins the match.
pub const GAMMON_PRICES: [f64; 3] = [0.05, 0.5, 1.0];

/// How often a side wins games of a kind, wins gammons (backgammons included) and backgammons.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rates {
    pub win: f64,
    pub gammon: f64,
    pub backgammon: f64,
}

/// All that is measured.
#[derive(Clone, Debug, PartialEq)]
pub struct MeasuredRates {
    /// Of games for money, mean of both sides; so the chance to win is one half.
    pub money: Rates,
    /// Of games in which only one side gains by gammons, for that side, at the [`GAMMON_PRICES`].
    pub one_sided: [Rates; 3],
    /// How far the first rolls move a side's chance to win until it may double for the first time:
    /// differences from the mean chance, in increasing order, each the mean of a sixteenth of all cases.
    pub opening_swings: [f64; SWING_GROUPS],
}

impl MeasuredRates {
    /// The rates at a price of gammons, interpolated; outside the [`GAMMON_PRICES`] those of the nearest one.
    pub fn one_sided(&self, price: f64) -> Rates {
        let first = usize::from(price > GAMMON_PRICES[1]);
        let [low, high] = [GAMMON_PRICES[first], GAMMON_PRICES[first + 1]];
        let weight = ((price - low) / (high - low)).clamp(0.0, 1.0);
        let [a, b] = [self.one_sided[first], self.one_sided[first + 1]];
        let mix = |a: f64, b: f64| a + weight * (b - a);
        Rates {
            win: mix(a.win, b.win),
            gammon: mix(a.gammon, b.gammon),
            backgammon: mix(a.backgammon, b.backgammon),
        }
    }
}

/// Measured with `learnery backgammon rates --games 100000 --seed 1` and a network that scores +0.607 against
/// pubeval.
pub const MEASURED: MeasuredRates = MeasuredRates {
    money: Rates { win: 0.5, gammon: 0.12922, backgammon: 0.00539 },
    one_sided: [
        Rates { win: 0.49785, gammon: 0.12985, backgammon: 0.00842 },
        Rates { win: 0.49865, gammon: 0.1298, backgammon: 0.00445 },
        Rates { win: 0.49731, gammon: 0.13012, backgammon: 0.00414 },
    ],
    opening_swings: [
        -0.07989, -0.04544, -0.03630, -0.02511, -0.01324, -0.00625, -0.00510, -0.00376, -0.00193, 0.00030,
        0.00644, 0.02329, 0.03132, 0.03972, 0.04845, 0.06753,
    ],
};
