//! A world as a WGSL module. `begin_world`, `step_world` and `look_at_world` compute one world in an
//! invocation, for kernels of others too; the entry points `begin` and `main` step a batch.
//!
//! A compiler for GPUs may assume that no number is infinite or undefined, so whether one is, is decided by
//! the bits of its exponent.

use std::fmt::Write;

use super::{Language, Written, headline, one_line, programs};
use crate::draws::{normal_block, uniform_block};
use crate::graph::{Binary, Ternary, Unary};
use crate::limits::LARGEST;
use crate::world::{Actions, Spec, World};

/// The functions that are not WGSL's own. Each text needs those before it in the list only.
const BASE: &str = include_str!("wgsl/base.wgsl");
const EXP: &str = include_str!("wgsl/exp.wgsl");
const LOG: &str = include_str!("wgsl/log.wgsl");
const ANGLES: &str = include_str!("wgsl/angles.wgsl");
const TANH: &str = include_str!("wgsl/tanh.wgsl");
const RANDOM: &str = include_str!("wgsl/random.wgsl");
const NORMAL: &str = include_str!("wgsl/normal.wgsl");
const BATCH: &str = include_str!("wgsl/batch.wgsl");

/// How WGSL writes operations. `p`, `s` and `a` are parameters, state and action.
struct Wgsl;

impl Language for Wgsl {
    fn constant(&self, x: f32) -> String {
        if x.is_finite() { format!("{x:?}f") } else { self.opaque_constant(x) }
    }

    fn opaque_constant(&self, x: f32) -> String {
        format!("rules_float(0x{:08x}u)", x.to_bits())
    }

    fn truth(&self, x: bool) -> &'static str {
        if x { "true" } else { "false" }
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
            Unary::Abs => format!("abs({a})"),
            Unary::Floor => format!("floor({a})"),
            Unary::Sqrt => format!("sqrt({a})"),
            Unary::Exp => format!("rules_exp({a})"),
            Unary::Log => format!("rules_log({a})"),
            Unary::Sin => format!("rules_sin_cos({a}).x"),
            Unary::Cos => format!("rules_sin_cos({a}).y"),
            Unary::Tanh => format!("rules_tanh({a})"),
            Unary::Wrap => format!("rules_wrap({a})"),
            Unary::Not => self.not(a),
        }
    }

    fn arithmetic(&self, f: Binary, a: &str, b: &str) -> String {
        let sign = match f {
            Binary::Add => "+",
            Binary::Sub => "-",
            Binary::Mul => "*",
            Binary::Div => "/",
            // WGSL's own may return either operand if the other one is no number.
            Binary::Min => return format!("select({b}, {a}, {a} < {b})"),
            _ => return format!("select({b}, {a}, {a} > {b})"),
        };
        format!("{a} {sign} {b}")
    }

    fn compare(&self, f: Binary, a: &str, b: &str) -> String {
        match f {
            Binary::Less => format!("{a} < {b}"),
            Binary::AtMost => format!("!({b} < {a})"),
            Binary::Equal => format!("{a} == {b}"),
            _ => format!("{a} != {b}"),
        }
    }

    fn both(&self, a: &str, b: &str) -> String {
        format!("{a} && {b}")
    }

    fn either(&self, a: &str, b: &str) -> String {
        format!("{a} || {b}")
    }

    fn not(&self, a: &str) -> String {
        format!("!{a}")
    }

    fn multiply_add(&self, f: Ternary, a: &str, b: &str, c: &str) -> String {
        match f {
            Ternary::MulSub => format!("fma({a}, {b}, -({c}))"),
            Ternary::NegMulAdd => format!("fma(-({a}), {b}, {c})"),
            _ => format!("fma({a}, {b}, {c})"),
        }
    }

    fn select(&self, condition: &str, then: &str, otherwise: &str) -> String {
        format!("select({otherwise}, {then}, {condition})")
    }

    fn lookup(&self, table: u16, length: usize, index: &str) -> String {
        format!("table_{table}[u32(clamp({index}, 0.0, {}.0))]", length - 1)
    }

    fn as_number(&self, truth: &str) -> String {
        format!("select(0.0, 1.0, {truth})")
    }

    fn as_truth(&self, number: &str) -> String {
        format!("({number} > 0.0)")
    }

    fn name(&self, name: &str, value: &str) -> String {
        format!("let {name} = {value};")
    }
}

/// The name of a block of random numbers.
fn block_name((is_normal, block): (bool, u16)) -> String {
    format!("{}_{block}", if is_normal { "normal" } else { "uniform" })
}

impl World {
    /// The world as a WGSL module.
    ///
    /// On a device that rounds multiply-adds once and divides exactly, results have the bits of the class
    /// `fused`; on others they differ by roundings.
    pub fn wgsl(&self) -> String {
        self.wgsl_functions() + &batch(self.spec())
    }

    /// The types and functions of [`World::wgsl`] without its entry points and bindings, for a kernel that
    /// includes them: `begin_world`, `step_world` and `look_at_world`. Apart from these, from the types
    /// `Parameters`, `State`, `Action`, `Observation`, `Moment`, `Begun`, `Stepped`, `Looked` and `Quarters`
    /// and the constants `STEP_LIMIT`, `LARGEST` and `FAR`, all names begin with `rules_` or `table_`.
    pub fn wgsl_functions(&self) -> String {
        let spec = self.spec();
        let written = programs(&Wgsl, self);
        let mut out = heading(spec);
        out.push_str(&functions(&written));
        push_tables(&mut out, self, &written);
        let [begin, step, look] = &written;
        push_begin(&mut out, spec, begin);
        push_step(&mut out, spec, step);
        push_look(&mut out, spec, look);
        out
    }
}

/// The comment at the beginning, and the types.
fn heading(spec: &Spec) -> String {
    let numbered = |names: &mut dyn Iterator<Item = &str>| {
        let names: Vec<String> =
            names.enumerate().map(|(i, name)| format!("{i} {}", one_line(name))).collect();
        if names.is_empty() { "none".to_owned() } else { names.join(", ") }
    };
    let mut out = String::new();
    push_wrapped(&mut out, &headline(spec));
    out.push_str("//\n");
    let (mut parameters, mut state) =
        (spec.parameters.iter().map(|p| &p.name[..]), spec.state.iter().map(|s| &s[..]));
    let mut seen = spec.observations.iter().map(|seen| &seen.name[..]);
    let action = match &spec.actions {
        Actions::Choice { name, choices } => {
            format!("0 {name}: {}", numbered(&mut choices.iter().map(|choice| &choice[..])))
        }
        Actions::Continuous(ranges) => numbered(&mut ranges.iter().map(|range| &range.name[..])),
    };
    for (what, names) in [
        ("Parameters", numbered(&mut parameters)),
        ("Numbers of the state", numbered(&mut state)),
        ("Numbers of an action", one_line(&action)),
        ("Observations", numbered(&mut seen)),
    ] {
        push_wrapped(&mut out, &format!("{what}: {names}."));
    }
    // No array is empty.
    let [parameters, state, action, seen] =
        [spec.parameters.len(), spec.state.len(), spec.actions.count(), spec.observations.len()]
            .map(|n| n.max(1));
    let _ = write!(
        out,
        "\nalias Parameters = array<f32, {parameters}>;\nalias State = array<f32, {state}>;\n\
         alias Action = array<f32, {action}>;\nalias Observation = array<f32, {seen}>;\n\
         // An episode is truncated after this many steps; 0 if there is no limit.\n\
         const STEP_LIMIT = {}u;\n\
         // The bits of the largest number that a state, a reward or an observation may be.\n\
         const LARGEST = 0x{:08x}u;\n\n",
        spec.limit.unwrap_or(0),
        LARGEST.to_bits()
    );
    out.push_str(BASE);
    out
}

/// A comment in lines of at most 110 characters.
fn push_wrapped(out: &mut String, text: &str) {
    let mut length = 0;
    for word in text.split(' ') {
        if length == 0 || length + 1 + word.chars().count() > 110 {
            out.push_str(if length == 0 { "// " } else { "\n//   " });
            // The length of the longer beginning.
            length = 5;
        } else {
            out.push(' ');
            length += 1;
        }
        out.push_str(word);
        length += word.chars().count();
    }
    out.push('\n');
}

/// The functions that the programs call.
fn functions(written: &[Written]) -> String {
    let calls = |functions: &[Unary]| {
        functions.iter().any(|f| written.iter().any(|program| program.functions.contains(f)))
    };
    let draws = |is_normal: bool| {
        written.iter().any(|program| program.blocks.iter().any(|(normal, _)| *normal == is_normal))
    };
    let has_normal = draws(true);
    let parts = [
        (calls(&[Unary::Exp]), EXP),
        (calls(&[Unary::Log]) || has_normal, LOG),
        (calls(&[Unary::Sin, Unary::Cos, Unary::Wrap]) || has_normal, ANGLES),
        (calls(&[Unary::Tanh]), TANH),
        (draws(false) || has_normal, RANDOM),
        (has_normal, NORMAL),
    ];
    parts.iter().filter(|(is_needed, _)| *is_needed).map(|(_, text)| format!("\n{text}")).collect()
}

fn push_tables(out: &mut String, world: &World, written: &[Written]) {
    for (i, table) in world.graph.tables().iter().enumerate() {
        if written.iter().any(|program| program.tables.contains(&(i as u16))) {
            // A constant array has no infinite elements.
            let finite = |x: &f32| Wgsl.constant(x.clamp(f32::MIN, f32::MAX));
            let elements: Vec<String> = table.iter().map(finite).collect();
            let (length, elements) = (table.len(), elements.join(", "));
            let _ = write!(out, "\nconst table_{i} = array<f32, {length}>({elements});\n");
        }
    }
}

/// The statements of a program, with the random numbers that it draws.
fn push_statements(out: &mut String, program: &Written) {
    for block in &program.blocks {
        let name = block_name(*block);
        let (is_normal, first) = (block.0, 4 * block.1);
        let index = if is_normal { normal_block(first) } else { uniform_block(first) };
        let function = if is_normal { "rules_normal" } else { "rules_uniform" };
        let _ = writeln!(out, "  let {name} = {function}(at, {index}u);");
    }
    for statement in &program.statements {
        let _ = writeln!(out, "  {statement}");
    }
    let fault = program.fault.as_deref().unwrap_or("false");
    let _ = writeln!(out, "  var fault = select(0u, 1u, {fault});");
}

/// Statements that look for numbers out of range. `code` is that of their fault, as `wgsl/base.wgsl` lists
/// them: 2 the state, 3 the reward, 4 an observation.
fn push_checks(out: &mut String, numbers: &[String], code: u32) {
    for number in numbers {
        let _ = writeln!(out, "  fault = rules_checked(fault, {number}, {code}u);");
    }
}

/// An array of numbers; an empty one has one zero.
fn array(kind: &str, numbers: &[String]) -> String {
    if numbers.is_empty() { format!("{kind}()") } else { format!("{kind}({})", numbers.join(", ")) }
}

fn push_begin(out: &mut String, spec: &Spec, program: &Written) {
    let numbers = program.numbers(&Wgsl);
    let (state, seen) = numbers.split_at(spec.state.len());
    out.push_str(
        "\n// The beginning of an episode.\nfn begin_world(p: Parameters, at: Moment) -> Begun {\n  \
         let a = Action();\n",
    );
    push_statements(out, program);
    push_checks(out, state, 2);
    push_checks(out, seen, 4);
    let (state, seen) = (array("State", state), array("Observation", seen));
    let _ = write!(
        out,
        "  if (fault != 0u) {{\n    return Begun(State(), Observation(), fault);\n  }}\n  \
         return Begun({state}, {seen}, 0u);\n}}\n"
    );
}

fn push_step(out: &mut String, spec: &Spec, program: &Written) {
    let numbers = program.numbers(&Wgsl);
    let n = spec.state.len();
    let (state, reward, seen) = (&numbers[..n], &numbers[n..=n], &numbers[n + 3..]);
    let [failed, succeeded] = [n + 1, n + 2].map(|i| program.truth(&Wgsl, i));
    out.push_str(
        "\n// A step. The numbers of the action are within their bounds.\n\
         fn step_world(p: Parameters, s: State, a: Action, at: Moment) -> Stepped {\n",
    );
    push_statements(out, program);
    push_checks(out, state, 2);
    push_checks(out, reward, 3);
    push_checks(out, seen, 4);
    let (state, seen, reward) = (array("State", state), array("Observation", seen), &reward[0]);
    let _ = write!(
        out,
        "  if (fault != 0u) {{\n    return Stepped(s, 0.0, true, false, Observation(), fault);\n  }}\n  \
         return Stepped({state}, {reward}, {failed}, {succeeded} && !{failed}, {seen}, 0u);\n}}\n"
    );
}

fn push_look(out: &mut String, spec: &Spec, program: &Written) {
    let numbers = program.numbers(&Wgsl);
    let [failed, succeeded] = [0, 1].map(|i| program.truth(&Wgsl, i));
    let seen = &numbers[2..];
    out.push_str(
        "\n// What there is to see of a state.\nfn look_at_world(p: Parameters, s: State) -> Looked {\n",
    );
    push_statements(out, program);
    let state: Vec<String> = (0..spec.state.len()).map(|i| format!("s[{i}]")).collect();
    push_checks(out, &state, 2);
    push_checks(out, seen, 4);
    let seen = array("Observation", seen);
    let _ = write!(out, "  return Looked({failed}, {succeeded}, {seen}, fault);\n}}\n");
}

/// The entry points, for the sizes of this world.
fn batch(spec: &Spec) -> String {
    let elements = |array: &str, count: usize, from: &str| {
        let elements: Vec<String> = (0..count).map(|i| format!("{array}[{from} + {i}u]")).collect();
        elements.join(", ")
    };
    let stores = |array: &str, count: usize, from: &str, value: &str| {
        let stores: Vec<String> =
            (0..count).map(|i| format!("  {array}[{from} + {i}u] = {value}[{i}];")).collect();
        stores.join("\n")
    };
    let clipped: Vec<String> = (0..spec.actions.count())
        .map(|i| {
            let (low, high) = spec.actions.bounds(i);
            let (low, high) = (Wgsl.constant(low), Wgsl.constant(high));
            format!("rules_clamp(actions[world * {}u + {i}u], {low}, {high})", spec.actions.count())
        })
        .collect();
    let sizes = [spec.state.len(), spec.observations.len()].map(|n| n.to_string());
    // A storage buffer of a world without parameters has one number too.
    let parameters: Vec<String> =
        (0..spec.parameters.len().max(1)).map(|i| format!("parameters[{i}]")).collect();
    [
        ("STATES", &sizes[0]),
        ("OBSERVATIONS", &sizes[1]),
        ("READ_PARAMETERS", &parameters.join(", ")),
        ("READ_STATE", &elements("states", spec.state.len(), "at")),
        ("READ_ACTION", &clipped.join(", ")),
        ("WRITE_STATE", &stores("states", spec.state.len(), "at", "state")),
        ("WRITE_OBSERVATION", &stores("observations", spec.observations.len(), "at", "observation")),
    ]
    .iter()
    .fold(format!("\n{BATCH}"), |text, (name, value)| text.replace(&format!("${name}"), value))
}
