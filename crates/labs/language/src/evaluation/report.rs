//! The `eval` command: evaluates a trained network on new problems, new stories, or the held-out part of a
//! text file.

use learnery_lab::{Evaluation, LabError, Report};
use learnery_nn::{Tensors, Trainer};

use super::{EVAL_COMMAND_STRIDES, Evaluator};
use crate::config::{LanguageConfig, LanguageEvalOptions, Source};
use crate::network::Network;
use crate::purpose;
use crate::training_data::{Baselines, Problems, StoryBatches, TrainingData, split_corpus};

// How much is evaluated if the option `games` (the field `rows`) is 0.
/// Problems of a task.
const DEFAULT_PROBLEMS: usize = 2000;
/// Windows of stories. A window is as long as the network's context.
const DEFAULT_WINDOWS: usize = 512;
/// Bytes of a text.
const DEFAULT_BYTES: usize = 1 << 18;

/// Shards (parts for one thread each) of the trainer's micro-batches, as during training outside of a
/// browser.
const SHARDS: usize = 8;

/// Evaluates a network from a checkpoint.
pub fn evaluate(
    config: &LanguageConfig,
    network: &Tensors,
    evaluation: &Evaluation<LanguageEvalOptions>,
) -> Result<Report, LabError> {
    let network = Network::from_tensors(config, network)?;
    let (mut data, size) = held_out_data(config, &network, evaluation)?;
    let length = network.net.shape().context;
    let mut trainer = Trainer::new(&network.net, length, Trainer::sequences(length, SHARDS));
    let mut evaluator = Evaluator::new(&network, &data, size, EVAL_COMMAND_STRIDES);
    let result = loop {
        if let Some(result) = evaluator.step(&network, &mut trainer, &mut data) {
            break result;
        }
    };
    let mut metrics = Vec::new();
    let mut summary = String::new();
    if let Some(exact) = result.exact {
        summary = format!("{:.2}% of {} problems answered exactly", 100.0 * exact, evaluator.rows());
        metrics.push(("exact", 100.0 * exact, "%"));
    }
    if let Some(bits) = result.bits {
        summary = format!("{bits:.3} bits per byte on {} held-out bytes", evaluator.bytes());
        metrics.push(("bits", bits, "bits/byte"));
        if let Some(excess) = result.excess {
            summary += &format!(", {:.1}% above their entropy", 100.0 * excess);
            // `excess` is bits / entropy - 1.
            metrics.push(("entropy", bits / (1.0 + excess), "bits/byte"));
            metrics.push(("excess", 100.0 * excess, "%"));
        }
        if let Some(Baselines { gzip, order3 }) = evaluator.baselines() {
            summary += &format!("; gzip needs {gzip:.3}, an order-3 model {order3:.3}");
            metrics.extend([("gzip", gzip, "bits/byte"), ("order 3", order3, "bits/byte")]);
        }
    }
    metrics.push(("parameters", network.weights.len() as f64, ""));
    Ok(Report { summary, metrics })
}

/// Returns the data to evaluate on, and its size: problems of a task, or bytes of text.
fn held_out_data(
    config: &LanguageConfig,
    network: &Network,
    evaluation: &Evaluation<LanguageEvalOptions>,
) -> Result<(TrainingData, usize), LabError> {
    let reject = |message: &str| Err(LabError::Evaluation(message.into()));
    let length = network.net.shape().context;
    let stream = purpose::sampling_stream(evaluation.seed);
    let rows = match evaluation.options.rows {
        0 => None,
        rows => Some(rows as usize),
    };
    Ok(match (config.exercise()?, evaluation.text) {
        (Some(_), Some(_)) => return reject("a network trained on a task cannot be evaluated on a text"),
        (Some(exercise), None) => {
            (TrainingData::Task(Box::new(Problems::new(exercise, stream))), rows.unwrap_or(DEFAULT_PROBLEMS))
        }
        (None, Some(text)) => {
            let evaluation_error = |e: LabError| LabError::Evaluation(e.to_string());
            let corpus = split_corpus(&text.name, &text.bytes).map_err(evaluation_error)?;
            // Rejects a text with characters that the network does not know.
            network.encode(corpus.text()).map_err(evaluation_error)?;
            // The seed selects training rows only, which an evaluation does not use.
            let seed = 0;
            let data = TrainingData::own_text(&text.name, corpus, &network.tokenizer, length, seed);
            (data.map_err(evaluation_error)?, rows.map_or(DEFAULT_BYTES, |rows| rows * length))
        }
        (None, None) if config.source == Source::Text => {
            return reject(
                "a network does not contain the text it was trained on: give one with --text FILE",
            );
        }
        (None, None) => {
            // Training rows and their offsets are not used here, so they can share the stream of the held-out
            // stories.
            let stories = StoryBatches::new(stream, stream, stream);
            (TrainingData::Stories(Box::new(stories)), rows.unwrap_or(DEFAULT_WINDOWS) * length)
        }
    })
}
