//! A run of the language lab. It owns network, training data, learner, evaluation and stage (the interactive
//! part of the page), and steps a training iteration through its phases. A *unit* of a run is one such
//! iteration.

use std::sync::Arc;

use learnery_kernels::rng::Stream;
use learnery_lab::{Context, LabError, OnDevice, Row, Status, TRAINS_ON_CPU};

use super::config::LanguageConfig;
use super::evaluation::{EvaluationResult, Evaluator, TRAINING_STRIDES};
use super::learner::{Learner, UpdateStatistics};
use super::network::Network;
use super::phase::Phase;
use super::problem_grid::ProblemGrid;
use super::purpose;
use super::samples::SampleHistory;
use super::stage::{self, Progress, Stage};
use super::tokenizer::build_tokenizer;
use super::training_data::{Baselines, TrainingData, split_corpus};
use super::view::LanguageView;

/// A run of the language lab.
pub struct Language {
    pub(crate) network: Network,
    pub(crate) data: TrainingData,
    pub(crate) learner: Learner,
    pub(crate) evaluator: Evaluator,
    /// Samples generated after 1, 2, 4, 8, ... iterations, which belong to the run and are saved.
    pub(crate) samples: SampleHistory,
    /// What the user of the page sees and touches. It is not saved and does not affect training.
    pub(crate) stage: Stage,
    /// What the iteration in progress does: it learns, evaluates or generates a sample.
    phase: Phase,
    /// Sums over the updates of the iteration in progress.
    current: UnitStatistics,
    /// Sums over the updates of the last completed iteration, from which the metrics are computed.
    completed: UnitStatistics,
    /// The result of the last evaluation, which may have been several iterations ago.
    pub(crate) evaluation: EvaluationResult,
    /// The part of the run on the GPU, if it computes there.
    pub(crate) device: Option<Device>,
    device_report: DeviceReport,
}

/// The part of a run on the GPU.
pub struct Device {
    /// Trains, evaluates and generates the run's samples there.
    pub trainer: GpuTrainer,
    /// Seconds for which the stage has been watched since the network was last fetched for it.
    pub watched_seconds: f64,
    /// Moves a rebuilt run to the same GPU, see [`Language::set_text`].
    pub move_there: MoveToDevice,
}

/// Moves a run with this learner and network to a GPU.
pub type MoveToDevice =
    Arc<dyn Fn(&LanguageConfig, &Learner, &Network) -> Result<GpuTrainer, LabError> + Send + Sync>;

/// The trainer of a run on a GPU.
pub type GpuTrainer = Box<dyn for<'a> OnDevice<DeviceRun<'a>>>;

/// What the GPU reads and changes of a run.
#[cfg_attr(not(feature = "gpu"), expect(dead_code, reason = "only a GPU reads it"))]
pub struct DeviceRun<'a> {
    pub config: &'a LanguageConfig,
    pub network: &'a mut Network,
    pub learner: &'a mut Learner,
    pub data: &'a mut TrainingData,
    pub evaluator: &'a mut Evaluator,
    pub samples: &'a SampleHistory,
    pub phase: Phase,
    pub report: &'a mut DeviceReport,
}

/// The results of a phase that has ended on the GPU: its updates, the result of the evaluation, or the
/// generated tokens of a sample.
#[derive(Debug, Default)]
pub struct DeviceReport {
    pub updates: Vec<UpdateStatistics>,
    pub evaluation: Option<EvaluationResult>,
    pub sample: Option<Vec<u16>>,
}

/// Sums over the updates of one iteration.
#[derive(Clone, Copy, Debug, Default)]
struct UnitStatistics {
    updates: u32,
    /// Cross-entropy of the training batches, summed over all targets that count.
    bits: f64,
    /// Bytes of these targets.
    bytes: usize,
    /// Sum of the gradient norms of the updates.
    gradient_norm_sum: f64,
    /// Whether the iteration included an evaluation.
    has_evaluation: bool,
}

impl UnitStatistics {
    fn add(&mut self, update: UpdateStatistics) {
        self.updates += 1;
        self.bits += update.bits;
        self.bytes += update.bytes;
        self.gradient_norm_sum += f64::from(update.gradient_norm);
    }
}

/// Whether the iteration in progress ends with an evaluation.
fn is_evaluation_due(cx: Context<LanguageConfig>) -> bool {
    // `cx.unit` counts completed iterations, so this is the number of the current one, counted from 1.
    let unit = cx.unit + 1;
    let every = u64::from(cx.config.evaluate_every);
    // With evaluations at all, the first iteration has one, so that the charts are not empty for long.
    every > 0 && (unit == 1 || unit.is_multiple_of(every))
}

impl Language {
    /// A run of this network on this data that has not been trained yet. Evaluations of a run use wide
    /// strides (`TRAINING_STRIDES`), because they must not slow it down.
    pub(crate) fn assemble(
        config: &LanguageConfig,
        seed: u32,
        network: Network,
        mut data: TrainingData,
    ) -> Self {
        let (prompt, end_token) = stage::default_prompt(&network, &mut data);
        // Samples begin without a prompt if the network cannot encode it, as with a tokenizer from a damaged
        // file.
        let prompt = network.encode(&prompt).unwrap_or_default();
        let size = config.evaluation_size as usize;
        Self {
            learner: Learner::new(config, &network),
            evaluator: Evaluator::new(&network, &data, size, TRAINING_STRIDES),
            samples: SampleHistory::new(&network, prompt, end_token, Stream::new(seed, purpose::SAMPLES)),
            stage: Stage::new(&network, &mut data, Stream::new(seed, purpose::STAGE)),
            phase: Phase::Learning,
            current: UnitStatistics::default(),
            completed: UnitStatistics::default(),
            evaluation: EvaluationResult::default(),
            device: None,
            device_report: DeviceReport::default(),
            network,
            data,
        }
    }

    /// Takes one step of the current phase: a micro-batch of training, a micro-batch of the evaluation, or a
    /// few tokens of a sample. Returns [`Status::UnitFinished`] when the step completes the iteration.
    pub(crate) fn step_phase(&mut self, cx: Context<LanguageConfig>) -> Status {
        let is_phase_over = match self.phase {
            _ if self.device.is_some() => match self.step_on_device(cx) {
                Status::UnitFinished => true,
                status => return status,
            },
            // Such a build waits until the run is moved to a GPU.
            Phase::Learning | Phase::Evaluating if !TRAINS_ON_CPU => return Status::Waiting,
            Phase::Learning => self.step_learning(cx.config),
            Phase::Evaluating => self.step_evaluation(),
            Phase::Sampling => self.samples.step(&self.network, cx.unit + 1, self.learner.tokens()),
        };
        if !is_phase_over {
            return Status::Ready;
        }
        match self.phase.next(is_evaluation_due(cx), SampleHistory::is_due(cx.unit + 1)) {
            Some(phase) => {
                self.phase = phase;
                Status::Ready
            }
            None => {
                self.phase = Phase::Learning;
                self.completed = std::mem::take(&mut self.current);
                Status::UnitFinished
            }
        }
    }

    /// Trains on one micro-batch, and returns whether the iteration has all of its updates.
    fn step_learning(&mut self, config: &LanguageConfig) -> bool {
        let Self { learner, network, data, current, .. } = self;
        let Some(update) = learner.step(config, network, data) else { return false };
        current.add(update);
        // `>=`, because the user can lower the setting in the middle of an iteration.
        current.updates >= config.updates
    }

    /// The GPU's part of the run, and what it reads and changes of the CPU's part; `None` if the run computes
    /// on the CPU.
    fn device_and_run<'a>(
        &'a mut self,
        cx: Context<'a, LanguageConfig>,
    ) -> Option<(&'a mut GpuTrainer, DeviceRun<'a>)> {
        let Self {
            device: Some(device),
            network,
            learner,
            data,
            evaluator,
            samples,
            phase,
            device_report: report,
            ..
        } = self
        else {
            return None;
        };
        let run = DeviceRun {
            config: cx.config,
            network,
            learner,
            data,
            evaluator,
            samples,
            phase: *phase,
            report,
        };
        Some((&mut device.trainer, run))
    }

    /// Takes a step of the current phase on the GPU. Returns [`Status::UnitFinished`] when the phase is over,
    /// which is not the end of the iteration if another phase follows.
    fn step_on_device(&mut self, cx: Context<LanguageConfig>) -> Status {
        // Called only if the run is on a GPU.
        let Some((device, run)) = self.device_and_run(cx) else { return Status::Failed };
        let status = device.step(run);
        if status == Status::UnitFinished {
            let DeviceReport { updates, evaluation, sample } = std::mem::take(&mut self.device_report);
            updates.into_iter().for_each(|update| self.current.add(update));
            if let Some(result) = evaluation {
                self.set_evaluation(result);
            }
            if let Some(generated) = sample {
                self.samples.add(&self.network, cx.unit + 1, self.learner.tokens(), &generated);
            }
        }
        status
    }

    /// Fetches network and optimiser from the GPU, if the run computes there.
    pub(crate) fn fetch_state(&mut self, cx: Context<LanguageConfig>) -> Status {
        self.device_and_run(cx).map_or(Status::Ready, |(device, run)| device.prepare_save(run))
    }

    /// Evaluates one micro-batch, and returns whether the evaluation is complete.
    fn step_evaluation(&mut self) -> bool {
        let Self { evaluator, network, learner, data, .. } = self;
        let Some(result) = evaluator.step(network, learner.trainer(network), data) else { return false };
        self.set_evaluation(result);
        true
    }

    /// Stores the result of an evaluation of the iteration in progress.
    fn set_evaluation(&mut self, result: EvaluationResult) {
        self.evaluation = result;
        self.current.has_evaluation = true;
    }

    /// How far the run is, for the stage.
    pub(crate) fn progress(&self, unit: u64) -> Progress {
        Progress { unit, updates: self.learner.updates(), tokens_seen: self.learner.tokens() }
    }

    /// Trains on the user's own text from now on. A session allows this between two iterations only.
    ///
    /// Before the first update, the whole run is rebuilt: the tokenizer is fitted to the text, and the
    /// network is initialised for this tokenizer. After the first update, network and tokenizer stay, and a
    /// text with characters that the tokenizer does not have is rejected.
    pub(crate) fn set_text(
        &mut self,
        cx: Context<LanguageConfig>,
        name: &str,
        text: &str,
    ) -> Result<(), LabError> {
        let Context { config, seed, .. } = cx;
        if config.source.task().is_some() {
            let message = "this run learns a task, whose network reads only the characters of that task; \
                           to train on a text of your own, start a run with the preset `text`";
            return Err(LabError::Command(message.into()));
        }
        let corpus = split_corpus(name, text.as_bytes())?;
        if self.learner.updates() == 0 {
            let tokenizer = build_tokenizer(config, Some(&corpus))?;
            let network = Network::new(config, tokenizer, seed)?;
            let length = network.net.shape().context;
            let data = TrainingData::own_text(name, corpus, &network.tokenizer, length, seed)?;
            let mut run = Self::assemble(config, seed, network, data);
            if let Some(Device { move_there, .. }) = &self.device {
                let trainer = move_there(config, &run.learner, &run.network)?;
                run.device = Some(Device { trainer, watched_seconds: 0.0, move_there: move_there.clone() });
            }
            *self = run;
            return Ok(());
        }
        // Rejects a text with characters that the tokenizer does not have.
        self.network.encode(corpus.text())?;
        let length = self.network.net.shape().context;
        self.data = TrainingData::own_text(name, corpus, &self.network.tokenizer, length, seed)?;
        let size = config.evaluation_size as usize;
        self.evaluator = Evaluator::new(&self.network, &self.data, size, TRAINING_STRIDES);
        self.evaluation = EvaluationResult::default();
        self.stage = Stage::new(&self.network, &mut self.data, Stream::new(seed, purpose::STAGE));
        Ok(())
    }

    /// Writes the metrics of the last completed iteration, of which there must be one. `about.rs` explains
    /// each of them.
    pub(crate) fn write_metrics(&self, config: &LanguageConfig, out: &mut Row) {
        let UnitStatistics { updates, bits, bytes, gradient_norm_sum, has_evaluation } = self.completed;
        out.set("loss", bits / bytes as f64);
        out.set("gradient", gradient_norm_sum / f64::from(updates));
        out.set("rate", config.learning_rate * self.learner.rate_factor(config));
        if !has_evaluation {
            return;
        }
        let percent = |fraction: f64| 100.0 * fraction;
        let evaluation = self.evaluation;
        let values = [
            ("bits", evaluation.bits),
            ("excess", evaluation.excess.map(percent)),
            ("exact", evaluation.exact.map(percent)),
        ];
        for (name, value) in values {
            value.into_iter().for_each(|value| out.set(name, value));
        }
        if let Some(exact) = evaluation.exact {
            let problems = self.evaluator.rows() as f64;
            // The standard deviation of a success rate over `problems` independent trials. Twice it is a
            // margin of error of 95 %.
            let standard_deviation = (exact * (1.0 - exact) / problems).sqrt();
            out.set("exactMargin", percent(2.0 * standard_deviation));
        }
    }

    /// The data that the page draws. [`LanguageView`] explains each field.
    pub(crate) fn language_view(&self, config: &LanguageConfig) -> LanguageView {
        let shape = self.network.net.shape();
        let sampling = self.stage.sampling();
        let baselines = self.evaluator.baselines();
        LanguageView {
            source: self.data.source(config),
            text_name: self.data.name_and_text().map_or_else(String::new, |(name, _)| name.to_owned()),
            tokens_seen: self.learner.tokens() as f64,
            vocabulary: self.network.tokenizer.len() as u32,
            context: shape.context as u32,
            width: shape.width as u32,
            layers: shape.layers as u32,
            heads: shape.heads as u32,
            parameters: self.network.weights.len() as u32,
            operations: shape.training_operations(shape.context),
            floor: self.data.entropy(),
            gzip: baselines.map(|Baselines { gzip, .. }| gzip),
            order3: baselines.map(|Baselines { order3, .. }| order3),
            bits: self.evaluation.bits,
            prompt: self.stage.prompt().to_owned(),
            temperature: sampling.temperature,
            top_k: sampling.top_k as u32,
            sample: self.stage.sample_view(&self.network),
            earlier: self.samples.view(&self.network),
            reading: self.stage.inspector.view(&self.network),
            grid: self.stage.grid.as_ref().map(ProblemGrid::view),
        }
    }
}
