//! How a learning rate changes over a run: a short climb, then a fall to a floor. A pure function of the step, so a run
//! that is taken up again goes on where it was.

use std::f64::consts::PI;

/// The way down after the climb.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Decay {
    /// There is none.
    #[default]
    Constant,
    /// A straight line.
    Linear,
    /// Half a cosine wave (Loshchilov and Hutter, "SGDR", 2016).
    Cosine,
}

/// A factor of the learning rate for every step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Schedule {
    /// Steps of the climb. The first step already has its share of the rate.
    pub warm_up: u64,
    /// Steps in all; the floor is reached there and kept.
    pub steps: u64,
    /// What is left at the end, of one.
    pub floor: f64,
    /// The way there.
    pub decay: Decay,
}

impl Schedule {
    /// The factor of step `step`, counted from zero.
    pub fn at(&self, step: u64) -> f64 {
        if step < self.warm_up {
            return (step + 1) as f64 / self.warm_up as f64;
        }
        let way = self.steps.saturating_sub(self.warm_up).max(1);
        let done = ((step - self.warm_up) as f64 / way as f64).min(1.0);
        let left = match self.decay {
            Decay::Constant => return 1.0,
            Decay::Linear => 1.0 - done,
            Decay::Cosine => 0.5 * (1.0 + (PI * done).cos()),
        };
        self.floor + (1.0 - self.floor) * left
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_climbs_falls_and_stays() {
        let schedule = Schedule { warm_up: 4, steps: 104, floor: 0.1, decay: Decay::Linear };
        let close = |step: u64, expected: f64| {
            for decay in [Decay::Linear, Decay::Cosine] {
                let factor = Schedule { decay, ..schedule }.at(step);
                assert!((factor - expected).abs() < 1e-12, "step {step}: {factor}");
            }
        };
        // Both ways meet at the begin, in the middle and at the end.
        for (step, expected) in
            [(0, 0.25), (3, 1.0), (4, 1.0), (54, 0.55), (104, 0.1), (105, 0.1), (u64::MAX, 0.1)]
        {
            close(step, expected);
        }
        assert!(Schedule { decay: Decay::Cosine, ..schedule }.at(29) > schedule.at(29));
        assert_eq!(Schedule::default().at(7), 1.0);
    }
}
