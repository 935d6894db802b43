//! The 2x2x2: few enough states that tables hold something about each of them, and that the evaluation tests
//! all.

mod evaluation;
#[cfg(feature = "gpu")]
mod gpu;
mod learners;
mod network;
mod policy;
mod scramble;
mod search;
mod stage;
mod state_space;

use learnery_kernels::rng::Stream;
use learnery_lab::{Context, Floats, LabError, Row, Status};
use learnery_nn::Tensors;
use learnery_worlds::cube::{Distances, distances};

use crate::PuzzleRun;
use crate::config::CubeConfig;
use crate::phase::Phase;
use crate::purpose;
use crate::view::{CubeCommand, CubeView, SmallView};
use evaluation::Evaluator;
pub use evaluation::{DISTANCES, GreedyEvaluation};
use learners::Learner;
use learners::self_supervised::{Device, DeviceRun};
pub use network::Network;
#[cfg(not(target_family = "wasm"))]
pub use network::{DISTANCE_MEAN, DISTANCE_SCALE, distance_of_output};
pub use search::sample::{BeamEvaluation, BeamSample};
pub use search::solver::{SmallSolving, Solver};
use stage::Stage;
use state_space::StateSpace;

/// The largest distance from solved, in quarter turns (God's number). In half turns it is 11.
pub const MAX_DISTANCE: u32 = 14;

/// A run with the 2x2x2.
pub struct Run {
    network: Network,
    space: StateSpace,
    learner: Learner,
    /// The part of the run on the GPU, if it learns there.
    device: Option<Device>,
    evaluator: Evaluator,
    true_distances: &'static Distances,
    /// The last evaluation; `None` before the first.
    evaluation: Option<GreedyEvaluation>,
    /// The cube that the user of the page turns and the agent solves.
    stage: Stage,
}

impl Run {
    fn assemble(cx: Context<CubeConfig>, network: Network) -> Self {
        let Context { config, seed, .. } = cx;
        let space = StateSpace::new(config.metric.to_rules(), config.uses_symmetry());
        Self {
            learner: Learner::new(config, seed, &network, &space),
            device: None,
            evaluator: Evaluator::new(&network, &space),
            true_distances: distances(space.metric()),
            stage: Stage::new(&network, &space, Stream::new(seed, purpose::STAGE)),
            network,
            space,
            evaluation: None,
        }
    }

    /// The part of the run on the GPU, and the fields of the run that the GPU reads and changes.
    fn device_and_run<'a>(&'a mut self, config: &'a CubeConfig) -> Option<(&'a mut Device, DeviceRun<'a>)> {
        let Self { device: Some(device), learner: Learner::SelfSupervised(learner), network, .. } = self
        else {
            return None;
        };
        Some((device, DeviceRun { config, network, learner }))
    }

    /// Computes a statistic of the last evaluation for every distance from solved; NaN before the first
    /// evaluation.
    fn by_distance(&self, statistic: impl Fn(&GreedyEvaluation, usize) -> f64) -> Floats {
        let value =
            |distance| self.evaluation.as_ref().map_or(f64::NAN, |last| statistic(last, distance)) as f32;
        Floats((0..self.true_distances.counts().len()).map(value).collect())
    }

    pub fn new(cx: Context<CubeConfig>) -> Result<Self, LabError> {
        let network = Network::new(cx.config, Stream::new(cx.seed, purpose::NETWORK));
        Ok(Self::assemble(cx, network))
    }

    pub fn goal_in_words(config: &CubeConfig) -> String {
        let goal = config.goal;
        match config.evaluate_within {
            MAX_DISTANCE => format!("{goal}% of all 3,674,160 states solved greedily"),
            turns => format!("{goal}% of all states within {turns} turns solved greedily"),
        }
    }

    pub fn load(cx: Context<CubeConfig>, tensors: &Tensors) -> Result<Self, LabError> {
        let mut run = Self::assemble(cx, Network::from_tensors(cx.config, &tensors.under("network/"))?);
        run.learner.restore(cx.config, &run.network, &run.space, &tensors.under("learner/"))?;
        Ok(run)
    }

    pub fn load_network(cx: Context<CubeConfig>, network: &Tensors, work: u64) -> Result<Self, LabError> {
        let mut run = Self::assemble(cx, Network::from_tensors(cx.config, network)?);
        run.learner.set_updates(work / u64::from(cx.config.batch))?;
        Ok(run)
    }
}

impl PuzzleRun for Run {
    fn begin_unit(&mut self) {
        self.learner.begin_unit();
    }

    fn learn(&mut self, cx: Context<CubeConfig>) -> Status {
        match self.device_and_run(cx.config) {
            Some((device, run)) => device.step(run),
            None => self.learner.step(cx.config, &mut self.network, &self.space),
        }
    }

    fn begin_evaluation(&mut self, cx: Context<CubeConfig>) {
        self.evaluator.begin(&self.network, cx.config.evaluate_within as usize);
    }

    fn evaluate(&mut self, _cx: Context<CubeConfig>) -> Status {
        if !self.evaluator.step(&self.network, &self.space) {
            return Status::Ready;
        }
        self.evaluation = Some(*self.evaluator.evaluation());
        Status::UnitFinished
    }

    #[cfg(feature = "gpu")]
    fn use_gpu(&mut self, cx: Context<CubeConfig>, gpu: &learnery_gpu::Gpu) -> Result<(), LabError> {
        let Learner::SelfSupervised(learner) = &self.learner else {
            let problem = "deep Q-learning (dqn) turns few cubes between two updates, too few for a GPU";
            return Err(LabError::Device(problem.into()));
        };
        let device = learners::self_supervised::gpu::DeviceLearner::new(
            gpu,
            cx.config,
            learner,
            &self.network,
            &self.space,
        )?;
        self.device = Some(Box::new(learnery_lab::Pump::new(device)));
        Ok(())
    }

    fn prepare_save(&mut self, cx: Context<CubeConfig>) -> Status {
        self.device_and_run(cx.config).map_or(Status::Ready, |(device, run)| device.prepare_save(run))
    }

    fn failure(&self) -> Option<String> {
        self.device.as_ref()?.failure()
    }

    fn apply(&mut self, _cx: Context<CubeConfig>, command: CubeCommand) -> Result<(), LabError> {
        self.stage.apply(&self.space, &command)
    }

    fn animate(&mut self, _cx: Context<CubeConfig>, seconds: f64) {
        self.stage.animate(&self.network, &self.space, seconds, self.learner.updates());
    }

    fn updates(&self) -> u64 {
        self.learner.updates()
    }

    fn episodes(&self) -> u64 {
        self.learner.finished_episodes()
    }

    fn learning_metrics(&self, out: &mut Row) {
        self.learner.metrics(out);
    }

    fn evaluation_metrics(&self, out: &mut Row) {
        if let Some(evaluation) = &self.evaluation {
            out.set("solved", 100.0 * evaluation.solved_fraction());
            out.set("excess", evaluation.mean_excess());
        }
    }

    fn view(&self, cx: Context<CubeConfig>, phase: Phase) -> CubeView {
        let [level, final_level] = self.learner.scramble_lengths(cx.config);
        CubeView::Small(SmallView {
            learner: cx.config.learner,
            metric: cx.config.metric,
            phase,
            phase_fraction: match phase {
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
        })
    }

    fn to_tensors(&self) -> Tensors {
        let mut tensors = Tensors::new();
        tensors.absorb("network/", self.network.weights.to_tensors());
        tensors.absorb("learner/", self.learner.to_tensors());
        tensors
    }
}
