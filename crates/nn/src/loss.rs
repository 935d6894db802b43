//! What a wrong answer costs, and which way is down: cross-entropies of whole batches, and errors of single numbers.

pub use learnery_kernels::loss::{Targets, sigmoid_cross_entropy, softmax_cross_entropy};

/// Half the squared error and its slope.
pub fn squared_error(error: f32) -> (f32, f32) {
    (0.5 * error * error, error)
}

/// Huber's loss and its slope: half the squared error near zero, a straight line beyond `delta`, so that outliers pull
/// no harder than that (Huber, "Robust estimation of a location parameter", 1964).
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

    #[test]
    fn slopes_agree_with_finite_differences() {
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
