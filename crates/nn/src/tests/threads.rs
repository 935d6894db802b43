//! Training of a residual network is bit-identical on one, two and three threads.

use super::{numbers, random_weights};
use crate::{Adam, AdamOptions, GradientShards, HeadShape, Layout, ResNet, ResNetShape};
use learnery_kernels::activation::Activation;

/// Returns the parameters after five steps of training on `threads` threads.
fn train(threads: usize) -> Vec<f32> {
    const ROWS: usize = 37;
    let shape = ResNetShape {
        inputs: 6,
        width: 16,
        blocks: 2,
        heads: vec![HeadShape {
            name: "out",
            hidden: vec![8],
            outputs: 3,
            output_activation: Activation::Identity,
        }],
    };
    let mut layout = Layout::default();
    let net = ResNet::new(&mut layout, "net", &shape);
    let mut weights = random_weights(layout);
    let (x, dy) = (numbers(ROWS * 6, 2), numbers(ROWS * 3, 3));
    let mut adam = Adam::new(weights.len());
    // 37 rows would be eight shards of five rows. Only six shards are allowed, so they have six or seven
    // rows. A shard's state is its tape and its number of rows.
    let (shard_rows, max_shards, largest_shard) = (5, 6, 7);
    let mut shards =
        GradientShards::new(shard_rows, max_shards, weights.len(), || (net.tape(largest_shard), 0usize));
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| {
        for _ in 0..5 {
            let (grads, states) = shards.run(ROWS, |rows, (tape, shard_rows), grads| {
                let n = rows.len();
                *shard_rows = n;
                let x = &x[rows.start * 6..rows.end * 6];
                net.forward(&weights, x, n, tape);
                tape.outputs_and_gradients(0, n).1.copy_from_slice(&dy[rows.start * 3..rows.end * 3]);
                net.backward(&weights, x, n, tape, grads);
            });
            assert_eq!(states.map(|(_, shard_rows)| shard_rows).sum::<usize>(), ROWS);
            let options = AdamOptions { max_norm: 1.0, ..Default::default() };
            weights.update(|params| adam.step(params, grads, &options));
        }
    });
    weights.flat().to_vec()
}

#[test]
fn training_has_the_same_bits_on_any_number_of_threads() {
    let one = train(1);
    assert!(one.iter().all(|v| v.is_finite()));
    assert_eq!(one, train(2));
    assert_eq!(one, train(3));
}
