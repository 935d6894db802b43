//! The afterstate learner: TD(lambda) on the positions that plays lead to, with self-play, replay buffer and
//! averaged weights.
//!
//! A *round* is one unit of a run: a fixed number of turns in every self-play game, then updates. The weights
//! that play, and whose values enter the targets, are a running average of the trained weights over the last
//! part of the run (Polyak and Juditsky, 1992). This average needs neither a schedule nor the length of the
//! run.

use learnery_kernels::rng::Stream;
use learnery_kernels::vector::lerp;
use learnery_lab::{Context, LabError, Row};
use learnery_nn::{Tensors, Weights};

use super::network::Network;
use super::optimiser::Optimiser;
use super::replay::ReplayBuffer;
use super::self_play::{Exploration, SelfPlay};
use crate::config::BackgammonConfig;
use crate::counters::{MAX_COUNTER, check_at_most, check_equal};
use crate::purpose;

/// The state of a run with this learner.
pub struct AfterstateLearner {
    /// The shapes of the network, without parameters.
    network: Network,
    /// The averaged weights, with which the games are played.
    player: Weights,
    optimiser: Optimiser,
    self_play: SelfPlay,
    replay: ReplayBuffer,
    phase: Phase,
    /// The number of rounds before the last warm restart; 0 if there was none.
    restarted: u64,
}

/// The counters of a saved run.
#[derive(Clone, Copy, Debug)]
pub struct Counters {
    /// Positions in the replay buffer.
    pub remembered: u64,
    /// The number of rounds before the last warm restart; 0 if there was none.
    pub restarted: u64,
}

/// The two parts of a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    SelfPlay,
    Learning,
}

impl AfterstateLearner {
    pub fn new(cx: Context<BackgammonConfig>) -> Self {
        let (network, layout) = Network::new(cx.config.into());
        let mut player = Weights::new(layout);
        player.update(|params| network.init(params, Stream::new(cx.seed, purpose::AFTERSTATE_WEIGHTS)));
        Self::assemble(cx, network, player, 0)
    }

    /// A learner that begins with the weights `player`, after `restarted` rounds of the run.
    fn assemble(cx: Context<BackgammonConfig>, network: Network, player: Weights, restarted: u64) -> Self {
        let Context { config, seed, .. } = cx;
        // After a restart the dice are those of another seed, so they differ from those at the beginning of
        // the run.
        let stream = |purpose| Stream::new(seed.wrapping_add(restarted as u32), purpose);
        let (games, horizon) = (config.games as usize, config.horizon as usize);
        let batches = stream(purpose::AFTERSTATE_BATCHES);
        let first_position = restarted * u64::from(config.games) * u64::from(config.horizon);
        let dice = stream(purpose::AFTERSTATE_DICE);
        Self {
            optimiser: Optimiser::new(player.clone(), &network, config, batches),
            self_play: SelfPlay::new(games, horizon, dice, &network, first_position),
            replay: ReplayBuffer::new(config.replay as usize),
            network,
            player,
            phase: Phase::SelfPlay,
            restarted,
        }
    }

    /// Whether a warm restart comes before the next round.
    pub fn is_restart_due(&self, cx: Context<BackgammonConfig>) -> bool {
        let is_between_rounds = self.phase == Phase::SelfPlay && self.self_play.fraction() == 0.0;
        // Rounds count from 1. A learner that has just restarted does not restart again.
        is_between_rounds && cx.unit + 1 == u64::from(cx.config.warm_restart_at) && cx.unit != self.restarted
    }

    /// A warm restart (Loshchilov and Hutter, 2017): begins anew from the averaged weights. What follows
    /// depends on nothing else of the run so far than its seed, its settings and the number of its rounds. So
    /// a run can also be continued from a file that holds only the network.
    pub fn restart(&mut self, cx: Context<BackgammonConfig>) {
        let (network, _) = Network::new(cx.config.into());
        *self = Self::assemble(cx, network, self.player.clone(), cx.unit);
    }

    /// Runs one step: a turn of every game, or one update. Returns whether it was the round's last.
    pub fn step(&mut self, cx: Context<BackgammonConfig>) -> bool {
        let config = cx.config;
        match self.phase {
            Phase::SelfPlay => {
                let from = u64::from(config.lookahead_from);
                // Rounds count from 1.
                let has_lookahead = from > 0 && cx.unit + 1 >= from;
                let Self { network, player, .. } = self;
                let exploration =
                    Exploration { positions: config.exploration, alternatives: config.alternatives };
                let is_last_turn = self.self_play.step(network, player, &exploration, has_lookahead);
                if is_last_turn {
                    self.self_play.finish(config.lambda as f32, &mut self.replay);
                    let in_round = self.self_play.positions_per_round();
                    self.optimiser.begin(config, in_round, self.self_play.positions());
                    self.phase = Phase::Learning;
                }
                false
            }
            Phase::Learning => {
                let is_last_update = self.optimiser.step(&self.network, &self.replay, config);
                if is_last_update {
                    self.average_weights(config.averaging, cx.unit + 1);
                    self.phase = Phase::SelfPlay;
                }
                is_last_update
            }
        }
    }

    /// Moves the averaged weights towards the trained ones after `rounds` rounds. `averaging` is the fraction
    /// of the run that the average covers.
    fn average_weights(&mut self, averaging: f64, rounds: u64) {
        // An exponential average over the last `averaging * rounds` rounds, which become more as the run goes
        // on.
        let rate = 1.0 / (averaging * rounds as f64).max(1.0);
        let trained = self.optimiser.weights();
        self.player.update(|params| lerp(params, rate as f32, trained.flat()));
    }

    pub fn network(&self) -> &Network {
        &self.network
    }

    /// The averaged weights, with which the games are played.
    pub fn player_weights(&self) -> &Weights {
        &self.player
    }

    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// The completed fraction of the phase, 0 to 1.
    pub fn phase_fraction(&self) -> f32 {
        match self.phase {
            Phase::SelfPlay => self.self_play.fraction(),
            Phase::Learning => self.optimiser.fraction(),
        }
    }

    /// Games that ended in the last whole round.
    pub fn games_of_round(&self) -> u64 {
        self.self_play.counts().games
    }

    /// Games that have ended since the run began, or since its restart.
    pub fn finished_games(&self) -> Result<u64, LabError> {
        self.self_play.finished_games()
    }

    /// Positions played since the run began.
    pub fn positions(&self) -> u64 {
        self.self_play.positions()
    }

    pub fn metrics(&self, out: &mut Row) {
        let counts = self.self_play.counts();
        let games = counts.games as f64;
        out.set("games", games);
        out.set("gammons", counts.gammons / games);
        out.set("length", counts.turns as f64 / games);
        // The root mean square TD error.
        out.set("surprise", (counts.squared_error / counts.errors as f64).sqrt());
        self.optimiser.metrics(out);
    }

    /// Returns the counters and all tensors. Must be called between two rounds.
    pub fn save(&self) -> (Counters, Tensors) {
        let mut tensors = Tensors::new();
        tensors.absorb("network/", self.player.to_tensors());
        if let Some(races) = self.network.races() {
            tensors.absorb("network/", races.to_tensors());
        }
        tensors.absorb("learner/", self.optimiser.to_tensors());
        tensors.absorb("games/", self.self_play.to_tensors());
        tensors.absorb("replay/", self.replay.to_tensors());
        (Counters { remembered: self.replay.len() as u64, restarted: self.restarted }, tensors)
    }

    /// Continues a run of which only the network is left, with a warm restart.
    pub fn load_network(cx: Context<BackgammonConfig>, tensors: &Tensors) -> Result<Self, LabError> {
        let (mut network, layout) = Network::new(cx.config.into());
        network.read_races(tensors)?;
        let player = Weights::from_tensors(layout, tensors)?;
        let positions_per_round = u64::from(cx.config.games) * u64::from(cx.config.horizon);
        check_at_most("units", cx.unit, (MAX_COUNTER / positions_per_round) as f64)?;
        Ok(Self::assemble(cx, network, player, cx.unit))
    }

    /// Continues a run that was saved with these counters and tensors.
    pub fn load(
        cx: Context<BackgammonConfig>,
        tensors: &Tensors,
        counters: Counters,
    ) -> Result<Self, LabError> {
        let Counters { remembered, restarted } = counters;
        check_at_most("restarted", restarted, cx.unit as f64)?;
        let rounds = cx.unit - restarted;
        let (mut network, layout) = Network::new(cx.config.into());
        let of_network = tensors.under("network/");
        network.read_races(&of_network)?;
        let player = Weights::from_tensors(layout, &of_network)?;
        let mut learner = Self::assemble(cx, network, player, restarted);
        learner.self_play.restore(&tensors.under("games/"), rounds)?;
        let positions_per_round = learner.self_play.positions_per_round();
        let positions = rounds * positions_per_round;
        check_equal("remembered", remembered, Some(positions.min(u64::from(cx.config.replay))))?;
        learner.replay.restore(positions, &tensors.under("replay/"))?;
        learner.optimiser.restore(cx.config, &tensors.under("learner/"), rounds, positions_per_round)?;
        Ok(learner)
    }
}
