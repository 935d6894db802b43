//! Benchmarks of the language lab on a GPU: training and generating text with the networks of its presets.

use learnery_kernels::product;
use std::time::Instant;

use learnery_gpu::bench::Peaks;
use learnery_gpu::transformer::{Algorithm, Generator, Prompt, Sampling, Trainer, Update};
use learnery_gpu::{Gpu, GpuError, Precision, Progress};
use learnery_kernels::rng::Stream;
use learnery_lab::Entry;
use learnery_language::{Language, LanguageConfig};
use learnery_nn::{Layout, Transformer, Weights};

use super::Line;

/// Updates that are measured together, after one that warms up.
const UPDATES: u32 = 8;

/// Texts that are generated at the same time.
const TEXTS: [usize; 2] = [1, 64];

/// Measures training, then text generation.
pub fn run(gpu: &Gpu, peaks: Peaks, line: &mut Line) -> Result<(), GpuError> {
    // A software adapter would take minutes for the large networks.
    let presets: &[&str] = if gpu.info().software { &["addition"] } else { &["a", "b", "gpu"] };
    for preset in presets {
        train(gpu, peaks, preset, line)?;
    }
    for preset in presets {
        for texts in TEXTS {
            generate(gpu, preset, texts, line)?;
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

/// Measures the generation of `texts` texts at the same time: tokens per second; of a decoding step, which
/// generates a token of each text, the dispatches, the bytes read and the times of the kernels. The texts
/// grow from half the context to the whole context, as every long text does again and again.
fn generate(gpu: &Gpu, preset: &str, texts: usize, line: &mut Line) -> Result<(), GpuError> {
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
    let rate = product([steps, texts]) / begin.elapsed().as_secs_f64();
    let name = format!("gpu/generate/{preset}/{texts}");
    let dispatches = generator.dispatches() as f64;
    let bytes = generator.bytes_per_step(3 * context / 4) as f64;
    line(name.clone(), rate, "tokens/s", None);
    line(format!("{name}/dispatches"), dispatches, "per step", None);
    line(format!("{name}/read"), bytes, "B per step", None);
    for time in generator.profile()? {
        line(format!("{name}/{} ({})", time.name, time.launches), time.seconds, "s", None);
    }
    Ok(())
}

/// Measures training: tokens per second with a preset of the language lab, and the times of its kernels.
fn train(gpu: &Gpu, peaks: Peaks, preset: &str, line: &mut Line) -> Result<(), GpuError> {
    let (net, weights, sequences) = network(preset);
    let shape = net.shape();
    let vocabulary = shape.vocabulary;
    let groups = net.parameter_groups(0.1);
    let batch = [shape.context, sequences];
    let mut trainer =
        Trainer::new(gpu, Precision::F32, &net, weights.len(), batch, Algorithm::Muon, &groups, 1)?;
    trainer.set_weights(weights.flat());
    let stream = Stream::new(1, 2);
    let tokens: Vec<u16> = (0..=batch[0] as u64 * batch[1] as u64)
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
    let share = rate * shape.training_operations(shape.context) / peaks.flops_per_second;
    line(format!("gpu/language/{preset}"), rate, "tokens/s", Some(share));
    for (part, times) in ["gradient", "optimiser"].into_iter().zip(trainer.profile()?) {
        for time in times {
            let name = format!("gpu/language/{preset}/{part}/{} ({})", time.name, time.launches);
            let share =
                (time.operations > 0.0).then(|| time.operations / time.seconds / peaks.flops_per_second);
            line(name, time.seconds, "s", share);
        }
    }
    Ok(())
}
