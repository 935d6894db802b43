//! Forward passes, backward passes and optimiser steps allocate nothing after their first call.

use learnery_kernels::rng::Stream;
use learnery_nn::params::WITHOUT_INPUT_GRADIENT;
use learnery_nn::transformer::Sampler;
use learnery_nn::{
    Adam, AdamOptions, Dueling, Generator, GradientShards, Hidden, Layout, Mlp, Muon, MuonOptions, ResNet,
    ResNetShape, Trainer, Transformer, TransformerShape, Weights,
};

#[global_allocator]
static COUNTING: dhat::Alloc = dhat::Alloc;

/// Rows of a batch: more than one block of 64 rows.
const ROWS: usize = 70;

/// Weights and optimiser of a network in training.
struct Training {
    weights: Weights,
    adam: Adam,
}

impl Training {
    fn new(layout: Layout) -> Self {
        Self { adam: Adam::new(layout.len()), weights: Weights::new(layout) }
    }

    fn update(&mut self, grads: &[f32]) {
        let options = AdamOptions { max_norm: 1.0, weight_decay: 0.1, ..Default::default() };
        self.weights.update(|params| self.adam.step(params, grads, &options));
    }
}

/// The number of allocations of a call of `run_once` after a first call: the minimum of four calls, because
/// allocations of other threads are counted too, such as the thread of the test harness.
fn allocations(mut run_once: impl FnMut()) -> u64 {
    run_once();
    let count = |_| {
        let before = dhat::HeapStats::get().total_blocks;
        assert!(before > 0, "the counting allocator is not in use");
        run_once();
        dhat::HeapStats::get().total_blocks - before
    };
    (0..4).map(count).min().expect("there are four calls")
}

fn mlp() -> u64 {
    let mut layout = Layout::default();
    let net = Mlp::new(&mut layout, "net", &[4, 64, 64, 2], Hidden::TANH, WITHOUT_INPUT_GRADIENT);
    let mut training = Training::new(layout);
    let (x, mut out) = (vec![0.5; ROWS * 4], vec![0.0; ROWS * 2]);
    let (mut scratch, mut tape) = (net.scratch(), net.tape(ROWS));
    let mut grads = vec![0.0; training.weights.len()];
    allocations(|| {
        let input_gradients = None;
        net.infer(&training.weights, &x, ROWS, &mut scratch, &mut out);
        net.forward(&training.weights, &x, ROWS, &mut tape);
        tape.outputs_and_gradients(ROWS).1.fill(1.0);
        net.backward(&training.weights, &x, ROWS, &mut tape, &mut grads, input_gradients);
        training.update(&grads);
    })
}

fn dueling() -> u64 {
    let mut layout = Layout::default();
    // 144 inputs and 9 actions.
    let net = Dueling::new(&mut layout, "net", 144, &[128, 64], 9, Hidden::NORM_RELU);
    let mut training = Training::new(layout);
    let (x, mut q) = (vec![0.5; ROWS * 144], vec![0.0; ROWS * 9]);
    let (mut scratch, mut tape) = (net.scratch(), net.tape(ROWS));
    let mut grads = vec![0.0; training.weights.len()];
    allocations(|| {
        net.infer(&training.weights, &x, ROWS, &mut scratch, &mut q);
        net.forward(&training.weights, &x, ROWS, &mut tape);
        tape.outputs_and_gradients(ROWS).1.fill(1.0);
        net.backward(&training.weights, &x, ROWS, &mut tape, &mut grads);
        training.update(&grads);
    })
}

fn residual() -> u64 {
    let mut layout = Layout::default();
    let net = ResNet::new(&mut layout, "net", &ResNetShape::fcresnet());
    let mut training = Training::new(layout);
    // `fcresnet` has 342 inputs, and two heads of 676 and 5 outputs.
    let x = vec![0.5; ROWS * 342];
    let (mut policy, mut value) = (vec![0.0; ROWS * 676], vec![0.0; ROWS * 5]);
    let mut scratch = net.scratch();
    let (shard_rows, max_shards) = (32, 4);
    let mut shards =
        GradientShards::new(shard_rows, max_shards, training.weights.len(), || net.tape(shard_rows));
    allocations(|| {
        net.infer(&training.weights, &x, ROWS, &mut scratch, &mut [&mut policy, &mut value]);
        let (grads, _) = shards.run(ROWS, |rows, tape, grads| {
            let n = rows.len();
            let x = &x[rows.start * 342..rows.end * 342];
            net.forward(&training.weights, x, n, tape);
            (0..2).for_each(|head| tape.outputs_and_gradients(head, n).1.fill(1.0));
            net.backward(&training.weights, x, n, tape, grads);
        });
        training.update(grads);
    })
}

fn transformer() -> u64 {
    let shape =
        TransformerShape { vocabulary: 40, context: 24, width: 32, layers: 2, heads: 2, rotary: true };
    let mut layout = Layout::default();
    let net = Transformer::new(&mut layout, "net", &shape);
    let mut training = Training::new(layout);
    let groups = net.parameter_groups(0.1);
    let mut muon = Muon::new(net.hidden_matrices(), &groups);
    // More sequences than a micro-batch (the part of a batch that is processed at a time).
    let (sequences, length) = (400, 20);
    let (inputs, targets) = (vec![3; sequences * length], vec![4; sequences * length]);
    let mut trainer = Trainer::new(&net, length, sequences);
    let (mut generator, mut sampler) = (Generator::new(&net), Sampler::new(shape.vocabulary));
    let mut grads = vec![0.0; training.weights.len()];
    allocations(|| {
        trainer.gradient(&net, &training.weights, &inputs, &targets, &mut grads);
        training.update(&grads);
        training.weights.update(|params| muon.step(params, &grads, &MuonOptions::default()));
        // More tokens than the context.
        for i in 0..40 {
            let logits = generator.feed(&net, &training.weights, &[1, 2]);
            let (temperature, top_k) = (1.0, 5);
            sampler.draw(logits, temperature, top_k, Stream::new(0, 0), i);
        }
    })
}

#[test]
fn passes_and_updates_allocate_nothing_after_the_first_call() {
    let _profiler = dhat::Profiler::builder().testing().build();
    // One thread, because with more, rayon's own queues may grow.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread can start");
    pool.install(|| assert_eq!((mlp(), dueling(), residual(), transformer()), (0, 0, 0, 0)));
}
