//! Learning from the values of what plays leave: games against itself, remembered positions, and a mean of the networks
//! that plays.

use learnery_kernels::rng::Stream;
use learnery_lab::{LabError, Row, State};
use learnery_nn::{Tensors, Weights};

use super::config::BackgammonConfig;
use super::learn::Learner;
use super::network::Network;
use super::replay::Replay;
use super::selfplay::SelfPlay;
use super::{counter, purpose};

/// What learns so.
pub struct Afterstates {
    /// What plays: a mean of the networks of the last part of the run.
    pub player: Weights,
    learner: Learner,
    selfplay: SelfPlay,
    replay: Replay,
}

impl Afterstates {
    /// Nothing played yet.
    pub fn new(config: &BackgammonConfig, seed: u32, network: &Network, player: Weights) -> Self {
        let stream = |purpose| Stream::new(seed, purpose);
        let (games, horizon) = (config.games as usize, config.horizon as usize);
        Self {
            learner: Learner::new(player.clone(), network, config, stream(purpose::BATCHES)),
            selfplay: SelfPlay::new(games, horizon, stream(purpose::DICE), network),
            replay: Replay::new(config.replay as usize),
            player,
        }
    }

    /// Plays a turn in every game; true when those of the round are played.
    pub fn play(&mut self, network: &Network, config: &BackgammonConfig) -> bool {
        let over = self.selfplay.step(network, &self.player, config.exploration);
        if over {
            self.selfplay.finish(config.lambda as f32, &mut self.replay);
            self.learner.begin(config, self.selfplay.round(), self.selfplay.positions());
        }
        over
    }

    /// One update in round `unit`; true when it was the last.
    pub fn learn(&mut self, network: &Network, config: &BackgammonConfig, unit: u64) -> bool {
        let done = self.learner.step(network, &self.replay, config);
        if done {
            self.learner.teach(&mut self.player, config.averaging, unit + 1);
        }
        done
    }

    /// How much of the playing or the learning is done.
    pub fn share(&self, learning: bool) -> f32 {
        if learning { self.learner.share() } else { self.selfplay.share() }
    }

    /// Games that ended in this round.
    pub fn games(&self) -> u64 {
        self.selfplay.counts().games
    }

    /// Positions played so far.
    pub fn positions(&self) -> u64 {
        self.selfplay.positions()
    }

    /// Of the round.
    pub fn metrics(&self, out: &mut Row) {
        let counts = self.selfplay.counts();
        let games = counts.games as f64;
        out.set("games", games);
        out.set("gammons", counts.gammons / games);
        out.set("length", counts.turns as f64 / games);
        out.set("surprise", (counts.surprise / counts.surprised as f64).sqrt());
        self.learner.metrics(out);
    }

    /// How many positions it remembers, and everything else that is needed to go on.
    pub fn save(&self) -> (usize, Tensors) {
        let mut tensors = Tensors::new();
        tensors.absorb("network/", self.player.to_tensors());
        tensors.absorb("learner/", self.learner.to_tensors());
        tensors.absorb("games/", self.selfplay.to_tensors());
        tensors.absorb("replay/", self.replay.to_tensors());
        (self.replay.len(), tensors)
    }

    /// Puts back all but the player.
    pub fn restore(&mut self, state: &State) -> Result<(), LabError> {
        self.learner.restore(&state.tensors.under("learner/"))?;
        self.selfplay.restore(&state.tensors.under("games/"))?;
        let remembered = counter(&state.scalars, "remembered")? as usize;
        self.replay.restore(remembered, &state.tensors.under("replay/"))
    }
}
