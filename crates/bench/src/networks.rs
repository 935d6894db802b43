//! Inference and training of whole networks. The upper bound is the rate at which the multiply-adds alone
//! could run at the machine's peak. `Stream::new(seed, id)` is a stream of random numbers; seed
//! and id are arbitrary here.

use learnery_kernels::product;
use std::hint::black_box;

use learnery_kernels::activation::masked_softmax;
use learnery_kernels::buffer::Buffer;
use learnery_kernels::rng::Stream;
use learnery_nn::loss::{Targets, sigmoid_cross_entropy, softmax_cross_entropy};
use learnery_nn::params::WITHOUT_INPUT_GRADIENT;
use learnery_nn::{
    Adam, AdamOptions, GradientShards, Hidden, Layout, Mlp, ResNet, ResNetShape, Scratch, Weights,
};
use rayon::prelude::*;

use super::machine::PeakTask;
use super::measure::{Task, measure};
use super::{Bench, BenchContext, Measurement};

/// The smallest batch of positions that a tree search evaluates at a time.
pub const FORWARD_16: Bench = Bench {
    name: "kernels/fcresnet/16",
    unit: "rows/s",
    about: "backgammon's residual network, all heads, a batch of 16 rows for each thread",
    run: |context| forward_each(context, 16),
};

/// A typical batch of positions of a tree search.
pub const FORWARD_64: Bench = Bench {
    name: "kernels/fcresnet/64",
    unit: "rows/s",
    about: "backgammon's residual network, all heads, a batch of 64 rows for each thread",
    run: |context| forward_each(context, 64),
};

/// A large batch on at most four threads: each part has as many rows as a thread computes best at once.
pub const FORWARD_256: Bench = Bench {
    name: "kernels/fcresnet/256",
    unit: "rows/s",
    about: "backgammon's residual network, all heads, one batch of 256 rows in four parts, on at most four threads",
    run: forward_shared,
};

/// A training step of that network.
pub const TRAIN: Bench = Bench {
    name: "kernels/fcresnet-train/256",
    unit: "rows/s",
    about: "backgammon's residual network, forward, losses, backward and AdamW over one batch of 256 rows in two parts, on at most two threads",
    run: train,
};

/// Training of a network so small that matrix products are a minor part.
pub const SMALL_TRAIN: Bench = Bench {
    name: "kernels/mlp64-train/4096",
    unit: "rows/s",
    about: "a 4-64-64-2 tanh network, forward and backward over one batch of 4,096 rows on all threads",
    run: train_small,
};

/// The places of the two heads in the network's shape.
const POLICY: usize = 0;
const VALUE: usize = 1;

/// Backgammon's residual network with its weights.
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

/// A batch of rows with the outputs and scratch memory of one thread.
struct Batch {
    rows: usize,
    x: Buffer,
    scratch: Scratch,
    /// The mask of legal moves.
    /// Shape: `[rows, moves]`.
    legal: Vec<u8>,
    policy: Buffer,
    value: Buffer,
}

impl Batch {
    fn new(network: &Network, rows: usize) -> Self {
        let heads = &network.net.shape().heads;
        Self {
            rows,
            x: random_numbers(rows * network.inputs()),
            scratch: network.net.scratch(),
            legal: legal_moves(rows * heads[POLICY].outputs),
            policy: Buffer::new(rows * heads[POLICY].outputs),
            value: Buffer::new(rows * heads[VALUE].outputs),
        }
    }

    fn infer(&mut self, Network { net, weights }: &Network) {
        let Self { rows, x, scratch, legal, policy, value } = self;
        net.infer(weights, black_box(x), *rows, scratch, &mut [policy, value]);
        masked_softmax(policy, legal, net.shape().heads[POLICY].outputs);
    }
}

/// Measures forward passes. Each thread has a batch of its own.
fn forward_each(context: &BenchContext, rows: usize) -> Measurement {
    let network = Network::new();
    let mut batches: Vec<Batch> = (0..context.threads).map(|_| Batch::new(&network, rows)).collect();
    let flops = forward_flops(&network.weights);
    compare_with_peak(context, rows * context.threads, flops, &mut |iterations| {
        context
            .pool
            .for_each_state(&mut batches, |batch| (0..iterations).for_each(|_| batch.infer(&network)));
    })
}

/// The task of [`FORWARD_64`], to compare a search with, and how many rows all threads process in an
/// iteration.
pub fn forward_64<'a>(context: &'a BenchContext) -> (impl FnMut(u64) + 'a, usize) {
    let network = Network::new();
    let mut batches: Vec<Batch> = (0..context.threads).map(|_| Batch::new(&network, 64)).collect();
    let task = move |iterations| {
        context
            .pool
            .for_each_state(&mut batches, |batch| (0..iterations).for_each(|_| batch.infer(&network)));
    };
    (task, 64 * context.threads)
}

/// The benchmark [`FORWARD_256`]: forward passes of one batch in parts.
fn forward_shared(context: &BenchContext) -> Measurement {
    const ROWS: usize = 256;
    /// Rows that one thread processes at a time.
    const PART: usize = 64;
    let network = Network::new();
    let mut parts: Vec<Batch> = (0..ROWS / PART).map(|_| Batch::new(&network, PART)).collect();
    let flops = forward_flops(&network.weights);
    compare_with_peak(context, ROWS, flops, &mut |iterations| {
        context.pool.run(|| {
            for _ in 0..iterations {
                parts.par_iter_mut().for_each(|batch| batch.infer(&network));
            }
        });
    })
}

/// The benchmark [`TRAIN`].
fn train(context: &BenchContext) -> Measurement {
    const ROWS: usize = 256;
    /// Rows of a gradient shard. Each shard has its own gradient, of more than a megabyte, so there are only
    /// two shards, although that keeps only two threads busy.
    const SHARD_ROWS: usize = 128;
    /// Rows of a forward and backward pass: few enough that their activations stay in the second-level cache.
    const BLOCK_ROWS: usize = 64;
    let Network { net, mut weights } = Network::new();
    let inputs = net.shape().inputs;
    let x = random_numbers(ROWS * inputs);
    let moves = net.shape().heads[POLICY].outputs;
    let (legal, target_policy) =
        (legal_moves(BLOCK_ROWS * moves), vec![1.0 / moves as f32; BLOCK_ROWS * moves]);
    let mut shards = GradientShards::new(SHARD_ROWS, ROWS / SHARD_ROWS, weights.len(), || {
        (net.tape(BLOCK_ROWS), [0.0; BLOCK_ROWS])
    });
    let target_outcomes = vec![0.5; BLOCK_ROWS * net.shape().heads[VALUE].outputs];
    // The loss is the mean over the batch.
    let scale = 1.0 / ROWS as f32;
    let mut adam = Adam::new(weights.len());
    let options = AdamOptions { lr: 1e-4, weight_decay: 0.01, max_norm: 1.0, ..AdamOptions::default() };
    // The backward pass takes twice as many operations as the forward pass, but computes no gradient of the
    // inputs.
    let flops = 3.0 * forward_flops(&weights) - product([2, inputs, net.shape().width]);
    compare_with_peak(context, ROWS, flops, &mut |iterations| {
        context.pool.run(|| {
            for _ in 0..iterations {
                let (grads, _) = shards.run(ROWS, |rows, (tape, losses), grads| {
                    for x in x[rows.start * inputs..rows.end * inputs].chunks(BLOCK_ROWS * inputs) {
                        let n = x.len() / inputs;
                        net.forward(&weights, black_box(x), n, tape);
                        let (logits, d) = tape.outputs_and_gradients(POLICY, n);
                        let (targets, legal) = (Targets::Rows(&target_policy[..d.len()]), &legal[..d.len()]);
                        softmax_cross_entropy(&mut losses[..n], d, logits, targets, Some(legal), scale);
                        let (logits, d) = tape.outputs_and_gradients(VALUE, n);
                        sigmoid_cross_entropy(
                            &mut losses[..n],
                            d,
                            logits,
                            &target_outcomes[..d.len()],
                            scale,
                        );
                        net.backward(&weights, x, n, tape, grads);
                    }
                });
                weights.update(|params| adam.step(params, grads, &options));
            }
        });
    })
}

/// The benchmark [`SMALL_TRAIN`].
fn train_small(context: &BenchContext) -> Measurement {
    const ROWS: usize = 4096;
    /// Rows of a gradient shard: few enough that the activations stay in the second-level cache.
    const SHARD_ROWS: usize = 256;
    let mut layout = Layout::default();
    let net = Mlp::new(&mut layout, "net", &[4, 64, 64, 2], Hidden::TANH, WITHOUT_INPUT_GRADIENT);
    let mut weights = Weights::new(layout);
    let last_gain = 1.0;
    weights.update(|params| net.init(params, last_gain, Stream::new(0, 0)));
    let (x, output_gradient) = (random_numbers(ROWS * 4), random_numbers(ROWS * 2));
    let mut shards =
        GradientShards::new(SHARD_ROWS, ROWS / SHARD_ROWS, weights.len(), || net.tape(SHARD_ROWS));
    // The backward pass takes twice as many operations as the forward pass, but computes no gradient of the
    // four inputs.
    let flops = 3.0 * forward_flops(&weights) - product([2, 4, 64]);
    compare_with_peak(context, ROWS, flops, &mut |iterations| {
        context.pool.run(|| {
            for _ in 0..iterations {
                let (grads, _) = shards.run(ROWS, |rows, tape, grads| {
                    let n = rows.len();
                    let x = &x[rows.start * 4..rows.end * 4];
                    net.forward(&weights, black_box(x), n, tape);
                    let (_, d) = tape.outputs_and_gradients(n);
                    d.copy_from_slice(&output_gradient[rows.start * 2..rows.end * 2]);
                    let input_gradients = None;
                    net.backward(&weights, x, n, tape, grads, input_gradients);
                });
                black_box(grads);
            }
        });
    })
}

/// Floating-point operations of all products of a forward pass for one row; a multiply-add counts as two.
fn forward_flops(weights: &Weights) -> f64 {
    weights.layout().matrices().iter().map(|m| product([2, m.inputs, m.outputs])).sum()
}

/// Measures `task` alternately with the peak. An iteration of the task processes `rows` rows with `flops`
/// operations each.
pub fn compare_with_peak(context: &BenchContext, rows: usize, flops: f64, task: Task) -> Measurement {
    let mut peak = PeakTask::new(context);
    let mut run_peak = |iterations| peak.run(context, iterations);
    let samples = measure(context.clock, &mut [task, &mut run_peak]);
    let upper_bound = samples[1].rate * peak.gflop_per_iteration * 1e9 / flops;
    Measurement { sample: samples[0].scaled(rows as f64), upper_bound: Some(upper_bound), peer: None }
}

/// A mask of `n` moves in which every 31st is legal: about 22 in a row of 676, as in a game.
fn legal_moves(n: usize) -> Vec<u8> {
    (0..n).map(|i| u8::from(i % 31 == 0)).collect()
}

/// `n` random numbers in -0.5..0.5.
fn random_numbers(n: usize) -> Buffer {
    let mut numbers = Buffer::new(n);
    Stream::new(0, 1).fill_uniform(0, &mut numbers);
    numbers.iter_mut().for_each(|v| *v -= 0.5);
    numbers
}
