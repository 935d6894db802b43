//! Benchmarks of the language lab on a GPU: training and generating text with the networks of its presets.
//! `Stream::new(seed, id)` is a stream of random numbers; which one is arbitrary here.

use learnery_kernels::product;
use std::time::Instant;

use learnery_gpu::bench::Peaks;
use learnery_gpu::transformer::{Algorithm, Generator, Prompt, Sampling, Trainer, Update};
use learnery_gpu::{Gpu, GpuError, Precision, Progress};
use learnery_kernels::rng::Stream;
use learnery_lab::Entry;
use learnery_language::{Language, LanguageConfig};
use learnery_nn::{Layout, Transformer, Weights};

use super::Report;

/// Updates that are measured together, after one that warms up.
const UPDATES: u32 = 8;

/// How many texts are generated at the same time: a single one, then a batch.
const TEXT_COUNTS: [usize; 2] = [1, 64];

/// Presets of the language lab whose networks are measured. They learn stories: `a` has 3 million parameters,
/// `b` 12 million, `gpu` 24 million.
const PRESETS: [&str; 3] = ["a", "b", "gpu"];

/// The preset for a software adapter, which would take minutes for the networks of [`PRESETS`].
const SOFTWARE_PRESETS: [&str; 1] = ["addition"];

/// The weight decay. Its value has no influence on the time.
const WEIGHT_DECAY: f32 = 0.1;

/// Measures training, then text generation.
pub fn run(gpu: &Gpu, peaks: Peaks, report: &mut Report) -> Result<(), GpuError> {
    let presets: &[&str] = if gpu.info().software { &SOFTWARE_PRESETS } else { &PRESETS };
    let has_half = gpu.check_precision(Precision::F16).is_ok() && !gpu.info().software;
    let precisions: &[Precision] =
        if has_half { &[Precision::F32, Precision::F16] } else { &[Precision::F32] };
    for preset in presets {
        for precision in precisions {
            train(gpu, peaks, preset, Algorithm::Muon, *precision, report)?;
        }
        // Other programs that train transformers have AdamW, so their figures are compared with these.
        for precision in precisions {
            train(gpu, peaks, preset, Algorithm::Adamw, *precision, report)?;
        }
    }
    for preset in presets {
        for texts in TEXT_COUNTS {
            generate(gpu, preset, texts, report)?;
        }
    }
    Ok(())
}

/// A network with the shape of a preset of the language lab, and random weights.
struct PresetNetwork {
    net: Transformer,
    weights: Weights,
    /// Sequences in a batch of training.
    sequences: usize,
}

fn new_network(preset: &str) -> PresetNetwork {
    let entry = Entry::of::<Language>();
    let settings = entry.preset(preset).expect("a preset of the lab");
    let config = (entry.schema)().complete(None, &settings).expect("presets are valid");
    let config: LanguageConfig = serde_json::from_value(config.into()).expect("presets are valid");
    // The tokens of `a` are the 256 bytes. Those of `addition` are fewer characters, but a few rows of the
    // embedding do not matter. The other presets set the number of their byte pairs.
    let vocabulary = if preset == "a" || preset == "addition" { 256 } else { config.vocabulary as usize };
    let shape = config.shape(vocabulary).expect("presets are valid");
    let mut layout = Layout::default();
    let net = Transformer::new(&mut layout, "transformer", &shape);
    let mut weights = Weights::new(layout);
    weights.update(|params| net.init(params, Stream::new(1, 1)));
    PresetNetwork { net, weights, sequences: config.batch as usize }
}

/// Measures the generation of `texts` texts at the same time, in tokens per second. A decoding step generates
/// the next token of each text. The number of its dispatches, the bytes that it reads and the times of its
/// kernels are reported too.
///
/// The texts grow from half the context to the whole context. A text that fills the context is cut to half of
/// it and grows again, so these are the lengths at which a long text spends nearly all of its steps.
fn generate(gpu: &Gpu, preset: &str, texts: usize, report: &mut Report) -> Result<(), GpuError> {
    let PresetNetwork { net, weights, .. } = new_network(preset);
    let (context, vocabulary) = (net.shape().context, net.shape().vocabulary);
    let mut generator = Generator::new(gpu, &net, weights.flat(), texts, vocabulary)?;
    let first_half: Vec<u16> = (0..context / 2).map(|i| (i % vocabulary) as u16).collect();
    // The number of a text selects its random numbers.
    let prompts: Vec<Prompt> =
        (0..texts as u32).map(|number| Prompt { tokens: &first_half, number }).collect();
    generator.start(&prompts, Sampling { temperature: 1.0, top_k: 0, stream: Stream::new(1, 2) });
    // The warm-up: processes the prompts and launches every kernel for the first time.
    generator.generate(1)?;
    let steps = if gpu.info().software { 8 } else { context / 2 };
    let begin = Instant::now();
    generator.generate(steps)?;
    let tokens_per_second = product([steps, texts]) / begin.elapsed().as_secs_f64();
    let name = format!("gpu/generate/{preset}/{texts}");
    let dispatches = generator.dispatches() as f64;
    // The mean length of the texts while they grow from half the context to the whole.
    let mean_length = 3 * context / 4;
    let bytes = generator.bytes_per_step(mean_length) as f64;
    report(name.clone(), tokens_per_second, "tokens/s", None);
    report(format!("{name}/dispatches"), dispatches, "per step", None);
    report(format!("{name}/read"), bytes, "B per step", None);
    for time in generator.profile()? {
        report(format!("{name}/{} ({})", time.name, time.launches), time.seconds, "s", None);
    }
    Ok(())
}

/// Measures training with the network and the batch of a preset of the language lab: tokens per second, and
/// the times of its kernels.
fn train(
    gpu: &Gpu,
    peaks: Peaks,
    preset: &str,
    algorithm: Algorithm,
    precision: Precision,
    report: &mut Report,
) -> Result<(), GpuError> {
    let PresetNetwork { net, weights, sequences } = new_network(preset);
    let shape = net.shape();
    let vocabulary = shape.vocabulary;
    let groups = net.parameter_groups(WEIGHT_DECAY);
    let batch = [shape.context, sequences];
    // All updates share one place in the metrics, because nobody reads them.
    let updates_per_unit = 1;
    let mut trainer =
        Trainer::new(gpu, precision, &net, weights.len(), batch, algorithm, &groups, updates_per_unit)?;
    trainer.set_weights(weights.flat());
    let stream = Stream::new(1, 2);
    // Random tokens take as long as the tokens of a text. One more than a batch, because each token is the
    // target of the one before it.
    let tokens: Vec<u16> = (0..=batch[0] as u64 * batch[1] as u64)
        .map(|i| (stream.uniform(i, 0) * vocabulary as f32) as u16)
        .collect();
    let (inputs, targets) = (&tokens[..tokens.len() - 1], &tokens[1..]);
    // Usual values, which have no influence on the time.
    let update = Update {
        gradient_scale: 1.0 / inputs.len() as f32,
        learning_rate: 1e-3,
        muon_rate: 1e-3,
        max_norm: 1.0,
        betas: (0.9, 0.95),
        epsilon: 1e-8,
        momentum: 0.95,
        ..Update::default()
    };
    let mut seconds_per_update = |updates: u32| -> Result<f64, GpuError> {
        let begin = Instant::now();
        for _ in 0..updates {
            trainer.begin(inputs, targets, update);
            loop {
                match trainer.advance()? {
                    Progress::Finished => break,
                    // The next call of `advance` submits the next part of the update.
                    Progress::Submitted => {}
                    Progress::Waiting => std::thread::yield_now(),
                }
            }
        }
        gpu.wait();
        Ok(begin.elapsed().as_secs_f64() / f64::from(updates))
    };
    // The warm-up.
    seconds_per_update(1)?;
    let seconds = seconds_per_update(if gpu.info().software { 1 } else { UPDATES })?;
    let tokens_per_second = inputs.len() as f64 / seconds;
    // `training_operations` counts the operations for one token.
    let share_of_peak = tokens_per_second * shape.training_operations(shape.context) / peaks.flops_per_second;
    let with_algorithm = if algorithm == Algorithm::Adamw { "-adamw" } else { "" };
    let with_precision = if precision == Precision::F16 { "-f16" } else { "" };
    let group = format!("gpu/language{with_algorithm}{with_precision}/{preset}");
    report(group.clone(), tokens_per_second, "tokens/s", Some(share_of_peak));
    for (part, times) in ["gradient", "optimiser"].into_iter().zip(trainer.profile()?) {
        for time in times {
            let name = format!("{group}/{part}/{} ({})", time.name, time.launches);
            // Kernels that mostly move memory report no operations.
            let share =
                (time.operations > 0.0).then(|| time.operations / time.seconds / peaks.flops_per_second);
            report(name, time.seconds, "s", share);
        }
    }
    Ok(())
}
