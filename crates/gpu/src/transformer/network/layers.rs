//! The layers that only transformers have, as dispatches: position encoding and attention.

use learnery_kernels::product;
use learnery_nn::Transformer;

use super::Passes;
use crate::GpuError;
use crate::buffer::Buffer;
use crate::device::Gpu;
use crate::plan::PlanBuilder;

/// Rows of a sequence that one workgroup of `attention` computes.
const ROWS_PER_WORKGROUP: usize = 64;

impl Passes {
    /// Encodes positions in queries and keys, from `x` to `y`. Does nothing if the network has no rotary
    /// positions.
    pub(super) fn encode_positions(&self, plan: &mut PlanBuilder, x: &Buffer, y: &Buffer, backward: bool) {
        if self.net.rotary().is_none() {
            return;
        }
        let heads = self.net.heads();
        let constants = [
            ("HEADS", heads.count as u32),
            ("HEAD_SIZE", heads.size as u32),
            ("PAIRS", heads.pairs() as u32),
            ("BACKWARD", backward.into()),
        ];
        let parameters = [self.rows.into(), self.length.into()];
        let elements = self.rows * 3 * heads.width();
        plan.dispatch_elements("rotary", &constants, &parameters, &[&self.angles, x, y], elements, 64);
    }

    /// Pass `pass` of attention.
    pub(super) fn attention(&self, plan: &mut PlanBuilder, pass: u32, buffers: &[&Buffer]) {
        let heads = self.net.heads();
        let constants = [
            ("HEADS", heads.count as u32),
            ("HEAD_SIZE", heads.size as u32),
            ("VECTORS", heads.size.div_ceil(4) as u32),
            // With 16 rows, the two blocks of a large head would not fit into the 16 kB of a workgroup's
            // memory.
            ("BLOCK", if heads.size > 64 { 8 } else { 16 }),
            ("PASS", pass),
        ];
        let parameters = [self.length.into(), (1.0 / (heads.size as f32).sqrt()).into()];
        let sequences = self.rows / self.length;
        let workgroups = [self.length.div_ceil(ROWS_PER_WORKGROUP), heads.count, sequences];
        let cost = 4.0 * product([self.rows, self.length, heads.width()]);
        plan.dispatch("attention", &constants, &parameters, buffers, workgroups, cost);
    }
}

/// Invocations per row of logits.
pub fn vocabulary_threads(vocabulary: usize) -> u32 {
    if vocabulary <= 512 { 64 } else { 256 }
}

/// A buffer with the cosines and sines of a network's rotary angles; empty without.
pub fn upload_angles(gpu: &Gpu, net: &Transformer) -> Result<Buffer, GpuError> {
    let angles: Vec<[f32; 2]> = net.rotary().map(|rotary| rotary.angles().collect()).unwrap_or_default();
    let buffer = gpu.buffer(2 * angles.len())?;
    gpu.write(&buffer, 0, angles.as_flattened());
    Ok(buffer)
}
