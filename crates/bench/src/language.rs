//! The transformer of the language lab: training steps, and generation of a text with the KV cache.
//! `Stream::new(seed, id)` is a stream of random numbers; which one is arbitrary here.

use std::hint::black_box;

use learnery_kernels::rng::Stream;
use learnery_nn::transformer::Sampler;
use learnery_nn::{
    Adam, AdamOptions, Generator, Layout, Trainer, Transformer, TransformerShape, Weights,
    with_spinning_threads,
};

use super::measure::measure_one;
use super::networks::compare_with_peak;
use super::{Bench, BenchContext, Measurement};

/// Sequences in a batch: one in tests of the benches, which measure nothing.
const SEQUENCES: usize = if cfg!(test) { 1 } else { 32 };

/// Tokens in a sequence.
const LENGTH: usize = 128;

/// The network of `language/a`: byte tokens, 3.26 million parameters.
const SMALL: TransformerShape =
    TransformerShape { vocabulary: 256, context: LENGTH, width: 256, layers: 4, heads: 8, rotary: true };

/// The network of `language/b`: byte pair encoding, 12.3 million parameters.
const LARGE: TransformerShape =
    TransformerShape { vocabulary: 4096, context: LENGTH, width: 384, layers: 6, heads: 6, rotary: true };

pub const TRAIN_A: Bench = Bench {
    name: "language/a",
    unit: "tokens/s",
    about: "a transformer of 3.26 million parameters, forward, backward and AdamW, 32 sequences of 128 bytes",
    run: |context| train(context, &SMALL),
};

pub const TRAIN_B: Bench = Bench {
    name: "language/b",
    unit: "tokens/s",
    about: "the same with 12.3 million parameters and a vocabulary of 4,096",
    run: |context| train(context, &LARGE),
};

pub const GENERATE: Bench = Bench {
    name: "language/generate",
    unit: "tokens/s",
    about: "one text sampled token by token from the smaller transformer with the KV cache, which is refilled when the context is full",
    run: generate,
};

/// A network with random weights.
fn network(shape: &TransformerShape) -> (Transformer, Weights) {
    let mut layout = Layout::default();
    let net = Transformer::new(&mut layout, "net", shape);
    let mut weights = Weights::new(layout);
    weights.update(|params| net.init(params, Stream::new(0, 0)));
    (net, weights)
}

/// Measures training steps on random tokens; the time does not depend on the text.
fn train(context: &BenchContext, shape: &TransformerShape) -> Measurement {
    let (net, mut weights) = network(shape);
    let token = |i: usize| Stream::new(0, 1).below(i as u64, 0, shape.vocabulary as u32) as u16;
    // One token more than a batch, because each token is the target of the one before it.
    let text: Vec<u16> = (0..=SEQUENCES * LENGTH).map(token).collect();
    let (inputs, targets) = (&text[..SEQUENCES * LENGTH], &text[1..]);
    let mut trainer = Trainer::new(&net, LENGTH, SEQUENCES);
    let mut grads = vec![0.0; weights.len()];
    let mut adam = Adam::new(weights.len());
    let weight_decay = 0.1;
    let groups = net.parameter_groups(weight_decay);
    let options = AdamOptions { lr: 1e-4, max_norm: 1.0, ..AdamOptions::default() };
    let flops = shape.training_operations(LENGTH);
    compare_with_peak(context, inputs.len(), flops, &mut |iterations| {
        context.pool.run(|| {
            for _ in 0..iterations {
                trainer.gradient(&net, &weights, black_box(inputs), targets, &mut grads);
                weights.update_parallel(|params| adam.step_groups(params, &grads, &options, &groups));
            }
        });
    })
}

/// The benchmark [`GENERATE`].
fn generate(context: &BenchContext) -> Measurement {
    const TEMPERATURE: f32 = 1.0;
    const TOP_K: usize = 40;
    let (net, weights) = network(&SMALL);
    let (mut generator, mut sampler) = (Generator::new(&net), Sampler::new(SMALL.vocabulary));
    let (mut token, mut tokens_drawn) = (0, 0);
    let sample = measure_one(context.clock, &mut |iterations| {
        context.pool.run(|| {
            with_spinning_threads(|| {
                for _ in 0..iterations {
                    let logits = generator.feed(&net, &weights, &[token]);
                    token = sampler.draw(logits, TEMPERATURE, TOP_K, Stream::new(0, 2), tokens_drawn);
                    tokens_drawn += 1;
                }
            });
        });
    });
    Measurement::without_comparison(sample)
}
