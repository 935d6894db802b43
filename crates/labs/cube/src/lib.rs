//! The cube lab: agents that learn to solve the 2x2x2 or the 3x3x3, the puzzle that is turned face by face.
//!
//! A unit (one training iteration) is a number of network updates, followed by an evaluation if one is due.
//! The first unit of a run that starts from a trained network is only an evaluation. The 2x2x2 ([`small`])
//! has few states, so the greedy policy is evaluated from all of them, or from those up to a configured
//! distance from solved. The 3x3x3 ([`large`]) is evaluated by beam search from a sample of random or
//! scrambled states.

// Denies the functions that clippy.toml names: the last bits of their results differ between platforms.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

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
mod schedule;
pub mod small;
#[cfg(not(target_family = "wasm"))]
mod tools;
mod view;

use learnery_lab::{
    About, Checkpoint, Context, Goal, GpuUse, Header, Lab, LabError, Row, Schema, State, Status,
};
#[cfg(not(target_family = "wasm"))]
use learnery_lab::{MakeGraphs, ToolEntry};
use learnery_nn::Tensors;
use serde_json::{Value, json};

pub use config::{CubeConfig, Encoding, Method, PuzzleName, TurnMetric};
// For Python and tests: a 2x2x2 from its stickers or from a scramble, with the orientation in which it is
// held.
pub use learnery_worlds::cube::{held_from_stickers, parse};
/// The rules of the 3x3x3.
pub use learnery_worlds::puzzle;
pub use phase::Phase;
pub use small::Solver;
#[cfg(not(target_family = "wasm"))]
pub use tools::{
    AtDistance, CountedTurns, DEFAULT_STATES, DEFAULT_WIDTH, Estimate, Eval, EvalEvent, EvalInput,
    EvalOutput, Evaluate, EvaluationInput, GivenBy, LargeEvaluation, MOST_STATES, MOST_WIDTH,
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

/// The part of a run that depends on the puzzle: the learner, its evaluation and the stage.
trait PuzzleRun: Send {
    /// Resets what is counted for each unit. Not called for a unit that is only an evaluation.
    fn begin_unit(&mut self);

    /// Runs one step of learning. Returns [`Status::UnitFinished`] after the unit's last update, even if the
    /// unit goes on with an evaluation.
    fn learn(&mut self, cx: Context<CubeConfig>) -> Status;

    fn begin_evaluation(&mut self, cx: Context<CubeConfig>);

    /// Runs one step of the evaluation. Returns [`Status::UnitFinished`] after the last step.
    fn evaluate(&mut self, cx: Context<CubeConfig>) -> Status;

    /// Moves the run to a GPU, between two units.
    #[cfg(feature = "gpu")]
    fn use_gpu(&mut self, cx: Context<CubeConfig>, gpu: &learnery_gpu::Gpu) -> Result<(), LabError>;

    /// Fetches from the GPU what a checkpoint needs. [`Status::Ready`] says that everything is here.
    fn prepare_save(&mut self, cx: Context<CubeConfig>) -> Status;

    /// Why the GPU failed; `None` if it did not.
    fn failure(&self) -> Option<String>;

    /// Updates of the network, with those before the run if it started from a trained network.
    fn updates(&self) -> u64;

    /// Episodes that deep Q-learning has finished; zero with the other methods.
    fn episodes(&self) -> u64;

    /// Writes the metrics of learning in the last unit.
    fn learning_metrics(&self, out: &mut Row);

    /// Writes the results of the last evaluation, if there was one.
    fn evaluation_metrics(&self, out: &mut Row);

    fn apply(&mut self, cx: Context<CubeConfig>, command: CubeCommand) -> Result<(), LabError>;

    fn animate(&mut self, cx: Context<CubeConfig>, seconds: f64);

    fn view(&self, cx: Context<CubeConfig>, phase: Phase) -> CubeView;

    /// Everything that is needed to continue the run. The names of the network's tensors begin with
    /// `network/`.
    fn to_tensors(&self) -> Tensors;
}

/// A run of the cube lab. It decides when to learn and when to evaluate; its `PuzzleRun` does both.
pub struct Cube {
    puzzle_run: Box<dyn PuzzleRun>,
    phase: Phase,
    is_mid_unit: bool,
    /// True if the next unit is only an evaluation. A run that starts from a trained network begins with one,
    /// to show what the network can do.
    evaluate_first: bool,
    /// Whether the unit that finished last had an evaluation, so that its results are reported.
    last_unit_evaluated: bool,
}

impl Cube {
    fn with_run(run: impl PuzzleRun + 'static, evaluate_first: bool) -> Self {
        Self {
            puzzle_run: Box::new(run),
            phase: Phase::Learning,
            is_mid_unit: false,
            evaluate_first,
            last_unit_evaluated: false,
        }
    }

    /// Runs one step of learning. After the unit's last update, begins an evaluation if one is due; otherwise
    /// the unit is finished.
    fn learning_step(&mut self, cx: Context<CubeConfig>) -> Status {
        let status = self.puzzle_run.learn(cx);
        if status != Status::UnitFinished {
            return status;
        }
        // The updates of the unit are done.
        self.last_unit_evaluated = false;
        let every = u64::from(cx.config.evaluate_every);
        // The first unit is evaluated as well, so that the page soon has a result to show.
        let is_due = every > 0 && (cx.unit == 0 || (cx.unit + 1).is_multiple_of(every));
        if is_due {
            self.begin_evaluation(cx);
            return Status::Ready;
        }
        Status::UnitFinished
    }

    fn begin_evaluation(&mut self, cx: Context<CubeConfig>) {
        self.puzzle_run.begin_evaluation(cx);
        self.phase = Phase::Evaluating;
    }

    /// Runs one step of the evaluation. The unit is finished with the evaluation's last step.
    fn evaluation_step(&mut self, cx: Context<CubeConfig>) -> Status {
        let status = self.puzzle_run.evaluate(cx);
        if status == Status::UnitFinished {
            self.last_unit_evaluated = true;
        }
        status
    }

    /// Episodes that deep Q-learning has finished; zero with the other methods. For benchmarks.
    pub fn episodes(&self) -> u64 {
        self.puzzle_run.episodes()
    }
}

impl Lab for Cube {
    const ABOUT: About = about::ABOUT;
    type Config = CubeConfig;
    const SETTINGS: &str = include_str!("settings.json");
    type Command = CubeCommand;
    type View = CubeView;
    const GPU: GpuUse = GpuUse::Everywhere;
    // The page uses no tool of this lab, so its WebAssembly bundles leave them out.
    #[cfg(not(target_family = "wasm"))]
    const TOOLS: &'static [ToolEntry] =
        &[ToolEntry::of::<Solve>(), ToolEntry::of::<Eval>(), ToolEntry::of::<Evaluate>()];
    #[cfg(not(target_family = "wasm"))]
    const GRAPHS: Option<MakeGraphs<CubeConfig>> =
        Some(|config, network| Ok(vec![export::graph(config, network)?]));

    fn new(cx: Context<CubeConfig>) -> Result<Self, LabError> {
        Ok(match cx.config.puzzle {
            PuzzleName::Two => Self::with_run(small::Run::new(cx)?, false),
            PuzzleName::Three => Self::with_run(large::Run::new(cx)?, false),
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
            // The 2x2x2 is evaluated from every state up to the configured distance, so its result has no
            // margin of error. The 3x3x3 is evaluated from a sample.
            exact: config.puzzle == PuzzleName::Two,
            best: None,
        })
    }

    /// The number of units after which annealing of the learning rate, and distillation if there is one, have
    /// ended; `None` without annealing.
    fn schedule(config: &CubeConfig) -> Option<u64> {
        Some(config.scheduled_updates()?.div_ceil(u64::from(config.updates)))
    }

    /// The number of the run's units at the end of its schedule. Updates are counted, because the first unit
    /// of a run that starts from a trained network makes none.
    fn run_schedule(&self, cx: Context<CubeConfig>) -> Option<u64> {
        let updates_left = cx.config.scheduled_updates()?.saturating_sub(self.puzzle_run.updates());
        let units_left = updates_left.div_ceil(u64::from(cx.config.updates));
        let units_without_updates = u64::from(self.evaluate_first && units_left > 0);
        Some(match (self.is_mid_unit, self.phase) {
            (false, _) => cx.unit + units_without_updates + units_left,
            // The unit under way counts, even if no updates are left.
            (true, Phase::Learning) => cx.unit + units_left.max(1),
            // The unit under way has made its updates.
            (true, Phase::Evaluating) => cx.unit + 1 + units_left,
        })
    }

    fn step(&mut self, cx: Context<CubeConfig>) -> Status {
        if !self.is_mid_unit {
            self.is_mid_unit = true;
            if std::mem::take(&mut self.evaluate_first) {
                self.begin_evaluation(cx);
                return Status::Ready;
            }
            self.puzzle_run.begin_unit();
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

    fn apply(&mut self, cx: Context<CubeConfig>, command: CubeCommand) -> Result<Option<String>, LabError> {
        self.puzzle_run.apply(cx, command).map(|()| None)
    }

    fn animate(&mut self, cx: Context<CubeConfig>, seconds: f64) {
        self.puzzle_run.animate(cx, seconds);
    }

    fn work(&self, cx: Context<CubeConfig>) -> u64 {
        self.puzzle_run.updates() * u64::from(cx.config.batch)
    }

    fn metrics(&self, _cx: Context<CubeConfig>, out: &mut Row) {
        self.puzzle_run.learning_metrics(out);
        if self.last_unit_evaluated {
            self.puzzle_run.evaluation_metrics(out);
        }
    }

    fn view(&self, cx: Context<CubeConfig>) -> CubeView {
        self.puzzle_run.view(cx, self.phase)
    }

    fn save(&self) -> State {
        // A run is saved between units only, so the phase is that of a new unit. The key of `evaluate_first`
        // keeps its old name `judgeFirst`, so that old checkpoints can be read.
        State { scalars: json!({ "judgeFirst": self.evaluate_first }), tensors: self.puzzle_run.to_tensors() }
    }

    fn prepare_save(&mut self, cx: Context<CubeConfig>) -> Status {
        self.puzzle_run.prepare_save(cx)
    }

    fn failure(&self) -> Option<String> {
        self.puzzle_run.failure()
    }

    #[cfg(feature = "gpu")]
    fn use_gpu(
        &mut self,
        cx: Context<CubeConfig>,
        gpu: &learnery_gpu::Gpu,
        precision: learnery_gpu::Precision,
    ) -> Result<(), LabError> {
        if precision != learnery_gpu::Precision::F32 {
            return Err(LabError::Device("the lab `cube` computes on a GPU in f32 only".into()));
        }
        self.puzzle_run.use_gpu(cx, gpu)
    }

    fn load(cx: Context<CubeConfig>, state: &State) -> Result<Self, LabError> {
        let evaluate_first = state.scalars["judgeFirst"] == true;
        Ok(match cx.config.puzzle {
            PuzzleName::Two => Self::with_run(small::Run::load(cx, &state.tensors)?, evaluate_first),
            PuzzleName::Three => Self::with_run(large::Run::load(cx, &state.tensors)?, evaluate_first),
        })
    }

    fn load_network(cx: Context<CubeConfig>, network: &Tensors, work: u64) -> Result<Self, LabError> {
        let evaluate_first = cx.config.evaluate_every > 0;
        Ok(match cx.config.puzzle {
            PuzzleName::Two => Self::with_run(small::Run::load_network(cx, network, work)?, evaluate_first),
            PuzzleName::Three => Self::with_run(large::Run::load_network(cx, network, work)?, evaluate_first),
        })
    }
}
