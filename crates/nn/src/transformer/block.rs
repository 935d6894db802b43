//! One transformer block: attention and an MLP (multi-layer perceptron), each added to the residual stream;
//! forward and backward pass.

use learnery_kernels::activation::Activation;
use learnery_kernels::attention::{self, Heads, Rotary, Workspace};
use learnery_kernels::buffer::Buffer;
use learnery_kernels::epilogue::Saved;
use learnery_kernels::linear::PackedMatrix;
use learnery_kernels::reduce::{add_assign, add_column_sums};

use crate::dense::Dense;
use crate::layer_norm::{LayerNorm, LayerNormTape};
use crate::params::{Layout, WITH_INPUT_GRADIENT};
use crate::weights::Weights;

/// The width of the MLP's hidden layer divided by the width of the stream.
pub const MLP_FACTOR: usize = 4;

/// The number of biases, gammas and betas of a block divided by the width: norm before attention, qkv
/// (queries, keys and values), output projection, norm before the MLP, up, down.
pub const BIAS_AND_NORM_FACTOR: usize = 2 + 3 + 1 + 2 + MLP_FACTOR + 1;

/// Rows per step of the MLP's backward pass: so few that the hidden layer's gradients stay in the L2 cache.
const MLP_ROWS: usize = 64;

/// The offsets of the parameters of a block.
#[derive(Clone, Debug)]
pub struct Block {
    pub before_attention: LayerNorm,
    /// Queries, keys and values in one layer.
    pub qkv: Dense,
    /// The output projection of attention (`mix` in the names of tensors).
    pub output: Dense,
    pub before_mlp: LayerNorm,
    /// The first and second layer of the MLP.
    pub up: Dense,
    pub down: Dense,
}

/// The normalised residual stream, which is the input of attention, of the MLP or of the output layer; and
/// what the backward pass of the norm needs.
#[derive(Clone, Debug)]
pub struct NormedInput {
    /// The output of the norm.
    /// Shape: `[capacity, width]`.
    pub y: Buffer,
    pub norm_tape: LayerNormTape,
}

impl NormedInput {
    pub fn new(capacity: usize, width: usize) -> Self {
        Self { y: Buffer::new(capacity * width), norm_tape: LayerNormTape::new(capacity, width) }
    }
}

/// What the forward pass of a block saves for its backward pass. The input of its attention is not here: the
/// block before writes it, so it is in the shard ([`super::shard`], the workspace for some sequences of a
/// batch).
#[derive(Clone, Debug)]
pub struct BlockTape {
    /// Queries, keys and values.
    /// Shape: `[capacity, 3 width]`.
    qkv: Buffer,
    /// Log-sum-exp of the attention scores, see [`attention::forward`].
    /// Shape: `[heads, length]` for each sequence.
    log_sums: Vec<f32>,
    /// Output of attention.
    /// Shape: `[capacity, width]`.
    pub attended: Buffer,
    pub mlp_input: NormedInput,
    /// Input and output of the MLP's activation.
    /// Shape of each: `[capacity, MLP_FACTOR * width]`.
    pre_activation: Buffer,
    pub activated: Buffer,
}

impl BlockTape {
    pub fn new(capacity: usize, heads: Heads) -> Self {
        let width = heads.width();
        Self {
            qkv: Buffer::new(capacity * 3 * width),
            log_sums: vec![0.0; capacity * heads.count],
            attended: Buffer::new(capacity * width),
            mlp_input: NormedInput::new(capacity, width),
            pre_activation: Buffer::new(capacity * MLP_FACTOR * width),
            activated: Buffer::new(capacity * MLP_FACTOR * width),
        }
    }

    /// Queries, keys and values of the last forward pass.
    /// Shape: `[capacity, 3 width]`.
    pub fn qkv(&self) -> &[f32] {
        &self.qkv
    }
}

/// Buffers of a block's backward pass.
#[derive(Clone, Debug)]
pub struct BlockGradients {
    /// Gradients at the residual stream: after the block, between attention and MLP, and before the block.
    /// Shape of each: `[capacity, width]`.
    pub after: Buffer,
    pub middle: Buffer,
    pub before: Buffer,
    /// Gradient at queries, keys and values.
    /// Shape: `[capacity, 3 width]`.
    qkv: Buffer,
    /// Gradient at the hidden layer, first after and then before its activation.
    /// Shape: `[capacity, MLP_FACTOR * width]`.
    up: Buffer,
    /// Gradients at the outputs of the norms and of attention, each for a short time.
    /// Shape: `[capacity, width]`.
    scratch: Buffer,
    /// Packed gradients at the outputs of qkv, output projection, up and down, from which [`super::trainer`]
    /// computes the gradients of the matrices. Shape of each: `[rows, outputs]`.
    pub packed: [PackedMatrix; 4],
    /// Gradients of biases and norms in the order of the layout: norm before attention, qkv, output
    /// projection, norm before the MLP, up, down. Shape: `[BIAS_AND_NORM_FACTOR * width]`.
    pub small_grads: Buffer,
}

impl BlockGradients {
    pub fn new(capacity: usize, width: usize) -> Self {
        let rows = |columns: usize| Buffer::new(capacity * columns * width);
        Self {
            after: rows(1),
            middle: rows(1),
            before: rows(1),
            qkv: rows(3),
            up: rows(MLP_FACTOR),
            scratch: rows(1),
            packed: [3, 1, MLP_FACTOR, 1].map(|columns| PackedMatrix::new(capacity, columns * width)),
            small_grads: Buffer::new(BIAS_AND_NORM_FACTOR * width),
        }
    }
}

impl Block {
    pub fn new(layout: &mut Layout, name: &str, width: usize) -> Self {
        let dense = |layout: &mut Layout, part: &str, inputs: usize, outputs: usize| {
            Dense::new(
                layout,
                &format!("{name}/{part}"),
                inputs * width,
                outputs * width,
                WITH_INPUT_GRADIENT,
            )
        };
        Self {
            before_attention: LayerNorm::new(layout, &format!("{name}/attention"), width),
            qkv: dense(layout, "qkv", 1, 3),
            output: dense(layout, "mix", 1, 1),
            before_mlp: LayerNorm::new(layout, &format!("{name}/mlp"), width),
            up: dense(layout, "up", 1, MLP_FACTOR),
            down: dense(layout, "down", MLP_FACTOR, 1),
        }
    }

    /// Its dense layers in the order of the layout.
    pub fn dense(&self) -> [&Dense; 4] {
        [&self.qkv, &self.output, &self.up, &self.down]
    }

    /// Sets biases and betas to zero and gammas to one.
    pub fn init_biases_and_norms(&self, params: &mut [f32]) {
        self.dense().into_iter().for_each(|dense| params[dense.bias.clone()].fill(0.0));
        self.before_attention.init(params);
        self.before_mlp.init(params);
    }

    /// Forward pass of sequences of `length` rows each: adds the outputs of attention and MLP to `residual`.
    ///
    /// `input` is the output of this block's first norm, which the previous block has computed. `next_input`
    /// receives the output of the next block's first norm `next_norm`, which is fused into this block's last
    /// product. Shapes: `residual [rows, width]`.
    pub fn forward(
        &self,
        weights: &Weights,
        [input, next_input]: [&mut NormedInput; 2],
        next_norm: &LayerNorm,
        residual: &mut [f32],
        tape: &mut BlockTape,
        length: usize,
        workspace: &mut Workspace,
        heads: Heads,
        rotary: Option<&Rotary>,
    ) {
        let width = heads.width();
        let rows = residual.len() / width;
        let BlockTape { qkv, log_sums, attended, mlp_input, pre_activation, activated } = tape;
        let qkv = &mut qkv[..rows * 3 * width];
        self.qkv.forward(weights, qkv, &input.y[..rows * width], rows, self.qkv.epilogue(weights));
        if let Some(rotary) = rotary {
            qkv.chunks_mut(length * 3 * width).for_each(|qkv| rotary.apply(qkv));
        }
        let attended = &mut attended[..rows * width];
        let sequences = attended.chunks_mut(length * width).zip(log_sums.chunks_mut(length * heads.count));
        for ((out, log_sums), qkv) in sequences.zip(qkv.chunks(length * 3 * width)) {
            attention::forward(out, log_sums, qkv, heads, workspace);
        }
        let epilogue = self.before_mlp.attach_and_save(
            self.output.epilogue(weights),
            weights,
            rows,
            &mut mlp_input.norm_tape,
        );
        self.output.forward_residual(
            weights,
            residual,
            &mut mlp_input.y[..rows * width],
            attended,
            rows,
            epilogue,
        );
        let size = rows * MLP_FACTOR * width;
        let saved = Saved::PreActivation(&mut pre_activation[..size]);
        let epilogue = self.up.epilogue(weights).then(Activation::Gelu).save(saved);
        self.up.forward(weights, &mut activated[..size], &mlp_input.y[..rows * width], rows, epilogue);
        let epilogue =
            next_norm.attach_and_save(self.down.epilogue(weights), weights, rows, &mut next_input.norm_tape);
        self.down.forward_residual(
            weights,
            residual,
            &mut next_input.y[..rows * width],
            &activated[..size],
            rows,
            epilogue,
        );
    }

    /// Backward pass: computes `gradients.before` from `gradients.after`, and the gradients of biases and
    /// norms in `gradients.small_grads`. The gradients of the matrices are computed later, over all shards
    /// ([`super::trainer`]), from the saved activations and `gradients.packed`.
    pub fn backward(
        &self,
        weights: &Weights,
        input: &NormedInput,
        tape: &BlockTape,
        gradients: &mut BlockGradients,
        [rows, length]: [usize; 2],
        workspace: &mut Workspace,
        heads: Heads,
        rotary: Option<&Rotary>,
    ) {
        let width = heads.width();
        let BlockGradients { after, middle, before, qkv, up, scratch, packed, small_grads } = gradients;
        small_grads.fill(0.0);
        // In the order of the layout. Attention has gamma and beta of its norm (2), the biases of queries,
        // keys and values (3), and the bias of the output projection (1).
        let (attention_grads, mlp_grads) = small_grads.split_at_mut((2 + 3 + 1) * width);
        let (d_attention_norm, attention_grads) = attention_grads.split_at_mut(2 * width);
        let (d_qkv_bias, d_output_bias) = attention_grads.split_at_mut(3 * width);
        let (d_mlp_norm, mlp_grads) = mlp_grads.split_at_mut(2 * width);
        let (d_up_bias, d_down_bias) = mlp_grads.split_at_mut(MLP_FACTOR * width);
        for first in (0..rows).step_by(MLP_ROWS) {
            let count = MLP_ROWS.min(rows - first);
            let narrow = first * width..(first + count) * width;
            let wide = MLP_FACTOR * narrow.start..MLP_FACTOR * narrow.end;
            let (after, up, scratch) =
                (&after[narrow.clone()], &mut up[wide.clone()], &mut scratch[..count * width]);
            add_column_sums(d_down_bias, after);
            self.down.backward_inputs(weights, up, after, count);
            Activation::Gelu.backward(up, &tape.pre_activation[wide]);
            add_column_sums(d_up_bias, up);
            self.up.backward_inputs(weights, scratch, up, count);
            // The gradient between attention and MLP: that through norm and MLP, plus `after` past them.
            let middle = &mut middle[narrow];
            self.before_mlp.backward_residual(
                weights,
                d_mlp_norm,
                middle,
                scratch,
                after,
                &tape.mlp_input.norm_tape,
                first,
            );
            add_column_sums(d_output_bias, middle);
        }
        let size = rows * width;
        let (middle, scratch, qkv) = (&middle[..size], &mut scratch[..size], &mut qkv[..3 * size]);
        self.output.backward_inputs(weights, scratch, middle, rows);
        let sequences =
            qkv.chunks_mut(length * 3 * width).zip(tape.qkv[..3 * size].chunks(length * 3 * width));
        let outputs = scratch.chunks(length * width).zip(tape.attended.chunks(length * width));
        let log_sums = tape.log_sums.chunks(length * heads.count);
        for (((dqkv, qkv), (dout, out)), log_sums) in sequences.zip(outputs).zip(log_sums) {
            attention::backward(dqkv, dout, &out[..dout.len()], log_sums, qkv, heads, workspace);
            if let Some(rotary) = rotary {
                rotary.backward(dqkv);
            }
        }
        add_column_sums(d_qkv_bias, qkv);
        self.qkv.backward_inputs(weights, scratch, qkv, rows);
        let (norm_tape, first_row) = (&input.norm_tape, 0);
        self.before_attention.backward_residual(
            weights,
            d_attention_norm,
            &mut before[..size],
            scratch,
            middle,
            norm_tape,
            first_row,
        );
        // The outputs of output projection and down are added to the residual stream, so they have its
        // gradients.
        for (packed, dy) in packed.iter_mut().zip([&*qkv, middle, &up[..MLP_FACTOR * size], &after[..size]]) {
            packed.set_inputs(rows);
            packed.pack(dy);
        }
    }

    /// Adds the gradients of biases and norms, `small_grads`, to `grads`, which has the layout of the
    /// parameters.
    pub fn add_small_grads(&self, grads: &mut [f32], small_grads: &[f32]) {
        let parts = [
            self.before_attention.range(),
            self.qkv.bias.clone(),
            self.output.bias.clone(),
            self.before_mlp.range(),
            self.up.bias.clone(),
            self.down.bias.clone(),
        ];
        let mut from = 0;
        for part in parts {
            let more = &small_grads[from..from + part.len()];
            from += part.len();
            add_assign(&mut grads[part], more);
        }
    }
}
