//! A recursive-descent parser, from tokens to statements. A statement ends at the first end of a line outside
//! of brackets. Error recovery: after a syntax error the rest of the line is skipped, so that errors in
//! several lines are reported at once.

use super::RESERVED;
use super::ast::{Expr, Kind, Name, Observed, Range, Statement};
use super::lexer::{Token, TokenKind, tokens};
use crate::diagnostics::{Problems, Span, nearest};
use crate::limits::MAX_NESTING;

/// The words that begin a statement.
pub(crate) const STATEMENTS: &[&str] = &[
    "world", "about", "param", "state", "action", "let", "reward", "fail", "succeed", "limit", "step",
    "observe", "solved", "camera", "draw", "for",
];

/// An error that has been reported.
#[derive(Debug)]
pub(super) struct Reported;

pub(super) type Parsed<T> = Result<T, Reported>;

/// The statements of a text. Those with an error are left out.
pub(crate) fn parse<'a>(text: &'a str, problems: &mut Problems<'_>) -> Vec<Statement<'a>> {
    let tokens = tokens(text, problems);
    let mut parser = Parser { tokens, at: 0, depth: 0, open: Vec::new(), problems };
    let mut statements = Vec::new();
    while parser.kind() != TokenKind::End {
        if parser.kind() == TokenKind::Newline {
            parser.at += 1;
            continue;
        }
        match parser.statement().and_then(|statement| parser.line_end().map(|()| statement)) {
            Ok(statement) => statements.push(statement),
            Err(Reported) => parser.skip_line(),
        }
        (parser.depth, parser.open) = (0, Vec::new());
    }
    statements
}

pub(super) struct Parser<'a, 'p, 't> {
    tokens: Vec<Token<'a>>,
    /// The index of the next token.
    pub(super) at: usize,
    /// Levels of nesting, see [`Parser::nested`].
    depth: usize,
    /// The brackets that are open. Within brackets, the end of a line is like a space.
    pub(super) open: Vec<Span>,
    pub(super) problems: &'p mut Problems<'t>,
}

impl<'a> Parser<'a, '_, '_> {
    /// Peeks at the next token. Within brackets it first skips ends of lines. The end of a line before a
    /// statement or before the end of the text is not skipped: it shows that a bracket was not closed.
    pub(super) fn token(&mut self) -> Token<'a> {
        while !self.open.is_empty()
            && self.tokens[self.at].kind == TokenKind::Newline
            && !self.begins_statement(self.at + 1)
        {
            self.at += 1;
        }
        self.tokens[self.at]
    }

    fn begins_statement(&self, at: usize) -> bool {
        match self.tokens[at].kind {
            TokenKind::End => true,
            // Within brackets, `for` belongs to a list, such as `[i for i in 0..8]`.
            TokenKind::Name("for") => false,
            TokenKind::Name(word) if STATEMENTS.contains(&word) => true,
            TokenKind::Name(_) => {
                let next = |i: usize| self.tokens.get(at + i).map(|token| token.kind);
                next(1) == Some(TokenKind::Prime) && next(2) == Some(TokenKind::Symbol("="))
            }
            _ => false,
        }
    }

    pub(super) fn kind(&mut self) -> TokenKind<'a> {
        self.token().kind
    }

    /// Lookahead: the kind of the token after the next one. Unlike `token`, it skips no end of a line.
    fn second(&self) -> TokenKind<'a> {
        self.tokens.get(self.at + 1).map_or(TokenKind::End, |token| token.kind)
    }

    pub(super) fn is_symbol(&mut self, symbol: &str) -> bool {
        matches!(self.kind(), TokenKind::Symbol(found) if found == symbol)
    }

    pub(super) fn is_word(&mut self, word: &str) -> bool {
        matches!(self.kind(), TokenKind::Name(found) if found == word)
    }

    pub(super) fn accept_symbol(&mut self, symbol: &str) -> bool {
        let is_next = self.is_symbol(symbol);
        self.at += usize::from(is_next);
        is_next
    }

    pub(super) fn accept_word(&mut self, word: &str) -> bool {
        let is_next = self.is_word(word);
        self.at += usize::from(is_next);
        is_next
    }

    /// Reports that `what` was expected here or, at the end of a line within an open bracket, that the
    /// bracket is not closed.
    pub(super) fn expected(&mut self, what: &str) -> Reported {
        let token = self.token();
        let is_line_end = matches!(token.kind, TokenKind::Newline | TokenKind::End);
        if let (true, Some(bracket)) = (is_line_end, self.open.last()) {
            let message = "this bracket is never closed";
            self.problems.error_with_help(*bracket, message, "write the other bracket behind its content");
            return Reported;
        }
        let found = match token.kind {
            TokenKind::Name(name) => format!("`{name}`"),
            TokenKind::Number(_) => "a number".into(),
            TokenKind::Text(_) => "a text in quotes".into(),
            TokenKind::Prime => "`'`".into(),
            TokenKind::Symbol(symbol) => format!("`{symbol}`"),
            TokenKind::Newline | TokenKind::End => "the end of the line".into(),
        };
        let message = format!("expected {what}, found {found}");
        match self.help_with(token) {
            Some(help) => self.problems.error_with_help(token.span, message, help),
            None => self.problems.error(token.span, message),
        }
        Reported
    }

    /// What to write instead of a token that was not expected, where a usual slip explains it.
    fn help_with(&self, token: Token<'a>) -> Option<&'static str> {
        let neighbour = |i: Option<usize>| i.and_then(|i| self.tokens.get(i)).copied();
        let before = neighbour(self.at.checked_sub(1));
        let is_statement_keyword =
            |token: Token<'a>| matches!(token.kind, TokenKind::Name(word) if STATEMENTS.contains(&word));
        match token.kind {
            TokenKind::Symbol("=") => {
                const NAMED: [&str; 4] = ["param", "state", "action", "let"];
                if matches!(before?.kind, TokenKind::Name(word) if NAMED.contains(&word)) {
                    return Some("write a name before the `=`");
                }
                let is_action = neighbour(self.at.checked_sub(2))
                    .is_some_and(|first| first.kind == TokenKind::Name("action"));
                let is_superfluous = is_action || before.is_some_and(is_statement_keyword);
                Some(if is_superfluous { "leave out the `=`" } else { "to compare, write `==`" })
            }
            TokenKind::Symbol(",") => {
                // 9,8 without spaces.
                let after = neighbour(Some(self.at + 1))?;
                let touches = before?.span.end == token.span.start && token.span.end == after.span.start;
                let is_number = |token: Token<'a>| matches!(token.kind, TokenKind::Number(_));
                let is_decimal = touches && is_number(before?) && is_number(after);
                is_decimal.then_some("write a point in a number: `9.8`")
            }
            TokenKind::Name("if" | "when") if before.is_some_and(|before| !is_statement_keyword(before)) => {
                Some("for a value that depends on a condition, write `if ... then ... else ...`")
            }
            _ => None,
        }
    }

    /// Skips `symbol`. `after` completes the error "expected `symbol` ...": why it is needed, or what
    /// follows.
    pub(super) fn expect_symbol(&mut self, symbol: &str, after: &str) -> Parsed<()> {
        if self.accept_symbol(symbol) { Ok(()) } else { Err(self.expected(&format!("`{symbol}` {after}"))) }
    }

    pub(super) fn expect_word(&mut self, word: &str, after: &str) -> Parsed<()> {
        if self.accept_word(word) { Ok(()) } else { Err(self.expected(&format!("`{word}` {after}"))) }
    }

    /// Runs `f` one level deeper.
    pub(super) fn nested<T>(&mut self, f: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth == MAX_NESTING {
            let span = self.token().span;
            let message = format!("more than {MAX_NESTING} levels of nesting");
            self.problems.error_with_help(span, message, "give a part of it a name with `let`");
            return Err(Reported);
        }
        self.depth += 1;
        let result = f(self);
        self.depth -= 1;
        result
    }

    /// An identifier that is not a reserved word. `of` says in the error what it names.
    pub(super) fn new_name(&mut self, of: &str) -> Parsed<Name<'a>> {
        let token = self.token();
        let TokenKind::Name(text) = token.kind else {
            return Err(self.expected(&format!("the name of {of}")));
        };
        if RESERVED.contains(&text) {
            let message = format!("`{text}` is a word of the language and cannot be a name");
            self.problems.error_with_help(token.span, message, format!("write for example `{text}_`"));
            return Err(Reported);
        }
        self.at += 1;
        Ok(Name { text, span: token.span })
    }

    fn quoted(&mut self, what: &str) -> Parsed<Name<'a>> {
        let token = self.token();
        let TokenKind::Text(text) = token.kind else {
            return Err(self.expected(&format!("{what} in quotes")));
        };
        self.at += 1;
        Ok(Name { text, span: token.span })
    }

    fn line_end(&mut self) -> Parsed<()> {
        match self.kind() {
            TokenKind::Newline | TokenKind::End => Ok(()),
            _ => Err(self.expected("the end of the line")),
        }
    }

    fn skip_line(&mut self) {
        while !matches!(self.tokens[self.at].kind, TokenKind::Newline | TokenKind::End) {
            self.at += 1;
        }
    }

    fn statement(&mut self) -> Parsed<Statement<'a>> {
        let start = self.token().span;
        let TokenKind::Name(word) = self.kind() else {
            return Err(self.expected("a statement, such as `let` or `reward`"));
        };
        if self.second() == TokenKind::Prime {
            return self.next_value(start);
        }
        if !STATEMENTS.contains(&word) {
            return Err(self.unknown_statement(word));
        }
        self.at += 1;
        let kind = match word {
            "world" => Kind::World(self.quoted("the title")?),
            "about" => Kind::About(self.quoted("a sentence about the world")?),
            "param" => self.parameter()?,
            "state" => {
                let name = self.new_name("a state variable")?;
                self.expect_symbol("=", "and the value at the beginning of an episode")?;
                Kind::State { name, begin: self.expression()? }
            }
            "action" => self.action()?,
            "let" => self.definition()?,
            "reward" => Kind::Reward(self.expression()?),
            "fail" | "succeed" => {
                self.expect_word("when", "and a condition")?;
                let condition = self.expression()?;
                if word == "fail" { Kind::Fail(condition) } else { Kind::Succeed(condition) }
            }
            "limit" => {
                let steps = self.expression()?;
                self.accept_word("steps");
                Kind::Limit(steps)
            }
            "step" => {
                let seconds = self.expression()?;
                self.accept_word("seconds");
                Kind::StepSeconds(seconds)
            }
            "observe" => self.observe()?,
            "solved" => {
                self.expect_word("at", "and a return, for example `solved at 475`")?;
                Kind::Solved(self.expression()?)
            }
            "camera" => self.camera()?,
            "draw" => Kind::Draw(self.shape()?),
            "for" => {
                let range = self.range()?;
                self.expect_symbol(":", "and what to draw")?;
                if !self.is_word("draw") && !self.is_word("for") {
                    return Err(self.expected("`draw`"));
                }
                Kind::For { range, body: Box::new(self.nested(Self::statement)?) }
            }
            _ => unreachable!("`STATEMENTS` has no other word"),
        };
        let end = self.tokens[self.at.saturating_sub(1)].span;
        Ok(Statement { kind, span: start.to(end) })
    }

    fn unknown_statement(&mut self, word: &str) -> Reported {
        let span = self.token().span;
        let message = format!("`{word}` does not begin a statement");
        // No more errors are printed, so there is no need to look for a similar word, which takes long.
        if self.problems.is_closed(span) {
            self.problems.error(span, message);
            return Reported;
        }
        let help = if self.second() == TokenKind::Symbol("=") {
            format!("write `let {word} = ...` for a value, or `{word}' = ...` for the next state")
        } else if let Some(near) = nearest(word, STATEMENTS.iter().copied()) {
            format!("did you mean `{near}`?")
        } else {
            format!("a line begins with one of: {}", STATEMENTS.join(", "))
        };
        self.problems.error_with_help(span, message, help);
        Reported
    }

    /// `name' = value`
    fn next_value(&mut self, start: Span) -> Parsed<Statement<'a>> {
        let name = self.new_name("a state variable")?;
        // The prime was seen.
        self.at += 1;
        self.expect_symbol("=", "and the value after the step")?;
        let value = self.expression()?;
        Ok(Statement { span: start.to(value.span), kind: Kind::Next { name, value } })
    }

    /// `from low to high`
    fn bounds(&mut self) -> Parsed<(Expr<'a>, Expr<'a>)> {
        self.expect_word("from", "and the smallest value")?;
        let low = self.expression()?;
        self.expect_word("to", "and the largest value")?;
        Ok((low, self.expression()?))
    }

    fn parameter(&mut self) -> Parsed<Kind<'a>> {
        let name = self.new_name("a parameter")?;
        self.expect_symbol("=", "and the usual value")?;
        let value = self.expression()?;
        let (low, high) = self.bounds()?;
        Ok(Kind::Parameter { name, value, low, high })
    }

    fn action(&mut self) -> Parsed<Kind<'a>> {
        let name = self.new_name("an action")?;
        if self.accept_symbol(":") {
            let mut choices = vec![self.new_name("a choice")?];
            while self.accept_symbol(",") {
                choices.push(self.new_name("a choice")?);
            }
            return Ok(Kind::Choice { name, choices });
        }
        if !self.is_word("from") {
            return Err(self.expected("`: left, right` for choices, or `from -1 to 1` for a number"));
        }
        let (low, high) = self.bounds()?;
        Ok(Kind::Continuous { name, low, high })
    }

    fn definition(&mut self) -> Parsed<Kind<'a>> {
        let name = self.new_name("a value or a function")?;
        let mut parameters = None;
        if self.is_symbol("(") {
            let (names, _) = self.bracketed("(", ")", |parser| {
                let mut names = vec![parser.new_name("an argument")?];
                while parser.accept_symbol(",") {
                    names.push(parser.new_name("an argument")?);
                }
                Ok(names)
            })?;
            parameters = Some(names);
        }
        self.expect_symbol("=", "and a value")?;
        Ok(Kind::Let { name, parameters, value: self.expression()? })
    }

    fn observe(&mut self) -> Parsed<Kind<'a>> {
        let mut observed = Vec::new();
        loop {
            let value = self.expression()?;
            let (mut name, mut scale) = (None, None);
            loop {
                if name.is_none() && self.accept_word("as") {
                    name = Some(self.new_name("an observation")?);
                } else if scale.is_none() && self.accept_word("scale") {
                    scale = Some(self.expression()?);
                } else {
                    break;
                }
            }
            observed.push(Observed { value, name, scale });
            if !self.accept_symbol(",") {
                return Ok(Kind::Observe(observed));
            }
        }
    }

    fn camera(&mut self) -> Parsed<Kind<'a>> {
        self.expect_word("at", "and the middle of the picture, for example `camera at (0, 1) height 4`")?;
        let at = self.expression()?;
        self.expect_word("height", "and what of the world is seen from top to bottom")?;
        Ok(Kind::Camera { at, height: self.expression()? })
    }

    /// `variable in from..to`
    pub(super) fn range(&mut self) -> Parsed<Range<'a>> {
        let variable = self.new_name("a variable")?;
        self.expect_word("in", "and a range, for example `i in 0..8`")?;
        let from = Box::new(self.sum()?);
        self.expect_symbol("..", "and the end of the range, which does not belong to it")?;
        Ok(Range { variable, from, to: Box::new(self.sum()?) })
    }
}
