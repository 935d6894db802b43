//! Matrix products on the shapes of small networks, beside the best libraries.

use std::hint::black_box;

use learnery_kernels::gemm::{Mat, gemm};
use learnery_kernels::rng::Stream;

use super::machine::Peak;
use super::measure::{Task, measure};
use super::{Bench, Machine, Outcome};

/// A product that needs blocking for the caches.
pub const GEMM_LARGE: Bench = Bench {
    name: "kernels/gemm/256x256x256",
    unit: "GFLOP/s",
    about: "matrix product, one for each thread",
    run: |machine| product(machine, 256),
};

/// A product whose overheads show.
pub const GEMM_SMALL: Bench = Bench {
    name: "kernels/gemm/64x64x64",
    unit: "GFLOP/s",
    about: "matrix product, one for each thread",
    run: |machine| product(machine, 64),
};

/// `out = a * b` of `n` rows and columns: (out, a, b).
type Operands = (Vec<f32>, Vec<f32>, Vec<f32>);

fn product(machine: &Machine, n: usize) -> Outcome {
    let stream = Stream::new(0, 0);
    let random = |which: u64| (0..n * n).map(|i| stream.uniform(i as u64, which) - 0.5).collect::<Vec<f32>>();
    let operands = || -> Vec<Operands> {
        (0..machine.threads).map(|_| (vec![0.0; n * n], random(0), random(1))).collect()
    };
    let candidates: Vec<(&'static str, Product)> =
        std::iter::once(("learnery", ours as Product)).chain(peers()).collect();
    let mut work: Vec<_> = candidates
        .iter()
        .map(|&(_, product)| {
            let mut states = operands();
            move |turns: u64| {
                machine.pool.on_each(&mut states, |(out, a, b)| {
                    for _ in 0..turns {
                        product(black_box(out), black_box(a), black_box(b), n);
                    }
                });
            }
        })
        .collect();
    let mut peak = Peak::of(machine);
    let mut peak_work = |turns| peak.work(machine, turns);
    let mut tasks: Vec<Task> = work.iter_mut().map(|task| task as Task).collect();
    tasks.push(&mut peak_work);
    let mut samples = measure(machine.clock, &mut tasks);
    let limit = samples.pop().map(|sample| sample.median * peak.gflop);
    let gflop = (2 * n * n * n * machine.threads) as f64 * 1e-9;
    let mut named = candidates.iter().map(|(name, _)| *name).zip(samples.iter().map(|s| s.scaled(gflop)));
    let ours = named.next().map(|(_, sample)| sample);
    Outcome {
        sample: ours.expect("ours is the first candidate"),
        limit,
        peer: named.max_by(|x, y| x.1.median.total_cmp(&y.1.median)),
    }
}

/// `out = a * b`, all `n` by `n` and row-major.
type Product = fn(&mut [f32], &[f32], &[f32], usize);

fn ours(out: &mut [f32], a: &[f32], b: &[f32], n: usize) {
    gemm(out, Mat::new(a, n, n), Mat::new(b, n, n), false);
}

/// The libraries to be measured against, where they are built in.
fn peers() -> Vec<(&'static str, Product)> {
    #[cfg(feature = "peers")]
    return vec![
        ("gemm", learnery_kernels::peers::gemm),
        ("matrixmultiply", learnery_kernels::peers::matrixmultiply),
    ];
    #[cfg(not(feature = "peers"))]
    Vec::new()
}
