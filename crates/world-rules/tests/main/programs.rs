//! Random programs from the grammar: the vector code gives the bits of the reference, faults included.

use std::sync::Arc;

use learnery_kernels::rng::Stream;
use learnery_world_rules::{World, render};

use crate::support::{compare_with_reference, with_every_isa};

/// Programs of a test run; each is stepped by every instruction set of the machine.
const PROGRAMS: u32 = 2000;

/// Writes random programs. All choices are drawn from one stream, so a seed repeats a program.
struct Writer {
    stream: Stream,
    drawn: u64,
    /// Names of numbers and of truth values that may be used.
    numbers: Vec<String>,
    truths: Vec<String>,
    /// Whether random numbers may be drawn, as in the rules.
    may_draw: bool,
}

impl Writer {
    fn below(&mut self, n: u32) -> u32 {
        self.drawn += 1;
        self.stream.below(1, self.drawn, n)
    }

    fn one_of<'s>(&mut self, list: &[&'s str]) -> &'s str {
        list[self.below(list.len() as u32) as usize]
    }

    /// A random name of a truth value or of a number.
    fn name(&mut self, truth: bool) -> String {
        let names = if truth { &self.truths } else { &self.numbers };
        if names.is_empty() {
            return if truth { "true".into() } else { "1.5".into() };
        }
        let names = names.clone();
        names[self.below(names.len() as u32) as usize].clone()
    }

    /// A random expression whose value is a number, nested at most `depth` deep.
    fn number(&mut self, depth: u32) -> String {
        if depth == 0 || self.below(6) == 0 {
            return match self.below(4) {
                0 => self.one_of(&["0", "1", "2", "0.5", "-3", "100", "1e-3", "0.7", "pi"]).to_owned(),
                _ => self.name(false),
            };
        }
        let d = depth - 1;
        match self.below(20) {
            0..6 => {
                let (a, op, b) =
                    (self.number(d), self.one_of(&["+", "-", "*", "*", "/", "%"]), self.number(d));
                format!("({a} {op} {b})")
            }
            // A product beside a sum, on either side.
            6 => format!("({} + {} * {})", self.number(d), self.number(d), self.number(d)),
            7 => format!("({} * {} - {})", self.number(d), self.number(d), self.number(d)),
            8 => {
                format!("({} * {} - {} * {})", self.number(d), self.number(d), self.number(d), self.number(d))
            }
            9..12 => {
                let f = self.one_of(&[
                    "abs", "sign", "floor", "round", "sqrt", "exp", "ln", "sin", "cos", "tan", "tanh",
                    "wrap", "-",
                ]);
                format!("{f}({})", self.number(d))
            }
            12 => {
                format!("{}({}, {})", self.one_of(&["min", "max", "atan2"]), self.number(d), self.number(d))
            }
            13 => format!("clamp({}, {}, {})", self.number(d), self.number(0), self.number(0)),
            14 => {
                let power = self.one_of(&["2", "3", "0.5", "-1", "1.7", "y"]);
                let power = if power == "y" { self.name(false) } else { power.to_owned() };
                format!("({})^{power}", self.number(d))
            }
            15..17 => {
                let (c, a, b) = (self.truth(d), self.number(d), self.number(d));
                format!("(if {c} then {a} else {b})")
            }
            17 => {
                let last = if self.below(2) == 0 { "2".to_owned() } else { self.name(false) };
                format!("[0.5, 1, {last}][{}]", self.number(d))
            }
            18 => format!("sum({} * i for i in 0..3)", self.number(d)),
            _ if self.may_draw => {
                self.one_of(&["uniform(-1, 2)", "normal(0, 1)", "uniform(0, p)"]).to_owned()
            }
            _ => format!("f({})", self.number(d)),
        }
    }

    /// A random condition.
    fn truth(&mut self, depth: u32) -> String {
        if depth == 0 || self.below(8) == 0 {
            return self.name(true);
        }
        let d = depth - 1;
        match self.below(7) {
            0..3 => {
                let op = self.one_of(&["<", "<=", ">", ">=", "==", "!="]);
                format!("({} {op} {})", self.number(d), self.number(d))
            }
            3 => format!("({} and {})", self.truth(d), self.truth(d)),
            4 => format!("({} or {})", self.truth(d), self.truth(d)),
            5 if self.may_draw => "chance(0.4)".to_owned(),
            _ => format!("(not {})", self.truth(d)),
        }
    }
}

/// A random program. Some are no worlds, because they are certain to fail.
pub fn program(seed: u32) -> String {
    let mut w = Writer {
        stream: Stream::new(seed, 77),
        drawn: 0,
        numbers: Vec::new(),
        truths: vec!["true".into(), "false".into()],
        may_draw: true,
    };
    let mut lines = vec!["world \"random\"".to_owned(), "param p = 0.3 from -2 to 2".to_owned()];
    let is_choice = w.below(2) == 0;
    lines.push(if is_choice {
        "action u: one, two, three".into()
    } else {
        "action u from -1 to 2".to_owned()
    });
    if !is_choice && w.below(2) == 0 {
        lines.push("action v from 0 to 1".into());
    }
    lines.push("let f(z) = z * 0.5 + 1".into());
    w.numbers = vec!["p".into()];
    for name in ["x", "y"] {
        let begin = if w.below(3) == 0 { w.number(1) } else { "uniform(-2, 3)".into() };
        lines.push(format!("state {name} = {begin}"));
    }
    lines.push(format!("state b = {}", w.one_of(&["false", "true", "chance(0.5)"])));
    w.numbers.extend(["x", "y", "u"].map(String::from));
    w.truths = vec!["b".into()];
    for i in 0..w.below(5) {
        let depth = 1 + w.below(4);
        if w.below(4) == 0 {
            lines.push(format!("let c{i} = {}", w.truth(depth)));
            w.truths.push(format!("c{i}"));
        } else {
            lines.push(format!("let a{i} = {}", w.number(depth)));
            w.numbers.push(format!("a{i}"));
        }
    }
    lines.push(format!("x' = {}", w.number(4)));
    w.numbers.push("x'".into());
    // Without a bound, nearly every episode would end at once.
    lines.push(format!("y' = clamp({}, -50, 50)", w.number(4)));
    lines.push(format!("b' = {}", w.truth(3)));
    w.numbers.push("y'".into());
    lines.push(format!("reward {}", w.number(3)));
    // Behind the step there is neither an action nor chance.
    (w.numbers, w.truths, w.may_draw) = (vec!["x".into(), "y".into(), "p".into()], vec!["b".into()], false);
    lines.push(format!("fail when {}", w.truth(2)));
    if w.below(2) == 0 {
        lines.push(format!("succeed when abs(x) > 100 and {}", w.truth(2)));
    }
    lines.push(format!("observe x, {} scale 3", w.number(2)));
    lines.push(format!("limit {}", 3 + w.below(20)));
    lines.join("\n")
}

#[test]
fn random_programs_give_the_bits_of_the_reference() {
    let (mut compiled, mut refused) = (0, 0);
    for seed in 0..PROGRAMS {
        let text = program(seed);
        let world = match World::compile(&text) {
            Ok(world) => Arc::new(world),
            Err(errors) => {
                // What is certain to fail is refused; everything else has to be a world.
                let is_certain = |message: &str| message.contains("always") || message.contains("outside");
                let all = errors.iter().all(|error| is_certain(&error.message));
                assert!(all, "{}\n{text}", render(&text, &errors));
                refused += 1;
                continue;
            }
        };
        compiled += 1;
        let run = std::panic::catch_unwind(|| {
            with_every_isa(|_| compare_with_reference(&world, &[0.3], 21, 12, seed));
        });
        assert!(run.is_ok(), "program {seed}:\n{text}");
    }
    assert!(compiled > refused * 4, "too few of the programs are worlds: {compiled}");
}
