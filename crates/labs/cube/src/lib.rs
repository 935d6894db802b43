//! The cube lab: agents that learn to solve the 2x2x2 or the 3x3x3.
//!
//! A unit (one training iteration) is a number of updates of the learner, followed by an evaluation if one is
//! due. The 2x2x2 ([`small`]) has so few states that the greedy policy is evaluated from every state up to the
//! configured distance from solved, by default from all. The 3x3x3 ([`large`]) is evaluated by searching for
//! solutions of random states.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))] // Denies functions whose last bits differ between platforms.

mod about;
pub mod beam;
mod config;
mod counters;
#[cfg(not(target_family = "wasm"))]
mod export;
#[cfg(feature = "gpu")]
pub mod gpu;
pub mod large;
mod phase;
mod purpose;
pub mod small;
#[cfg(not(target_family = "wasm"))]
mod tools;
mod view;

use learnery_lab::{
    About, Checkpoint, Context, Evaluation, Goal, GpuUse, Header, Lab, LabError, Report, Row, Schema, State,
    Status,
};
use learnery_nn::Tensors;
#[cfg(not(target_family = "wasm"))]
use learnery_nn::graph::Graph;
use serde_json::{Value, json};

pub use config::{CubeConfig, CubeEvalOptions, Encoding, Method, PuzzleName, TurnMetric};
// For the command line. `held_from_stickers` also tells how the user holds the cube, so that solutions can be
// given in turns of the cube as it is held.
pub use learnery_worlds::cube::{held_from_stickers, parse, shortest_solution};
pub use learnery_worlds::puzzle;
pub use phase::Phase;
pub use small::Solver;
#[cfg(not(target_family = "wasm"))]
pub use tools::{
    AtDistance, CountedTurns, Estimate, Eval, EvalEvent, EvalInput, EvalOutput, GivenBy, LargeEvaluation,
    SampleEvaluation, SearchedState, Shortest, SmallEvaluation, Solution, Solve, SolveEvent, SolveInput,
    SolveOutput, Summary,
};
pub use view::{Attempt, CubeCommand, CubeView, LargeStageView, LargeView, SmallView, StageView};

/// The settings of a checkpoint of this lab.
pub fn settings_of(checkpoint: &Checkpoint) -> Result<CubeConfig, LabError> {
    let Header { lab, config, .. } = &checkpoint.header;
    if lab != about::ABOUT.id {
        return Err(LabError::Checkpoint(format!("it belongs to the lab `{lab}`, not to `cube`")));
    }
    let config = Schema::of_lab::<Cube>().complete(None, &Value::Object(config.clone()))?;
    serde_json::from_value(Value::Object(config)).map_err(|e| LabError::unreadable_settings(&e))
}

/// A run with one of the puzzles.
trait PuzzleRun: Send {
    fn begin_unit(&mut self);

    /// Runs one step of learning. Returns [`Status::UnitFinished`] after the unit's last update; an evaluation
    /// may follow.
    fn learn(&mut self, cx: Context<CubeConfig>) -> Status;

    fn begin_evaluation(&mut self, cx: Context<CubeConfig>);

    /// Runs one step of the evaluation. The unit is finished when that is complete.
    fn evaluate(&mut self, cx: Context<CubeConfig>) -> Status;

    /// Moves the run to a GPU, between two units.
    #[cfg(feature = "gpu")]
    fn use_gpu(&mut self, cx: Context<CubeConfig>, gpu: &learnery_gpu::Gpu) -> Result<(), LabError>;

    /// Fetches what a checkpoint needs from the GPU.
    fn prepare_save(&mut self, cx: Context<CubeConfig>) -> Status;

    /// Why the GPU failed.
    fn failure(&self) -> Option<String>;

    /// Updates of the network since the run began.
    fn updates(&self) -> u64;

    /// Episodes that deep Q-learning has finished; zero with the other methods.
    fn episodes(&self) -> u64;

    fn learning_metrics(&self, out: &mut Row);

    /// The results of the last evaluation, if there was one.
    fn evaluation_metrics(&self, out: &mut Row);

    fn apply(&mut self, cx: Context<CubeConfig>, command: CubeCommand) -> Result<(), LabError>;

    fn animate(&mut self, cx: Context<CubeConfig>, seconds: f64);

    fn view(&self, cx: Context<CubeConfig>, phase: Phase) -> CubeView;

    /// The network under `network/`, and all else that continues the run.
    fn to_tensors(&self) -> Tensors;
}

/// A run of the cube lab.
pub struct Cube {
    run: Box<dyn PuzzleRun>,
    phase: Phase,
    /// True from the first step of a unit to its last.
    is_mid_unit: bool,
    /// True if the next unit is only an evaluation. A run that starts from a trained network begins with one,
    /// to show what the network can do.
    evaluate_first: bool,
    /// Whether the last unit had an evaluation.
    is_evaluation_new: bool,
}

impl Cube {
    fn of(run: impl PuzzleRun + 'static, evaluate_first: bool) -> Self {
        Self {
            run: Box::new(run),
            phase: Phase::Learning,
            is_mid_unit: false,
            evaluate_first,
            is_evaluation_new: false,
        }
    }

    /// Runs one step of learning. If an evaluation is due after the unit's last update, the step begins it,
    /// and the unit goes on until the evaluation is finished.
    fn learning_step(&mut self, cx: Context<CubeConfig>) -> Status {
        let status = self.run.learn(cx);
        if status != Status::UnitFinished {
            return status;
        }
        self.is_evaluation_new = false;
        let every = u64::from(cx.config.evaluate_every);
        // Also due after the first unit, so that the page soon has a result to show.
        let is_due = every > 0 && (cx.unit == 0 || (cx.unit + 1).is_multiple_of(every));
        if is_due {
            self.begin_evaluation(cx);
            return Status::Ready;
        }
        Status::UnitFinished
    }

    fn begin_evaluation(&mut self, cx: Context<CubeConfig>) {
        self.run.begin_evaluation(cx);
        self.phase = Phase::Evaluating;
    }

    /// Runs one step of the evaluation, with which the unit ends.
    fn evaluation_step(&mut self, cx: Context<CubeConfig>) -> Status {
        let status = self.run.evaluate(cx);
        self.is_evaluation_new |= status == Status::UnitFinished;
        status
    }

    /// Episodes that deep Q-learning has finished; zero with the other methods.
    pub fn episodes(&self) -> u64 {
        self.run.episodes()
    }
}

impl Lab for Cube {
    const ABOUT: About = about::ABOUT;
    type Config = CubeConfig;
    const SETTINGS: &str = include_str!("settings.json");
    type EvalOptions = CubeEvalOptions;
    type Command = CubeCommand;
    type View = CubeView;
    const GPU: GpuUse = GpuUse::Everywhere;
    // The page asks none of them, so its bundles are without them.
    #[cfg(not(target_family = "wasm"))]
    const TOOLS: &'static [learnery_lab::ToolEntry] =
        &[learnery_lab::ToolEntry::of::<Solve>(), learnery_lab::ToolEntry::of::<Eval>()];

    fn new(cx: Context<CubeConfig>) -> Result<Self, LabError> {
        Ok(match cx.config.puzzle {
            PuzzleName::Two => Self::of(small::Run::new(cx)?, false),
            PuzzleName::Three => Self::of(large::Run::new(cx)?, false),
        })
    }

    fn goal(config: &CubeConfig) -> Option<Goal> {
        let words = match config.puzzle {
            PuzzleName::Two => small::Run::goal_in_words(config),
            PuzzleName::Three => large::Run::goal_in_words(config),
        };
        (config.evaluate_every > 0).then_some(Goal {
            metric: "solved",
            target: config.goal,
            words,
            // The 2x2x2 is evaluated from every state up to the configured distance, the 3x3x3 from a sample.
            exact: config.puzzle == PuzzleName::Two,
        })
    }

    /// The units in which the learning rate is annealed and the network distilled; `None` without annealing.
    fn schedule(config: &CubeConfig) -> Option<u64> {
        let updates = u64::from(config.anneal) + u64::from(config.distil_updates());
        (config.anneal > 0).then(|| updates.div_ceil(u64::from(config.updates)))
    }

    fn step(&mut self, cx: Context<CubeConfig>) -> Status {
        if !self.is_mid_unit {
            self.is_mid_unit = true;
            if std::mem::take(&mut self.evaluate_first) {
                self.begin_evaluation(cx);
                return Status::Ready;
            }
            self.run.begin_unit();
        }
        let status = match self.phase {
            Phase::Learning => self.learning_step(cx),
            Phase::Evaluating => self.evaluation_step(cx),
        };
        if status == Status::UnitFinished {
            self.phase = Phase::Learning;
            self.is_mid_unit = false;
        }
        status
    }

    fn apply(&mut self, cx: Context<CubeConfig>, command: CubeCommand) -> Result<(), LabError> {
        self.run.apply(cx, command)
    }

    fn animate(&mut self, cx: Context<CubeConfig>, seconds: f64) {
        self.run.animate(cx, seconds);
    }

    fn work(&self, cx: Context<CubeConfig>) -> u64 {
        self.run.updates() * u64::from(cx.config.batch)
    }

    fn metrics(&self, _cx: Context<CubeConfig>, out: &mut Row) {
        self.run.learning_metrics(out);
        if self.is_evaluation_new {
            self.run.evaluation_metrics(out);
        }
    }

    fn view(&self, cx: Context<CubeConfig>) -> CubeView {
        self.run.view(cx, self.phase)
    }

    fn save(&self) -> State {
        // Old checkpoints have the key `judgeFirst`, so it keeps its name.
        State { scalars: json!({ "judgeFirst": self.evaluate_first }), tensors: self.run.to_tensors() }
    }

    fn prepare_save(&mut self, cx: Context<CubeConfig>) -> Status {
        self.run.prepare_save(cx)
    }

    fn failure(&self) -> Option<String> {
        self.run.failure()
    }

    #[cfg(feature = "gpu")]
    fn use_gpu(
        &mut self,
        cx: Context<CubeConfig>,
        gpu: &learnery_gpu::Gpu,
        precision: learnery_gpu::Precision,
    ) -> Result<(), LabError> {
        if precision != learnery_gpu::Precision::F32 {
            return Err(LabError::Device("the lab `cube` computes in f32 on a GPU".into()));
        }
        self.run.use_gpu(cx, gpu)
    }

    fn load(cx: Context<CubeConfig>, state: &State) -> Result<Self, LabError> {
        let evaluate_first = state.scalars["judgeFirst"] == true;
        Ok(match cx.config.puzzle {
            PuzzleName::Two => Self::of(small::Run::load(cx, &state.tensors)?, evaluate_first),
            PuzzleName::Three => Self::of(large::Run::load(cx, &state.tensors)?, evaluate_first),
        })
    }

    fn load_network(cx: Context<CubeConfig>, network: &Tensors, work: u64) -> Result<Self, LabError> {
        let evaluate_first = cx.config.evaluate_every > 0;
        Ok(match cx.config.puzzle {
            PuzzleName::Two => Self::of(small::Run::load_network(cx, network, work)?, evaluate_first),
            PuzzleName::Three => Self::of(large::Run::load_network(cx, network, work)?, evaluate_first),
        })
    }

    #[cfg(not(target_family = "wasm"))]
    fn graphs(config: &CubeConfig, network: &Tensors) -> Result<Vec<Graph>, LabError> {
        Ok(vec![export::graph(config, network)?])
    }

    fn evaluate(
        config: &CubeConfig,
        network: &Tensors,
        evaluation: &Evaluation<CubeEvalOptions>,
    ) -> Result<Report, LabError> {
        match config.puzzle {
            PuzzleName::Two => small::Run::report(config, network, evaluation),
            PuzzleName::Three => large::Run::report(config, network, evaluation),
        }
    }
}
