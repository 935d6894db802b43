//! The 2x2x2 cube lab: four methods learn to solve it, and every state there is tests them.
//!
//! A unit is `updates` updates of the learner, and then an evaluation of the greedy policy if one is due.

mod about;
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
use learnery_lab::{About, Budget, EvalRequest, Floats, Goal, Lab, LabError, Report, Row, State, Status};
use learnery_nn::Tensors;
use learnery_worlds::cube::{Distances, distances};
use serde_json::json;

pub use config::{CubeConfig, Encoding, Method, TurnMetric};
use counters::checked;
use evaluation::Evaluator;
pub use evaluation::{DISTANCES, Evaluation};
use learners::Learner;
/// The rules that the command line needs.
pub use learnery_worlds::cube::{held_from_stickers, optimal, parse};
use network::Network;
pub use phase::Phase;
pub use search::solver::{BeamEvaluation, Solver};
use stage::Stage;
use state_space::StateSpace;
pub use view::{Attempt, CubeCommand, CubeView, StageView};

/// The beam width of the search in [`Cube::evaluate`].
const BEAM_WIDTH: usize = 128;

/// A run of the cube lab.
pub struct Cube {
    config: CubeConfig,
    network: Network,
    space: StateSpace,
    learner: Learner,
    evaluator: Evaluator,
    true_distances: &'static Distances,
    phase: Phase,
    /// True from the first step of a unit to its last.
    is_mid_unit: bool,
    /// True if the next unit is an evaluation alone. A run that starts from a trained network begins like that, to show
    /// what the network can do.
    evaluate_first: bool,
    /// Units finished.
    units: u64,
    evaluation: Option<Evaluation>,
    /// Whether `evaluation` is from the last unit.
    is_evaluation_new: bool,
    stage: Stage,
}

impl Cube {
    fn assemble(config: CubeConfig, seed: u32, network: Network) -> Self {
        let space = StateSpace::new(config.metric.to_rules(), config.uses_symmetry());
        Self {
            learner: Learner::new(&config, seed, &network, &space),
            evaluator: Evaluator::new(&network, &space),
            true_distances: distances(space.metric()),
            stage: Stage::new(&network, &space, Stream::new(seed, purpose::STAGE)),
            config,
            network,
            space,
            phase: Phase::Learning,
            is_mid_unit: false,
            evaluate_first: false,
            units: 0,
            evaluation: None,
            is_evaluation_new: false,
        }
    }

    /// One step; true if it was the last one of the unit.
    fn step(&mut self) -> bool {
        if !self.is_mid_unit {
            self.is_mid_unit = true;
            if std::mem::take(&mut self.evaluate_first) {
                self.begin_evaluation();
                return false;
            }
            self.learner.begin_unit();
        }
        let is_unit_over = match self.phase {
            Phase::Learning => {
                let is_done = self.learner.step(&self.config, &mut self.network, &self.space);
                if is_done {
                    self.is_evaluation_new = false;
                    if self.is_evaluation_due() {
                        self.begin_evaluation();
                    }
                }
                is_done && self.phase == Phase::Learning
            }
            Phase::Evaluating => {
                let is_done = self.evaluator.step(&self.network, &self.space);
                if is_done {
                    self.evaluation = Some(*self.evaluator.evaluation());
                    self.is_evaluation_new = true;
                }
                is_done
            }
        };
        if is_unit_over {
            self.units += 1;
            self.phase = Phase::Learning;
            self.is_mid_unit = false;
        }
        is_unit_over
    }

    /// True every `evaluate_every` units, and after the first unit too, so that there is something to see soon.
    fn is_evaluation_due(&self) -> bool {
        let every = u64::from(self.config.evaluate_every);
        every > 0 && (self.units == 0 || (self.units + 1).is_multiple_of(every))
    }

    fn begin_evaluation(&mut self) {
        self.evaluator.begin(&self.network, self.config.evaluate_within as usize);
        self.phase = Phase::Evaluating;
    }

    /// Attempts at solving a cube that deep Q-learning has finished; zero with the other methods.
    pub fn episodes(&self) -> u64 {
        self.learner.finished_attempts()
    }

    /// A figure of the last evaluation at each distance; NaN before the first one.
    fn by_distance(&self, figure: impl Fn(&Evaluation, usize) -> f64) -> Floats {
        let at = |d| self.evaluation.as_ref().map_or(f64::NAN, |evaluation| figure(evaluation, d)) as f32;
        Floats((0..self.true_distances.counts().len()).map(at).collect())
    }
}

impl Lab for Cube {
    const ABOUT: About = about::ABOUT;
    type Config = CubeConfig;
    type Command = CubeCommand;
    type View = CubeView;

    fn new(config: CubeConfig, seed: u32) -> Result<Self, LabError> {
        let network = Network::new(&config, Stream::new(seed, purpose::NETWORK));
        Ok(Self::assemble(config, seed, network))
    }

    fn goal(config: &CubeConfig) -> Option<Goal> {
        let goal = config.goal;
        let words = match config.evaluate_within {
            14 => format!("{goal}% of all 3,674,160 states solved greedily"),
            turns => format!("{goal}% of all states within {turns} turns solved greedily"),
        };
        (config.evaluate_every > 0).then_some(Goal { metric: "solved", target: goal, words })
    }

    fn schedule(config: &CubeConfig) -> Option<u64> {
        (config.anneal > 0).then(|| u64::from(config.anneal.div_ceil(config.updates)))
    }

    fn configure(&mut self, config: CubeConfig) {
        self.config = config;
    }

    fn advance(&mut self, budget: &mut Budget) -> Status {
        while budget.allows() {
            let is_unit_over = self.step();
            budget.spend();
            if is_unit_over {
                return Status::Unit;
            }
        }
        Status::Ready
    }

    fn apply(&mut self, command: CubeCommand) -> Result<(), LabError> {
        self.stage.apply(&self.space, &command)
    }

    fn animate(&mut self, seconds: f64) {
        self.stage.animate(&self.network, &self.space, seconds, self.learner.updates());
    }

    fn work(&self) -> u64 {
        self.learner.updates() * u64::from(self.config.batch)
    }

    fn metrics(&self, out: &mut Row) {
        self.learner.metrics(out);
        if let (true, Some(evaluation)) = (self.is_evaluation_new, &self.evaluation) {
            out.set("solved", 100.0 * evaluation.solved_fraction());
            out.set("excess", evaluation.mean_excess());
        }
    }

    fn view(&self) -> CubeView {
        let [level, level_to] = self.learner.scramble_lengths(&self.config);
        CubeView {
            learner: self.config.learner,
            metric: self.config.metric,
            phase: self.phase,
            phase_fraction: match self.phase {
                Phase::Learning => self.learner.progress(&self.config),
                Phase::Evaluating => self.evaluator.progress(),
            },
            solved_by_distance: self.by_distance(Evaluation::solved_fraction_at),
            excess_by_distance: self.by_distance(Evaluation::mean_excess_at),
            states_by_distance: Floats(self.true_distances.counts().iter().map(|n| *n as f32).collect()),
            solved: self.evaluation.map_or(f32::NAN, |evaluation| evaluation.solved_fraction() as f32),
            level,
            level_to,
            stage: self.stage.view(&self.space),
        }
    }

    fn save(&self) -> State {
        let mut tensors = Tensors::new();
        tensors.absorb("network/", self.network.weights.to_tensors());
        tensors.absorb("learner/", self.learner.to_tensors());
        State { scalars: json!({ "unit": self.units, "judgeFirst": self.evaluate_first }), tensors }
    }

    fn load(config: CubeConfig, seed: u32, state: &State) -> Result<Self, LabError> {
        let network = Network::from_tensors(&config, &state.tensors.under("network/"))?;
        let mut run = Self::assemble(config, seed, network);
        let tensors = state.tensors.under("learner/");
        run.learner.restore(&run.config, &run.network, &run.space, &tensors)?;
        let units = state.scalars["unit"].as_u64();
        let units = units.ok_or_else(|| LabError::Checkpoint("its counter `unit` is missing".into()))?;
        run.units = checked("unit", units)?;
        run.evaluate_first = state.scalars["judgeFirst"] == true;
        Ok(run)
    }

    fn load_network(config: CubeConfig, seed: u32, network: &Tensors, work: u64) -> Result<Self, LabError> {
        let network = Network::from_tensors(&config, network)?;
        let mut run = Self::assemble(config, seed, network);
        run.learner.set_updates(work / u64::from(run.config.batch))?;
        run.evaluate_first = run.config.evaluate_every > 0;
        Ok(run)
    }

    fn evaluate(config: &CubeConfig, network: &Tensors, request: &EvalRequest) -> Result<Report, LabError> {
        if let Some(against) = &request.against {
            return Err(LabError::Evaluation(format!("the cube has no opponent, so not `{against}` either")));
        }
        let sample = request.games.unwrap_or(0);
        if request.games == Some(0) || sample > 1_000_000 {
            return Err(LabError::Evaluation(format!(
                "{sample} states to search from; expected 1 to 1000000"
            )));
        }
        let mut solver = Solver::new(config, network, None)?;
        let evaluation = *solver.evaluate_greedy();
        let (solved, excess) = (100.0 * evaluation.solved_fraction(), evaluation.mean_excess());
        let mut summary =
            format!("greedy from all states: {solved:.2}% solved, {excess:.3} turns more than needed");
        let mut figures = vec![
            ("solved", solved, "%"),
            ("excess", excess, "turns"),
            ("solved within 5 turns", 100.0 * evaluation.solved_fraction_within(5), "%"),
            ("parameters", solver.parameters() as f64, ""),
        ];
        if sample > 0 {
            let beam = solver.evaluate_beam(BEAM_WIDTH, sample, request.seed);
            let solved = 100.0 * beam.solved_fraction();
            summary += &format!("; a beam of {BEAM_WIDTH} solves {solved:.2}% of {sample} random states");
            figures.push(("solved by beam", solved, "%"));
            figures.push(("excess by beam", beam.mean_excess(), "turns"));
        }
        Ok(Report { summary, figures })
    }
}
