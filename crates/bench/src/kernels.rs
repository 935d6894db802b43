//! Matrix products and layers on the shapes of small networks, and elementary functions, beside the best libraries.

use std::hint::black_box;

use learnery_kernels::activation;
use learnery_kernels::buffer::Buffer;
#[cfg(feature = "baselines")]
use learnery_kernels::epilogue::LayerNorm;
use learnery_kernels::epilogue::{Activation, Epilogue};
use learnery_kernels::gemm::{Mat, gemm};
#[cfg(feature = "baselines")]
use learnery_kernels::layer_norm::layer_norm;
use learnery_kernels::linear::{PackedMatrix, linear};
use learnery_kernels::rng::Stream;
use rayon::prelude::*;

use super::machine::Peak;
use super::measure::measure;
use super::race::{Limit, Runner, race};
use super::{Bench, Machine, Outcome};

/// A product that is worth sharing out.
pub const GEMM_SHARED: Bench = Bench {
    name: "kernels/gemm/512x512x512",
    unit: "GFLOP/s",
    about: "one matrix product, its rows shared out to all threads",
    run: shared_product,
};

/// A product that needs blocking for the caches.
pub const GEMM_LARGE: Bench = Bench {
    name: "kernels/gemm/256x256x256",
    unit: "GFLOP/s",
    about: "matrix product, one for each thread",
    run: |machine| product(machine, [256, 256, 256]),
};

/// The product of a batch and a layer's weights.
pub const GEMM_BATCH: Bench = Bench {
    name: "kernels/gemm/64x256x256",
    unit: "GFLOP/s",
    about: "matrix product, one for each thread",
    run: |machine| product(machine, [64, 256, 256]),
};

/// A product whose overheads show.
pub const GEMM_SMALL: Bench = Bench {
    name: "kernels/gemm/64x64x64",
    unit: "GFLOP/s",
    about: "matrix product, one for each thread",
    run: |machine| product(machine, [64, 64, 64]),
};

/// A whole layer.
pub const LINEAR: Bench = Bench {
    name: "kernels/linear/64x128x128",
    unit: "GFLOP/s",
    about: "packed weights, bias, layer norm and ReLU; the product's operations count",
    run: layer,
};

/// An activation.
pub const TANH: Bench = Bench {
    name: "kernels/tanh",
    unit: "G/s",
    about: "tanh of 64 KB; the limit copies them, the peer is the standard library's loop",
    run: |machine| function(machine, |o| o.whole(activation::tanh), |o| o.each(f32::tanh)),
};

/// The function that most others are made of.
pub const EXP: Bench = Bench {
    name: "kernels/exp",
    unit: "G/s",
    about: "exp of 64 KB; the limit copies them, the peer is the standard library's loop",
    run: |machine| function(machine, |o| o.whole(activation::exp), |o| o.each(f32::exp)),
};

/// `n` numbers in -0.5..0.5.
fn numbers(n: usize, purpose: u32) -> Buffer {
    let mut x = Buffer::new(n);
    Stream::new(0, purpose).fill_uniform(0, &mut x);
    x.iter_mut().for_each(|v| *v -= 0.5);
    x
}

/// `out = a * b`, of `size` rows, inner size and columns.
struct Operands {
    size: [usize; 3],
    a: Buffer,
    b: Buffer,
    out: Buffer,
}

fn product(machine: &Machine, size: [usize; 3]) -> Outcome {
    let [m, k, n] = size;
    let make = || Operands { size, a: numbers(m * k, 0), b: numbers(k * n, 1), out: Buffer::new(m * n) };
    let gflop = (2 * m * k * n) as f64 * 1e-9;
    race(machine, gflop, Limit::Arithmetic, make, our_product, products())
}

fn shared_product(machine: &Machine) -> Outcome {
    const SIZE: usize = 512;
    let [a, b, mut out] = [0, 1, 2].map(|purpose| numbers(SIZE * SIZE, purpose));
    // Whole tiles for every thread.
    let rows = SIZE.div_ceil(machine.threads).next_multiple_of(8);
    let mut peak = Peak::of(machine);
    let mut multiply = |turns: u64| {
        for _ in 0..turns {
            let shares = black_box(&mut out).par_chunks_mut(rows * SIZE).zip(a.par_chunks(rows * SIZE));
            machine.pool.run(|| {
                shares.for_each(|(out, a)| {
                    gemm(out, Mat::new(a, a.len() / SIZE, SIZE), Mat::new(&b, SIZE, SIZE), false);
                });
            });
        }
    };
    let mut samples = measure(machine.clock, &mut [&mut multiply, &mut |turns| peak.work(machine, turns)]);
    let limit = samples.pop().map(|sample| sample.rate * peak.gflop);
    let gflop = 2.0 * (SIZE * SIZE * SIZE) as f64 * 1e-9;
    Outcome { sample: samples[0].scaled(gflop), limit, peer: None }
}

fn our_product(o: &mut Operands) {
    let [m, k, n] = o.size;
    gemm(black_box(&mut o.out), Mat::new(black_box(&o.a), m, k), Mat::new(black_box(&o.b), k, n), false);
}

/// The libraries to be measured against, where they are built in.
#[cfg(feature = "baselines")]
fn products() -> Vec<Runner<Operands>> {
    use learnery_kernels::baselines;
    vec![
        ("gemm", |o| baselines::gemm(black_box(&mut o.out), black_box(&o.a), black_box(&o.b), o.size)),
        ("matrixmultiply", |o| {
            baselines::matrixmultiply(black_box(&mut o.out), black_box(&o.a), black_box(&o.b), o.size);
        }),
    ]
}
#[cfg(not(feature = "baselines"))]
fn products() -> Vec<Runner<Operands>> {
    Vec::new()
}

/// A layer with its input and output.
struct Layer {
    product: Operands,
    packed: PackedMatrix,
    bias: Buffer,
    gamma: Buffer,
    beta: Buffer,
    #[cfg(feature = "baselines")]
    normalised: Buffer,
}

fn layer(machine: &Machine) -> Outcome {
    let size @ [m, k, n] = [64, 128, 128];
    let make = || {
        let product = Operands { size, a: numbers(m * k, 0), b: numbers(k * n, 1), out: Buffer::new(m * n) };
        let mut packed = PackedMatrix::new(k, n);
        packed.pack(&product.b);
        Layer {
            product,
            packed,
            bias: numbers(n, 2),
            gamma: numbers(n, 3),
            beta: numbers(n, 4),
            #[cfg(feature = "baselines")]
            normalised: Buffer::new(m * n),
        }
    };
    let ours = |l: &mut Layer| {
        let tail = Epilogue::bias(&l.bias).norm(&l.gamma, &l.beta, 1e-5).then(Activation::Relu);
        let [rows, ..] = l.product.size;
        linear(black_box(&mut l.product.out), black_box(&l.product.a), rows, &l.packed, tail);
    };
    race(machine, (2 * m * k * n) as f64 * 1e-9, Limit::Arithmetic, make, ours, layers())
}

/// The same by a library's product and our passes for the rest, one after the other.
#[cfg(feature = "baselines")]
fn layers() -> Vec<Runner<Layer>> {
    use learnery_kernels::baselines;
    fn rest(l: &mut Layer) {
        activation::bias_add(&mut l.product.out, &l.bias);
        let norm = LayerNorm { gamma: &l.gamma, beta: &l.beta, eps: 1e-5 };
        layer_norm(&mut l.normalised, &l.product.out, norm, Activation::Identity, None);
        activation::relu(black_box(&mut l.normalised));
    }
    vec![
        ("gemm, unfused", |l| {
            let o = &mut l.product;
            baselines::gemm(black_box(&mut o.out), black_box(&o.a), black_box(&o.b), o.size);
            rest(l);
        }),
        ("matrixmultiply, unfused", |l| {
            let o = &mut l.product;
            baselines::matrixmultiply(black_box(&mut o.out), black_box(&o.a), black_box(&o.b), o.size);
            rest(l);
        }),
    ]
}
#[cfg(not(feature = "baselines"))]
fn layers() -> Vec<Runner<Layer>> {
    Vec::new()
}

/// A function of many numbers.
struct Values {
    x: Buffer,
    y: Buffer,
}

impl Values {
    /// `y = x`
    fn copy(&mut self) {
        black_box(&mut self.y).copy_from_slice(black_box(&self.x));
    }

    /// `y = f(x)`, all at once.
    fn whole(&mut self, f: fn(&mut [f32])) {
        self.copy();
        f(black_box(&mut self.y));
    }

    /// `y = f(x)`, one by one.
    fn each(&mut self, f: impl Fn(f32) -> f32) {
        self.copy();
        for y in black_box(&mut self.y).iter_mut() {
            *y = f(*y);
        }
    }
}

/// `ours` and the standard library's `std` over 64 KB.
fn function(machine: &Machine, ours: fn(&mut Values), std: fn(&mut Values)) -> Outcome {
    const FLOATS: usize = 64 * 1024 / 4;
    let make = || Values { x: numbers(FLOATS, 0), y: Buffer::new(FLOATS) };
    race(machine, FLOATS as f64 * 1e-9, Limit::Task(Values::copy), make, ours, vec![("std", std)])
}
