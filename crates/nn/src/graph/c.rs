//! C headers of small networks: C99, with `math.h` alone. Each network is a function of one row of its
//! inputs, in which every value of the graph is a local array.

use std::collections::HashMap;
use std::fmt::Write as _;

use super::{Attribute, Constant, Element, Graph, Node, Numbers, Port};

/// The most parameters of a network in a header. Each takes some twelve bytes of text: 6 MB for this many.
const MAX_PARAMETERS: usize = 500_000;

/// Floats in a line of a table.
const NUMBERS_PER_LINE: usize = 10;

/// Functions that all networks of a header call. `NAME` stands for the name of the header.
const HELPERS: &str = "
/* y = x W + b, where W has a row for each input. */
static inline void NAME_dense(const float *x, const float *w, const float *b, int inputs, int outputs, float *y) {
    for (int j = 0; j < outputs; j++) y[j] = b[j];
    for (int i = 0; i < inputs; i++)
        for (int j = 0; j < outputs; j++) y[j] += x[i] * w[i * outputs + j];
}

/* Layer norm of one row. */
static inline void NAME_layer_norm(const float *x, const float *gamma, const float *beta, float epsilon, int size, float *y) {
    float mean = 0.0f, variance = 0.0f;
    for (int i = 0; i < size; i++) mean += x[i] / (float)size;
    for (int i = 0; i < size; i++) variance += (x[i] - mean) * (x[i] - mean) / (float)size;
    float scale = 1.0f / sqrtf(variance + epsilon);
    for (int i = 0; i < size; i++) y[i] = (x[i] - mean) * scale * gamma[i] + beta[i];
}
";

/// A header with a function `NAME_NETWORK` for each network; `lines` say at its top where they come from. The
/// error says in one sentence why a network is not for C.
pub fn c_header(name: &str, lines: &[String], networks: &[Graph]) -> Result<String, String> {
    let name = identifier(name);
    let guard = format!("{}_H", name.to_uppercase());
    let mut text = String::from("/*\n");
    lines.iter().for_each(|line| text += &format!(" * {}\n", escape_comment(line)));
    text += &format!(" */\n#ifndef {guard}\n#define {guard}\n\n#include <math.h>\n");
    text += &HELPERS.replace("NAME", &name);
    for network in networks {
        text += &write_function(&name, network)?;
    }
    text += &format!("\n#endif /* {guard} */\n");
    Ok(text)
}

/// A name of C: with letters, digits and underscores only, and beginning with a letter.
fn identifier(name: &str) -> String {
    let letter = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let name: String = name.chars().map(letter).collect();
    if name.starts_with(|c: char| c.is_ascii_alphabetic()) { name } else { format!("network_{name}") }
}

/// A text that does not end the comment in which it stands.
fn escape_comment(text: &str) -> String {
    text.replace("*/", "* /")
}

/// What a value of the graph is in C.
#[derive(Clone, Copy)]
enum CValue<'a> {
    Constant(&'a Constant),
    /// An array of this many numbers.
    Row(usize),
    /// Rows of a table, which only a sum over them reads: the table, the name of the array of their indices,
    /// and the number of indices.
    Gathered(&'a Constant, &'a str, usize),
}

/// A function that is being written.
struct Writer<'a> {
    /// The name of the header, with which the names of its functions begin.
    header: &'a str,
    graph: &'a Graph,
    /// The values of the graph so far, by their names.
    values: HashMap<&'a str, CValue<'a>>,
    /// The statements so far.
    body: String,
}

/// The text of a network's function.
fn write_function(header: &str, graph: &Graph) -> Result<String, String> {
    let (name, parameters) = (&graph.name, graph.parameters());
    if parameters > MAX_PARAMETERS {
        return Err(format!(
            "the network `{name}` has {parameters} parameters; a C header is for at most {MAX_PARAMETERS}"
        ));
    }
    let mut writer = Writer { header, graph, values: HashMap::new(), body: String::new() };
    let mut arguments = Vec::new();
    let mut texts = format!("\n/*\n * {}\n", escape_comment(&graph.about));
    for (port, is_input) in
        graph.inputs.iter().map(|port| (port, true)).chain(graph.outputs.iter().map(|port| (port, false)))
    {
        let width = fixed_width(port).ok_or_else(|| {
            format!("the network `{name}` reads rows of any length; a C header is for rows of a fixed length")
        })?;
        let c_type = match (is_input, port.element) {
            (true, Element::F32) => "const float",
            (true, Element::I64) => "const int",
            (false, _) => "float",
        };
        arguments.push(format!("{c_type} {}[{width}]", port.name));
        texts += &format!(" * {}[{width}]: {}\n", port.name, escape_comment(&port.about));
        if is_input {
            writer.values.insert(&port.name, CValue::Row(width));
        }
    }
    graph.notes.iter().for_each(|(key, text)| texts += &format!(" * {key}: {}\n", escape_comment(text)));
    for constant in &graph.constants {
        writer.write_constant(constant)?;
    }
    for node in &graph.nodes {
        writer.write_node(node)?;
    }
    let arguments = arguments.join(", ");
    Ok(format!(
        "{texts} */\nstatic inline void {header}_{}({arguments}) {{\n{}}}\n",
        identifier(name),
        writer.body
    ))
}

/// The numbers in a row of an input or output, if they are always this many. Axis 0 is the batch, of which
/// the function computes one row.
fn fixed_width(port: &Port) -> Option<usize> {
    let fixed = |dim: &super::Dim| match dim {
        super::Dim::Fixed(length) => Some(*length),
        super::Dim::Any(_) => None,
    };
    port.shape.get(1..)?.iter().map(fixed).product()
}

impl<'a> Writer<'a> {
    /// Writes a table of numbers. A single integer, such as an axis, needs no table: it is read while the
    /// function is written. Writing to a string never fails, so the results of `writeln!` are dropped here
    /// and below.
    fn write_constant(&mut self, constant: &'a Constant) -> Result<(), String> {
        self.values.insert(&constant.name, CValue::Constant(constant));
        match &constant.numbers {
            Numbers::F32(numbers) => {
                if numbers.iter().any(|number| !number.is_finite()) {
                    let network = &self.graph.name;
                    return Err(format!(
                        "the network `{network}` has parameters that are not finite numbers"
                    ));
                }
                let lines: Vec<String> = numbers
                    .chunks(NUMBERS_PER_LINE)
                    .map(|line| {
                        line.iter().map(|number| format!("{number:?}f")).collect::<Vec<_>>().join(", ")
                    })
                    .collect();
                let (name, rows) = (identifier(&constant.name), lines.join(",\n        "));
                let _ = writeln!(
                    self.body,
                    "    static const float {name}[{}] = {{\n        {rows}}};",
                    numbers.len()
                );
            }
            Numbers::I64(numbers) if numbers.len() > 1 => {
                let list: Vec<String> = numbers.iter().map(i64::to_string).collect();
                let (name, list) = (identifier(&constant.name), list.join(", "));
                let _ = writeln!(self.body, "    static const int {name}[{}] = {{{list}}};", numbers.len());
            }
            Numbers::I64(_) => {}
        }
        Ok(())
    }

    /// Writes the array of a node's value, unless that is an output of the function, and the statement that
    /// fills it. An operator or a kind of operand that is not listed here is refused.
    fn write_node(&mut self, node: &'a Node) -> Result<(), String> {
        let refused = || {
            let (network, operator) = (&self.graph.name, node.operator);
            format!("the network `{network}` has the operator {operator}, which a C header lacks")
        };
        let values: Option<Vec<CValue>> =
            node.inputs.iter().map(|input| self.values.get(input.as_str()).copied()).collect();
        let values = values.ok_or_else(refused)?;
        let names: Vec<String> = node.inputs.iter().map(|input| identifier(input)).collect();
        let out = identifier(&node.output);
        let header = self.header;
        let (size, statement) = match (node.operator, &values[..]) {
            ("Gather", [CValue::Constant(table), CValue::Row(count)]) => {
                let gathered = CValue::Gathered(table, &node.inputs[1], *count);
                self.values.insert(&node.output, gathered);
                return Ok(());
            }
            ("ReduceSum", [CValue::Gathered(table, indices, count), _]) => {
                let (size, table) = (*table.shape.last().unwrap_or(&1), identifier(&table.name));
                let index = format!("{}[k]", identifier(indices));
                let sum = format!("{out}[i] += {table}[{index} * {size} + i]");
                let zeros = loop_over(size, &format!("{out}[i] = 0.0f"));
                (
                    size,
                    format!("{zeros}\n    for (int k = 0; k < {count}; k++)\n    {}", loop_over(size, &sum)),
                )
            }
            ("Gemm", [CValue::Row(inputs), _, CValue::Constant(bias)]) => {
                let (size, [x, w, b]) = (bias.shape.iter().product(), [&names[0], &names[1], &names[2]]);
                (size, format!("{header}_dense({x}, {w}, {b}, {inputs}, {size}, {out});"))
            }
            ("LayerNormalization", [CValue::Row(size), ..]) => {
                let epsilon = node.attributes.iter().find_map(|(name, value)| match value {
                    Attribute::Float(number) if *name == "epsilon" => Some(*number),
                    _ => None,
                });
                let [x, gamma, beta] = [&names[0], &names[1], &names[2]];
                let epsilon = epsilon.ok_or_else(refused)?;
                (*size, format!("{header}_layer_norm({x}, {gamma}, {beta}, {epsilon:?}f, {size}, {out});"))
            }
            ("Slice", [CValue::Row(_), CValue::Constant(start), CValue::Constant(end), _]) => {
                let number = |constant: &Constant| match &constant.numbers {
                    Numbers::I64(numbers) => numbers.first().and_then(|n| usize::try_from(*n).ok()),
                    Numbers::F32(_) => None,
                };
                let (start, end) = number(start).zip(number(end)).ok_or_else(refused)?;
                (end - start, loop_over(end - start, &format!("{out}[i] = {}[{start} + i]", names[0])))
            }
            ("Concat", values) => {
                let (mut size, mut lines) = (0, Vec::new());
                for (name, value) in names.iter().zip(values) {
                    let CValue::Row(part) = value else { return Err(refused()) };
                    lines.push(loop_over(*part, &format!("{out}[{size} + i] = {name}[i]")));
                    size += part;
                }
                (size, lines.join("\n    "))
            }
            ("ReduceMean", [CValue::Row(size)]) => {
                let sum = format!("{out}[0] += {}[i] / {size}.0f", names[0]);
                (1, format!("{out}[0] = 0.0f;\n    {}", loop_over(*size, &sum)))
            }
            (operator, values) => {
                let widths: Option<Vec<usize>> = values.iter().map(CValue::width).collect();
                let widths = widths.ok_or_else(refused)?;
                let size = widths.iter().copied().max().unwrap_or(0);
                let operands: Vec<String> = names
                    .iter()
                    .zip(widths)
                    .map(|(name, width)| format!("{name}[{}]", if width == 1 { "0" } else { "i" }))
                    .collect();
                let operands: Vec<&str> = operands.iter().map(String::as_str).collect();
                let value = expression(operator, &operands).ok_or_else(refused)?;
                (size, loop_over(size, &format!("{out}[i] = {value}")))
            }
        };
        let is_output = self.graph.outputs.iter().any(|port| port.name == node.output);
        if !is_output {
            // Integers are added only to indices of a table.
            let is_index = node.operator == "Add" && self.is_integer(&node.inputs[0]);
            let c_type = if is_index { "int" } else { "float" };
            let _ = writeln!(self.body, "    {c_type} {out}[{size}];");
        }
        let _ = writeln!(self.body, "    {statement}");
        self.values.insert(&node.output, CValue::Row(size));
        Ok(())
    }

    /// Whether an input of the graph holds integers.
    fn is_integer(&self, name: &str) -> bool {
        self.graph.inputs.iter().any(|port| port.name == name && port.element == Element::I64)
    }
}

impl CValue<'_> {
    /// The numbers of a value that is an operand number by number.
    fn width(&self) -> Option<usize> {
        match self {
            Self::Constant(constant) => Some(constant.shape.iter().product()),
            Self::Row(size) => Some(*size),
            Self::Gathered(..) => None,
        }
    }
}

/// A loop over the numbers of a row.
fn loop_over(size: usize, statement: &str) -> String {
    format!("for (int i = 0; i < {size}; i++) {statement};")
}

/// The expression of an element-wise operator for one number; `None` for other operators.
fn expression(operator: &str, operands: &[&str]) -> Option<String> {
    Some(match (operator, operands) {
        ("Identity", [x]) => (*x).to_owned(),
        ("Add", [x, y]) => format!("{x} + {y}"),
        ("Sub", [x, y]) => format!("{x} - {y}"),
        ("Mul", [x, y]) => format!("{x} * {y}"),
        ("Min", [x, y]) => format!("fminf({x}, {y})"),
        ("Max", [x, y]) => format!("fmaxf({x}, {y})"),
        ("Clip", [x, low, high]) => format!("fminf(fmaxf({x}, {low}), {high})"),
        ("Relu", [x]) => format!("fmaxf({x}, 0.0f)"),
        ("Tanh", [x]) => format!("tanhf({x})"),
        ("Sigmoid", [x]) => format!("1.0f / (1.0f + expf(-{x}))"),
        _ => return None,
    })
}
