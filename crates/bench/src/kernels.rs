//! Matrix products and layers in the shapes of small networks, and elementary functions, beside the best libraries.

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

use super::comparison::{Implementation, Limit, compare};
use super::machine::Peak;
use super::measure::measure;
use super::{Bench, BenchContext, Measurement};

/// A product large enough for several threads.
pub const GEMM_SHARED: Bench = Bench {
    name: "kernels/gemm/512x512x512",
    unit: "GFLOP/s",
    about: "one matrix product, its rows divided among all threads",
    run: shared_product,
};

/// A product that needs cache blocking.
pub const GEMM_LARGE: Bench = Bench {
    name: "kernels/gemm/256x256x256",
    unit: "GFLOP/s",
    about: "matrix product, one for each thread",
    run: |context| product(context, [256, 256, 256]),
};

/// The product of a batch and a layer's weights.
pub const GEMM_BATCH: Bench = Bench {
    name: "kernels/gemm/64x256x256",
    unit: "GFLOP/s",
    about: "matrix product, one for each thread",
    run: |context| product(context, [64, 256, 256]),
};

/// A product small enough for overheads to matter.
pub const GEMM_SMALL: Bench = Bench {
    name: "kernels/gemm/64x64x64",
    unit: "GFLOP/s",
    about: "matrix product, one for each thread",
    run: |context| product(context, [64, 64, 64]),
};

pub const LINEAR: Bench = Bench {
    name: "kernels/linear/64x128x128",
    unit: "GFLOP/s",
    about: "packed weights, bias, layer norm and ReLU; the product's operations count",
    run: layer,
};

pub const TANH: Bench = Bench {
    name: "kernels/tanh",
    unit: "G/s",
    about: "tanh of 64 KB; the limit copies them, the peer is the standard library's loop",
    run: |context| function(context, |o| o.whole(activation::tanh), |o| o.each(f32::tanh)),
};

/// The building block of most activations.
pub const EXP: Bench = Bench {
    name: "kernels/exp",
    unit: "G/s",
    about: "exp of 64 KB; the limit copies them, the peer is the standard library's loop",
    run: |context| function(context, |o| o.whole(activation::exp), |o| o.each(f32::exp)),
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

fn product(context: &BenchContext, size: [usize; 3]) -> Measurement {
    let [m, k, n] = size;
    let make = || Operands { size, a: numbers(m * k, 0), b: numbers(k * n, 1), out: Buffer::new(m * n) };
    let gflop = (2 * m * k * n) as f64 * 1e-9;
    compare(context, gflop, Limit::Arithmetic, make, our_product, products())
}

fn shared_product(context: &BenchContext) -> Measurement {
    const SIZE: usize = 512;
    let [a, b, mut out] = [0, 1, 2].map(|purpose| numbers(SIZE * SIZE, purpose));
    // A multiple of the tile height for every thread.
    let rows = SIZE.div_ceil(context.threads).next_multiple_of(8);
    let mut peak = Peak::new(context);
    let mut multiply = |iterations: u64| {
        for _ in 0..iterations {
            let shares = black_box(&mut out).par_chunks_mut(rows * SIZE).zip(a.par_chunks(rows * SIZE));
            context.pool.run(|| {
                shares.for_each(|(out, a)| {
                    gemm(out, Mat::new(a, a.len() / SIZE, SIZE), Mat::new(&b, SIZE, SIZE), false);
                });
            });
        }
    };
    let mut samples =
        measure(context.clock, &mut [&mut multiply, &mut |iterations| peak.run(context, iterations)]);
    let limit = samples.pop().map(|sample| sample.rate * peak.gflop);
    let gflop = 2.0 * (SIZE * SIZE * SIZE) as f64 * 1e-9;
    Measurement { sample: samples[0].scaled(gflop), limit, peer: None }
}

fn our_product(o: &mut Operands) {
    let [m, k, n] = o.size;
    gemm(black_box(&mut o.out), Mat::new(black_box(&o.a), m, k), Mat::new(black_box(&o.b), k, n), false);
}

/// The peers, if built in.
#[cfg(feature = "baselines")]
fn products() -> Vec<Implementation<Operands>> {
    use learnery_kernels::baselines;
    vec![
        ("gemm", |o| baselines::gemm(black_box(&mut o.out), black_box(&o.a), black_box(&o.b), o.size)),
        ("matrixmultiply", |o| {
            baselines::matrixmultiply(black_box(&mut o.out), black_box(&o.a), black_box(&o.b), o.size);
        }),
    ]
}
#[cfg(not(feature = "baselines"))]
fn products() -> Vec<Implementation<Operands>> {
    Vec::new()
}

/// A layer with layer norm, and its input and output.
struct Layer {
    product: Operands,
    packed: PackedMatrix,
    bias: Buffer,
    gamma: Buffer,
    beta: Buffer,
    #[cfg(feature = "baselines")]
    normalised: Buffer,
}

fn layer(context: &BenchContext) -> Measurement {
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
    compare(context, (2 * m * k * n) as f64 * 1e-9, Limit::Arithmetic, make, ours, layers())
}

/// Peers of the fused layer: a library's product, then our separate passes for bias, layer norm and ReLU.
#[cfg(feature = "baselines")]
fn layers() -> Vec<Implementation<Layer>> {
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
fn layers() -> Vec<Implementation<Layer>> {
    Vec::new()
}

/// Input and output of an elementwise function.
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
fn function(context: &BenchContext, ours: fn(&mut Values), std: fn(&mut Values)) -> Measurement {
    const FLOATS: usize = 64 * 1024 / 4;
    let make = || Values { x: numbers(FLOATS, 0), y: Buffer::new(FLOATS) };
    compare(context, FLOATS as f64 * 1e-9, Limit::Task(Values::copy), make, ours, vec![("std", std)])
}
