//! Running normalisation of observations to mean 0 and standard deviation 1 over everything seen so far
//! (Welford, 1962; combined from parallel parts as in Chan, Golub and LeVeque, 1979).

use learnery_nn::{TensorError, Tensors};

/// Normalised observations are clamped to plus or minus this many standard deviations.
const MAX_DEVIATIONS: f32 = 10.0;
/// Added to the variance, against a division by zero.
const EPSILON: f64 = 1e-8;

/// Running mean and variance of each component of an observation.
#[derive(Clone, Debug, PartialEq)]
pub struct Normaliser {
    /// If false, observations are neither counted nor changed.
    enabled: bool,
    /// Number of observations absorbed so far.
    count: f64,
    mean: Vec<f64>,
    /// Sums of squared deviations from the mean.
    squares: Vec<f64>,
    /// The mean as f32: what is subtracted from an observation.
    shift: Vec<f32>,
    /// One over the standard deviation: the factor after the subtraction.
    scale: Vec<f32>,
}

/// Count, sums and sums of squares of a set of observations. Each chunk of worlds fills sums of its own, and
/// the normaliser absorbs them in a fixed order, so the result does not depend on the number of threads.
#[derive(Clone, Debug)]
pub struct ObservationSums {
    count: f64,
    /// The sum of each component of the observations.
    /// Shape: `[width]`.
    sum: Vec<f64>,
    /// The sum of the squares of each component.
    /// Shape: `[width]`.
    square_sum: Vec<f64>,
}

impl ObservationSums {
    pub fn new(width: usize) -> Self {
        Self { count: 0.0, sum: vec![0.0; width], square_sum: vec![0.0; width] }
    }

    /// The sums of `count` observations that were added elsewhere.
    #[cfg(feature = "gpu")]
    pub fn from_parts(count: f64, sum: Vec<f64>, square_sum: Vec<f64>) -> Self {
        Self { count, sum, square_sum }
    }

    pub fn clear(&mut self) {
        self.count = 0.0;
        self.sum.fill(0.0);
        self.square_sum.fill(0.0);
    }

    /// Adds observations.
    ///
    /// Shape: `[rows, width]`.
    pub fn add(&mut self, observations: &[f32]) {
        for row in observations.chunks_exact(self.sum.len()) {
            for ((sum, square_sum), x) in self.sum.iter_mut().zip(&mut self.square_sum).zip(row) {
                *sum += f64::from(*x);
                *square_sum += f64::from(*x) * f64::from(*x);
            }
            self.count += 1.0;
        }
    }
}

impl Normaliser {
    /// A normaliser for observations of `width` components.
    pub fn new(width: usize, enabled: bool) -> Self {
        Self {
            enabled,
            count: 0.0,
            mean: vec![0.0; width],
            squares: vec![0.0; width],
            shift: vec![0.0; width],
            scale: vec![1.0; width],
        }
    }

    pub fn is_enabled(&self) -> bool {
        self.enabled
    }

    /// Updates mean and variance with more observations.
    pub fn absorb(&mut self, sums: &ObservationSums) {
        if !self.enabled || sums.count == 0.0 {
            return;
        }
        let total = self.count + sums.count;
        for (k, mean) in self.mean.iter_mut().enumerate() {
            let new_mean = sums.sum[k] / sums.count;
            // The sum of the squared deviations of the new observations from their own mean. Rounding could
            // make the difference negative.
            let squares = (sums.square_sum[k] - sums.count * new_mean * new_mean).max(0.0);
            let difference = new_mean - *mean;
            self.squares[k] += squares + difference * difference * self.count * sums.count / total;
            *mean += difference * sums.count / total;
        }
        self.count = total;
        self.update_shift_and_scale();
    }

    fn update_shift_and_scale(&mut self) {
        if self.count == 0.0 {
            return;
        }
        for k in 0..self.mean.len() {
            self.shift[k] = self.mean[k] as f32;
            self.scale[k] = (1.0 / (self.squares[k] / self.count + EPSILON).sqrt()) as f32;
        }
    }

    /// The numbers with which [`Normaliser::apply`] changes observations: the bound, what is subtracted, and
    /// the factors. `None` if observations are not normalised, or not yet.
    #[cfg(any(feature = "gpu", not(target_family = "wasm")))]
    pub fn shift_and_scale(&self) -> Option<(f32, &[f32], &[f32])> {
        (self.enabled && self.count > 0.0).then_some((MAX_DEVIATIONS, &self.shift, &self.scale))
    }

    /// Normalises observations in place.
    ///
    /// Shape: `[rows, width]`.
    pub fn apply(&self, observations: &mut [f32]) {
        if !self.enabled || self.count == 0.0 {
            return;
        }
        for row in observations.chunks_exact_mut(self.mean.len()) {
            for ((x, shift), scale) in row.iter_mut().zip(&self.shift).zip(&self.scale) {
                *x = ((*x - shift) * scale).clamp(-MAX_DEVIATIONS, MAX_DEVIATIONS);
            }
        }
    }

    /// One over the standard deviation of the first component; 1 before there was an observation.
    pub fn scale(&self) -> f32 {
        self.scale[0]
    }

    /// Count, mean and sum of squared deviations from the mean of the first component.
    #[cfg(feature = "gpu")]
    pub fn statistics(&self) -> [f64; 3] {
        [self.count, self.mean[0], self.squares[0]]
    }

    pub fn to_tensors(&self) -> Tensors {
        let mut tensors = Tensors::new();
        tensors.insert("count", &[1], &[self.count]);
        tensors.insert("mean", &[self.mean.len()], &self.mean);
        tensors.insert("squares", &[self.squares.len()], &self.squares);
        tensors
    }

    /// Restores the statistics that [`Normaliser::to_tensors`] saved.
    pub fn restore(&mut self, tensors: &Tensors) -> Result<(), TensorError> {
        let width = self.mean.len();
        self.count = tensors.get::<f64>("count", &[1])?[0];
        self.mean = tensors.get("mean", &[width])?;
        self.squares = tensors.get("squares", &[width])?;
        self.update_shift_and_scale();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normaliser_of_several_parts_gives_mean_zero_and_variance_one() {
        // 300 observations of two components whose means differ by 50.
        let mut observations: Vec<f32> =
            (0..600).map(|i| ((i * 37) % 101) as f32 * 0.1 - 3.0 + (i % 2) as f32 * 50.0).collect();
        let mut normaliser = Normaliser::new(2, true);
        for part in observations.chunks(130) {
            let mut sums = ObservationSums::new(2);
            sums.add(part);
            normaliser.absorb(&sums);
        }
        normaliser.apply(&mut observations);
        for k in 0..2 {
            let column: Vec<f64> = observations.iter().skip(k).step_by(2).map(|x| f64::from(*x)).collect();
            let mean = column.iter().sum::<f64>() / 300.0;
            let variance = column.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / 300.0;
            assert!(mean.abs() < 1e-5 && (variance - 1.0).abs() < 1e-5, "{mean} {variance}");
        }
    }

    #[test]
    fn normaliser_survives_saving_and_restoring() {
        let mut sums = ObservationSums::new(2);
        sums.add(&[1.0, 2.0, 4.0, -3.0]);
        let mut normaliser = Normaliser::new(2, true);
        normaliser.absorb(&sums);
        let mut restored = Normaliser::new(2, true);
        restored.restore(&normaliser.to_tensors()).unwrap();
        assert_eq!(restored, normaliser);
    }

    #[test]
    fn normaliser_switched_off_changes_nothing() {
        let mut normaliser = Normaliser::new(1, false);
        let mut sums = ObservationSums::new(1);
        sums.add(&[5.0, 7.0]);
        normaliser.absorb(&sums);
        let mut observations = [5.0];
        normaliser.apply(&mut observations);
        assert_eq!(observations, [5.0]);
    }
}
