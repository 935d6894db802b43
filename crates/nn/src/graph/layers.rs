//! Graphs of the networks whose inputs are rows: multi-layer perceptrons, residual networks, networks on
//! one-hot inputs.

use learnery_kernels::activation::Activation;

use super::{Attribute, Graph, Value};
use crate::dense::Dense;
use crate::layer_norm::{EPS, LayerNorm};
use crate::mlp::{Layer, Mlp};
use crate::one_hot::OneHotMlp;
use crate::resnet::ResNet;
use crate::weights::Weights;

impl Graph {
    /// A dense layer.
    /// Shapes: `x [rows, inputs] -> [rows, outputs]`.
    pub fn dense(&mut self, x: &Value, dense: &Dense, weights: &Weights) -> Value {
        let weight = self.parameter(weights, &dense.weight.range);
        let bias = self.parameter(weights, &dense.bias);
        self.node("Gemm", &[x, &weight, &bias])
    }

    /// Layer norm over the last axis.
    pub(super) fn layer_norm(&mut self, x: &Value, norm: &LayerNorm, weights: &Weights) -> Value {
        let gamma = self.parameter(weights, &norm.gamma);
        let beta = self.parameter(weights, &norm.beta);
        let attributes = [("axis", Attribute::Int(-1)), ("epsilon", Attribute::Float(EPS))];
        self.node_with("LayerNormalization", &[x, &gamma, &beta], &attributes)
    }

    /// An activation.
    pub fn activation(&mut self, x: &Value, activation: Activation) -> Value {
        match activation {
            Activation::Identity => x.clone(),
            Activation::Relu => self.node("Relu", &[x]),
            Activation::Tanh => self.node("Tanh", &[x]),
            Activation::Sigmoid => self.node("Sigmoid", &[x]),
            Activation::Gelu => self.gelu(x),
        }
    }

    /// `x sigmoid(2 z)` with `z = sqrt(2 / pi) (x + 0.044715 x^3)`: GELU in its tanh approximation, because
    /// `(1 + tanh z) / 2` is `sigmoid(2 z)`. ONNX has an operator for it only after the version that is used
    /// here ([`super::OPSET`]).
    fn gelu(&mut self, x: &Value) -> Value {
        let scale = 2.0 * (2.0 / std::f32::consts::PI).sqrt();
        let [scale, cube] = [scale, scale * 0.044_715].map(|number| self.float(number));
        let square = self.node("Mul", &[x, x]);
        let cubic = self.node("Mul", &[&square, &cube]);
        let factor = self.node("Add", &[&cubic, &scale]);
        let argument = self.node("Mul", &[x, &factor]);
        let gate = self.node("Sigmoid", &[&argument]);
        self.node("Mul", &[x, &gate])
    }

    /// A multi-layer perceptron.
    /// Shapes: `x [rows, inputs] -> [rows, outputs]`.
    pub fn mlp(&mut self, x: &Value, mlp: &Mlp, weights: &Weights) -> Value {
        let mut x = x.clone();
        for Layer { dense, norm, activation } in &mlp.layers {
            x = self.dense(&x, dense, weights);
            if let Some(norm) = norm {
                x = self.layer_norm(&x, norm, weights);
            }
            x = self.activation(&x, *activation);
        }
        x
    }

    /// A network on one-hot inputs, which are given by the indices of the ones.
    /// Shapes: `ones [rows, ones per row] -> [rows, outputs]`.
    pub fn one_hot_mlp(&mut self, ones: &Value, net: &OneHotMlp, weights: &Weights) -> Value {
        let (table, bias, norm) = net.first();
        let [table, bias] = [table, bias].map(|range| self.parameter(weights, range));
        let rows = self.node("Gather", &[&table, ones]);
        let axis = self.integers(&[1]);
        let sum = self.node_with("ReduceSum", &[&rows, &axis], &[("keepdims", Attribute::Int(0))]);
        let x = self.node("Add", &[&sum, &bias]);
        let x = self.layer_norm(&x, norm, weights);
        let x = self.node("Relu", &[&x]);
        let streams = self.mlp(&x, net.rest(), weights);
        if !net.is_dueling() {
            return streams;
        }
        // Q = V + A - mean(A)
        let value = self.columns(&streams, 0..1);
        let advantages = self.columns(&streams, 1..1 + net.outputs());
        let attributes = [("axes", Attribute::Ints(vec![-1])), ("keepdims", Attribute::Int(1))];
        let mean = self.node_with("ReduceMean", &[&advantages], &attributes);
        let shift = self.node("Sub", &[&value, &mean]);
        self.node("Add", &[&advantages, &shift])
    }

    /// A residual network: the outputs of its heads.
    /// Shapes: `x [rows, inputs] -> [heads][rows, outputs]`.
    pub fn resnet(&mut self, x: &Value, net: &ResNet, weights: &Weights) -> Vec<Value> {
        let norm_relu = |graph: &mut Self, x: &Value, norm: &LayerNorm| {
            let x = graph.layer_norm(x, norm, weights);
            graph.node("Relu", &[&x])
        };
        let entry = net.entry();
        let x = self.dense(x, &entry.dense, weights);
        let mut stream = norm_relu(self, &x, &entry.norm);
        for block in net.blocks() {
            let mut x = stream.clone();
            for half in [&block.first, &block.second] {
                x = norm_relu(self, &x, &half.norm);
                x = self.dense(&x, &half.dense, weights);
            }
            stream = self.node("Add", &[&stream, &x]);
        }
        let trunk = norm_relu(self, &stream, net.final_norm());
        let heads = net.heads().iter().zip(&net.shape().heads);
        heads
            .map(|(head, shape)| {
                let outputs = self.mlp(&trunk, head, weights);
                self.activation(&outputs, shape.output_activation)
            })
            .collect()
    }
}
