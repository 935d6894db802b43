//! The language lab: pretrains a small decoder-only transformer (GPT-2 style; Radford et al., "Language
//! models are unsupervised multitask learners", 2019) on tasks with exact answers, on generated stories, or
//! on the user's own text.
//!
//! This file implements the `Lab` trait; a run is [`Language`]. A *unit* of a run is one training iteration:
//! some updates, then an evaluation and a generated sample of text where they are due. The *stage* is the
//! interactive part of the page.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))] // Results are the same bits on every platform.

mod about;
mod checkpoint;
mod config;
mod evaluation;
#[cfg(not(target_family = "wasm"))]
mod export;
mod generation;
#[cfg(all(feature = "gpu", not(target_family = "wasm")))]
mod gpu_generation;
#[cfg(feature = "gpu")]
mod gpu_learner;
mod inspector;
mod learner;
mod network;
mod phase;
mod problem_grid;
mod purpose;
mod run;
mod samples;
mod stage;
mod tokenizer;
#[cfg(not(target_family = "wasm"))]
mod tools;
mod training_data;
mod view;

#[cfg(test)]
mod tests;

use learnery_lab::{About, Context, Goal, GpuUse, Lab, LabError, NamedText, Row, State, Status};
#[cfg(not(target_family = "wasm"))]
use learnery_lab::{MakeGraphs, ToolEntry};
use learnery_nn::Tensors;
use serde_json::{Map, Value, json};

pub use config::{LanguageConfig, Optimiser, Source, Tokens};
pub use generation::{SamplingOptions, TextGenerator, logits};
#[cfg(all(feature = "gpu", not(target_family = "wasm")))]
pub use gpu_generation::GpuTextGenerator;
pub use network::Network;
pub use purpose::sampling_stream;
pub use run::Language;
#[cfg(not(target_family = "wasm"))]
pub use tools::{Evaluate, EvaluationInput, Sample, SampleEvent, SampleInput, SampleOutput, SampledText};
pub use view::{LanguageCommand, LanguageView};

use training_data::TrainingData;

/// The fewest parameters with which a GPU is used without being asked for.
const MIN_GPU_PARAMETERS: usize = 1_000_000;

/// A run on a GPU fetches the network for the stage when a unit ends, but at most once in this many seconds:
/// a unit can take less time than a fetch.
const FETCH_SECONDS: f64 = 0.5;

/// The setting that says what is learned, and two of its values.
const SOURCE: &str = "source";
const STORIES: &str = "stories";
const TEXT: &str = "text";

/// Makes a preset that learns stories learn a text of the user's own instead.
pub fn replace_stories(preset: &mut Map<String, Value>) {
    if preset.get(SOURCE).is_some_and(|source| source == STORIES) {
        preset.insert(SOURCE.into(), TEXT.into());
    }
}

/// Rejects the source `stories` for a run that is given a text: it would be named and evaluated as a run of
/// stories.
pub fn check_source(settings: &Map<String, Value>) -> Result<(), LabError> {
    if settings.get(SOURCE).is_some_and(|source| source == STORIES) {
        let problem =
            "a run with the source `stories` learns no text of your own; start one with the source `text`";
        return Err(LabError::Settings(problem.into()));
    }
    Ok(())
}

/// Rejects a text that cannot be trained on because it is too short or too long, not UTF-8, or binary.
pub fn check_text(text: &NamedText) -> Result<(), LabError> {
    training_data::split_corpus(&text.name, &text.bytes).map(drop) // only its checks are wanted
}

impl Lab for Language {
    const ABOUT: About = about::ABOUT;
    type Config = LanguageConfig;
    const SETTINGS: &str = include_str!("settings.json");
    type Command = LanguageCommand;
    type View = LanguageView;
    const GPU: GpuUse = GpuUse::Everywhere;
    #[cfg(not(target_family = "wasm"))]
    const TOOLS: &'static [ToolEntry] = &[ToolEntry::of::<Sample>(), ToolEntry::of::<Evaluate>()];
    #[cfg(not(target_family = "wasm"))]
    const GRAPHS: Option<MakeGraphs<LanguageConfig>> =
        Some(|config, network| Ok(Network::from_tensors(config, network)?.graphs()));
    const DATA_COMMANDS: &'static [&'static str] = &["text"];

    fn check(config: &LanguageConfig) -> Result<(), LabError> {
        config.check()
    }

    fn new(cx: Context<LanguageConfig>) -> Result<Self, LabError> {
        let Context { config, seed, .. } = cx;
        let tokenizer = tokenizer::build_tokenizer(config, None)?;
        let network = Network::new(config, tokenizer, seed)?;
        Ok(Self::assemble(config, seed, network, TrainingData::new(config, seed)?))
    }

    fn goal(config: &LanguageConfig) -> Option<Goal> {
        let goal = config.goal;
        let (metric, target, words) = match config.source {
            Source::Text => return None,
            Source::Stories => {
                ("excess", goal, format!("bits per byte of stories at most {goal}% above their entropy"))
            }
            _ => ("exact", goal, format!("{goal}% of unseen problems answered exactly")),
        };
        (config.evaluate_every > 0).then_some(Goal { metric, target, words, exact: false, best: None })
    }

    /// The number of units after which the learning rates have fallen; `None` for constant rates.
    fn schedule(config: &LanguageConfig) -> Option<u64> {
        (config.anneal > 0).then(|| u64::from(config.anneal.div_ceil(config.updates)))
    }

    fn step(&mut self, cx: Context<LanguageConfig>) -> Status {
        self.step_phase(cx)
    }

    fn apply(
        &mut self,
        cx: Context<LanguageConfig>,
        command: LanguageCommand,
    ) -> Result<Option<String>, LabError> {
        match command {
            LanguageCommand::SetText { name, text } => self.set_text(cx, &name, &text)?,
            command => {
                let progress = self.progress(cx.unit);
                self.stage.apply(&self.network, command, progress)?;
            }
        }
        Ok(None)
    }

    fn animate(&mut self, cx: Context<LanguageConfig>, seconds: f64) {
        if let Some(device) = &mut self.device {
            // The stage shows what the network does, so it is fetched when a unit ends.
            device.watched_seconds += seconds;
            if device.watched_seconds >= FETCH_SECONDS {
                device.watched_seconds = 0.0;
                device.trainer.watch();
            }
        }
        let progress = self.progress(cx.unit);
        self.stage.animate(&self.network, &mut self.data, seconds, progress);
    }

    fn work(&self, _: Context<LanguageConfig>) -> u64 {
        self.learner.processed_tokens()
    }

    fn metrics(&self, cx: Context<LanguageConfig>, out: &mut Row) {
        self.write_metrics(cx.config, out);
    }

    fn view(&self, cx: Context<LanguageConfig>) -> LanguageView {
        self.language_view(cx.config)
    }

    fn save(&self) -> State {
        self.to_state()
    }

    fn prepare_save(&mut self, cx: Context<LanguageConfig>) -> Status {
        self.fetch_state(cx)
    }

    /// Small networks consist of many short kernels, which a GPU has to start one by one.
    fn prefers_gpu(config: &LanguageConfig) -> bool {
        config.parameters().is_ok_and(|parameters| parameters >= MIN_GPU_PARAMETERS)
    }

    fn failure(&self) -> Option<String> {
        self.device.as_ref()?.trainer.failure()
    }

    #[cfg(feature = "gpu")]
    fn use_gpu(
        &mut self,
        cx: Context<LanguageConfig>,
        gpu: &learnery_gpu::Gpu,
        precision: learnery_gpu::Precision,
    ) -> Result<(), LabError> {
        let move_there = gpu_learner::move_to(gpu, precision);
        let trainer = move_there(cx.config, &self.learner, &self.network)?;
        self.device = Some(run::Device { trainer, watched_seconds: FETCH_SECONDS, move_there });
        Ok(())
    }

    fn load(cx: Context<LanguageConfig>, state: &State) -> Result<Self, LabError> {
        Self::from_state(cx, state)
    }

    fn load_network(cx: Context<LanguageConfig>, network: &Tensors, work: u64) -> Result<Self, LabError> {
        Self::from_network(cx, network, work)
    }

    fn own_data(tensors: &Tensors) -> Option<Value> {
        // Without a text of the user's own the text is empty.
        let read = |name: &str| String::from_utf8(tensors.get_vec(name).ok()?).ok();
        let (name, text) = (read("text/name")?, read("text/bytes")?);
        (!text.is_empty()).then(|| json!({ "type": "text", "name": name, "text": text }))
    }
}
