//! Bounds that the numbers of a world never leave, as far as they follow from its rules.

use crate::graph::{Given, Id, Judge, Range};
use crate::limits::MAX_JUDGED;
use crate::world::World;

/// What is known of a world, for all parameters within their ranges, all actions and all random numbers.
/// After a fault an episode has other numbers: those before the step, or zeros.
#[derive(Clone, Debug, PartialEq)]
pub struct Bounds {
    /// Of the state, at the beginning of an episode and after any step.
    pub state: Vec<Range>,
    pub reward: Range,
    /// Of what the agent sees after a step.
    pub observations: Vec<Range>,
    /// Whether a `fail` of the text may hold after a step.
    pub may_fail: bool,
    pub may_succeed: bool,
    /// Whether an episode may end by a fault.
    pub may_fault: bool,
}

impl World {
    /// The bounds of its numbers; `None` for a world that is too large. The warnings about the text follow
    /// from the same ranges.
    pub fn bounds(&self) -> Option<Bounds> {
        let n = self.spec().state.len();
        let (begin, step) = (&self.programs.begin, &self.programs.step);
        let (next, rest) = step.split_at(n);
        let &[reward, failed, succeeded, ref seen @ ..] = rest else { return None };
        let mut judge = Judge::new(self.graph.clone(), MAX_JUDGED);
        let nodes: Vec<Id> = begin.iter().chain(step).copied().collect();
        let ranges = judge.ranges(&Given::of(self.spec()), &begin[..n], next, &nodes)?;
        let outputs: Vec<Id> = next.iter().chain([&reward]).chain(seen).copied().collect();
        let (of_begin, of_step) = (judge.live(begin.iter().copied())?, judge.live(step.iter().copied())?);
        let may_fault = ranges.may_fault(&judge.graph, &of_step, &outputs)
            || ranges.may_fault(&judge.graph, &of_begin, begin);
        Some(Bounds {
            reward: ranges.of(reward),
            observations: seen.iter().map(|id| ranges.of(*id)).collect(),
            may_fail: ranges.of(failed).may_hold(),
            may_succeed: ranges.of(succeeded).may_hold(),
            may_fault,
            state: ranges.state,
        })
    }
}
