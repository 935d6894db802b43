//! The functions of the language, powers, and elements of vectors.

use super::expression::count;
use super::scope::{Checker, Moment};
use super::value::Value;
use crate::diagnostics::{Span, nearest};
use crate::graph::{Binary, Id, Op, Ternary, Unary};
use crate::limits::MAX_DRAWS;
use crate::syntax::ast::{Expr, Name};
use crate::world::SiteKind;

/// A function of the language.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Function {
    Unary(Unary),
    Sign,
    Round,
    Tan,
    Min,
    Max,
    Clamp,
    Atan2,
    Sum,
    Any,
    All,
    Uniform,
    Normal,
    Chance,
}

const FUNCTIONS: &[(&str, Function)] = &[
    ("abs", Function::Unary(Unary::Abs)),
    ("floor", Function::Unary(Unary::Floor)),
    ("sqrt", Function::Unary(Unary::Sqrt)),
    ("exp", Function::Unary(Unary::Exp)),
    ("ln", Function::Unary(Unary::Log)),
    ("sin", Function::Unary(Unary::Sin)),
    ("cos", Function::Unary(Unary::Cos)),
    ("tanh", Function::Unary(Unary::Tanh)),
    ("wrap", Function::Unary(Unary::Wrap)),
    ("sign", Function::Sign),
    ("round", Function::Round),
    ("tan", Function::Tan),
    ("min", Function::Min),
    ("max", Function::Max),
    ("clamp", Function::Clamp),
    ("atan2", Function::Atan2),
    ("sum", Function::Sum),
    ("any", Function::Any),
    ("all", Function::All),
    ("uniform", Function::Uniform),
    ("normal", Function::Normal),
    ("chance", Function::Chance),
];

pub(super) fn is_function(name: &str) -> bool {
    FUNCTIONS.iter().any(|(known, _)| *known == name)
}

pub(super) fn names() -> impl Iterator<Item = &'static str> {
    FUNCTIONS.iter().map(|(name, _)| *name)
}

impl<'a> Checker<'a, '_, '_> {
    /// A call of a function of the text or of the language.
    pub(super) fn call(&mut self, span: Span, name: &Name<'a>, arguments: &[Expr<'a>]) -> Option<Value> {
        let values: Vec<Option<Value>> = arguments.iter().map(|e| self.value(e)).collect();
        let values: Vec<Value> = values.into_iter().collect::<Option<_>>()?;
        if let Some(i) = self.defined(name.text) {
            return self.call_defined(span, name.text, i, values);
        }
        let Some((_, function)) = FUNCTIONS.iter().find(|(known, _)| *known == name.text) else {
            if self.names.contains_key(name.text) {
                let message = format!("`{}` is no function", name.text);
                self.problems.error_with_help(name.span, message, "to multiply, write `*`");
            } else {
                let message = format!("there is no function `{}`", name.text);
                // Nobody reads another error, so a similar name is not looked for.
                if self.problems.is_closed(name.span) {
                    self.problems.error(name.span, message);
                    return None;
                }
                let known: Vec<&str> = names().collect();
                self.work += known.len();
                match nearest(name.text, names()) {
                    Some(near) => {
                        self.problems.error_with_help(name.span, message, format!("did you mean `{near}`?"));
                    }
                    None => {
                        let help = format!("there are: {}", known.join(", "));
                        self.problems.error_with_help(name.span, message, help);
                    }
                }
            }
            return None;
        };
        let (least, most) = match function {
            Function::Min | Function::Max => (1, usize::MAX),
            Function::Clamp => (3, 3),
            Function::Atan2 | Function::Uniform | Function::Normal => (2, 2),
            _ => (1, 1),
        };
        if !(least..=most).contains(&values.len()) {
            let message = format!("`{}` takes {}, found {}", name.text, count(least), values.len());
            self.problems.error(span, message);
            return None;
        }
        let of_truths = matches!(function, Function::Any | Function::All);
        for (value, e) in values.iter().zip(arguments) {
            if value.shape.is_truth != of_truths {
                self.expected(if of_truths { "a vector of truth values" } else { "a number" }, value, e.span);
                return None;
            }
        }
        let of_vector = matches!(function, Function::Sum | Function::Any | Function::All);
        if of_vector && values[0].shape.length.is_none() {
            self.expected("a vector", &values[0], arguments[0].span);
            return None;
        }
        self.apply(span, name.text, *function, &values)
    }

    fn apply(&mut self, span: Span, name: &str, function: Function, values: &[Value]) -> Option<Value> {
        match function {
            Function::Unary(f) => self.try_each(span, [&values[0]], |this, [x]| this.unary(span, f, x)),
            Function::Sign => self.each(span, [&values[0]], |graph, [x]| {
                let (zero, one, minus) = (graph.constant(0.0), graph.constant(1.0), graph.constant(-1.0));
                let is_negative = graph.binary(Binary::Less, x, zero);
                let is_positive = graph.binary(Binary::Less, zero, x);
                let rest = graph.select(is_negative, minus, zero);
                graph.select(is_positive, one, rest)
            }),
            Function::Round => self.each(span, [&values[0]], |graph, [x]| {
                let half = graph.constant(0.5);
                let x = graph.binary(Binary::Add, x, half);
                graph.unary(Unary::Floor, x)
            }),
            Function::Tan => self.try_each(span, [&values[0]], |this, [x]| {
                let (sin, cos) = (this.graph.unary(Unary::Sin, x), this.graph.unary(Unary::Cos, x));
                this.divide(span, sin, cos)
            }),
            Function::Min => self.extreme(span, Binary::Min, values),
            Function::Max => self.extreme(span, Binary::Max, values),
            Function::Clamp => {
                let [x, low, high] = values else { return None };
                self.each(span, [x, low, high], |graph, [x, low, high]| {
                    let x = graph.binary(Binary::Max, low, x);
                    graph.binary(Binary::Min, high, x)
                })
            }
            Function::Atan2 => {
                self.try_each(span, [&values[0], &values[1]], |this, [y, x]| Some(this.atan2(y, x)))
            }
            Function::Sum => Some(Value::number(self.fold(Binary::Add, &values[0]))),
            Function::Any => Some(Value::truth(self.fold(Binary::Or, &values[0]))),
            Function::All => Some(Value::truth(self.fold(Binary::And, &values[0]))),
            Function::Uniform | Function::Normal | Function::Chance => {
                self.random(span, name, function, values)
            }
        }
    }

    fn fold(&mut self, f: Binary, vector: &Value) -> Id {
        let mut result = vector.ids[0];
        for id in &vector.ids[1..] {
            result = self.graph.binary(f, result, *id);
        }
        result
    }

    /// The smallest or largest element of a vector, or of several numbers or vectors.
    fn extreme(&mut self, span: Span, f: Binary, values: &[Value]) -> Option<Value> {
        if let [only] = values {
            return Some(Value::number(self.fold(f, only)));
        }
        let mut result = values[0].clone();
        for value in &values[1..] {
            result = self.each(span, [&result, value], |graph, [a, b]| graph.binary(f, a, b))?;
        }
        Some(result)
    }

    fn unary(&mut self, span: Span, f: Unary, x: Id) -> Option<Id> {
        let zero = self.graph.constant(0.0);
        let value = self.graph.unary(f, x);
        match f {
            Unary::Sqrt => {
                let bad = self.graph.binary(Binary::Less, x, zero);
                self.checked(value, bad, span, SiteKind::RootOfNegative)
            }
            Unary::Log => {
                let bad = self.graph.binary(Binary::AtMost, x, zero);
                self.checked(value, bad, span, SiteKind::LogarithmOfNotPositive)
            }
            _ => Some(value),
        }
    }

    fn random(&mut self, span: Span, name: &str, function: Function, values: &[Value]) -> Option<Value> {
        if !matches!(self.moment, Moment::Begin | Moment::Step | Moment::Reward) {
            let message =
                format!("`{name}` can only be used at the beginning of an episode and in the rules");
            let help = format!("keep it in a state variable: `noise' = {name}(...)`");
            self.problems.error_with_help(span, message, help);
            return None;
        }
        if let Some(vector) = values.iter().find(|value| value.shape.length.is_some()) {
            self.expected("a number", vector, span);
            return None;
        }
        let is_normal = usize::from(function == Function::Normal);
        let index = self.draws[is_normal];
        if index == MAX_DRAWS {
            self.problems.error(span, format!("more than {MAX_DRAWS} random numbers at once"));
            return None;
        }
        self.draws[is_normal] += 1;
        let index = index as u16;
        let graph = &mut self.graph;
        let first = values[0].ids[0];
        Some(match function {
            Function::Chance => {
                let x = graph.input(Op::Uniform(index));
                Value::truth(graph.binary(Binary::Less, x, first))
            }
            Function::Normal => {
                let x = graph.input(Op::Normal(index));
                Value::number(graph.multiply_add(Ternary::MulAdd, x, values[1].ids[0], first))
            }
            _ => {
                let x = graph.input(Op::Uniform(index));
                let width = graph.binary(Binary::Sub, values[1].ids[0], first);
                Value::number(graph.multiply_add(Ternary::MulAdd, x, width, first))
            }
        })
    }

    /// The angle of the point (x, y), from minus half a turn to half a turn; 0 for the point (0, 0). The
    /// polynomial is that of Moshier's Cephes library, with an error below 2e-7.
    fn atan2(&mut self, y: Id, x: Id) -> Id {
        use std::f32::consts::{FRAC_PI_2, FRAC_PI_4, PI};
        let g = &mut self.graph;
        let (zero, one) = (g.constant(0.0), g.constant(1.0));
        let (wide, high) = (g.unary(Unary::Abs, x), g.unary(Unary::Abs, y));
        let (small, large) = (g.binary(Binary::Min, wide, high), g.binary(Binary::Max, wide, high));
        let is_origin = g.binary(Binary::Equal, large, zero);
        let divisor = g.select(is_origin, one, large);
        let slope = g.binary(Binary::Div, small, divisor);
        // Above tan(pi / 8): atan(t) = pi / 4 + atan((t - 1) / (t + 1)).
        let limit = g.constant(0.414_213_57);
        let is_steep = g.binary(Binary::Less, limit, slope);
        let (above, below) = (g.binary(Binary::Sub, slope, one), g.binary(Binary::Add, slope, one));
        let turned = g.binary(Binary::Div, above, below);
        let t = g.select(is_steep, turned, slope);
        let square = g.binary(Binary::Mul, t, t);
        let mut sum = g.constant(8.053_744_5e-2);
        for coefficient in [-1.387_768_6e-1, 1.997_771_1e-1, -3.333_295e-1] {
            let coefficient = g.constant(coefficient);
            sum = g.multiply_add(Ternary::MulAdd, sum, square, coefficient);
        }
        let cube = g.binary(Binary::Mul, square, t);
        let angle = g.multiply_add(Ternary::MulAdd, sum, cube, t);
        let eighth = g.constant(FRAC_PI_4);
        let steep = g.binary(Binary::Add, angle, eighth);
        let angle = g.select(is_steep, steep, angle);
        // Back from the first eighth of a turn to the one in which the point is.
        let quarter = g.constant(FRAC_PI_2);
        let is_high = g.binary(Binary::Less, wide, high);
        let from_top = g.binary(Binary::Sub, quarter, angle);
        let angle = g.select(is_high, from_top, angle);
        let half = g.constant(PI);
        let is_left = g.binary(Binary::Less, x, zero);
        let from_left = g.binary(Binary::Sub, half, angle);
        let angle = g.select(is_left, from_left, angle);
        let is_below = g.binary(Binary::Less, y, zero);
        let mirrored = g.binary(Binary::Sub, zero, angle);
        g.select(is_below, mirrored, angle)
    }

    /// A power. Constant whole exponents up to 64 become products, which take negative bases too; a constant
    /// 0.5 is a square root; all others are computed by logarithm.
    pub(super) fn power(&mut self, span: Span, base: &Expr<'a>, exponent: &Expr<'a>) -> Option<Value> {
        let (base, power) = (self.numbers(base), self.numbers(exponent));
        let (base, power) = (base?, power?);
        self.try_each(span, [&base, &power], |this, [x, n]| match this.graph.value(n) {
            Some(n) if n.fract() == 0.0 && n.abs() <= 64.0 => this.whole_power(span, x, n as i32),
            Some(0.5) => this.unary(span, Unary::Sqrt, x),
            _ => this.real_power(span, x, n),
        })
    }

    /// `x^n` by repeated squaring.
    fn whole_power(&mut self, span: Span, x: Id, n: i32) -> Option<Id> {
        let one = self.graph.constant(1.0);
        let mut result: Option<Id> = None;
        for bit in (0..u32::BITS - n.unsigned_abs().leading_zeros()).rev() {
            if let Some(power) = result {
                result = Some(self.graph.binary(Binary::Mul, power, power));
            }
            if n.unsigned_abs() >> bit & 1 == 1 {
                result = Some(result.map_or(x, |power| self.graph.binary(Binary::Mul, power, x)));
            }
        }
        let power = result.unwrap_or(one);
        if n < 0 { self.divide(span, one, power) } else { Some(power) }
    }

    /// `x^y = exp(y ln x)`, and 0 if `x` is 0 and `y` positive.
    fn real_power(&mut self, span: Span, x: Id, y: Id) -> Option<Id> {
        let g = &mut self.graph;
        let zero = g.constant(0.0);
        let log = g.unary(Unary::Log, x);
        let product = g.binary(Binary::Mul, y, log);
        let power = g.unary(Unary::Exp, product);
        let is_zero = g.binary(Binary::Equal, x, zero);
        let value = g.select(is_zero, zero, power);
        let is_negative = g.binary(Binary::Less, x, zero);
        let is_not_positive = g.binary(Binary::AtMost, y, zero);
        let of_zero = g.binary(Binary::And, is_zero, is_not_positive);
        let bad = g.binary(Binary::Or, is_negative, of_zero);
        self.checked(value, bad, span, SiteKind::PowerOfNegative)
    }

    /// An element of a vector. An index is rounded down. It may be computed: then a vector of constants
    /// becomes a table, and another one a chain of `if`s.
    pub(super) fn index(&mut self, span: Span, vector: &Expr<'a>, index: &Expr<'a>) -> Option<Value> {
        let (vector, i) = (self.value(vector), self.number(index));
        let (vector, i) = (vector?, i?);
        let Some(length) = vector.shape.length else {
            self.expected("a vector in front of `[`", &vector, span);
            return None;
        };
        let value = |id| if vector.shape.is_truth { Value::truth(id) } else { Value::number(id) };
        if let Some(i) = self.graph.value(i) {
            if let Some(id) = vector.ids.get(i.floor() as usize).filter(|_| i >= 0.0) {
                return Some(value(*id));
            }
            if matches!(self.moment, Moment::Constant | Moment::Step | Moment::Reward) {
                let message = format!("element {i} is outside of a vector of {length}");
                let help = format!("its elements have the numbers 0 to {}", length - 1);
                self.problems.error_with_help(index.span, message, help);
                return None;
            }
            // At other moments the state may be known, and the index with it, in a branch that is never
            // taken. So it is a fault where it is reached, and no error.
            let always = self.graph.truth(true);
            let kind = SiteKind::IndexOutside(length);
            return Some(value(self.checked(vector.ids[0], always, index.span, kind)?));
        }
        let g = &mut self.graph;
        let whole = g.unary(Unary::Floor, i);
        let constants: Option<Vec<f32>> = vector.ids.iter().map(|id| g.value(*id)).collect();
        let id = match constants {
            Some(elements) => {
                let table = g.table(elements);
                g.lookup(table, whole)
            }
            None => {
                let mut element = vector.ids[length - 1];
                for (k, id) in vector.ids[..length - 1].iter().enumerate().rev() {
                    let next = g.constant((k + 1) as f32);
                    let is_before = g.binary(Binary::Less, whole, next);
                    element = g.select(is_before, *id, element);
                }
                element
            }
        };
        let (zero, end) = (g.constant(0.0), g.constant(length as f32));
        let is_below = g.binary(Binary::Less, whole, zero);
        let is_above = g.binary(Binary::AtMost, end, whole);
        let bad = g.binary(Binary::Or, is_below, is_above);
        Some(value(self.checked(id, bad, index.span, SiteKind::IndexOutside(length))?))
    }
}
