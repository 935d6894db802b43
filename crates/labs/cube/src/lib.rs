//! The 2x2x2 cube lab. Four methods learn to solve the cube, and the evaluation tests them on all of its 3,674,160
//! states.
//!
//! A unit (one training iteration) is a number of updates of the learner, followed by an evaluation of the greedy
//! policy if one is due. The greedy policy makes the turn with the best score, without search.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))] // Results are the same bits on every platform.

mod about;
pub mod beam;
mod config;
mod counters;
mod evaluation;
mod learners;
mod network;
mod phase;
mod policy;
mod purpose;
mod scramble;
mod search;
mod stage;
mod state_space;
mod view;

use learnery_kernels::rng::Stream;
use learnery_lab::{About, Context, Floats, Goal, Lab, LabError, Report, Row, State, Status};
use learnery_nn::Tensors;
use learnery_worlds::cube::{Distances, distances};
use serde_json::json;

pub use config::{CubeConfig, CubeEvalOptions, Encoding, Method, TurnMetric};
use evaluation::Evaluator;
pub use evaluation::{DISTANCES, GreedyEvaluation};
use learners::Learner;
// Rules of the cube for the command line. `held_from_stickers` reads a cube together with its orientation, so that
// solutions can be given as turns of the cube as the user holds it.
pub use learnery_worlds::cube::{held_from_stickers, parse, shortest_solution};
use network::Network;
pub use phase::Phase;
pub use search::solver::{BeamEvaluation, Solver};
use stage::Stage;
use state_space::StateSpace;
pub use view::{Attempt, CubeCommand, CubeView, StageView};

/// The largest distance from solved, in quarter turns (God's number). In half turns it is 11.
const MAX_DISTANCE: u32 = 14;

/// A run of the cube lab.
pub struct Cube {
    network: Network,
    space: StateSpace,
    learner: Learner,
    evaluator: Evaluator,
    true_distances: &'static Distances,
    phase: Phase,
    /// True from the first step of a unit to its last.
    is_mid_unit: bool,
    /// True if the next unit is only an evaluation. A run that starts from a trained network begins with one, to show
    /// what the network can do.
    evaluate_first: bool,
    /// The last evaluation; `None` before the first.
    evaluation: Option<GreedyEvaluation>,
    /// Whether `evaluation` was made in the last unit.
    is_evaluation_new: bool,
    /// The cube that the user of the page turns and the agent solves.
    stage: Stage,
}

impl Cube {
    fn assemble(cx: Context<CubeConfig>, network: Network) -> Self {
        let Context { config, seed, .. } = cx;
        let space = StateSpace::new(config.metric.to_rules(), config.uses_symmetry());
        Self {
            learner: Learner::new(config, seed, &network, &space),
            evaluator: Evaluator::new(&network, &space),
            true_distances: distances(space.metric()),
            stage: Stage::new(&network, &space, Stream::new(seed, purpose::STAGE)),
            network,
            space,
            phase: Phase::Learning,
            is_mid_unit: false,
            evaluate_first: false,
            evaluation: None,
            is_evaluation_new: false,
        }
    }

    /// Runs one step of learning and returns whether the unit is finished. If an evaluation is due after the unit's
    /// last update, the step begins it, and the unit goes on until the evaluation is finished.
    fn learning_step(&mut self, cx: Context<CubeConfig>) -> bool {
        if !self.learner.step(cx.config, &mut self.network, &self.space) {
            return false;
        }
        self.is_evaluation_new = false;
        let every = u64::from(cx.config.evaluate_every);
        // Also due after the first unit, so that the page soon has a result to show.
        let is_due = every > 0 && (cx.unit == 0 || (cx.unit + 1).is_multiple_of(every));
        if is_due {
            self.begin_evaluation(cx.config);
        }
        !is_due
    }

    fn begin_evaluation(&mut self, config: &CubeConfig) {
        self.evaluator.begin(&self.network, config.evaluate_within as usize);
        self.phase = Phase::Evaluating;
    }

    /// Runs one step of the evaluation and returns whether it is finished, and with it the unit.
    fn evaluation_step(&mut self) -> bool {
        let is_done = self.evaluator.step(&self.network, &self.space);
        if is_done {
            self.evaluation = Some(*self.evaluator.evaluation());
            self.is_evaluation_new = true;
        }
        is_done
    }

    /// Episodes that deep Q-learning has finished; zero with the other methods.
    pub fn episodes(&self) -> u64 {
        self.learner.finished_episodes()
    }

    /// Computes a statistic of the last evaluation for every distance from solved; NaN before the first evaluation.
    fn by_distance(&self, statistic: impl Fn(&GreedyEvaluation, usize) -> f64) -> Floats {
        let value =
            |distance| self.evaluation.as_ref().map_or(f64::NAN, |last| statistic(last, distance)) as f32;
        Floats((0..self.true_distances.counts().len()).map(value).collect())
    }
}

impl Lab for Cube {
    const ABOUT: About = about::ABOUT;
    type Config = CubeConfig;
    type EvalOptions = CubeEvalOptions;
    type Command = CubeCommand;
    type View = CubeView;

    fn new(cx: Context<CubeConfig>) -> Result<Self, LabError> {
        let network = Network::new(cx.config, Stream::new(cx.seed, purpose::NETWORK));
        Ok(Self::assemble(cx, network))
    }

    fn goal(config: &CubeConfig) -> Option<Goal> {
        let goal = config.goal;
        let words = match config.evaluate_within {
            MAX_DISTANCE => format!("{goal}% of all 3,674,160 states solved greedily"),
            turns => format!("{goal}% of all states within {turns} turns solved greedily"),
        };
        (config.evaluate_every > 0).then_some(Goal { metric: "solved", target: goal, words })
    }

    fn schedule(config: &CubeConfig) -> Option<u64> {
        (config.anneal > 0).then(|| u64::from(config.anneal.div_ceil(config.updates)))
    }

    fn step(&mut self, cx: Context<CubeConfig>) -> Status {
        if !self.is_mid_unit {
            self.is_mid_unit = true;
            if std::mem::take(&mut self.evaluate_first) {
                self.begin_evaluation(cx.config);
                return Status::Ready;
            }
            self.learner.begin_unit();
        }
        let is_unit_finished = match self.phase {
            Phase::Learning => self.learning_step(cx),
            Phase::Evaluating => self.evaluation_step(),
        };
        if !is_unit_finished {
            return Status::Ready;
        }
        self.phase = Phase::Learning;
        self.is_mid_unit = false;
        Status::UnitFinished
    }

    fn apply(&mut self, _cx: Context<CubeConfig>, command: CubeCommand) -> Result<(), LabError> {
        self.stage.apply(&self.space, &command)
    }

    fn animate(&mut self, _cx: Context<CubeConfig>, seconds: f64) {
        self.stage.animate(&self.network, &self.space, seconds, self.learner.updates());
    }

    fn work(&self, cx: Context<CubeConfig>) -> u64 {
        self.learner.updates() * u64::from(cx.config.batch)
    }

    fn metrics(&self, _cx: Context<CubeConfig>, out: &mut Row) {
        self.learner.metrics(out);
        if let (true, Some(evaluation)) = (self.is_evaluation_new, &self.evaluation) {
            out.set("solved", 100.0 * evaluation.solved_fraction());
            out.set("excess", evaluation.mean_excess());
        }
    }

    fn view(&self, cx: Context<CubeConfig>) -> CubeView {
        let [level, final_level] = self.learner.scramble_lengths(cx.config);
        CubeView {
            learner: cx.config.learner,
            metric: cx.config.metric,
            phase: self.phase,
            phase_fraction: match self.phase {
                Phase::Learning => self.learner.progress(cx.config),
                Phase::Evaluating => self.evaluator.progress(),
            },
            solved_by_distance: self.by_distance(GreedyEvaluation::solved_fraction_at),
            excess_by_distance: self.by_distance(GreedyEvaluation::mean_excess_at),
            states_by_distance: Floats(self.true_distances.counts().iter().map(|n| *n as f32).collect()),
            solved: self.evaluation.map_or(f32::NAN, |evaluation| evaluation.solved_fraction() as f32),
            level,
            level_to: final_level,
            stage: self.stage.view(&self.space),
        }
    }

    fn save(&self) -> State {
        let mut tensors = Tensors::new();
        tensors.absorb("network/", self.network.weights.to_tensors());
        tensors.absorb("learner/", self.learner.to_tensors());
        // Old checkpoints have the key `judgeFirst`, so it keeps its name.
        State { scalars: json!({ "judgeFirst": self.evaluate_first }), tensors }
    }

    fn load(cx: Context<CubeConfig>, state: &State) -> Result<Self, LabError> {
        let network = Network::from_tensors(cx.config, &state.tensors.under("network/"))?;
        let mut run = Self::assemble(cx, network);
        let tensors = state.tensors.under("learner/");
        run.learner.restore(cx.config, &run.network, &run.space, &tensors)?;
        run.evaluate_first = state.scalars["judgeFirst"] == true;
        Ok(run)
    }

    fn load_network(cx: Context<CubeConfig>, network: &Tensors, work: u64) -> Result<Self, LabError> {
        let mut run = Self::assemble(cx, Network::from_tensors(cx.config, network)?);
        run.learner.set_updates(work / u64::from(cx.config.batch))?;
        run.evaluate_first = cx.config.evaluate_every > 0;
        Ok(run)
    }

    fn evaluate(
        config: &CubeConfig,
        network: &Tensors,
        evaluation: &learnery_lab::Evaluation<CubeEvalOptions>,
    ) -> Result<Report, LabError> {
        let mut solver = Solver::new(config, network, None)?;
        let greedy = *solver.evaluate_greedy();
        let (solved, excess) = (100.0 * greedy.solved_fraction(), greedy.mean_excess());
        let mut summary =
            format!("greedy from all states: {solved:.2}% solved, {excess:.3} turns more than needed");
        let mut figures = vec![
            ("solved", solved, "%"),
            ("excess", excess, "turns"),
            ("solved within 5 turns", 100.0 * greedy.solved_fraction_within(5), "%"),
            ("parameters", solver.parameters() as f64, ""),
        ];
        // The option is called `games` in all labs; here a game is a random state to solve.
        let CubeEvalOptions { games: samples, beam: width } = *evaluation.options;
        if samples > 0 {
            let beam = solver.evaluate_beam(width as usize, u64::from(samples), evaluation.seed);
            let solved = 100.0 * beam.solved_fraction();
            summary += &format!("; a beam of {width} solves {solved:.2}% of {samples} random states");
            figures.push(("solved by beam", solved, "%"));
            figures.push(("excess by beam", beam.mean_excess(), "turns"));
        }
        Ok(Report { summary, figures })
    }
}
