//! Computes a graph slowly and simply, in `f64`. Tests of this crate and of the labs compare networks with
//! it, because no program that runs ONNX files need be installed. Integers and truth values are floats here.
#![allow(clippy::disallowed_methods, reason = "nothing is learned from these numbers")]

use std::collections::HashMap;

use super::{Attribute, Graph, Node, Numbers};

/// Numbers with a shape, row-major.
#[derive(Clone, Debug, PartialEq)]
pub struct Array {
    pub shape: Vec<usize>,
    pub numbers: Vec<f64>,
}

impl Array {
    pub fn new(shape: &[usize], numbers: Vec<f64>) -> Self {
        assert_eq!(shape.iter().product::<usize>(), numbers.len(), "shape and numbers differ");
        Self { shape: shape.to_vec(), numbers }
    }

    /// Floats of single precision.
    pub fn of(shape: &[usize], numbers: &[f32]) -> Self {
        Self::new(shape, numbers.iter().map(|number| f64::from(*number)).collect())
    }

    /// The distances between the neighbours on each axis.
    fn strides(&self) -> Vec<usize> {
        (0..self.shape.len()).map(|axis| self.shape[axis + 1..].iter().product()).collect()
    }

    /// The sizes along, before and behind an axis. A negative axis counts from the end.
    fn around(&self, axis: i64) -> Around {
        let axis = axis_of(axis, self.shape.len());
        let product = |lengths: &[usize]| lengths.iter().product();
        Around {
            length: self.shape[axis],
            before: product(&self.shape[..axis]),
            behind: product(&self.shape[axis + 1..]),
        }
    }
}

/// The sizes of an array around one of its axes.
struct Around {
    /// The length of the axis.
    length: usize,
    /// The product of the lengths of the axes before it.
    before: usize,
    /// The product of the lengths of the axes behind it.
    behind: usize,
}

/// The outputs of a graph by their names. Panics if an input is missing, if a node reads a value that no node
/// before it gives, and where shapes do not fit.
pub fn run(graph: &Graph, inputs: &[(&str, Array)]) -> HashMap<String, Array> {
    let mut values: HashMap<&str, Array> = HashMap::new();
    for constant in &graph.constants {
        let numbers = match &constant.numbers {
            Numbers::F32(numbers) => numbers.iter().map(|number| f64::from(*number)).collect(),
            Numbers::I64(numbers) => numbers.iter().map(|number| *number as f64).collect(),
        };
        values.insert(&constant.name, Array::new(&constant.shape, numbers));
    }
    for port in &graph.inputs {
        let (_, input) = inputs.iter().find(|(name, _)| *name == port.name).expect("an input is missing");
        values.insert(&port.name, input.clone());
    }
    for node in &graph.nodes {
        let read = |name: &String| values.get(name.as_str()).unwrap_or_else(|| panic!("no value `{name}`"));
        let result = compute(node, &node.inputs.iter().map(read).collect::<Vec<_>>());
        assert!(values.insert(&node.output, result).is_none(), "two values `{}`", node.output);
    }
    graph.outputs.iter().map(|port| (port.name.clone(), values[port.name.as_str()].clone())).collect()
}

/// The value of a node, as ONNX defines its operator.
fn compute(node: &Node, inputs: &[&Array]) -> Array {
    match (node.operator, inputs) {
        ("Identity", [x]) => (*x).clone(),
        ("Add", [x, y]) => elementwise(&[x, y], |v| v[0] + v[1]),
        ("Sub", [x, y]) => elementwise(&[x, y], |v| v[0] - v[1]),
        ("Mul", [x, y]) => elementwise(&[x, y], |v| v[0] * v[1]),
        ("Min", [x, y]) => elementwise(&[x, y], |v| v[0].min(v[1])),
        ("Max", [x, y]) => elementwise(&[x, y], |v| v[0].max(v[1])),
        ("LessOrEqual", [x, y]) => elementwise(&[x, y], |v| f64::from(v[0] <= v[1])),
        ("Where", [which, x, y]) => elementwise(&[which, x, y], |v| if v[0] == 0.0 { v[2] } else { v[1] }),
        ("Clip", [x, low, high]) => elementwise(&[x, low, high], |v| v[0].max(v[1]).min(v[2])),
        ("Relu", [x]) => elementwise(&[x], |v| v[0].max(0.0)),
        ("Tanh", [x]) => elementwise(&[x], |v| v[0].tanh()),
        ("Sigmoid", [x]) => elementwise(&[x], |v| 1.0 / (1.0 + (-v[0]).exp())),
        ("Gemm", [x, w, b]) => elementwise(&[&matmul(x, w), b], |v| v[0] + v[1]),
        ("MatMul", [x, y]) => matmul(x, y),
        ("LayerNormalization", [x, gamma, beta]) => {
            let Attribute::Float(epsilon) = attribute(node, "epsilon") else { panic!("no epsilon") };
            let normed = rows(x, |row| {
                let mean = row.iter().sum::<f64>() / row.len() as f64;
                let variance = row.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / row.len() as f64;
                row.iter_mut().for_each(|x| *x = (*x - mean) / (variance + f64::from(*epsilon)).sqrt());
            });
            elementwise(&[&normed, gamma, beta], |v| v[0] * v[1] + v[2])
        }
        ("Softmax", [x]) => rows(x, |row| {
            let max = row.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            row.iter_mut().for_each(|x| *x = (*x - max).exp());
            let sum: f64 = row.iter().sum();
            row.iter_mut().for_each(|x| *x /= sum);
        }),
        ("ReduceMean", [x]) => {
            let Around { length, before, .. } = x.around(-1);
            let mean = |row: &[f64]| row.iter().sum::<f64>() / length as f64;
            let shape = [&x.shape[..x.shape.len() - 1], &[1]].concat();
            assert_eq!(before, shape.iter().product::<usize>());
            Array::new(&shape, x.numbers.chunks_exact(length).map(mean).collect())
        }
        ("ReduceSum", [x, axis]) => {
            let axis = axis.numbers[0] as i64;
            let Around { length, before, behind } = x.around(axis);
            let sum = |i: usize, j: usize| -> f64 {
                (0..length).map(|k| x.numbers[(i * length + k) * behind + j]).sum()
            };
            let mut shape = x.shape.clone();
            shape.remove(axis_of(axis, x.shape.len()));
            Array::new(
                &shape,
                (0..before).flat_map(|i| (0..behind).map(move |j| (i, j))).map(|(i, j)| sum(i, j)).collect(),
            )
        }
        ("Gather", [table, indices]) => {
            let Around { length, behind, .. } = table.around(0);
            let row = |index: &f64| {
                assert!((0.0..length as f64).contains(index), "index {index} of {length}");
                &table.numbers[*index as usize * behind..][..behind]
            };
            let shape = [&indices.shape[..], &table.shape[1..]].concat();
            Array::new(&shape, indices.numbers.iter().flat_map(row).copied().collect())
        }
        ("Slice", [x, start, end, axis]) => {
            let axis = axis.numbers[0] as i64;
            let Around { length, behind, .. } = x.around(axis);
            let bound = |number: f64| if number < 0.0 { length as f64 + number } else { number } as usize;
            let range = bound(start.numbers[0])..bound(end.numbers[0]);
            let mut shape = x.shape.clone();
            shape[axis_of(axis, x.shape.len())] = range.len();
            let part = |block: &[f64]| block[range.start * behind..range.end * behind].to_vec();
            Array::new(&shape, x.numbers.chunks(length * behind).flat_map(part).collect())
        }
        ("Concat", parts) => {
            let Attribute::Int(axis) = attribute(node, "axis") else { panic!("no axis") };
            let blocks = |part: &Array| {
                let Around { length, behind, .. } = part.around(*axis);
                length * behind
            };
            let mut shape = parts[0].shape.clone();
            let joined = axis_of(*axis, shape.len());
            shape[joined] = parts.iter().map(|part| part.around(*axis).length).sum();
            let before = parts[0].around(*axis).before;
            let numbers = (0..before).flat_map(|i| {
                parts.iter().flat_map(move |part| part.numbers[i * blocks(part)..][..blocks(part)].to_vec())
            });
            Array::new(&shape, numbers.collect())
        }
        ("Reshape", [x, shape]) => {
            // A zero keeps the length of the axis.
            let length =
                |(i, wanted): (usize, &f64)| if *wanted == 0.0 { x.shape[i] } else { *wanted as usize };
            let shape: Vec<usize> = shape.numbers.iter().enumerate().map(length).collect();
            Array::new(&shape, x.numbers.clone())
        }
        ("Transpose", [x]) => {
            let Attribute::Ints(axes) = attribute(node, "perm") else { panic!("no perm") };
            let strides = x.strides();
            let shape: Vec<usize> = axes.iter().map(|axis| x.shape[*axis as usize]).collect();
            let at = |index: &[usize]| -> f64 {
                x.numbers[index.iter().zip(axes).map(|(i, axis)| i * strides[*axis as usize]).sum::<usize>()]
            };
            Array::new(&shape, indices_of(&shape).map(|index| at(&index)).collect())
        }
        ("Range", [start, end, _]) => {
            let numbers: Vec<f64> =
                (start.numbers[0] as i64..end.numbers[0] as i64).map(|i| i as f64).collect();
            Array::new(&[numbers.len()], numbers)
        }
        ("Shape", [x]) => Array::new(&[x.shape.len()], x.shape.iter().map(|n| *n as f64).collect()),
        ("Unsqueeze", [x, axis]) => {
            let mut shape = x.shape.clone();
            shape.insert(axis.numbers[0] as usize, 1);
            Array::new(&shape, x.numbers.clone())
        }
        (operator, inputs) => panic!("{operator} of {} values", inputs.len()),
    }
}

fn attribute<'a>(node: &'a Node, name: &str) -> &'a Attribute {
    let found = node.attributes.iter().find(|(key, _)| *key == name);
    &found.unwrap_or_else(|| panic!("{} without {name}", node.operator)).1
}

fn axis_of(axis: i64, axes: usize) -> usize {
    if axis < 0 { (axes as i64 + axis) as usize } else { axis as usize }
}

/// All indices of an array of this shape, in order.
fn indices_of(shape: &[usize]) -> impl Iterator<Item = Vec<usize>> + '_ {
    (0..shape.iter().product()).map(move |mut i: usize| {
        let mut index = vec![0; shape.len()];
        for (digit, length) in index.iter_mut().zip(shape).rev() {
            (*digit, i) = (i % length, i / length);
        }
        index
    })
}

/// Changes each row: the numbers along the last axis.
fn rows(x: &Array, change: impl FnMut(&mut [f64])) -> Array {
    let mut out = x.clone();
    out.numbers.chunks_exact_mut(x.shape[x.shape.len() - 1]).for_each(change);
    out
}

/// Applies `f` to the numbers at each place of the inputs after broadcasting: axes of length one are
/// repeated, and shapes with fewer axes get axes of length one in front.
fn elementwise(inputs: &[&Array], f: impl Fn(&[f64]) -> f64) -> Array {
    let axes = inputs.iter().map(|x| x.shape.len()).max().unwrap_or(0);
    let mut shape = vec![1; axes];
    for x in inputs {
        for (length, own) in shape[axes - x.shape.len()..].iter_mut().zip(&x.shape) {
            assert!(*length == *own || *length == 1 || *own == 1, "shapes do not fit");
            // An axis of length one is repeated zero times beside an axis of length zero.
            *length = if *length == 1 { *own } else { *length };
        }
    }
    let strides: Vec<Vec<usize>> = inputs
        .iter()
        .map(|x| {
            let own =
                x.strides().into_iter().zip(&x.shape).map(|(stride, n)| if *n == 1 { 0 } else { stride });
            vec![0; axes - x.shape.len()].into_iter().chain(own).collect()
        })
        .collect();
    let mut at = vec![0.0; inputs.len()];
    let numbers = indices_of(&shape).map(|index| {
        for ((at, x), strides) in at.iter_mut().zip(inputs).zip(&strides) {
            *at = x.numbers[index.iter().zip(strides).map(|(i, stride)| i * stride).sum::<usize>()];
        }
        f(&at)
    });
    let numbers = numbers.collect();
    Array::new(&shape, numbers)
}

/// The product of the matrices in the last two axes; the axes before them are equal, or `y` has none.
fn matmul(x: &Array, y: &Array) -> Array {
    let ([.., rows, inner], [.., other, cols]) = (&x.shape[..], &y.shape[..]) else {
        panic!("a product of {:?} and {:?}", x.shape, y.shape)
    };
    assert_eq!(inner, other, "a product of {:?} and {:?}", x.shape, y.shape);
    let batches = &x.shape[..x.shape.len() - 2];
    let mut numbers = Vec::new();
    for batch in 0..batches.iter().product() {
        let x = &x.numbers[batch * rows * inner..][..rows * inner];
        let y =
            if y.shape.len() == 2 { &y.numbers } else { &y.numbers[batch * inner * cols..][..inner * cols] };
        for row in 0..*rows {
            let row = &x[row * inner..][..*inner];
            numbers.extend(
                (0..*cols).map(|col| row.iter().enumerate().map(|(k, x)| x * y[k * cols + col]).sum::<f64>()),
            );
        }
    }
    Array::new(&[batches, &[*rows, *cols]].concat(), numbers)
}
