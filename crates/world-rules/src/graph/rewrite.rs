//! What follows in a graph if more is known: nodes with some inputs given, and conditions that imply others.
//! Both only ever claim what holds for all values of the other inputs. The warnings about a text
//! (`check/warnings.rs`) are conclusions from these.
//!
//! A [`Judge`] answers such questions as long as the work for it lasts. Each question has bounds of its own
//! too, but a text may ask thousands of them.

use std::collections::HashMap;

use super::{Binary, Graph, Id, Op, Ternary, Unary};

/// Pairs of conditions that are compared before a question is given up.
const MAX_COMPARED: usize = 2_000;
/// How deep conditions are followed.
const MAX_DEPTH: usize = 100;
/// The most different comparisons and truth values (*atoms*) in conditions of which all cases are tried: 2^9
/// cases.
const MAX_ATOMS: usize = 9;
/// The most parts of these conditions: atoms, `and`s and `or`s.
const MAX_PARTS: usize = 200;
/// The work of a question, beside the nodes that are looked at for it.
const QUESTION: usize = 64;

/// A comparison of a node with a number.
#[derive(Clone, Copy)]
struct Bound {
    subject: Id,
    limit: f32,
    /// Whether the subject is above the limit; else it is below.
    is_above: bool,
    is_strict: bool,
}

/// Answers questions about a graph, to which it adds nodes that belong to no program.
pub(crate) struct Judge {
    pub graph: Graph,
    /// The work that is left, mostly nodes to look at. A count decides and not a clock, so every machine finds
    /// the same.
    left: usize,
    /// What was found out about pairs of conditions: a text may repeat its lines.
    implied: HashMap<(Id, Id), bool>,
}

impl Judge {
    pub fn new(graph: Graph, work: usize) -> Self {
        Self { graph, left: work, implied: HashMap::new() }
    }

    /// The work that is left.
    pub fn left(&self) -> usize {
        self.left
    }

    /// Takes work from what is left. `None` if it is not enough; then no later question is answered either.
    pub fn spend(&mut self, work: usize) -> Option<()> {
        let left = self.left.checked_sub(work);
        self.left = left.unwrap_or(0);
        left.map(drop)
    }

    /// The nodes that `outputs` need, in ascending order; `None` without work left.
    pub fn live(&mut self, outputs: impl IntoIterator<Item = Id>) -> Option<Vec<Id>> {
        self.spend(self.graph.len())?;
        Some(self.graph.live(outputs))
    }

    /// The nodes with these inputs given, simplified anew; `None` without work left.
    pub fn with_inputs(&mut self, nodes: &[Id], given: impl Fn(Op) -> Option<f32>) -> Option<Vec<Id>> {
        let live = self.live(nodes.iter().copied())?;
        // To add a node takes longer than to look at it.
        self.spend(4 * live.len())?;
        Some(self.graph.with_inputs(nodes, &live, given))
    }

    /// Whether `b` is known to hold wherever `a` does. False also means that it was not found out.
    pub fn implies(&mut self, a: Id, b: Id) -> bool {
        if let Some(known) = self.implied.get(&(a, b)).copied() {
            return self.spend(1).is_some() && known;
        }
        if self.spend(QUESTION).is_none() {
            return false;
        }
        let holds = self.implies_by_parts(a, b, MAX_DEPTH, &mut 0) || self.implies_in_all_cases(a, b);
        self.implied.insert((a, b), holds);
        holds
    }

    /// Looks for a part of `b` that follows from a part of `a`, in conditions of any size.
    fn implies_by_parts(&mut self, a: Id, b: Id, depth: usize, compared: &mut usize) -> bool {
        *compared += 1;
        if *compared > MAX_COMPARED || depth == 0 || self.spend(1).is_none() {
            return false;
        }
        if a == b || self.graph.is(a, 0.0) || self.graph.is(b, 1.0) {
            return true;
        }
        let mut implies = |judge: &mut Self, a, b| judge.implies_by_parts(a, b, depth - 1, compared);
        let (of_a, of_b) = (self.graph.connective(a), self.graph.connective(b));
        if let Some((Binary::Or, [x, y])) = of_a {
            return implies(self, x, b) && implies(self, y, b);
        }
        if let Some((Binary::And, [x, y])) = of_b {
            return implies(self, a, x) && implies(self, a, y);
        }
        if let Some((Binary::Or, [x, y])) = of_b
            && (implies(self, a, x) || implies(self, a, y))
        {
            return true;
        }
        if let Some((Binary::And, [x, y])) = of_a {
            return implies(self, x, b) || implies(self, y, b);
        }
        self.graph.implies_by_bounds(a, b)
    }

    /// Tries every assignment of truth values to the atoms of both. This finds what parts alone do not show, such
    /// as that `a` implies `(a and b) or (a and not b)`.
    fn implies_in_all_cases(&mut self, a: Id, b: Id) -> bool {
        let mut cases = Cases::default();
        let graph = &mut self.graph;
        let both = (cases.add(graph, a, MAX_DEPTH), cases.add(graph, b, MAX_DEPTH));
        if self.spend(cases.parts.len()).is_none() {
            return false;
        }
        let (Some(a), Some(b)) = both else { return false };
        // Pairs of atoms that cannot have these values together, because they compare one number: the mask of
        // their bits, and the values.
        let mut excluded: Vec<(u32, u32)> = Vec::new();
        // For each atom what holds if its bit is 0, and what holds if it is 1. The values v and w of two
        // atoms exclude each other if the first one implies the opposite of the second one.
        let literals: Vec<[Id; 2]> = cases.atoms.iter().map(|atom| [self.graph.not(*atom), *atom]).collect();
        for (i, first) in literals.iter().enumerate() {
            for (j, second) in literals.iter().enumerate().skip(i + 1) {
                for (v, w) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                    if self.graph.implies_by_bounds(first[v], second[1 - w]) {
                        excluded.push((1 << i | 1 << j, (v as u32) << i | (w as u32) << j));
                    }
                }
            }
        }
        let mut values = Vec::new();
        (0..1 << literals.len()).all(|case: u32| {
            if self.spend(excluded.len() + cases.parts.len()).is_none() {
                return false;
            }
            excluded.iter().any(|(bits, which)| case & bits == *which) || {
                cases.evaluate(case, &mut values);
                !values[a] || values[b]
            }
        })
    }
}

impl Graph {
    /// The nodes with these inputs given, simplified anew. `live` are those that they need.
    fn with_inputs(&mut self, nodes: &[Id], live: &[Id], given: impl Fn(Op) -> Option<f32>) -> Vec<Id> {
        let mut copies: Vec<Id> = (0..self.ops.len() as u32).map(Id).collect();
        for id in live {
            let id = *id;
            let get = |id: Id| copies[id.index()];
            let copy = match self.op(id) {
                Op::Unary(f, a) => self.unary(f, get(a)),
                Op::Binary(f, a, b) => self.binary(f, get(a), get(b)),
                Op::Ternary(Ternary::Select, [c, a, b]) => self.select(get(c), get(a), get(b)),
                Op::Ternary(f, [a, b, c]) => self.multiply_add(f, get(a), get(b), get(c)),
                Op::Check(value, bad, site) => self.check(get(value), get(bad), site),
                Op::Lookup(table, index) => match self.value(get(index)) {
                    Some(index) => {
                        let table = &self.tables[usize::from(table)];
                        let element = table[(index as usize).min(table.len() - 1)];
                        self.constant(element)
                    }
                    None => self.lookup(table, get(index)),
                },
                leaf => given(leaf).map_or(id, |x| self.constant(x)),
            };
            copies[id.index()] = copy;
        }
        nodes.iter().map(|id| copies[id.index()]).collect()
    }

    fn implies_by_bounds(&self, a: Id, b: Id) -> bool {
        let [Some(wanted), None] = self.bounds(b) else { return false };
        self.bounds(a).into_iter().flatten().any(|known| self.is_within(known, wanted))
    }

    /// The parts of an `and` or `or`, also of one that is denied.
    fn connective(&mut self, id: Id) -> Option<(Binary, [Id; 2])> {
        match self.op(id) {
            Op::Binary(f @ (Binary::And | Binary::Or), x, y) => Some((f, [x, y])),
            Op::Unary(Unary::Not, inner) => match self.op(inner) {
                Op::Binary(Binary::And, x, y) => Some((Binary::Or, [self.not(x), self.not(y)])),
                Op::Binary(Binary::Or, x, y) => Some((Binary::And, [self.not(x), self.not(y)])),
                _ => None,
            },
            _ => None,
        }
    }

    /// A comparison with a number as one bound; an equality as two.
    fn bounds(&self, id: Id) -> [Option<Bound>; 2] {
        let Op::Binary(f, x, y) = self.op(id) else { return [None; 2] };
        let is_strict = f == Binary::Less;
        let (subject, limit, is_above) = match (self.value(x), self.value(y)) {
            (None, Some(limit)) => (x, limit, false),
            (Some(limit), None) => (y, limit, true),
            _ => return [None; 2],
        };
        let bound = Bound { subject, limit, is_above, is_strict };
        match f {
            Binary::Less | Binary::AtMost => [Some(bound), None],
            Binary::Equal => [false, true].map(|is_above| Some(Bound { is_above, ..bound })),
            _ => [None; 2],
        }
    }

    /// Whether what keeps to `known` keeps to `wanted` as well.
    fn is_within(&self, known: Bound, wanted: Bound) -> bool {
        let is_tighter = |known: Bound| {
            known.is_above == wanted.is_above
                && match wanted.is_above {
                    true if known.limit != wanted.limit => known.limit > wanted.limit,
                    false if known.limit != wanted.limit => known.limit < wanted.limit,
                    _ => known.is_strict || !wanted.is_strict,
                }
        };
        if known.subject == wanted.subject {
            return is_tighter(known);
        }
        let opposite = Bound { limit: -known.limit, is_above: !known.is_above, ..known };
        let is_magnitude_of = |a: Id, b: Id| self.op(a) == Op::Unary(Unary::Abs, b);
        if is_magnitude_of(wanted.subject, known.subject) {
            // A number beyond a limit on either side has a magnitude beyond it.
            return wanted.is_above && (is_tighter(known) || is_tighter(opposite));
        }
        // A magnitude below a limit keeps a number between both signs of it.
        is_magnitude_of(known.subject, wanted.subject)
            && !known.is_above
            && (is_tighter(known) || is_tighter(opposite))
    }
}

/// Conditions, down to the comparisons and truth values that they are made of.
#[derive(Default)]
struct Cases {
    atoms: Vec<Id>,
    /// Operands stand before what uses them.
    parts: Vec<Part>,
    known: HashMap<Id, usize>,
}

#[derive(Clone, Copy)]
enum Part {
    /// A bit of the case, denied or not.
    Atom(usize, bool),
    Both([usize; 2]),
    Either([usize; 2]),
}

impl Cases {
    /// The index of the part that is this condition; `None` if it is too large.
    fn add(&mut self, graph: &mut Graph, id: Id, depth: usize) -> Option<usize> {
        if let Some(part) = self.known.get(&id) {
            return Some(*part);
        }
        if depth == 0 || self.parts.len() == MAX_PARTS {
            return None;
        }
        let part = match graph.connective(id) {
            Some((f, [x, y])) => {
                let operands = [self.add(graph, x, depth - 1)?, self.add(graph, y, depth - 1)?];
                if f == Binary::And { Part::Both(operands) } else { Part::Either(operands) }
            }
            None => {
                // Of two conditions that deny each other, the first one that was found is the atom.
                let denied = graph.not(id);
                let is_denied = self.atoms.contains(&denied);
                let atom = if is_denied { denied } else { id };
                let bit = self.atoms.iter().position(|known| *known == atom).unwrap_or(self.atoms.len());
                if bit == self.atoms.len() {
                    self.atoms.push(atom);
                }
                if self.atoms.len() > MAX_ATOMS {
                    return None;
                }
                Part::Atom(bit, is_denied)
            }
        };
        self.parts.push(part);
        self.known.insert(id, self.parts.len() - 1);
        Some(self.parts.len() - 1)
    }

    /// The truth values of all parts in a case.
    fn evaluate(&self, case: u32, values: &mut Vec<bool>) {
        values.clear();
        for part in &self.parts {
            values.push(match *part {
                Part::Atom(bit, is_denied) => (case >> bit & 1 == 1) != is_denied,
                Part::Both([x, y]) => values[x] && values[y],
                Part::Either([x, y]) => values[x] || values[y],
            });
        }
    }
}
