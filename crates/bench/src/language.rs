//! The transformer of the language lab: training steps, and generation of a text with the KV cache.

use std::hint::black_box;

use learnery_kernels::rng::Stream;
use learnery_nn::transformer::Sampler;
use learnery_nn::{
    Adam, AdamOptions, Generator, Layout, Trainer, Transformer, TransformerShape, Weights,
    with_spinning_threads,
};

use super::measure::measure_one;
use super::networks::beside_peak;
use super::{Bench, BenchContext, Measurement};

/// Sequences of a batch. One is enough for tests of the benches.
const SEQUENCES: usize = if cfg!(test) { 1 } else { 32 };

const LENGTH: usize = 128;

/// Bytes, 3.26 million parameters.
const A: TransformerShape =
    TransformerShape { vocabulary: 256, context: LENGTH, width: 256, layers: 4, heads: 8, rotary: true };

/// Byte pair encoding, 12.3 million parameters.
const B: TransformerShape =
    TransformerShape { vocabulary: 4096, context: LENGTH, width: 384, layers: 6, heads: 6, rotary: true };

pub const TRAIN_A: Bench = Bench {
    name: "language/a",
    unit: "tokens/s",
    about: "a transformer of 3.26 million parameters, forward, backward and AdamW, 32 sequences of 128 bytes",
    run: |context| train(context, &A),
};

pub const TRAIN_B: Bench = Bench {
    name: "language/b",
    unit: "tokens/s",
    about: "the same with 12.3 million parameters and a vocabulary of 4,096",
    run: |context| train(context, &B),
};

pub const GENERATE: Bench = Bench {
    name: "language/generate",
    unit: "tokens/s",
    about: "one text sampled from the smaller transformer token by token; a full context is refilled",
    run: generate,
};

fn network(shape: &TransformerShape) -> (Transformer, Weights) {
    let mut layout = Layout::default();
    let net = Transformer::new(&mut layout, "net", shape);
    let mut weights = Weights::new(layout);
    weights.update(|params| net.init(params, Stream::new(0, 0)));
    (net, weights)
}

fn train(context: &BenchContext, shape: &TransformerShape) -> Measurement {
    let (net, mut weights) = network(shape);
    let token = |i: usize| Stream::new(0, 1).below(i as u64, 0, shape.vocabulary as u32) as u16;
    let text: Vec<u16> = (0..=SEQUENCES * LENGTH).map(token).collect();
    let (inputs, targets) = (&text[..SEQUENCES * LENGTH], &text[1..]);
    let mut trainer = Trainer::new(&net, LENGTH, SEQUENCES);
    let mut grads = vec![0.0; weights.len()];
    let mut adam = Adam::new(weights.len());
    let parts = net.parameter_groups(0.1);
    let options = AdamOptions { lr: 1e-4, max_norm: 1.0, ..AdamOptions::default() };
    let flops = shape.training_operations(LENGTH);
    beside_peak(context, inputs.len(), flops, &mut |iterations| {
        context.pool.run(|| {
            for _ in 0..iterations {
                trainer.gradient(&net, &weights, black_box(inputs), targets, &mut grads);
                weights.update_parallel(|params| adam.step_groups(params, &grads, &options, &parts));
            }
        });
    })
}

fn generate(context: &BenchContext) -> Measurement {
    let (net, weights) = network(&A);
    let (mut generator, mut sampler) = (Generator::new(&net), Sampler::new(A.vocabulary));
    let (mut token, mut drawn) = (0, 0);
    let sample = measure_one(context.clock, &mut |iterations| {
        context.pool.run(|| {
            with_spinning_threads(|| {
                for _ in 0..iterations {
                    let logits = generator.feed(&net, &weights, &[token]);
                    token = sampler.draw(logits, 1.0, 40, Stream::new(0, 2), drawn);
                    drawn += 1;
                }
            });
        });
    });
    Measurement { sample, limit: None, peer: None }
}
