//! Loss functions with their derivatives: cross-entropies of batches of logits, and squared error and Huber
//! loss of single numbers.

pub use learnery_kernels::loss::{Targets, sigmoid_cross_entropy, softmax_cross_entropy};

/// Returns half the squared error, and its derivative. `error` is prediction minus target.
pub fn squared_error(error: f32) -> (f32, f32) {
    (0.5 * error * error, error)
}

/// Returns the Huber loss and its derivative. The loss is half the squared error up to `delta` and linear
/// beyond, which limits the influence of outliers (Huber, "Robust estimation of a location parameter", 1964).
pub fn huber(error: f32, delta: f32) -> (f32, f32) {
    if error.abs() <= delta {
        squared_error(error)
    } else {
        (delta * (error.abs() - 0.5 * delta), delta.copysign(error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compared with central differences of the definitions in `f64`.
    #[test]
    fn cross_entropy_gradients_agree_with_finite_differences() {
        const COLS: usize = 40;
        let wave = |k: f32| -> Vec<f32> { (0..2 * COLS).map(|i| (k * i as f32).sin()).collect() };
        let logits: Vec<f32> = wave(1.7).iter().map(|v| 3.0 * v).collect();
        let targets: Vec<f32> = wave(0.9).iter().map(|v| v.abs()).collect();
        let classes = [9, 36];
        let one_hot: Vec<f32> =
            (0..2 * COLS).map(|i| f32::from(classes[i / COLS] as usize == i % COLS)).collect();
        // Masks of all columns, of a third of them, and of so few that the kernel gathers them first.
        for step in [1, 3, 9] {
            let mask: Vec<u8> = (0..2 * COLS).map(|i| u8::from((i % COLS).is_multiple_of(step))).collect();
            let softmax = |x: &[f64], t: &[f32], mask: &[u8]| -> f64 {
                let included = || (0..COLS).filter(|&j| mask[j] != 0);
                let log_sum = included().map(|j| x[j].exp()).sum::<f64>().ln();
                included().map(|j| f64::from(t[j]) * (log_sum - x[j])).sum()
            };
            for (given_targets, t) in
                [(Targets::Rows(&targets), &targets), (Targets::Classes(&classes), &one_hot)]
            {
                let (mut losses, mut gradient) = ([0.0; 2], [0.0; 2 * COLS]);
                softmax_cross_entropy(&mut losses, &mut gradient, &logits, given_targets, Some(&mask), 0.5);
                check(&logits, losses, &gradient, |r, x| softmax(x, &t[r * COLS..], &mask[r * COLS..]));
            }
        }
        let sigmoid = |x: &[f64], t: &[f32]| -> f64 {
            x.iter().zip(t).map(|(x, t)| x.exp().ln_1p() - x * f64::from(*t)).sum()
        };
        let (mut losses, mut gradient) = ([0.0; 2], [0.0; 2 * COLS]);
        sigmoid_cross_entropy(&mut losses, &mut gradient, &logits, &targets, 0.5);
        check(&logits, losses, &gradient, |r, x| sigmoid(x, &targets[r * COLS..]));
    }

    /// Compares both rows' losses with `loss`, and `gradient` with half its derivatives, because the tests
    /// pass 0.5 as the scale of gradients.
    fn check(logits: &[f32], losses: [f32; 2], gradient: &[f32], loss: impl Fn(usize, &[f64]) -> f64) {
        let cols = logits.len() / 2;
        for (r, got) in losses.into_iter().enumerate() {
            let mut x: Vec<f64> = logits[r * cols..][..cols].iter().map(|&v| f64::from(v)).collect();
            let expected = loss(r, &x);
            assert!((f64::from(got) - expected).abs() < 1e-5 * (1.0 + expected), "{got} and {expected}");
            for (j, got) in gradient[r * cols..][..cols].iter().enumerate() {
                let (middle, h) = (x[j], 1e-5);
                x[j] = middle + h;
                let above = loss(r, &x);
                x[j] = middle - h;
                let slope = 0.5 * (above - loss(r, &x)) / (2.0 * h);
                x[j] = middle;
                assert!((f64::from(*got) - slope).abs() < 1e-5, "value {j} of row {r}: {got} and {slope}");
            }
        }
    }

    #[test]
    fn huber_derivatives_agree_with_finite_differences() {
        let loss = |e: f64, delta: f64| {
            if e.abs() <= delta { 0.5 * e * e } else { delta * (e.abs() - 0.5 * delta) }
        };
        for i in -30..=30 {
            let e = 0.1 * f64::from(i) + 0.013;
            for delta in [0.5, 1.0, 100.0] {
                let (value, slope) = huber(e as f32, delta as f32);
                let h = 1e-5;
                let expected = (loss(e + h, delta) - loss(e - h, delta)) / (2.0 * h);
                assert!((f64::from(value) - loss(e, delta)).abs() < 1e-5);
                assert!((f64::from(slope) - expected).abs() < 1e-4, "{e}, {delta}: {slope} and {expected}");
            }
        }
        assert_eq!(huber(3.0, 100.0), squared_error(3.0));
    }
}
