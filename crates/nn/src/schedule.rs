//! Learning-rate schedules: a linear warm-up, then a decay to a floor. A schedule is a pure function of the
//! step, so a resumed run needs no further state.

use std::f64::consts::PI;

use learnery_kernels::math::double;

/// The decay after the warm-up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Decay {
    /// No decay: the factor stays 1.
    #[default]
    Constant,
    /// A straight line from 1 to the floor.
    Linear,
    /// Half a cosine wave (Loshchilov and Hutter, "SGDR: stochastic gradient descent with warm restarts",
    /// 2016), without restarts.
    Cosine,
}

/// A schedule: by which factor the learning rate is multiplied at each step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Schedule {
    /// Number of warm-up steps. Step 0 has the factor `1 / warm_up`; zero for no warm-up.
    pub warm_up: u64,
    /// The step at which the decay ends, counted from the beginning of the warm-up. From this step on, the
    /// factor is `floor`, unless the decay is constant.
    pub steps: u64,
    /// The factor at the end of the decay, a fraction of the full learning rate.
    pub floor: f64,
    pub decay: Decay,
}

impl Schedule {
    /// The factor of step `step`, counted from zero.
    pub fn at(&self, step: u64) -> f64 {
        if step < self.warm_up {
            return (step + 1) as f64 / self.warm_up as f64;
        }
        let decay_steps = self.steps.saturating_sub(self.warm_up).max(1);
        let progress = ((step - self.warm_up) as f64 / decay_steps as f64).min(1.0);
        let remaining = match self.decay {
            Decay::Constant => return 1.0,
            Decay::Linear => 1.0 - progress,
            Decay::Cosine => 0.5 * (1.0 + double::cos(PI * progress)),
        };
        self.floor + (1.0 - self.floor) * remaining
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schedule_warms_up_decays_and_stays_at_the_floor() {
        let schedule = Schedule { warm_up: 4, steps: 104, floor: 0.1, decay: Decay::Linear };
        let close = |step: u64, expected: f64| {
            for decay in [Decay::Linear, Decay::Cosine] {
                let factor = Schedule { decay, ..schedule }.at(step);
                assert!((factor - expected).abs() < 1e-12, "step {step}: {factor}");
            }
        };
        // Linear and cosine decay agree at the beginning, in the middle and at the end.
        for (step, expected) in
            [(0, 0.25), (3, 1.0), (4, 1.0), (54, 0.55), (104, 0.1), (105, 0.1), (u64::MAX, 0.1)]
        {
            close(step, expected);
        }
        assert!(Schedule { decay: Decay::Cosine, ..schedule }.at(29) > schedule.at(29));
        assert_eq!(Schedule::default().at(7), 1.0);
    }
}
