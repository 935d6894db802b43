//! The tool `rates`: measures how games of a network end, which the match equity table is computed from.

use learnery_backgammon_play::cube::{MeasuredRates, Rates, RatesMeasurement};
use learnery_lab::{Interrupt, LabError, NamedText, Source, Tool, ToolAbout, ToolProgress, ToolStatus};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::network_of;
use crate::Backgammon;
use crate::networks::TrainedNetwork;

/// Games of each kind that each thread plays in one step.
const GAMES_PER_STEP: u64 = 16;

/// How many games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(rename = "BackgammonRatesInput"))]
pub struct RatesInput {
    /// Games of each of the four kinds: for money, and with gammons for one side only at three prices.
    #[schemars(range(min = 1, max = 100_000_000), extend("x-unit" = "games"))]
    pub games: u32,
    /// Selects the dice.
    #[schemars(range(min = 0, max = 4_294_967_295_u32))]
    pub seed: u32,
}

impl Default for RatesInput {
    fn default() -> Self {
        Self { games: 100_000, seed: 1 }
    }
}

/// Rates of games that a side wins, wins with a gammon (backgammons included), wins with a backgammon.
type ThreeRates = [f64; 3];

/// What the games tell.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(rename = "BackgammonRatesOutput"))]
pub struct RatesOutput {
    /// Games of each kind that were asked for.
    pub games: u32,
    /// For money, as the mean of both sides.
    pub money: ThreeRates,
    /// Where only one side gains by gammons, for that side, at the prices 0.05, 0.5 and 1.
    pub one_sided: [ThreeRates; 3],
    /// How far the first rolls move the chance to win, sorted, each the mean of a sixteenth of the cases.
    pub opening_swings: Vec<f64>,
    pub seed: u32,
    /// Games of each kind that were played: fewer in a partial answer.
    pub played: u32,
}

/// A measurement under way.
pub struct MeasureRates {
    network: TrainedNetwork,
    measurement: RatesMeasurement,
    input: RatesInput,
    interrupt: Interrupt,
}

impl Tool for MeasureRates {
    const ABOUT: ToolAbout = ToolAbout {
        id: "rates",
        title: "Rates",
        help: "Measures how often games of a network end with a gammon or a backgammon.",
        counts: "games",
        in_tab: false,
    };
    type Lab = Backgammon;
    type Input = RatesInput;
    const INPUT: &'static str = include_str!("rates.json");
    type Event = ();
    type Output = RatesOutput;
    const COUNT_HAS_TOTAL: bool = true;

    fn begin(source: Source<Backgammon>, input: RatesInput, _: Option<NamedText>) -> Result<Self, LabError> {
        let network = network_of(&source)?;
        let measurement = RatesMeasurement::new(&network, input.seed, input.games.into());
        Ok(Self { network, measurement, input, interrupt: Interrupt::default() })
    }

    fn step(&mut self, _: &mut dyn FnMut(())) -> Result<ToolStatus<RatesOutput>, LabError> {
        let games = GAMES_PER_STEP * rayon::current_num_threads() as u64;
        self.measurement.step(&self.network, games, &|| self.interrupt.is_raised());
        if !self.measurement.is_finished() {
            return Ok(ToolStatus::Ready);
        }
        let no_game_ended = || LabError::Tool("no game of a kind came to its end".into());
        self.partial().map(ToolStatus::Done).ok_or_else(no_game_ended)
    }

    fn progress(&self) -> ToolProgress {
        ToolProgress::of(self.measurement.played(), self.input.games.into())
    }

    fn partial(&self) -> Option<RatesOutput> {
        let MeasuredRates { money, one_sided, opening_swings } = self.measurement.rates()?;
        let three = |rates: Rates| [rates.win, rates.gammon, rates.backgammon];
        Some(RatesOutput {
            games: self.input.games,
            money: three(money),
            one_sided: one_sided.map(three),
            opening_swings: opening_swings.to_vec(),
            seed: self.input.seed,
            played: self.measurement.played() as u32,
        })
    }
    fn interrupt_by(&mut self, interrupt: Interrupt) {
        self.interrupt = interrupt;
    }
}
