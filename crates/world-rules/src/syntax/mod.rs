//! From a text to statements: `lexer.rs` splits it into tokens, `parser.rs`, `expressions.rs` and
//! `drawing.rs` parse these, and `ast.rs` has the statements. What names mean is checked later
//! (`crate::check`).

pub(crate) mod ast;
mod drawing;
mod expressions;
mod lexer;
mod parser;

pub(crate) use expressions::CONSTANTS;
pub(crate) use parser::{STATEMENTS, parse};

/// Words with a meaning of their own, which cannot be names.
pub(crate) const RESERVED: &[&str] = &[
    "about", "action", "and", "camera", "dt", "degree", "draw", "else", "fail", "false", "for", "if", "in",
    "let", "limit", "not", "observe", "or", "param", "pi", "reward", "solved", "state", "step", "succeed",
    "then", "true", "world",
];
