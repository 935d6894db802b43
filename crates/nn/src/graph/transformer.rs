//! The graph of a transformer, with a KV cache or without.
//!
//! The cache is an input and an output: the keys and values of the tokens so far go in. They come out with
//! the keys and values of the new tokens appended. Keys are kept as they are before token shift, because the
//! key of the last token is shifted to the next one.

use learnery_kernels::activation::Activation;

use super::{Attribute, BATCH, Dim, Element, Graph, Value};
use crate::dense::Dense;
use crate::transformer::{Block, Transformer};
use crate::weights::Weights;

/// Whether a graph takes and gives a KV cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cache {
    Without,
    With,
}

/// The attention score of a later token, which must not be looked at: its attention weight becomes zero.
const MASKED: f32 = f32::MIN;

/// The axis of the tokens in arrays of shape `[batch, heads, time, size]`.
const TIME_AXIS: i64 = 2;

/// Values that all blocks use. `time` is the number of new tokens, and `total` the number of all tokens:
/// those of the cache and the new ones.
struct Shared {
    /// Cosines and sines of the rotation angles of the new tokens; `None` if positions are not encoded in
    /// keys. Shape of each: `[time, pairs]`, a pair for every two rotated features.
    angles: Option<[Value; 2]>,
    /// Whether a new token sees each token.
    /// Shape: `[time, total]`.
    visible: Value,
    /// [`MASKED`].
    masked: Value,
    /// The factor of attention scores, `1 / sqrt(size)`.
    scale: Value,
    /// Shapes for `Reshape`: `[batch, time, width]` to `[batch, time, heads, size]`, and back.
    to_heads: Value,
    from_heads: Value,
}

impl Graph {
    /// Adds a transformer with its inputs and outputs; only the first `vocabulary` tokens have logits.
    pub fn transformer(&mut self, net: &Transformer, weights: &Weights, vocabulary: usize, cache: Cache) {
        let (shape, heads) = (net.shape(), net.heads());
        let time = Dim::Any("time");
        let tokens = self.input("tokens", Element::I64, &[BATCH, time.clone()], "the tokens of each text");
        let kept = |length: &'static str| {
            let [count, size] = [heads.count, heads.size].map(Dim::Fixed);
            [Dim::Fixed(shape.layers), BATCH, count, Dim::Any(length), size]
        };
        let past = (cache == Cache::With).then(|| {
            let about = ["keys", "values"].map(|part| {
                format!("the {part} of the tokens before, as the run before gave them; empty at first")
            });
            let [keys, values] = &about;
            [
                self.input("past_keys", Element::F32, &kept("past"), keys),
                self.input("past_values", Element::F32, &kept("past"), values),
            ]
        });
        let (positions, total) = self.positions(&tokens, past.as_ref().map(|[keys, _]| keys));
        let shared = self.shared(net, &positions, &total);

        let table = self.parameter(weights, &net.tokens().range);
        let position_table = self.parameter(weights, &net.position_range());
        let embedded = self.node("Gather", &[&table, &tokens]);
        let places = self.node("Gather", &[&position_table, &positions]);
        let mut stream = self.node("Add", &[&embedded, &places]);
        let mut present = [Vec::new(), Vec::new()];
        for (layer, block) in net.blocks().iter().enumerate() {
            let past = past.as_ref().map(|past| {
                let layer = self.integer(layer as i64);
                past.each_ref()
                    .map(|past| self.node_with("Gather", &[past, &layer], &[("axis", Attribute::Int(0))]))
            });
            let x = self.layer_norm(&stream, &block.before_attention, weights);
            let (attended, [keys, values]) = self.attention(&x, net, block, weights, past, &shared);
            present[0].push(keys);
            present[1].push(values);
            let x = self.dense_of_texts(&attended, &block.output, weights);
            stream = self.node("Add", &[&stream, &x]);
            let x = self.layer_norm(&stream, &block.before_mlp, weights);
            let x = self.dense_of_texts(&x, &block.up, weights);
            let x = self.activation(&x, Activation::Gelu);
            let x = self.dense_of_texts(&x, &block.down, weights);
            stream = self.node("Add", &[&stream, &x]);
        }
        let x = self.layer_norm(&stream, net.final_norm(), weights);
        let output_layer = self.transpose(&table, &[1, 0]);
        let mut logits = self.node("MatMul", &[&x, &output_layer]);
        if vocabulary < shape.vocabulary {
            logits = self.columns(&logits, 0..vocabulary);
        }
        let about = "for each token, the logits of the token after it";
        self.output(&logits, "logits", &[BATCH, time, Dim::Fixed(vocabulary)], about);
        if cache == Cache::With {
            let parts = [("keys", "past_keys"), ("values", "past_values")];
            for ((name, input), layers) in parts.into_iter().zip(&present) {
                let axis = self.integers(&[0]);
                let layers: Vec<Value> =
                    layers.iter().map(|layer| self.node("Unsqueeze", &[layer, &axis])).collect();
                let stacked = self.concat(&layers.iter().collect::<Vec<_>>(), 0);
                let about = format!("the {name} of all tokens so far, which are `{input}` of the next run");
                self.output(&stacked, name, &kept("total"), &about);
            }
        }
    }

    /// The positions of the new tokens, `[time]`, and the number of all tokens.
    fn positions(&mut self, tokens: &Value, past_keys: Option<&Value>) -> (Value, Value) {
        let one = self.integer(1);
        let time = self.length(tokens, 1);
        match past_keys {
            None => {
                let zero = self.integer(0);
                (self.node("Range", &[&zero, &time, &one]), time)
            }
            Some(past_keys) => {
                let past = self.length(past_keys, TIME_AXIS + 1);
                let total = self.node("Add", &[&past, &time]);
                (self.node("Range", &[&past, &total, &one]), total)
            }
        }
    }

    /// Adds the values that all blocks use.
    fn shared(&mut self, net: &Transformer, positions: &Value, total: &Value) -> Shared {
        let heads = net.heads();
        let angles = net.rotary().filter(|_| heads.pairs() > 0).map(|rotary| {
            let shape = [net.shape().context, heads.pairs()];
            let part = |i: usize| rotary.angles().map(|angle| angle[i]).collect::<Vec<f32>>();
            let tables =
                [("cosines", part(0)), ("sines", part(1))].map(|(name, t)| self.floats(name, &shape, &t));
            tables.map(|table| self.node("Gather", &[&table, positions]))
        });
        let (zero, one, last_axis) = (self.integer(0), self.integer(1), self.integers(&[1]));
        let all = self.node("Range", &[&zero, total, &one]);
        let queries = self.node("Unsqueeze", &[positions, &last_axis]);
        Shared {
            angles,
            visible: self.node("LessOrEqual", &[&all, &queries]),
            masked: self.float(MASKED),
            scale: self.float(heads.scale()),
            // A zero in the shape of a Reshape keeps the length of the axis.
            to_heads: self.integers(&[0, 0, heads.count as i64, heads.size as i64]),
            from_heads: self.integers(&[0, 0, heads.width() as i64]),
        }
    }

    /// Causal attention, and the keys and values of all tokens so far.
    /// Shapes: `x [batch, time, width] -> [batch, time, width], [batch, heads, total, size] each`.
    fn attention(
        &mut self,
        x: &Value,
        net: &Transformer,
        block: &Block,
        weights: &Weights,
        past: Option<[Value; 2]>,
        shared: &Shared,
    ) -> (Value, [Value; 2]) {
        let width = net.heads().width();
        let qkv = self.dense_of_texts(x, &block.qkv, weights);
        let [queries, mut keys, mut values] = [0, 1, 2].map(|part| {
            let columns = self.columns(&qkv, part * width..(part + 1) * width);
            let heads = self.node("Reshape", &[&columns, &shared.to_heads]);
            self.transpose(&heads, &[0, 2, 1, 3])
        });
        let queries = self.rotated(&queries, net, shared);
        keys = self.rotated(&keys, net, shared);
        if let Some([past_keys, past_values]) = past {
            keys = self.concat(&[&past_keys, &keys], TIME_AXIS);
            values = self.concat(&[&past_values, &values], TIME_AXIS);
        }
        let shifted = if net.rotary().is_some() { self.shifted(&keys, net) } else { keys.clone() };
        let turned = self.transpose(&shifted, &[0, 1, 3, 2]);
        let products = self.node("MatMul", &[&queries, &turned]);
        let scores = self.node("Mul", &[&products, &shared.scale]);
        let scores = self.node("Where", &[&shared.visible, &scores, &shared.masked]);
        let shares = self.node_with("Softmax", &[&scores], &[("axis", Attribute::Int(-1))]);
        let sums = self.node("MatMul", &[&shares, &values]);
        let sums = self.transpose(&sums, &[0, 2, 1, 3]);
        (self.node("Reshape", &[&sums, &shared.from_heads]), [keys, values])
    }

    /// Rotary embedding of the first features of each head.
    /// Shapes: `x [batch, heads, time, size]`.
    fn rotated(&mut self, x: &Value, net: &Transformer, shared: &Shared) -> Value {
        let Some([cosines, sines]) = &shared.angles else { return x.clone() };
        let (pairs, size) = (net.heads().pairs(), net.heads().size);
        let [a, b] = [0..pairs, pairs..2 * pairs].map(|range| self.columns(x, range));
        let [a_cos, b_sin] = [(&a, cosines), (&b, sines)].map(|(x, y)| self.node("Mul", &[x, y]));
        let [b_cos, a_sin] = [(&b, cosines), (&a, sines)].map(|(x, y)| self.node("Mul", &[x, y]));
        let first = self.node("Sub", &[&a_cos, &b_sin]);
        let second = self.node("Add", &[&b_cos, &a_sin]);
        if 2 * pairs == size {
            return self.concat(&[&first, &second], -1);
        }
        let rest = self.columns(x, 2 * pairs..size);
        self.concat(&[&first, &second, &rest], -1)
    }

    /// Token shift of the other features: each token takes the features of the token before it, and the first
    /// token keeps its own. Shapes: `keys [batch, heads, total, size]`.
    fn shifted(&mut self, keys: &Value, net: &Transformer) -> Value {
        let (rotated, size) = (2 * net.heads().pairs(), net.heads().size);
        if rotated == size {
            return keys.clone();
        }
        let features = self.columns(keys, rotated..size);
        let first = self.slice(&features, TIME_AXIS, 0, 1);
        let before = self.slice(&features, TIME_AXIS, 0, -1);
        let moved = self.concat(&[&first, &before], TIME_AXIS);
        if rotated == 0 {
            return moved;
        }
        let kept = self.columns(keys, 0..rotated);
        self.concat(&[&kept, &moved], -1)
    }

    /// A dense layer on texts, which have two axes before the features.
    /// Shapes: `x [batch, time, inputs] -> [batch, time, outputs]`.
    fn dense_of_texts(&mut self, x: &Value, dense: &Dense, weights: &Weights) -> Value {
        let weight = self.parameter(weights, &dense.weight.range);
        let bias = self.parameter(weights, &dense.bias);
        let product = self.node("MatMul", &[x, &weight]);
        self.node("Add", &[&product, &bias])
    }

    fn transpose(&mut self, x: &Value, axes: &[i64]) -> Value {
        self.node_with("Transpose", &[x], &[("perm", Attribute::Ints(axes.to_vec()))])
    }

    /// The length of an axis, as a single integer.
    fn length(&mut self, x: &Value, axis: i64) -> Value {
        let shape = self.node("Shape", &[x]);
        let axis = self.integer(axis);
        self.node("Gather", &[&shape, &axis])
    }
}
