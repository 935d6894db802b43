//! Timing: calibrate the iterations of a repetition (which is also the warm-up), repeat, and take the 90th
//! percentile of the rates.
//!
//! Other work on the machine can only slow a repetition down, and sometimes disturbs most repetitions; then
//! the median would measure that other work. The 90th percentile is reproducible as long as a few repetitions
//! are undisturbed, and is less noisy than the maximum. Upper bounds and peers are measured in the same way.

/// A rate (or another statistic, such as seconds), and how much the measurement was disturbed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// The 90th percentile of the repetitions' rates. If the sample is not of rates: the median.
    pub rate: f64,
    /// The relative difference between the 90th percentile and the median.
    pub spread: f64,
}

impl Sample {
    /// A sample of rates. The highest rates are the least disturbed ones.
    pub fn from_rates(mut rates: Vec<f64>) -> Self {
        rates.sort_by(f64::total_cmp);
        let quantile = |q: f64| rates[(q * (rates.len() - 1) as f64).round() as usize];
        Self { rate: quantile(0.9), spread: 1.0 - quantile(0.5) / quantile(0.9) }
    }

    /// A sample of values that are not rates, such as seconds.
    pub fn from_values(mut values: Vec<f64>) -> Self {
        values.sort_by(f64::total_cmp);
        let quantile = |q: f64| values[(q * (values.len() - 1) as f64).round() as usize];
        Self { rate: quantile(0.5), spread: quantile(0.9) / quantile(0.5) - 1.0 }
    }

    /// The sample in another unit.
    pub fn scaled(self, factor: f64) -> Self {
        Self { rate: self.rate * factor, ..self }
    }
}

/// The minimum duration of a repetition: long compared with the clock's resolution (0.1 ms in a browser),
/// short compared with the scheduler's time slice, so that on a busy machine many repetitions still run
/// undisturbed.
const MIN_REPETITION_SECONDS: f64 = if cfg!(target_arch = "wasm32") { 0.005 } else { 0.001 };

/// Each task gets at least `MIN_REPETITIONS` repetitions (one in tests of the benches) and about
/// `SECONDS_PER_TASK` seconds.
const MIN_REPETITIONS: usize = if cfg!(test) { 1 } else { 11 };
const SECONDS_PER_TASK: f64 = 0.5;

/// A function that executes a task the given number of times.
pub type Task<'a> = &'a mut dyn FnMut(u64);

/// Measures tasks alternately, so that disturbances affect all tasks. Returns the iterations per second of
/// each task. There must be at least one task.
pub fn measure(clock: &dyn Fn() -> f64, tasks: &mut [Task]) -> Vec<Sample> {
    let iterations: Vec<u64> = tasks.iter_mut().map(|task| calibrate(clock, task)).collect();
    let mut rates = vec![Vec::with_capacity(MIN_REPETITIONS); tasks.len()];
    let (begin, total_seconds) = (clock(), SECONDS_PER_TASK * tasks.len() as f64);
    while rates[0].len() < MIN_REPETITIONS || clock() - begin < total_seconds {
        for ((task, &iterations), rates) in tasks.iter_mut().zip(&iterations).zip(&mut rates) {
            let seconds = seconds_of_repetition(clock, task, iterations);
            rates.push(iterations as f64 / seconds);
        }
    }
    rates.into_iter().map(Sample::from_rates).collect()
}

/// Measures one task.
pub fn measure_one(clock: &dyn Fn() -> f64, task: Task) -> Sample {
    measure(clock, &mut [task])[0]
}

/// Doubles the number of iterations until each of three trials takes at least [`MIN_REPETITION_SECONDS`]
/// seconds. These trials are also the warm-up.
fn calibrate(clock: &dyn Fn() -> f64, task: &mut Task) -> u64 {
    const TRIALS: usize = if cfg!(test) { 2 } else { 3 };
    let mut iterations = 1;
    loop {
        if (0..TRIALS).all(|_| seconds_of_repetition(clock, task, iterations) >= MIN_REPETITION_SECONDS) {
            return iterations;
        }
        iterations *= 2;
    }
}

/// The seconds of one repetition.
fn seconds_of_repetition(clock: &dyn Fn() -> f64, task: &mut Task, iterations: u64) -> f64 {
    let begin = clock();
    task(iterations);
    // A coarse clock may show no progress; avoid a division by zero.
    (clock() - begin).max(1e-9)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measure_counts_iterations_per_second() {
        let now = std::cell::Cell::new(0.0);
        let clock = || now.get();
        let (mut fast, mut slow) =
            (|n: u64| now.set(now.get() + 0.001 * n as f64), |n: u64| now.set(now.get() + 0.004 * n as f64));
        let samples = measure(&clock, &mut [&mut fast, &mut slow]);
        assert!((samples[0].rate - 1000.0).abs() < 1e-6 && (samples[1].rate - 250.0).abs() < 1e-6);
        assert!(samples[0].spread < 1e-9);
    }

    #[test]
    fn sample_takes_the_90th_percentile() {
        // Eleven repetitions: one wrong measurement (100), three undisturbed ones (10), seven disturbed ones
        // (1 to 5).
        let sample = Sample::from_rates(vec![10.0, 1.0, 5.0, 10.0, 5.0, 5.0, 100.0, 2.0, 1.0, 5.0, 10.0]);
        assert_eq!(sample, Sample { rate: 10.0, spread: 0.5 });
    }

    /// The first trial is disturbed and takes far longer than its task.
    #[test]
    fn calibrate_is_not_misled_by_a_slow_first_trial() {
        let (now, trials) = (std::cell::Cell::new(0.0), std::cell::Cell::new(0));
        let clock = || now.get();
        let mut task = |n: u64| {
            trials.set(trials.get() + 1);
            let disturbance = if trials.get() == 1 { 1.0 } else { 0.0 };
            now.set(now.get() + 0.1 * MIN_REPETITION_SECONDS * n as f64 + disturbance);
        };
        let mut task: Task = &mut task;
        assert_eq!(calibrate(&clock, &mut task), 16);
    }
}
