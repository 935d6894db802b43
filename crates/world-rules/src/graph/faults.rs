//! Faults without branches: which faults reach the outputs becomes a part of the graph.
//!
//! Vector code computes both branches of an `if`, so a division by zero in the branch that is not taken must
//! not count. For each value this pass builds a truth value that says whether a fault has reached it: that of
//! the operands, but of an `if` only that of the condition and of the branch taken, of `and` and `or` only
//! that of the operands that decide. The checks themselves disappear. Values are copied as they are
//! (`Graph::insert`): to simplify them again could change which products are fused with a sum (multiply-add),
//! and with them the last bits of the results.

use super::{Binary, Graph, Id, Op, Ternary};

/// A graph without [`Op::Check`].
#[derive(Clone, Debug)]
pub(crate) struct Faultless {
    pub graph: Graph,
    pub outputs: Vec<Id>,
    /// Whether a fault has reached any of the outputs.
    pub fault: Id,
}

/// Copies what `outputs` need, without checks, and builds the truth value of their faults.
pub(crate) fn without_faults(from: &Graph, outputs: &[Id]) -> Faultless {
    let mut graph = Graph { tables: from.tables.clone(), ..Graph::default() };
    let never = graph.truth(false);
    // For each old node its value and its fault.
    let mut copies = vec![(never, never); from.len()];
    for id in from.live(outputs.iter().copied()) {
        copies[id.index()] = copy(&mut graph, from.op(id), never, |id| copies[id.index()]);
    }
    let mut fault = never;
    for output in outputs {
        fault = either(&mut graph, fault, copies[output.index()].1);
    }
    Faultless { outputs: outputs.iter().map(|id| copies[id.index()].0).collect(), fault, graph }
}

fn copy(graph: &mut Graph, op: Op, never: Id, get: impl Fn(Id) -> (Id, Id)) -> (Id, Id) {
    match op {
        Op::Unary(f, a) => {
            let (a, fault) = get(a);
            (graph.insert(Op::Unary(f, a)), fault)
        }
        Op::Lookup(table, index) => {
            let (index, fault) = get(index);
            (graph.insert(Op::Lookup(table, index)), fault)
        }
        Op::Binary(f, a, b) => {
            let ((a, fault_a), (b, fault_b)) = (get(a), get(b));
            let fault_b = match f {
                // The second operand decides only if the first one does not.
                Binary::And => graph.binary(Binary::And, a, fault_b),
                // The condition only spares a `not` that nobody uses.
                Binary::Or if fault_b != never => {
                    let not_a = graph.not(a);
                    graph.binary(Binary::And, not_a, fault_b)
                }
                _ => fault_b,
            };
            (graph.insert(Op::Binary(f, a, b)), either(graph, fault_a, fault_b))
        }
        Op::Ternary(Ternary::Select, [c, a, b]) => {
            let ((c, fault_c), (a, fault_a), (b, fault_b)) = (get(c), get(a), get(b));
            let taken = select_truth(graph, c, fault_a, fault_b);
            let value = graph.insert(Op::Ternary(Ternary::Select, [c, a, b]));
            (value, either(graph, fault_c, taken))
        }
        Op::Ternary(f, abc) => {
            let [(a, fault_a), (b, fault_b), (c, fault_c)] = abc.map(&get);
            let fault = either(graph, fault_a, fault_b);
            (graph.insert(Op::Ternary(f, [a, b, c])), either(graph, fault, fault_c))
        }
        Op::Check(value, bad, _) => {
            let ((value, fault), (bad, fault_bad)) = (get(value), get(bad));
            let fault = either(graph, fault, fault_bad);
            (value, either(graph, fault, bad))
        }
        leaf @ (Op::Constant(_)
        | Op::Parameter(_)
        | Op::State(_)
        | Op::Action(_)
        | Op::Uniform(_)
        | Op::Normal(_)) => (graph.insert(leaf), never),
    }
}

/// `a or b`; just `a` if `b` is one of its operands, and the reverse.
fn either(graph: &mut Graph, a: Id, b: Id) -> Id {
    if graph.is_part(Binary::Or, a, b) {
        a
    } else if graph.is_part(Binary::Or, b, a) {
        b
    } else {
        graph.binary(Binary::Or, a.min(b), a.max(b))
    }
}

/// `if condition then a else b` of truth values.
fn select_truth(graph: &mut Graph, condition: Id, a: Id, b: Id) -> Id {
    if graph.is(b, 0.0) {
        return graph.binary(Binary::And, condition, a);
    }
    if graph.is(a, 0.0) {
        let otherwise = graph.not(condition);
        return graph.binary(Binary::And, otherwise, b);
    }
    graph.select(condition, a, b)
}
