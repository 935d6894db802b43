//! A world as a class of Python that needs nothing but NumPy: a text for readers, who can step it, change it
//! and compare it. It gives the bits of the reference, in either class.

use std::fmt::Write;

use super::{Language, Written, headline, programs};
use crate::draws::{normal_block, uniform_block};
use crate::graph::{Binary, Ternary, Unary};
use crate::limits::LARGEST;
use crate::world::{Actions, Spec, World};

/// The templates: the arithmetic, and the class. `$NAME` stands for what is a world's own, see [`fill`].
const ARITHMETIC: &str = include_str!("numpy/arithmetic.py");
const WORLD: &str = include_str!("numpy/world.py");

/// How NumPy writes operations. `m` is the arithmetic, `p`, `s` and `a` are parameters, state and action.
struct Numpy;

impl Language for Numpy {
    fn constant(&self, x: f32) -> String {
        let text = format!("{x:?}");
        // NumPy rounds a number of double precision.
        let is_same = text.parse::<f64>().is_ok_and(|double| (double as f32).to_bits() == x.to_bits());
        if !x.is_finite() {
            self.opaque_constant(x)
        } else if is_same {
            text
        } else {
            format!("{:?}", f64::from(x))
        }
    }

    fn opaque_constant(&self, x: f32) -> String {
        if x.is_finite() {
            format!("f32({})", self.constant(x))
        } else if x.is_nan() {
            "f32(np.nan)".into()
        } else {
            format!("f32({}np.inf)", if x < 0.0 { "-" } else { "" })
        }
    }

    fn truth(&self, x: bool) -> &'static str {
        if x { "True" } else { "False" }
    }

    fn parameter(&self, i: u16) -> String {
        format!("p[{i}]")
    }

    fn state(&self, i: u16) -> String {
        format!("s[{i}]")
    }

    fn action(&self, i: u16) -> String {
        format!("a[{i}]")
    }

    fn drawn(&self, is_normal: bool, i: u16) -> String {
        format!("{}[{}]", block_name((is_normal, i / 4)), i % 4)
    }

    fn unary(&self, f: Unary, a: &str) -> String {
        match f {
            Unary::Abs => format!("np.abs({a})"),
            Unary::Floor => format!("np.floor({a})"),
            Unary::Sqrt => format!("np.sqrt({a})"),
            Unary::Exp => format!("m.exp({a})"),
            Unary::Log => format!("m.log({a})"),
            Unary::Sin => format!("m.sin({a})"),
            Unary::Cos => format!("m.cos({a})"),
            Unary::Tanh => format!("m.tanh({a})"),
            Unary::Wrap => format!("m.wrap({a})"),
            Unary::Not => self.not(a),
        }
    }

    fn arithmetic(&self, f: Binary, a: &str, b: &str) -> String {
        let sign = match f {
            Binary::Add => "+",
            Binary::Sub => "-",
            Binary::Mul => "*",
            Binary::Div => "/",
            Binary::Min => return format!("smaller({a}, {b})"),
            _ => return format!("larger({a}, {b})"),
        };
        format!("{a} {sign} {b}")
    }

    fn compare(&self, f: Binary, a: &str, b: &str) -> String {
        match f {
            Binary::Less => format!("{a} < {b}"),
            Binary::AtMost => format!("np.logical_not({b} < {a})"),
            Binary::Equal => format!("{a} == {b}"),
            _ => format!("{a} != {b}"),
        }
    }

    fn both(&self, a: &str, b: &str) -> String {
        format!("{a} & {b}")
    }

    fn either(&self, a: &str, b: &str) -> String {
        format!("{a} | {b}")
    }

    fn not(&self, a: &str) -> String {
        format!("np.logical_not({a})")
    }

    fn multiply_add(&self, f: Ternary, a: &str, b: &str, c: &str) -> String {
        match f {
            Ternary::MulSub => format!("m.multiply_add({a}, {b}, -({c}))"),
            Ternary::NegMulAdd => format!("m.multiply_add(-({a}), {b}, {c})"),
            _ => format!("m.multiply_add({a}, {b}, {c})"),
        }
    }

    fn select(&self, condition: &str, then: &str, otherwise: &str) -> String {
        format!("choose({condition}, {then}, {otherwise})")
    }

    fn lookup(&self, table: u16, _: usize, index: &str) -> String {
        format!("element(TABLES[{table}], {index})")
    }

    fn as_number(&self, truth: &str) -> String {
        format!("choose({truth}, 1.0, 0.0)")
    }

    fn as_truth(&self, number: &str) -> String {
        format!("({number} > 0.0)")
    }

    fn name(&self, name: &str, value: &str) -> String {
        format!("{name} = {value}")
    }
}

/// The name of a block of random numbers.
fn block_name((is_normal, block): (bool, u16)) -> String {
    format!("{}_{block}", if is_normal { "normal" } else { "uniform" })
}

impl World {
    /// The world as a Python module with one class, which steps many worlds at once with NumPy.
    ///
    /// In the class of bits that its constructor is told, results have the bits of [`World::step`]. Sines,
    /// cosines and wrapped angles beyond 8192 radians may differ in the last bit, because NumPy's own in
    /// double precision differ between platforms.
    pub fn numpy(&self) -> String {
        let spec = self.spec();
        let class = class_name(&spec.title);
        let [begin, step, look] = &programs(&Numpy, self);
        let n = spec.state.len();
        let outputs = |program: &Written| program.numbers(&Numpy);
        let (begun, stepped, looked) = (outputs(begin), outputs(step), outputs(look));
        let truths =
            |program: &Written, first: usize| [first, first + 1].map(|i| program.truth(&Numpy, i)).join(", ");
        let fault = |program: &Written| program.fault.clone().unwrap_or_else(|| "False".into());
        let replaced = [
            ("HEADLINE", quoted(&headline(spec))),
            ("CLASS", class),
            ("TABLES", tables(self)),
            ("CONSTANTS", constants(spec)),
            ("BEGIN_STATEMENTS", statements(begin)),
            ("BEGIN_STATE", list(&begun[..n])),
            ("BEGIN_OBSERVATION", list(&begun[n..])),
            ("BEGIN_FAULT", fault(begin)),
            ("STEP_STATEMENTS", statements(step)),
            ("STEP_STATE", list(&stepped[..n])),
            ("STEP_REWARD", stepped[n].clone()),
            ("STEP_ENDS", truths(step, n + 1)),
            ("STEP_OBSERVATION", list(&stepped[n + 3..])),
            ("STEP_FAULT", fault(step)),
            ("LOOK_STATEMENTS", statements(look)),
            ("LOOK_ENDS", truths(look, 0)),
            ("LOOK_OBSERVATION", list(&looked[2..])),
            ("LOOK_FAULT", fault(look)),
        ];
        fill(&format!("{ARITHMETIC}\n\n{WORLD}"), &replaced)
    }
}

/// Replaces every `$NAME` of a template. A text that is put in is not looked at again.
fn fill(template: &str, values: &[(&str, String)]) -> String {
    let mut out = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('$') {
        out.push_str(before);
        let end = after.find(|c: char| !c.is_ascii_uppercase() && c != '_').unwrap_or(after.len());
        let (name, tail) = after.split_at(end);
        let value = values.iter().find(|(known, _)| *known == name).map_or("", |(_, value)| value);
        out.push_str(value);
        rest = tail;
    }
    out.push_str(rest);
    out
}

/// The title as the name of a class: `CartAndPoleWorld`.
fn class_name(title: &str) -> String {
    let mut name = String::new();
    for word in title.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()) {
        let (first, rest) = word.split_at(1);
        name.push_str(&first.to_ascii_uppercase());
        name.push_str(&rest.to_ascii_lowercase());
    }
    if name.starts_with(|c: char| c.is_ascii_digit()) {
        name.insert(0, '_');
    }
    name + "World"
}

/// A text in quotation marks.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

fn list(texts: &[String]) -> String {
    format!("[{}]", texts.join(", "))
}

/// The statements of a program, with the random numbers that it draws, inside of a method.
fn statements(program: &Written) -> String {
    let mut out = String::new();
    for block in &program.blocks {
        let name = block_name(*block);
        let (is_normal, first) = (block.0, 4 * block.1);
        let index = if is_normal { normal_block(first) } else { uniform_block(first) };
        let function = if is_normal { "normal" } else { "uniform" };
        let _ = write!(out, "\n        {name} = draws.{function}({index})");
    }
    for statement in &program.statements {
        let _ = write!(out, "\n        {statement}");
    }
    out
}

fn tables(world: &World) -> String {
    let row = |table: &Vec<f32>| {
        let elements: Vec<String> = table.iter().map(|x| Numpy.constant(*x)).collect();
        format!("np.array([{}], dtype=f32)", elements.join(", "))
    };
    let rows: Vec<String> = world.graph.tables().iter().map(row).collect();
    list(&rows)
}

/// What the text says about the world, as attributes of the class.
fn constants(spec: &Spec) -> String {
    let number = |x: f32| Numpy.constant(x);
    let names = |names: &mut dyn Iterator<Item = &String>| {
        let names: Vec<String> = names.map(|name| quoted(name)).collect();
        list(&names)
    };
    let parameters: Vec<String> = spec
        .parameters
        .iter()
        .map(|p| format!("{}: ({}, {}, {})", quoted(&p.name), number(p.value), number(p.low), number(p.high)))
        .collect();
    let bounds: Vec<String> = (0..spec.actions.count())
        .map(|i| {
            let (low, high) = spec.actions.bounds(i);
            format!("({}, {})", number(low), number(high))
        })
        .collect();
    let (actions, choices) = match &spec.actions {
        Actions::Choice { name, choices } => (names(&mut std::iter::once(name)), names(&mut choices.iter())),
        Actions::Continuous(ranges) => (names(&mut ranges.iter().map(|range| &range.name)), "None".into()),
    };
    let lines = [
        (
            "The usual value of each parameter, and its bounds.",
            "PARAMETERS",
            format!("{{{}}}", parameters.join(", ")),
        ),
        ("Names of the numbers of the state.", "STATE", names(&mut spec.state.iter())),
        ("Names of the numbers of an action, and their bounds.", "ACTIONS", actions),
        ("", "BOUNDS", list(&bounds)),
        ("The choices of which an action is the number, or None.", "CHOICES", choices),
        (
            "Names of what the agent sees.",
            "OBSERVATIONS",
            names(&mut spec.observations.iter().map(|seen| &seen.name)),
        ),
        (
            "Steps after which an episode is truncated, or None.",
            "LIMIT",
            spec.limit.map_or("None".into(), |limit| limit.to_string()),
        ),
        ("Beyond this number, a state, reward or observation is a fault.", "LARGEST", number(LARGEST)),
    ];
    let mut out = String::new();
    for (comment, name, value) in lines {
        if !comment.is_empty() {
            let _ = writeln!(out, "    # {comment}");
        }
        let _ = writeln!(out, "    {name} = {value}");
    }
    out.truncate(out.trim_end().len());
    out
}
