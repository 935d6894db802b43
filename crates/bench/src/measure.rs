//! Timing: warm up, find out how much work fills a repetition, repeat, take the rate of the least disturbed.
//!
//! Other work on the machine can only slow a repetition down, and at times disturbs most of them: then the median is a
//! figure about the others. What nine repetitions of ten did not exceed agrees from run to run as long as a few were left
//! alone, and is no lucky extreme. Work and its limit are read off in the same way.

/// How much a second, and how much of the measurement was disturbed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// The rate that a tenth of the repetitions exceeded.
    pub rate: f64,
    /// How far the median lies below it, as a share of it.
    pub spread: f64,
}

impl Sample {
    /// Of these figures.
    pub fn of(mut rates: Vec<f64>) -> Self {
        rates.sort_by(f64::total_cmp);
        let at = |share: f64| rates[(share * (rates.len() - 1) as f64).round() as usize];
        Self { rate: at(0.9), spread: 1.0 - at(0.5) / at(0.9) }
    }

    /// Of figures that are not rates: their median, and how far the worse half of them lies above it.
    pub fn middle(mut figures: Vec<f64>) -> Self {
        figures.sort_by(f64::total_cmp);
        let at = |share: f64| figures[(share * (figures.len() - 1) as f64).round() as usize];
        Self { rate: at(0.5), spread: at(0.9) / at(0.5) - 1.0 }
    }

    /// The same in another unit.
    pub fn scaled(self, factor: f64) -> Self {
        Self { rate: self.rate * factor, ..self }
    }
}

/// The shortest a repetition may take, in seconds: long beside what the clock can tell (in a browser a tenth of a
/// millisecond), short beside a time slice, so that on a busy machine many repetitions still run undisturbed.
const REPETITION: f64 = if cfg!(target_arch = "wasm32") { 0.005 } else { 0.001 };

/// Repetitions of each task: at least so many, and on until they fill this time in seconds. Where only the benches
/// themselves are tested, two will do.
const REPETITIONS: usize = if cfg!(test) { 2 } else { 11 };
const TOTAL: f64 = 0.5;

/// Does work so many times over.
pub type Task<'a> = &'a mut dyn FnMut(u64);

/// Measures tasks in turns, so that whatever else the machine does falls on all of them; turns a second
/// of each. There must be at least one.
pub fn measure(clock: &dyn Fn() -> f64, tasks: &mut [Task]) -> Vec<Sample> {
    let turns: Vec<u64> = tasks.iter_mut().map(|task| calibrate(clock, task)).collect();
    let mut rates = vec![Vec::with_capacity(REPETITIONS); tasks.len()];
    let (begin, total) = (clock(), TOTAL * tasks.len() as f64);
    while rates[0].len() < REPETITIONS || clock() - begin < total {
        for ((task, &turns), rates) in tasks.iter_mut().zip(&turns).zip(&mut rates) {
            let seconds = time(clock, task, turns);
            rates.push(turns as f64 / seconds);
        }
    }
    rates.into_iter().map(Sample::of).collect()
}

/// Measures one task.
pub fn measure_one(clock: &dyn Fn() -> f64, task: Task) -> Sample {
    measure(clock, &mut [task])[0]
}

/// Doubles the turns until they fill a repetition even when nothing gets in their way, as far as three trials can
/// tell; that is the warm-up too.
fn calibrate(clock: &dyn Fn() -> f64, task: &mut Task) -> u64 {
    const TRIALS: usize = if cfg!(test) { 2 } else { 3 };
    let mut turns = 1;
    loop {
        if (0..TRIALS).all(|_| time(clock, task, turns) >= REPETITION) {
            return turns;
        }
        turns *= 2;
    }
}

fn time(clock: &dyn Fn() -> f64, task: &mut Task, turns: u64) -> f64 {
    let begin = clock();
    task(turns);
    // A clock may stand still for a moment; no time at all cannot be divided by.
    (clock() - begin).max(1e-9)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_come_from_the_clock() {
        let now = std::cell::Cell::new(0.0);
        let clock = || now.get();
        let (mut fast, mut slow) =
            (|n: u64| now.set(now.get() + 0.001 * n as f64), |n: u64| now.set(now.get() + 0.004 * n as f64));
        let samples = measure(&clock, &mut [&mut fast, &mut slow]);
        assert!((samples[0].rate - 1000.0).abs() < 1e-6 && (samples[1].rate - 250.0).abs() < 1e-6);
        assert!(samples[0].spread < 1e-9);
    }

    #[test]
    fn the_rate_is_that_of_the_least_disturbed() {
        // Eleven repetitions, of which one was lucky and seven were disturbed.
        let sample = Sample::of(vec![10.0, 1.0, 5.0, 10.0, 5.0, 5.0, 100.0, 2.0, 1.0, 5.0, 10.0]);
        assert_eq!(sample, Sample { rate: 10.0, spread: 0.5 });
    }

    /// The very first trial takes far longer than the work does.
    #[test]
    fn a_repetition_is_filled_by_the_work_itself() {
        let (now, trials) = (std::cell::Cell::new(0.0), std::cell::Cell::new(0));
        let clock = || now.get();
        let mut task = |n: u64| {
            trials.set(trials.get() + 1);
            let disturbance = if trials.get() == 1 { 1.0 } else { 0.0 };
            now.set(now.get() + 0.1 * REPETITION * n as f64 + disturbance);
        };
        let mut task: Task = &mut task;
        assert_eq!(calibrate(&clock, &mut task), 16);
    }
}
