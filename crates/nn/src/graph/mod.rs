//! Networks as graphs of standard operators, in which other programs can run them: as an ONNX file
//! ([`Graph::to_onnx`]) or as a C header ([`c_header`]).
//!
//! A [`Graph`] is a list of nodes in the order in which they can be computed. A node applies an operator of
//! ONNX to named values and gives one value. Constants are values too; a network's parameters have the names
//! that they have in its [`crate::Layout`]. A graph is built by the methods of this module, and from whole
//! networks by those in `layers` and `transformer`.

mod c;
mod layers;
mod onnx;
mod protobuf;
pub mod reference;
mod transformer;

pub use c::c_header;
pub use onnx::{IR_VERSION, OPSET};
pub use transformer::Cache;

use std::ops::Range;

use crate::weights::Weights;

/// The type of the numbers of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Element {
    F32,
    I64,
}

/// The length of an axis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Dim {
    Fixed(usize),
    /// Any length. The axes of the same name have the same length.
    Any(&'static str),
}

/// The axis of the rows of inputs and outputs: of any length, and every row is computed for itself.
pub const BATCH: Dim = Dim::Any("batch");

/// An input or an output of a graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Port {
    pub name: String,
    pub element: Element,
    pub shape: Vec<Dim>,
    /// What it is, in one sentence without a full stop.
    pub about: String,
}

/// The numbers of a constant.
#[derive(Clone, Debug, PartialEq)]
pub enum Numbers {
    F32(Vec<f32>),
    I64(Vec<i64>),
}

/// A value that does not depend on the inputs.
#[derive(Clone, Debug, PartialEq)]
pub struct Constant {
    pub name: String,
    /// Empty for a single number.
    pub shape: Vec<usize>,
    pub numbers: Numbers,
}

/// A parameter of an operator that is not a value.
#[derive(Clone, Debug, PartialEq)]
pub enum Attribute {
    Int(i64),
    Float(f32),
    Ints(Vec<i64>),
}

/// An operator of ONNX, applied to values.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    pub operator: &'static str,
    pub inputs: Vec<String>,
    pub output: String,
    pub attributes: Vec<(&'static str, Attribute)>,
}

/// The name of a value of a graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Value(String);

/// A network as a graph.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Graph {
    /// The name of its file, and of its function in C.
    pub name: String,
    /// What it computes, in one sentence.
    pub about: String,
    pub inputs: Vec<Port>,
    pub outputs: Vec<Port>,
    pub constants: Vec<Constant>,
    pub nodes: Vec<Node>,
    /// What a program must know to use it, as pairs of a key and a text.
    pub notes: Vec<(String, String)>,
}

impl Graph {
    /// A graph without nodes.
    pub fn new(name: &str, about: &str) -> Self {
        Self { name: name.into(), about: about.into(), ..Self::default() }
    }

    /// Adds a note, see [`Graph::notes`].
    pub fn note(&mut self, key: &str, text: impl Into<String>) {
        self.notes.push((key.into(), text.into()));
    }

    /// Adds an input.
    pub fn input(&mut self, name: &str, element: Element, shape: &[Dim], about: &str) -> Value {
        self.inputs.push(port(name, element, shape, about));
        Value(name.into())
    }

    /// Makes `value` an output of this name, by a node that copies it (`Identity`): `value` keeps the name of
    /// the node that computes it.
    pub fn output(&mut self, value: &Value, name: &str, shape: &[Dim], about: &str) {
        self.outputs.push(port(name, Element::F32, shape, about));
        let output = name.to_owned();
        self.nodes.push(Node {
            operator: "Identity",
            inputs: vec![value.0.clone()],
            output,
            attributes: vec![],
        });
    }

    /// Adds a node without attributes.
    pub fn node(&mut self, operator: &'static str, inputs: &[&Value]) -> Value {
        self.node_with(operator, inputs, &[])
    }

    /// Adds a node.
    pub fn node_with(
        &mut self,
        operator: &'static str,
        inputs: &[&Value],
        attributes: &[(&'static str, Attribute)],
    ) -> Value {
        let output = format!("{}_{}", operator.to_lowercase(), self.nodes.len());
        let inputs = inputs.iter().map(|value| value.0.clone()).collect();
        self.nodes.push(Node { operator, inputs, output: output.clone(), attributes: attributes.to_vec() });
        Value(output)
    }

    /// Adds floats as a constant.
    pub fn floats(&mut self, name: &str, shape: &[usize], numbers: &[f32]) -> Value {
        self.constant(name, shape, Numbers::F32(numbers.to_vec()))
    }

    /// Adds integers as a constant with one axis.
    pub fn integers(&mut self, numbers: &[i64]) -> Value {
        let name = format!("integers_{}", self.constants.len());
        self.constant(&name, &[numbers.len()], Numbers::I64(numbers.to_vec()))
    }

    /// Adds a single float as a constant.
    pub fn float(&mut self, number: f32) -> Value {
        let name = format!("float_{}", self.constants.len());
        self.constant(&name, &[], Numbers::F32(vec![number]))
    }

    /// Adds a single integer as a constant.
    pub fn integer(&mut self, number: i64) -> Value {
        let name = format!("integer_{}", self.constants.len());
        self.constant(&name, &[], Numbers::I64(vec![number]))
    }

    /// The value of a tensor of a network's parameters, under its name in the layout. It is added as a
    /// constant when it is first asked for.
    fn parameter(&mut self, weights: &Weights, range: &Range<usize>) -> Value {
        let (name, shape) = weights.layout().tensor(range).expect("layers know where their parameters are");
        if self.constants.iter().all(|constant| constant.name != name) {
            self.floats(name, shape, &weights.flat()[range.clone()]);
        }
        Value(name.into())
    }

    fn constant(&mut self, name: &str, shape: &[usize], numbers: Numbers) -> Value {
        self.constants.push(Constant { name: name.into(), shape: shape.to_vec(), numbers });
        Value(name.into())
    }

    /// The columns `range` of the last axis of a value.
    pub fn columns(&mut self, value: &Value, range: Range<usize>) -> Value {
        self.slice(value, -1, range.start as i64, range.end as i64)
    }

    /// The part of a value from `start` to `end` on an axis. Negative numbers count from the end.
    fn slice(&mut self, value: &Value, axis: i64, start: i64, end: i64) -> Value {
        let [start, end, axis] = [start, end, axis].map(|number| self.integers(&[number]));
        self.node("Slice", &[value, &start, &end, &axis])
    }

    /// Values one after another on an axis.
    pub fn concat(&mut self, values: &[&Value], axis: i64) -> Value {
        self.node_with("Concat", values, &[("axis", Attribute::Int(axis))])
    }

    /// The number of parameters: floats in constants.
    pub fn parameters(&self) -> usize {
        let count = |constant: &Constant| match &constant.numbers {
            Numbers::F32(floats) => floats.len(),
            Numbers::I64(_) => 0,
        };
        self.constants.iter().map(count).sum()
    }
}

fn port(name: &str, element: Element, shape: &[Dim], about: &str) -> Port {
    Port { name: name.into(), element, shape: shape.to_vec(), about: about.into() }
}
