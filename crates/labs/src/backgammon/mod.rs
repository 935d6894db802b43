//! Backgammon, learned by self-play: a network values positions, and a play is as good as the position it leads to.
//!
//! One round (a *unit*) has three phases, each made of small *steps*: `play` plays a turn in every game, `learn` updates
//! the network with one batch of remembered positions, `measure` plays a few games against pubeval.
//!
//! Tesauro, "Temporal difference learning and TD-Gammon", 1995. A value is that of the side on roll at the boundary of a
//! turn, everywhere ([`outcomes`]): doubles are one turn as all others, and no value is ever read inside one.

mod about;
mod config;
mod duel;
mod evaluate;
mod expert;
mod features;
mod learn;
mod lines;
mod lookahead;
pub(crate) mod network;
pub(crate) mod outcomes;
pub(crate) mod pubeval;
mod replay;
mod selfplay;
mod stage;
mod trained;
mod view;

use learnery_kernels::rng::Stream;
use learnery_lab::{About, Budget, EvalRequest, Goal, Lab, LabError, Report, Row, State, Status};
use learnery_nn::{Tensors, Weights};
use serde_json::{Value, json};

pub use config::BackgammonConfig;
use duel::{Duel, Player, Score};
use learn::Learner;
pub use lines::{Oracle, plays};
use lookahead::Lookahead;
use network::Network;
use replay::Replay;
use selfplay::SelfPlay;
use stage::{Mind, Show};
pub use view::{BackgammonCommand, BackgammonView, Candidate, Judged, Phase, Played, Players, Stage};

/// What random numbers are drawn for; each purpose has its own stream.
mod purpose {
    pub const DICE: u32 = 1;
    pub const WEIGHTS: u32 = 2;
    pub const BATCHES: u32 = 3;
    pub const MEASURE: u32 = 4;
    pub const STAGE: u32 = 5;
    pub const EVALUATION: u32 = 6;
}

/// Chunks of pairs that a step of a measurement plays: a few milliseconds' work.
const AT_ONCE: usize = 4;

/// A run of the backgammon lab.
pub struct Backgammon {
    config: BackgammonConfig,
    seed: u32,
    network: Network,
    /// What plays: a mean of the networks of the last part of the run.
    player: Weights,
    learner: Learner,
    selfplay: SelfPlay,
    replay: Replay,
    duel: Duel,
    phase: Phase,
    /// Rounds begun before this one.
    unit: u64,
    /// The last measurement, where this round held one.
    measured: Option<Score>,
    /// Games that have ended.
    games: u64,
    show: Show,
}

impl Backgammon {
    fn assemble(
        config: BackgammonConfig,
        seed: u32,
        network: Network,
        player: Weights,
        learner: Weights,
    ) -> Self {
        let stream = |purpose| Stream::new(seed, purpose);
        let learner = Learner::new(learner, &network, &config, stream(purpose::BATCHES));
        let (games, horizon) = (config.games as usize, config.horizon as usize);
        let selfplay = SelfPlay::new(games, horizon, stream(purpose::DICE), &network);
        let duel = Duel::new(Self::opponents(&network, &player), AT_ONCE);
        let mind = Mind { network: &network, weights: &player, rounds: 0 };
        Self {
            replay: Replay::new(config.replay as usize),
            show: Show::new(mind, stream(purpose::STAGE)),
            config,
            seed,
            network,
            player,
            learner,
            selfplay,
            duel,
            phase: Phase::Playing,
            unit: 0,
            measured: None,
            games: 0,
        }
    }

    /// Who plays in a measurement.
    fn opponents<'a>(network: &'a Network, player: &'a Weights) -> [Player<'a>; 2] {
        [Player::Trained(network, player, Lookahead::default()), Player::Pubeval]
    }

    /// One step; true when it was the last of the unit.
    fn step(&mut self) -> bool {
        match self.phase {
            Phase::Playing => {
                if self.selfplay.step(&self.network, &self.player, self.config.exploration) {
                    self.selfplay.finish(self.config.lambda as f32, &mut self.replay);
                    let played = (self.selfplay.round(), self.selfplay.positions());
                    self.learner.begin(&self.config, played.0, played.1);
                    self.phase = Phase::Learning;
                }
                false
            }
            Phase::Learning => {
                let done = self.learner.step(&self.network, &self.replay, &self.config);
                if done {
                    self.learner.teach(&mut self.player, self.config.averaging, self.unit + 1);
                }
                done && !self.begin_measuring() && self.finish()
            }
            Phase::Measured => {
                let done = self.duel.step(Self::opponents(&self.network, &self.player));
                if done {
                    self.measured = Some(self.duel.score());
                }
                done && self.finish()
            }
        }
    }

    /// Begins a measurement where one is due.
    fn begin_measuring(&mut self) -> bool {
        self.measured = None;
        let every = u64::from(self.config.eval_every);
        let due = every > 0 && (self.unit + 1).is_multiple_of(every);
        if due {
            // The same throws each time: what changes is the player alone.
            let pairs = u64::from(self.config.eval_games).div_ceil(2);
            self.duel.begin(Stream::new(self.seed, purpose::MEASURE), 0..pairs);
            self.phase = Phase::Measured;
        }
        due
    }

    fn finish(&mut self) -> bool {
        self.unit += 1;
        self.games += self.selfplay.counts().games;
        self.phase = Phase::Playing;
        true
    }

    /// Games against itself that have ended.
    pub fn games(&self) -> u64 {
        self.games
    }

    fn phase_share(&self) -> f32 {
        match self.phase {
            Phase::Playing => self.selfplay.share(),
            Phase::Learning => self.learner.share(),
            Phase::Measured => self.duel.share(),
        }
    }
}

impl Lab for Backgammon {
    const ABOUT: About = about::ABOUT;
    type Config = BackgammonConfig;
    type Command = BackgammonCommand;
    type View = BackgammonView;

    fn check(config: &BackgammonConfig) -> Result<(), LabError> {
        config.check()
    }

    fn new(config: BackgammonConfig, seed: u32) -> Result<Self, LabError> {
        let (network, layout) = Network::new(config.shape());
        let mut player = Weights::new(layout);
        player.update(|params| network.init(params, Stream::new(seed, purpose::WEIGHTS)));
        let learner = player.clone();
        Ok(Self::assemble(config, seed, network, player, learner))
    }

    fn goal(config: &BackgammonConfig) -> Option<Goal> {
        /// Points a game.
        const TARGET: f64 = 0.5;
        (config.eval_every > 0).then(|| Goal {
            metric: "points",
            target: TARGET,
            words: format!("{TARGET} points a game over {} games against pubeval", config.eval_games),
        })
    }

    fn configure(&mut self, config: BackgammonConfig) {
        self.config = config;
    }

    fn advance(&mut self, budget: &mut Budget) -> Status {
        while budget.allows() {
            let unit_is_over = self.step();
            budget.spend();
            if unit_is_over {
                return Status::Unit;
            }
        }
        Status::Ready
    }

    fn apply(&mut self, command: BackgammonCommand) -> Result<(), LabError> {
        let mind = Mind { network: &self.network, weights: &self.player, rounds: self.unit };
        self.show.apply(mind, command)
    }

    fn animate(&mut self, seconds: f64) {
        let mind = Mind { network: &self.network, weights: &self.player, rounds: self.unit };
        self.show.animate(mind, seconds);
    }

    fn work(&self) -> u64 {
        self.selfplay.positions()
    }

    fn metrics(&self, out: &mut Row) {
        if let Some(score) = &self.measured {
            out.set("points", score.mean());
            out.set("margin", score.margin());
            out.set("wins", score.share(score.wins));
        }
        let counts = self.selfplay.counts();
        let games = counts.games as f64;
        out.set("games", games);
        out.set("gammons", counts.gammons / games);
        out.set("length", counts.turns as f64 / games);
        out.set("surprise", (counts.surprise / counts.surprised as f64).sqrt());
        self.learner.metrics(out);
    }

    fn view(&self) -> BackgammonView {
        BackgammonView {
            phase: self.phase,
            phase_share: self.phase_share(),
            games: self.games as f64,
            stage: self.show.stage(),
        }
    }

    fn save(&self) -> State {
        let mut tensors = Tensors::new();
        tensors.absorb("network/", self.player.to_tensors());
        tensors.absorb("learner/", self.learner.to_tensors());
        tensors.absorb("games/", self.selfplay.to_tensors());
        tensors.absorb("replay/", self.replay.to_tensors());
        State {
            scalars: json!({ "unit": self.unit, "games": self.games, "remembered": self.replay.len() }),
            tensors,
        }
    }

    fn load(config: BackgammonConfig, seed: u32, state: &State) -> Result<Self, LabError> {
        let (network, layout) = Network::new(config.shape());
        let player = Weights::from_tensors(layout, &state.tensors.under("network/"))?;
        let learner = player.clone();
        let mut run = Self::assemble(config, seed, network, player, learner);
        run.learner.restore(&state.tensors.under("learner/"))?;
        run.selfplay.restore(&state.tensors.under("games/"))?;
        let remembered = counter(&state.scalars, "remembered")? as usize;
        run.replay.restore(remembered, &state.tensors.under("replay/"))?;
        run.unit = counter(&state.scalars, "unit")?;
        run.games = counter(&state.scalars, "games")?;
        Ok(run)
    }

    fn evaluate(
        config: &BackgammonConfig,
        network: &Tensors,
        request: &EvalRequest,
    ) -> Result<Report, LabError> {
        evaluate::evaluate(config, network, request)
    }
}

fn counter(scalars: &Value, name: &str) -> Result<u64, LabError> {
    let missing = || LabError::Checkpoint(format!("its counter `{name}` is missing"));
    scalars[name].as_u64().ok_or_else(missing)
}
