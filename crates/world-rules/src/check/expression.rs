//! From an expression to nodes of the graph, with its type checked. Every function returns `None` if it has
//! reported an error.

use super::scope::{Checker, Entity, Moment};
use super::value::Value;
use crate::diagnostics::Span;
use crate::graph::{Binary, Graph, Id, Ternary, Unary};
use crate::limits::{MAX_EXPANDED_NESTING, MAX_LOOP, MAX_VECTOR};
use crate::syntax::ast::{CompareOp, Expr, ExprKind, Kind, ProductOp, Range, SumOp};
use crate::world::SiteKind;

/// A term of a sum. A product is not multiplied yet, because it may become one operation with the addition (a
/// multiply-add).
enum Term {
    Value(Value),
    Product(Value, Value),
}

impl<'a> Checker<'a, '_, '_> {
    /// The value of an expression at the present moment, within the limits of size and depth.
    pub fn value(&mut self, e: &Expr<'a>) -> Option<Value> {
        if !self.spend() {
            return None;
        }
        if self.depth == MAX_EXPANDED_NESTING {
            let message = format!("more than {MAX_EXPANDED_NESTING} levels of nesting, functions included");
            self.problems.error(e.span, message);
            return None;
        }
        self.depth += 1;
        let value = self.value_of(e);
        self.depth -= 1;
        value
    }

    fn value_of(&mut self, e: &Expr<'a>) -> Option<Value> {
        match &e.kind {
            ExprKind::Number(x) => Some(Value::number(self.graph.constant(*x))),
            ExprKind::Truth(x) => Some(Value::truth(self.graph.truth(*x))),
            ExprKind::Name(name) => self.name(name, e.span),
            ExprKind::Primed(name) => self.primed(name, e.span),
            ExprKind::Negative(operand) => {
                let zero = Value::number(self.graph.constant(0.0));
                let operand = self.numbers(operand)?;
                self.each(e.span, [&zero, &operand], |graph, [a, b]| graph.binary(Binary::Sub, a, b))
            }
            ExprKind::Not(operand) => {
                let operand = self.truth(operand)?;
                Some(Value::truth(self.graph.not(operand)))
            }
            ExprKind::Sum(first, rest) => self.sum(e.span, first, rest),
            ExprKind::Product(first, rest) => self.product(e.span, first, rest),
            ExprKind::Power(base, exponent) => self.power(e.span, base, exponent),
            ExprKind::Compare(first, rest) => self.compare(first, rest),
            ExprKind::And(operands) => self.logical(Binary::And, operands),
            ExprKind::Or(operands) => self.logical(Binary::Or, operands),
            ExprKind::If(parts) => self.conditional(e.span, &parts[0], &parts[1], &parts[2]),
            ExprKind::Call(name, arguments) => self.call(e.span, name, arguments),
            ExprKind::Index(vector, index) => self.index(e.span, vector, index),
            ExprKind::List(elements) => self.list(e.span, elements),
            ExprKind::Each(element, range) => self.repeated(element, range),
        }
    }

    /// A single number.
    pub fn number(&mut self, e: &Expr<'a>) -> Option<Id> {
        let value = self.value(e)?;
        if value.shape.is_truth || value.shape.length.is_some() {
            self.expected("a number", &value, e.span);
            return None;
        }
        Some(value.ids[0])
    }

    /// A number or a vector of numbers.
    pub fn numbers(&mut self, e: &Expr<'a>) -> Option<Value> {
        let value = self.value(e)?;
        if value.shape.is_truth {
            self.expected("a number", &value, e.span);
            return None;
        }
        Some(value)
    }

    /// A single truth value.
    pub fn truth(&mut self, e: &Expr<'a>) -> Option<Id> {
        let value = self.value(e)?;
        if !value.shape.is_truth || value.shape.length.is_some() {
            self.expected("a condition, such as `x > 1`", &value, e.span);
            return None;
        }
        Some(value.ids[0])
    }

    /// A number that never changes.
    pub fn constant(&mut self, e: &Expr<'a>) -> Option<f32> {
        let outer = std::mem::replace(&mut self.moment, Moment::Constant);
        let id = self.number(e);
        self.moment = outer;
        let value = self.graph.value(id?);
        if value.is_none_or(|x| !x.is_finite()) {
            self.problems.error(e.span, "expected a number that can be calculated with + - * / alone");
            return None;
        }
        value
    }

    /// Reports a value of another type than expected.
    pub fn expected(&mut self, what: &str, found: &Value, span: Span) {
        let message = format!("expected {what}, found {}", found.shape.name());
        match (what, found.shape.is_truth) {
            ("a number", true) => {
                self.problems.error_with_help(span, message, "write `if ... then 1 else 0` around it");
            }
            _ => self.problems.error(span, message),
        }
    }

    /// Applies `f` to numbers, or to the elements of vectors of one length. A number beside a vector goes
    /// with each of its elements.
    pub fn each<const N: usize>(
        &mut self,
        span: Span,
        values: [&Value; N],
        mut f: impl FnMut(&mut Graph, [Id; N]) -> Id,
    ) -> Option<Value> {
        self.try_each(span, values, |this, ids| Some(f(&mut this.graph, ids)))
    }

    /// [`Self::each`] for an `f` that may report an error.
    pub fn try_each<const N: usize>(
        &mut self,
        span: Span,
        values: [&Value; N],
        mut f: impl FnMut(&mut Self, [Id; N]) -> Option<Id>,
    ) -> Option<Value> {
        let Some(length) = values.iter().find_map(|value| value.shape.length) else {
            return Some(Value::number(f(self, values.map(|value| value.ids[0]))?));
        };
        if let Some(other) = values.iter().find_map(|value| value.shape.length.filter(|n| *n != length)) {
            let message = format!("a vector of {length} numbers cannot be combined with one of {other}");
            self.problems.error(span, message);
            return None;
        }
        let mut ids = Vec::with_capacity(length);
        for i in 0..length {
            if !self.spend() {
                return None;
            }
            ids.push(f(self, values.map(|value| value.element(i)))?);
        }
        Some(Value::vector(ids, false))
    }

    /// A term of a sum: a product, if it is written as one.
    fn term(&mut self, e: &Expr<'a>) -> Option<Term> {
        let ExprKind::Product(first, rest) = &e.kind else { return Some(Term::Value(self.numbers(e)?)) };
        let Some(((ProductOp::Mul, last), before)) = rest.split_last() else {
            return Some(Term::Value(self.numbers(e)?));
        };
        let left = self.product(e.span, first, before)?;
        let right = self.numbers(last)?;
        Some(Term::Product(left, right))
    }

    fn multiplied(&mut self, span: Span, term: Term) -> Option<Value> {
        match term {
            Term::Value(value) => Some(value),
            Term::Product(a, b) => self.each(span, [&a, &b], |graph, [a, b]| graph.binary(Binary::Mul, a, b)),
        }
    }

    /// A sum, from left to right. Where a term is written as a product, multiplication and addition are one
    /// operation, which the class `fused` rounds once. Of two products at the beginning, it is the second.
    fn sum(&mut self, span: Span, first: &Expr<'a>, rest: &[(SumOp, Expr<'a>)]) -> Option<Value> {
        let mut sum = self.term(first);
        for (op, e) in rest {
            // All terms are looked at, so that all errors are found.
            let term = self.term(e);
            let (Some(left), Some(right)) = (sum.take(), term) else { continue };
            let is_add = *op == SumOp::Add;
            let value = match (left, right) {
                (left, Term::Product(a, b)) => {
                    let left = self.multiplied(span, left);
                    let f = if is_add { Ternary::MulAdd } else { Ternary::NegMulAdd };
                    left.and_then(|left| {
                        self.each(span, [&a, &b, &left], |graph, [a, b, c]| graph.multiply_add(f, a, b, c))
                    })
                }
                (Term::Product(a, b), Term::Value(right)) => {
                    let f = if is_add { Ternary::MulAdd } else { Ternary::MulSub };
                    self.each(span, [&a, &b, &right], |graph, [a, b, c]| graph.multiply_add(f, a, b, c))
                }
                (Term::Value(left), Term::Value(right)) => {
                    let f = if is_add { Binary::Add } else { Binary::Sub };
                    self.each(span, [&left, &right], |graph, [a, b]| graph.binary(f, a, b))
                }
            };
            sum = value.map(Term::Value);
        }
        let sum = sum?;
        self.multiplied(span, sum)
    }

    fn product(&mut self, span: Span, first: &Expr<'a>, rest: &[(ProductOp, Expr<'a>)]) -> Option<Value> {
        let mut product = self.numbers(first);
        for (op, e) in rest {
            let factor = self.numbers(e);
            let (Some(a), Some(b)) = (product.take(), factor) else { continue };
            product = match op {
                ProductOp::Mul => self.each(span, [&a, &b], |graph, [a, b]| graph.binary(Binary::Mul, a, b)),
                ProductOp::Div => self.try_each(span, [&a, &b], |this, [a, b]| this.divide(e.span, a, b)),
                // `a - b floor(a / b)`
                ProductOp::Modulo => self.try_each(span, [&a, &b], |this, [a, b]| {
                    let turns = this.divide(e.span, a, b)?;
                    let turns = this.graph.unary(Unary::Floor, turns);
                    Some(this.graph.multiply_add(Ternary::NegMulAdd, b, turns, a))
                }),
            };
        }
        product
    }

    /// `a / b`, a fault if `b` is zero. `span` is the place of `b`.
    pub fn divide(&mut self, span: Span, a: Id, b: Id) -> Option<Id> {
        let zero = self.graph.constant(0.0);
        let bad = self.graph.binary(Binary::Equal, b, zero);
        let value = self.graph.binary(Binary::Div, a, b);
        self.checked(value, bad, span, SiteKind::DivisionByZero)
    }

    fn compare(&mut self, first: &Expr<'a>, rest: &[(CompareOp, Expr<'a>)]) -> Option<Value> {
        let mut left = self.scalar(first);
        let mut all = Some(self.graph.truth(true));
        for (op, e) in rest {
            let right = self.scalar(e);
            if let (Some(a), Some(b)) = (&left, &right) {
                let is_equality = matches!(op, CompareOp::Equal | CompareOp::NotEqual);
                if a.shape != b.shape || (a.shape.is_truth && !is_equality) {
                    self.expected(if is_equality { "two values of one type" } else { "a number" }, b, e.span);
                    return None;
                }
                let (a, b) = (a.ids[0], b.ids[0]);
                let holds = match op {
                    CompareOp::Less => self.graph.binary(Binary::Less, a, b),
                    CompareOp::AtMost => self.graph.binary(Binary::AtMost, a, b),
                    CompareOp::Greater => self.graph.binary(Binary::Less, b, a),
                    CompareOp::AtLeast => self.graph.binary(Binary::AtMost, b, a),
                    CompareOp::Equal => self.graph.binary(Binary::Equal, a, b),
                    CompareOp::NotEqual => self.graph.binary(Binary::NotEqual, a, b),
                };
                all = all.map(|all| self.graph.binary(Binary::And, all, holds));
            } else {
                all = None;
            }
            left = right;
        }
        Some(Value::truth(all?))
    }

    /// A single value of either type.
    fn scalar(&mut self, e: &Expr<'a>) -> Option<Value> {
        let value = self.value(e)?;
        if value.shape.length.is_some() {
            self.expected("a single value", &value, e.span);
            return None;
        }
        Some(value)
    }

    fn logical(&mut self, f: Binary, operands: &[Expr<'a>]) -> Option<Value> {
        // Of each operand, so that all errors are found.
        let ids: Vec<Option<Id>> = operands.iter().map(|e| self.truth(e)).collect();
        let mut ids = ids.into_iter();
        let mut result = ids.next()??;
        for id in ids {
            result = self.graph.binary(f, result, id?);
        }
        Some(Value::truth(result))
    }

    fn conditional(
        &mut self,
        span: Span,
        condition: &Expr<'a>,
        then: &Expr<'a>,
        otherwise: &Expr<'a>,
    ) -> Option<Value> {
        let place = condition.span;
        let (condition, a, b) = (self.truth(condition), self.value(then), self.value(otherwise));
        let (condition, a, b) = (condition?, a?, b?);
        if matches!(self.moment, Moment::Step | Moment::Reward) {
            self.conditions.insert((place, condition));
        }
        if a.shape.is_truth != b.shape.is_truth {
            let message = format!("`then` gives {}, but `else` gives {}", a.shape.name(), b.shape.name());
            self.problems.error(otherwise.span, message);
            return None;
        }
        let mut value = self.each(span, [&a, &b], |graph, [a, b]| graph.select(condition, a, b))?;
        value.shape.is_truth = a.shape.is_truth;
        Some(value)
    }

    fn list(&mut self, span: Span, elements: &[Expr<'a>]) -> Option<Value> {
        if let [Expr { kind: ExprKind::Each(element, range), .. }] = elements {
            return self.repeated(element, range);
        }
        if elements.len() > MAX_VECTOR {
            let message = format!("a vector has at most {MAX_VECTOR} elements");
            self.problems.error(span, message);
            return None;
        }
        let values: Vec<Option<Value>> = elements.iter().map(|e| self.scalar(e)).collect();
        self.vector(span, values)
    }

    /// A vector of single values of one type.
    fn vector(&mut self, span: Span, values: Vec<Option<Value>>) -> Option<Value> {
        let values: Vec<Value> = values.into_iter().collect::<Option<_>>()?;
        let is_truth = values.first().is_some_and(|first| first.shape.is_truth);
        if values.iter().any(|value| value.shape.is_truth != is_truth) {
            self.problems.error(span, "a vector holds either numbers or truth values");
            return None;
        }
        Some(Value::vector(values.iter().map(|value| value.ids[0]).collect(), is_truth))
    }

    /// `element for variable in from..to`
    fn repeated(&mut self, element: &Expr<'a>, range: &Range<'a>) -> Option<Value> {
        let numbers = self.range(range)?;
        let mut values = Vec::with_capacity(numbers.len());
        for i in numbers {
            let id = self.graph.constant(i as f32);
            self.locals.push(range.variable.text, Value::number(id));
            let value = self.scalar(element);
            self.locals.pop();
            // The same error would follow for every other number.
            values.push(Some(value?));
        }
        self.vector(element.span, values)
    }

    /// The numbers that the variable of a loop takes.
    pub fn range(&mut self, range: &Range<'a>) -> Option<std::ops::Range<i32>> {
        let span = range.from.span.to(range.to.span);
        let (from, to) = (self.constant(&range.from), self.constant(&range.to));
        let (from, to) = (from?, to?);
        let is_whole = |x: f32| x.fract() == 0.0 && x.abs() < 1e6;
        if !is_whole(from) || !is_whole(to) || from >= to {
            let message = "expected a range of whole numbers, the first one smaller than the second one";
            self.problems.error_with_help(span, message, "`0..8` are the eight numbers from 0 to 7");
            return None;
        }
        if to - from > MAX_LOOP as f32 {
            self.problems.error(span, format!("a loop has at most {MAX_LOOP} rounds"));
            return None;
        }
        Some(from as i32..to as i32)
    }

    /// The value of a function that the text defines.
    pub fn call_defined(&mut self, span: Span, name: &str, i: usize, arguments: Vec<Value>) -> Option<Value> {
        let statements = self.statements;
        let Kind::Let { parameters: Some(parameters), value, .. } = &statements[self.lets[i]].kind else {
            let message = format!("`{name}` is a value and takes no arguments");
            self.problems.error(span, message);
            return None;
        };
        if parameters.len() != arguments.len() {
            let message = format!("`{name}` takes {}, found {}", count(parameters.len()), arguments.len());
            self.problems.error(span, message);
            return None;
        }
        if i >= self.values.len().min(self.lets_above) {
            let message = format!("`{name}` is defined below this line");
            self.problems.error_with_help(span, message, "move its `let` above this line");
            return None;
        }
        // Inside the function, its arguments are the only local names, and what stands below it is unknown.
        let outer = self.locals.enter(parameters.iter().map(|name| name.text).zip(arguments));
        let lets_above = std::mem::replace(&mut self.lets_above, i);
        let value = self.value(value);
        self.lets_above = lets_above;
        self.locals.leave(outer);
        value
    }

    /// The number among the `let`s of what the text calls `name`, if it is a function or another `let`.
    pub fn defined(&self, name: &str) -> Option<usize> {
        match self.names.get(name) {
            Some((Entity::Let(i), _)) => Some(*i),
            _ => None,
        }
    }
}

/// "1 argument", "2 arguments"
pub(super) fn count(arguments: usize) -> String {
    if arguments == 1 { "1 argument".into() } else { format!("{arguments} arguments") }
}
