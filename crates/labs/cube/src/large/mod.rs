//! Puzzles with too many states for a table: the 3x3x3. A network learns from random walks, and beam search
//! solves with it.
//!
//! No solver, no true distance and no pattern database is used to learn.

mod evaluation;
#[cfg(feature = "gpu")]
mod gpu;
mod learner;
mod network;
mod plan;
mod remote;
mod residual_replay;
mod search;
mod shortest;
mod solving;
mod stage;
#[cfg(test)]
mod tests;

use std::sync::OnceLock;

use learnery_kernels::rng::Stream;
use learnery_lab::{Checkpoint, Context, Floats, LabError, Row, Status};
use learnery_nn::Tensors;
use learnery_worlds::puzzle::Puzzle;

use crate::PuzzleRun;
use crate::beam::Guide as _;
use crate::config::{CubeConfig, Method};
use crate::counters::checked;
use crate::phase::Phase;
use crate::purpose;
use crate::settings_of;
use crate::view::{CubeCommand, CubeView, LargeView};
pub use evaluation::{Evaluator, SearchEvaluation, Source};
#[cfg(feature = "gpu")]
pub use gpu::DeviceGuide;
use learner::{Device, DeviceRun, Learner};
pub use network::Network;
use network::Scratch;
#[cfg(not(target_family = "wasm"))]
pub use network::{DISTANCE_MEAN, DISTANCE_SCALE};
pub use network::{Outputs, distance_of_output};
pub use plan::{SearchPlan, notation, read_state};
use remote::MakeGuide;
pub use remote::NetworkGuide;
pub use search::{AnytimeSearch, Variant, count};
pub use solving::Solving;
use stage::Stage;

/// The 3x3x3.
pub fn puzzle() -> &'static Puzzle {
    static PUZZLE: OnceLock<Puzzle> = OnceLock::new();
    PUZZLE.get_or_init(|| Puzzle::cube(3))
}

/// The network of a checkpoint of the 3x3x3.
pub fn network_of(checkpoint: &Checkpoint) -> Result<Network, LabError> {
    checked_network(&settings_of(checkpoint)?, &checkpoint.network())
}

/// The network of the 3x3x3 with these settings.
pub fn checked_network(config: &CubeConfig, network: &Tensors) -> Result<Network, LabError> {
    check(config)?;
    Network::from_any_tensors(config, puzzle(), network)
}

/// Where the states of evaluations with this seed come from.
pub fn source(seed: u32, scramble: u32) -> Source {
    Source { stream: Stream::new(seed, purpose::EVALUATION), scramble: scramble as usize }
}

/// How many scrambles of each length there are for the network's mean prediction in the view.
const PREDICTED_SCRAMBLES: usize = 8;
/// The length of the longest of these scrambles.
const MAX_PREDICTED_TURNS: usize = 30;

/// A run with the 3x3x3.
pub struct Run {
    network: Network,
    learner: Learner,
    evaluator: Option<Evaluator>,
    /// The part of the run on the GPU, and what makes guides there, if the run learns there.
    device: Option<(Device, MakeGuide)>,
    /// The network on the GPU for evaluations.
    guide: Option<Box<dyn NetworkGuide>>,
    /// The last evaluation.
    evaluation: Option<SearchEvaluation>,
    stage: Stage,
    /// The network's mean predicted distance after scrambles of 1 turn, 2 turns and so on.
    predictions: Vec<f32>,
    /// The version of the network that made the predictions: its number of updates, or on a GPU that of
    /// units.
    predicted_for: Option<u64>,
    scratch: Scratch,
}

impl Run {
    fn assemble(cx: Context<CubeConfig>, network: Network) -> Self {
        Self {
            learner: Learner::new(cx.config, cx.seed, &network),
            evaluator: None,
            device: None,
            guide: None,
            evaluation: None,
            stage: Stage::new(&network, cx.config.metric, Stream::new(cx.seed, purpose::STAGE)),
            predictions: Vec::new(),
            predicted_for: None,
            scratch: network.scratch(),
            network,
        }
    }

    pub fn new(cx: Context<CubeConfig>) -> Result<Self, LabError> {
        check(cx.config)?;
        let network = Network::new(cx.config, puzzle(), Stream::new(cx.seed, purpose::NETWORK));
        Ok(Self::assemble(cx, network))
    }

    pub fn load(cx: Context<CubeConfig>, tensors: &Tensors) -> Result<Self, LabError> {
        check(cx.config)?;
        let network = Network::from_any_tensors(cx.config, puzzle(), &tensors.under("network/"))?;
        let mut run = Self::assemble(cx, network);
        run.learner.restore(cx.config, &run.network, &tensors.under("learner/"))?;
        Ok(run)
    }

    pub fn load_network(cx: Context<CubeConfig>, network: &Tensors, work: u64) -> Result<Self, LabError> {
        check(cx.config)?;
        let mut run = Self::assemble(cx, Network::from_any_tensors(cx.config, puzzle(), network)?);
        run.learner.set_updates(checked("updates", work / u64::from(cx.config.batch))?);
        Ok(run)
    }

    pub fn goal_in_words(config: &CubeConfig) -> String {
        let CubeConfig { goal, evaluate_states, evaluate_beam, evaluate_scramble, .. } = config;
        let states = match evaluate_scramble {
            0 => format!("{evaluate_states} random states"),
            turns => format!("{evaluate_states} scrambles of {turns} turns"),
        };
        format!("{goal}% of {states} solved by a beam of {evaluate_beam}")
    }

    /// Computes the mean predicted distance after scrambles of 1 turn, 2 turns and so on, if the network has
    /// changed.
    fn update_predictions(&mut self, cx: Context<CubeConfig>) {
        // A run on a GPU reads the network back at the end of a unit, so it changes once in a unit.
        let version = if self.device.is_some() { cx.unit } else { self.learner.updates() };
        if self.predicted_for == Some(version) || self.network.outputs() == Outputs::Logits {
            return;
        }
        self.predicted_for = Some(version);
        let (puzzle, turns) = (self.network.puzzle(), self.network.turns());
        let stream = Stream::new(cx.seed, purpose::PREDICTED_SCRAMBLES);
        let mut states = Vec::new();
        for walk in 0..PREDICTED_SCRAMBLES as u64 {
            puzzle.walk(turns, stream, walk, MAX_PREDICTED_TURNS, |_, state| states.push(*state));
        }
        let outputs_per_state = self.network.output_count();
        let mut outputs = vec![0.0; states.len() * outputs_per_state];
        self.network.infer(states.into_iter(), &mut self.scratch, &mut outputs);
        // A network with one output predicts the distance of the state itself. Another network predicts the
        // distance after each turn, so the state itself is one turn farther than its nearest neighbour.
        let predicted_distance = |outputs: &[f32]| match outputs {
            [own] => distance_of_output(*own),
            neighbours => 1.0 + distance_of_output(neighbours.iter().copied().fold(f32::INFINITY, f32::min)),
        };
        self.predictions = (0..MAX_PREDICTED_TURNS)
            .map(|length| {
                let prediction_of_walk = |walk: usize| {
                    let first = (walk * MAX_PREDICTED_TURNS + length) * outputs_per_state;
                    predicted_distance(&outputs[first..][..outputs_per_state])
                };
                (0..PREDICTED_SCRAMBLES).map(prediction_of_walk).sum::<f32>() / PREDICTED_SCRAMBLES as f32
            })
            .collect();
    }
}

/// Runs on a GPU.
impl Run {
    /// The part of the run on the GPU, and the fields of the run that the GPU reads and changes.
    fn device_and_run<'a>(&'a mut self, config: &'a CubeConfig) -> Option<(&'a mut Device, DeviceRun<'a>)> {
        let Self { device: Some((device, _)), learner, network, .. } = self else { return None };
        Some((device, DeviceRun { config, network, learner }))
    }

    /// A step of an evaluation with the network on the GPU; `None` if the run is not there.
    fn evaluate_on_device(&mut self) -> Option<Status> {
        let Self { device: Some((device, make_guide)), evaluator: Some(evaluator), guide, network, .. } =
            self
        else {
            return None;
        };
        let mut step = || {
            if guide.is_none() {
                *guide = Some(make_guide(network)?);
            }
            let guide = guide.as_mut().expect("it was made");
            evaluator.step_remotely(network, &mut **guide)
        };
        Some(match step() {
            Err(error) => device.fail(error.to_string()),
            Ok(None) => Status::Waiting,
            Ok(Some(false)) => Status::Ready,
            Ok(Some(true)) => {
                self.evaluation = Some(evaluator.result().clone());
                Status::UnitFinished
            }
        })
    }
}

/// Refuses settings that make no sense together.
fn check(config: &CubeConfig) -> Result<(), LabError> {
    if config.learner == Method::Dqn {
        let problem = "deep Q-learning (dqn) learns the 2x2x2 only; for the 3x3x3 choose cayleypy, davi or efficientcube";
        return Err(LabError::setting("learner", problem));
    }
    Ok(())
}

impl PuzzleRun for Run {
    fn begin_unit(&mut self) {
        self.learner.begin_unit();
    }

    fn learn(&mut self, cx: Context<CubeConfig>) -> Status {
        match self.device_and_run(cx.config) {
            Some((device, run)) => device.step(run),
            None => self.learner.step(cx.config, &mut self.network),
        }
    }

    fn begin_evaluation(&mut self, cx: Context<CubeConfig>) {
        let config = cx.config;
        let state_source = source(cx.seed, config.evaluate_scramble);
        let (states, width) = (u64::from(config.evaluate_states), config.evaluate_beam as usize);
        self.evaluator = Some(Evaluator::new(state_source, states, width));
        // A guide that cannot take the network, because its outputs mean something else now, is made anew.
        if !self.guide.as_mut().is_some_and(|guide| guide.set_network(&self.network)) {
            self.guide = None;
        }
    }

    fn evaluate(&mut self, _cx: Context<CubeConfig>) -> Status {
        if let Some(status) = self.evaluate_on_device() {
            return status;
        }
        let Some(evaluator) = &mut self.evaluator else { return Status::UnitFinished };
        if !evaluator.step(&self.network) {
            return Status::Ready;
        }
        self.evaluation = Some(evaluator.result().clone());
        Status::UnitFinished
    }

    #[cfg(feature = "gpu")]
    fn use_gpu(&mut self, cx: Context<CubeConfig>, gpu: &learnery_gpu::Gpu) -> Result<(), LabError> {
        let device = learner::gpu::DeviceLearner::new(gpu, cx.config, &self.learner, &self.network)?;
        self.device = Some((Box::new(learnery_lab::Pump::new(device)), DeviceGuide::maker(gpu)));
        Ok(())
    }

    fn prepare_save(&mut self, cx: Context<CubeConfig>) -> Status {
        self.device_and_run(cx.config).map_or(Status::Ready, |(device, run)| device.prepare_save(run))
    }

    fn failure(&self) -> Option<String> {
        let (device, _) = self.device.as_ref()?;
        device.failure()
    }

    fn updates(&self) -> u64 {
        self.learner.updates()
    }

    fn episodes(&self) -> u64 {
        0
    }

    fn learning_metrics(&self, out: &mut Row) {
        self.learner.metrics(out);
    }

    fn evaluation_metrics(&self, out: &mut Row) {
        if let Some(evaluation) = &self.evaluation {
            out.set("solved", 100.0 * evaluation.solved_fraction());
            out.set("length", evaluation.mean_length());
        }
    }

    fn apply(&mut self, _cx: Context<CubeConfig>, command: CubeCommand) -> Result<(), LabError> {
        self.stage.apply(&self.network, &command)
    }

    fn animate(&mut self, cx: Context<CubeConfig>, _seconds: f64) {
        if let Some((_, make_guide)) = &self.device {
            if self.stage.animate_on(make_guide, &self.network).is_err() {
                // Learning fails too, and says why.
                self.stage.stop();
            }
            self.update_predictions(cx);
            return;
        }
        self.stage.animate(&self.network);
        self.update_predictions(cx);
    }

    fn view(&self, cx: Context<CubeConfig>, phase: Phase) -> CubeView {
        let evaluation = self.evaluation.as_ref();
        CubeView::Large(LargeView {
            learner: cx.config.learner,
            metric: cx.config.metric,
            phase,
            phase_fraction: match phase {
                Phase::Learning => self.learner.progress(cx.config),
                Phase::Evaluating => self.evaluator.as_ref().map_or(0.0, Evaluator::progress),
            },
            distils: self.learner.is_distilling(cx.config),
            guess_by_scramble: Floats(self.predictions.clone()),
            solved: evaluation.map_or(f32::NAN, |last| last.solved_fraction() as f32),
            length: evaluation.map_or(f32::NAN, |last| last.mean_length() as f32),
            stage: self.stage.view(self.network.puzzle()),
        })
    }

    fn to_tensors(&self) -> Tensors {
        let mut tensors = Tensors::new();
        tensors.absorb("network/", self.network.weights.to_tensors());
        tensors.absorb("learner/", self.learner.to_tensors());
        tensors
    }
}
