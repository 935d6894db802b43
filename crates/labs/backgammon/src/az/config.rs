//! The dials of the AlphaZero learner. What they are by default is what the system was trained with whose network this is.

use learnery_kernels::rng::Stream;
use learnery_search::{Chance, Noise, Options};

/// How the learner plays and learns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dials {
    /// Games played side by side.
    pub games: usize,
    /// Turns of each game in a unit.
    pub turns: u32,
    /// Simulations a turn.
    pub simulations: u32,
    /// How much the policy weighs beside values in the search.
    pub cpuct: f32,
    /// How much worse than its state a play counts that was never tried.
    pub fpu: f32,
    /// Concentration of the noise at the root; 0 for a tournament of [`Dials::considered`] plays in its place.
    pub dirichlet_alpha: f32,
    /// Share of the noise.
    pub dirichlet_share: f32,
    /// Plays that enter the tournament.
    pub considered: u32,
    /// How the search deals with dice.
    pub chance: Chance,
    /// How freely plays are drawn by their visits: 1 in proportion, 0 always the most visited.
    pub temperature: f32,
    /// Turns of a game after which [`Dials::late_temperature`] holds.
    pub temperature_turns: u32,
    /// How freely from then on.
    pub late_temperature: f32,
    /// How far what came of a turn is how the game ended, and not what the network says of the turns after it.
    pub lambda: f32,
    /// Positions remembered.
    pub memory: usize,
    /// Positions in a minibatch.
    pub batch: usize,
    /// How often each position is learned from, on average.
    pub reuse: f32,
    /// Learning rate.
    pub learning_rate: f32,
    /// How fast weights shrink, times the learning rate.
    pub weight_decay: f32,
    /// Longest gradient that is followed as it is.
    pub max_grad_norm: f32,
    /// How much the value's loss weighs beside the policy's.
    pub value_weight: f32,
}

impl Default for Dials {
    fn default() -> Self {
        Self {
            games: 128,
            turns: 24,
            simulations: 100,
            cpuct: 2.0,
            fpu: 0.0,
            dirichlet_alpha: 0.3,
            dirichlet_share: 0.25,
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
            weight_decay: 1e-4,
            max_grad_norm: 1.0,
            value_weight: 1.0,
        }
    }
}

impl Dials {
    /// How a tree grows.
    pub fn options(&self, stream: Stream) -> Options {
        let noise = if self.dirichlet_alpha > 0.0 {
            Noise::Dirichlet { alpha: self.dirichlet_alpha, fraction: self.dirichlet_share }
        } else {
            Noise::Gumbel { considered: self.considered }
        };
        Options {
            simulations: self.simulations,
            in_flight: 1,
            cpuct: self.cpuct,
            fpu: self.fpu,
            chance: self.chance,
            noise,
            stream,
        }
    }

    /// How freely plays are drawn in turn `turn` of a game.
    pub fn temperature_at(&self, turn: u64) -> f32 {
        if turn < u64::from(self.temperature_turns) { self.temperature } else { self.late_temperature }
    }
}
