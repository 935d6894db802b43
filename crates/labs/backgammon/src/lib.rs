//! Backgammon, learned by self-play: a network values positions, and a play is as good as the position it leads to.
//!
//! One round (a *unit*) has three phases, each made of small *steps*: `play` plays a turn in every game, `learn` updates
//! the network with one batch of remembered positions, `measure` plays a few games against pubeval.
//!
//! AlphaZero ([`az`]) is another way to learn, in which playing and learning are one phase.
//!
//! Tesauro, "Temporal difference learning and TD-Gammon", 1995. A value is that of the side on roll at the boundary of a
//! turn, everywhere ([`outcomes`]): doubles are one turn as all others, and no value is ever read inside one.

pub mod az;

mod about;
mod afterstates;
mod brain;
mod config;
mod duel;
mod evaluate;
mod expert;
mod features;
mod learn;
mod lines;
mod lookahead;
pub mod network;
pub mod outcomes;
mod ponder;
pub mod pubeval;
mod replay;
mod searcher;
mod selfplay;
mod stage;
mod trained;
mod view;

use learnery_kernels::rng::Stream;
use learnery_lab::{About, Budget, EvalRequest, Goal, Lab, LabError, Report, Row, State, Status};
use learnery_nn::{Tensors, Weights};
use serde_json::{Value, json};

use afterstates::Afterstates;
use az::AlphaZero;
use brain::Brain;
pub use config::{BackgammonConfig, LearnerKind, Throws};
use duel::{Duel, Player, Score};
pub use lines::{Oracle, plays};
use lookahead::Lookahead;
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
    brain: Brain,
    training: Training,
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

/// The two ways to learn.
enum Training {
    Afterstates(Box<Afterstates>),
    AlphaZero(Box<AlphaZero>),
}

impl Training {
    /// The parameters of what plays.
    fn player(&self) -> &Weights {
        match self {
            Self::Afterstates(run) => &run.player,
            Self::AlphaZero(run) => &run.network().weights,
        }
    }
}

impl Backgammon {
    fn assemble(config: BackgammonConfig, seed: u32, brain: Brain, training: Training) -> Self {
        let duel = Duel::new(Self::opponents(&brain, training.player()), AT_ONCE);
        let mind = Mind { network: &brain, weights: training.player(), rounds: 0 };
        Self {
            show: Show::new(mind, Stream::new(seed, purpose::STAGE)),
            config,
            seed,
            brain,
            training,
            duel,
            phase: Phase::Playing,
            unit: 0,
            measured: None,
            games: 0,
        }
    }

    /// Who plays in a measurement.
    fn opponents<'a>(brain: &'a Brain, player: &'a Weights) -> [Player<'a>; 2] {
        [Player::Trained(brain, player, Lookahead::default()), Player::Pubeval]
    }

    /// One step; true when it was the last of the unit.
    fn step(&mut self) -> bool {
        let learned = match (self.phase, &self.brain, &mut self.training) {
            (Phase::Measured, ..) => {
                let done = self.duel.step(Self::opponents(&self.brain, self.training.player()));
                if done {
                    self.measured = Some(self.duel.score());
                }
                return done && self.finish();
            }
            (_, _, Training::AlphaZero(run)) => run.step(),
            (Phase::Playing, Brain::Afterstates(network), Training::Afterstates(run)) => {
                if run.play(network, &self.config) {
                    self.phase = Phase::Learning;
                }
                false
            }
            (Phase::Learning, Brain::Afterstates(network), Training::Afterstates(run)) => {
                run.learn(network, &self.config, self.unit)
            }
            (_, Brain::Turns(_), Training::Afterstates(_)) => unreachable!("they are made together"),
        };
        learned && !self.begin_measuring() && self.finish()
    }

    /// Begins a measurement where one is due.
    fn begin_measuring(&mut self) -> bool {
        self.measured = None;
        let pairs = self.config.pairs_after(self.unit + 1);
        if pairs > 0 {
            // The same throws each time: what changes is the player alone.
            self.duel.begin(Stream::new(self.seed, purpose::MEASURE), 0..pairs);
            self.phase = Phase::Measured;
        }
        pairs > 0
    }

    fn finish(&mut self) -> bool {
        self.unit += 1;
        self.games += match &self.training {
            Training::Afterstates(run) => run.games(),
            Training::AlphaZero(run) => run.report().0.games,
        };
        self.phase = Phase::Playing;
        true
    }

    /// Games against itself that have ended.
    pub fn games(&self) -> u64 {
        self.games
    }

    fn phase_share(&self) -> f32 {
        match (self.phase, &self.training) {
            (Phase::Measured, _) => self.duel.share(),
            (phase, Training::Afterstates(run)) => run.share(phase == Phase::Learning),
            (_, Training::AlphaZero(run)) => run.share(),
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
        let (brain, layout) = config.brain();
        let training = match &brain {
            Brain::Afterstates(network) => {
                let mut player = Weights::new(layout);
                player.update(|params| network.init(params, Stream::new(seed, purpose::WEIGHTS)));
                Training::Afterstates(Box::new(Afterstates::new(&config, seed, network, player)))
            }
            Brain::Turns(_) => Training::AlphaZero(Box::new(AlphaZero::new(config.dials(), seed))),
        };
        Ok(Self::assemble(config, seed, brain, training))
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
        if let Training::AlphaZero(run) = &mut self.training {
            run.configure(config.dials());
        }
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
        let mind = Mind { network: &self.brain, weights: self.training.player(), rounds: self.unit };
        self.show.apply(mind, command)
    }

    fn animate(&mut self, seconds: f64) {
        let mind = Mind { network: &self.brain, weights: self.training.player(), rounds: self.unit };
        self.show.animate(mind, seconds);
    }

    fn work(&self) -> u64 {
        match &self.training {
            Training::Afterstates(run) => run.positions(),
            Training::AlphaZero(run) => run.work(),
        }
    }

    fn metrics(&self, out: &mut Row) {
        if let Some(score) = &self.measured {
            out.set("points", score.mean());
            out.set("margin", score.margin());
            out.set("wins", score.share(score.wins));
        }
        match &self.training {
            Training::Afterstates(run) => run.metrics(out),
            Training::AlphaZero(run) => run.metrics(out),
        }
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
        let (unit, games) = (self.unit, self.games);
        match &self.training {
            Training::Afterstates(run) => {
                let (remembered, tensors) = run.save();
                State { scalars: json!({ "unit": unit, "games": games, "remembered": remembered }), tensors }
            }
            Training::AlphaZero(run) => {
                let State { scalars, tensors } = run.save();
                State { scalars: json!({ "unit": unit, "games": games, "alphazero": scalars }), tensors }
            }
        }
    }

    fn load(config: BackgammonConfig, seed: u32, state: &State) -> Result<Self, LabError> {
        let (brain, layout) = config.brain();
        let training = match &brain {
            Brain::Afterstates(network) => {
                let player = Weights::from_tensors(layout, &state.tensors.under("network/"))?;
                let mut run = Afterstates::new(&config, seed, network, player);
                run.restore(state)?;
                Training::Afterstates(Box::new(run))
            }
            Brain::Turns(_) => {
                let scalars = &state.scalars["alphazero"];
                let run = AlphaZero::load(config.dials(), seed, scalars, &state.tensors)?;
                Training::AlphaZero(Box::new(run))
            }
        };
        let mut run = Self::assemble(config, seed, brain, training);
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
