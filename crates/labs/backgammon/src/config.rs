//! The settings of the backgammon lab. The doc comments of the fields are the help that users read. A round
//! is one unit of training: self-play and learning.

use learnery_lab::LabError;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Which algorithm learns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum LearnerKind {
    /// TD(lambda): learns the value of the positions that plays lead to, each from those that follow.
    Afterstates,
    /// Learns a policy and values from tree searches, which they guide.
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

/// What the prior policy of AlphaZero's searches comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum PolicyKind {
    /// A policy head over checker moves, which learns from the searches.
    Moves,
    /// The network's values of the afterstates, which need no policy head.
    Values,
}

/// What the network for contact positions sees of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Inputs {
    /// The checkers on each place.
    Raw,
    /// Also counts that players use: shots, escapes, primes, contact.
    Expert,
    /// Also where rolls hit and make points, and products of the counts.
    Full,
}

/// The maximum of [`BackgammonConfig::reuse`], as a test checks. It bounds the number of updates in a round.
pub const MAX_REUSE: f64 = 20.0;

/// Settings of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct BackgammonConfig {
    /// Games against itself that run at the same time. Up: each round has more varied games, but takes
    /// longer. Down: rounds are quicker, but have fewer games.
    #[schemars(range(min = 1, max = 8192), extend("x-unit" = "games"))]
    #[schemars(extend("x-group" = "acting", "x-main" = true))]
    pub games: u32,
    /// Turns played in every game of a round, before the network learns from them. Up: longer rounds with
    /// more data. Down: shorter rounds, so the network is updated sooner.
    #[schemars(range(min = 1, max = 256), extend("x-unit" = "turns"))]
    #[schemars(extend("x-group" = "acting"))]
    pub horizon: u32,
    /// Hidden units: neurons in the first layer of the network for contact positions, in which the sides can
    /// still hit each other. Up: plays better in the end, but rounds take longer. Down: rounds are quicker,
    /// but it plays worse in the end.
    #[schemars(extend("x-title" = "hidden units"))]
    #[schemars(range(min = 1, max = 1024))]
    #[schemars(extend("x-group" = "network", "x-main" = true, "x-applies" = {"learner": ["afterstates"]}))]
    pub hidden: u32,
    /// Neurons in the second layer for contact positions. Up: can judge more finely, but computes slower.
    /// Down: computes faster, but judges more coarsely.
    #[schemars(extend("x-title" = "second layer"))]
    #[schemars(range(min = 1, max = 1024))]
    #[schemars(extend("x-group" = "network", "x-applies" = {"learner": ["afterstates"]}))]
    pub second: u32,
    /// Neurons in the first layer for races, in which no side can hit any more; the second is half as wide.
    /// Up: can judge more finely, but computes slower. Down: computes faster, but judges more coarsely.
    #[schemars(extend("x-title" = "hidden units, races"))]
    #[schemars(range(min = 2, max = 1024))]
    #[schemars(extend("x-group" = "network", "x-applies" = {"learner": ["afterstates"]}))]
    pub race: u32,
    /// What the network sees in contact positions: only the checkers on each place (raw), or also counts that
    /// players use (expert): shots, escapes, primes, contact; or also the rolls that hit and make each point,
    /// and products of counts (full). More inputs make it stronger, but slower.
    #[schemars(extend("x-group" = "network", "x-applies" = {"learner": ["afterstates"]}))]
    pub inputs: Inputs,
    /// Neurons of a small network that sorts out poor plays first, when it looks ahead; 0 for none. Up: sorts
    /// out fewer good plays by mistake, but computes slower. Down: computes faster, but loses more good
    /// plays.
    #[schemars(range(min = 0, max = 256))]
    #[schemars(extend("x-group" = "network", "x-applies" = {"learner": ["afterstates"]}))]
    pub pruning: u32,
    /// Exploration: the first plays are random, then fewer and fewer, and none after this many positions. Up:
    /// sees more varied games, but plays badly for longer. Down: plays sensibly sooner, but sees less
    /// variety.
    #[schemars(range(min = 0, max = 1_000_000_000), extend("x-unit" = "positions"))]
    #[schemars(extend("x-group" = "acting", "x-applies" = {"learner": ["afterstates"]}))]
    pub exploration: u32,
    /// Lambda of TD(lambda): what the network learns from, between the next position (0) and the result of
    /// the game (1). Up: more from what came later, up to the result, which varies with the dice. Down: more
    /// from its own next estimate, which is steadier, but may be wrong.
    #[schemars(range(min = 0.0, max = 1.0), extend("x-live" = true))]
    #[schemars(extend("x-group" = "learning", "x-main" = true))]
    pub lambda: f64,
    /// Lookahead: from this round on, it learns from the mean over all 21 rolls instead of the one that was
    /// rolled; 0 never. Up: more rounds with quick, noisy estimates first. Down: less noise sooner, but
    /// rounds take some five (with pruning) to fourteen times as long.
    #[schemars(extend("x-title" = "lookahead from round"))]
    #[schemars(range(min = 0, max = 1_000_000), extend("x-live" = true, "x-unit" = "rounds"))]
    #[schemars(extend("x-group" = "learning", "x-applies" = {"learner": ["afterstates"]}))]
    pub lookahead_from: u32,
    /// Alternative plays: with lookahead, the probability that a turn makes a play other than the best, drawn
    /// from those that lose less than 0.08 points by its own estimate. Up: corrects more estimates that are
    /// too low. Down: better games, and more learned from later turns.
    #[schemars(extend("x-title" = "alternative plays"))]
    #[schemars(range(min = 0.0, max = 1.0), extend("x-live" = true))]
    #[schemars(extend("x-group" = "acting", "x-applies" = {"learner": ["afterstates"]}))]
    pub alternatives: f64,
    /// Warm restart: before this round, training begins anew from the averaged weights, with new games, an
    /// empty replay buffer and a new optimiser, so the learning rate has not decayed; 0 never. Up: begins
    /// anew from better weights. Down: leaves more rounds after the restart.
    #[schemars(extend("x-title" = "warm restart at round"))]
    #[schemars(range(min = 0, max = 1_000_000), extend("x-live" = true, "x-unit" = "rounds"))]
    #[schemars(extend("x-group" = "learning", "x-applies" = {"learner": ["afterstates"]}))]
    pub warm_restart_at: u32,
    /// Learning rate at the start: how far an update moves the weights. Up: the score rises faster, but too
    /// high a rate undoes what was learned. Down: the score rises more slowly and steadily; at 0 nothing is
    /// learned.
    #[schemars(range(min = 0.0, max = 0.1), extend("x-live" = true))]
    #[schemars(extend("x-group" = "learning", "x-main" = true))]
    pub learning_rate: f64,
    /// Learning rate decay: updates after which the rate is down to 0.71 of its start; it goes on falling as
    /// one over the square root. Up: the rate stays high for longer. Down: it falls sooner, which is
    /// steadier, but slower. In AlphaZero with the policy `moves` the rate is constant.
    #[schemars(extend("x-title" = "rate decay"))]
    #[schemars(range(min = 1, max = 100_000_000), extend("x-live" = true, "x-unit" = "updates"))]
    #[schemars(extend("x-group" = "learning"))]
    pub slowdown: u32,
    /// Minibatch size: positions in each update. Up: the loss falls more smoothly, but updates take longer.
    /// Down: updates are quicker, but the loss jumps more.
    #[schemars(range(min = 1, max = 16384), extend("x-unit" = "positions"))]
    #[schemars(extend("x-group" = "learning"))]
    pub batch: u32,
    /// Replay ratio: how often each position is learned from, on average. Up: learns more from each game, but
    /// leaves less time to play. Down: plays more games, but learns less from each.
    #[schemars(extend("x-title" = "replay ratio"))]
    #[schemars(range(min = 0.1, max = 20.0), extend("x-live" = true))]
    #[schemars(extend("x-group" = "learning"))]
    pub reuse: f64,
    /// Replay buffer: how many past positions are kept to learn from. Up: more varied, but contains older
    /// estimates. Down: newer estimates, but less varied.
    #[schemars(range(min = 1, max = 2_000_000), extend("x-unit" = "positions"))]
    #[schemars(extend("x-group" = "learning"))]
    pub replay: u32,
    /// Weight averaging: the network that plays is the average of the weights over this fraction of the run,
    /// the latest part. Up: the score is steadier, but follows progress later. Down: follows progress at
    /// once, but fluctuates.
    #[schemars(extend("x-title" = "weight averaging"))]
    #[schemars(range(min = 0.0, max = 1.0), extend("x-live" = true))]
    #[schemars(extend("x-group" = "learning", "x-applies" = {"learner": ["afterstates"]}))]
    pub averaging: f64,
    /// Rounds between two tests (evaluations) against pubeval; 0 never tests. Up: training is faster, but
    /// progress shows later. Down: progress shows more often, but training is slower.
    #[schemars(range(min = 0, max = 100_000), extend("x-live" = true, "x-unit" = "rounds"))]
    #[schemars(extend("x-group" = "measuring"))]
    pub eval_every: u32,
    /// Games in each test, in pairs with the same dice and the sides exchanged. Up: the score is more exact,
    /// but a test takes longer. Down: a test is quicker, but luck counts more.
    #[schemars(extend("x-title" = "games per eval"))]
    #[schemars(range(min = 2, max = 20_000), extend("x-unit" = "games"))]
    #[schemars(extend("x-group" = "measuring"))]
    pub eval_games: u32,
    /// Learning algorithm: TD(lambda), which learns the value of the positions after a play (afterstates), or
    /// AlphaZero, which learns from tree searches.
    #[schemars(extend("x-group" = "learning", "x-main" = true))]
    pub learner: LearnerKind,
    /// Simulations: plays and replies that it tries out before each turn (tree search). Up: chooses better
    /// plays, but takes longer. Down: plays faster, but worse.
    #[schemars(range(min = 1, max = 10_000))]
    #[schemars(extend("x-group" = "acting", "x-main" = true, "x-applies" = {"learner": ["alphazero"]}))]
    pub simulations: u32,
    /// Policy of the tree search: a policy head that learns which checker moves the searches prefer (moves),
    /// or the network's values of the positions that plays lead to (values). From values it learns much
    /// faster, but a search evaluates every play of a position.
    #[schemars(extend("x-group" = "network", "x-applies" = {"learner": ["alphazero"]}))]
    pub policy: PolicyKind,
    /// Full searches: one turn in this many, drawn at random, has all simulations; the others have only the
    /// quick simulations, and the policy does not learn from them. Up: more games, but fewer well searched
    /// turns. Down: fewer games, better searched.
    #[schemars(extend("x-title" = "full search interval"))]
    #[schemars(range(min = 1, max = 100), extend("x-live" = true, "x-unit" = "turns"))]
    #[schemars(extend("x-group" = "acting", "x-applies" = {"learner": ["alphazero"]}))]
    pub full_search_every: u32,
    /// Simulations of a turn without a full search. Up: better plays, but slower. Down: faster, but worse
    /// plays.
    #[schemars(range(min = 1, max = 10_000), extend("x-live" = true))]
    #[schemars(extend("x-group" = "acting", "x-applies" = {"learner": ["alphazero"]}))]
    pub quick_simulations: u32,
    /// Search values: which values of later turns the value targets use. On: those that the searches found,
    /// which are more exact but depend on the rolls that were tried. Off: the network's own values.
    #[schemars(extend("x-live" = true))]
    #[schemars(extend("x-group" = "learning", "x-applies" = {"learner": ["alphazero"]}))]
    pub search_values: bool,
    /// How much the tree search tries plays that do not look best so far (the exploration constant of PUCT,
    /// its rule of choice). Up: lets the policy decide more and tries more plays. Down: follows the values
    /// found so far.
    #[schemars(extend("x-title" = "exploration constant"))]
    #[schemars(range(min = 0.0, max = 20.0), extend("x-live" = true))]
    #[schemars(extend("x-group" = "acting", "x-applies" = {"learner": ["alphazero"]}))]
    pub cpuct: f64,
    /// First-play urgency: a play without visits counts as the value of its position minus this, in units of
    /// three points. Up: tries fewer plays. Down: tries more plays; below 0 they count as better than their
    /// position.
    #[schemars(extend("x-title" = "first-play urgency"))]
    #[schemars(range(min = -2.0, max = 2.0), extend("x-live" = true))]
    #[schemars(extend("x-group" = "acting", "x-applies" = {"learner": ["alphazero"]}))]
    pub fpu: f64,
    /// How the search samples dice rolls: at random (sampled), evenly over all rolls (even), or all rolls at
    /// the first visit (every).
    #[schemars(extend("x-title" = "dice sampling"))]
    #[serde(rename = "throws")]
    #[schemars(extend("x-group" = "acting", "x-applies" = {"learner": ["alphazero"]}))]
    pub dice_sampling: DiceSampling,
    /// How evenly Dirichlet noise, random numbers that let each search try unlikely plays too, is spread over
    /// the plays; 0 uses Gumbel sampling with sequential halving instead. Up: spreads the noise over more
    /// plays. Down: concentrates it on few plays.
    #[schemars(extend("x-title" = "Dirichlet alpha"))]
    #[schemars(range(min = 0.0, max = 10.0), extend("x-live" = true))]
    #[schemars(extend("x-group" = "acting", "x-applies" = {"learner": ["alphazero"]}))]
    pub dirichlet_alpha: f64,
    /// How much of the probabilities with which a search starts is random (Dirichlet noise). Up: explores
    /// more. Down: follows its policy more.
    #[schemars(extend("x-title" = "Dirichlet fraction"))]
    #[serde(rename = "dirichlet_share")]
    #[schemars(range(min = 0.0, max = 1.0), extend("x-live" = true))]
    #[schemars(extend("x-group" = "acting", "x-applies" = {"learner": ["alphazero"]}))]
    pub dirichlet_fraction: f64,
    /// Sequential halving: how many plays a search with Gumbel sampling begins with; the worse half of them
    /// is dropped again and again. Up: more plays, with fewer simulations for each. Down: fewer plays, each
    /// searched more deeply.
    #[schemars(extend("x-title" = "considered plays"))]
    #[schemars(range(min = 1, max = 64), extend("x-live" = true))]
    #[schemars(extend("x-group" = "acting", "x-applies" = {"learner": ["alphazero"]}))]
    pub considered: u32,
    /// Temperature of self-play: at 0 it makes the play that it tried most, at 1 it draws one, more often if
    /// tried more. Up: closer to random, so games are more varied. Down: better plays, but games are more
    /// alike.
    #[schemars(range(min = 0.0, max = 10.0), extend("x-live" = true))]
    #[schemars(extend("x-group" = "acting", "x-main" = true, "x-applies" = {"learner": ["alphazero"]}))]
    pub temperature: f64,
    /// Turns of a game after which the late temperature replaces the first. Up: the first temperature holds
    /// for longer. Down: the late temperature begins sooner.
    #[schemars(range(min = 0, max = 10_000), extend("x-live" = true, "x-unit" = "turns"))]
    #[schemars(extend("x-group" = "acting", "x-applies" = {"learner": ["alphazero"]}))]
    pub temperature_turns: u32,
    /// Temperature of self-play once the turns of the setting `temperature turns` are over. Up: more varied,
    /// but worse games. Down: better, but less varied games.
    #[schemars(range(min = 0.0, max = 10.0), extend("x-live" = true))]
    #[schemars(extend("x-group" = "acting", "x-applies" = {"learner": ["alphazero"]}))]
    pub late_temperature: f64,
    /// Weight decay: each update makes all weights a little smaller, by this fraction times the learning
    /// rate. Up: keeps the weights small, against learning games by heart. Down: fits its games more closely,
    /// but may learn them by heart.
    #[schemars(range(min = 0.0, max = 1.0), extend("x-live" = true))]
    #[schemars(extend("x-group" = "learning", "x-applies" = {"learner": ["alphazero"]}))]
    pub weight_decay: f64,
}

/// The learning rate `rate` after `updates` updates; see [`BackgammonConfig::slowdown`].
pub fn decayed(rate: f64, slowdown: u32, updates: u64) -> f32 {
    (rate * (1.0 / (1.0 + updates as f64 / f64::from(slowdown)).sqrt())) as f32
}

impl Default for BackgammonConfig {
    fn default() -> Self {
        Self {
            games: 256,
            horizon: 16,
            hidden: 160,
            second: 32,
            race: 48,
            inputs: Inputs::Raw,
            pruning: 0,
            exploration: 250_000,
            lambda: 0.7,
            lookahead_from: 0,
            alternatives: 0.0,
            warm_restart_at: 0,
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
            policy: PolicyKind::Moves,
            full_search_every: 1,
            quick_simulations: 8,
            search_values: false,
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

/// The maximum number of simulations of all search trees together (games times simulations), which bounds
/// their memory. Each can take up to 5 kB; in the preset `gpu` it takes 1.5 kB. So trees take at most 0.7 GB
/// of the 4 GB that a tab has for everything, and 5 GB natively.
const MAX_SIMULATIONS: u64 = if cfg!(target_family = "wasm") { 1 << 17 } else { 1 << 20 };

impl BackgammonConfig {
    /// Checks products of settings. The ranges of single settings are in the schema.
    pub fn check(&self) -> Result<(), LabError> {
        let simulations = u64::from(self.games) * u64::from(self.simulations);
        if self.learner == LearnerKind::AlphaZero && simulations > MAX_SIMULATIONS {
            let place = if cfg!(target_family = "wasm") { " in a tab" } else { "" };
            let problem = format!(
                "games times simulations is {simulations}; expected at most {MAX_SIMULATIONS}{place}"
            );
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
    /// evaluation there are shorter ones after rounds 1, 2, 4, 8 and so on, so that a first result comes
    /// early.
    pub fn evaluation_pairs_after(&self, round: u64) -> u64 {
        /// The minimum number of pairs that gives a useful margin of error.
        const MIN_PAIRS: u64 = 10;
        let (every, pairs) = (u64::from(self.eval_every), u64::from(self.eval_games).div_ceil(2));
        // 0 is the setting for no evaluations.
        if every == 0 {
            0
        } else if round.is_multiple_of(every) {
            pairs
        } else if round < every && round.is_power_of_two() {
            // In proportion to the rounds so far.
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
