//! The settings of the AlphaZero learner, made of the lab's settings. The defaults are the settings with
//! which other authors trained the architecture of the network (fcresnet, a fully connected residual
//! network). A unit is one iteration of self-play and learning.

use learnery_kernels::rng::Stream;
use learnery_search::{Chance, Noise, Options};

use crate::config::{BackgammonConfig, DiceSampling, PolicyKind, decayed};

/// See [`BackgammonConfig`] for the settings that users can change.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AlphaZeroSettings {
    /// Self-play games side by side.
    pub games: usize,
    /// Turns of each game in a unit.
    pub turns: u32,
    /// What the prior policy of a search comes from.
    pub policy: PolicyKind,
    /// Simulations of a full search.
    pub simulations: u32,
    /// One turn in this many, drawn at random, has a full search (Wu, "Accelerating self-play learning in
    /// Go", 2019: playout cap randomisation).
    pub full_search_every: u32,
    /// Simulations of the search of any other turn.
    pub quick_simulations: u32,
    /// Whether value targets mix the search's values of later turns, instead of the network's.
    pub search_values: bool,
    /// PUCT's exploration constant: the weight of the policy beside the values.
    pub cpuct: f32,
    /// First-play urgency: the search assumes for an unvisited play the value of its state minus this number,
    /// in units of three points.
    pub fpu: f32,
    /// Concentration of the Dirichlet noise at the root. At 0, Gumbel sampling and sequential halving of
    /// [`AlphaZeroSettings::considered`] plays take its place.
    pub dirichlet_alpha: f32,
    /// Fraction of the root policy that is Dirichlet noise.
    pub dirichlet_fraction: f32,
    /// Plays that enter sequential halving.
    pub considered: u32,
    /// How a search samples dice rolls.
    pub chance: Chance,
    /// Self-play samples plays in proportion to their visits to the power of one over the temperature; 0
    /// takes the best.
    pub temperature: f32,
    /// From this turn of a game on, [`AlphaZeroSettings::late_temperature`] applies.
    pub temperature_turns: u32,
    /// Temperature from then on.
    pub late_temperature: f32,
    /// Lambda of the value targets: 1 learns from the end of the game only, 0 from the network's next value
    /// only.
    pub lambda: f32,
    /// Capacity of the replay buffer.
    pub memory: usize,
    /// Positions in a minibatch.
    pub batch: usize,
    /// How often each position is learned from, on average.
    pub reuse: f32,
    /// Learning rate of the first update; see [`AlphaZeroSettings::learning_rate_after`].
    pub learning_rate: f32,
    /// Updates after which the learning rate is down to 0.71 of its start; it falls as one over the square
    /// root. `None` keeps the rate, as the settings of other authors do.
    pub slowdown: Option<u32>,
    /// Decoupled weight decay, times the learning rate.
    pub weight_decay: f32,
    /// Gradients with a larger norm are scaled down to this norm.
    pub max_grad_norm: f32,
    /// Weight of the value loss; that of the policy loss is 1.
    pub value_weight: f32,
}

impl Default for AlphaZeroSettings {
    fn default() -> Self {
        Self {
            games: 128,
            turns: 24,
            policy: PolicyKind::Moves,
            simulations: 100,
            full_search_every: 1,
            quick_simulations: 8,
            search_values: false,
            cpuct: 2.0,
            fpu: 0.0,
            dirichlet_alpha: 0.3,
            dirichlet_fraction: 0.25,
            considered: 16,
            chance: Chance::LowDiscrepancy,
            temperature: 1.0,
            temperature_turns: u32::MAX,
            late_temperature: 1.0,
            lambda: 1.0,
            memory: 100_000,
            batch: 256,
            reuse: 1.0,
            learning_rate: 1e-3,
            slowdown: None,
            weight_decay: 1e-4,
            max_grad_norm: 1.0,
            value_weight: 1.0,
        }
    }
}

impl From<&BackgammonConfig> for AlphaZeroSettings {
    fn from(config: &BackgammonConfig) -> Self {
        Self {
            games: config.games as usize,
            turns: config.horizon,
            policy: config.policy,
            simulations: config.simulations,
            full_search_every: config.full_search_every,
            quick_simulations: config.quick_simulations,
            search_values: config.search_values,
            cpuct: config.cpuct as f32,
            fpu: config.fpu as f32,
            dirichlet_alpha: config.dirichlet_alpha as f32,
            dirichlet_fraction: config.dirichlet_fraction as f32,
            considered: config.considered,
            chance: match config.dice_sampling {
                DiceSampling::Sampled => Chance::Sampled,
                DiceSampling::Even => Chance::LowDiscrepancy,
                DiceSampling::Every => Chance::Exhaustive,
            },
            temperature: config.temperature as f32,
            temperature_turns: config.temperature_turns,
            late_temperature: config.late_temperature as f32,
            lambda: config.lambda as f32,
            memory: config.replay as usize,
            batch: config.batch as usize,
            reuse: config.reuse as f32,
            learning_rate: config.learning_rate as f32,
            slowdown: (config.policy == PolicyKind::Values).then_some(config.slowdown),
            weight_decay: config.weight_decay as f32,
            ..Self::default()
        }
    }
}

impl AlphaZeroSettings {
    /// Search rounds in a step. A round advances each search until it waits for the network: usually by one
    /// simulation, or by half of one if it also needs a policy. With a policy head, two rounds of a group of
    /// games take a thread a few milliseconds. A policy from values takes some twenty rows of the network for
    /// each position, so a round takes longer.
    pub fn rounds_per_step(&self) -> u32 {
        match self.policy {
            PolicyKind::Moves => 2,
            PolicyKind::Values => 1,
        }
    }

    /// The mean number of simulations of a turn, rounded up.
    pub fn mean_simulations(&self) -> u64 {
        let every = u64::from(self.full_search_every.max(1));
        let quick = u64::from(self.quick_simulations.min(self.simulations));
        (u64::from(self.simulations) + (every - 1) * quick).div_ceil(every)
    }

    /// The learning rate of the update that follows `updates` others.
    pub fn learning_rate_after(&self, updates: u64) -> f32 {
        let rate = self.learning_rate;
        self.slowdown.map_or(rate, |slowdown| decayed(f64::from(rate), slowdown, updates))
    }

    /// The exploration at the root of a full search.
    fn noise(&self) -> Noise {
        if self.dirichlet_alpha > 0.0 {
            Noise::Dirichlet { alpha: self.dirichlet_alpha, fraction: self.dirichlet_fraction }
        } else {
            Noise::Gumbel { considered: self.considered }
        }
    }

    /// The options of a full self-play search.
    pub fn search_options(&self, stream: Stream) -> Options {
        Options {
            simulations: self.simulations,
            // Batches come from many games instead of several simulations of one tree.
            in_flight: 1,
            cpuct: self.cpuct,
            fpu: self.fpu,
            chance: self.chance,
            noise: self.noise(),
            stream,
        }
    }

    /// Simulations of a turn's search, and the exploration at its root.
    pub fn effort(&self, has_full_search: bool) -> (u32, Noise) {
        if has_full_search {
            (self.simulations, self.noise())
        } else {
            (self.quick_simulations.min(self.simulations), Noise::None)
        }
    }

    /// The temperature in turn `turn` of a game.
    pub fn temperature_at(&self, turn: u64) -> f32 {
        if turn < u64::from(self.temperature_turns) { self.temperature } else { self.late_temperature }
    }
}
