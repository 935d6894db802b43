//! A residual network over flat inputs, with several heads on one trunk.
//!
//! ```text
//! s = relu(norm(dense(x)))
//! s = s + dense(relu(norm(dense(relu(norm(s))))))     for each block: pre-activation, He et al.,
//! h = relu(norm(s))                                   "Identity mappings in deep residual networks", 2016
//! ```
//! Each head is a perceptron over `h` with layer norm and ReLU. Whatever follows a product is fused into it: the end of
//! a block, the sum, the norm and the ReLU that begin the next are one pass.

use learnery_kernels::buffer::Buffer;
use learnery_kernels::epilogue::{Activation, Epilogue};
use learnery_kernels::reduce::add_assign;
use learnery_kernels::rng::Stream;

use crate::dense::Dense;
use crate::layer_norm::{LayerNorm, LayerNormTape};
use crate::mlp::{Hidden, Mlp, MlpTape};
use crate::params::Layout;
use crate::scratch::{Scratch, blocks};
use crate::weights::Weights;

/// The sizes of a residual network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResNetShape {
    /// Numbers in a row that goes in.
    pub inputs: usize,
    /// Numbers in a row of the trunk.
    pub width: usize,
    /// Residual blocks, of two layers each.
    pub blocks: usize,
    /// What it answers.
    pub heads: Vec<HeadShape>,
}

impl ResNetShape {
    /// The network of the backgammon lab: 342 features, 676 moves, five outcomes.
    pub fn fcresnet() -> Self {
        let width = 128;
        let policy =
            HeadShape { name: "policy", hidden: vec![width; 2], outputs: 676, end: Activation::Identity };
        let value = HeadShape { name: "value", hidden: vec![width], outputs: 5, end: Activation::Sigmoid };
        Self { inputs: 342, width, blocks: 3, heads: vec![policy, value] }
    }
}

/// The sizes of a head.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeadShape {
    /// Its parameters' name.
    pub name: &'static str,
    /// Widths of its hidden layers.
    pub hidden: Vec<usize>,
    /// Numbers in a row that comes out.
    pub outputs: usize,
    /// Applied to what [`ResNet::infer`] gives. A training pass gives what goes into it: that is what losses want.
    pub end: Activation,
}

/// How boldly an untrained head answers: hardly at all.
const HEAD_GAIN: f32 = 0.01;

/// The network: where its parameters lie.
#[derive(Clone, Debug)]
pub struct ResNet {
    shape: ResNetShape,
    entry: (Dense, LayerNorm),
    blocks: Vec<Block>,
    end: LayerNorm,
    heads: Vec<Mlp>,
}

/// One residual block.
#[derive(Clone, Debug)]
struct Block {
    first: (LayerNorm, Dense),
    second: (LayerNorm, Dense),
}

/// What a training pass keeps for the way back.
#[derive(Clone, Debug)]
pub struct ResNetTape {
    /// Most rows it holds.
    capacity: usize,
    entry: Kept,
    blocks: Vec<[Kept; 2]>,
    end: Kept,
    heads: Vec<MlpTape>,
    /// The residual stream, and on the way back the gradient at it. // [capacity, width]
    stream: Buffer,
    /// Gradients on their way. // each [capacity, width]
    ways: [Buffer; 2],
}

/// What norm and ReLU leave behind.
#[derive(Clone, Debug)]
struct Kept {
    /// What came out. // [capacity, width]
    y: Buffer,
    normed: LayerNormTape,
}

impl Kept {
    fn new(capacity: usize, width: usize) -> Self {
        Self { y: Buffer::new(capacity * width), normed: LayerNormTape::new(capacity, width) }
    }

    /// Turns the gradient after norm and ReLU, `dy`, into the one before both, `dx`. // both [rows, width]
    fn backward(&self, norm: &LayerNorm, weights: &Weights, grads: &mut [f32], dx: &mut [f32], dy: &[f32]) {
        norm.backward(weights, grads, dx, dy, Some(&self.y), &self.normed);
    }
}

impl ResNetTape {
    /// The outputs of head `head` in the last forward pass of `rows` rows, and where the caller writes the gradient
    /// at them before [`ResNet::backward`]. // both [rows, outputs]
    pub fn outputs_and_gradients(&mut self, head: usize, rows: usize) -> (&[f32], &mut [f32]) {
        self.heads[head].outputs_and_gradients(rows)
    }
}

impl ResNet {
    /// A network whose parameters are added to `layout` under `name`.
    pub fn new(layout: &mut Layout, name: &str, shape: &ResNetShape) -> Self {
        let width = shape.width;
        let entry_name = format!("{name}/entry");
        let entry = (
            Dense::new(layout, &entry_name, shape.inputs, width, false),
            LayerNorm::new(layout, &entry_name, width),
        );
        let mut half = |i: usize, which: &str| {
            let name = format!("{name}/block{i}/{which}");
            (LayerNorm::new(layout, &name, width), Dense::new(layout, &name, width, width, true))
        };
        let blocks = (0..shape.blocks).map(|i| Block { first: half(i, "0"), second: half(i, "1") }).collect();
        let end = LayerNorm::new(layout, &format!("{name}/end"), width);
        let head = |head: &HeadShape| {
            let sizes: Vec<usize> =
                [width].into_iter().chain(head.hidden.iter().copied()).chain([head.outputs]).collect();
            Mlp::new(layout, &format!("{name}/{}", head.name), &sizes, Hidden::NORM_RELU, true)
        };
        let heads = shape.heads.iter().map(head).collect();
        Self { shape: shape.clone(), entry, blocks, end, heads }
    }

    /// Orthogonal weights. The more blocks there are, the less each adds to the stream at first.
    pub fn init(&self, params: &mut [f32], stream: Stream) {
        let gain = std::f32::consts::SQRT_2;
        self.entry.0.init(params, gain, stream, 0);
        self.entry.1.init(params);
        let added = gain / (self.blocks.len() as f32).sqrt();
        for (i, Block { first, second }) in self.blocks.iter().enumerate() {
            let index = 2 * i as u64 + 1;
            first.0.init(params);
            first.1.init(params, gain, stream, index);
            second.0.init(params);
            second.1.init(params, added, stream, index + 1);
        }
        self.end.init(params);
        for (i, head) in self.heads.iter().enumerate() {
            // Far from the trunk's matrices and from one another.
            head.init_from(params, HEAD_GAIN, stream, (i as u64 + 1) << 16);
        }
    }

    /// Its sizes.
    pub fn shape(&self) -> &ResNetShape {
        &self.shape
    }

    /// What [`ResNet::infer`] works in.
    pub fn scratch(&self) -> Scratch {
        Scratch::new(self.heads.iter().map(Mlp::widest).max().unwrap_or(0).max(self.shape.width))
    }

    /// Runs any number of rows, keeping nothing; `out` has a place for each head.
    /// // x [rows, inputs] -> out [heads][rows, outputs]
    pub fn infer(
        &self,
        weights: &Weights,
        x: &[f32],
        rows: usize,
        scratch: &mut Scratch,
        out: &mut [&mut [f32]],
    ) {
        assert_eq!(out.len(), self.heads.len(), "one place for each head");
        for (first, n, x) in blocks(x, rows, self.shape.inputs) {
            let [stream, h, other] = &mut scratch.buffers;
            self.trunk_block(weights, x, n, [stream, h, other]);
            let h = &h[..n * self.shape.width];
            for ((head, shape), out) in self.heads.iter().zip(&self.shape.heads).zip(&mut *out) {
                let out = &mut out[first * shape.outputs..][..n * shape.outputs];
                head.infer_block(weights, h, n, [stream, other], shape.end, out);
            }
        }
    }

    /// The first half of [`ResNet::infer`]: what the heads are given. With [`ResNet::infer_head`] it comes to the same
    /// bits, for those who do not need every head of every row. // x [rows, inputs] -> h [rows, width]
    pub fn infer_trunk(
        &self,
        weights: &Weights,
        x: &[f32],
        rows: usize,
        scratch: &mut Scratch,
        h: &mut [f32],
    ) {
        let [stream, other, _] = &mut scratch.buffers;
        for (first, n, x) in blocks(x, rows, self.shape.inputs) {
            let h = &mut h[first * self.shape.width..][..n * self.shape.width];
            self.trunk_block(weights, x, n, [stream, h, other]);
        }
    }

    /// The answers of head `head` to what the trunk gave. // h [rows, width] -> out [rows, outputs]
    pub fn infer_head(
        &self,
        weights: &Weights,
        head: usize,
        h: &[f32],
        rows: usize,
        scratch: &mut Scratch,
        out: &mut [f32],
    ) {
        let (mlp, shape) = (&self.heads[head], &self.shape.heads[head]);
        let [from, to, _] = &mut scratch.buffers;
        for (first, n, h) in blocks(h, rows, self.shape.width) {
            let out = &mut out[first * shape.outputs..][..n * shape.outputs];
            mlp.infer_block(weights, h, n, [from, to], shape.end, out);
        }
    }

    /// Runs the trunk over one block of rows. What it gives is in `h`.
    fn trunk_block(&self, weights: &Weights, x: &[f32], rows: usize, [stream, h, other]: [&mut [f32]; 3]) {
        let size = rows * self.shape.width;
        let (stream, h, other) = (&mut stream[..size], &mut h[..size], &mut other[..size]);
        let (dense, norm) = &self.entry;
        dense.forward(weights, stream, x, rows, norm_relu(dense, norm, weights));
        let begin = self.blocks.first().map_or(&self.end, |block| &block.first.0);
        begin.forward(weights, h, stream, Activation::Relu, None);
        for (i, Block { first, second }) in self.blocks.iter().enumerate() {
            first.1.forward(weights, other, h, rows, norm_relu(&first.1, &second.0, weights));
            let next = self.blocks.get(i + 1).map_or(&self.end, |block| &block.first.0);
            let tail = norm_relu(&second.1, next, weights);
            second.1.forward_residual(weights, stream, h, other, rows, tail);
        }
    }

    /// Room for training batches of up to `capacity` rows.
    pub fn tape(&self, capacity: usize) -> ResNetTape {
        let kept = || Kept::new(capacity, self.shape.width);
        let buffer = || Buffer::new(capacity * self.shape.width);
        ResNetTape {
            capacity,
            entry: kept(),
            blocks: self.blocks.iter().map(|_| [kept(), kept()]).collect(),
            end: kept(),
            heads: self.heads.iter().map(|head| head.tape(capacity)).collect(),
            stream: buffer(),
            ways: [buffer(), buffer()],
        }
    }

    /// Runs `rows` rows of `x` `[rows, inputs]`, keeping what the way back needs. The outputs are in `tape`.
    pub fn forward(&self, weights: &Weights, x: &[f32], rows: usize, tape: &mut ResNetTape) {
        assert!(rows <= tape.capacity, "{rows} rows on a tape for {}", tape.capacity);
        let size = rows * self.shape.width;
        let ResNetTape { entry, blocks, end, heads, stream, .. } = tape;
        let stream = &mut stream[..size];

        let (dense, norm) = &self.entry;
        let tail = norm.after_kept(dense.epilogue(weights), weights, rows, &mut entry.normed);
        dense.forward(weights, &mut entry.y[..size], x, rows, tail.then(Activation::Relu));
        // The sum goes on from here, and the way back needs this as it was.
        stream.copy_from_slice(&entry.y[..size]);

        let (begin, kept) = match (self.blocks.first(), blocks.first_mut()) {
            (Some(block), Some([kept, _])) => (&block.first.0, kept),
            _ => (&self.end, &mut *end),
        };
        begin.forward(weights, &mut kept.y[..size], stream, Activation::Relu, Some(&mut kept.normed));
        for (i, Block { first, second }) in self.blocks.iter().enumerate() {
            let (now, later) = blocks[i..].split_first_mut().expect("there is one for each block");
            let [before, between] = now;
            let tail = second.0.after_kept(first.1.epilogue(weights), weights, rows, &mut between.normed);
            let y = &mut between.y[..size];
            first.1.forward(weights, y, &before.y[..size], rows, tail.then(Activation::Relu));

            let (next, after) = match (self.blocks.get(i + 1), later.first_mut()) {
                (Some(block), Some([kept, _])) => (&block.first.0, kept),
                _ => (&self.end, &mut *end),
            };
            let tail = next.after_kept(second.1.epilogue(weights), weights, rows, &mut after.normed);
            let tail = tail.then(Activation::Relu);
            second.1.forward_residual(weights, stream, &mut after.y[..size], &between.y[..size], rows, tail);
        }
        for (head, tape) in self.heads.iter().zip(heads) {
            head.forward(weights, &end.y[..size], rows, tape);
        }
    }

    /// Adds the gradient of the last forward pass (same weights, `x` and `rows`) to `grads`, laid out like the
    /// parameters.
    pub fn backward(
        &self,
        weights: &Weights,
        x: &[f32],
        rows: usize,
        tape: &mut ResNetTape,
        grads: &mut [f32],
    ) {
        let size = rows * self.shape.width;
        let ResNetTape { entry, blocks, end, heads, stream, ways: [way, other], .. } = tape;
        let (stream, way, other) = (&mut stream[..size], &mut way[..size], &mut other[..size]);

        // What each head wants of the trunk, added up in `way`.
        way.fill(0.0);
        for (head, tape) in self.heads.iter().zip(heads) {
            head.backward(weights, &end.y[..size], rows, tape, grads, Some(&mut *other));
            add_assign(way, other);
        }
        end.backward(&self.end, weights, grads, stream, way);
        for (Block { first, second }, [before, between]) in self.blocks.iter().zip(blocks).rev() {
            second.1.backward(grads, &between.y, stream, rows);
            second.1.backward_inputs(weights, way, stream, rows);
            between.backward(&second.0, weights, grads, other, way);
            first.1.backward(grads, &before.y, other, rows);
            first.1.backward_inputs(weights, way, other, rows);
            before.backward(&first.0, weights, grads, other, way);
            add_assign(stream, other);
        }
        entry.backward(&self.entry.1, weights, grads, other, stream);
        self.entry.0.backward(grads, x, other, rows);
    }
}

/// The tail of `dense` with norm and ReLU behind it.
fn norm_relu<'a>(dense: &Dense, norm: &LayerNorm, weights: &'a Weights) -> Epilogue<'a> {
    norm.after(dense.epilogue(weights), weights).then(Activation::Relu)
}
