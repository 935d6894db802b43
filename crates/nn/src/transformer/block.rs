//! One block: where its parameters lie, its forward pass over some rows, and its way back.

use learnery_kernels::attention::{self, Heads, Rotary, Workspace};
use learnery_kernels::buffer::Buffer;
use learnery_kernels::epilogue::{Activation, Saved};
use learnery_kernels::linear::PackedMatrix;
use learnery_kernels::reduce::{add_assign, add_column_sums};

use crate::dense::Dense;
use crate::layer_norm::{LayerNorm, LayerNormTape};
use crate::params::Layout;
use crate::weights::Weights;

/// How much wider the perceptron is than the stream.
pub const MLP: usize = 4;

/// Numbers in the gradients of biases and norms, over the width.
pub const SMALL: usize = 13;

/// Rows that go back through the perceptron together: what is between its layers stays in the second cache.
const ROWS: usize = 64;

/// Where the parameters of a block lie.
#[derive(Clone, Debug)]
pub struct Block {
    pub before_attention: LayerNorm,
    pub qkv: Dense,
    pub mix: Dense,
    pub before_mlp: LayerNorm,
    pub up: Dense,
    pub down: Dense,
}

/// Rows of the residual stream behind a norm.
#[derive(Clone, Debug)]
pub struct Entry {
    /// // [capacity, width]
    pub y: Buffer,
    pub normed: LayerNormTape,
}

impl Entry {
    pub fn new(capacity: usize, width: usize) -> Self {
        Self { y: Buffer::new(capacity * width), normed: LayerNormTape::new(capacity, width) }
    }
}

/// What a forward pass of a block leaves for its way back, beside the entry that it began with.
#[derive(Clone, Debug)]
pub struct Kept {
    /// // [capacity, 3 width]
    qkv: Buffer,
    /// See [`attention::forward`]. // [heads, rows] for each sequence
    levels: Vec<f32>,
    /// What attention gave. // [capacity, width]
    pub mixed: Buffer,
    pub middle: Entry,
    /// What went into the activation, and what came of it. // each [capacity, MLP width]
    before: Buffer,
    pub after: Buffer,
}

impl Kept {
    pub fn new(capacity: usize, heads: Heads) -> Self {
        let width = heads.width();
        Self {
            qkv: Buffer::new(capacity * 3 * width),
            levels: vec![0.0; capacity * heads.count],
            mixed: Buffer::new(capacity * width),
            middle: Entry::new(capacity, width),
            before: Buffer::new(capacity * MLP * width),
            after: Buffer::new(capacity * MLP * width),
        }
    }

    /// Queries, keys and values of the last forward pass. // [capacity, 3 width]
    pub fn qkv(&self) -> &[f32] {
        &self.qkv
    }
}

/// Gradients inside a block on their way back.
#[derive(Clone, Debug)]
pub struct Back {
    /// At what leaves the block, at what leaves its attention, and at what enters it. // each [capacity, width]
    pub end: Buffer,
    pub middle: Buffer,
    pub begin: Buffer,
    /// // [capacity, 3 width]
    qkv: Buffer,
    /// At what goes into the activation. // [capacity, MLP width]
    up: Buffer,
    /// // [capacity, width]
    spare: Buffer,
    /// Gradients at what left each layer (qkv, mix, up, down), for those of its weights. // [rows, outputs]
    pub packed: [PackedMatrix; 4],
    /// Of biases and norms, in the order of the layout: the norm before attention, qkv, mix, the other norm, up, down.
    /// // [SMALL, width]
    pub small: Buffer,
}

impl Back {
    pub fn new(capacity: usize, width: usize) -> Self {
        let rows = |columns: usize| Buffer::new(capacity * columns * width);
        Self {
            end: rows(1),
            middle: rows(1),
            begin: rows(1),
            qkv: rows(3),
            up: rows(MLP),
            spare: rows(1),
            packed: [3, 1, MLP, 1].map(|columns| PackedMatrix::new(capacity, columns * width)),
            small: Buffer::new(SMALL * width),
        }
    }
}

impl Block {
    pub fn new(layout: &mut Layout, name: &str, width: usize) -> Self {
        let dense = |layout: &mut Layout, part: &str, inputs: usize, outputs: usize| {
            Dense::new(layout, &format!("{name}/{part}"), inputs * width, outputs * width, true)
        };
        Self {
            before_attention: LayerNorm::new(layout, &format!("{name}/attention"), width),
            qkv: dense(layout, "qkv", 1, 3),
            mix: dense(layout, "mix", 1, 1),
            before_mlp: LayerNorm::new(layout, &format!("{name}/mlp"), width),
            up: dense(layout, "up", 1, MLP),
            down: dense(layout, "down", MLP, 1),
        }
    }

    /// Its layers in the order of the layout.
    pub fn dense(&self) -> [&Dense; 4] {
        [&self.qkv, &self.mix, &self.up, &self.down]
    }

    /// Biases of zero, norms that change nothing but mean and variance.
    pub fn init_rest(&self, params: &mut [f32]) {
        self.dense().into_iter().for_each(|dense| params[dense.bias.clone()].fill(0.0));
        self.before_attention.init(params);
        self.before_mlp.init(params);
    }

    /// Takes `rows` rows, sequences of `length`, from behind this block's norm to behind the next one's, and adds what it
    /// makes of them to `stream`.
    pub fn forward(
        &self,
        weights: &Weights,
        [entry, next]: [&mut Entry; 2],
        next_norm: &LayerNorm,
        stream: &mut [f32],
        kept: &mut Kept,
        length: usize,
        room: &mut Workspace,
        heads: Heads,
        rotary: Option<&Rotary>,
    ) {
        let width = heads.width();
        let rows = stream.len() / width;
        let Kept { qkv, levels, mixed, middle, before, after } = kept;
        let qkv = &mut qkv[..rows * 3 * width];
        self.qkv.forward(weights, qkv, &entry.y[..rows * width], rows, self.qkv.epilogue(weights));
        if let Some(rotary) = rotary {
            qkv.chunks_mut(length * 3 * width).for_each(|qkv| rotary.apply(qkv));
        }
        let mixed = &mut mixed[..rows * width];
        let sequences = mixed.chunks_mut(length * width).zip(levels.chunks_mut(length * heads.count));
        for ((out, levels), qkv) in sequences.zip(qkv.chunks(length * 3 * width)) {
            attention::forward(out, levels, qkv, heads, room);
        }
        let tail = self.before_mlp.after_kept(self.mix.epilogue(weights), weights, rows, &mut middle.normed);
        self.mix.forward_residual(weights, stream, &mut middle.y[..rows * width], mixed, rows, tail);
        let size = rows * MLP * width;
        let keep = Saved::PreActivation(&mut before[..size]);
        let tail = self.up.epilogue(weights).then(Activation::Gelu).save(keep);
        self.up.forward(weights, &mut after[..size], &middle.y[..rows * width], rows, tail);
        let tail = next_norm.after_kept(self.down.epilogue(weights), weights, rows, &mut next.normed);
        self.down.forward_residual(weights, stream, &mut next.y[..rows * width], &after[..size], rows, tail);
    }

    /// From the gradient at what left the block, the one at what entered it, and those of its biases and norms. Its
    /// matrices' are made later, over many slots, from what the forward pass kept and what is packed here.
    pub fn backward(
        &self,
        weights: &Weights,
        entry: &Entry,
        kept: &Kept,
        back: &mut Back,
        [rows, length]: [usize; 2],
        room: &mut Workspace,
        heads: Heads,
        rotary: Option<&Rotary>,
    ) {
        let width = heads.width();
        let Back { end, middle, begin, qkv, up, spare, packed, small } = back;
        small.fill(0.0);
        let (of_attention, of_mlp) = small.split_at_mut(6 * width);
        let (of_entry, of_attention) = of_attention.split_at_mut(2 * width);
        let (of_qkv, of_mix) = of_attention.split_at_mut(3 * width);
        let (of_norm, of_mlp) = of_mlp.split_at_mut(2 * width);
        let (of_up, of_down) = of_mlp.split_at_mut(MLP * width);
        for first in (0..rows).step_by(ROWS) {
            let count = ROWS.min(rows - first);
            let narrow = first * width..(first + count) * width;
            let wide = MLP * narrow.start..MLP * narrow.end;
            let (end, up, spare) = (&end[narrow.clone()], &mut up[wide.clone()], &mut spare[..count * width]);
            add_column_sums(of_down, end);
            self.down.backward_inputs(weights, up, end, count);
            Activation::Gelu.backward(up, &kept.before[wide]);
            add_column_sums(of_up, up);
            self.up.backward_inputs(weights, spare, up, count);
            let middle = &mut middle[narrow];
            self.before_mlp.backward_past(weights, of_norm, middle, spare, end, &kept.middle.normed, first);
            add_column_sums(of_mix, middle);
        }
        let size = rows * width;
        let (middle, spare, qkv) = (&middle[..size], &mut spare[..size], &mut qkv[..3 * size]);
        self.mix.backward_inputs(weights, spare, middle, rows);
        let sequences =
            qkv.chunks_mut(length * 3 * width).zip(kept.qkv[..3 * size].chunks(length * 3 * width));
        let given = spare.chunks(length * width).zip(kept.mixed.chunks(length * width));
        let levels = kept.levels.chunks(length * heads.count);
        for (((dqkv, qkv), (dout, out)), levels) in sequences.zip(given).zip(levels) {
            attention::backward(dqkv, dout, &out[..dout.len()], levels, qkv, heads, room);
            if let Some(rotary) = rotary {
                rotary.backward(dqkv);
            }
        }
        add_column_sums(of_qkv, qkv);
        self.qkv.backward_inputs(weights, spare, qkv, rows);
        let normed = &entry.normed;
        self.before_attention.backward_past(weights, of_entry, &mut begin[..size], spare, middle, normed, 0);
        for (packed, dy) in packed.iter_mut().zip([&*qkv, middle, &up[..MLP * size], &end[..size]]) {
            packed.set_inputs(rows);
            packed.pack(dy);
        }
    }

    /// Adds the gradients of biases and norms to `grads`, laid out like the parameters.
    pub fn add_small(&self, grads: &mut [f32], small: &[f32]) {
        let parts = [
            self.before_attention.range(),
            self.qkv.bias.clone(),
            self.mix.bias.clone(),
            self.before_mlp.range(),
            self.up.bias.clone(),
            self.down.bias.clone(),
        ];
        let mut from = 0;
        for part in parts {
            let more = &small[from..from + part.len()];
            from += part.len();
            add_assign(&mut grads[part], more);
        }
    }
}
