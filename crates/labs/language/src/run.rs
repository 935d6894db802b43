//! A run of the language lab: puts network, data, learner, evaluation and stage together and steps through the phases.

use learnery_kernels::rng::Stream;
use learnery_lab::{Context, LabError, Row, Status};

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
    pub(crate) samples: SampleHistory,
    pub(crate) stage: Stage,
    phase: Phase,
    /// Statistics of the unit in progress, and between two units of the last one.
    statistics: UnitStatistics,
    /// The result of the last evaluation.
    pub(crate) evaluation: EvaluationResult,
}

/// Sums over the updates of a unit.
#[derive(Clone, Copy, Debug, Default)]
struct UnitStatistics {
    updates: u32,
    bits: f64,
    bytes: usize,
    gradient_norm_sum: f64,
    /// Whether the unit included an evaluation.
    evaluated: bool,
    /// Whether the unit is over, so that the next step begins another.
    complete: bool,
}

impl UnitStatistics {
    fn add(&mut self, update: UpdateStatistics) {
        self.updates += 1;
        self.bits += update.bits;
        self.bytes += update.bytes;
        self.gradient_norm_sum += f64::from(update.gradient_norm);
    }
}

impl Language {
    pub(crate) fn assemble(
        config: &LanguageConfig,
        seed: u32,
        network: Network,
        mut data: TrainingData,
    ) -> Self {
        let (prompt, end) = stage::default_prompt(&network, &mut data);
        let prompt = network.encode(&prompt).unwrap_or_default();
        let size = config.evaluation_size as usize;
        Self {
            learner: Learner::new(config, &network),
            evaluator: Evaluator::new(&network, &data, size, TRAINING_STRIDES),
            samples: SampleHistory::new(&network, prompt, end, Stream::new(seed, purpose::SAMPLES)),
            stage: Stage::new(&network, &mut data, Stream::new(seed, purpose::STAGE)),
            phase: Phase::Learning,
            statistics: UnitStatistics::default(),
            evaluation: EvaluationResult::default(),
            network,
            data,
        }
    }

    /// One micro-batch of training, one of the evaluation, or some tokens of a sample.
    pub(crate) fn step_phase(&mut self, cx: Context<LanguageConfig>) -> Status {
        let phase_is_over = match self.phase {
            Phase::Learning => self.step_learning(cx.config),
            Phase::Evaluating => self.step_evaluation(),
            Phase::Sampling => self.samples.step(&self.network, cx.unit + 1, self.learner.tokens()),
        };
        if !phase_is_over {
            return Status::Ready;
        }
        let unit = cx.unit + 1;
        let every = u64::from(cx.config.evaluate_every);
        // The first unit is evaluated too, so that there is soon something to see.
        let evaluation_is_due = every > 0 && (unit == 1 || unit.is_multiple_of(every));
        match self.phase.next(evaluation_is_due, SampleHistory::is_due(unit)) {
            Some(phase) => {
                self.phase = phase;
                Status::Ready
            }
            None => {
                self.phase = Phase::Learning;
                self.statistics.complete = true;
                Status::Unit
            }
        }
    }

    /// One micro-batch; true when the unit has all of its updates.
    fn step_learning(&mut self, config: &LanguageConfig) -> bool {
        let Self { learner, network, data, statistics, .. } = self;
        if statistics.complete {
            *statistics = UnitStatistics::default();
        }
        let Some(update) = learner.step(config, network, data) else { return false };
        statistics.add(update);
        // Not `==`: the live setting may have been lowered in the middle of the unit.
        statistics.updates >= config.updates
    }

    /// One micro-batch; true when the evaluation is complete.
    fn step_evaluation(&mut self) -> bool {
        let Self { evaluator, network, learner, data, .. } = self;
        let Some(result) = evaluator.step(network, learner.trainer(), data) else { return false };
        self.evaluation = result;
        self.statistics.evaluated = true;
        true
    }

    pub(crate) fn progress(&self, unit: u64) -> Progress {
        Progress { unit, updates: self.learner.updates(), tokens_seen: self.learner.tokens() }
    }

    /// Trains on the visitor's text from now on. Before the first update the run is rebuilt, with a tokenizer made for the
    /// text; later the network stays, and the text must be in its vocabulary.
    pub(crate) fn set_text(
        &mut self,
        cx: Context<LanguageConfig>,
        name: &str,
        text: &str,
    ) -> Result<(), LabError> {
        let Context { config, seed, .. } = cx;
        if config.source.task().is_some() {
            let message = "a network that learns a task knows only the task's characters; \
                           start with the preset `text` instead";
            return Err(LabError::Command(message.into()));
        }
        let corpus = split_corpus(name, text.as_bytes())?;
        if self.learner.updates() == 0 && self.learner.is_between_batches() {
            let tokenizer = build_tokenizer(config, Some(&corpus))?;
            let network = Network::new(config, tokenizer, seed)?;
            let length = network.net.shape().context;
            let data = TrainingData::own_text(name, corpus, &network.tokenizer, length, seed)?;
            *self = Self::assemble(config, seed, network, data);
            return Ok(());
        }
        self.network.encode(corpus.text())?;
        let length = self.network.net.shape().context;
        self.data = TrainingData::own_text(name, corpus, &self.network.tokenizer, length, seed)?;
        let size = config.evaluation_size as usize;
        self.evaluator = Evaluator::new(&self.network, &self.data, size, TRAINING_STRIDES);
        self.evaluation = EvaluationResult::default();
        self.stage = Stage::new(&self.network, &mut self.data, Stream::new(seed, purpose::STAGE));
        Ok(())
    }

    /// Writes the metrics of the last unit. The names are those of `about.rs`.
    pub(crate) fn write_metrics(&self, config: &LanguageConfig, out: &mut Row) {
        let UnitStatistics { updates, bits, bytes, gradient_norm_sum, evaluated, .. } = self.statistics;
        out.set("loss", bits / bytes as f64);
        out.set("gradient", gradient_norm_sum / f64::from(updates));
        out.set("rate", config.learning_rate * self.learner.rate_factor(config));
        if !evaluated {
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
            // Two standard deviations of a binomial fraction.
            out.set("exactMargin", 200.0 * (exact * (1.0 - exact) / self.evaluator.rows() as f64).sqrt());
        }
    }

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
