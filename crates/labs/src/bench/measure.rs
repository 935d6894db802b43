//! Timing: warm up, find out how much work fills a repetition, repeat, take the median.

/// How much a second: the middle of the repetitions and how far they lie apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// Median.
    pub median: f64,
    /// Distance between the quartiles, over the median.
    pub spread: f64,
}

impl Sample {
    /// Of these figures.
    pub fn of(mut rates: Vec<f64>) -> Self {
        rates.sort_by(f64::total_cmp);
        let at = |share: f64| rates[(share * (rates.len() - 1) as f64).round() as usize];
        Self { median: at(0.5), spread: (at(0.75) - at(0.25)) / at(0.5) }
    }

    /// The same in another unit.
    pub fn scaled(self, factor: f64) -> Self {
        Self { median: self.median * factor, ..self }
    }
}

/// The shortest a repetition may take, in seconds: long beside what a clock in a browser can tell, short
/// beside a time slice, so that on a busy machine most repetitions still run undisturbed.
const REPETITION: f64 = 0.005;

/// Repetitions of each task: at least so many, and on until they fill this time in seconds.
const REPETITIONS: usize = 11;
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

/// Doubles the turns until they fill a repetition; that is the warm-up too.
fn calibrate(clock: &dyn Fn() -> f64, task: &mut Task) -> u64 {
    let mut turns = 1;
    loop {
        let seconds = time(clock, task, turns);
        if seconds >= REPETITION {
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
        assert!((samples[0].median - 1000.0).abs() < 1e-6 && (samples[1].median - 250.0).abs() < 1e-6);
        assert!(samples[0].spread < 1e-9);
    }

    #[test]
    fn the_spread_is_that_of_the_middle_half() {
        let sample = Sample::of(vec![10.0, 1.0, 9.0, 11.0, 100.0]);
        assert_eq!(sample, Sample { median: 10.0, spread: 0.2 });
    }
}
