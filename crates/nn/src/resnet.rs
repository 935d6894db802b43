//! A fully connected residual network with several heads on one trunk.
//!
//! ```text
//! s = relu(norm(dense(x)))
//! s = s + dense(relu(norm(dense(relu(norm(s))))))     for each block
//! h = relu(norm(s))
//! ```
//! `s` is the residual stream, and these layers are the trunk. Norm and ReLU come before each dense layer of
//! a block (pre-activation; He et al., "Identity mappings in deep residual networks", 2016). Each head is a
//! multi-layer perceptron ([`Mlp`]) on `h` with layer norm and ReLU. Element-wise steps are fused into the
//! product before them: the last product of a block, the residual sum, and the norm and ReLU at the beginning
//! of the next block are one pass.

use learnery_kernels::activation::Activation;
use learnery_kernels::buffer::Buffer;
use learnery_kernels::epilogue::Epilogue;
use learnery_kernels::reduce::add_assign;
use learnery_kernels::rng::Stream;

use crate::dense::Dense;
use crate::layer_norm::{LayerNorm, LayerNormTape, NO_TAPE};
use crate::mlp::{Hidden, Mlp, MlpTape};
use crate::params::{Layout, WITH_INPUT_GRADIENT, WITHOUT_INPUT_GRADIENT};
use crate::scratch::{Scratch, split_into_blocks};
use crate::weights::Weights;

/// The hyperparameters of a residual network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResNetShape {
    pub inputs: usize,
    /// Width of the trunk.
    pub width: usize,
    /// Number of residual blocks, each of two dense layers.
    pub blocks: usize,
    pub heads: Vec<HeadShape>,
}

impl ResNetShape {
    /// The network of backgammon's AlphaZero learner ("fully connected residual network"): 342 features
    /// (`learnery_worlds::backgammon::observe`), 676 policy logits (a table of 26 by 26 places), five outcome
    /// probabilities.
    pub fn fcresnet() -> Self {
        let width = 128;
        let policy = HeadShape {
            name: "policy",
            hidden: vec![width; 2],
            outputs: 676,
            output_activation: Activation::Identity,
        };
        let value = HeadShape {
            name: "value",
            hidden: vec![width],
            outputs: 5,
            output_activation: Activation::Sigmoid,
        };
        Self { inputs: 342, width, blocks: 3, heads: vec![policy, value] }
    }
}

/// The hyperparameters of a head.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeadShape {
    /// Part of the names of its parameters.
    pub name: &'static str,
    /// Widths of the hidden layers.
    pub hidden: Vec<usize>,
    pub outputs: usize,
    /// The activation that [`ResNet::infer`] applies to the outputs. [`ResNet::forward`] does not apply it,
    /// because losses take logits.
    pub output_activation: Activation,
}

/// The gain of the last layer of a head, small so that the initial outputs are near zero.
const HEAD_GAIN: f32 = 0.01;

/// The network: its shape and the offsets of its parameters.
#[derive(Clone, Debug)]
pub struct ResNet {
    shape: ResNetShape,
    entry: Entry,
    blocks: Vec<Block>,
    /// The norm at the end of the trunk, which a ReLU follows.
    final_norm: LayerNorm,
    heads: Vec<Mlp>,
}

/// The first layer of the network: dense, then norm and ReLU.
#[derive(Clone, Debug)]
pub struct Entry {
    pub dense: Dense,
    pub norm: LayerNorm,
}

/// One residual block: two dense layers, each after norm and ReLU (pre-activation).
#[derive(Clone, Debug)]
pub struct Block {
    pub first: Half,
    pub second: Half,
}

/// Half of a block: norm and ReLU, then a dense layer.
#[derive(Clone, Debug)]
pub struct Half {
    pub norm: LayerNorm,
    pub dense: Dense,
}

/// What `forward` saves for `backward`.
#[derive(Clone, Debug)]
pub struct ResNetTape {
    /// The largest number of rows.
    capacity: usize,
    entry: NormReluTape,
    blocks: Vec<[NormReluTape; 2]>,
    end: NormReluTape,
    heads: Vec<MlpTape>,
    /// The residual stream; in the backward pass, the gradient at it.
    /// Shape: `[capacity, width]`.
    residual: Buffer,
    /// Two buffers for gradients inside a block.
    /// Shape of each: `[capacity, width]`.
    gradients: [Buffer; 2],
}

/// What norm and ReLU save for the backward pass.
#[derive(Clone, Debug)]
struct NormReluTape {
    /// The output.
    /// Shape: `[capacity, width]`.
    y: Buffer,
    norm_tape: LayerNormTape,
}

impl NormReluTape {
    fn new(capacity: usize, width: usize) -> Self {
        Self { y: Buffer::new(capacity * width), norm_tape: LayerNormTape::new(capacity, width) }
    }

    /// Backward pass of norm and ReLU, from the gradient `dy` at the output to `dx` at the input.
    /// Shapes: `dy, dx [rows, width]`.
    fn backward(&self, norm: &LayerNorm, weights: &Weights, grads: &mut [f32], dx: &mut [f32], dy: &[f32]) {
        norm.backward(weights, grads, dx, dy, Some(&self.y), &self.norm_tape);
    }
}

impl ResNetTape {
    /// The outputs of head `head` in the last forward pass of `rows` rows, and where the caller writes the
    /// gradient at them before [`ResNet::backward`]. Shape of both: `[rows, outputs]`.
    pub fn outputs_and_gradients(&mut self, head: usize, rows: usize) -> (&[f32], &mut [f32]) {
        self.heads[head].outputs_and_gradients(rows)
    }
}

impl ResNet {
    /// Adds the parameters of a network to `layout` under `name`.
    pub fn new(layout: &mut Layout, name: &str, shape: &ResNetShape) -> Self {
        let width = shape.width;
        let entry_name = format!("{name}/entry");
        let entry = Entry {
            dense: Dense::new(layout, &entry_name, shape.inputs, width, WITHOUT_INPUT_GRADIENT),
            norm: LayerNorm::new(layout, &entry_name, width),
        };
        let mut half = |i: usize, which: &str| {
            let name = format!("{name}/block{i}/{which}");
            Half {
                norm: LayerNorm::new(layout, &name, width),
                dense: Dense::new(layout, &name, width, width, WITH_INPUT_GRADIENT),
            }
        };
        let blocks = (0..shape.blocks).map(|i| Block { first: half(i, "0"), second: half(i, "1") }).collect();
        let final_norm = LayerNorm::new(layout, &format!("{name}/end"), width);
        let head = |head: &HeadShape| {
            let sizes: Vec<usize> =
                [width].into_iter().chain(head.hidden.iter().copied()).chain([head.outputs]).collect();
            Mlp::new(layout, &format!("{name}/{}", head.name), &sizes, Hidden::NORM_RELU, WITH_INPUT_GRADIENT)
        };
        let heads = shape.heads.iter().map(head).collect();
        Self { shape: shape.clone(), entry, blocks, final_norm, heads }
    }

    /// Orthogonal weights. The last layer of each block is scaled by `1 / sqrt(blocks)`, so that the stream
    /// does not grow with depth.
    pub fn init(&self, params: &mut [f32], stream: Stream) {
        let gain = std::f32::consts::SQRT_2;
        self.entry.dense.init(params, gain, stream, 0);
        self.entry.norm.init(params);
        let residual_gain = gain / (self.blocks.len() as f32).sqrt();
        for (i, Block { first, second }) in self.blocks.iter().enumerate() {
            // The first layer has index 0.
            let index = 2 * i as u64 + 1;
            first.norm.init(params);
            first.dense.init(params, gain, stream, index);
            second.norm.init(params);
            second.dense.init(params, residual_gain, stream, index + 1);
        }
        self.final_norm.init(params);
        for (i, head) in self.heads.iter().enumerate() {
            // The random numbers of head i have indices from (i + 1) * 2^16 on, which no other matrix uses.
            head.init_from(params, HEAD_GAIN, stream, (i as u64 + 1) << 16);
        }
    }

    pub fn shape(&self) -> &ResNetShape {
        &self.shape
    }

    pub fn entry(&self) -> &Entry {
        &self.entry
    }

    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// The norm at the end of the trunk, which a ReLU follows.
    pub fn final_norm(&self) -> &LayerNorm {
        &self.final_norm
    }

    /// The heads, in the order of [`ResNetShape::heads`].
    pub fn heads(&self) -> &[Mlp] {
        &self.heads
    }

    /// Scratch for [`ResNet::infer`].
    pub fn scratch(&self) -> Scratch {
        Scratch::new(self.heads.iter().map(Mlp::widest).max().unwrap_or(0).max(self.shape.width))
    }

    /// Runs the network on any number of rows and saves nothing; `out` has one buffer per head.
    /// Shapes: `x [rows, inputs] -> out [heads][rows, outputs]`.
    pub fn infer(
        &self,
        weights: &Weights,
        x: &[f32],
        rows: usize,
        scratch: &mut Scratch,
        out: &mut [&mut [f32]],
    ) {
        assert_eq!(out.len(), self.heads.len(), "one output buffer per head");
        for (first, n, x) in split_into_blocks(x, rows, self.shape.inputs) {
            let [residual, h, other] = &mut scratch.buffers;
            self.trunk_block(weights, x, n, [residual, h, other]);
            let h = &h[..n * self.shape.width];
            for ((head, shape), out) in self.heads.iter().zip(&self.shape.heads).zip(&mut *out) {
                let out = &mut out[first * shape.outputs..][..n * shape.outputs];
                head.infer_block(weights, h, n, [residual, other], shape.output_activation, out);
            }
        }
    }

    /// Runs the trunk alone, for callers that do not need every head of every row. The result of
    /// [`ResNet::infer_head`] on its output is bit-identical to the result of [`ResNet::infer`]. Shapes: `x
    /// [rows, inputs] -> h [rows, width]`.
    pub fn infer_trunk(
        &self,
        weights: &Weights,
        x: &[f32],
        rows: usize,
        scratch: &mut Scratch,
        h: &mut [f32],
    ) {
        let [residual, other, _] = &mut scratch.buffers;
        for (first, n, x) in split_into_blocks(x, rows, self.shape.inputs) {
            let h = &mut h[first * self.shape.width..][..n * self.shape.width];
            self.trunk_block(weights, x, n, [residual, h, other]);
        }
    }

    /// Runs one head on the output of [`ResNet::infer_trunk`].
    /// Shapes: `h [rows, width] -> out [rows, outputs]`.
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
        for (first, n, h) in split_into_blocks(h, rows, self.shape.width) {
            let out = &mut out[first * shape.outputs..][..n * shape.outputs];
            mlp.infer_block(weights, h, n, [from, to], shape.output_activation, out);
        }
    }

    /// Runs the trunk on one block of rows and writes its output to `h`. The other two buffers are scratch.
    fn trunk_block(&self, weights: &Weights, x: &[f32], rows: usize, [residual, h, other]: [&mut [f32]; 3]) {
        let size = rows * self.shape.width;
        let (residual, h, other) = (&mut residual[..size], &mut h[..size], &mut other[..size]);
        let Entry { dense, norm } = &self.entry;
        dense.forward(weights, residual, x, rows, norm_relu(dense, norm, weights));
        let begin = self.blocks.first().map_or(&self.final_norm, |block| &block.first.norm);
        begin.forward(weights, h, residual, Activation::Relu, NO_TAPE);
        for (i, Block { first, second }) in self.blocks.iter().enumerate() {
            first.dense.forward(weights, other, h, rows, norm_relu(&first.dense, &second.norm, weights));
            let next = self.blocks.get(i + 1).map_or(&self.final_norm, |block| &block.first.norm);
            let epilogue = norm_relu(&second.dense, next, weights);
            second.dense.forward_residual(weights, residual, h, other, rows, epilogue);
        }
    }

    /// A tape for batches of up to `capacity` rows.
    pub fn tape(&self, capacity: usize) -> ResNetTape {
        let tape = || NormReluTape::new(capacity, self.shape.width);
        let buffer = || Buffer::new(capacity * self.shape.width);
        ResNetTape {
            capacity,
            entry: tape(),
            blocks: self.blocks.iter().map(|_| [tape(), tape()]).collect(),
            end: tape(),
            heads: self.heads.iter().map(|head| head.tape(capacity)).collect(),
            residual: buffer(),
            gradients: [buffer(), buffer()],
        }
    }

    /// Runs the network on `rows` rows and saves on `tape` the outputs and what the backward pass needs.
    /// Shapes: `x [rows, inputs]`.
    pub fn forward(&self, weights: &Weights, x: &[f32], rows: usize, tape: &mut ResNetTape) {
        assert!(rows <= tape.capacity, "{rows} rows on a tape for {}", tape.capacity);
        let size = rows * self.shape.width;
        let ResNetTape { entry, blocks, end, heads, residual, .. } = tape;
        let residual = &mut residual[..size];

        let Entry { dense, norm } = &self.entry;
        let epilogue = norm.attach_and_save(dense.epilogue(weights), weights, rows, &mut entry.norm_tape);
        dense.forward(weights, &mut entry.y[..size], x, rows, epilogue.then(Activation::Relu));
        // The blocks add to a copy, because the backward pass needs the output of the first layer.
        residual.copy_from_slice(&entry.y[..size]);

        let (begin, tape) = match (self.blocks.first(), blocks.first_mut()) {
            (Some(block), Some([tape, _])) => (&block.first.norm, tape),
            _ => (&self.final_norm, &mut *end),
        };
        begin.forward(weights, &mut tape.y[..size], residual, Activation::Relu, Some(&mut tape.norm_tape));
        for (i, Block { first, second }) in self.blocks.iter().enumerate() {
            let (tapes, later_blocks) =
                blocks[i..].split_first_mut().expect("the tape has one entry per block");
            // `before` the first dense layer of the block, and `between` its two dense layers.
            let [before, between] = tapes;
            let epilogue = second.norm.attach_and_save(
                first.dense.epilogue(weights),
                weights,
                rows,
                &mut between.norm_tape,
            );
            let y = &mut between.y[..size];
            first.dense.forward(weights, y, &before.y[..size], rows, epilogue.then(Activation::Relu));

            let (next, after) = match (self.blocks.get(i + 1), later_blocks.first_mut()) {
                (Some(block), Some([tape, _])) => (&block.first.norm, tape),
                _ => (&self.final_norm, &mut *end),
            };
            let epilogue =
                next.attach_and_save(second.dense.epilogue(weights), weights, rows, &mut after.norm_tape);
            let epilogue = epilogue.then(Activation::Relu);
            second.dense.forward_residual(
                weights,
                residual,
                &mut after.y[..size],
                &between.y[..size],
                rows,
                epilogue,
            );
        }
        for (head, tape) in self.heads.iter().zip(heads) {
            head.forward(weights, &end.y[..size], rows, tape);
        }
    }

    /// Adds the gradients of the last forward pass (with the same weights, `x` and `rows`) to `grads`, which
    /// has the layout of the parameters.
    pub fn backward(
        &self,
        weights: &Weights,
        x: &[f32],
        rows: usize,
        tape: &mut ResNetTape,
        grads: &mut [f32],
    ) {
        let size = rows * self.shape.width;
        let ResNetTape { entry, blocks, end, heads, residual, gradients: [d_outer, d_inner], .. } = tape;
        let (residual, d_outer, d_inner) =
            (&mut residual[..size], &mut d_outer[..size], &mut d_inner[..size]);

        // The sum of the heads' gradients at the trunk's output.
        d_outer.fill(0.0);
        for (head, tape) in self.heads.iter().zip(heads) {
            head.backward(weights, &end.y[..size], rows, tape, grads, Some(&mut *d_inner));
            add_assign(d_outer, d_inner);
        }
        // From here on, `residual` is the gradient at the stream.
        end.backward(&self.final_norm, weights, grads, residual, d_outer);
        for (Block { first, second }, [before, between]) in self.blocks.iter().zip(blocks).rev() {
            second.dense.backward(grads, &between.y, residual, rows);
            second.dense.backward_inputs(weights, d_outer, residual, rows);
            between.backward(&second.norm, weights, grads, d_inner, d_outer);
            first.dense.backward(grads, &before.y, d_inner, rows);
            first.dense.backward_inputs(weights, d_outer, d_inner, rows);
            before.backward(&first.norm, weights, grads, d_inner, d_outer);
            add_assign(residual, d_inner);
        }
        entry.backward(&self.entry.norm, weights, grads, d_inner, residual);
        self.entry.dense.backward(grads, x, d_inner, rows);
    }
}

/// The epilogue of `dense` followed by `norm` and ReLU.
fn norm_relu<'a>(dense: &Dense, norm: &LayerNorm, weights: &'a Weights) -> Epilogue<'a> {
    norm.attach(dense.epilogue(weights), weights).then(Activation::Relu)
}
