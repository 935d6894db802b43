//! Element-wise functions and their derivatives, and the row-wise softmax family.

/// `x = tanh(x)` in place.
pub fn tanh(x: &mut [f32]) {
    for v in x {
        *v = v.tanh();
    }
}

/// Adds `bias` to every row of `x` `[rows, bias.len()]` and applies tanh, in place.
pub fn bias_tanh(x: &mut [f32], bias: &[f32]) {
    for row in x.chunks_exact_mut(bias.len()) {
        for (v, b) in row.iter_mut().zip(bias) {
            *v = (*v + b).tanh();
        }
    }
}

/// Adds `bias` to every row of `x` `[rows, bias.len()]`, in place.
pub fn bias_add(x: &mut [f32], bias: &[f32]) {
    for row in x.chunks_exact_mut(bias.len()) {
        for (v, b) in row.iter_mut().zip(bias) {
            *v += b;
        }
    }
}

/// Turns the gradient after a tanh into the gradient before it: `dy *= 1 - y * y`.
pub fn tanh_backward(dy: &mut [f32], y: &[f32]) {
    for (d, y) in dy.iter_mut().zip(y) {
        *d *= 1.0 - y * y;
    }
}

/// `x = exp(x)` in place.
pub fn exp(x: &mut [f32]) {
    for v in x {
        *v = v.exp();
    }
}

/// Row-wise log-softmax of `x` `[rows, cols]`, in place.
pub fn log_softmax(x: &mut [f32], cols: usize) {
    for row in x.chunks_exact_mut(cols) {
        let max = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let sum: f32 = row.iter().map(|v| (v - max).exp()).sum();
        let shift = max + sum.ln();
        for v in row {
            *v -= shift;
        }
    }
}
