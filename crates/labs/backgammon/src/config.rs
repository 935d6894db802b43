//! The dials of the backgammon lab.

use learnery_lab::LabError;
use learnery_nn::Layout;
use learnery_search::Chance;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::az::Dials;
use super::brain::Brain;
use super::network::Shape;

/// How it learns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum LearnerKind {
    /// From the values of what plays leave, which improve one another.
    Afterstates,
    /// From searches, which its values and its policy guide.
    AlphaZero,
}

/// How a search deals with throws.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Throws {
    /// Each visit of a play draws one.
    Sampled,
    /// The visits of a play spread over them evenly.
    Even,
    /// The first visit of a play tries them all.
    Every,
}

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
    /// How it learns. All that follows is for AlphaZero alone.
    pub learner: LearnerKind,
    /// Positions that a turn's search looks at.
    #[schemars(range(min = 1, max = 10_000))]
    pub simulations: u32,
    /// How much the policy weighs beside values in the search.
    #[schemars(range(min = 0.0, max = 20.0), extend("x-live" = true))]
    pub cpuct: f64,
    /// How much worse than its turn, of three points, a play counts that was never tried.
    #[schemars(range(min = -2.0, max = 2.0), extend("x-live" = true))]
    pub fpu: f64,
    /// How the search deals with throws.
    pub throws: Throws,
    /// Concentration of the noise at the root of a search; 0 for a tournament of plays in its place.
    #[schemars(range(min = 0.0, max = 10.0), extend("x-live" = true))]
    pub dirichlet_alpha: f64,
    /// Share of that noise in the policy.
    #[schemars(range(min = 0.0, max = 1.0), extend("x-live" = true))]
    pub dirichlet_share: f64,
    /// Plays that enter the tournament.
    #[schemars(range(min = 1, max = 64), extend("x-live" = true))]
    pub considered: u32,
    /// How freely plays are drawn by their visits: 1 in proportion, 0 always the most visited.
    #[schemars(range(min = 0.0, max = 10.0), extend("x-live" = true))]
    pub temperature: f64,
    /// Turns of a game after which the late temperature holds.
    #[schemars(range(min = 0, max = 10_000), extend("x-live" = true, "x-unit" = "turns"))]
    pub temperature_turns: u32,
    /// How freely from then on.
    #[schemars(range(min = 0.0, max = 10.0), extend("x-live" = true))]
    pub late_temperature: f64,
    /// How fast the network's weights shrink, times the step size.
    #[schemars(range(min = 0.0, max = 1.0), extend("x-live" = true))]
    pub weight_decay: f64,
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
            learner: LearnerKind::Afterstates,
            simulations: 100,
            cpuct: 2.0,
            fpu: 0.0,
            throws: Throws::Even,
            dirichlet_alpha: 0.3,
            dirichlet_share: 0.25,
            considered: 16,
            temperature: 1.0,
            temperature_turns: 10_000,
            late_temperature: 1.0,
            weight_decay: 1e-4,
        }
    }
}

/// Positions in a unit at most, which keeps one within a few hundred megabytes.
const MOST_POSITIONS: u64 = 1 << 19;

/// Simulations of all trees at most, for the same reason.
const MOST_SIMULATIONS: u64 = 1 << 17;

impl BackgammonConfig {
    /// What ranges alone cannot say.
    pub fn check(&self) -> Result<(), LabError> {
        let simulations = u64::from(self.games) * u64::from(self.simulations);
        if self.learner == LearnerKind::AlphaZero && simulations > MOST_SIMULATIONS {
            let problem = format!(
                "games times simulations is {simulations}; at most {MOST_SIMULATIONS} can be searched at once"
            );
            return Err(LabError::setting("simulations", problem));
        }
        let positions = u64::from(self.games) * u64::from(self.horizon);
        if positions <= MOST_POSITIONS {
            return Ok(());
        }
        let problem = format!(
            "games times horizon is {positions}; at most {MOST_POSITIONS} positions can be played at once"
        );
        Err(LabError::setting("horizon", problem))
    }

    /// Pairs of games against pubeval that are played after so many rounds: all of a measurement where one is due, and
    /// before the first of these a few after rounds 1, 2, 4 and so on, more each time, so that nobody waits for a first
    /// figure.
    pub fn pairs_after(&self, round: u64) -> u64 {
        /// Enough for a margin.
        const FEW: u64 = 10;
        let (every, pairs) = (u64::from(self.eval_every), u64::from(self.eval_games).div_ceil(2));
        if every == 0 {
            0
        } else if round.is_multiple_of(every) {
            pairs
        } else if round < every && round.is_power_of_two() {
            (pairs * round / every).max(FEW).min(pairs)
        } else {
            0
        }
    }

    /// The network.
    pub fn shape(&self) -> Shape {
        Shape {
            contact: [self.hidden as usize, self.second as usize],
            race: [self.race as usize, self.race as usize / 2],
        }
    }

    /// What learns, and the layout of its parameters.
    pub fn brain(&self) -> (Brain, Layout) {
        match self.learner {
            LearnerKind::Afterstates => Brain::afterstates(self.shape()),
            LearnerKind::AlphaZero => Brain::turns(),
        }
    }

    /// AlphaZero's dials.
    pub fn dials(&self) -> Dials {
        Dials {
            games: self.games as usize,
            turns: self.horizon,
            simulations: self.simulations,
            cpuct: self.cpuct as f32,
            fpu: self.fpu as f32,
            dirichlet_alpha: self.dirichlet_alpha as f32,
            dirichlet_share: self.dirichlet_share as f32,
            considered: self.considered,
            chance: match self.throws {
                Throws::Sampled => Chance::Sampled,
                Throws::Even => Chance::LowDiscrepancy,
                Throws::Every => Chance::Exhaustive,
            },
            temperature: self.temperature as f32,
            temperature_turns: self.temperature_turns,
            late_temperature: self.late_temperature as f32,
            lambda: self.lambda as f32,
            memory: self.replay as usize,
            batch: self.batch as usize,
            reuse: self.reuse as f32,
            learning_rate: self.learning_rate as f32,
            weight_decay: self.weight_decay as f32,
            ..Dials::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_first_figure_comes_at_once_and_a_whole_one_in_time() {
        let config =
            |eval_every| BackgammonConfig { eval_every, eval_games: 400, ..BackgammonConfig::default() };
        let all =
            |eval_every| (1..=101).map(|round| config(eval_every).pairs_after(round)).collect::<Vec<_>>();
        let measured: Vec<(usize, u64)> = (1..).zip(all(50)).filter(|(_, pairs)| *pairs > 0).collect();
        assert_eq!(
            measured,
            [(1, 10), (2, 10), (4, 16), (8, 32), (16, 64), (32, 128), (50, 200), (100, 200)]
        );
        assert_eq!(all(0), [0; 101]);
        assert_eq!(all(1), [200; 101]);
        // Never more than a whole one.
        let small = BackgammonConfig { eval_every: 50, eval_games: 3, ..BackgammonConfig::default() };
        assert_eq!((small.pairs_after(1), small.pairs_after(50)), (2, 2));
    }
}
