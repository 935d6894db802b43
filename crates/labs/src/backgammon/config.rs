//! The dials of the backgammon lab.

use learnery_lab::LabError;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::network::Shape;

/// Settings of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct BackgammonConfig {
    /// How many games it plays against itself at the same time.
    #[schemars(range(min = 1, max = 8192), extend("x-unit" = "games"))]
    pub games: u32,
    /// Turns that are played in every game before it learns from them.
    #[schemars(range(min = 1, max = 256), extend("x-unit" = "turns"))]
    pub horizon: u32,
    /// Width of the first hidden layer while the sides can meet.
    #[schemars(range(min = 1, max = 1024))]
    pub hidden: u32,
    /// Width of the second one.
    #[schemars(range(min = 1, max = 1024))]
    pub second: u32,
    /// Width of the first hidden layer for races; the second is half as wide.
    #[schemars(range(min = 2, max = 1024))]
    pub race: u32,
    /// At first plays are drawn at random, fewer and fewer until so many positions were played.
    #[schemars(range(min = 0, max = 1_000_000_000), extend("x-unit" = "positions"))]
    pub exploration: u32,
    /// How far a position learns from what came later: 0 from the next value alone, 1 from the end of the game alone.
    #[schemars(range(min = 0.0, max = 1.0), extend("x-live" = true))]
    pub lambda: f64,
    /// Step size of the optimiser at the begin.
    #[schemars(range(min = 0.0, max = 0.1), extend("x-live" = true))]
    pub learning_rate: f64,
    /// Updates after which the step size has fallen to 0.71 of that; it goes on falling as one over the root.
    #[schemars(range(min = 1, max = 100_000_000), extend("x-live" = true, "x-unit" = "updates"))]
    pub slowdown: u32,
    /// Positions in an update.
    #[schemars(range(min = 1, max = 16384), extend("x-unit" = "positions"))]
    pub batch: u32,
    /// How often a position is learned from, in the mean.
    #[schemars(range(min = 0.1, max = 20.0), extend("x-live" = true))]
    pub reuse: f64,
    /// Positions remembered.
    #[schemars(range(min = 1, max = 2_000_000), extend("x-unit" = "positions"))]
    pub replay: u32,
    /// The player's network is the mean of those of about the last part of the run: this part.
    #[schemars(range(min = 0.0, max = 1.0), extend("x-live" = true))]
    pub averaging: f64,
    /// Iterations between measurements of its strength; 0 for none.
    #[schemars(range(min = 0, max = 100_000), extend("x-live" = true, "x-unit" = "iterations"))]
    pub eval_every: u32,
    /// Games of a measurement, two of which are played with the same dice.
    #[schemars(range(min = 2, max = 20_000), extend("x-unit" = "games"))]
    pub eval_games: u32,
}

impl Default for BackgammonConfig {
    fn default() -> Self {
        Self {
            games: 256,
            horizon: 16,
            hidden: 160,
            second: 32,
            race: 48,
            exploration: 250_000,
            lambda: 0.7,
            learning_rate: 0.002,
            slowdown: 4000,
            batch: 512,
            reuse: 2.0,
            replay: 65_536,
            averaging: 0.1,
            eval_every: 50,
            eval_games: 400,
        }
    }
}

/// Positions in a unit at most, which keeps one within a few hundred megabytes.
const MOST_POSITIONS: u64 = 1 << 19;

impl BackgammonConfig {
    /// What ranges alone cannot say.
    pub fn check(&self) -> Result<(), LabError> {
        let positions = u64::from(self.games) * u64::from(self.horizon);
        if positions <= MOST_POSITIONS {
            return Ok(());
        }
        let problem = format!(
            "games times horizon is {positions}; at most {MOST_POSITIONS} positions can be played at once"
        );
        Err(LabError::setting("horizon", problem))
    }

    /// The network.
    pub fn shape(&self) -> Shape {
        Shape {
            contact: [self.hidden as usize, self.second as usize],
            race: [self.race as usize, self.race as usize / 2],
        }
    }
}
