//! How the numbers of a continuous action are kept within the bounds of a world. The policy is a normal
//! distribution and may draw any number. Either the world cuts off what lies beyond its bounds (clipped), or
//! the hyperbolic tangent maps every number between them first (squashed). Every action of a network goes
//! through here.
//!
//! Rollouts keep the policy's own numbers, and what is learned depends on these alone: squashing multiplies
//! the density of an action by a factor that is the same under the old policy and under the new one, so PPO's
//! ratio of probabilities is that of the numbers before squashing.

use learnery_kernels::activation::tanh;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::policy::{MAX_NUMBERS, Policy};
use crate::task::Task;

/// How the numbers of a continuous action are kept within their bounds, as a setting.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ActionBounds {
    /// What lies beyond a bound becomes the bound.
    #[default]
    Clipped,
    /// The hyperbolic tangent, scaled to the interval between the bounds.
    Squashed,
}

/// An interval as its centre and half of its width.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Interval {
    centre: f32,
    half: f32,
}

/// Brings the numbers of a policy between the bounds of a world.
#[derive(Clone, Debug, PartialEq)]
pub struct Bounds {
    /// For each number of an action the interval into which it is squashed, in the policy's unit (see
    /// [`Task::policy_bounds`]); `None` for a number without two finite bounds, which stays as it is. Empty
    /// if the setting is to clip.
    intervals: Vec<Option<Interval>>,
}

/// Rows of actions that are squashed together: as many as the widest SIMD vector has lanes, so that actions
/// of one number fill it too. Their numbers lie on the stack.
const ROWS: usize = 16;

impl Bounds {
    /// The intervals of a task, if the setting is to squash.
    pub fn new(setting: ActionBounds, task: &Task) -> Self {
        let interval = |i| {
            let (low, high) = task.policy_bounds(i)?;
            Some(Interval { centre: 0.5 * low + 0.5 * high, half: 0.5 * high - 0.5 * low })
        };
        let is_squashed = setting == ActionBounds::Squashed && !task.is_discrete();
        Self { intervals: if is_squashed { (0..task.outputs()).map(interval).collect() } else { Vec::new() } }
    }

    /// Whether the setting is to squash. Numbers without two finite bounds stay as they are nevertheless.
    pub fn is_squashed(&self) -> bool {
        !self.intervals.is_empty()
    }

    /// Squashes the policy's numbers in place. Those that are not squashed stay as they are; the world clips
    /// them.
    ///
    /// Shape: `actions [rows, numbers]`.
    pub fn squash(&self, actions: &mut [f32]) {
        let numbers = self.intervals.len();
        if numbers == 0 {
            return;
        }
        let mut tanhs = [0.0; ROWS * MAX_NUMBERS];
        for actions in actions.chunks_mut(ROWS * numbers) {
            let tanhs = &mut tanhs[..actions.len()];
            tanhs.copy_from_slice(actions);
            tanh(tanhs);
            let intervals = self.intervals.iter().cycle();
            for ((action, tanh), interval) in actions.iter_mut().zip(tanhs).zip(intervals) {
                if let Some(Interval { centre, half }) = interval {
                    *action = centre + half * *tanh;
                }
            }
        }
    }

    /// The greedy actions for rows of actor outputs, as worlds take them: the most probable ones, or if they
    /// are squashed, the tanh of the mean.
    ///
    /// Shapes: `outputs [rows, outputs] -> actions [rows, numbers]`.
    pub fn greedy(&self, policy: Policy, outputs: &[f32], actions: &mut [f32]) {
        let rows = actions.chunks_exact_mut(policy.numbers()).zip(outputs.chunks_exact(policy.outputs()));
        rows.for_each(|(action, outputs)| policy.greedy(outputs, action));
        self.squash(actions);
    }
}

#[cfg(test)]
mod tests {
    use learnery_kernels::math;
    use learnery_kernels::rng::Stream;
    use learnery_worlds::control::Kind;

    use super::*;
    use crate::external::{ExternalActions, ExternalSpaces};
    use crate::policy::LogStds;

    fn external(low: &[f32], high: &[f32]) -> Task {
        let actions = ExternalActions::Numbers { low: low.to_vec(), high: high.to_vec() };
        Task::External(ExternalSpaces { name: String::new(), inputs: 1, actions }.into())
    }

    /// The result is that of the scalar tanh of each number, for numbers of rows below, at and above a SIMD
    /// vector and [`ROWS`]. The centres of all intervals are 0 in the policy's unit.
    #[test]
    fn numbers_are_squashed_independently() {
        let no_bound = f32::INFINITY;
        // Half the width of the interval of each number, in the policy's unit; `None` where it is not
        // squashed.
        let tasks = [
            // The policy's unit is the torque in Pendulum, elsewhere half of the interval.
            (Task::BuiltIn(Kind::Pendulum), vec![Some(2.0)]),
            (external(&[-3.0, 0.0], &[1.0, 9.0]), vec![Some(1.0), Some(1.0)]),
            (external(&[-1.0, -no_bound, 0.0], &[1.0, no_bound, no_bound]), vec![Some(1.0), None, None]),
        ];
        for (task, halves) in tasks {
            let bounds = Bounds::new(ActionBounds::Squashed, &task);
            for rows in (1..40).chain([100]) {
                let mut numbers = vec![0.0; rows * halves.len()];
                Stream::new(3, 4).fill_normal(rows as u64, &mut numbers);
                numbers.iter_mut().for_each(|x| *x *= 4.0);
                let mut actions = numbers.clone();
                bounds.squash(&mut actions);
                for ((action, number), half) in actions.iter().zip(&numbers).zip(halves.iter().cycle()) {
                    let expected = half.map_or(*number, |half| half * math::tanh(*number));
                    assert_eq!(action.to_bits(), expected.to_bits(), "{rows} rows of {task:?}");
                }
            }
        }
    }

    #[test]
    fn largest_numbers_reach_the_bounds_and_no_further() {
        let bounds = Bounds::new(ActionBounds::Squashed, &Task::BuiltIn(Kind::Pendulum));
        let mut actions = [-f32::INFINITY, -1e30, 0.0, 1e30, f32::INFINITY];
        bounds.squash(&mut actions);
        assert_eq!(actions, [-2.0, -2.0, 0.0, 2.0, 2.0]);
    }

    #[test]
    fn greedy_actions_are_the_tanh_of_the_mean_or_the_mean() {
        let (task, policy) = (Task::BuiltIn(Kind::Pendulum), Policy::Normal(LogStds::new(&[0.3])));
        let means = [0.5, -3.0];
        let mut actions = [9.0; 2];
        Bounds::new(ActionBounds::Clipped, &task).greedy(policy, &means, &mut actions);
        assert_eq!(actions, means);
        Bounds::new(ActionBounds::Squashed, &task).greedy(policy, &means, &mut actions);
        assert_eq!(actions, means.map(|mean| 2.0 * math::tanh(mean)));
    }

    #[test]
    fn discrete_actions_are_not_squashed() {
        let task = Task::BuiltIn(Kind::Acrobot);
        let bounds = Bounds::new(ActionBounds::Squashed, &task);
        let mut actions = [0.0; 2];
        bounds.greedy(Policy::Categorical(3), &[0.0, 1.0, 3.0, 0.0, 1.0, 0.0], &mut actions);
        assert!(!bounds.is_squashed());
        assert_eq!(actions, [2.0, 1.0]);
    }
}
