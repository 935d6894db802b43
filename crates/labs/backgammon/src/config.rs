//! The settings of the backgammon lab. The doc comments of the fields are the help that users read. A round is one unit
//! of training: self-play and learning.

use learnery_lab::LabError;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Which algorithm learns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum LearnerKind {
    /// TD(lambda): learns the value of the positions that plays lead to, each from those that follow.
    Afterstates,
    /// AlphaZero: learns a policy and values from tree searches, which they guide.
    AlphaZero,
}

/// How a tree search samples dice rolls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum DiceSampling {
    /// Each visit of a play rolls the dice at random.
    Sampled,
    /// The visits of a play spread evenly over all rolls.
    Even,
    /// The first visit of a play tries all rolls.
    Every,
}

/// The maximum of [`BackgammonConfig::reuse`]. It bounds the number of updates in a round.
pub const MAX_REUSE: f64 = 20.0;

/// Settings of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct BackgammonConfig {
    /// Self-play games that run side by side.
    #[schemars(range(min = 1, max = 8192), extend("x-unit" = "games"))]
    pub games: u32,
    /// Turns played in every game before the network learns from them.
    #[schemars(range(min = 1, max = 256), extend("x-unit" = "turns"))]
    pub horizon: u32,
    /// Width of the first hidden layer for contact positions, in which the sides can still hit each other.
    #[schemars(range(min = 1, max = 1024))]
    pub hidden: u32,
    /// Width of the second hidden layer for contact positions.
    #[schemars(range(min = 1, max = 1024))]
    pub second: u32,
    /// Width of the first hidden layer for races; the second is half as wide.
    #[schemars(range(min = 2, max = 1024))]
    pub race: u32,
    /// Exploration: the first plays are random, then fewer and fewer, and none after this many positions.
    #[schemars(range(min = 0, max = 1_000_000_000), extend("x-unit" = "positions"))]
    pub exploration: u32,
    /// Lambda of the targets: 0 learns from the value of the next position only, 1 from the end of the game only.
    #[schemars(range(min = 0.0, max = 1.0), extend("x-live" = true))]
    pub lambda: f64,
    /// Learning rate of the optimiser at the start.
    #[schemars(range(min = 0.0, max = 0.1), extend("x-live" = true))]
    pub learning_rate: f64,
    /// Updates after which the learning rate is down to 0.71 of its start; it goes on falling as one over the square
    /// root.
    #[schemars(range(min = 1, max = 100_000_000), extend("x-live" = true, "x-unit" = "updates"))]
    pub slowdown: u32,
    /// Positions in a minibatch.
    #[schemars(range(min = 1, max = 16384), extend("x-unit" = "positions"))]
    pub batch: u32,
    /// How often each position is learned from, on average.
    #[schemars(range(min = 0.1, max = 20.0), extend("x-live" = true))]
    pub reuse: f64,
    /// Capacity of the replay buffer.
    #[schemars(range(min = 1, max = 2_000_000), extend("x-unit" = "positions"))]
    pub replay: u32,
    /// The network that plays averages the weights over this fraction of the run, the latest part.
    #[schemars(range(min = 0.0, max = 1.0), extend("x-live" = true))]
    pub averaging: f64,
    /// Rounds between evaluations against pubeval; 0 for none.
    #[schemars(range(min = 0, max = 100_000), extend("x-live" = true, "x-unit" = "rounds"))]
    pub eval_every: u32,
    /// Games of an evaluation. They come in pairs with the same dice.
    #[schemars(range(min = 2, max = 20_000), extend("x-unit" = "games"))]
    pub eval_games: u32,
    /// Which algorithm learns. The settings below are for AlphaZero only.
    pub learner: LearnerKind,
    /// Positions that a search looks at before each turn.
    #[schemars(range(min = 1, max = 10_000))]
    pub simulations: u32,
    /// Exploration constant of the search (PUCT): the higher, the more the policy counts beside the values.
    #[schemars(range(min = 0.0, max = 20.0), extend("x-live" = true))]
    pub cpuct: f64,
    /// First-play urgency: how much worse than its position an untried play counts, in units of three points.
    #[schemars(range(min = -2.0, max = 2.0), extend("x-live" = true))]
    pub fpu: f64,
    /// How the search samples dice rolls.
    #[serde(rename = "throws")]
    pub dice_sampling: DiceSampling,
    /// Concentration of the Dirichlet noise at the root of a search; 0 uses Gumbel sampling with sequential halving
    /// instead.
    #[schemars(range(min = 0.0, max = 10.0), extend("x-live" = true))]
    pub dirichlet_alpha: f64,
    /// Fraction of the root policy that is Dirichlet noise.
    #[serde(rename = "dirichlet_share")]
    #[schemars(range(min = 0.0, max = 1.0), extend("x-live" = true))]
    pub dirichlet_fraction: f64,
    /// Plays that enter sequential halving.
    #[schemars(range(min = 1, max = 64), extend("x-live" = true))]
    pub considered: u32,
    /// Temperature of self-play: 0 always plays the best move, 1 samples in proportion to visits.
    #[schemars(range(min = 0.0, max = 10.0), extend("x-live" = true))]
    pub temperature: f64,
    /// Turns of a game after which the late temperature applies.
    #[schemars(range(min = 0, max = 10_000), extend("x-live" = true, "x-unit" = "turns"))]
    pub temperature_turns: u32,
    /// Temperature from then on.
    #[schemars(range(min = 0.0, max = 10.0), extend("x-live" = true))]
    pub late_temperature: f64,
    /// Weight decay, in units of the learning rate.
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
            dice_sampling: DiceSampling::Even,
            dirichlet_alpha: 0.3,
            dirichlet_fraction: 0.25,
            considered: 16,
            temperature: 1.0,
            temperature_turns: 10_000,
            late_temperature: 1.0,
            weight_decay: 1e-4,
        }
    }
}

/// The maximum number of positions in a round (games times horizon). So many take a few hundred megabytes.
const MAX_POSITIONS: u64 = 1 << 19;

/// The maximum number of simulations of all search trees together (games times simulations), which bounds their memory.
const MAX_SIMULATIONS: u64 = 1 << 17;

impl BackgammonConfig {
    /// Checks products of settings. The ranges of single settings are in the schema.
    pub fn check(&self) -> Result<(), LabError> {
        let simulations = u64::from(self.games) * u64::from(self.simulations);
        if self.learner == LearnerKind::AlphaZero && simulations > MAX_SIMULATIONS {
            let problem =
                format!("games times simulations is {simulations}; expected at most {MAX_SIMULATIONS}");
            return Err(LabError::setting("simulations", problem));
        }
        let positions = u64::from(self.games) * u64::from(self.horizon);
        if positions > MAX_POSITIONS {
            let problem = format!("games times horizon is {positions}; expected at most {MAX_POSITIONS}");
            return Err(LabError::setting("horizon", problem));
        }
        Ok(())
    }

    /// Returns how many pairs of evaluation games follow round `round`, counted from 1. Before the first full
    /// evaluation there are shorter ones after rounds 1, 2, 4, 8 and so on, so that a first result comes early.
    pub fn evaluation_pairs_after(&self, round: u64) -> u64 {
        /// The minimum number of pairs that gives a useful margin of error.
        const MIN_PAIRS: u64 = 10;
        let (every, pairs) = (u64::from(self.eval_every), u64::from(self.eval_games).div_ceil(2));
        if every == 0 {
            0
        } else if round.is_multiple_of(every) {
            pairs
        } else if round < every && round.is_power_of_two() {
            (pairs * round / every).max(MIN_PAIRS).min(pairs)
        } else {
            0
        }
    }
}

#[cfg(test)]
mod tests {
    use learnery_lab::Schema;
    use serde_json::json;

    use super::*;

    #[test]
    fn evaluation_is_short_and_early_at_first_then_full_and_periodic() {
        let config =
            |eval_every| BackgammonConfig { eval_every, eval_games: 400, ..BackgammonConfig::default() };
        let pairs = |eval_every| {
            let config = config(eval_every);
            (1..=101).map(|round| config.evaluation_pairs_after(round)).collect::<Vec<_>>()
        };
        let evaluations: Vec<(usize, u64)> = (1..).zip(pairs(50)).filter(|(_, pairs)| *pairs > 0).collect();
        assert_eq!(
            evaluations,
            [(1, 10), (2, 10), (4, 16), (8, 32), (16, 64), (32, 128), (50, 200), (100, 200)]
        );
        assert_eq!(pairs(0), [0; 101]);
        assert_eq!(pairs(1), [200; 101]);
        // A short evaluation is never longer than a full one.
        let small = BackgammonConfig { eval_every: 50, eval_games: 3, ..BackgammonConfig::default() };
        assert_eq!((small.evaluation_pairs_after(1), small.evaluation_pairs_after(50)), (2, 2));
    }

    #[test]
    fn reuse_above_its_maximum_is_rejected() {
        let schema = Schema::of::<BackgammonConfig>();
        assert!(schema.complete(None, &json!({ "reuse": MAX_REUSE })).is_ok());
        assert!(schema.complete(None, &json!({ "reuse": MAX_REUSE + 0.1 })).is_err());
    }
}
