//! Worlds as programs of other languages. The statements of a program are the nodes of its graph without
//! faults, in their order: each computes one operation, with the same rounding as the reference where the
//! other language allows it. A [`Language`] says how an operation is written.

mod numpy;
mod wgsl;

use crate::graph::{Binary, Faultless, Graph, Id, Op, Ternary, Unary, without_faults};
use crate::world::{Spec, World};

/// How a language writes operations. Operands are names, numbers or short expressions in brackets; each
/// method returns the text of an expression.
trait Language {
    fn constant(&self, x: f32) -> String;
    /// A constant that the language's compiler does not compute with.
    fn opaque_constant(&self, x: f32) -> String;
    fn truth(&self, x: bool) -> &'static str;
    fn parameter(&self, i: u16) -> String;
    fn state(&self, i: u16) -> String;
    fn action(&self, i: u16) -> String;
    /// Number `i` of those that are drawn uniformly, or from the normal distribution.
    fn drawn(&self, is_normal: bool, i: u16) -> String;
    fn unary(&self, f: Unary, a: &str) -> String;
    fn arithmetic(&self, f: Binary, a: &str, b: &str) -> String;
    fn compare(&self, f: Binary, a: &str, b: &str) -> String;
    fn both(&self, a: &str, b: &str) -> String;
    fn either(&self, a: &str, b: &str) -> String;
    fn not(&self, a: &str) -> String;
    fn multiply_add(&self, f: Ternary, a: &str, b: &str, c: &str) -> String;
    fn select(&self, condition: &str, then: &str, otherwise: &str) -> String;
    fn lookup(&self, table: u16, length: usize, index: &str) -> String;
    /// A truth value as 0 or 1.
    fn as_number(&self, truth: &str) -> String;
    /// A number as a truth value: whether it is above 0.
    fn as_truth(&self, number: &str) -> String;
    /// A statement that names a value.
    fn name(&self, name: &str, value: &str) -> String;
}

/// The value of a node as it is written. Truth values are numbers in the graph, but a type of their own in
/// other languages.
#[derive(Clone, Debug, Default)]
struct Value {
    text: String,
    is_truth: bool,
    /// Whether the language could compute it while it compiles.
    is_constant: bool,
}

/// A program of a world as statements.
struct Written {
    statements: Vec<String>,
    outputs: Vec<Value>,
    /// Whether a fault has reached an output, if that is possible.
    fault: Option<String>,
    /// The blocks of random numbers that it draws: whether they are normal, and which block of this
    /// distribution.
    blocks: Vec<(bool, u16)>,
    /// The functions that it calls.
    functions: Vec<Unary>,
    /// The tables that it reads.
    tables: Vec<u16>,
}

impl Written {
    fn new(language: &impl Language, graph: &Graph, outputs: &[Id]) -> Self {
        let program = without_faults(graph, outputs);
        let mut this = Self {
            statements: Vec::new(),
            outputs: Vec::new(),
            fault: None,
            blocks: Vec::new(),
            functions: Vec::new(),
            tables: Vec::new(),
        };
        let values = this.statements_of(language, &program);
        let value = |id: &Id| values[id.index()].clone();
        this.outputs = program.outputs.iter().map(value).collect();
        if !program.graph.is(program.fault, 0.0) {
            this.fault = Some(truth(language, &values[program.fault.index()]));
        }
        this
    }

    /// Writes the statements. Returns the values of all nodes.
    fn statements_of(&mut self, language: &impl Language, program: &Faultless) -> Vec<Value> {
        let graph = &program.graph;
        let mut values = vec![Value::default(); graph.len()];
        let mut names = 0;
        for id in graph.live(program.outputs.iter().copied().chain([program.fault])) {
            let op = graph.op(id);
            self.note(op);
            let mut value = value_of(language, graph, op, &values);
            if op.is_operation() {
                names += 1;
                let name = format!("v{names}");
                self.statements.push(language.name(&name, &value.text));
                value.text = name;
            }
            values[id.index()] = value;
        }
        values
    }

    /// Notes what an operation needs.
    fn note(&mut self, op: Op) {
        fn add<T: PartialEq>(list: &mut Vec<T>, new: T) {
            if !list.contains(&new) {
                list.push(new);
            }
        }
        match op {
            Op::Uniform(i) => add(&mut self.blocks, (false, i / 4)),
            Op::Normal(i) => add(&mut self.blocks, (true, i / 4)),
            Op::Unary(f, _) => add(&mut self.functions, f),
            Op::Lookup(table, _) => add(&mut self.tables, table),
            _ => {}
        }
    }

    /// The outputs as numbers.
    fn numbers(&self, language: &impl Language) -> Vec<String> {
        self.outputs.iter().map(|value| number(language, value)).collect()
    }

    /// Output `i` as a truth value.
    fn truth(&self, language: &impl Language, i: usize) -> String {
        truth(language, &self.outputs[i])
    }
}

fn number(language: &impl Language, value: &Value) -> String {
    if value.is_truth { language.as_number(&value.text) } else { value.text.clone() }
}

fn truth(language: &impl Language, value: &Value) -> String {
    if value.is_truth { value.text.clone() } else { language.as_truth(&value.text) }
}

fn value_of(language: &impl Language, graph: &Graph, op: Op, values: &[Value]) -> Value {
    let mut all_constant = op.is_operation();
    op.operands(|id| all_constant &= values[id.index()].is_constant);
    let number = |id: Id| match graph.value(id) {
        // Compilers refuse what is wrong with constants, or compute it in another precision.
        Some(x) if all_constant => language.opaque_constant(x),
        _ => number(language, &values[id.index()]),
    };
    let truth = |id: Id| match graph.value(id) {
        Some(x) => language.truth(x > 0.0).to_owned(),
        None => truth(language, &values[id.index()]),
    };
    let mut is_truth = false;
    let text = match op {
        Op::Constant(bits) => language.constant(f32::from_bits(bits)),
        Op::Parameter(i) => language.parameter(i),
        Op::State(i) => language.state(i),
        Op::Action(i) => language.action(i),
        Op::Uniform(i) => language.drawn(false, i),
        Op::Normal(i) => language.drawn(true, i),
        Op::Unary(Unary::Not, a) => {
            is_truth = true;
            language.not(&truth(a))
        }
        Op::Unary(f, a) => language.unary(f, &number(a)),
        Op::Binary(f @ (Binary::And | Binary::Or), a, b) => {
            is_truth = true;
            let (a, b) = (truth(a), truth(b));
            if f == Binary::And { language.both(&a, &b) } else { language.either(&a, &b) }
        }
        Op::Binary(f @ (Binary::Less | Binary::AtMost | Binary::Equal | Binary::NotEqual), a, b) => {
            is_truth = true;
            language.compare(f, &number(a), &number(b))
        }
        Op::Binary(f, a, b) => language.arithmetic(f, &number(a), &number(b)),
        Op::Ternary(Ternary::Select, [c, a, b]) => language.select(&truth(c), &number(a), &number(b)),
        Op::Ternary(f, [a, b, c]) => language.multiply_add(f, &number(a), &number(b), &number(c)),
        Op::Lookup(table, index) => {
            let length = graph.tables()[usize::from(table)].len();
            language.lookup(table, length, &number(index))
        }
        Op::Check(..) => unreachable!("the graph has no checks"),
    };
    Value { text, is_truth, is_constant: matches!(op, Op::Constant(_)) }
}

/// A text without characters that end a line, for comments.
fn one_line(text: &str) -> String {
    let is_break = |c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}');
    text.chars().map(|c| if is_break(c) { ' ' } else { c }).collect()
}

/// Title and sentence of a world, without characters that end a line.
fn headline(spec: &Spec) -> String {
    let sentence = format!("{}. {}", spec.title.trim_end_matches('.'), spec.about);
    one_line(sentence.trim_end())
}

/// The programs of a world as statements: beginning, step, and what there is to see of a state.
fn programs(language: &impl Language, world: &World) -> [Written; 3] {
    let programs = &world.programs;
    [&programs.begin, &programs.step, &programs.state]
        .map(|outputs| Written::new(language, &world.graph, outputs))
}
