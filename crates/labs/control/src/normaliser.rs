//! Bringing what is seen to mean 0 and spread 1, by all that was seen so far (Welford, 1962; in parallel: Chan,
//! Golub and LeVeque, 1979).

use learnery_nn::{TensorError, Tensors};

/// No number seen counts for more than this many spreads.
const MOST: f32 = 10.0;

/// Mean and spread of each number of an observation.
#[derive(Clone, Debug, PartialEq)]
pub struct Normaliser {
    on: bool,
    count: f64,
    mean: Vec<f64>,
    /// Sums of squared distances from the mean.
    squares: Vec<f64>,
    /// What is subtracted and multiplied: the above, ready for use.
    shift: Vec<f32>,
    scale: Vec<f32>,
}

/// Sums over some observations, to be put together later in a fixed order.
#[derive(Clone, Debug)]
pub struct Sums {
    count: f64,
    sum: Vec<f64>,
    square: Vec<f64>,
}

impl Sums {
    /// Of no observation of `width` numbers.
    pub fn new(width: usize) -> Self {
        Self { count: 0.0, sum: vec![0.0; width], square: vec![0.0; width] }
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        self.count = 0.0;
        self.sum.fill(0.0);
        self.square.fill(0.0);
    }

    /// Counts in some observations. // [rows, width]
    pub fn add(&mut self, seen: &[f32]) {
        for row in seen.chunks_exact(self.sum.len()) {
            for ((sum, square), x) in self.sum.iter_mut().zip(&mut self.square).zip(row) {
                *sum += f64::from(*x);
                *square += f64::from(*x) * f64::from(*x);
            }
            self.count += 1.0;
        }
    }
}

impl Normaliser {
    /// For observations of `width` numbers; does nothing where it is not `on`.
    pub fn new(width: usize, on: bool) -> Self {
        Self {
            on,
            count: 0.0,
            mean: vec![0.0; width],
            squares: vec![0.0; width],
            shift: vec![0.0; width],
            scale: vec![1.0; width],
        }
    }

    /// Whether it does anything.
    pub fn is_on(&self) -> bool {
        self.on
    }

    /// Learns from what was seen.
    pub fn absorb(&mut self, sums: &Sums) {
        if !self.on || sums.count == 0.0 {
            return;
        }
        let total = self.count + sums.count;
        for (k, mean) in self.mean.iter_mut().enumerate() {
            let new = sums.sum[k] / sums.count;
            let spread = (sums.square[k] - sums.count * new * new).max(0.0);
            let apart = new - *mean;
            self.squares[k] += spread + apart * apart * self.count * sums.count / total;
            *mean += apart * sums.count / total;
        }
        self.count = total;
        self.prepare();
    }

    fn prepare(&mut self) {
        if self.count == 0.0 {
            return;
        }
        for k in 0..self.mean.len() {
            self.shift[k] = self.mean[k] as f32;
            self.scale[k] = (1.0 / (self.squares[k] / self.count + 1e-8).sqrt()) as f32;
        }
    }

    /// Normalises some observations where they are. // [rows, width]
    pub fn apply(&self, seen: &mut [f32]) {
        if !self.on || self.count == 0.0 {
            return;
        }
        for row in seen.chunks_exact_mut(self.mean.len()) {
            for ((x, shift), scale) in row.iter_mut().zip(&self.shift).zip(&self.scale) {
                *x = ((*x - shift) * scale).clamp(-MOST, MOST);
            }
        }
    }

    /// What it knows.
    pub fn to_tensors(&self) -> Tensors {
        let mut tensors = Tensors::new();
        tensors.insert("count", &[1], &[self.count]);
        tensors.insert("mean", &[self.mean.len()], &self.mean);
        tensors.insert("squares", &[self.squares.len()], &self.squares);
        tensors
    }

    /// Puts back what [`Normaliser::to_tensors`] gave.
    pub fn restore(&mut self, tensors: &Tensors) -> Result<(), TensorError> {
        let width = self.mean.len();
        self.count = tensors.get::<f64>("count", &[1])?[0];
        self.mean = tensors.get("mean", &[width])?;
        self.squares = tensors.get("squares", &[width])?;
        self.prepare();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_put_together_are_the_whole() {
        let seen: Vec<f32> =
            (0..600).map(|i| ((i * 37) % 101) as f32 * 0.1 - 3.0 + (i % 2) as f32 * 50.0).collect();
        let mut normaliser = Normaliser::new(2, true);
        for part in seen.chunks(130) {
            let mut sums = Sums::new(2);
            sums.add(part);
            normaliser.absorb(&sums);
        }
        let mut seen = seen;
        normaliser.apply(&mut seen);
        for k in 0..2 {
            let column: Vec<f64> = seen.iter().skip(k).step_by(2).map(|x| f64::from(*x)).collect();
            let mean = column.iter().sum::<f64>() / 300.0;
            let variance = column.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / 300.0;
            assert!(mean.abs() < 1e-5 && (variance - 1.0).abs() < 1e-5, "{mean} {variance}");
        }
        let mut again = Normaliser::new(2, true);
        again.restore(&normaliser.to_tensors()).unwrap();
        assert_eq!(again, normaliser);
    }

    #[test]
    fn switched_off_it_changes_nothing() {
        let mut normaliser = Normaliser::new(1, false);
        let mut sums = Sums::new(1);
        sums.add(&[5.0, 7.0]);
        normaliser.absorb(&sums);
        let mut seen = [5.0];
        normaliser.apply(&mut seen);
        assert_eq!(seen, [5.0]);
    }
}
