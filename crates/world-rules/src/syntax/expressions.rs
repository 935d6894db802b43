//! Expressions, from the weakest binding to the strongest: `if`, `or`, `and`, `not`, comparisons, sums,
//! products, signs, powers, indices. Sums, products, comparisons, `and` and `or` are lists, so that a long
//! sum is no deep tree.

use super::ast::{CompareOp, Expr, ExprKind, Name, ProductOp, SumOp};
use super::lexer::TokenKind;
use super::parser::{Parsed, Parser};
use super::{RESERVED, STATEMENTS};
use crate::diagnostics::Span;

const COMPARISONS: &[(&str, CompareOp)] = &[
    ("<", CompareOp::Less),
    ("<=", CompareOp::AtMost),
    (">", CompareOp::Greater),
    (">=", CompareOp::AtLeast),
    ("==", CompareOp::Equal),
    ("!=", CompareOp::NotEqual),
];
const SUMS: &[(&str, SumOp)] = &[("+", SumOp::Add), ("-", SumOp::Sub)];
const PRODUCTS: &[(&str, ProductOp)] =
    &[("*", ProductOp::Mul), ("/", ProductOp::Div), ("%", ProductOp::Modulo)];

/// The numbers that every text has.
pub(crate) const CONSTANTS: &[&str] = &["pi", "degree", "dt"];

impl<'a> Parser<'a, '_, '_> {
    pub(super) fn expression(&mut self) -> Parsed<Expr<'a>> {
        self.nested(|p| if p.is_word("if") { p.conditional() } else { p.disjunction() })
    }

    fn conditional(&mut self) -> Parsed<Expr<'a>> {
        let start = self.token().span;
        self.at += 1;
        let condition = self.expression()?;
        self.expect_word("then", "and the value if the condition holds")?;
        let then = self.expression()?;
        self.expect_word("else", "and the value if the condition does not hold")?;
        let otherwise = self.expression()?;
        let span = start.to(otherwise.span);
        Ok(Expr { kind: ExprKind::If(Box::new([condition, then, otherwise])), span })
    }

    fn disjunction(&mut self) -> Parsed<Expr<'a>> {
        self.logical("or", Self::conjunction, ExprKind::Or)
    }

    fn conjunction(&mut self) -> Parsed<Expr<'a>> {
        self.logical("and", Self::negation, ExprKind::And)
    }

    /// Operands with the same word between them.
    fn logical(
        &mut self,
        word: &str,
        operand: impl Fn(&mut Self) -> Parsed<Expr<'a>>,
        kind: impl Fn(Vec<Expr<'a>>) -> ExprKind<'a>,
    ) -> Parsed<Expr<'a>> {
        let first = operand(self)?;
        if !self.is_word(word) {
            return Ok(first);
        }
        let (start, mut end, mut all) = (first.span, first.span, vec![first]);
        while self.accept_word(word) {
            let next = operand(self)?;
            end = next.span;
            all.push(next);
        }
        Ok(Expr { kind: kind(all), span: start.to(end) })
    }

    fn negation(&mut self) -> Parsed<Expr<'a>> {
        let start = self.token().span;
        if self.accept_word("not") {
            let operand = self.nested(Self::negation)?;
            let span = start.to(operand.span);
            return Ok(Expr { kind: ExprKind::Not(Box::new(operand)), span });
        }
        self.chain(COMPARISONS, Self::sum, ExprKind::Compare)
    }

    pub(super) fn sum(&mut self) -> Parsed<Expr<'a>> {
        self.chain(SUMS, Self::product, ExprKind::Sum)
    }

    fn product(&mut self) -> Parsed<Expr<'a>> {
        self.chain(PRODUCTS, Self::signed, ExprKind::Product)
    }

    /// Operands with one of `operators` between them.
    fn chain<T: Copy>(
        &mut self,
        operators: &[(&str, T)],
        operand: impl Fn(&mut Self) -> Parsed<Expr<'a>>,
        kind: impl Fn(Box<Expr<'a>>, Vec<(T, Expr<'a>)>) -> ExprKind<'a>,
    ) -> Parsed<Expr<'a>> {
        let first = operand(self)?;
        let (start, mut end, mut rest) = (first.span, first.span, Vec::new());
        while let Some((_, operator)) = self.next_of(operators) {
            self.at += 1;
            let next = operand(self)?;
            end = next.span;
            rest.push((operator, next));
        }
        if rest.is_empty() {
            return Ok(first);
        }
        Ok(Expr { kind: kind(Box::new(first), rest), span: start.to(end) })
    }

    fn next_of<'s, T: Copy>(&mut self, operators: &[(&'s str, T)]) -> Option<(&'s str, T)> {
        let TokenKind::Symbol(symbol) = self.kind() else { return None };
        operators.iter().find(|(operator, _)| *operator == symbol).copied()
    }

    fn signed(&mut self) -> Parsed<Expr<'a>> {
        let start = self.token().span;
        if self.accept_symbol("-") {
            let operand = self.nested(Self::signed)?;
            let span = start.to(operand.span);
            return Ok(Expr { kind: ExprKind::Negative(Box::new(operand)), span });
        }
        let base = self.indexed()?;
        if !self.accept_symbol("^") {
            return Ok(base);
        }
        let exponent = self.nested(Self::signed)?;
        let span = base.span.to(exponent.span);
        Ok(Expr { kind: ExprKind::Power(Box::new(base), Box::new(exponent)), span })
    }

    fn indexed(&mut self) -> Parsed<Expr<'a>> {
        let mut value = self.primary()?;
        // Each index makes the tree of the expression deeper, and all passes over it are recursive. A second
        // index is left to the check, which says what is wrong with it.
        let mut levels = 0;
        while self.is_symbol("[") {
            levels += 1;
            if levels > 2 {
                return Err(self.expected("no further index: a vector holds numbers"));
            }
            let (index, end) = self.bracketed("[", "]", Self::expression)?;
            let span = value.span.to(end);
            value = Expr { kind: ExprKind::Index(Box::new(value), Box::new(index)), span };
        }
        Ok(value)
    }

    /// Parses `content` between two brackets. Also returns where the closing one stands.
    pub(super) fn bracketed<T>(
        &mut self,
        open: &str,
        close: &str,
        content: impl FnOnce(&mut Self) -> Parsed<T>,
    ) -> Parsed<(T, Span)> {
        let bracket = self.token().span;
        debug_assert!(self.is_symbol(open));
        self.at += 1;
        self.open.push(bracket);
        let content = content(self)?;
        let end = self.token().span;
        self.expect_symbol(close, "here")?;
        self.open.pop();
        Ok((content, end))
    }

    /// Elements with commas between them, or one element and its `for`.
    fn elements(&mut self) -> Parsed<Vec<Expr<'a>>> {
        let mut elements = vec![self.expression()?];
        if self.accept_word("for") {
            let range = self.range()?;
            let element = elements.remove(0);
            let span = element.span.to(range.to.span);
            return Ok(vec![Expr { kind: ExprKind::Each(Box::new(element), range), span }]);
        }
        while self.accept_symbol(",") {
            if self.is_symbol("]") || self.is_symbol(")") {
                break;
            }
            elements.push(self.expression()?);
        }
        Ok(elements)
    }

    fn primary(&mut self) -> Parsed<Expr<'a>> {
        let token = self.token();
        let span = token.span;
        match token.kind {
            TokenKind::Number(number) => {
                self.at += 1;
                Ok(Expr { kind: ExprKind::Number(number), span })
            }
            TokenKind::Symbol("(") => {
                let (mut elements, end) = self.bracketed("(", ")", Self::elements)?;
                let span = span.to(end);
                if elements.len() == 1 && !matches!(elements[0].kind, ExprKind::Each(..)) {
                    // The brackets belong to the position of what they hold.
                    return Ok(Expr { span, ..elements.remove(0) });
                }
                Ok(Expr { kind: ExprKind::List(elements), span })
            }
            TokenKind::Symbol("[") => {
                let (elements, end) = self.bracketed("[", "]", Self::elements)?;
                Ok(Expr { kind: ExprKind::List(elements), span: span.to(end) })
            }
            TokenKind::Name("if") => self.nested(Self::conditional),
            TokenKind::Name(word @ ("true" | "false")) => {
                self.at += 1;
                Ok(Expr { kind: ExprKind::Truth(word == "true"), span })
            }
            TokenKind::Name(word)
                if CONSTANTS.contains(&word) || !(RESERVED.contains(&word) || STATEMENTS.contains(&word)) =>
            {
                self.at += 1;
                self.named(Name { text: word, span })
            }
            _ => Err(self.expected("a value")),
        }
    }

    /// A name, its value after the step, or a call.
    fn named(&mut self, name: Name<'a>) -> Parsed<Expr<'a>> {
        let (end, kind) = (self.token().span, self.kind());
        if kind == TokenKind::Prime {
            self.at += 1;
            return Ok(Expr { kind: ExprKind::Primed(name.text), span: name.span.to(end) });
        }
        if self.is_symbol("(") {
            let (arguments, end) =
                self.bracketed("(", ")", |p| if p.is_symbol(")") { Ok(Vec::new()) } else { p.elements() })?;
            return Ok(Expr { kind: ExprKind::Call(name, arguments), span: name.span.to(end) });
        }
        Ok(Expr { kind: ExprKind::Name(name.text), span: name.span })
    }
}
