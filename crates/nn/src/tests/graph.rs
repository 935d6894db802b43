//! Graphs of all networks: they are what their ONNX files say, and compute what the networks compute.

use learnery_kernels::activation::Activation;

use super::{assert_close, numbers, random_weights};
use crate::graph::reference::{Array, run};
use crate::graph::{
    Attribute, BATCH, Cache, Constant, Dim, Element, Graph, IR_VERSION, Node, Numbers, OPSET, Port, c_header,
};
use crate::params::WITHOUT_INPUT_GRADIENT;
use crate::{
    Generator, HeadShape, Hidden, Layout, Mlp, OneHotMlp, ResNet, ResNetShape, Transformer, TransformerShape,
    Weights,
};

/// Rows of the inputs.
const ROWS: usize = 5;

/// A field of a protobuf message.
enum Field<'a> {
    Int(i64),
    Float(f32),
    Bytes(&'a [u8]),
}

impl<'a> Field<'a> {
    fn int(&self) -> i64 {
        if let Field::Int(value) = self { *value } else { panic!("not an integer") }
    }

    fn bytes(&self) -> &'a [u8] {
        if let Field::Bytes(value) = self { value } else { panic!("not bytes") }
    }

    fn text(&self) -> String {
        String::from_utf8(self.bytes().to_vec()).unwrap()
    }
}

/// The fields of a protobuf message, in the order of the file. The key of a field holds its number and, in
/// the lowest three bits, the wire type of its value: 0 for a varint, 2 for bytes, 5 for four bytes.
fn fields(mut bytes: &[u8]) -> Vec<(u64, Field<'_>)> {
    /// Reads a number of seven bits per byte, lowest bits first. The last byte has no top bit.
    fn varint(bytes: &mut &[u8]) -> u64 {
        let end = bytes.iter().position(|byte| byte & 0x80 == 0).unwrap();
        let value = bytes[..=end].iter().rev().fold(0, |value, byte| value << 7 | u64::from(byte & 0x7f));
        *bytes = &bytes[end + 1..];
        value
    }
    let mut fields = Vec::new();
    while !bytes.is_empty() {
        let key = varint(&mut bytes);
        let field = match key & 7 {
            0 => Field::Int(varint(&mut bytes) as i64),
            2 => {
                let length = varint(&mut bytes) as usize;
                Field::Bytes(bytes.split_off(..length).unwrap())
            }
            5 => Field::Float(f32::from_le_bytes(bytes.split_off(..4).unwrap().try_into().unwrap())),
            other => panic!("wire type {other}"),
        };
        fields.push((key >> 3, field));
    }
    fields
}

/// The fields with this number.
fn all<'a>(message: &'a [(u64, Field<'a>)], number: u64) -> impl Iterator<Item = &'a Field<'a>> {
    message.iter().filter(move |(found, _)| *found == number).map(|(_, field)| field)
}

/// The first field with this number, which must be there.
fn one<'a>(message: &'a [(u64, Field<'a>)], number: u64) -> &'a Field<'a> {
    all(message, number).next().unwrap_or_else(|| panic!("no field {number}"))
}

/// Reads an ONNX file, with the field numbers of `onnx.proto`, which `graph/onnx.rs` names. Checks the
/// versions. A [`Graph`] has some names as `&'static str`, so those are leaked.
fn decoded(bytes: &[u8]) -> Graph {
    let model = fields(bytes);
    assert_eq!((one(&model, 1).int(), one(&model, 2).text()), (IR_VERSION, "Learnery".to_owned()));
    assert_eq!(one(&fields(one(&model, 8).bytes()), 2).int(), OPSET);
    let graph = fields(one(&model, 7).bytes());
    let port = |field: &Field| {
        let message = fields(field.bytes());
        let kind = fields(one(&fields(one(&message, 2).bytes()), 1).bytes().to_vec().leak());
        let shape = fields(one(&kind, 2).bytes().to_vec().leak());
        let dim = |dim: &Field| match &fields(dim.bytes())[..] {
            [(1, Field::Int(length))] => Dim::Fixed(*length as usize),
            [(2, name)] => Dim::Any(name.text().leak()),
            _ => panic!("a strange length"),
        };
        Port {
            name: one(&message, 1).text(),
            element: if one(&kind, 1).int() == 1 { Element::F32 } else { Element::I64 },
            shape: all(&shape, 1).map(dim).collect(),
            about: one(&message, 3).text(),
        }
    };
    let constant = |field: &Field| {
        let message = fields(field.bytes());
        let raw = one(&message, 9).bytes();
        Constant {
            name: one(&message, 8).text(),
            shape: all(&message, 1).map(|length| length.int() as usize).collect(),
            numbers: match one(&message, 2).int() {
                1 => Numbers::F32(raw.as_chunks().0.iter().map(|n| f32::from_le_bytes(*n)).collect()),
                7 => Numbers::I64(raw.as_chunks().0.iter().map(|n| i64::from_le_bytes(*n)).collect()),
                other => panic!("type {other}"),
            },
        }
    };
    let attribute = |field: &Field| {
        let message = fields(field.bytes());
        let value = match one(&message, 20).int() {
            1 => match one(&message, 2) {
                Field::Float(number) => Attribute::Float(*number),
                _ => panic!("not a float"),
            },
            2 => Attribute::Int(one(&message, 3).int()),
            7 => Attribute::Ints(all(&message, 8).map(Field::int).collect()),
            other => panic!("type {other}"),
        };
        (&*one(&message, 1).text().leak(), value)
    };
    let node = |field: &Field| {
        let message = fields(field.bytes());
        Node {
            operator: one(&message, 4).text().leak(),
            inputs: all(&message, 1).map(Field::text).collect(),
            output: one(&message, 2).text(),
            attributes: all(&message, 5).map(attribute).collect(),
        }
    };
    let note = |field: &Field| {
        let message = fields(field.bytes());
        (one(&message, 1).text(), one(&message, 2).text())
    };
    Graph {
        name: one(&graph, 2).text(),
        about: one(&model, 6).text(),
        inputs: all(&graph, 11).map(port).collect(),
        outputs: all(&graph, 12).map(port).collect(),
        constants: all(&graph, 5).map(constant).collect(),
        nodes: all(&graph, 1).map(node).collect(),
        notes: all(&model, 14).map(note).collect(),
    }
}

/// Reads the ONNX file of a graph, checks that it is the graph, and computes the outputs.
fn outputs<const N: usize>(graph: &Graph, inputs: &[(&str, Array)], names: [&str; N]) -> [Array; N] {
    let read = decoded(&graph.to_onnx());
    assert_eq!(&read, graph);
    for constant in &read.constants {
        let name = &constant.name;
        assert!(read.nodes.iter().any(|node| node.inputs.contains(name)), "nothing reads `{name}`");
    }
    let mut outputs = run(&read, inputs);
    names.map(|name| outputs.remove(name).unwrap())
}

/// A graph whose one input are rows of floats.
fn on_rows(width: usize, build: impl FnOnce(&mut Graph, &crate::graph::Value)) -> Graph {
    let mut graph = Graph::new("net", "A network of the tests.");
    graph.note("key", "a text");
    let x = graph.input("x", Element::F32, &[BATCH, Dim::Fixed(width)], "features");
    build(&mut graph, &x);
    graph
}

fn mlp(hidden: Hidden) -> (Mlp, Weights) {
    let mut layout = Layout::default();
    let mlp = Mlp::new(&mut layout, "net", &[7, 20, 9, 3], hidden, WITHOUT_INPUT_GRADIENT);
    (mlp, random_weights(layout))
}

#[test]
fn graph_of_a_perceptron_computes_what_it_computes() {
    for hidden in [Hidden::TANH, Hidden::NORM_RELU] {
        let (mlp, weights) = mlp(hidden);
        let graph = on_rows(7, |graph, x| {
            let y = graph.mlp(x, &mlp, &weights);
            graph.output(&y, "y", &[BATCH, Dim::Fixed(3)], "outputs");
        });
        assert_eq!(graph.parameters(), weights.len());
        assert!(graph.constants.iter().any(|constant| constant.name == "net/0/weight"));
        let x = numbers(ROWS * 7, 2);
        let mut expected = vec![0.0; ROWS * 3];
        mlp.infer(&weights, &x, ROWS, &mut mlp.scratch(), &mut expected);
        let [y] = outputs(&graph, &[("x", Array::of(&[ROWS, 7], &x))], ["y"]);
        assert_eq!(y.shape, [ROWS, 3]);
        assert_close(&expected, &y.numbers, 1e-5);
    }
}

#[test]
fn graph_of_a_residual_network_computes_all_heads() {
    for blocks in [0, 2] {
        let head = |name, outputs, output_activation| HeadShape {
            name,
            hidden: vec![6],
            outputs,
            output_activation,
        };
        let heads = vec![head("policy", 11, Activation::Identity), head("value", 5, Activation::Sigmoid)];
        let mut layout = Layout::default();
        let net = ResNet::new(&mut layout, "net", &ResNetShape { inputs: 7, width: 16, blocks, heads });
        let weights = random_weights(layout);
        let graph = on_rows(7, |graph, x| {
            let heads = graph.resnet(x, &net, &weights);
            for ((head, name), outputs) in heads.iter().zip(["policy", "value"]).zip([11, 5]) {
                graph.output(head, name, &[BATCH, Dim::Fixed(outputs)], "a head");
            }
        });
        let x = numbers(ROWS * 7, 2);
        let (mut policy, mut value) = (vec![0.0; ROWS * 11], vec![0.0; ROWS * 5]);
        net.infer(&weights, &x, ROWS, &mut net.scratch(), &mut [&mut policy, &mut value]);
        let found = outputs(&graph, &[("x", Array::of(&[ROWS, 7], &x))], ["policy", "value"]);
        assert_close(&policy, &found[0].numbers, 1e-5);
        assert_close(&value, &found[1].numbers, 1e-5);
    }
}

#[test]
fn graph_of_a_one_hot_network_sums_the_rows_of_its_table() {
    for dueling in [false, true] {
        let mut layout = Layout::default();
        let net = OneHotMlp::new(&mut layout, "net", [30, 4], &[16, 8], 6, dueling);
        let weights = random_weights(layout);
        let ones: Vec<u16> = (0..ROWS as u16 * 4).map(|i| i * 7 % 30).collect();
        let mut expected = vec![0.0; ROWS * 6];
        net.infer(&weights, &ones, &mut net.scratch(), &mut expected);
        let mut graph = Graph::new("net", "A network on one-hot inputs.");
        let x = graph.input("ones", Element::I64, &[BATCH, Dim::Fixed(4)], "indices");
        let y = graph.one_hot_mlp(&x, &net, &weights);
        graph.output(&y, "y", &[BATCH, Dim::Fixed(6)], "outputs");
        let ones = Array::new(&[ROWS, 4], ones.into_iter().map(f64::from).collect());
        let [y] = outputs(&graph, &[("ones", ones)], ["y"]);
        assert_close(&expected, &y.numbers, 1e-5);
    }
}

/// Width, number of heads and whether a network is rotary. In turn, heads have both rotated and shifted
/// features, rotated ones alone, neither (not rotary), and a shifted one alone.
const TRANSFORMERS: [(usize, usize, bool); 4] = [(24, 3, true), (8, 4, true), (12, 2, false), (3, 3, true)];

fn transformer(width: usize, heads: usize, rotary: bool) -> (Transformer, Weights) {
    let shape = TransformerShape { vocabulary: 11, context: 10, width, layers: 2, heads, rotary };
    let mut layout = Layout::default();
    let net = Transformer::new(&mut layout, "net", &shape);
    (net, random_weights(layout))
}

/// The logits after each token of a text, of the first `vocabulary` tokens.
fn logits(net: &Transformer, weights: &Weights, tokens: &[u16], vocabulary: usize) -> Vec<f32> {
    let mut generator = Generator::new(net);
    let after = |token: &u16| generator.feed(net, weights, &[*token])[..vocabulary].to_vec();
    tokens.iter().flat_map(after).collect()
}

fn token_array(texts: &[&[u16]]) -> Array {
    let numbers = texts.iter().flat_map(|text| text.iter().map(|token| f64::from(*token))).collect();
    Array::new(&[texts.len(), texts[0].len()], numbers)
}

#[test]
fn graph_of_a_transformer_gives_the_logits_of_every_token() {
    for (width, heads, rotary) in TRANSFORMERS {
        let (net, weights) = transformer(width, heads, rotary);
        let texts: [&[u16]; 2] = [&[3, 1, 4, 1, 5, 9, 2], &[2, 7, 1, 8, 2, 8, 10]];
        for vocabulary in [11, 10] {
            let mut graph = Graph::new("net", "A transformer.");
            graph.transformer(&net, &weights, vocabulary, Cache::Without);
            let [found] = outputs(&graph, &[("tokens", token_array(&texts))], ["logits"]);
            assert_eq!(found.shape, [2, 7, vocabulary]);
            let expected: Vec<f32> =
                texts.iter().flat_map(|text| logits(&net, &weights, text, vocabulary)).collect();
            assert_close(&expected, &found.numbers, 1e-4);
        }
    }
}

#[test]
fn graph_with_a_cache_continues_texts() {
    for (width, heads, rotary) in TRANSFORMERS {
        let (net, weights) = transformer(width, heads, rotary);
        let mut graph = Graph::new("net", "A transformer.");
        graph.transformer(&net, &weights, 11, Cache::With);
        let texts: [&[u16]; 2] = [&[3, 1, 4, 1, 5, 9, 2], &[2, 7, 1, 8, 2, 8, 10]];
        let mut past = [(); 2].map(|()| Array::new(&[2, 2, heads, 0, width / heads], vec![]));
        let mut begin = 0;
        // Several tokens, then one by one.
        for end in [3, 4, 5, 7] {
            let [keys, values] = past;
            let new = texts.map(|text| &text[begin..end]);
            let inputs = [("tokens", token_array(&new)), ("past_keys", keys), ("past_values", values)];
            let [found, keys, values] = outputs(&graph, &inputs, ["logits", "keys", "values"]);
            past = [keys, values];
            let expected: Vec<f32> = texts
                .iter()
                .flat_map(|text| logits(&net, &weights, &text[..end], 11)[begin * 11..].to_vec())
                .collect();
            assert_close(&expected, &found.numbers, 1e-4);
            begin = end;
        }
    }
}

#[test]
fn c_header_refuses_what_is_not_for_c() {
    let (net, weights) = transformer(8, 2, true);
    let mut graph = Graph::new("text", "A transformer.");
    graph.transformer(&net, &weights, 11, Cache::Without);
    let error = c_header("a", &[], &[graph]).unwrap_err();
    assert_eq!(
        error,
        "the network `text` reads rows of any length; a C header is for rows of a fixed length"
    );
    let large = on_rows(600, |graph, x| {
        let table = graph.floats("table", &[600, 1000], &vec![0.5; 600_000]);
        let y = graph.node("MatMul", &[x, &table]);
        graph.output(&y, "y", &[BATCH, Dim::Fixed(1000)], "outputs");
    });
    let error = c_header("a", &[], &[large]).unwrap_err();
    assert_eq!(error, "the network `net` has 600000 parameters; a C header is for at most 500000");
    let (mlp, mut diverged) = mlp(Hidden::TANH);
    diverged.update(|params| params[0] = f32::NAN);
    let diverged = on_rows(7, |graph, x| {
        let y = graph.mlp(x, &mlp, &diverged);
        graph.output(&y, "y", &[BATCH, Dim::Fixed(3)], "outputs");
    });
    let error = c_header("a", &[], &[diverged]).unwrap_err();
    assert_eq!(error, "the network `net` has parameters that are not finite numbers");
}
