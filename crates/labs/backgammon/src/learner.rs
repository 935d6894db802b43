//! The learner of a run, behind one enum: TD(lambda) on afterstates (the positions that plays lead to), or
//! AlphaZero. A unit is one round of self-play and learning; a step is the smallest piece of a unit.

use learnery_lab::fleet;
use learnery_lab::{Context, LabError, Row, State, Status};
use learnery_nn::Tensors;
use serde_json::json;

use crate::afterstates::{self, AfterstateLearner};
use crate::alphazero::{AlphaZeroLearner, AlphaZeroSettings, SelfPlayActor};
use crate::config::{BackgammonConfig, LearnerKind};
use crate::counters::{check_equal, read_counter};
use crate::networks::NetworkRef;
use crate::view::Phase;

/// A learner with its network, its self-play and its training state.
pub enum Learner {
    /// TD(lambda) on afterstates.
    Afterstates(Box<AfterstateLearner>),
    /// AlphaZero with chance nodes.
    AlphaZero(Box<AlphaZeroLearner>),
}

impl Learner {
    pub fn new(cx: Context<BackgammonConfig>) -> Self {
        match cx.config.learner {
            LearnerKind::Afterstates => Self::Afterstates(Box::new(AfterstateLearner::new(cx))),
            LearnerKind::AlphaZero => {
                let settings = AlphaZeroSettings::from(cx.config);
                Self::AlphaZero(Box::new(AlphaZeroLearner::new(settings, cx.seed)))
            }
        }
    }

    /// Continues a run in which `games` self-play games have ended.
    pub fn load(cx: Context<BackgammonConfig>, state: &State, games: u64) -> Result<Self, LabError> {
        let (learner, finished) = match cx.config.learner {
            LearnerKind::Afterstates => {
                let restarted = match state.scalars.get("restarted") {
                    Some(_) => read_counter(&state.scalars, "restarted")?,
                    None => 0,
                };
                let remembered = read_counter(&state.scalars, "remembered")?;
                let counters = afterstates::Counters { remembered, restarted };
                let learner = AfterstateLearner::load(cx, &state.tensors, counters)?;
                let finished = learner.finished_games()?;
                (Self::Afterstates(Box::new(learner)), finished)
            }
            LearnerKind::AlphaZero => {
                let settings = AlphaZeroSettings::from(cx.config);
                let scalars = &state.scalars["alphazero"];
                let learner = AlphaZeroLearner::load(settings, cx.seed, cx.unit, scalars, &state.tensors)?;
                let finished = learner.finished_games()?;
                (Self::AlphaZero(Box::new(learner)), finished)
            }
        };
        check_equal("games", games, Some(finished))?;
        Ok(learner)
    }

    /// Continues a run of which only the network is left.
    pub fn load_network(cx: Context<BackgammonConfig>, network: &Tensors) -> Result<Self, LabError> {
        match cx.config.learner {
            LearnerKind::Afterstates => {
                Ok(Self::Afterstates(Box::new(AfterstateLearner::load_network(cx, network)?)))
            }
            LearnerKind::AlphaZero => Err(LabError::Checkpoint(
                "it holds only the network of an AlphaZero run; it can be evaluated, not continued".into(),
            )),
        }
    }

    /// Saves everything needed to continue. Must be called between two units.
    pub fn save(&self, games: u64) -> State {
        match self {
            Self::Afterstates(learner) => {
                let (counters, tensors) = learner.save();
                let mut scalars = json!({ "games": games, "remembered": counters.remembered });
                // Left out of runs without a restart, which so keep the fingerprint that they had before
                // there were restarts.
                if counters.restarted > 0 {
                    scalars["restarted"] = counters.restarted.into();
                }
                State { scalars, tensors }
            }
            Self::AlphaZero(learner) => {
                let State { scalars, tensors } = learner.save();
                State { scalars: json!({ "games": games, "alphazero": scalars }), tensors }
            }
        }
    }

    /// Makes a warm restart if the settings say so before the next unit, and returns whether it did.
    pub fn restart_if_due(&mut self, cx: Context<BackgammonConfig>) -> bool {
        match self {
            Self::Afterstates(learner) if learner.is_restart_due(cx) => {
                learner.restart(cx);
                true
            }
            _ => false,
        }
    }

    /// Runs one step. Its status is [`Status::UnitFinished`] if it was the unit's last.
    pub fn step(&mut self, cx: Context<BackgammonConfig>) -> Status {
        match self {
            Self::Afterstates(learner) => {
                let is_round_complete = learner.step(cx);
                if is_round_complete { Status::UnitFinished } else { Status::Ready }
            }
            Self::AlphaZero(learner) => learner.step(),
        }
    }

    /// Applies settings that the user has changed during the run.
    pub fn configure(&mut self, config: &BackgammonConfig) {
        match self {
            // This learner receives the settings with every step.
            Self::Afterstates(_) => {}
            Self::AlphaZero(learner) => learner.configure(AlphaZeroSettings::from(config)),
        }
    }

    /// The network that plays in evaluation games and on the stage.
    pub fn network(&self) -> NetworkRef<'_> {
        match self {
            Self::Afterstates(learner) => {
                NetworkRef::Afterstates(learner.network(), learner.player_weights())
            }
            Self::AlphaZero(learner) => NetworkRef::AlphaZero(learner.network()),
        }
    }

    pub fn phase(&self) -> Phase {
        match self {
            Self::Afterstates(learner) => match learner.phase() {
                afterstates::Phase::SelfPlay => Phase::SelfPlay,
                afterstates::Phase::Learning => Phase::Learning,
            },
            // AlphaZero learns during self-play.
            Self::AlphaZero(_) => Phase::SelfPlay,
        }
    }

    /// How much of the phase is done, 0 to 1.
    pub fn phase_fraction(&self) -> f32 {
        match self {
            Self::Afterstates(learner) => learner.phase_fraction(),
            Self::AlphaZero(learner) => learner.unit_fraction(),
        }
    }

    /// Self-play games that ended in the last whole unit.
    pub fn games_of_unit(&self) -> u64 {
        match self {
            Self::Afterstates(learner) => learner.games_of_round(),
            Self::AlphaZero(learner) => learner.last_counts().games,
        }
    }

    /// Positions since the run began. The afterstate learner counts all positions played, AlphaZero those of
    /// finished games.
    pub fn positions(&self) -> u64 {
        match self {
            Self::Afterstates(learner) => learner.positions(),
            Self::AlphaZero(learner) => learner.positions(),
        }
    }

    pub fn metrics(&self, out: &mut Row) {
        match self {
            Self::Afterstates(learner) => learner.metrics(out),
            Self::AlphaZero(learner) => learner.metrics(out),
        }
    }
}

/// Runs that a fleet computes: only those of AlphaZero.
impl Learner {
    /// Leaves self-play to a fleet (other machines), between two units.
    #[cfg(not(target_family = "wasm"))]
    pub fn share(&mut self) -> Result<(), LabError> {
        match self {
            Self::Afterstates(_) => Err(only_alphazero()),
            Self::AlphaZero(learner) => learner.share(),
        }
    }

    /// The learner's side of a run that is shared.
    #[cfg(not(target_family = "wasm"))]
    pub fn of_fleet(&mut self) -> Option<&mut dyn fleet::Learner> {
        match self {
            Self::AlphaZero(learner) if learner.is_shared() => Some(&mut **learner),
            _ => None,
        }
    }

    /// An actor for runs with these settings.
    pub fn actor(
        cx: Context<BackgammonConfig>,
        network: &Tensors,
    ) -> Result<Box<dyn fleet::Actor>, LabError> {
        match cx.config.learner {
            LearnerKind::Afterstates => Err(only_alphazero()),
            LearnerKind::AlphaZero => {
                let settings = AlphaZeroSettings::from(cx.config);
                Ok(Box::new(SelfPlayActor::new(settings, cx.seed, network)?))
            }
        }
    }
}

fn only_alphazero() -> LabError {
    LabError::Fleet(
        "the games of TD(lambda) are too quick to send to other machines; the presets `alphazero`, `tournament` and `values` \
         can train with a fleet"
            .into(),
    )
}

/// Runs on a GPU: only those of AlphaZero.
impl Learner {
    /// Moves the run to a GPU, between two units.
    #[cfg(feature = "gpu")]
    pub fn use_gpu(&mut self, gpu: &learnery_gpu::Gpu) -> Result<(), LabError> {
        match self {
            Self::Afterstates(_) => Err(LabError::Device(
                "TD(lambda) on afterstates computes on the CPU: its network is too small for a GPU to pay"
                    .into(),
            )),
            Self::AlphaZero(learner) => learner.use_gpu(gpu),
        }
    }

    /// Fetches what a checkpoint needs from the GPU, if the run computes there.
    pub fn fetch_state(&mut self) -> Status {
        match self {
            Self::Afterstates(_) => Status::Ready,
            Self::AlphaZero(learner) => learner.fetch_state(),
        }
    }

    /// Why a step failed, as one sentence.
    pub fn failure(&self) -> Option<String> {
        match self {
            Self::Afterstates(_) => None,
            Self::AlphaZero(learner) => learner.failure(),
        }
    }
}
