// Decides how many samples of an update are drawn by residual: `wanted`, or none while fewer states are kept,
// while all residuals are zero, or if one is not finite. One invocation.

#include math
#include value_iteration

struct Params {
  wanted: u32,
  // The index in `blocks` of the sum of all squared residuals.
  total_index: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> blocks: array<f32>;
@group(0) @binding(2) var<storage, read_write> progress: ValueIteration;

@compute @workgroup_size(1)
fn main() {
  let total = blocks[params.total_index];
  let can_draw = progress.kept >= params.wanted && total > 0.0 && is_finite(total);
  progress.total = total;
  progress.drawn = select(0u, params.wanted, can_draw);
}
