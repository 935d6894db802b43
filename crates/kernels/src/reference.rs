//! The slow, obvious version of every kernel, written to be read. Tests hold the fast ones against it.

use crate::gemm::Mat;

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

/// Adam, one parameter at a time; see [`crate::optim::adam`].
pub fn adam(p: &mut [f32], g: &[f32], m: &mut [f32], v: &mut [f32], step: &crate::optim::AdamStep) {
    let (c1, c2) = step.corrections();
    for i in 0..p.len() {
        let grad = g[i] * step.grad_scale;
        m[i] = step.beta1 * m[i] + (1.0 - step.beta1) * grad;
        v[i] = step.beta2 * v[i] + (1.0 - step.beta2) * grad * grad;
        p[i] -= step.lr * ((m[i] * c1) / ((v[i] * c2).sqrt() + step.eps) + step.weight_decay * p[i]);
    }
}
