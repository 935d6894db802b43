//! Benchmarks of a GPU: its own limits first, then our kernels beside them.

use std::time::Instant;

use learnery_gpu::bench::{Peak, peak, square_products, submission_time};
use learnery_gpu::transformer::{Algorithm, Generator, Progress, Prompt, Sampling, Trainer, Update};
use learnery_gpu::{Gpu, GpuError, Precision};
use learnery_kernels::rng::Stream;
use learnery_lab::Entry;
use learnery_language::{Language, LanguageConfig};
use learnery_nn::{Layout, Transformer, Weights};
use serde::Serialize;

/// Updates that are measured together, after one that warms up.
const UPDATES: u32 = 8;

/// Texts that are generated at the same time.
const TEXTS: [usize; 2] = [1, 64];

/// A figure of a GPU.
#[derive(Clone, Debug, Serialize)]
pub struct GpuLine {
    pub name: String,
    pub value: f64,
    pub unit: &'static str,
    /// The share of the device's peak of multiply-adds, measured just before.
    pub share: Option<f64>,
}

/// Measures the device and calls `print` with each figure.
pub fn run_gpu(gpu: &Gpu, print: &mut dyn FnMut(GpuLine)) -> Result<(), GpuError> {
    if !gpu.info().software {
        gpu.tune();
    }
    let limits = peak(gpu)?;
    let mut line = |name: String, value: f64, unit, share| print(GpuLine { name, value, unit, share });
    line("gpu/fma".into(), limits.operations, "FLOP/s", None);
    line("gpu/bandwidth".into(), limits.bandwidth, "B/s", None);
    line("gpu/submission".into(), submission_time(gpu)?, "s", None);
    // A software adapter would take minutes for the large ones.
    let sizes: &[usize] = if gpu.info().software { &[64, 256] } else { &[256, 1024, 2048, 4096] };
    for n in sizes {
        for (tiling, rate) in square_products(gpu, *n)? {
            let name = format!("gpu/matmul/{n}/{}x{}", 16 * tiling.rows, 16 * tiling.cols);
            line(name, rate, "FLOP/s", Some(rate / limits.operations));
        }
    }
    let presets: &[&str] = if gpu.info().software { &["addition"] } else { &["a", "b", "gpu"] };
    for preset in presets {
        language(gpu, limits, preset, &mut line)?;
    }
    for preset in presets {
        for texts in TEXTS {
            generation(gpu, preset, texts, &mut line)?;
        }
    }
    Ok(())
}

/// A network with the shape of a preset of the language lab, and the sequences of its batches.
fn network(preset: &str) -> (Transformer, Weights, usize) {
    let entry = Entry::of::<Language>();
    let settings = entry.preset(preset).expect("a preset of the lab");
    let config = (entry.schema)().complete(None, &settings).expect("presets are valid");
    let config: LanguageConfig = serde_json::from_value(config.into()).expect("presets are valid");
    let vocabulary = if preset == "a" || preset == "addition" { 256 } else { config.vocabulary as usize };
    let shape = config.shape(vocabulary).expect("presets are valid");
    let mut layout = Layout::default();
    let net = Transformer::new(&mut layout, "transformer", &shape);
    let mut weights = Weights::new(layout);
    weights.update(|params| net.init(params, Stream::new(1, 1)));
    (net, weights, config.batch as usize)
}

/// Tokens a second of `texts` texts generated at the same time, the dispatches of a step, which generates a token of
/// each, the bytes that it reads, and the times of its kernels. The texts grow from half the context to the whole context, as every long text does
/// again and again.
fn generation(
    gpu: &Gpu,
    preset: &str,
    texts: usize,
    line: &mut dyn FnMut(String, f64, &'static str, Option<f64>),
) -> Result<(), GpuError> {
    let (net, weights, _) = network(preset);
    let (context, vocabulary) = (net.shape().context, net.shape().vocabulary);
    let mut generator = Generator::new(gpu, &net, weights.flat(), texts, vocabulary)?;
    let tokens: Vec<u16> = (0..context / 2).map(|i| (i % vocabulary) as u16).collect();
    let numbers = 0..texts as u32;
    let prompts: Vec<Prompt> = numbers.map(|number| Prompt { tokens: &tokens, number }).collect();
    generator.start(&prompts, Sampling { temperature: 1.0, top_k: 0, stream: Stream::new(1, 2) });
    // The prompt, and the first launches of all kernels.
    generator.generate(1)?;
    let steps = if gpu.info().software { 8 } else { context / 2 };
    let begin = Instant::now();
    generator.generate(steps)?;
    let rate = (steps * texts) as f64 / begin.elapsed().as_secs_f64();
    let name = format!("gpu/generate/{preset}/{texts}");
    let dispatches = generator.dispatches() as f64;
    let bytes = generator.bytes_per_step(3 * context / 4) as f64;
    line(name.clone(), rate, "tokens/s", None);
    line(format!("{name}/dispatches"), dispatches, "per step", None);
    line(format!("{name}/read"), bytes, "B per step", None);
    for time in generator.profile()? {
        line(format!("{name}/{} ({})", time.name, time.count), time.seconds, "s", None);
    }
    Ok(())
}

/// Tokens a second in training with a preset of the language lab, and the times of its kernels.
fn language(
    gpu: &Gpu,
    limits: Peak,
    preset: &str,
    line: &mut dyn FnMut(String, f64, &'static str, Option<f64>),
) -> Result<(), GpuError> {
    let (net, weights, sequences) = network(preset);
    let shape = net.shape();
    let vocabulary = shape.vocabulary;
    let groups = net.parameter_groups(0.1);
    let batch = [shape.context, sequences];
    let mut trainer =
        Trainer::new(gpu, Precision::F32, &net, weights.len(), batch, Algorithm::Muon, &groups, 1)?;
    trainer.set_weights(weights.flat());
    let stream = Stream::new(1, 2);
    let tokens: Vec<u16> = (0..=(batch[0] * batch[1]) as u64)
        .map(|i| (stream.uniform(i, 0) * vocabulary as f32) as u16)
        .collect();
    let (inputs, targets) = (&tokens[1..], &tokens[..tokens.len() - 1]);
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
    let mut run = |updates: u32| -> Result<f64, GpuError> {
        let begin = Instant::now();
        for _ in 0..updates {
            trainer.begin(inputs, targets, update);
            loop {
                match trainer.advance()? {
                    Progress::Finished => break,
                    Progress::Submitted => {}
                    Progress::Waiting => std::thread::yield_now(),
                }
            }
        }
        gpu.wait();
        Ok(begin.elapsed().as_secs_f64() / f64::from(updates))
    };
    run(1)?;
    let seconds = run(if gpu.info().software { 1 } else { UPDATES })?;
    let rate = inputs.len() as f64 / seconds;
    let share = rate * shape.training_operations(shape.context) / limits.operations;
    line(format!("gpu/language/{preset}"), rate, "tokens/s", Some(share));
    for (part, times) in ["gradient", "optimiser"].into_iter().zip(trainer.profile()?) {
        for time in times {
            let name = format!("gpu/language/{preset}/{part}/{} ({})", time.name, time.count);
            let share = (time.operations > 0.0).then(|| time.operations / time.seconds / limits.operations);
            line(name, time.seconds, "s", share);
        }
    }
    Ok(())
}
