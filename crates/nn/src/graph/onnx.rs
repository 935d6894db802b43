//! ONNX files of graphs: the protobuf message `ModelProto` of `onnx.proto`, with the fields that a network
//! needs.

use super::protobuf::Message;
use super::{Attribute, Constant, Dim, Element, Graph, Node, Numbers, Port};

/// The version of the operators. It is the first with layer norm.
pub const OPSET: i64 = 17;
/// The version of the file format that came with these operators.
pub const IR_VERSION: i64 = 8;

// Field numbers of `onnx.proto`, message by message.
/// `ModelProto`.
mod model {
    pub const IR_VERSION: u64 = 1;
    pub const PRODUCER_NAME: u64 = 2;
    pub const PRODUCER_VERSION: u64 = 3;
    pub const DOC_STRING: u64 = 6;
    pub const GRAPH: u64 = 7;
    pub const OPSET_IMPORT: u64 = 8;
    pub const METADATA_PROPS: u64 = 14;
}
/// `OperatorSetIdProto`. Without a domain, the operators are those of ONNX itself.
mod opset {
    pub const VERSION: u64 = 2;
}
/// `StringStringEntryProto`.
mod entry {
    pub const KEY: u64 = 1;
    pub const VALUE: u64 = 2;
}
/// `GraphProto`.
mod graph {
    pub const NODE: u64 = 1;
    pub const NAME: u64 = 2;
    pub const INITIALIZER: u64 = 5;
    pub const INPUT: u64 = 11;
    pub const OUTPUT: u64 = 12;
}
/// `NodeProto`.
mod node {
    pub const INPUT: u64 = 1;
    pub const OUTPUT: u64 = 2;
    pub const NAME: u64 = 3;
    pub const OP_TYPE: u64 = 4;
    pub const ATTRIBUTE: u64 = 5;
}
/// `AttributeProto`, and values of its type.
mod attribute {
    pub const NAME: u64 = 1;
    pub const FLOAT: u64 = 2;
    pub const INT: u64 = 3;
    pub const INTS: u64 = 8;
    pub const TYPE: u64 = 20;
    pub const TYPE_FLOAT: i64 = 1;
    pub const TYPE_INT: i64 = 2;
    pub const TYPE_INTS: i64 = 7;
}
/// `TensorProto`, and values of its data type.
mod tensor {
    pub const DIMS: u64 = 1;
    pub const DATA_TYPE: u64 = 2;
    pub const NAME: u64 = 8;
    pub const RAW_DATA: u64 = 9;
    pub const FLOAT: i64 = 1;
    pub const INT64: i64 = 7;
}
/// `ValueInfoProto`, and the messages nested in its type.
mod value {
    pub const NAME: u64 = 1;
    pub const TYPE: u64 = 2;
    pub const DOC_STRING: u64 = 3;
    // Of `TypeProto`.
    pub const TENSOR_TYPE: u64 = 1;
    // Of `TypeProto.Tensor`.
    pub const ELEM_TYPE: u64 = 1;
    pub const SHAPE: u64 = 2;
    // Of `TensorShapeProto`.
    pub const DIM: u64 = 1;
    // Of `TensorShapeProto.Dimension`.
    pub const DIM_VALUE: u64 = 1;
    pub const DIM_PARAM: u64 = 2;
}

impl Graph {
    /// The content of an ONNX file.
    pub fn to_onnx(&self) -> Vec<u8> {
        let mut operators = Message::default();
        operators.int(opset::VERSION, OPSET);
        let mut out = Message::default();
        out.int(model::IR_VERSION, IR_VERSION);
        out.text(model::PRODUCER_NAME, "Learnery");
        out.text(model::PRODUCER_VERSION, env!("CARGO_PKG_VERSION"));
        out.text(model::DOC_STRING, &self.about);
        out.message(model::GRAPH, &self.to_message());
        out.message(model::OPSET_IMPORT, &operators);
        for (key, text) in &self.notes {
            let mut note = Message::default();
            note.text(entry::KEY, key);
            note.text(entry::VALUE, text);
            out.message(model::METADATA_PROPS, &note);
        }
        out.into_bytes()
    }

    fn to_message(&self) -> Message {
        let mut out = Message::default();
        self.nodes.iter().for_each(|node| out.message(graph::NODE, &node.to_message()));
        out.text(graph::NAME, &self.name);
        self.constants.iter().for_each(|constant| out.message(graph::INITIALIZER, &constant.to_message()));
        self.inputs.iter().for_each(|port| out.message(graph::INPUT, &port.to_message()));
        self.outputs.iter().for_each(|port| out.message(graph::OUTPUT, &port.to_message()));
        out
    }
}

impl Node {
    fn to_message(&self) -> Message {
        let mut out = Message::default();
        self.inputs.iter().for_each(|input| out.text(node::INPUT, input));
        out.text(node::OUTPUT, &self.output);
        // A node has one output, so the output's name is the node's too.
        out.text(node::NAME, &self.output);
        out.text(node::OP_TYPE, self.operator);
        for (name, value) in &self.attributes {
            let mut entry = Message::default();
            entry.text(attribute::NAME, name);
            let attribute_type = match value {
                Attribute::Float(number) => {
                    entry.float(attribute::FLOAT, *number);
                    attribute::TYPE_FLOAT
                }
                Attribute::Int(number) => {
                    entry.int(attribute::INT, *number);
                    attribute::TYPE_INT
                }
                Attribute::Ints(numbers) => {
                    numbers.iter().for_each(|number| entry.int(attribute::INTS, *number));
                    attribute::TYPE_INTS
                }
            };
            entry.int(attribute::TYPE, attribute_type);
            out.message(node::ATTRIBUTE, &entry);
        }
        out
    }
}

impl Constant {
    fn to_message(&self) -> Message {
        let mut out = Message::default();
        self.shape.iter().for_each(|length| out.int(tensor::DIMS, *length as i64));
        let (data_type, bytes): (_, Vec<u8>) = match &self.numbers {
            Numbers::F32(numbers) => (tensor::FLOAT, numbers.iter().flat_map(|n| n.to_le_bytes()).collect()),
            Numbers::I64(numbers) => (tensor::INT64, numbers.iter().flat_map(|n| n.to_le_bytes()).collect()),
        };
        out.int(tensor::DATA_TYPE, data_type);
        out.text(tensor::NAME, &self.name);
        out.bytes(tensor::RAW_DATA, &bytes);
        out
    }
}

impl Port {
    fn to_message(&self) -> Message {
        let mut shape = Message::default();
        for dim in &self.shape {
            let mut entry = Message::default();
            match dim {
                Dim::Fixed(length) => entry.int(value::DIM_VALUE, *length as i64),
                Dim::Any(name) => entry.text(value::DIM_PARAM, name),
            }
            shape.message(value::DIM, &entry);
        }
        let mut tensor_type = Message::default();
        tensor_type.int(
            value::ELEM_TYPE,
            match self.element {
                Element::F32 => tensor::FLOAT,
                Element::I64 => tensor::INT64,
            },
        );
        tensor_type.message(value::SHAPE, &shape);
        let mut port_type = Message::default();
        port_type.message(value::TENSOR_TYPE, &tensor_type);
        let mut out = Message::default();
        out.text(value::NAME, &self.name);
        out.message(value::TYPE, &port_type);
        out.text(value::DOC_STRING, &self.about);
        out
    }
}
