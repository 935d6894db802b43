//! Benches of the kernels: matrix products and a layer in the shapes of small networks, and elementary
//! functions. Products are compared with libraries, the layer with a library's product and separate passes,
//! functions with a loop over the standard library's.

use std::hint::black_box;

use learnery_kernels::activation;
use learnery_kernels::activation::Activation;
use learnery_kernels::buffer::Buffer;
use learnery_kernels::epilogue::Epilogue;
use learnery_kernels::gemm::{Mat, gemm};
#[cfg(feature = "baselines")]
use learnery_kernels::layer_norm::{LayerNorm, layer_norm};
use learnery_kernels::linear::{PackedMatrix, linear};
use learnery_kernels::rng::Stream;
use rayon::prelude::*;

use super::comparison::{Implementation, UpperBound, compare};
use super::machine::PeakTask;
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
    run: |context| matrix_product(context, [256, 256, 256]),
};

/// The product of a batch and a layer's weights.
pub const GEMM_BATCH: Bench = Bench {
    name: "kernels/gemm/64x256x256",
    unit: "GFLOP/s",
    about: "matrix product, one for each thread",
    run: |context| matrix_product(context, [64, 256, 256]),
};

/// A product small enough for overheads to matter.
pub const GEMM_SMALL: Bench = Bench {
    name: "kernels/gemm/64x64x64",
    unit: "GFLOP/s",
    about: "matrix product, one for each thread",
    run: |context| matrix_product(context, [64, 64, 64]),
};

pub const LINEAR: Bench = Bench {
    name: "kernels/linear/64x128x128",
    unit: "GFLOP/s",
    about: "packed weights, bias, layer norm and ReLU; the rate counts the product's operations only",
    run: layer,
};

pub const TANH: Bench = Bench {
    name: "kernels/tanh",
    unit: "Gvalues/s",
    about: "tanh of 64 KB; the upper bound is copying them, the peer a loop over the standard library's function",
    run: |context| function(context, |v| v.apply_to_array(activation::tanh), |v| v.apply_to_each(f32::tanh)),
};

/// Most activation functions are computed from exp.
pub const EXP: Bench = Bench {
    name: "kernels/exp",
    unit: "Gvalues/s",
    about: "exp of 64 KB; the upper bound is copying them, the peer a loop over the standard library's function",
    run: |context| function(context, |v| v.apply_to_array(activation::exp), |v| v.apply_to_each(f32::exp)),
};

/// `n` random numbers in -0.5..0.5. `stream` is the id of the random-number stream, by which buffers differ.
fn random_numbers(n: usize, stream: u32) -> Buffer {
    let (seed, index) = (0, 0);
    let mut x = Buffer::new(n);
    Stream::new(seed, stream).fill_uniform(index, &mut x);
    x.iter_mut().for_each(|v| *v -= 0.5);
    x
}

/// The argument `accumulate` of [`gemm`]: the product overwrites the output instead of being added to it.
const OVERWRITE: bool = false;

/// The operands of `out = a * b`.
struct Operands {
    /// Rows of `a`, columns of `a` (rows of `b`), columns of `b`: m, k, n.
    size: [usize; 3],
    a: Buffer,
    b: Buffer,
    out: Buffer,
}

/// Billions of floating-point operations of a matrix product: 2 m k n, a multiplication and an addition for
/// each term.
fn gflop(size: [usize; 3]) -> f64 {
    let [m, k, n] = size.map(|x| x as f64);
    2.0 * m * k * n * 1e-9
}

/// Measures a product of this size on each thread.
fn matrix_product(context: &BenchContext, size: [usize; 3]) -> Measurement {
    let [m, k, n] = size;
    let new_state = || Operands {
        size,
        a: random_numbers(m * k, 0),
        b: random_numbers(k * n, 1),
        out: Buffer::new(m * n),
    };
    compare(context, gflop(size), UpperBound::PeakArithmetic, new_state, our_product, peer_products())
}

/// Measures one product whose rows are divided among all threads. It has no peers: those for products are
/// built to use one thread.
fn shared_product(context: &BenchContext) -> Measurement {
    const SIZE: usize = 512;
    let [a, b, mut out] = [0, 1, 2].map(|stream| random_numbers(SIZE * SIZE, stream));
    // Blocks of a multiple of eight rows, the largest height of the product's register tile. The last block
    // may be smaller, and with many threads some get none.
    let rows = SIZE.div_ceil(context.threads).next_multiple_of(8);
    let mut peak = PeakTask::new(context);
    let mut multiply = |iterations: u64| {
        for _ in 0..iterations {
            let row_blocks = black_box(&mut out).par_chunks_mut(rows * SIZE).zip(a.par_chunks(rows * SIZE));
            context.pool.run(|| {
                row_blocks.for_each(|(out, a)| {
                    gemm(out, Mat::new(a, a.len() / SIZE, SIZE), Mat::new(&b, SIZE, SIZE), OVERWRITE);
                });
            });
        }
    };
    let mut samples =
        measure(context.clock, &mut [&mut multiply, &mut |iterations| peak.run(context, iterations)]);
    // The upper bound is the last task.
    let upper_bound = samples.pop().map(|sample| sample.rate * peak.gflop_per_iteration);
    Measurement { sample: samples[0].scaled(gflop([SIZE; 3])), upper_bound, peer: None }
}

/// The matrix product with our kernel.
fn our_product(o: &mut Operands) {
    let [m, k, n] = o.size;
    gemm(black_box(&mut o.out), Mat::new(black_box(&o.a), m, k), Mat::new(black_box(&o.b), k, n), OVERWRITE);
}

/// The libraries for matrix products, if built in.
#[cfg(feature = "baselines")]
fn peer_products() -> Vec<Implementation<Operands>> {
    use learnery_kernels::baselines;
    vec![
        ("gemm", |o| baselines::gemm(black_box(&mut o.out), black_box(&o.a), black_box(&o.b), o.size)),
        ("matrixmultiply", |o| {
            baselines::matrixmultiply(black_box(&mut o.out), black_box(&o.a), black_box(&o.b), o.size);
        }),
    ]
}
#[cfg(not(feature = "baselines"))]
fn peer_products() -> Vec<Implementation<Operands>> {
    Vec::new()
}

/// The epsilon of layer norm, the same for ours and the peers.
const EPSILON: f32 = 1e-5;

/// A layer with layer norm, and its input and output. Its weights are packed before anything is measured;
/// peers get them unpacked.
struct Layer {
    operands: Operands,
    packed: PackedMatrix,
    bias: Buffer,
    gamma: Buffer,
    beta: Buffer,
    #[cfg(feature = "baselines")]
    normalised: Buffer,
}

/// Measures a layer whose bias, layer norm and ReLU are applied as the product is written, on each thread.
fn layer(context: &BenchContext) -> Measurement {
    let size @ [m, k, n] = [64, 128, 128];
    let new_state = || {
        let operands = Operands {
            size,
            a: random_numbers(m * k, 0),
            b: random_numbers(k * n, 1),
            out: Buffer::new(m * n),
        };
        let mut packed = PackedMatrix::new(k, n);
        packed.pack(&operands.b);
        Layer {
            operands,
            packed,
            bias: random_numbers(n, 2),
            gamma: random_numbers(n, 3),
            beta: random_numbers(n, 4),
            #[cfg(feature = "baselines")]
            normalised: Buffer::new(m * n),
        }
    };
    let ours = |l: &mut Layer| {
        let epilogue = Epilogue::bias(&l.bias).norm(&l.gamma, &l.beta, EPSILON).then(Activation::Relu);
        let [rows, ..] = l.operands.size;
        linear(black_box(&mut l.operands.out), black_box(&l.operands.a), rows, &l.packed, epilogue);
    };
    compare(context, gflop(size), UpperBound::PeakArithmetic, new_state, ours, peer_layers())
}

/// Peers of the layer: a library's product, then our separate passes for bias, layer norm and ReLU.
#[cfg(feature = "baselines")]
fn peer_layers() -> Vec<Implementation<Layer>> {
    use learnery_kernels::baselines;
    fn bias_norm_relu(l: &mut Layer) {
        activation::bias_add(&mut l.operands.out, &l.bias);
        let norm = LayerNorm { gamma: &l.gamma, beta: &l.beta, eps: EPSILON };
        // Nothing is saved for a backward pass.
        let saved = None;
        layer_norm(&mut l.normalised, &l.operands.out, norm, Activation::Identity, saved);
        activation::relu(black_box(&mut l.normalised));
    }
    vec![
        ("gemm, unfused", |l| {
            let o = &mut l.operands;
            baselines::gemm(black_box(&mut o.out), black_box(&o.a), black_box(&o.b), o.size);
            bias_norm_relu(l);
        }),
        ("matrixmultiply, unfused", |l| {
            let o = &mut l.operands;
            baselines::matrixmultiply(black_box(&mut o.out), black_box(&o.a), black_box(&o.b), o.size);
            bias_norm_relu(l);
        }),
    ]
}
#[cfg(not(feature = "baselines"))]
fn peer_layers() -> Vec<Implementation<Layer>> {
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

    /// `y = f(x)`, where `f` takes the whole array.
    fn apply_to_array(&mut self, f: fn(&mut [f32])) {
        self.copy();
        f(black_box(&mut self.y));
    }

    /// `y = f(x)`, where `f` takes one number.
    fn apply_to_each(&mut self, f: impl Fn(f32) -> f32) {
        self.copy();
        for y in black_box(&mut self.y).iter_mut() {
            *y = f(*y);
        }
    }
}

/// Compares our function with the standard library's over 64 KB.
fn function(context: &BenchContext, ours: fn(&mut Values), std: fn(&mut Values)) -> Measurement {
    const FLOATS: usize = 64 * 1024 / size_of::<f32>();
    let new_state = || Values { x: random_numbers(FLOATS, 0), y: Buffer::new(FLOATS) };
    compare(
        context,
        FLOATS as f64 * 1e-9,
        UpperBound::Task(Values::copy),
        new_state,
        ours,
        vec![("std", std)],
    )
}
