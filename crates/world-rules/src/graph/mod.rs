//! The graph of operations that a world is computed by: static single assignment, every operation once (hash
//! consing). Operands stand before what uses them.
//!
//! Truth values are the numbers 0 and 1. In the class of bits `fused` a multiply-add is rounded once, in
//! `plain` twice. The graph is the same for both: operations on constants are computed when they are added
//! only if their result is the same in both classes. The others are computed when the program runs, in vector
//! code once (`Code::set_parameters`). All simplifications are exact, to the sign of a zero.

mod faults;
mod operations;
mod range;
mod ranges;
mod rewrite;

pub(crate) use faults::{Faultless, without_faults};
pub(crate) use operations::{apply, unary_lanes};
pub use range::Range;
pub(crate) use ranges::{Given, Ranges};
pub(crate) use rewrite::Judge;

use std::collections::HashMap;

use crate::limits::MAX_NODES;

/// The index of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Id(pub(crate) u32);

impl Id {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Functions of one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unary {
    Abs,
    Floor,
    Sqrt,
    Exp,
    Log,
    Sin,
    Cos,
    Tanh,
    /// An angle wrapped to half a turn either way.
    Wrap,
    Not,
}

/// Functions of two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Binary {
    Add,
    Sub,
    Mul,
    Div,
    /// `if a < b { a } else { b }`
    Min,
    /// `if a > b { a } else { b }`
    Max,
    /// `a < b`
    Less,
    /// `not (b < a)`
    AtMost,
    Equal,
    NotEqual,
    And,
    Or,
}

/// Functions of three numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ternary {
    /// `a * b + c`
    MulAdd,
    /// `a * b - c`
    MulSub,
    /// `c - a * b`
    NegMulAdd,
    /// `if a { b } else { c }`
    Select,
}

/// A node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    /// A constant, by its bits.
    Constant(u32),
    /// A parameter of the world.
    Parameter(u16),
    /// A number of the state.
    State(u16),
    /// The action: the number of a choice, or a continuous action within its bounds.
    Action(u16),
    /// A uniform random number in [0, 1), by its index among those of the step.
    Uniform(u16),
    /// A standard normal random number, by its index among those of the step.
    Normal(u16),
    Unary(Unary, Id),
    Binary(Binary, Id, Id),
    Ternary(Ternary, [Id; 3]),
    /// Element `floor(index)` of a table; the nearest one, if there is none.
    Lookup(u16, Id),
    /// The value of the first node, which is a fault if the second one is true. The number is the index of
    /// the place in the text (`world::Site`).
    Check(Id, Id, u16),
}

impl Op {
    /// Calls `f` with every operand.
    pub fn operands(&self, mut f: impl FnMut(Id)) {
        match *self {
            Self::Constant(_)
            | Self::Parameter(_)
            | Self::State(_)
            | Self::Action(_)
            | Self::Uniform(_)
            | Self::Normal(_) => {}
            Self::Unary(_, a) | Self::Lookup(_, a) => f(a),
            Self::Binary(_, a, b) | Self::Check(a, b, _) => {
                f(a);
                f(b);
            }
            Self::Ternary(_, abc) => abc.into_iter().for_each(f),
        }
    }

    /// Whether this computes something, rather than being given.
    pub fn is_operation(&self) -> bool {
        matches!(
            self,
            Self::Unary(..) | Self::Binary(..) | Self::Ternary(..) | Self::Lookup(..) | Self::Check(..)
        )
    }
}

#[derive(Clone, Debug, Default)]
pub struct Graph {
    ops: Vec<Op>,
    /// The node of each operation.
    known: HashMap<Op, Id>,
    /// Elements of tables.
    tables: Vec<Vec<f32>>,
    /// The index of each table, by the bits of its elements.
    known_tables: HashMap<Vec<u32>, u16>,
    /// Operations that were asked for so far. Most are known already where a text repeats a formula, so the
    /// nodes do not tell how much there was to do.
    asked: usize,
}

impl Graph {
    pub fn op(&self, id: Id) -> Op {
        self.ops[id.index()]
    }

    pub fn len(&self) -> usize {
        self.ops.len()
    }

    /// Whether there are so many nodes that compilation has to stop.
    pub fn is_full(&self) -> bool {
        self.ops.len().max(self.tables.len()) >= MAX_NODES
    }

    /// Operations that were asked for so far, also those that were known already or needed no node.
    pub fn asked(&self) -> usize {
        self.asked
    }

    pub fn tables(&self) -> &[Vec<f32>] {
        &self.tables
    }

    /// Adds a table of constants for [`Graph::lookup`] and returns its index; equal tables are one.
    pub fn table(&mut self, elements: Vec<f32>) -> u16 {
        self.asked += elements.len();
        let bits = elements.iter().map(|x| x.to_bits()).collect();
        let next = self.tables.len() as u16;
        let table = *self.known_tables.entry(bits).or_insert(next);
        if table == next {
            self.tables.push(elements);
        }
        table
    }

    pub fn constant(&mut self, x: f32) -> Id {
        self.insert(Op::Constant(x.to_bits()))
    }

    pub fn truth(&mut self, x: bool) -> Id {
        self.constant(f32::from(u8::from(x)))
    }

    /// The value of a constant node.
    pub fn value(&self, id: Id) -> Option<f32> {
        match self.op(id) {
            Op::Constant(bits) => Some(f32::from_bits(bits)),
            _ => None,
        }
    }

    /// Whether a node is the constant `x`.
    pub fn is(&self, id: Id, x: f32) -> bool {
        self.value(id) == Some(x)
    }

    /// Adds a node as it is.
    fn insert(&mut self, op: Op) -> Id {
        self.asked += 1;
        let next = Id(self.ops.len() as u32);
        let id = *self.known.entry(op).or_insert(next);
        if id == next {
            self.ops.push(op);
        }
        id
    }

    /// A node that is given: a parameter, state, action or random number.
    pub fn input(&mut self, op: Op) -> Id {
        debug_assert!(!op.is_operation());
        self.insert(op)
    }

    pub fn unary(&mut self, f: Unary, a: Id) -> Id {
        if f == Unary::Not {
            return self.not(a);
        }
        if let (Some(x), Unary::Abs | Unary::Floor | Unary::Sqrt) = (self.value(a), f) {
            return self.folded(Op::Unary(f, a), apply(Op::Unary(f, a), |_| x));
        }
        match (f, self.op(a)) {
            (Unary::Abs, Op::Unary(Unary::Abs | Unary::Exp, _)) => a,
            (Unary::Floor, Op::Unary(Unary::Floor, _)) => a,
            _ => self.insert(Op::Unary(f, a)),
        }
    }

    pub fn not(&mut self, a: Id) -> Id {
        match self.op(a) {
            Op::Constant(bits) => self.truth(f32::from_bits(bits) == 0.0),
            Op::Unary(Unary::Not, inner) => inner,
            Op::Binary(Binary::Less, x, y) => self.insert(Op::Binary(Binary::AtMost, y, x)),
            Op::Binary(Binary::AtMost, x, y) => self.insert(Op::Binary(Binary::Less, y, x)),
            Op::Binary(Binary::Equal, x, y) => self.insert(Op::Binary(Binary::NotEqual, x, y)),
            Op::Binary(Binary::NotEqual, x, y) => self.insert(Op::Binary(Binary::Equal, x, y)),
            _ => self.insert(Op::Unary(Unary::Not, a)),
        }
    }

    pub fn binary(&mut self, f: Binary, a: Id, b: Id) -> Id {
        use Binary::*;
        self.asked += 1;
        let (x, y) = (self.value(a), self.value(b));
        if let (Some(x), Some(y)) = (x, y) {
            let op = Op::Binary(f, a, b);
            return self.folded(op, apply(op, |id| if id == a { x } else { y }));
        }
        let is = |value: Option<f32>, number: f32| value == Some(number);
        match f {
            And | Or if self.is_part(f, a, b) => return a,
            // Zero plus minus zero is zero, so a sum with zero stays.
            Sub if y.map(f32::to_bits) == Some(0) => return a,
            Mul | Div if is(y, 1.0) => return a,
            Mul if is(x, 1.0) => return b,
            And if is(x, 0.0) => return a,
            And if is(x, 1.0) => return b,
            And if is(y, 0.0) => return b,
            And if is(y, 1.0) || a == b => return a,
            Or if is(x, 1.0) => return a,
            Or if is(x, 0.0) => return b,
            Or if is(y, 1.0) => return b,
            Or if is(y, 0.0) || a == b => return a,
            Min | Max if a == b => return a,
            _ => {}
        }
        // The order of operands changes nothing, so both orders are one node.
        let is_symmetric = matches!(f, Add | Mul | Equal | NotEqual);
        let (a, b) = if is_symmetric && b < a { (b, a) } else { (a, b) };
        self.insert(Op::Binary(f, a, b))
    }

    /// Whether `part` is an operand of `whole`, an operation of the kind `f`.
    fn is_part(&self, f: Binary, whole: Id, part: Id) -> bool {
        match self.op(whole) {
            Op::Binary(g, a, b) => g == f && (a == part || b == part),
            _ => false,
        }
    }

    /// `a * b + c`, `a * b - c` or `c - a * b`, which is rounded once in the class `fused`.
    pub fn multiply_add(&mut self, f: Ternary, a: Id, b: Id, c: Id) -> Id {
        let (x, y) = (self.value(a), self.value(b));
        // A factor of one leaves a sum, and a product of constants is a constant.
        let is_plain = (x.is_some() && y.is_some()) || x == Some(1.0) || y == Some(1.0);
        if is_plain {
            let product = self.binary(Binary::Mul, a, b);
            return match f {
                Ternary::MulSub => self.binary(Binary::Sub, product, c),
                Ternary::NegMulAdd => self.binary(Binary::Sub, c, product),
                _ => self.binary(Binary::Add, product, c),
            };
        }
        let (a, b) = if b < a { (b, a) } else { (a, b) };
        self.insert(Op::Ternary(f, [a, b, c]))
    }

    pub fn select(&mut self, condition: Id, then: Id, otherwise: Id) -> Id {
        if then == otherwise {
            return then;
        }
        match self.op(condition) {
            Op::Constant(bits) if f32::from_bits(bits) == 0.0 => otherwise,
            Op::Constant(_) => then,
            Op::Unary(Unary::Not, inner) => self.select(inner, otherwise, then),
            _ => self.insert(Op::Ternary(Ternary::Select, [condition, then, otherwise])),
        }
    }

    pub fn lookup(&mut self, table: u16, index: Id) -> Id {
        self.insert(Op::Lookup(table, index))
    }

    /// `value`, which is a fault if `bad` is true.
    pub fn check(&mut self, value: Id, bad: Id, site: u16) -> Id {
        if self.is(bad, 0.0) { value } else { self.insert(Op::Check(value, bad, site)) }
    }

    /// A constant node, or the operation itself if its result is not a number: the bits of such a result
    /// depend on the platform.
    fn folded(&mut self, op: Op, x: f32) -> Id {
        if x.is_nan() { self.insert(op) } else { self.constant(x) }
    }

    /// The nodes that `outputs` need, in ascending order.
    pub fn live(&self, outputs: impl IntoIterator<Item = Id>) -> Vec<Id> {
        let mut is_live = vec![false; self.ops.len()];
        outputs.into_iter().for_each(|id| is_live[id.index()] = true);
        for i in (0..self.ops.len()).rev() {
            if is_live[i] {
                self.ops[i].operands(|id| is_live[id.index()] = true);
            }
        }
        (0..self.ops.len()).filter(|i| is_live[*i]).map(|i| Id(i as u32)).collect()
    }
}
