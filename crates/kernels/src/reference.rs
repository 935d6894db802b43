//! Slow, simple versions of the kernels, with which the tests compare the fast ones.

use crate::activation::Activation;
use crate::attention::Heads;
use crate::epilogue::Epilogue;
use crate::gemm::Mat;
use crate::optim::AdamStep;
use crate::rng::Stream;

/// `out = a * b` (or `out += a * b`), one dot product at a time.
pub fn gemm(out: &mut [f32], a: Mat, b: Mat, accumulate: bool) {
    for i in 0..a.rows {
        for j in 0..b.cols {
            let dot: f32 = (0..a.cols).map(|k| a.at(i, k) * b.at(k, j)).sum();
            let cell = &mut out[i * b.cols + j];
            *cell = if accumulate { *cell + dot } else { dot };
        }
    }
}

/// `x = f(x)`, computed in `f64` and rounded once. For example, with `f64::tanh` it is the reference of
/// [`crate::activation::tanh`].
pub fn map(x: &mut [f32], f: impl Fn(f64) -> f64) {
    for v in x {
        *v = f(f64::from(*v)) as f32;
    }
}

/// The logistic function, for [`map`].
pub fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// What an epilogue computes from one row.
pub struct EpilogueRow {
    /// The input of the activation.
    pub before_activation: Vec<f64>,
    /// The normalised row, before gamma and beta.
    pub xhat: Vec<f64>,
    /// The reciprocal of the standard deviation; 1 without a norm.
    pub rstd: f64,
    /// The result.
    pub y: Vec<f64>,
}

/// One row of `activation(norm(row + bias))` in `f64`; see [`Epilogue`].
pub fn epilogue(row: &[f64], epilogue: &Epilogue) -> EpilogueRow {
    let biased = |(i, v): (usize, &f64)| v + epilogue.bias.get(i).map_or(0.0, |&b| f64::from(b));
    let z: Vec<f64> = row.iter().enumerate().map(biased).collect();
    let n = z.len() as f64;
    let mean = z.iter().sum::<f64>() / n;
    let variance = z.iter().map(|v| (v - mean) * (v - mean)).sum::<f64>() / n;
    let rstd = epilogue.norm.map_or(1.0, |norm| 1.0 / (variance + f64::from(norm.eps)).sqrt());
    let xhat: Vec<f64> = z.iter().map(|v| (v - mean) * rstd).collect();
    let before_activation: Vec<f64> = match epilogue.norm {
        None => z,
        Some(norm) => {
            let affine = norm.gamma.iter().zip(norm.beta);
            xhat.iter().zip(affine).map(|(x, (g, b))| x * f64::from(*g) + f64::from(*b)).collect()
        }
    };
    let y = before_activation.iter().map(|&v| activation(v, epilogue.activation)).collect();
    EpilogueRow { before_activation, xhat, rstd, y }
}

/// An activation of one number; see [`Activation`].
pub fn activation(x: f64, which: Activation) -> f64 {
    match which {
        Activation::Identity => x,
        Activation::Relu if x < 0.0 => 0.0,
        Activation::Relu => x,
        Activation::Tanh => x.tanh(),
        Activation::Gelu => gelu(x),
        Activation::Sigmoid => sigmoid(x),
    }
}

/// GELU in its tanh approximation.
pub fn gelu(x: f64) -> f64 {
    // 2 sqrt(2 / pi) (x + 0.044715 x^3)
    let argument = 8.0f64.sqrt() / std::f64::consts::PI.sqrt() * (x + 0.044_715 * x * x * x);
    x * sigmoid(argument)
}

/// Adds `bias` to every row of `x`; see [`crate::activation::bias_add`].
pub fn bias_add(x: &mut [f32], bias: &[f32]) {
    for row in x.chunks_exact_mut(bias.len()) {
        for (v, b) in row.iter_mut().zip(bias) {
            *v += b;
        }
    }
}

/// Adds `bias` to every row of `x` and applies tanh; see [`crate::activation::bias_tanh`].
pub fn bias_tanh(x: &mut [f32], bias: &[f32]) {
    bias_add(x, bias);
    map(x, f64::tanh);
}

/// `dy *= 1 - y * y`; see [`crate::activation::tanh_backward`].
pub fn tanh_backward(dy: &mut [f32], y: &[f32]) {
    for (d, y) in dy.iter_mut().zip(y) {
        *d = (f64::from(*d) * (1.0 - f64::from(*y) * f64::from(*y))) as f32;
    }
}

/// Row-wise log-softmax; see [`crate::activation::log_softmax`].
pub fn log_softmax(x: &mut [f32], cols: usize) {
    for row in x.chunks_exact_mut(cols) {
        let max = f64::from(row.iter().copied().fold(f32::NEG_INFINITY, f32::max));
        let sum: f64 = row.iter().map(|&v| (f64::from(v) - max).exp()).sum();
        for v in row {
            *v = (f64::from(*v) - max - sum.ln()) as f32;
        }
    }
}

/// Sum of squares; see [`crate::reduce::sum_squares`].
pub fn sum_squares(x: &[f32]) -> f64 {
    x.iter().map(|&v| f64::from(v) * f64::from(v)).sum()
}

/// `out += x`; see [`crate::reduce::add_assign`].
pub fn add_assign(out: &mut [f32], x: &[f32]) {
    for (o, v) in out.iter_mut().zip(x) {
        *o += v;
    }
}

/// Adds the column sums of `x` to `out`; see [`crate::reduce::add_column_sums`].
pub fn add_column_sums(out: &mut [f32], x: &[f32]) {
    for row in x.chunks_exact(out.len()) {
        add_assign(out, row);
    }
}

/// Adam, one parameter at a time; see [`crate::optim::adam`].
pub fn adam(p: &mut [f32], g: &[f32], m: &mut [f32], v: &mut [f32], step: &AdamStep) {
    let (mean_correction, square_correction) = step.bias_corrections();
    for i in 0..p.len() {
        let grad = g[i] * step.grad_scale;
        m[i] = step.beta1 * m[i] + (1.0 - step.beta1) * grad;
        v[i] = step.beta2 * v[i] + (1.0 - step.beta2) * grad * grad;
        let update = (m[i] * mean_correction) / ((v[i] * square_correction).sqrt() + step.eps);
        p[i] -= step.lr * (update + step.weight_decay * p[i]);
    }
}

/// Uniform random numbers, one Philox block of four at a time; see [`Stream::fill_uniform`].
pub fn fill_uniform(stream: &Stream, index: u64, out: &mut [f32]) {
    for (sub, block) in out.chunks_mut(4).enumerate() {
        block.copy_from_slice(&stream.uniform4(index, sub as u64)[..block.len()]);
    }
}

/// Log-sum-exp of one row; see [`crate::activation::log_sum_exp`].
pub fn log_sum_exp(row: &[f32]) -> f64 {
    let max = f64::from(row.iter().copied().fold(f32::NEG_INFINITY, f32::max));
    if max == f64::NEG_INFINITY {
        return max;
    }
    max + row.iter().map(|&v| (f64::from(v) - max).exp()).sum::<f64>().ln()
}

/// Log-softmax of one row. If all values are minus infinity, so are the results.
pub fn log_softmax_row(row: &[f32]) -> Vec<f64> {
    let log_sum = log_sum_exp(row);
    let log_sum = if log_sum == f64::NEG_INFINITY { 0.0 } else { log_sum };
    row.iter().map(|&v| f64::from(v) - log_sum).collect()
}

/// Softmax cross-entropy of one row and its gradient; see [`crate::loss::softmax_cross_entropy`].
pub fn cross_entropy_row(row: &[f32], targets: &[f32]) -> (f64, Vec<f64>) {
    let logs = log_softmax_row(row);
    // Whether column j contributes to the loss.
    let counts = |j: usize| logs[j] != f64::NEG_INFINITY && targets[j] != 0.0;
    let target = |j: usize| if counts(j) { f64::from(targets[j]) } else { 0.0 };
    let weight: f64 = (0..row.len()).map(target).sum();
    let loss = (0..row.len()).filter(|&j| counts(j)).map(|j| -target(j) * logs[j]).sum();
    (loss, (0..row.len()).map(|j| weight * logs[j].exp() - target(j)).collect())
}

/// Rotary embedding and token shift of one sequence in `f64`; see [`crate::attention::Rotary`].
/// Shapes: `qkv [rows, 3 width]`.
pub fn rotary(qkv: &mut [f64], heads: Heads) {
    let (width, pairs) = (heads.width(), heads.pairs());
    let before = qkv.to_vec();
    for (row, qkv) in qkv.chunks_mut(3 * width).enumerate() {
        for head in qkv[..2 * width].chunks_mut(heads.size) {
            for pair in 0..pairs {
                // 1000 is the base of the angles in `Rotary`.
                let (sine, cosine) = (row as f64 * 1_000f64.powf(-(pair as f64) / pairs as f64)).sin_cos();
                let (x, y) = (head[pair], head[pairs + pair]);
                (head[pair], head[pairs + pair]) = (x * cosine - y * sine, x * sine + y * cosine);
            }
        }
        // Token shift: the key features that are not rotated come from the row before.
        for i in (width..2 * width).filter(|i| row > 0 && i % heads.size >= 2 * pairs) {
            qkv[i] = before[(row - 1) * 3 * width + i];
        }
    }
}

/// Causal attention in `f64`; see [`crate::attention::forward`].
/// Shapes: `qkv [rows, 3 width] -> (out [rows, width], weights [heads, rows, rows])`.
pub fn attention(qkv: &[f64], heads: Heads) -> (Vec<f64>, Vec<f64>) {
    let (width, size) = (heads.width(), heads.size);
    let rows = qkv.len() / (3 * width);
    // Part 0 of a row of `qkv` are the queries, part 1 the keys, part 2 the values.
    let part =
        |row: usize, part: usize, head: usize| &qkv[row * 3 * width + part * width + head * size..][..size];
    let (mut out, mut weights) = (vec![0.0; rows * width], vec![0.0; heads.count * rows * rows]);
    for head in 0..heads.count {
        for i in 0..rows {
            let dot =
                |j: usize| part(i, 0, head).iter().zip(part(j, 1, head)).map(|(q, k)| q * k).sum::<f64>();
            let exponentials: Vec<f64> = (0..=i).map(|j| (dot(j) / (size as f64).sqrt()).exp()).collect();
            let sum: f64 = exponentials.iter().sum();
            for (j, exponential) in exponentials.into_iter().enumerate() {
                weights[(head * rows + i) * rows + j] = exponential / sum;
                for (k, value) in part(j, 2, head).iter().enumerate() {
                    out[i * width + head * size + k] += exponential / sum * value;
                }
            }
        }
    }
    (out, weights)
}
