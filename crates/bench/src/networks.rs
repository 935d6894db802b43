//! Inference and training of whole networks, beside the time of their multiply-adds at peak.

use std::hint::black_box;

use learnery_kernels::activation::masked_softmax;
use learnery_kernels::buffer::Buffer;
use learnery_kernels::rng::Stream;
use learnery_nn::loss::{Targets, sigmoid_cross_entropy, softmax_cross_entropy};
use learnery_nn::{
    Adam, AdamOptions, GradientShards, Hidden, Layout, Mlp, ResNet, ResNetShape, Scratch, Weights,
};
use rayon::prelude::*;

use super::machine::Peak;
use super::measure::{Task, measure};
use super::{Bench, BenchContext, Measurement};

/// The smallest batch of a search.
pub const FORWARD_16: Bench = Bench {
    name: "kernels/fcresnet/16",
    unit: "rows/s",
    about: "backgammon's residual network, all heads, a batch of 16 rows for each thread",
    run: |context| forward_each(context, 16),
};

/// A typical batch of a search.
pub const FORWARD_64: Bench = Bench {
    name: "kernels/fcresnet/64",
    unit: "rows/s",
    about: "the same, a batch of 64 rows for each thread",
    run: |context| forward_each(context, 64),
};

/// A large batch on all threads.
pub const FORWARD_256: Bench = Bench {
    name: "kernels/fcresnet/256",
    unit: "rows/s",
    about: "the same, one batch of 256 rows divided among all threads",
    run: forward_shared,
};

/// A training step of that network.
pub const TRAIN: Bench = Bench {
    name: "kernels/fcresnet-train/256",
    unit: "rows/s",
    about: "the same, forward, losses, backward and AdamW over one batch of 256 rows on all threads",
    run: train,
};

/// Training of a network so small that matrix products are a minor part.
pub const SMALL_TRAIN: Bench = Bench {
    name: "kernels/mlp64-train/4096",
    unit: "rows/s",
    about: "a 4-64-64-2 tanh network, forward and backward over one batch of 4,096 rows on all threads",
    run: train_small,
};

/// The network and a batch for it.
struct Network {
    net: ResNet,
    weights: Weights,
}

impl Network {
    fn new() -> Self {
        let mut layout = Layout::default();
        let net = ResNet::new(&mut layout, "net", &ResNetShape::fcresnet());
        let mut weights = Weights::new(layout);
        weights.update(|params| net.init(params, Stream::new(0, 0)));
        Self { net, weights }
    }

    fn inputs(&self) -> usize {
        self.net.shape().inputs
    }
}

/// A batch of rows with its outputs and scratch memory.
struct Share {
    rows: usize,
    x: Buffer,
    scratch: Scratch,
    legal: Vec<u8>,
    policy: Buffer,
    value: Buffer,
}

impl Share {
    fn new(network: &Network, rows: usize) -> Self {
        let heads = &network.net.shape().heads;
        Self {
            rows,
            x: numbers(rows * network.inputs()),
            scratch: network.net.scratch(),
            legal: legal(rows * heads[0].outputs),
            policy: Buffer::new(rows * heads[0].outputs),
            value: Buffer::new(rows * heads[1].outputs),
        }
    }

    fn infer(&mut self, Network { net, weights }: &Network) {
        let Self { rows, x, scratch, legal, policy, value } = self;
        net.infer(weights, black_box(x), *rows, scratch, &mut [policy, value]);
        masked_softmax(policy, legal, net.shape().heads[0].outputs);
    }
}

fn forward_each(context: &BenchContext, rows: usize) -> Measurement {
    let network = Network::new();
    let mut shares: Vec<Share> = (0..context.threads).map(|_| Share::new(&network, rows)).collect();
    let flops = products(&network.weights);
    beside_peak(context, rows * context.threads, flops, &mut |iterations| {
        context.pool.for_each_state(&mut shares, |share| (0..iterations).for_each(|_| share.infer(&network)));
    })
}

/// A task that runs all heads over 64 rows on each thread, and its total number of rows.
pub fn forward_64<'a>(context: &'a BenchContext) -> (impl FnMut(u64) + 'a, usize) {
    let network = Network::new();
    let mut shares: Vec<Share> = (0..context.threads).map(|_| Share::new(&network, 64)).collect();
    let work = move |iterations| {
        context.pool.for_each_state(&mut shares, |share| (0..iterations).for_each(|_| share.infer(&network)));
    };
    (work, 64 * context.threads)
}

fn forward_shared(context: &BenchContext) -> Measurement {
    /// Rows of a share: as many as go through the network together.
    const ROWS: usize = 64;
    let network = Network::new();
    let mut shares: Vec<Share> = (0..256 / ROWS).map(|_| Share::new(&network, ROWS)).collect();
    let flops = products(&network.weights);
    beside_peak(context, 256, flops, &mut |iterations| {
        context.pool.run(|| {
            for _ in 0..iterations {
                shares.par_iter_mut().for_each(|share| share.infer(&network));
            }
        });
    })
}

fn train(context: &BenchContext) -> Measurement {
    const ROWS: usize = 256;
    /// Rows of a piece, which has a gradient of its own, of more than a megabyte.
    const PIECE: usize = 128;
    /// Rows that go through the network together, so that what is kept of them stays in the second cache.
    const BLOCK: usize = 64;
    let Network { net, mut weights } = Network::new();
    let inputs = net.shape().inputs;
    let x = numbers(ROWS * inputs);
    let moves = net.shape().heads[0].outputs;
    let (legal, wanted) = (legal(BLOCK * moves), vec![1.0 / moves as f32; BLOCK * moves]);
    let mut pieces =
        GradientShards::new(PIECE, ROWS / PIECE, weights.len(), || (net.tape(BLOCK), [0.0; BLOCK]));
    let outcomes = vec![0.5; BLOCK * net.shape().heads[1].outputs];
    let scale = 1.0 / ROWS as f32;
    let mut adam = Adam::new(weights.len());
    let options = AdamOptions { lr: 1e-4, weight_decay: 0.01, max_norm: 1.0, ..AdamOptions::default() };
    // The backward pass computes no gradient of the inputs.
    let flops = 3.0 * products(&weights) - (2 * inputs * net.shape().width) as f64;
    beside_peak(context, ROWS, flops, &mut |iterations| {
        context.pool.run(|| {
            for _ in 0..iterations {
                let (grads, _) = pieces.run(ROWS, |rows, (tape, losses), grads| {
                    for x in x[rows.start * inputs..rows.end * inputs].chunks(BLOCK * inputs) {
                        let n = x.len() / inputs;
                        net.forward(&weights, black_box(x), n, tape);
                        let (logits, d) = tape.outputs_and_gradients(0, n);
                        let (wanted, legal) = (Targets::Rows(&wanted[..d.len()]), &legal[..d.len()]);
                        softmax_cross_entropy(&mut losses[..n], d, logits, wanted, Some(legal), scale);
                        let (logits, d) = tape.outputs_and_gradients(1, n);
                        sigmoid_cross_entropy(&mut losses[..n], d, logits, &outcomes[..d.len()], scale);
                        net.backward(&weights, x, n, tape, grads);
                    }
                });
                weights.update(|params| adam.step(params, grads, &options));
            }
        });
    })
}

fn train_small(context: &BenchContext) -> Measurement {
    const ROWS: usize = 4096;
    /// Rows of a piece: its activations stay in the second cache.
    const PIECE: usize = 256;
    let mut layout = Layout::default();
    let net = Mlp::new(&mut layout, "net", &[4, 64, 64, 2], Hidden::TANH, false);
    let mut weights = Weights::new(layout);
    weights.update(|params| net.init(params, 1.0, Stream::new(0, 0)));
    let (x, pull) = (numbers(ROWS * 4), numbers(ROWS * 2));
    let mut pieces = GradientShards::new(PIECE, ROWS / PIECE, weights.len(), || net.tape(PIECE));
    let flops = 3.0 * products(&weights) - (2 * 4 * 64) as f64;
    beside_peak(context, ROWS, flops, &mut |iterations| {
        context.pool.run(|| {
            for _ in 0..iterations {
                let (grads, _) = pieces.run(ROWS, |rows, tape, grads| {
                    let n = rows.len();
                    let x = &x[rows.start * 4..rows.end * 4];
                    net.forward(&weights, black_box(x), n, tape);
                    let (_, d) = tape.outputs_and_gradients(n);
                    d.copy_from_slice(&pull[rows.start * 2..rows.end * 2]);
                    net.backward(&weights, x, n, tape, grads, None);
                });
                black_box(grads);
            }
        });
    })
}

/// Floating-point operations of all products of a forward pass for one row; a multiply-add counts as two.
fn products(weights: &Weights) -> f64 {
    weights.layout().matrices().iter().map(|m| (2 * m.inputs * m.outputs) as f64).sum()
}

/// Measures `work`, whose iteration processes `rows` rows of `flops` operations each, alternately with the peak.
pub fn beside_peak(context: &BenchContext, rows: usize, flops: f64, work: Task) -> Measurement {
    let mut peak = Peak::new(context);
    let mut run_peak = |iterations| peak.run(context, iterations);
    let samples = measure(context.clock, &mut [work, &mut run_peak]);
    let limit = samples[1].rate * peak.gflop * 1e9 / flops;
    Measurement { sample: samples[0].scaled(rows as f64), limit: Some(limit), peer: None }
}

/// A mask in which some twenty moves in a row of 676 are legal.
fn legal(n: usize) -> Vec<u8> {
    (0..n).map(|i| u8::from(i % 31 == 0)).collect()
}

/// `n` random numbers in -0.5..0.5.
fn numbers(n: usize) -> Buffer {
    let mut numbers = Buffer::new(n);
    Stream::new(0, 1).fill_uniform(0, &mut numbers);
    numbers.iter_mut().for_each(|v| *v -= 0.5);
    numbers
}
