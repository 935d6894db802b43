//! Forward and backward pass of the network as dispatches: the arithmetic of [`learnery_nn::ResNet`].

use learnery_nn::resnet::Block;
use learnery_nn::{Mlp, ResNet};

use super::{INPUTS, POSITION_WORDS};
use learnery_gpu::Buffer;
use learnery_gpu::Gpu;
use learnery_gpu::GpuError;
use learnery_gpu::PlanBuilder;
use learnery_gpu::layers::{Gradients, NormActivation, NormTape, Pass, relu_backward};
use learnery_gpu::matmul::Epilogue;

/// The buffers of a forward pass over up to `rows` positions.
#[derive(Clone, Debug)]
pub struct Tape {
    pub positions: Buffer,
    /// Shape: `[rows, INPUTS]`.
    inputs: Buffer,
    /// The residual stream.
    /// Shape: `[rows, width]`.
    stream: Buffer,
    /// The output of a dense layer before a norm.
    /// Shape: `[rows, width]`.
    dense: Buffer,
    entry: NormTape,
    blocks: Vec<[NormTape; 2]>,
    /// The output of the trunk.
    pub end: NormTape,
    pub heads: Vec<HeadTape>,
}

/// The buffers of a head.
#[derive(Clone, Debug)]
pub struct HeadTape {
    hidden: Vec<NormTape>,
    /// Shape: `[rows, outputs]`.
    pub outputs: Buffer,
}

impl Tape {
    /// Buffers that save everything for a backward pass.
    pub fn for_training(gpu: &Gpu, net: &ResNet, rows: usize) -> Result<Self, GpuError> {
        Self::new(gpu, net, rows, &mut |_| NormTape::new(gpu, rows, net.shape().width))
    }

    /// Buffers of a forward pass alone.
    pub fn for_inference(gpu: &Gpu, net: &ResNet, rows: usize) -> Result<Self, GpuError> {
        let norm = || NormTape::new(gpu, rows, net.shape().width);
        // A layer reads one of these and writes another. The third is for the output of the trunk, which all
        // heads read.
        let norms = [norm()?, norm()?, norm()?];
        Self::new(gpu, net, rows, &mut |role| Ok(norms[role as usize].clone()))
    }

    fn new(
        gpu: &Gpu,
        net: &ResNet,
        rows: usize,
        norm: &mut dyn FnMut(Role) -> Result<NormTape, GpuError>,
    ) -> Result<Self, GpuError> {
        let width = net.shape().width;
        assert_eq!(net.shape().inputs, INPUTS, "the network reads positions");
        let buffer = |columns: usize| gpu.buffer(rows * columns);
        let block =
            |norm: &mut dyn FnMut(Role) -> Result<NormTape, GpuError>| -> Result<[NormTape; 2], GpuError> {
                Ok([norm(Role::Even)?, norm(Role::Odd)?])
            };
        let mut blocks = Vec::new();
        for _ in net.blocks() {
            blocks.push(block(norm)?);
        }
        let mut heads = Vec::new();
        for head in net.heads() {
            let roles = [Role::Even, Role::Odd].into_iter().cycle();
            let hidden = roles.take(head.layers().len() - 1).map(&mut *norm).collect::<Result<_, _>>()?;
            heads.push(HeadTape { hidden, outputs: buffer(head.outputs())? });
        }
        Ok(Self {
            positions: buffer(POSITION_WORDS)?,
            inputs: buffer(INPUTS)?,
            stream: buffer(width)?,
            dense: buffer(width)?,
            entry: norm(Role::Odd)?,
            blocks,
            end: norm(Role::End)?,
            heads,
        })
    }
}

/// Which of the three buffers of inference a norm writes: `Even` and `Odd` in turn, because the next layer
/// reads one while it writes the other.
#[derive(Clone, Copy, Debug)]
enum Role {
    Even = 0,
    Odd = 1,
    End = 2,
}

/// Appends the network's inputs and its trunk.
pub fn trunk(plan: &mut PlanBuilder, net: &ResNet, pass: Pass, tape: &Tape) {
    let rows = pass.rows;
    let buffers = [&tape.positions, &tape.inputs];
    plan.dispatch_elements("observation", &[], &[rows.into()], &buffers, rows * INPUTS, 64);
    let bias = |start| Epilogue::Bias(pass.weights, start);
    let Tape { inputs, stream, dense, .. } = tape;
    let entry = net.entry();
    pass.dense(plan, &entry.dense, inputs, dense, bias(entry.dense.bias.start));
    pass.norm(plan, &entry.norm, dense, &tape.entry, NormActivation::Relu);
    // The blocks add to a copy, because the backward pass needs the output of the first layer.
    plan.copy(&tape.entry.y, stream, rows * net.shape().width);
    for (Block { first, second }, [before, between]) in net.blocks().iter().zip(&tape.blocks) {
        pass.norm(plan, &first.norm, stream, before, NormActivation::Relu);
        pass.dense(plan, &first.dense, &before.y, dense, bias(first.dense.bias.start));
        pass.norm(plan, &second.norm, dense, between, NormActivation::Relu);
        let add = Epilogue::BiasAdd(pass.weights, second.dense.bias.start);
        pass.dense(plan, &second.dense, &between.y, stream, add);
    }
    pass.norm(plan, net.final_norm(), stream, &tape.end, NormActivation::Relu);
}

/// Appends a head, from the output of the trunk.
pub fn head(plan: &mut PlanBuilder, net: &ResNet, pass: Pass, tape: &Tape, head: usize) {
    let HeadTape { hidden, outputs } = &tape.heads[head];
    let mut x = &tape.end.y;
    for (i, (dense, norm)) in net.heads()[head].layers().enumerate() {
        let bias = Epilogue::Bias(pass.weights, dense.bias.start);
        match norm {
            Some(norm) => {
                pass.dense(plan, dense, x, &tape.dense, bias);
                pass.norm(plan, norm, &tape.dense, &hidden[i], NormActivation::Relu);
                x = &hidden[i].y;
            }
            None => pass.dense(plan, dense, x, outputs, bias),
        }
    }
}

/// The buffers of a backward pass.
#[derive(Clone, Debug)]
pub struct GradientTape {
    /// The gradient at the outputs of each head.
    pub outputs: Vec<Buffer>,
    /// The gradient at the stream, and at the output of the trunk.
    /// Shape of each: `[rows, width]`.
    stream: Buffer,
    trunk: Buffer,
    /// Gradients inside a block or a head: at the output of a norm, and at its input.
    /// Shape of each: `[rows, width]`.
    after: Buffer,
    before: Buffer,
}

impl GradientTape {
    pub fn new(gpu: &Gpu, net: &ResNet, rows: usize) -> Result<Self, GpuError> {
        let buffer = |columns: usize| gpu.buffer(rows * columns);
        let width = net.shape().width;
        Ok(Self {
            outputs: net.heads().iter().map(|head| buffer(head.outputs())).collect::<Result<_, _>>()?,
            stream: buffer(width)?,
            trunk: buffer(width)?,
            after: buffer(width)?,
            before: buffer(width)?,
        })
    }
}

/// Appends the backward pass: adds the gradient of all parameters, from the gradients at the heads' outputs.
pub fn backward(
    plan: &mut PlanBuilder,
    net: &ResNet,
    pass: Pass,
    gradients: Gradients,
    tape: &Tape,
    gradient_tape: &GradientTape,
) {
    let GradientTape { stream, trunk, after, before, .. } = gradient_tape;
    for (i, head) in net.heads().iter().enumerate() {
        // The heads' gradients at the output of the trunk are summed.
        let epilogue = if i == 0 { Epilogue::Store } else { Epilogue::Add };
        head_backward(
            plan,
            head,
            pass,
            gradients,
            &tape.heads[i],
            &tape.end.y,
            [&gradient_tape.outputs[i], trunk],
            gradient_tape,
            epilogue,
        );
    }
    relu_backward(plan, trunk, &tape.end.y);
    gradients.norm(plan, net.final_norm(), &tape.end, trunk);
    pass.norm_backward(plan, net.final_norm(), &tape.end, trunk, stream, false);
    for (Block { first, second }, [first_tape, second_tape]) in net.blocks().iter().zip(&tape.blocks).rev() {
        for (half, half_tape, dy, dx, add) in
            [(second, second_tape, stream, before, false), (first, first_tape, before, stream, true)]
        {
            gradients.dense(plan, &half.dense, &half_tape.y, dy);
            pass.dense_backward(plan, &half.dense, dy, after, Epilogue::Store);
            relu_backward(plan, after, &half_tape.y);
            gradients.norm(plan, &half.norm, half_tape, after);
            pass.norm_backward(plan, &half.norm, half_tape, after, dx, add);
        }
    }
    let entry = net.entry();
    relu_backward(plan, stream, &tape.entry.y);
    gradients.norm(plan, &entry.norm, &tape.entry, stream);
    pass.norm_backward(plan, &entry.norm, &tape.entry, stream, before, false);
    gradients.dense(plan, &entry.dense, &tape.inputs, before);
}

/// Appends the backward pass of a head, from the gradient at its outputs to that at its input `x`.
fn head_backward(
    plan: &mut PlanBuilder,
    head: &Mlp,
    pass: Pass,
    gradients: Gradients,
    tape: &HeadTape,
    x: &Buffer,
    [d_outputs, d_input]: [&Buffer; 2],
    gradient_tape: &GradientTape,
    epilogue: Epilogue,
) {
    let GradientTape { after, before, .. } = gradient_tape;
    let all: Vec<_> = head.layers().collect();
    let mut dy = d_outputs;
    for i in (0..all.len()).rev() {
        let (dense, _) = all[i];
        let Some(below) = i.checked_sub(1) else {
            gradients.dense(plan, dense, x, dy);
            pass.dense_backward(plan, dense, dy, d_input, epilogue);
            return;
        };
        let below_tape = &tape.hidden[below];
        let (_, norm) = all[below];
        let norm = norm.expect("hidden layers have a norm");
        gradients.dense(plan, dense, &below_tape.y, dy);
        pass.dense_backward(plan, dense, dy, after, Epilogue::Store);
        relu_backward(plan, after, &below_tape.y);
        gradients.norm(plan, norm, below_tape, after);
        pass.norm_backward(plan, norm, below_tape, after, before, false);
        dy = before;
    }
}
