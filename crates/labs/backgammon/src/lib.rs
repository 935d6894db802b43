//! Backgammon, learned from self-play. This file implements the `Lab` trait; a run is [`Backgammon`].
//!
//! There are two learners ([`Learner`]). [`afterstates`] is TD(lambda) on afterstates: a network values
//! positions, and the value of a play is that of the position it leads to (Tesauro, "Temporal difference
//! learning and TD-Gammon", 1995). [`alphazero`] is AlphaZero with chance nodes (Silver et al., 2018).
//!
//! A unit of a run (one training iteration) is one *round*: self-play and learning, then, where they are due,
//! evaluation games against pubeval. The afterstate learner alternates self-play and learning; AlphaZero does
//! both at the same time.
//!
//! Terms: a *play* is a complete turn, represented by its *afterstate*: the board it leads to, seen from the
//! side that rolls next. A *move* is the movement of one checker. Values always belong to the side on roll,
//! between two turns ([`Outcomes`](learnery_backgammon_play::outcomes::Outcomes)). So the value of an
//! afterstate belongs to the opponent, and the best play is the one with the lowest value. The *stage* is the
//! board on the page: a game apart from training that the user watches or plays.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))] // Results are the same bits on every platform.

pub mod afterstates;
pub mod alphazero;
pub mod networks;
pub mod one_sided;

mod about;
mod config;
mod counters;
mod evaluation;
#[cfg(not(target_family = "wasm"))]
mod export;
mod learner;
mod match_view;
mod purpose;
mod stage;
mod tools;
mod view;

use learnery_backgammon_play::players::Lookahead;
use learnery_kernels::rng::Stream;
#[cfg(not(target_family = "wasm"))]
use learnery_lab::MakeGraphs;
use learnery_lab::fleet::{self, FleetEntry, FleetLab};
use learnery_lab::{About, Context, Goal, GpuUse, Lab, LabError, Row, State, Status};
use learnery_nn::Tensors;

pub use config::{BackgammonConfig, DiceSampling, LearnerKind, PolicyKind};
use counters::{check_equal, read_counter};
use evaluation::{Choice, Match, MatchScore, Player, Setup};
use learner::Learner;
pub use match_view::{CubeChoice, CubeReview, MatchStep, MatchView};
use stage::{Stage, StageNetwork};
pub use tools::{
    Analyse, AnalyseEvent, AnalyseInput, AnalyseOutput, AnalysedDecision, AnalysedGame, AnalysedMatch,
    BestInput, BestOutput, ChooseBest, CubeAtScores, CubeDecision, CubeEquities, CubeInput, CubeOutput, Duel,
    DuelInput, DuelOutput, Evaluate, EvaluateInput, EvaluateOutput, EvaluatePosition, EvaluationInput,
    LegalPlaysInput, LegalPlaysOutput, ListLegalPlays, ListedPlay, Luck, MatchInput, MatchOutput, MatchTable,
    MeasureRates, MoneyRules, PlayMatch, PlaysInput, PlaysOutput, RankPlays, RatesInput, RatesOutput,
    RollOut, RolloutEvent, RolloutInput, RolloutOutput, ScoreDecision, ScoresInput, ScoresOutput, TableInput,
    TableOutput,
};
pub use view::{
    BackgammonCommand, BackgammonView, Candidate, Phase, PlayedTurn, Players, StageView, TurnReview,
};

/// From this number of games side by side on, AlphaZero uses a GPU without being asked to.
const GPU_GAMES: u32 = 4096;

/// Evaluation games that are played side by side during a run.
const EVALUATION_SEATS: usize = 4;

/// A run of the backgammon lab.
pub struct Backgammon {
    learner: Learner,
    /// The evaluation games during the run.
    evaluation: Match,
    unit_phase: UnitPhase,
    /// The result of the last unit's evaluation games, if it had any.
    score: Option<MatchScore>,
    /// Self-play games that have ended since the run began, or since its restart.
    games: u64,
    stage: Stage,
}

/// The two parts of a unit.
enum UnitPhase {
    /// Self-play and learning. The learner keeps track of which.
    Training,
    /// Evaluation games against pubeval.
    Evaluating,
}

impl Backgammon {
    fn assemble(cx: Context<BackgammonConfig>, learner: Learner, games: u64) -> Self {
        let evaluation = Match::new(evaluation_setup(&learner), EVALUATION_SEATS);
        let stage_network = StageNetwork { network: learner.network(), version: 0 };
        Self {
            stage: Stage::new(stage_network, Stream::new(cx.seed, purpose::STAGE)),
            learner,
            evaluation,
            unit_phase: UnitPhase::Training,
            score: None,
            games,
        }
    }

    /// Begins evaluation games if they are due after this unit, and returns whether they are.
    fn begin_evaluation(&mut self, cx: Context<BackgammonConfig>) -> bool {
        self.score = None;
        let pairs = cx.config.evaluation_pairs_after(cx.unit + 1);
        if pairs > 0 {
            // Every evaluation has the same dice rolls, so that two results differ by the players only, not
            // by luck.
            self.evaluation.begin(Stream::new(cx.seed, purpose::TRAINING_EVALUATION), 0..pairs);
            self.unit_phase = UnitPhase::Evaluating;
        }
        pairs > 0
    }

    fn end_unit(&mut self) -> Status {
        self.games += self.learner.games_of_unit();
        self.unit_phase = UnitPhase::Training;
        Status::UnitFinished
    }

    /// Self-play games that have ended since the run began, or since its restart.
    pub fn games(&self) -> u64 {
        self.games
    }
}

/// Turns that are played in each of the simultaneous games in one step of the evaluation: so few that a step
/// takes some milliseconds.
fn evaluation_turns(learner: &Learner) -> u32 {
    match learner {
        Learner::Afterstates(_) => 64,
        // With a policy head, each turn needs some 400 rows: all plays times all 21 dice rolls.
        Learner::AlphaZero(_) => 4,
    }
}

/// The evaluation games: the trained network without lookahead plays pubeval, and luck counts.
fn evaluation_setup(learner: &Learner) -> Setup<'_> {
    let own = Player::Network(learner.network(), Choice::Lookahead(Lookahead::default()));
    Setup { players: [own, Player::Pubeval], luck: None }
}

impl Lab for Backgammon {
    const ABOUT: About = about::ABOUT;
    type Config = BackgammonConfig;
    const SETTINGS: &str = include_str!("settings.json");
    type Command = BackgammonCommand;
    type View = BackgammonView;
    const TOOLS: &'static [learnery_lab::ToolEntry] = tools::TOOLS;
    const TOOLS_APART: bool = true;
    #[cfg(not(target_family = "wasm"))]
    const GRAPHS: Option<MakeGraphs<BackgammonConfig>> =
        Some(|config, network| Ok(networks::TrainedNetwork::from_tensors(config, network)?.graphs()));
    const FLEET: Option<FleetEntry<Self>> = Some(FleetEntry::of());
    // The setting counts rounds from 1, and 0 stands for never.
    const WARM_RESTART: fn(&BackgammonConfig) -> Option<u64> = |config| match config.learner {
        LearnerKind::Afterstates => u64::from(config.warm_restart_at).checked_sub(1),
        LearnerKind::AlphaZero => None,
    };
    const GPU: GpuUse = GpuUse::Native {
        why_not_in_a_tab: "The network of TD(lambda) is too small for a GPU. AlphaZero's searches wait for every answer of the \
            network, so a GPU pays only with thousands of games at the same time, for which a tab has too little memory. \
            On the command line, the preset “gpu” plays 8,192 games.",
    };

    fn check(config: &BackgammonConfig) -> Result<(), LabError> {
        config.check()
    }

    fn new(cx: Context<BackgammonConfig>) -> Result<Self, LabError> {
        Ok(Self::assemble(cx, Learner::new(cx), 0))
    }

    fn goal(config: &BackgammonConfig) -> Option<Goal> {
        /// Points per game.
        const TARGET: f64 = 0.5;
        (config.eval_every > 0).then(|| Goal {
            metric: "points",
            target: TARGET,
            words: format!("{TARGET} points per game over {} games against pubeval", config.eval_games),
            exact: false,
            best: None,
        })
    }

    fn configure(&mut self, cx: Context<BackgammonConfig>) {
        self.learner.configure(cx.config);
    }

    fn step(&mut self, cx: Context<BackgammonConfig>) -> Status {
        match self.unit_phase {
            UnitPhase::Training => {
                if self.learner.restart_if_due(cx) {
                    self.games = 0;
                }
                match self.learner.step(cx) {
                    Status::UnitFinished if self.begin_evaluation(cx) => Status::Ready,
                    Status::UnitFinished => self.end_unit(),
                    status => status,
                }
            }
            UnitPhase::Evaluating => {
                let turns = evaluation_turns(&self.learner);
                if self.evaluation.step(evaluation_setup(&self.learner), turns) {
                    self.score = Some(self.evaluation.score());
                    return self.end_unit();
                }
                Status::Ready
            }
        }
    }

    fn attach(command: &mut BackgammonCommand, file: Vec<u8>) -> Result<(), LabError> {
        let BackgammonCommand::Invite { checkpoint } = command else {
            return Err(LabError::Command("only `invite` has a file".into()));
        };
        *checkpoint = file;
        Ok(())
    }

    fn apply(
        &mut self,
        cx: Context<BackgammonConfig>,
        command: BackgammonCommand,
    ) -> Result<Option<String>, LabError> {
        let network = StageNetwork { network: self.learner.network(), version: cx.unit };
        self.stage.apply(network, command)
    }

    fn animate(&mut self, cx: Context<BackgammonConfig>, seconds: f64) {
        let network = StageNetwork { network: self.learner.network(), version: cx.unit };
        self.stage.animate(network, seconds);
    }

    fn work(&self, _cx: Context<BackgammonConfig>) -> u64 {
        self.learner.positions()
    }

    fn metrics(&self, _cx: Context<BackgammonConfig>, out: &mut Row) {
        if let Some(score) = &self.score {
            out.set("points", score.mean());
            out.set("margin", score.margin());
            out.set("wins", score.fraction(score.wins));
        }
        self.learner.metrics(out);
    }

    fn view(&self, _cx: Context<BackgammonConfig>) -> BackgammonView {
        let (phase, phase_fraction) = match self.unit_phase {
            UnitPhase::Training => (self.learner.phase(), self.learner.phase_fraction()),
            UnitPhase::Evaluating => (Phase::Evaluating, self.evaluation.fraction()),
        };
        BackgammonView { phase, phase_fraction, games: self.games as f64, stage: self.stage.view() }
    }

    fn save(&self) -> State {
        self.learner.save(self.games)
    }

    fn prepare_save(&mut self, _cx: Context<BackgammonConfig>) -> Status {
        self.learner.fetch_state()
    }

    /// A GPU pays if there are so many games that each request of their searches fills it.
    fn prefers_gpu(config: &BackgammonConfig) -> bool {
        config.learner == LearnerKind::AlphaZero && config.games >= GPU_GAMES
    }

    fn failure(&self) -> Option<String> {
        self.learner.failure()
    }

    #[cfg(feature = "gpu")]
    fn use_gpu(
        &mut self,
        _cx: Context<BackgammonConfig>,
        gpu: &learnery_gpu::Gpu,
        precision: learnery_gpu::Precision,
    ) -> Result<(), LabError> {
        if precision != learnery_gpu::Precision::F32 {
            return Err(LabError::Device("the lab `backgammon` computes on a GPU in f32 only".into()));
        }
        self.learner.use_gpu(gpu)
    }

    fn load(cx: Context<BackgammonConfig>, state: &State) -> Result<Self, LabError> {
        let games = read_counter(&state.scalars, "games")?;
        Ok(Self::assemble(cx, Learner::load(cx, state, games)?, games))
    }

    fn load_network(cx: Context<BackgammonConfig>, network: &Tensors, work: u64) -> Result<Self, LabError> {
        let learner = Learner::load_network(cx, network)?;
        check_equal("work", work, Some(learner.positions()))?;
        Ok(Self::assemble(cx, learner, 0))
    }
}

#[cfg(test)]
mod tests;

impl FleetLab for Backgammon {
    #[cfg(not(target_family = "wasm"))]
    fn share(&mut self, _cx: Context<BackgammonConfig>) -> Result<(), LabError> {
        self.learner.share()
    }

    #[cfg(not(target_family = "wasm"))]
    fn learner(&mut self) -> Option<&mut dyn fleet::Learner> {
        self.learner.of_fleet()
    }

    fn actor(cx: Context<BackgammonConfig>, network: &Tensors) -> Result<Box<dyn fleet::Actor>, LabError> {
        Learner::actor(cx, network)
    }
}
