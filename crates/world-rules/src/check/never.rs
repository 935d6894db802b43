//! Warnings about what never happens in any state that an episode can reach, by the ranges of numbers.

use std::collections::BTreeMap;

use super::scope::Checker;
use super::warnings::Rules;
use crate::graph::{Given, Graph, Id, Judge, Op, Range, Ranges};
use crate::syntax::ast::Kind;
use crate::world::Spec;

/// Variables whose ranges a help tells.
const MAX_TOLD: usize = 3;
/// Larger bounds are not told. They come from the arithmetic, such as 2^24, where `n + 1` is `n`.
const LARGEST_TOLD: f32 = 1e6;

/// What never happens: a field is true if so. Nothing is known if the work for it did not last.
#[derive(Default)]
pub(super) struct Never {
    ranges: Option<Ranges>,
    /// No episode ends by a line or a fault. A `limit` is not looked at.
    pub ends: bool,
    /// The reward is always zero.
    pub rewards: bool,
    /// The numbers that the agent sees do not change; one truth value for each.
    pub changes: Vec<bool>,
    /// The same of the numbers of the state.
    pub moves: Vec<bool>,
    /// The statements with ends that never hold, and their conditions.
    dead_ends: BTreeMap<usize, Id>,
}

impl Never {
    pub fn find(judge: &mut Judge, spec: &Spec, rules: &Rules<'_>) -> Self {
        let Rules { begin, next, reward, reached, any, .. } = rules;
        // `reached` has the ends as a step calculates them, `any` the same conditions of a stored state. One
        // proof is enough: a condition may hold only in a state that is out of range, which is not stored.
        let outputs: Vec<Id> = next.iter().chain([reward]).chain(&reached.observations).copied().collect();
        let ends = reached.ends.iter().chain(&any.ends).map(|(_, id)| *id);
        let nodes: Vec<Id> =
            outputs.iter().copied().chain(ends).chain(any.observations.iter().copied()).collect();
        let Some(ranges) = judge.ranges(&Given::of(spec), begin, next, &nodes) else {
            return Self::default();
        };
        let may_hold = |id: Id| ranges.of(id).may_hold();
        // A fault while a condition is calculated ends the episode, whatever its value.
        let stepped: Vec<Id> =
            outputs.iter().copied().chain(reached.ends.iter().map(|(_, id)| *id)).collect();
        let (Some(of_step), Some(of_begin)) = (judge.live(stepped), judge.live(begin.iter().copied())) else {
            return Self::default();
        };
        let graph = &judge.graph;
        let may_fault =
            ranges.may_fault(graph, &of_step, &outputs) || ranges.may_fault(graph, &of_begin, begin);
        let pairs = || reached.ends.iter().zip(&any.ends);
        let is_dead =
            |((_, after), (_, any)): &(&(usize, Id), &(usize, Id))| !may_hold(*after) || !may_hold(*any);
        let is_not_constant = |(_, (_, any)): &(&(usize, Id), &(usize, Id))| graph.value(*any).is_none();
        let dead_ends: BTreeMap<usize, Id> = pairs()
            .filter(|pair| is_dead(pair) && is_not_constant(pair))
            .map(|(_, (i, any))| (*i, *any))
            .collect();
        let is_constant = |id: &Id| ranges.of(*id).is_constant();
        Self {
            ends: !may_fault && pairs().all(|pair| is_dead(&pair)),
            rewards: ranges.of(*reward).is(0.0),
            changes: any.observations.iter().map(is_constant).collect(),
            moves: ranges.state.iter().map(Range::is_constant).collect(),
            dead_ends,
            ranges: Some(ranges),
        }
    }

    /// Whether the end of a statement never holds.
    pub fn is_dead(&self, statement: usize) -> bool {
        self.dead_ends.contains_key(&statement)
    }
}

impl<'a> Checker<'a, '_, '_> {
    /// Ends that never hold. A condition that is a constant is left out: it was written on purpose.
    pub(super) fn warn_of_dead_ends(&mut self, judge: &mut Judge, spec: &Spec, never: &Never) -> Option<()> {
        let Some(ranges) = &never.ranges else { return Some(()) };
        let statements = self.statements;
        for (i, condition) in &never.dead_ends {
            // Nobody reads more of them.
            if self.problems.is_full() {
                self.problems.leave_out(statements[*i].span);
                break;
            }
            let how = if matches!(statements[*i].kind, Kind::Fail(_)) { "fails" } else { "succeeds" };
            let message = format!("this never holds, so no episode {how} by it");
            let live = judge.live([*condition])?;
            let help = match told(&judge.graph, &live, ranges, spec) {
                told if told.is_empty() => "write a condition that some state meets".into(),
                told => format!("whatever the parameters and actions are, {}", told.join(" and ")),
            };
            self.problems.warning(statements[*i].span, message, help);
        }
        Some(())
    }
}

/// The ranges of the variables among these nodes.
fn told(graph: &Graph, nodes: &[Id], ranges: &Ranges, spec: &Spec) -> Vec<String> {
    let told = |id: &Id| {
        let Op::State(i) = graph.op(*id) else { return None };
        let (name, Range { low, high, .. }) = (&spec.state[usize::from(i)], ranges.state[usize::from(i)]);
        match (low > -LARGEST_TOLD, high < LARGEST_TOLD) {
            (true, true) if low == high => Some(format!("`{name}` is {low}")),
            (true, true) => Some(format!("`{name}` is between {low} and {high}")),
            (true, false) => Some(format!("`{name}` is at least {low}")),
            (false, true) => Some(format!("`{name}` is at most {high}")),
            (false, false) => None,
        }
    };
    nodes.iter().filter_map(told).take(MAX_TOLD).collect()
}
