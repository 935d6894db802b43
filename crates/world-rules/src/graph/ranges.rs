//! Bounds that the numbers of a world never leave, by interval arithmetic over the graph: from the ranges of
//! parameters and actions those of the state, and from these those of all nodes. They hold for all random
//! numbers, as long as no fault has reached a node. Where little is known they are wide.

use super::{Binary, Graph, Id, Judge, Op, Range, Ternary, Unary};
use crate::limits::LARGEST;
use crate::world::Spec;

/// What is known of the inputs of a world.
pub(crate) struct Given {
    pub parameters: Vec<Range>,
    pub actions: Vec<Range>,
}

impl Given {
    pub fn of(spec: &Spec) -> Self {
        let parameters = spec.parameters.iter().map(|p| Range::new(p.low, p.high)).collect();
        let bounds = (0..spec.actions.count()).map(|i| spec.actions.bounds(i));
        Self { parameters, actions: bounds.map(|(low, high)| Range::new(low, high)).collect() }
    }
}

/// The ranges of nodes.
pub(crate) struct Ranges {
    /// Of what was asked for and what it needs; others have any value.
    of_nodes: Vec<Range>,
    /// Of the numbers of the state, at the beginning of an episode and after any step.
    pub state: Vec<Range>,
    work: usize,
}

/// Rounds in which the state's ranges grow as a step makes them grow.
const EXACT_ROUNDS: usize = 2;
/// Rounds until which they grow to the next constant of the world, where they often end.
const CONSTANT_ROUNDS: usize = 8;
/// Rounds until which they grow to zero or the next power of two. After that nothing is known of what still
/// grows.
const DOUBLING_ROUNDS: usize = 24;
/// Rounds in which ranges that grew too far shrink again.
const SHRINKING_ROUNDS: usize = 2;
/// The work for a node: its range has several corners.
const WORK: usize = 4;
/// Conditions, and parts of them, that are looked at for a branch: those of its `if` and of those around it.
const MAX_CONDITIONS: usize = 16;
/// How deep an `if` within a branch of another one is followed.
const MAX_BRANCHES: usize = 3;
/// The part of the work that is left which may be spent on ranges.
const SHARE: usize = 4;

impl Judge {
    /// The ranges of the state and of these nodes. `begin` and `next` are the state at the beginning of an
    /// episode and after a step. `None` if a part of the work that is left is not enough.
    pub fn ranges(&mut self, given: &Given, begin: &[Id], next: &[Id], nodes: &[Id]) -> Option<Ranges> {
        let beginning = self.live(begin.iter().copied())?;
        let rules = self.live(next.iter().copied())?;
        let others = self.live(nodes.iter().copied())?;
        let of_nodes = vec![Range::ANY; self.graph.len()];
        let mut ranges = Ranges { of_nodes, state: Vec::new(), work: 2 * rules.len() };
        let most = self.left() / SHARE;
        let found = ranges.find(&self.graph, given, [begin, next], [&beginning, &rules, &others], most);
        self.spend(ranges.work)?;
        found.then_some(ranges)
    }
}

/// The constants of the rules and the bounds of their inputs, with both signs, in ascending order.
fn ladder(graph: &Graph, rules: &[Id], given: &Given) -> Vec<f32> {
    let bounds = given.parameters.iter().chain(&given.actions).flat_map(|range| [range.low, range.high]);
    let mut ladder: Vec<f32> = rules.iter().filter_map(|id| graph.value(*id)).chain(bounds).collect();
    ladder.extend(ladder.clone().iter().map(|x| -x));
    ladder.sort_by(f32::total_cmp);
    ladder
}

/// A bound that is not below `x`. The later the round, the wider it is, so that the search ends.
fn wider(x: f32, round: usize, ladder: &[f32]) -> f32 {
    if round < EXACT_ROUNDS {
        return x;
    }
    let constant = ladder.get(ladder.partition_point(|step| *step < x)).copied();
    if let (Some(constant), true) = (constant, round < CONSTANT_ROUNDS) {
        return constant.min(LARGEST);
    }
    if round >= DOUBLING_ROUNDS {
        return LARGEST;
    }
    if x <= 0.0 {
        return 0.0;
    }
    // Rounded up to a number without a mantissa.
    f32::from_bits((x.to_bits() + 0x007f_ffff) & 0xff80_0000).min(LARGEST)
}

impl Ranges {
    /// Finds the ranges; false if it would take more than `most` work.
    fn find(
        &mut self,
        graph: &Graph,
        given: &Given,
        [begin, next]: [&[Id]; 2],
        [beginning, rules, others]: [&[Id]; 3],
        most: usize,
    ) -> bool {
        self.calculate(graph, beginning, given);
        let begun: Vec<Range> = begin.iter().map(|id| self.of(*id).of_state()).collect();
        self.state.clone_from(&begun);
        let ladder = ladder(graph, rules, given);
        for round in 0.. {
            self.calculate(graph, rules, given);
            if self.work > most {
                return false;
            }
            let mut is_stable = true;
            for (i, id) in next.iter().enumerate() {
                let (known, reached) = (self.state[i], self.of(*id).of_state());
                if reached.low < known.low {
                    self.state[i].low = -wider(-reached.low, round, &ladder);
                    is_stable = false;
                }
                if reached.high > known.high {
                    self.state[i].high = wider(reached.high, round, &ladder);
                    is_stable = false;
                }
            }
            if is_stable {
                break;
            }
        }
        // The ranges now hold every state that can be reached. So do the beginnings together with what a step
        // makes of these ranges, which may be less.
        for _ in 0..SHRINKING_ROUNDS {
            for (i, id) in next.iter().enumerate() {
                self.state[i] = begun[i].hull(self.of(*id).of_state());
            }
            self.calculate(graph, rules, given);
        }
        self.calculate(graph, others, given);
        self.work <= most
    }

    pub fn of(&self, id: Id) -> Range {
        self.of_nodes[id.index()]
    }

    /// Whether a fault may reach one of these outputs, which `nodes` are all that they need.
    pub fn may_fault(&self, graph: &Graph, nodes: &[Id], outputs: &[Id]) -> bool {
        let is_fault = |id: &Id| matches!(graph.op(*id), Op::Check(_, bad, _) if self.of(bad).may_hold());
        nodes.iter().any(is_fault) || outputs.iter().any(|id| self.of(*id).may_be_out_of_range())
    }

    /// The ranges of nodes, in ascending order, from those of the state.
    fn calculate(&mut self, graph: &Graph, nodes: &[Id], given: &Given) {
        for id in nodes {
            let op = graph.op(*id);
            self.work += WORK;
            self.of_nodes[id.index()] = self.calculated(graph, op, given);
        }
    }

    fn calculated(&mut self, graph: &Graph, op: Op, given: &Given) -> Range {
        match op {
            Op::Constant(bits) => Range::around(&[f32::from_bits(bits)]),
            Op::Parameter(i) => given.parameters[usize::from(i)],
            Op::Action(i) => given.actions.get(usize::from(i)).copied().unwrap_or(Range::ANY),
            Op::State(i) => self.state.get(usize::from(i)).copied().unwrap_or(Range::ANY),
            Op::Uniform(_) => Range::new(0.0, 1.0f32.next_down()),
            // By Box and Muller its magnitude is at most the root of -2 ln 2^-32, some 6.7.
            Op::Normal(_) => Range::new(-8.0, 8.0),
            Op::Unary(f, a) => self.of(a).unary(f),
            Op::Binary(f, a, b) => self.of(a).binary(f, self.of(b)),
            Op::Ternary(Ternary::MulAdd, [a, b, c]) => self.of(a).multiply_add(self.of(b), self.of(c)),
            Op::Ternary(Ternary::MulSub, [a, b, c]) => {
                self.of(a).multiply_add(self.of(b), self.of(c).negated())
            }
            Op::Ternary(Ternary::NegMulAdd, [a, b, c]) => {
                self.of(a).negated().multiply_add(self.of(b), self.of(c))
            }
            Op::Ternary(Ternary::Select, branches) => self.selected(graph, branches, &[], MAX_BRANCHES),
            Op::Lookup(table, index) => {
                let table = &graph.tables()[usize::from(table)];
                let (last, index) = (table.len() - 1, self.of(index));
                let first = if index.may_be_nan { 0 } else { (index.low as usize).min(last) };
                let elements = &table[first..=(index.high as usize).min(last)];
                self.work += elements.len();
                Range::around(elements)
            }
            // What has not passed the check is a fault.
            Op::Check(value, bad, _) => match (graph.op(value), graph.op(bad)) {
                (Op::Unary(Unary::Sqrt, x), Op::Binary(Binary::Less, y, _))
                | (Op::Unary(Unary::Log, x), Op::Binary(Binary::AtMost, y, _))
                    if x == y =>
                {
                    Range { may_be_nan: self.of(x).may_be_nan, ..self.of(value) }
                }
                (Op::Binary(Binary::Div, x, y), Op::Binary(Binary::Equal, a, b))
                    if (a == y && graph.is(b, 0.0)) || (b == y && graph.is(a, 0.0)) =>
                {
                    self.of(x).over(self.of(y).without_zero())
                }
                _ => self.of(value),
            },
        }
    }

    /// The range of an `if`, given conditions, each with whether it holds.
    fn selected(
        &mut self,
        graph: &Graph,
        [condition, then, otherwise]: [Id; 3],
        known: &[(Id, bool)],
        depth: usize,
    ) -> Range {
        let truth = self.of(condition);
        let mut branch = |id: Id, holds| {
            let conditions = [known, &[(condition, holds)]].concat();
            match graph.op(id) {
                Op::Ternary(Ternary::Select, branches) if depth > 0 => {
                    self.selected(graph, branches, &conditions, depth - 1)
                }
                _ => self.given(graph, conditions, id),
            }
        };
        match (truth.may_hold(), truth.low > 0.0 && !truth.may_be_nan) {
            (true, true) => branch(then, true),
            (true, false) => branch(then, true).hull(branch(otherwise, false)),
            (false, _) => branch(otherwise, false),
        }
    }

    /// The range of a node, given conditions, each with whether it holds.
    fn given(&mut self, graph: &Graph, mut conditions: Vec<(Id, bool)>, id: Id) -> Range {
        let mut range = self.of(id);
        self.work += 1;
        if range.is_constant() {
            return range;
        }
        for _ in 0..MAX_CONDITIONS {
            let Some((condition, holds)) = conditions.pop() else { break };
            self.work += 1;
            match graph.op(condition) {
                Op::Unary(Unary::Not, inner) => conditions.push((inner, !holds)),
                Op::Binary(Binary::And, a, b) if holds => conditions.extend([(a, true), (b, true)]),
                Op::Binary(Binary::Or, a, b) if !holds => conditions.extend([(a, false), (b, false)]),
                Op::Binary(Binary::Less, a, b) => range = self.compared(graph, [a, b], holds, id, range),
                // `not (b < a)`
                Op::Binary(Binary::AtMost, a, b) => {
                    range = self.compared(graph, [b, a], !holds, id, range);
                }
                _ => {}
            }
        }
        range
    }

    /// What is left of the range of a node where `a < b`, or where that is false, as it is of NaN.
    fn compared(&self, graph: &Graph, [a, b]: [Id; 2], is_less: bool, id: Id, range: Range) -> Range {
        let is_magnitude = |other: Id| graph.op(other) == Op::Unary(Unary::Abs, id);
        let (of_a, of_b) = (self.of(a), self.of(b));
        let (low, high) = match is_less {
            true if id == a => (f32::NEG_INFINITY, of_b.high.next_down()),
            true if id == b => (of_a.low.next_up(), f32::INFINITY),
            true if is_magnitude(a) => (-of_b.high.next_down(), of_b.high.next_down()),
            false if id == a && !of_b.may_be_nan => (of_b.low, f32::INFINITY),
            false if id == b && !of_a.may_be_nan => (f32::NEG_INFINITY, of_a.high),
            false if is_magnitude(b) && !of_a.may_be_nan => (-of_a.high, of_a.high),
            _ => return range,
        };
        Range { may_be_nan: range.may_be_nan && !is_less, ..range.within(low, high) }
    }
}
