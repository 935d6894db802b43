//! The doubling cube: what a position is worth with it, and what to do with it.
//!
//! A *utility* is what both sides play for: points for money, the chance to win the match in a match. All
//! utilities are those of the side on roll. [`Payoffs`] give the utility of a finished game,
//! [`MatchEquityTable`] that of a score. [`cubeful`] estimates the utility of a position with the cube from
//! its cubeless chances, by Janowski's interpolation between a live and a dead cube; for money, that of
//! bear-offs in a database is exact ([`rolling_utility`]). [`CubePlayer`] looks ahead over dice rolls and
//! cube actions; [`Analysis`] compares the actions and gives the verdict.

mod analysis;
mod janowski;
mod life;
mod match_equity;
mod measure;
mod payoffs;
mod player;
mod rates;
mod report;
mod rolling_utility;

#[cfg(test)]
mod tests;

pub use analysis::{Action, Analysis, Decision, Response};
pub use janowski::cubeful;
pub use life::cube_life;
pub use match_equity::MatchEquityTable;
pub use measure::RatesMeasurement;
pub use payoffs::Payoffs;
pub(crate) use payoffs::opposite;
pub use player::{CubePlayer, SlicedValue, Valued, ValuedPlay, utility_after_play};
pub use rates::{GAMMON_PRICES, MeasuredRates, Rates};
