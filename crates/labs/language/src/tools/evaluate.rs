//! The tool `evaluate`: measures a network on new problems, new stories, or the held-out part of a text.

use learnery_lab::{LabError, NamedText, Report, Source, Tool, ToolAbout, ToolProgress, ToolStatus};
use learnery_nn::Trainer;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::config::{self, LanguageConfig};
use crate::evaluation::{EVAL_TOOL_STRIDES, EvaluationResult, Evaluator};
use crate::network::Network;
use crate::purpose;
use crate::run::Language;
use crate::training_data::{Baselines, Problems, StoryBatches, TrainingData, split_corpus};

// How much is evaluated if `games` (the field `rows`) is 0.
/// Problems of a task.
const DEFAULT_PROBLEMS: usize = 2000;
/// Stories: as many times the network's context in bytes.
const DEFAULT_CONTEXTS: usize = 512;
/// Bytes of a text.
const DEFAULT_BYTES: usize = 1 << 18;

/// Shards (parts for one thread each) of the trainer's micro-batches, as during training outside of a
/// browser.
const SHARDS: usize = 8;

/// How to evaluate.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(rename = "LanguageEvaluationInput"))]
pub struct EvaluationInput {
    // The option has the same name in all labs.
    /// Problems of a task, or how many times the network's context of bytes of text; 0 for 2,000 problems,
    /// 512 times the context of stories, or 256 KiB of a text.
    #[serde(rename = "games")]
    #[schemars(range(min = 0, max = 1_000_000))]
    pub rows: u32,
    /// A text to evaluate on, of which only the part that training holds out is used (a tenth, at most 1
    /// MiB). Without one, a network of stories is evaluated on new stories.
    #[schemars(extend("x-input" = "file"))]
    pub text: String,
    /// Selects the problems or stories.
    #[schemars(range(min = 0, max = 4_294_967_295_u32))]
    pub seed: u32,
}

/// An evaluation under way.
pub struct Evaluate {
    network: Network,
    data: TrainingData,
    trainer: Trainer,
    evaluator: Evaluator,
    is_done: bool,
}

impl Evaluate {
    /// Reports the result on this many problems, or on the bytes that were counted.
    fn report(&self, result: EvaluationResult, problems: usize) -> Report {
        let Self { network, evaluator, .. } = self;
        let (mut summary, mut figures) = (String::new(), Vec::new());
        if let Some(exact) = result.exact {
            summary = format!("{:.2}% of {problems} problems answered exactly", 100.0 * exact);
            figures.push(("exact", 100.0 * exact, "%"));
        }
        if let Some(bits) = result.bits {
            summary = format!("{bits:.3} bits per byte on {} held-out bytes", evaluator.bytes());
            figures.push(("bits", bits, "bits/byte"));
            if let Some(excess) = result.excess {
                summary += &format!(", {:.1}% above their entropy", 100.0 * excess);
                // `excess` is bits / entropy - 1.
                figures.push(("entropy", bits / (1.0 + excess), "bits/byte"));
                figures.push(("excess", 100.0 * excess, "%"));
            }
            if let Some(Baselines { gzip, order3 }) = evaluator.baselines() {
                summary += &format!("; gzip needs {gzip:.3}, an order-3 model {order3:.3}");
                figures.extend([("gzip", gzip, "bits/byte"), ("order 3", order3, "bits/byte")]);
            }
        }
        figures.push(("parameters", network.weights.len() as f64, ""));
        Report::new(summary, figures)
    }
}

impl Tool for Evaluate {
    const ABOUT: ToolAbout = ToolAbout {
        id: "evaluate",
        title: "Strength",
        help: "Measures the bits per byte of held-out text, or how many problems are answered exactly.",
        counts: "problems or overlapping windows",
        in_tab: false,
    };
    type Lab = Language;
    type Input = EvaluationInput;
    const INPUT: &'static str = include_str!("evaluate.json");
    type Event = ();
    type Output = Report;
    const COUNT_HAS_TOTAL: bool = true;

    fn begin(
        source: Source<Language>,
        input: EvaluationInput,
        text: Option<NamedText>,
    ) -> Result<Self, LabError> {
        let network = Network::from_tensors(&source.config, &source.network)?;
        let (data, size) = held_out_data(&source.config, &network, &input, text.as_ref())?;
        let length = network.net.shape().context;
        let trainer = Trainer::new(&network.net, length, Trainer::sequences(length, SHARDS));
        let evaluator = Evaluator::new(&network, &data, size, EVAL_TOOL_STRIDES);
        Ok(Self { network, data, trainer, evaluator, is_done: false })
    }

    fn step(&mut self, _: &mut dyn FnMut(())) -> Result<ToolStatus<Report>, LabError> {
        let Self { network, data, trainer, evaluator, is_done } = self;
        let result = evaluator.step(network, trainer, data);
        *is_done = result.is_some();
        Ok(result
            .map_or(ToolStatus::Ready, |result| ToolStatus::Done(self.report(result, self.evaluator.rows()))))
    }

    fn progress(&self) -> ToolProgress {
        let all = self.evaluator.rows();
        // At the end the evaluator is ready for another evaluation.
        let done = if self.is_done { all } else { self.evaluator.evaluated_rows() };
        ToolProgress::of(done as u64, all as u64)
    }

    fn partial(&self) -> Option<Report> {
        let result = self.evaluator.result_so_far()?;
        Some(self.report(result, self.evaluator.evaluated_rows()))
    }
}

/// Returns the data to evaluate on, and its size: problems of a task, or bytes of text.
fn held_out_data(
    config: &LanguageConfig,
    network: &Network,
    input: &EvaluationInput,
    text: Option<&NamedText>,
) -> Result<(TrainingData, usize), LabError> {
    let reject = |problem: &str| Err(LabError::input("text", problem));
    let length = network.net.shape().context;
    let stream = purpose::sampling_stream(input.seed);
    let rows = match input.rows {
        0 => None,
        rows => Some(rows as usize),
    };
    Ok(match (config.exercise()?, text) {
        (Some(_), Some(_)) => return reject("a network trained on a task cannot be evaluated on a text"),
        (Some(exercise), None) => {
            (TrainingData::Task(Box::new(Problems::new(exercise, stream))), rows.unwrap_or(DEFAULT_PROBLEMS))
        }
        (None, Some(text)) => {
            let unusable = |e: LabError| LabError::input("text", e.to_string());
            let corpus = split_corpus(&text.name, &text.bytes).map_err(unusable)?;
            // Rejects a text with characters that the network does not know.
            network.encode(corpus.text()).map_err(unusable)?;
            // The seed selects training rows only, which an evaluation does not use.
            let seed = 0;
            let data = TrainingData::own_text(&text.name, corpus, &network.tokenizer, length, seed);
            (data.map_err(unusable)?, rows.map_or(DEFAULT_BYTES, |rows| rows * length))
        }
        (None, None) if config.source == config::Source::Text => {
            return reject("a network does not contain the text it was trained on: name one as `text`");
        }
        (None, None) => {
            // Training rows and their offsets are not used here, so they can share the stream of the held-out
            // stories.
            let stories = StoryBatches::new(stream, stream, stream);
            (TrainingData::Stories(Box::new(stories)), rows.unwrap_or(DEFAULT_CONTEXTS) * length)
        }
    })
}
